"""Mixtures of models: their shares are those of least loss on the rows held out, and small models are not disturbed."""

import numpy as np
import pytest
from scipy.optimize import minimize

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.losses.logistic import Logistic
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.path import TermWeights
from glade.weights.blend import LEAST_SHARE, find_shares, mix
from glade.weights.problem import FoldProblem
from glade.weights.problem_sums import FoldSums
from tests.weights.problems import make_design, make_rows

KINDS = {"numbers": [Squared] * 3, "numbers and an event": [Squared, Squared, Logistic]}


def make_trials(kinds):
    """Three folds, whose third target may be an event, and of each four models: none is the best by far."""
    losses, all_sums, models = TargetLosses.of([kind.of(2 if kind is Logistic else None) for kind in kinds]), [], []
    for fold in range(3):
        rows = make_rows(80, seed=fold, missing=0.1)
        if kinds[2] is Logistic:
            rows.y[:, 2] = np.where(np.isnan(rows.y[:, 2]), np.nan, rows.y[:, 2] > 0)
        own = FoldProblem(make_design(rows), rows.take(np.arange(50)), held_out=rows.take(np.arange(50, 80)))
        all_sums.append(FoldSums.of(own, losses))
        rng = np.random.default_rng(3)  # models differ less between folds than from one another
        terms = [np.sort(rng.choice(len(own.design), 4, replace=False)) for _ in range(4)]
        models.append([TermWeights(t, 0.4 * rng.normal(size=(4, 3)), 0.1 * rng.normal(size=3)) for t in terms])
        models[-1][0] = TermWeights(np.zeros(0, np.int64), np.zeros((0, 3)), all_sums[-1].start)
    return all_sums, models


def find_error(all_sums, models, shares):
    """By the definition: predictions of the mixture in each fold."""
    errors = []
    for sums, own in zip(all_sums, models, strict=True):
        predicted = sum(s * sums.problem.predict_held_out(m) for s, m in zip(shares, own, strict=True))
        errors.append(sums.errors(predicted).mean())
    return np.mean(errors)


@pytest.mark.parametrize("kind", KINDS)
def test_shares_are_those_of_least_error_on_rows_held_out(kind):
    all_sums, models = make_trials(KINDS[kind])
    shares = find_shares(all_sums, models)
    assert shares.sum() == pytest.approx(1.0)
    assert ((shares == 0) | (shares >= LEAST_SHARE)).all()
    whole = {"type": "eq", "fun": lambda s: s.sum() - 1.0}
    best = minimize(
        lambda s: find_error(all_sums, models, s), np.full(4, 0.25), bounds=[(0, 1)] * 4, constraints=whole, tol=1e-10
    )
    assert find_error(all_sums, models, shares) == pytest.approx(best.fun, rel=1e-3)
    assert find_error(all_sums, models, shares) <= min(find_error(all_sums, models, s) for s in np.eye(4)) * (1 + 1e-9)


def test_a_mixture_predicts_the_mean_of_its_models():
    rows = make_rows(60)
    design, rng = make_design(rows), np.random.default_rng(0)
    models = [TermWeights(np.sort(rng.choice(9, 3, False)), rng.normal(size=(3, 3)), rng.normal(size=3)) for _ in "ab"]
    found = mix(models, np.array([0.3, 0.7]))
    predict = lambda m: design.take(m.terms).predict(rows.matrix, m.weights) + m.offset  # noqa: E731
    np.testing.assert_allclose(predict(found), 0.3 * predict(models[0]) + 0.7 * predict(models[1]), atol=1e-12)


def make_table(n=150):
    X = np.random.default_rng(0).normal(size=(n, 4))
    return X, X[:, 0] + (X[:, 1] > 0) + 0.5 * np.random.default_rng(1).normal(size=n)


def test_all_rules_are_the_mixture_and_few_are_what_they_are_without_it():
    X, y = make_table()
    whole = RuleEnsembleRegressor(max_rules=None, random_state=0).fit(X, y)
    assert whole.model_.step.origin == ("mixed", 0)
    assert whole.path_.terms[-1] == whole.size_.terms
    assert np.isfinite(whole.oof_prediction_).all()
    few = RuleEnsembleRegressor(max_rules=10, random_state=0).fit(X, y)
    assert few.model_.step.origin[0] == "chosen"
    auto = RuleEnsembleRegressor(random_state=0).fit(X, y)
    np.testing.assert_array_equal(auto.with_rules(10).predict(X), few.predict(X))


def test_of_noise_all_rules_are_next_to_nothing():
    X = np.random.default_rng(0).normal(size=(200, 5))
    y = np.random.default_rng(1).integers(0, 2, 200)
    model = RuleEnsembleClassifier(max_rules=None, random_state=0).fit(X, y)
    assert np.abs(model.predict_proba(X)[:, 1] - y.mean()).max() < 0.2


def test_a_large_model_does_not_say_how_many_terms_come_back():
    X, y = make_table()
    model = RuleEnsembleRegressor(weights="ridge", max_rules=None, random_state=0).fit(X, y)
    assert model.size_.terms > 1_000
    with pytest.raises(AttributeError, match="more than 1,000 terms"):
        model.comes_back_  # noqa: B018
