"""Boosting of numbers by Huber's loss, the Poisson loss and the loss of a quantile."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance

import glade
from glade import ForestRegressor
from glade.ensemble.ranks import find_node_quantiles
from glade.grow.layout import NODE

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(800, 4))
MEAN = np.exp(X[:, 0] + (X[:, 1] > 0))
COUNTS = RANDOM.poisson(MEAN).astype(float)


def boosted(loss, **more):
    return ForestRegressor(60, method="boosting", loss=loss, random_state=0, **more)


def test_counts_have_predictions_above_zero_that_meet_their_mean_better_than_squares_do():
    random, train, test = np.random.default_rng(1), slice(0, 500), slice(500, None)
    table = random.normal(size=(3_000, 4))
    y = random.poisson(np.exp(table[:, 0] + (table[:, 1] > 0))).astype(float)
    values = boosted("poisson").fit(table[train], y[train]).predict(table[test])
    assert (values > 0).all()
    squared = np.maximum(boosted("squared").fit(table[train], y[train]).predict(table[test]), 1e-3)
    deviance = [mean_poisson_deviance(y[test], own) for own in (values, squared)]
    assert deviance[0] < deviance[1]
    assert deviance[0] < 0.6 * mean_poisson_deviance(y[test], np.full(2_500, y[train].mean()))


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e6, 2.0**900])
def test_the_unit_of_a_target_changes_nothing_but_the_unit(unit):
    """Steps are found in scaled numbers: the unit is a power of two at times, and rounding at others."""
    for loss in ("huber", "poisson", "quantile"):
        expected = boosted(loss).fit(X, COUNTS).predict(X)
        np.testing.assert_allclose(boosted(loss).fit(X, unit * COUNTS).predict(X) / unit, expected, rtol=1e-2)


def test_weights_are_rows():
    weights = 1.0 + np.arange(300) % 3
    again = np.repeat(np.arange(300), weights.astype(int))
    for loss in ("huber", "poisson", "quantile"):
        model = boosted(loss, max_bins=None, min_weight_fraction_leaf=0.05)
        one = model.fit(X[:300], COUNTS[:300], sample_weight=weights).predict(X)
        two = model.fit(X[again], COUNTS[again]).predict(X)
        np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-6)


def test_many_counts_and_gaps_and_explanations():
    y = pd.DataFrame({"a": COUNTS, "b": RANDOM.poisson(2 * MEAN).astype(float), "c": COUNTS + 1})
    y.loc[::7, "b"] = np.nan
    model = boosted("poisson", missing_targets="ignore").fit(X, y)
    values = model.predict(X)
    assert (values > 0).all()
    assert np.corrcoef(values[:, 1], MEAN)[0, 1] > 0.9
    told = model.explain(X[:5]).groupby(["row", "target"])[["contribution", "score"]].sum().unstack()
    np.testing.assert_allclose(told["contribution"].to_numpy(), values[:5])
    np.testing.assert_allclose(np.exp(told["score"].to_numpy()), values[:5])


def test_quantiles_have_their_share_of_rows_below():
    y = X[:, 0] + np.abs(X[:, 1]) * RANDOM.normal(size=800)
    train, test = slice(0, 500), slice(500, None)
    for level in (0.1, 0.5, 0.9):
        values = boosted("quantile", quantile=level).fit(X[train], y[train]).predict(X[test])
        assert (y[test] < values).mean() == pytest.approx(level, abs=0.08)
        constant = np.full(300, np.quantile(y[train], level))
        assert mean_pinball_loss(y[test], values, alpha=level) < mean_pinball_loss(y[test], constant, alpha=level)


def test_faulty_readings_count_for_little():
    y = X[:, 0] + np.sin(2 * X[:, 1]) + 0.1 * RANDOM.normal(size=800)
    faulty = y.copy()
    faulty[::100] += 1e3
    error = {
        loss: np.sqrt(np.mean((boosted(loss).fit(X, faulty).predict(X) - y) ** 2)) for loss in ("squared", "huber")
    }
    assert error["huber"] < 0.3 < error["squared"]


def test_quantiles_of_all_nodes_are_those_of_their_rows():
    nodes = np.zeros(5, NODE)
    nodes["left"], nodes["depth"] = [1, -1, 3, -1, -1], [0, 1, 1, 2, 2]
    below = {0: {1, 3, 4}, 1: {1}, 2: {3, 4}, 3: {3}, 4: {4}}
    leaves, residual = RANDOM.choice([1, 3, 4], 60), RANDOM.normal(size=60)
    weights = RANDOM.integers(1, 4, 60).astype(float)
    for level in (0.2, 0.5, 0.9):
        found = find_node_quantiles(nodes, leaves, residual, weights, level)
        for node, own in below.items():
            rows = np.flatnonzero(np.isin(leaves, list(own)))
            rows = rows[np.argsort(residual[rows])]
            total = np.cumsum(weights[rows])
            expected = residual[rows[np.searchsorted(total, level * total[-1])]]
            assert found[node] == pytest.approx(expected)


def test_what_a_loss_cannot_take_is_said():
    with pytest.raises(ValueError, match="set method='boosting'"):
        ForestRegressor(loss="huber").fit(X, COUNTS)
    with pytest.raises(ValueError, match="target 'y' is -1 in row 3"):
        boosted("poisson").fit(X, np.where(np.arange(800) == 3, -1.0, COUNTS))
    with pytest.raises(ValueError, match="is 0 in all rows"):
        boosted("poisson").fit(X, np.zeros(800))
    with pytest.raises(ValueError, match="'quantile' parameter"):
        boosted("quantile", quantile=1.0).fit(X, COUNTS)


def test_counts_are_monotone_saved_and_exported(tmp_path):
    model = boosted("poisson", monotonic_cst=[1, 0, 0, 0]).fit(X, COUNTS)
    low, high = X.copy(), X.copy()
    high[:, 0] += RANDOM.exponential(size=800)
    assert (model.predict(high) >= model.predict(low) * (1 - 1e-12)).all()
    model.save(tmp_path / "counts.glade")
    again = glade.load(tmp_path / "counts.glade")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.loss == "poisson"
    names = {"__name__": "module"}
    exec(compile(glade.export(model, "python"), "module", "exec"), names)  # noqa: S102
    row = dict(zip(again.schema_.names, map(float, X[0]), strict=True))
    assert names["predict"](row)["y"] == pytest.approx(model.predict(X[:1])[0])
