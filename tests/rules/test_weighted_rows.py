"""A weight is a number of copies of a row: in every sum exactly, in what is drawn on average."""

import numpy as np
import pytest

from glade import FIRERegressor, ForestRegressor, Gradient
from tests.rules.tables import fit, make_table

SEEDS = range(30)


def test_weighted_and_repeated_rows_agree_over_seeds():
    """Two populations in the same place: without weights they cancel out, with them the one counts."""
    random = np.random.default_rng(0)
    X, counts_more = random.random((80, 1)), random.random(80) < 0.5
    weights = np.where(counts_more, 5, 1)
    y = np.where(counts_more, X[:, 0], 1 - X[:, 0]) + 0.1 * random.normal(size=80)
    repeated = np.repeat(np.arange(80), weights)
    grid = np.linspace(0.05, 0.95, 20)[:, None]

    def predictions(rows, sample_weight=None):
        fold = rows % 3  # copies stay together: drawn one by one, a row would be judged by trees that have seen it
        folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
        models = (
            FIRERegressor(ForestRegressor(4, max_depth=2), random_state=seed, weights=Gradient(max_iter=300), cv=folds)
            for seed in SEEDS
        )
        return np.array([model.fit(X[rows], y[rows], sample_weight).predict(grid) for model in models])

    once = np.arange(80)
    weighted, copied, plain = predictions(once, weights), predictions(repeated), predictions(once)
    spread = np.sqrt((weighted.var(axis=0) + copied.var(axis=0)) / len(SEEDS))
    apart = np.abs(weighted.mean(axis=0) - copied.mean(axis=0))
    assert (apart < 4 * spread).mean() > 0.9
    assert apart.mean() < 0.25 * np.abs(plain.mean(axis=0) - copied.mean(axis=0)).mean()


def test_rows_of_weight_zero_are_not_there():
    X, Y = make_table(120)
    weights = (np.arange(120) % 3 > 0).astype(float)
    model = FIRERegressor(ForestRegressor(5, max_depth=3), random_state=0)
    dropped = fit(model, X[weights > 0], Y["number"][weights > 0]).predict(X)
    np.testing.assert_array_equal(fit(model, X, Y["number"], sample_weight=weights).predict(X), dropped)


@pytest.mark.parametrize("factor", [1e-300, 0.25, 1e300])
def test_c52_only_ratios_of_weights_matter(factor):
    X, Y = make_table(120)
    weights = np.random.default_rng(0).random(120) + 0.1  # whole ones are counts: they say how many rows to draw
    model = FIRERegressor(ForestRegressor(5, max_depth=3), random_state=0)
    expected = fit(model, X, Y["number"], sample_weight=weights).predict(X)
    scaled = fit(model, X, Y["number"], sample_weight=weights * factor)
    np.testing.assert_allclose(scaled.predict(X), expected, rtol=1e-9)
