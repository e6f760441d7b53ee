"""Inputs to integer codes, exact or binned: the one form in which trees see them.

A numeric input's code k stands for the values from low[k] to high[k]. Exact coding gives every distinct value a code of
its own (low = high); binned coding gives each of at most `max_bins` quantile bins one. An ordinal or nominal input's
codes are its labels.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.data.decimals import shortest_between
from glade.data.table import NOMINAL, Column, Table
from glade.kernels.layout import CodingRoom, Columns

MAX_BINS = 255  # one byte a cell, the code 255 left for missing values
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
        from glade.kernels.gaps import look_up_cuts

        cuts, is_asked = np.empty(len(inputs)), np.zeros(len(self._known_cuts), np.bool_)
        arguments = (self.columns, inputs, below, above, self._known_cuts, cuts, is_asked)
        if look_up_cuts(*arguments):
            self._word_cuts(np.flatnonzero(is_asked))
            look_up_cuts(*arguments)
        return cuts

    def word_all_cuts(self) -> None:
        """Make every cut there can be, for who will ask for most of them."""
        is_last = np.zeros(len(self.columns.low), bool)
        is_last[self.columns.start[1:][np.diff(self.columns.start) > 0] - 1] = True
        self._word_cuts(np.flatnonzero(~is_last))

    def _word_cuts(self, gaps: NDArray[np.int64]) -> None:
        low, high = self.columns.high[gaps], self.columns.low[gaps + 1]
        self._known_cuts[gaps] = shortest_between(low, high, np.clip(low / 2 + high / 2, low, high))


def _make_room(n_rows: int) -> CodingRoom:
    from glade.kernels.code import HASH_BITS
    from glade.kernels.order import MAX_DIGIT_BITS

    return CodingRoom(
        words=np.empty(n_rows, np.int64),
        scratch=np.empty(n_rows, np.int64),
        counts=np.empty((1 << MAX_DIGIT_BITS) + 1, np.int64),
        ordered=np.empty(n_rows),
        mass=np.empty(n_rows),
        starts=np.empty(n_rows, np.int64),
        edges=np.empty(MAX_BINS),
        seen=np.empty(1 << HASH_BITS, np.uint64),
        number=np.empty(1 << HASH_BITS, np.int32),
        distinct=np.empty(MAX_BINS + 1),
        rank=np.empty(MAX_BINS + 1, np.uint8),
    )


class _Coder:
    """Codes one input after another, in the same memory."""

    def __init__(self, n_inputs: int, n_rows: int, weights: NDArray[np.float64], max_bins: int | None):
        self.narrow = np.empty((n_inputs, n_rows), np.uint8)  # what stays empty of these two takes no memory
        self.wide = np.empty((n_inputs, n_rows), np.int32)
        self.place: list[int] = []
        self.n_narrow, self.n_wide = 0, 0
        self.low: list[NDArray[np.float64]] = []
        self.high: list[NDArray[np.float64]] = []
        self._weights = np.empty(0) if (weights == 1.0).all() else weights
        self._max_bins = 0 if max_bins is None else max_bins
        self._room: CodingRoom | None = None  # made for the first numeric input

    def add(self, column: Column) -> None:
        """Code one more input."""
        narrow, wide = self.narrow[self.n_narrow], self.wide[self.n_wide]
        if column.labels is None:
            low, high = self._code_numbers(column.values, narrow, wide)
        else:
            low = high = np.arange(len(column.labels), dtype=float)
            codes = narrow if len(low) <= MAX_BINS else wide
            codes[:] = np.where(np.isnan(column.values), len(low), column.values)
        self.low.append(low)
        self.high.append(high)
        if len(low) <= MAX_BINS:
            self.place.append(self.n_narrow)
            self.n_narrow += 1
        else:
            self.place.append(-1 - self.n_wide)
            self.n_wide += 1

    def _code_numbers(
        self, values: NDArray[np.float64], narrow: NDArray[np.uint8], wide: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Fill one of the two arrays with codes; give the lowest and highest value of each, the same array if exact."""
        from glade.kernels.code import code_values

        room = self._room = self._room or _make_room(len(values))
        values = read_only(values)
        bits, low, high = values.view(np.uint64), np.empty(len(values)), np.empty(len(values))
        n_codes, is_exact = code_values(values, bits, self._weights, self._max_bins, room, narrow, wide, low, high)
        low = low[:n_codes].copy()
        return low, low if is_exact else high[:n_codes].copy()


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
    coder = _Coder(len(table.columns), table.n_rows, weights, _count_bins(max_bins, table.n_rows, exact_up_to))
    for column in table.columns:
        coder.add(column)
    low, high = coder.low, coder.high
    lowest = np.concatenate(low)
    is_exact = all(a is b for a, b in zip(low, high, strict=True))
    columns = Columns(
        narrow=coder.narrow[: coder.n_narrow],
        wide=coder.wide[: coder.n_wide],
        place=np.array(coder.place, np.int32),
        n_codes=np.array([len(values) for values in low], np.int32),
        nominal=np.array([column.kind == NOMINAL for column in table.columns], np.uint8),
        low=lowest,
        high=lowest if is_exact else np.concatenate(high),
        start=np.cumsum([0, *map(len, low)]),
    )
    return CodedInputs(columns)
