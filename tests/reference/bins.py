"""The codes of a numeric input, the obvious way: sort, find where each bin starts, look each value up."""

import numpy as np

COARSE_ROWS, FINE_SHARE, FINE_ALIKE = 16, 8, 4


def find_bin_edges(total, unit, max_bins):
    """Where bins end on a line of so many rows: all alike, but for fine ones at the ends.

    >>> find_bin_edges(12.0, 1.0, 3).tolist()
    [4.0, 8.0]
    >>> find_bin_edges(1_000.0, 1.0, 24).tolist()[:5]
    [1.0, 2.0, 3.0, 58.22222222222222, 113.44444444444444]
    """
    share = total / max_bins
    n_fine = max_bins // FINE_SHARE if share >= COARSE_ROWS * unit else 0
    sizes = unit * 2.0 ** (np.arange(n_fine) // FINE_ALIKE)
    ends = np.cumsum(sizes[sizes < share])
    left = ends[-1] if len(ends) else 0.0
    inner = np.linspace(left, total - left, max_bins - 2 * len(ends) + 1)[1:-1]
    return np.concatenate((ends, inner, total - ends[::-1]))


def choose_bins(mass, max_bins):
    """The bin of each distinct value, given by weight. One heavier than a bin's share counts as one share."""
    share, n_lighter = mass.sum() / max_bins, len(mass)
    while len(lighter := mass[mass <= share]) not in (0, n_lighter):
        n_lighter = len(lighter)
        share = lighter.sum() / (max_bins - len(mass) + n_lighter)
    counted = np.minimum(mass, share)
    end = np.cumsum(counted)
    return np.searchsorted(find_bin_edges(end[-1], counted.mean(), max_bins), end - counted / 2, side="right")


def start_bins(ordered, mass, max_bins):
    """Where in the ordered values each bin starts."""
    first = np.searchsorted(ordered, np.unique(ordered))
    if max_bins is None or len(first) <= max_bins:
        return first
    if (mass == 1).all():
        edges = np.append(0, find_bin_edges(len(ordered), 1.0, max_bins).astype(int))
        starts = np.searchsorted(ordered, ordered[edges])
        if (np.diff(starts) > 0).all():
            return starts
    bins = choose_bins(np.add.reduceat(mass, first), max_bins)
    return first[np.append(True, np.diff(bins) > 0)]


def code_slowly(values, weights, max_bins):
    """Codes, and the lowest and highest value of each."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    ordered = values[order]
    starts = start_bins(ordered, weights[order], max_bins)
    low, high = ordered[starts], ordered[np.append(starts[1:], len(ordered)) - 1]
    codes = np.where(np.isnan(values), len(low), np.searchsorted(low, values, side="right") - 1)
    return codes, low, high
