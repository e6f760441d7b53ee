"""The sorts of the kernels against NumPy's."""

import numba
import numpy as np
import pytest

from glade.data._order import MAX_DIGIT_BITS, PLACE_BITS, RANK_MAX, radix_sort, sort_keys, sort_places_by


@numba.njit
def run_sort_keys(keys, n, lowest, highest, scratch, counts):
    sort_keys(keys, n, lowest, highest, scratch, counts)


@numba.njit
def run_radix_sort(keys, n, lowest, highest, scratch, counts):
    return radix_sort(keys, n, lowest, highest, scratch, counts)


@numba.njit
def run_sort_places_by(score, keys, n, scratch):
    sort_places_by(score, keys, n, scratch)


def make_keys(codes):
    """Keys in row order: (code, place)."""
    return (codes.astype(np.int64) << PLACE_BITS) | np.arange(len(codes))


def room(n):
    return np.full(n + 3, -7, np.int64), np.empty((1 << MAX_DIGIT_BITS) + 1, np.int64)


CODES = {
    "one value": lambda rng, n: np.full(n, 5),
    "two values": lambda rng, n: rng.integers(0, 2, n),
    "bytes": lambda rng, n: rng.integers(0, 255, n),
    "ranks": lambda rng, n: rng.permutation(n),
    "wide": lambda rng, n: rng.integers(0, 2**31 - 1, n),
    "high": lambda rng, n: 2**31 - 2 - rng.integers(0, 3000, n),
}


@pytest.mark.parametrize("n", [1, 2, 3, RANK_MAX - 1, RANK_MAX, RANK_MAX + 1, 100, 1000, 5000])
@pytest.mark.parametrize("name", CODES)
def test_sort_keys(name, n):
    """Ascending by code, rows of equal code in their own order; what lies behind the keys is not touched."""
    rng = np.random.default_rng([n, *map(ord, name)])
    codes = CODES[name](rng, n)
    keys = np.append(make_keys(codes), [-1, -2, -3])
    scratch, counts = room(n)
    run_sort_keys(keys, n, np.int32(codes.min()), np.int32(codes.max()), scratch, counts)
    np.testing.assert_array_equal(keys[:n], np.sort(make_keys(codes)))
    assert keys[n:].tolist() == [-1, -2, -3]
    assert scratch[n:].tolist() == [-7, -7, -7]


@pytest.mark.parametrize("n", [2, 40, 3000])
@pytest.mark.parametrize("name", CODES)
def test_radix_sort(name, n):
    """The radix sort alone, also for the few keys that the rank sort takes in its place."""
    rng = np.random.default_rng([n, *map(ord, name)])
    codes = CODES[name](rng, n)
    keys = make_keys(codes)
    scratch, counts = room(n)
    in_scratch = run_radix_sort(keys, n, np.int32(codes.min()), np.int32(codes.max()), scratch, counts)
    np.testing.assert_array_equal((scratch if in_scratch else keys)[:n], np.sort(make_keys(codes)))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 64, 65, 1000])
def test_sort_places_by(n):
    """By score, equal scores by code."""
    rng = np.random.default_rng(n)
    codes = rng.permutation(10 * n)[:n]
    score = np.round(rng.normal(size=n), 1)
    keys, scratch = make_keys(codes), np.empty(n, np.int64)
    run_sort_places_by(score, keys, n, scratch)
    np.testing.assert_array_equal(keys, make_keys(codes)[np.lexsort((codes, score))])
