"""Inputs to integer codes, exact or binned: the one form in which trees see them.

A numeric input's code k stands for the values from low[k] to high[k]. Exact coding gives every distinct value a code of
its own (low = high); binned coding gives each of at most `max_bins` quantile bins one. An ordinal or nominal input's
codes are its labels.
"""

import operator
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import join, read_only
from glade.data.coded import CodingRoom, Columns
from glade.data.decimals import shortest_between
from glade.data.table import NOMINAL, Column, Table

MAX_BINS = 255  # one byte a cell, the code 255 left for missing values
AUTO_BINNED_ROWS = 20_000  # "auto" bins above this many rows; docs/decisions.md has the measurement


@dataclass(frozen=True)
class CodedInputs:
    """Coded columns, and what their codes stand for. Threads share them: nothing here changes once it is made."""

    columns: Columns
    cuts: NDArray[np.float64] | None = None  # the cut above each code; None: a cut is made when it is asked for

    @property
    def has_nominal(self) -> bool:
        return bool(self.columns.nominal.any())

    @property
    def low(self) -> list[NDArray[np.float64]]:
        """The lowest value of each code, an array for each input."""
        return np.split(self.columns.low, self.columns.start[1:-1])

    @property
    def high(self) -> list[NDArray[np.float64]]:
        """The highest value of each code."""
        return np.split(self.columns.high, self.columns.start[1:-1])

    def find_cuts(
        self, inputs: NDArray[np.int32], below: NDArray[np.int32], above: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the values at which numeric splits between the codes `below` and `above` cut.

        The midpoint of the two codes lies between two neighbouring values of the training table; the cut is the
        shortest decimal that separates these, near their midpoint.
        """
        from glade.data._gaps import find_gaps

        gaps, known = np.empty(len(inputs), np.int64), self.cuts
        if known is None and len(gaps) > len(self.columns.low):  # splits of a multi-tree share many cuts
            known = self._make_all_cuts()
        find_gaps(self.columns, inputs, below, above, gaps)
        return self._make_cuts(gaps) if known is None else known[gaps]

    def with_all_cuts(self) -> "CodedInputs":
        """The same inputs with every cut there can be, for trees that will ask for most of them."""
        return replace(self, cuts=read_only(self._make_all_cuts()))

    def _make_all_cuts(self) -> NDArray[np.float64]:
        """The cut above each code, NaN above the last one of an input."""
        is_last = np.zeros(len(self.columns.low), bool)
        is_last[self.columns.start[1:][np.diff(self.columns.start) > 0] - 1] = True
        cuts, gaps = np.full(len(is_last), np.nan), np.flatnonzero(~is_last)
        cuts[gaps] = self._make_cuts(gaps)
        return cuts

    def _make_cuts(self, gaps: NDArray[np.int64]) -> NDArray[np.float64]:
        """The cuts above these codes, counted over all inputs."""
        low, high = self.columns.high[gaps], self.columns.low[gaps + 1]
        return shortest_between(low, high, np.clip(low / 2 + high / 2, low, high))


def _make_room(n_rows: int) -> CodingRoom:
    from glade.data._code import HASH_BITS
    from glade.data._order import MAX_DIGIT_BITS

    return CodingRoom(
        words=np.empty(n_rows, np.int64),
        scratch=np.empty(n_rows, np.int64),
        counts=np.empty(2 << MAX_DIGIT_BITS, np.int64),
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
    """Codes some inputs after others, in the same memory."""

    def __init__(self, n_inputs: int, n_rows: int, weights: NDArray[np.float64], max_bins: int | None):
        self.narrow = np.empty((n_inputs, n_rows), np.uint8)  # what stays empty of these two takes no memory
        self.wide = np.empty((n_inputs, n_rows), np.int32)
        self.n_narrow, self.n_wide = 0, 0
        self.n_codes: list[int] = []
        self.low: list[NDArray[np.float64]] = []  # of the inputs one after another
        self.high: list[NDArray[np.float64]] = []
        self._weights = np.empty(0) if (weights == 1.0).all() else weights
        self._max_bins = 0 if max_bins is None else max_bins
        self._room: CodingRoom | None = None  # made for the first numeric input

    def add_labels(self, column: Column) -> None:
        """Code one more input, of labels."""
        positions = np.arange(len(column.labels or ()), dtype=float)
        codes = self.narrow[self.n_narrow] if len(positions) <= MAX_BINS else self.wide[self.n_wide]
        codes[:] = np.where(np.isnan(column.values), len(positions), column.values)
        self._take_up([len(positions)], positions, positions)

    def add_numbers(self, values: NDArray[np.float64]) -> None:
        """Code more inputs, of numbers: a row each."""
        from glade.data._code import code_values

        (n_inputs, n_rows), values = values.shape, read_only(values)
        room = self._room = self._room or _make_room(n_rows)
        most = n_inputs * min(n_rows, self._max_bins or n_rows)
        low, high = np.empty(most), np.empty(most if self._max_bins else 0)
        n_codes = np.empty(n_inputs, np.int64)
        code_values(
            values, values.view(np.uint64), self._weights, self._max_bins, room, self.narrow[self.n_narrow :],
            self.wide[self.n_wide :], low, high, n_codes,
        )  # fmt: skip
        n = int(n_codes.sum())
        low = low[:n].copy() if 2 * n < most else low[:n]
        self._take_up(n_codes.tolist(), low, high[:n].copy() if self._max_bins else low)

    def _take_up(self, n_codes: list[int], low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        n_narrow = sum(n <= MAX_BINS for n in n_codes)
        self.n_narrow += n_narrow
        self.n_wide += len(n_codes) - n_narrow
        self.n_codes += n_codes
        self.low.append(low)
        self.high.append(high)


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
    if table.numbers is not None:
        coder.add_numbers(table.numbers)
    for column in table.columns if table.numbers is None else ():
        if column.labels is None:
            coder.add_numbers(column.values[None])
        else:
            coder.add_labels(column)
    is_exact, low = all(map(operator.is_, coder.low, coder.high)), join(coder.low)
    columns = Columns(
        narrow=coder.narrow[: coder.n_narrow],
        wide=coder.wide[: coder.n_wide],
        place=np.array(_list_places(coder.n_codes), np.int32),
        n_codes=np.array(coder.n_codes, np.int32),
        nominal=np.array([column.kind == NOMINAL for column in table.columns], np.uint8),
        low=low,
        high=low if is_exact else join(coder.high),
        start=np.array([0, *accumulate(coder.n_codes)]),
    )
    return CodedInputs(columns)


def _list_places(n_codes: list[int]) -> list[int]:
    """Where each input is: its row among the narrow ones, or -1 - its row among the wide ones.

    >>> _list_places([2, 300, 255, 400])
    [0, -1, 1, -2]
    """
    n_narrow, places = 0, []
    for j, n in enumerate(n_codes):
        is_narrow = n <= MAX_BINS
        places.append(n_narrow if is_narrow else n_narrow - j - 1)
        n_narrow += is_narrow
    return places
