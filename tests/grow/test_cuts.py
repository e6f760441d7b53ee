"""Cuts scored four at a time: equal to one after another, for any number of them."""

import numba
import numpy as np
import pytest

from glade.data._order import PLACE_BITS, PLACE_MASK
from glade.grow._cuts import NO_GAIN, score_singles, score_squares, square_sums


@numba.njit
def score(keys, n, first, rows, width, n_channels, whole, gains, weights):
    if n_channels == 1:
        return score_singles(keys, n, first, rows, rows.shape[1], whole, gains, weights)
    square_sums(keys, n, PLACE_MASK, first, rows, rows.shape[1], width, n_channels, gains)
    return score_squares(keys, n, first, rows, rows.shape[1], n_channels, whole, gains, weights)


def score_slowly(keys, n, first, rows, n_channels, whole):
    gains, weights, left = np.full(n, NO_GAIN), np.empty(n), first.copy()
    for i in range(n):
        left += rows[keys[i] & PLACE_MASK]
        weights[i] = left[n_channels]
        spread = weights[i] * (whole - weights[i])
        if keys[i] >> PLACE_BITS != keys[i + 1] >> PLACE_BITS and spread > 0:
            gains[i] = np.sum(left[:n_channels] ** 2) / spread
    return gains, weights


@pytest.mark.parametrize("n_channels", [1, 3, 4, 14, 17, 33])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 30])
def test_scores(n, n_channels):
    """Sums, gains and weights of all cuts; nothing behind the room that is asked for is written."""
    rng = np.random.default_rng(n)
    length, width = -(-(n_channels + 1) // 4) * 4, -(-n_channels // 4) * 4
    if n_channels == 1:
        length = width = 2
    rows = np.zeros((n + 1, length))
    rows[:, : n_channels + 1] = rng.normal(size=(n + 1, n_channels + 1))
    rows[:, n_channels] = rng.integers(0, 3, n + 1)  # no weight on a side is no cut
    keys = np.full(n + 5, -1)
    keys[: n + 1] = (np.sort(rng.integers(0, n + 1, n + 1)) << PLACE_BITS) | rng.permutation(n + 1)
    first, whole = np.zeros(length), rows[:, n_channels].sum() + 1.0
    first[: n_channels + 1] = 1.0
    gains, weights = np.full(n + 5, np.nan), np.full(n + 5, np.nan)
    highest = score(keys, n, first, rows, width, n_channels, whole, gains, weights)
    expected = score_slowly(keys, n, first, rows, n_channels, whole)
    np.testing.assert_allclose(gains[:n], expected[0], rtol=1e-12)
    np.testing.assert_allclose(weights[:n], expected[1], rtol=1e-12)
    assert highest == max(gains[:n], default=NO_GAIN)
    assert np.isnan(gains[n + 4])
