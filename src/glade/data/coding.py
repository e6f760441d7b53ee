"""Inputs to integer codes, exact or binned: the one form in which trees see them.

A numeric input's code k stands for the values from low[k] to high[k]. Exact coding gives every distinct value a code of
its own (low = high); binned coding gives each of at most `max_bins` quantile bins one. An ordinal or nominal input's
codes are its labels.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from glade.data.decimals import shortest_between
from glade.data.table import NOMINAL, Table
from glade.kernels.layout import Columns

MAX_BINS = 255  # one byte a cell, the code 255 left for missing values
GRID_BITS = 12  # of the cells in which a value's code is looked up, at least
COARSE_ROWS = 16  # bins of so many rows or more are coarse: the ends of the input get finer ones
FINE_SHARE = 8  # of so many bins one at most, at either end
FINE_ALIKE = 4  # fine bins of one size, before the next ones are twice as large
AUTO_BINNED_ROWS = 20_000  # "auto" bins above this many rows; docs/decisions.md has the measurement


@dataclass(frozen=True)
class CodedInputs:
    """Coded columns, and what their codes stand for."""

    columns: Columns

    @property
    def low(self) -> list[NDArray[np.float64]]:
        """The lowest value of each code, an array for each input."""
        return np.split(self.columns.low, self.columns.start[1:-1])

    @property
    def high(self) -> list[NDArray[np.float64]]:
        """The highest value of each code."""
        return np.split(self.columns.high, self.columns.start[1:-1])

    @cached_property
    def _known_cuts(self) -> NDArray[np.float64]:
        """The cut above each code, NaN until it is asked for: the trees of a forest share most of their cuts."""
        return np.full(len(self.columns.low), np.nan)

    def find_cuts(
        self, inputs: NDArray[np.int32], below: NDArray[np.int32], above: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values at which splits between the codes `below` and `above` cut; NaN for a nominal input.

        The midpoint of the two codes lies between two neighbouring values of the training table; the cut is the
        shortest decimal that separates these, near their midpoint. A cut above all known values is infinite: the test
        "is missing".
        """
        from glade.kernels.gaps import find_gaps

        gaps = np.empty(len(inputs), np.int64)
        find_gaps(self.columns, inputs, below, above, gaps)
        between = np.flatnonzero(gaps >= 0)
        cuts = np.where(self.columns.nominal[inputs] == 1, np.nan, np.inf)
        cuts[between] = self._known_cuts[gaps[between]]
        unknown = between[np.isnan(cuts[between])]
        if len(unknown):
            self._word_cuts(np.unique(gaps[unknown]))
            cuts[unknown] = self._known_cuts[gaps[unknown]]
        return cuts

    def word_all_cuts(self) -> None:
        """Make every cut there can be, for who will ask for most of them."""
        is_last = np.zeros(len(self.columns.low), bool)
        is_last[self.columns.start[1:][np.diff(self.columns.start) > 0] - 1] = True
        self._word_cuts(np.flatnonzero(~is_last))

    def _word_cuts(self, gaps: NDArray[np.int64]) -> None:
        low, high = self.columns.high[gaps], self.columns.low[gaps + 1]
        self._known_cuts[gaps] = shortest_between(low, high, np.clip(low / 2 + high / 2, low, high))


@lru_cache(maxsize=16)  # inputs without common values have the same
def find_bin_edges(total: float, unit: float, max_bins: int) -> NDArray[np.float64]:
    """Where one bin ends and the next begins, on a line of so many rows: all bins alike, but for fine ones at the ends.

    The best cut of an input that says nothing splits off a few rows: it leaves the others together, for the inputs that
    do say something. Coarse bins at the ends would make it waste them.

    Parameters
    ----------
    total, unit
        The length of the line, and that of one row.
    max_bins
        How many bins.

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
    edges = np.concatenate((ends, inner, total - ends[::-1]))
    edges.flags.writeable = False  # remembered
    return edges


def choose_bins(weights: NDArray[np.float64], max_bins: int) -> NDArray[np.int64]:
    """The bin of each distinct value: ascending, as `find_bin_edges` has it. The values ascend and are given by weight.

    A value heavier than a bin's share counts as one share, so that a column of many zeros keeps its bins for the rest.
    """
    share, n_lighter = weights.sum() / max_bins, len(weights)
    while len(lighter := weights[weights <= share]) not in (0, n_lighter):  # each heavy value lowers the others' share
        n_lighter = len(lighter)
        share = lighter.sum() / (max_bins - len(weights) + n_lighter)
    counted = np.minimum(weights, share)
    end = np.cumsum(counted)
    return np.searchsorted(find_bin_edges(end[-1], counted.mean(), max_bins), end - counted / 2, side="right")


class _Sorter:
    """Sorts one input after another in the same memory."""

    def __init__(self, n_rows: int):
        self._scratch, self._ordered = np.empty(n_rows, np.uint64), np.empty(n_rows)

    def sort(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The known values, ascending; to be used before the next call."""
        from glade.kernels.code import DIGIT_BITS, N_DIGITS, sort_values

        counts = np.zeros((N_DIGITS, 1 << DIGIT_BITS), np.uint32)
        n_known = sort_values(values.view(np.uint64), counts, self._scratch, self._ordered.view(np.uint64))
        return self._ordered[:n_known]


def _find_ranges(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, max_bins: int | None, sorter: _Sorter
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest and highest value of each code of a numeric input. No weights: every row counts as one."""
    if weights is None:
        ordered, mass = sorter.sort(values), None
    else:
        known = np.flatnonzero(~np.isnan(values))
        known = known[np.argsort(values[known], kind="stable")]
        ordered, mass = values[known], weights[known]
    start = None
    if mass is None and max_bins is not None and len(ordered) > max_bins:
        start = _find_starts(ordered, max_bins)
    if start is None:
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
        if max_bins is None or len(first) <= max_bins:
            return (ordered[first],) * 2
        counts = np.diff(np.append(first, len(ordered))) if mass is None else np.add.reduceat(mass, first)
        bins = choose_bins(counts, max_bins)
        start = first[np.flatnonzero(np.append(True, bins[1:] != bins[:-1]))]
    return ordered[start], ordered[np.append(start[1:], len(ordered)) - 1]


def _find_starts(ordered: NDArray[np.float64], max_bins: int) -> NDArray[np.int64] | None:
    """Where the bins of rows start, moved to the first row of an equal value; None if two then coincide.

    The same bins as `choose_bins` makes where no value is common, up to rounding, without a pass over all values.
    """
    first = np.append(0, find_bin_edges(len(ordered), 1.0, max_bins).astype(np.int64))
    start = np.searchsorted(ordered, ordered[first], side="left")
    return start if (np.diff(start) > 0).all() else None


def _assign_codes(values: NDArray[np.float64], low: NDArray[np.float64], codes: NDArray[np.int32]) -> None:
    """Fill `codes` with the code of each value, len(low) for NaN."""
    from glade.kernels.code import assign_codes

    if len(low) == 0:
        codes[:] = 0
        return
    n_cells = 1 << max(GRID_BITS, (2 * len(low)).bit_length())
    assign_codes(values, values.view(np.int64), low, low.view(np.int64), np.zeros(n_cells + 1, np.int64), codes)


def _count_bins(max_bins: int | str | None, n_rows: int, exact_up_to: int) -> int | None:
    if isinstance(max_bins, str):  # "auto"
        return MAX_BINS if n_rows > exact_up_to else None
    return max_bins


def code_inputs(
    table: Table, weights: NDArray[np.float64], max_bins: int | str | None, exact_up_to: int = AUTO_BINNED_ROWS
) -> CodedInputs:
    """Code every input of the table.

    Parameters
    ----------
    table
        The inputs.
    weights
        Row weights, for the bins.
    max_bins
        None for exact coding, a number of bins (at most 255), or "auto".
    exact_up_to
        The number of rows above which "auto" is binned.
    """
    most = _count_bins(max_bins, table.n_rows, exact_up_to)
    bin_weights = None if (weights == 1.0).all() else weights
    low: list[NDArray[np.float64]] = []
    high: list[NDArray[np.float64]] = []
    n_inputs = len(table.columns)
    place = np.empty(n_inputs, np.int32)
    narrow = np.empty((n_inputs, table.n_rows), np.uint8)  # what stays empty of these two takes no memory
    wide = np.empty((n_inputs, table.n_rows), np.int32)
    n_narrow, sorter = 0, _Sorter(table.n_rows)
    for j, column in enumerate(table.columns):
        if column.labels is None:
            ranges = _find_ranges(column.values, bin_weights, most, sorter)
        else:
            ranges = (np.arange(len(column.labels), dtype=float),) * 2
        low.append(ranges[0])
        high.append(ranges[1])
        n_wide = j - n_narrow
        _assign_codes(column.values, ranges[0], wide[n_wide])
        place[j] = -1 - n_wide
        if len(ranges[0]) <= MAX_BINS:
            narrow[n_narrow] = wide[n_wide]
            place[j] = n_narrow
            n_narrow += 1
    lowest = np.concatenate(low)
    is_exact = all(a is b for a, b in zip(low, high, strict=True))
    columns = Columns(
        narrow=narrow[:n_narrow],
        wide=wide[: n_inputs - n_narrow],
        place=place,
        n_codes=np.array([len(values) for values in low], np.int32),
        nominal=np.array([column.kind == NOMINAL for column in table.columns], np.uint8),
        low=lowest,
        high=lowest if is_exact else np.concatenate(high),
        start=np.cumsum([0, *map(len, low)]),
    )
    return CodedInputs(columns)
