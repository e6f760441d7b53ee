"""How far a boosted tree goes: the factor of least loss over its sample (c of the ISLE algorithm)."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from glade import ForestClassifier, ForestRegressor, MixedForest
from glade.ensemble.losses import MOST_FACTOR, find_factor
from glade.losses.multinomial import Multinomial
from glade.losses.poisson import Poisson

HOW = {"method": "isle", "learning_rate": 0.3, "random_state": 0, "max_samples": 0.6}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    score = X[:, 0] + (X[:, 1] > 0) * X[:, 2] + 0.5 * rng.normal(size=300)
    return X, score


@pytest.mark.parametrize("loss", [Multinomial.of(3), Poisson.of(None)], ids=repr)
def test_the_factor_is_that_of_least_loss(loss):
    rng = np.random.default_rng(1)
    n_scores = loss.n_scores
    y = np.eye(3)[rng.integers(0, 3, 80)].T if n_scores == 3 else rng.poisson(2.0, (1, 80)).astype(float)
    scores, weights = rng.normal(size=y.shape), rng.random(80)
    added = y - y.mean(axis=1, keepdims=True) + 0.5 * rng.normal(size=y.shape)
    found = minimize_scalar(lambda c: weights @ loss.value(y, scores + c * added), (0.0, 1.0), options={"xtol": 1e-10})
    assert find_factor(loss, y, scores, added, weights) == pytest.approx(found.x, abs=1e-4)


def test_a_factor_has_an_end():
    y = np.eye(2)[[0, 1]].T
    assert find_factor(Multinomial.of(2), y, np.zeros((2, 2)), y - 0.5, np.ones(2)) == MOST_FACTOR
    assert find_factor(Multinomial.of(2), y, np.zeros((2, 2)), np.zeros((2, 2)), np.ones(2)) == 1.0


def test_a_tree_is_multiplied_as_a_whole_and_lowers_the_loss(table):
    X, score = table
    y = np.digitize(score, [-0.5, 0.8]).astype(str)
    plain, fitted = (ForestClassifier(1, step=step, **HOW).fit(X, y) for step in ("plain", "fitted"))
    ratio = fitted.trees_[0].value / plain.trees_[0].value
    np.testing.assert_allclose(ratio, ratio[0, 0])
    assert ratio[0, 0] != pytest.approx(1.0, abs=0.01)
    rows = np.arange(len(y))
    own, other = (
        -np.log(model.predict_proba(X)[rows, np.searchsorted(model.classes_, y)]).mean() for model in (fitted, plain)
    )
    assert own < other


def test_with_squared_errors_it_is_one(table):
    X, score = table
    plain, fitted = (ForestRegressor(5, step=step, **HOW).fit(X, score) for step in ("plain", "fitted"))
    np.testing.assert_array_equal(plain.predict(X), fitted.predict(X))
    independent = [
        ForestClassifier(5, step=step, **{**HOW, "learning_rate": 0.0}).fit(X, score > 0)
        for step in ("plain", "fitted")
    ]
    np.testing.assert_array_equal(*(model.predict_proba(X) for model in independent))


def test_each_target_has_a_factor_of_its_own(table):
    import pandas as pd

    X, score = table
    y = pd.DataFrame({"number": score, "class": pd.Series(score > 0).map({True: "up", False: "down"})})
    plain, fitted = (MixedForest(1, step=step, **HOW).fit(X, y) for step in ("plain", "fitted"))
    number, up = (fitted.trees_[0].value[:, k] / plain.trees_[0].value[:, k] for k in (0, 2))
    np.testing.assert_allclose(number, 1.0)
    np.testing.assert_allclose(up, up[0])
    assert up[0] > 1.01
