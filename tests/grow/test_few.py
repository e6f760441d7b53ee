"""Nodes of a few rows: the scores of all divisions against the definition."""

from itertools import combinations

import numba
import numpy as np
import pytest

from glade.data.targets import REGRESSION, encode_targets, read_targets
from glade.grow._few import score_divisions
from glade.grow._search import NO_GAIN
from glade.grow.grower import GrowthSettings, make_limits
from glade.grow.layout import FEW_ROWS, Layout, list_division_steps


@numba.njit
def run_score_divisions(n, layout, limits, moments, steps, nothing, total, squares, gains, weights):
    return score_divisions(n, layout, limits, moments, steps, nothing, total, squares, gains, weights)


@pytest.mark.parametrize("n", range(1, FEW_ROWS + 1))
def test_steps_meet_every_set_without_the_last_row_once(n):
    rows, met = set(), []
    for step in list_division_steps()[n, : (1 << (n - 1)) - 1].tolist():
        assert (step < n) == (step % n not in rows)
        rows ^= {step % n}
        met.append(frozenset(rows))
    assert set(met) == {frozenset(s) for size in range(1, n) for s in combinations(range(n - 1), size)}
    assert len(met) == len(set(met))


@pytest.mark.parametrize("n", range(3, FEW_ROWS + 1))
@pytest.mark.parametrize("n_channels", [1, 3, 4, 14])
@pytest.mark.parametrize(("min_rows", "min_share"), [(1, 0.0), (2, 0.0), (1, 0.3)])
def test_divisions_gain_what_the_definition_says(n, n_channels, min_rows, min_share):
    """For sets of rows L and R: W_L |mean_L|^2 + W_R |mean_R|^2 where rows are centred, in parts of the weight."""
    rng = np.random.default_rng([n, n_channels, min_rows])
    weights = rng.integers(1, 4, n).astype(float)
    y = rng.normal(size=(n, n_channels))
    y -= weights @ y / weights.sum()
    width = 1 if n_channels == 1 else -(-n_channels // 4) * 4
    length = -(-(n_channels + 2) // 4) * 4
    layout = Layout(n_channels, width, n_channels, n_channels + 1, n_channels + 2, length, True, True)
    moments = np.zeros((2 * n, length))
    moments[:n, :n_channels] = weights[:, None] * y
    moments[:n, n_channels], moments[:n, n_channels + 1] = weights, 1.0
    settings = GrowthSettings(min_samples_leaf=min_rows, min_weight_fraction_leaf=min_share)
    targets = encode_targets(read_targets(np.arange(2.0), REGRESSION), np.ones(2), "variance", np.ones(1))
    limits = make_limits(settings, targets, weights.sum(), n, 1)
    gains, sums = np.full(64, np.nan), np.full(64, np.nan)
    highest = run_score_divisions(
        n, layout, limits, moments, list_division_steps(), np.empty(length), moments[:n].sum(axis=0), np.empty(32),
        gains, sums,
    )  # fmt: skip
    expected = {}
    for rows in range(1, (1 << n) - 1):
        left = np.array([rows >> k & 1 for k in range(n)], bool)
        w, v = weights[left].sum(), weights[~left].sum()
        gain = (((weights[left] @ y[left]) ** 2) / w + ((weights[~left] @ y[~left]) ** 2) / v).sum() / (w + v)
        is_allowed = min(left.sum(), n - left.sum()) >= min_rows and min(w, v) >= min_share * (w + v)
        expected[rows] = gain if is_allowed else NO_GAIN
        assert sums[rows] == w
        assert gains[rows] == pytest.approx(expected[rows], rel=1e-9)
    assert highest == pytest.approx(max(expected.values()), rel=1e-9)
    assert gains[(1 << n) - 1] == NO_GAIN
