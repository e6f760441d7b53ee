"""The ramp loss: its parts by finite differences, weights that no step improves, and labels that are wrong."""

import numpy as np
import pytest

from glade import Lasso, RuleFitClassifier, RuleFitRegressor
from glade.losses.ramp import Ramp, to_ramp
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.linear import LinearTerms
from glade.weights.lasso import LassoPath
from glade.weights.problem import Problem
from tests.fitted import CLASS_BOOSTED, make_table


def make_ramp():
    """Of two classes in columns of mean 0.3 and unit 0.5."""
    return to_ramp(Squared.of(2), np.array([0.3]), np.array([0.5]))


def test_value_and_gradient_within_and_beyond_the_ends():
    loss, rng = make_ramp(), np.random.default_rng(0)
    assert (loss.low, loss.high) == ((-0.6,), (1.4,))
    y = np.where(rng.random((1, 500)) < 0.5, loss.low[0], loss.high[0])
    scores = rng.uniform(-2, 3, (1, 500))
    expected = [(min(max(s, -0.6), 1.4) - t) ** 2 / 2 for s, t in zip(scores[0], y[0], strict=True)]
    np.testing.assert_allclose(loss.value(y, scores), expected)
    step = 1e-6
    slope = (loss.value(y, scores + step) - loss.value(y, scores - step)) / (2 * step)
    near = np.min([np.abs(scores + 0.6), np.abs(scores - 1.4)], axis=0)[0] < 1e-5
    np.testing.assert_allclose(loss.gradient(y, scores)[0][~near], slope[~near], atol=1e-6)
    assert loss.value(y, scores).max() <= 2.0  # however wrong
    assert Ramp.of(3).n_scores == 3
    assert to_ramp(Squared.of(None), np.zeros(1), np.ones(1)).is_quadratic
    with pytest.raises(ValueError, match="nominal"):
        Ramp.of(None)


def test_its_dual_is_below_the_loss_of_the_convex_loss_that_touches_it():
    loss, rng = make_ramp(), np.random.default_rng(1)
    y = np.where(rng.random((1, 300)) < 0.5, loss.low[0], loss.high[0])
    scores = rng.uniform(-2, 3, (1, 300))
    for length in (1.0, 0.6, 0.1):
        slope, others = -length * loss.gradient(y, scores), np.linspace(-3, 4, 701)
        for k in range(300):
            lost = loss._is_lost(y[:, k : k + 1], scores[:, k : k + 1])[0, 0]
            side = 1 if y[0, k] > 0 else -1
            short = np.maximum(side * (y[0, k] - others), 0)
            touching = np.full(701, loss.value(y[:, k : k + 1], scores[:, k : k + 1])[0]) if lost else short**2 / 2
            bound = loss.dual(y[:, k : k + 1], scores[:, k : k + 1], length)[0]
            assert bound <= (touching + slope[0, k] * others).min() + 1e-3


@pytest.fixture(scope="module")
def lines():
    """Linear terms of six inputs, and columns of two classes, a tenth of them wrong."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 6))
    is_one = (X[:, 0] + 0.5 * X[:, 1] > 0) ^ (rng.random(400) < 0.1)
    return X, is_one


def test_no_small_step_lowers_the_objective(lines):
    """The twin: proximal gradient steps of fixed length from the solution that was found gain next to nothing."""
    from glade import TreeRegressor

    X, is_one = lines
    tree = TreeRegressor(max_depth=1).fit(X, is_one.astype(float))
    design = Design.of(tree.rules_.take(np.arange(0)), LinearTerms.of(X, tree.schema_))
    mean, unit = np.array([is_one.mean()]), np.array([is_one.std()])
    loss = to_ramp(Squared.of(2), mean, unit)
    y = ((is_one - mean) / unit)[:, None]
    track = LassoPath(Problem(design, TargetRows(X, y)), TargetLosses.of([loss]), 1.0)
    strength = 0.2 * (largest := track.find_largest_penalty())
    for share in (1.0, 0.5, 0.2):
        found = track.descend(share * largest, 1e-8)
    values = design.values(X)
    weights = np.zeros(len(design))
    weights[found.terms] = found.weights[0]
    offset = float(found.offset[0])

    def cost(w, b):
        return loss.value(y.T, (values @ w + b)[None]).mean() + strength * np.abs(w).sum()

    start = best = cost(weights, offset)
    length = 0.5 / np.linalg.eigvalsh(np.cov(values.T, bias=True))[-1]
    for _ in range(500):
        slope = loss.gradient(y.T, (values @ weights + offset)[None])[0]
        weights = weights - length * (values.T @ slope) / len(y)
        weights = np.sign(weights) * np.maximum(np.abs(weights) - length * strength, 0)
        offset -= length * slope.mean()
        best = min(best, cost(weights, offset))
    assert best > start - 1e-4 * abs(start)
    assert 2 <= len(found.terms) < 6


def test_classes_have_probabilities_by_a_link_and_files_keep_them(tmp_path):
    import glade

    X, y = make_table()
    for targets in (["yes"], ["kind"], ["yes", "kind"]):
        own = y[targets] if len(targets) > 1 else y[targets[0]]
        model = RuleFitClassifier(CLASS_BOOSTED, loss="ramp", max_rules=8, cv=2, random_state=0).fit(X, own)
        assert model.score(X, own) > 0.6
        found = model.predict_proba(X)
        for shares in found if len(targets) > 1 else [found]:
            assert shares.min() > 0
            assert shares.max() < 1
        model.save(tmp_path / "model.glade")
        again = glade.load(tmp_path / "model.glade")
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        assert again.loss == "ramp"


def test_it_is_for_the_lasso_and_published_settings_are_the_source_s():
    X, y = make_table()
    with pytest.raises(ValueError, match='weights="lasso"'):
        RuleFitClassifier(CLASS_BOOSTED, loss="ramp", weights="ridge").fit(X, y["yes"])
    assert RuleFitClassifier(weights=Lasso(loss="ramp")).weights.loss == "ramp"
    model = RuleFitRegressor(as_published=True, random_state=0)
    model.schema_ = None
    (forest,) = model._default_generators(10_000, 100)
    assert (forest.n_estimators, forest.learning_rate, forest.max_samples) == (333, 0.01, pytest.approx(0.07))
    (small,) = model._default_generators(100, 100)
    assert small.max_samples == 0.5
