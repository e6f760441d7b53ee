"""Inputs to integer codes, exact or binned: the one form in which trees see them.

There are two verbs. `find_edges` divides the values of each numeric input into ranges: exact edges give every distinct
value a code of its own, binned ones make at most `max_bins` quantile bins, and edges can be given. `apply_edges` looks
up in which range each value of a table lies, which may be another table than the edges were found in. `code_inputs`
does both in a row. An ordinal or nominal input's codes are its labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import join, read_only
from glade.core.names import quote_name
from glade.data.coded import CodedColumns
from glade.data.decimals import shortest_between
from glade.data.table import NOMINAL, Table

MAX_BINS = 255  # one byte a cell, the code 255 left for missing values
NO_NARROW_CODES, NO_WIDE_CODES, NO_WEIGHTS = np.empty(0, np.uint8), np.empty(0, np.int32), np.empty(0)
AUTO_BINNED_ROWS = 20_000  # "auto" bins above this many rows; docs/dev/decisions.md has the measurement

Doubles = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Edges:
    """How the values of each input are divided into codes.

    Code k of an input stands for the values from low[k] to high[k]. Between the ranges of two neighbouring codes lies a
    cut, the shortest decimal v with high[k] <= v < low[k + 1]: a value up to v has code k or a lower one. Where edges
    were given, the ranges touch, and the cut is the given edge itself. So the codes of any values are those that
    ``np.searchsorted(cuts, values)`` returns; values beyond all cuts have the first code or the last.
    """

    low: Doubles  # of each code, all inputs one after another
    high: Doubles
    start: NDArray[np.int64]  # per input: its first place in `low` and `high`; one more for the end
    cuts: Doubles | None = None  # the cut above each code, NaN above the last of an input; None: made when asked for

    @property
    def n_codes(self) -> NDArray[np.int64]:
        """The number of codes of each input."""
        return np.diff(self.start)

    def codes_of(self, j: int) -> slice:
        """Where the codes of one input are."""
        return slice(int(self.start[j]), int(self.start[j + 1]))

    def cuts_of(self, j: int) -> Doubles:
        """The cuts of one input, one less than it has codes."""
        own = self.codes_of(j)
        gaps = np.arange(own.start, max(own.stop - 1, own.start))
        return self.make_cuts(gaps)

    def make_cuts(self, gaps: NDArray[np.int64]) -> Doubles:
        """The cuts above these codes, counted over all inputs; none of them is the last of its input."""
        if self.cuts is not None:
            return self.cuts[gaps]
        low, high = self.high[gaps], self.low[gaps + 1]
        return shortest_between(low, high, np.clip(low / 2 + high / 2, low, high))

    def with_all_cuts(self) -> "Edges":
        """The same edges with every cut made, for those who will ask for most of them."""
        is_last = np.zeros(len(self.low), bool)
        is_last[self.start[1:][self.n_codes > 0] - 1] = True
        cuts, gaps = np.full(len(is_last), np.nan), np.flatnonzero(~is_last)
        cuts[gaps] = self.make_cuts(gaps)
        return replace(self, cuts=read_only(cuts))


@dataclass(frozen=True)
class CodedInputs:
    """Coded columns, and what their codes stand for. Threads share them: nothing here changes once it is made."""

    columns: CodedColumns
    edges: Edges

    @property
    def has_nominal(self) -> bool:
        return bool(self.columns.nominal.any())

    @property
    def low(self) -> list[Doubles]:
        """The lowest value of each code, an array for each input."""
        return np.split(self.edges.low, self.edges.start[1:-1])

    @property
    def high(self) -> list[Doubles]:
        """The highest value of each code."""
        return np.split(self.edges.high, self.edges.start[1:-1])

    def find_cuts(self, inputs: NDArray[np.int32], below: NDArray[np.int32], above: NDArray[np.int32]) -> Doubles:
        """Return the values at which numeric splits between the codes `below` and `above` cut.

        The midpoint of the two codes lies between two neighbouring codes of the training table, whose cut it is.
        """
        from glade.data._gaps import find_gaps

        gaps, edges = np.empty(len(inputs), np.int64), self.edges
        if edges.cuts is None and len(gaps) > len(edges.low):  # splits of a multi-tree share many cuts
            edges = edges.with_all_cuts()
        find_gaps(self.columns, inputs, below, above, gaps)
        return edges.make_cuts(gaps)

    def with_all_cuts(self) -> "CodedInputs":
        """The same inputs with every cut there can be, for trees that will ask for most of them."""
        return replace(self, edges=self.edges.with_all_cuts())


class _Ordered(NamedTuple):
    """The distinct values of a numeric input, and their rows, in ascending order.

    What a sorter returns is good until it sorts again.
    """

    values: Doubles  # distinct
    starts: Places  # where the rows of each value begin, and the number of rows at the end
    rows: Places  # those in which the value is known

    def find_codes(self, weights: Doubles | None, max_bins: int | None) -> Places | None:
        """With which value each code begins, by the values' numbers, and the number of values at the end.

        None stands for exact codes, which begin with each value. Without weights the rows count alike.
        """
        if max_bins is None or len(self.values) <= max_bins:
            return None
        first = self._start_bins(NO_WEIGHTS if weights is None else self._sum_weights(weights), max_bins)
        # Where a bin of rows would be empty, since values are common, bins are made of the values instead.
        return first if len(first) > 1 else self._start_bins(np.diff(self.starts).astype(np.float64), max_bins)

    def _start_bins(self, mass: Doubles, max_bins: int) -> Places:
        from glade.data._bins import start_bins

        first = np.empty(max_bins + 1, np.int64)
        n_bins = start_bins(self.starts, mass, max_bins, np.empty(max_bins), first)
        return first[: n_bins + 1]

    def _sum_weights(self, weights: Doubles) -> Doubles:
        """The weight of each value, summed in the order in which the rows came."""
        codes = np.empty(len(weights), np.int32)
        self.write_codes(None, codes)
        mass: NDArray[Any] = np.bincount(codes, weights, len(self.starts))
        return mass[:-1]

    def find_ranges(self, first: Places | None) -> tuple[Doubles, Doubles]:
        """The lowest and the highest value of each code, by the values with which codes begin."""
        if first is None:
            values = self.values.copy()
            return values, values
        return self.values[first[:-1]], self.values[first[1:] - 1]

    def look_up(self, edges: Edges, j: int) -> Places:
        """With which value each code of input j begins, and the number of values at the end.

        A code without values begins where the next one does. Values within the ranges need no cuts to be told apart,
        only others, of another table than that of the edges.
        """
        own, n = edges.codes_of(j), len(self.values)
        if own.start == own.stop:  # nothing was known of this input: all its values are as good as missing
            return np.full(1, n)
        first = np.searchsorted(self.values, edges.high[own][:-1], side="right")
        has_values = np.diff(first, append=n) > 0
        if (self.values[first[has_values]] < edges.low[own][1:][has_values]).any():
            first = np.searchsorted(self.values, edges.cuts_of(j), side="right")
        return np.concatenate(([0], first, [n]))

    def write_codes(self, first: Places | None, codes: NDArray[Any]) -> None:
        """Fill `codes`, of one byte or of four: the rows of unknown values have the code after the last."""
        from glade.data._code import write_codes

        starts = self.starts if first is None else self.starts[first]
        if codes.dtype == np.uint8:
            write_codes(self.rows, starts, codes, NO_WIDE_CODES)
        else:
            write_codes(self.rows, starts, NO_NARROW_CODES, codes)


class _Sorter:
    """Sorts one input of a table after another, in the same memory."""

    def __init__(self, table: Table):
        self._table = table
        self._values, self._starts = np.empty(table.n_rows), np.empty(table.n_rows + 1, np.int64)

    def sort(self, j: int) -> _Ordered:
        """The known values of an input in order."""
        from glade.data._code import find_distinct

        values = self._table.values[j]
        if np.isnan(self._table.lowest[j]):  # NumPy sorts several times faster without NaN
            known = np.flatnonzero(values == values)
            rows = known.take(np.argsort(values.take(known, out=self._values[: len(known)], mode="clip")))
        else:
            rows = np.argsort(values)
        n = find_distinct(read_only(values), rows, self._values, self._starts)
        return _Ordered(self._values[:n], self._starts[: n + 1], rows)


class _CodeWriter:
    """Writes the codes of one input after another: in bytes where these do."""

    def __init__(self, table: Table):
        self._table = table
        self._narrow = np.empty((table.n_inputs, table.n_rows), np.uint8)  # what stays empty of these takes no memory
        self._wide = np.empty((table.n_inputs, table.n_rows), np.int32)
        self._place: list[int] = []
        self._n_narrow = 0

    def write_labels(self, j: int) -> None:
        """The codes of an input of labels; a missing cell has the code after the last."""
        n_codes, values = len(self._table.labels[j] or ()), self._table.values[j]
        self._add(n_codes)[:] = np.where(np.isnan(values), n_codes, values)

    def write_numbers(self, ordered: _Ordered, first: Places | None) -> None:
        """The codes of a numeric input, by the values with which they begin (None: with each of them)."""
        ordered.write_codes(first, self._add(len(ordered.values) if first is None else len(first) - 1))

    def _add(self, n_codes: int) -> NDArray[Any]:
        """The memory for the codes of one more input."""
        if n_codes <= MAX_BINS:
            self._place.append(self._n_narrow)
            self._n_narrow += 1
            return self._narrow[self._n_narrow - 1]
        n_wide = len(self._place) - self._n_narrow
        self._place.append(-1 - n_wide)
        return self._wide[n_wide]

    def finish(self, edges: Edges) -> CodedInputs:
        """All inputs, coded by these edges."""
        columns = CodedColumns(
            narrow=self._narrow[: self._n_narrow],
            wide=self._wide[: len(self._place) - self._n_narrow],
            place=np.array(self._place, np.int32),
            n_codes=edges.n_codes.astype(np.int32),
            nominal=np.array([kind == NOMINAL for kind in self._table.kinds], np.uint8),
            low=edges.low,
            high=edges.high,
            start=edges.start,
        )
        return CodedInputs(columns, edges)


def find_edges(
    table: Table,
    weights: Doubles,
    max_bins: int | None,
    given: Mapping[int, Sequence[float] | Doubles] | None = None,
) -> Edges:
    """Find how to divide the values of each numeric input into codes.

    Parameters
    ----------
    table
        The inputs.
    weights
        Row weights, for the bins.
    max_bins
        None for exact codes, or a number of quantile bins, at most 255.
    given
        For the numbers of some inputs, edges to divide them at instead, in any order: a value up to an edge and one
        above it have different codes.

    Returns
    -------
    Edges
        Those of nominal and ordinal inputs have a code for each label.

    Examples
    --------
    >>> from glade.data.table import read_table
    >>> table = read_table(np.array([[18.0], [22.0], [30.0], [66.0]]))
    >>> find_edges(table, np.ones(4), None).cuts_of(0).tolist()
    [20.0, 26.0, 50.0]
    >>> find_edges(table, np.ones(4), None, given={0: [20, 40]}).cuts_of(0).tolist()
    [20.0, 40.0]
    """
    given, parts = given or {}, []
    own_weights, sorter = _keep_unequal(weights), _Sorter(table)
    for j, labels in enumerate(table.labels):
        if labels is not None:
            parts.append(_number_labels(table, j))
        elif j in given:
            parts.append(_read_given(table, j, given[j]))
        else:
            ordered = sorter.sort(j)
            parts.append(ordered.find_ranges(ordered.find_codes(own_weights, max_bins)))
    unknown = [j for j in given if not 0 <= j < table.n_inputs or table.labels[j] is not None]
    if unknown:
        raise ValueError(f"edges are given for {unknown}, which are numbers of no numeric input")
    return _join_ranges(parts)


def apply_edges(table: Table, edges: Edges) -> CodedInputs:
    """Code every input of a table by these edges, which another table may have been asked for.

    Parameters
    ----------
    table
        The inputs, of the same kinds and labels as those of the edges.
    edges
        See `find_edges`.
    """
    n_labels = [None if labels is None else len(labels) for labels in table.labels]
    found = edges.n_codes.tolist()
    if len(found) != len(n_labels) or any(n is not None and n != k for n, k in zip(n_labels, found, strict=True)):
        raise ValueError("the edges are those of a table with other inputs, or other labels")
    writer, sorter = _CodeWriter(table), _Sorter(table)
    for j, labels in enumerate(table.labels):
        if labels is not None:
            writer.write_labels(j)
        else:
            ordered = sorter.sort(j)
            writer.write_numbers(ordered, ordered.look_up(edges, j))
    return writer.finish(edges)


def code_inputs(
    table: Table, weights: Doubles, max_bins: int | str | None, exact_up_to: int = AUTO_BINNED_ROWS
) -> CodedInputs:
    """Code every input of the table by its own edges: `find_edges` and `apply_edges`, with values sorted once.

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
    n_bins = _count_bins(max_bins, table.n_rows, exact_up_to)
    writer, sorter, parts, own_weights = _CodeWriter(table), _Sorter(table), [], _keep_unequal(weights)
    for j, labels in enumerate(table.labels):
        if labels is not None:
            parts.append(_number_labels(table, j))
            writer.write_labels(j)
        else:
            ordered = sorter.sort(j)
            first = ordered.find_codes(own_weights, n_bins)
            parts.append(ordered.find_ranges(first))
            writer.write_numbers(ordered, first)
    return writer.finish(_join_ranges(parts))


def _count_bins(max_bins: int | str | None, n_rows: int, exact_up_to: int) -> int | None:
    if isinstance(max_bins, str):  # "auto"
        return MAX_BINS if n_rows > exact_up_to else None
    return max_bins


def _keep_unequal(weights: Doubles) -> Doubles | None:
    """The weights, or None where all rows count alike."""
    return None if (weights == 1.0).all() else weights


def _number_labels(table: Table, j: int) -> tuple[Doubles, Doubles]:
    """The ranges of an input of labels: each code is the position of one."""
    positions = np.arange(len(table.labels[j] or ()), dtype=np.float64)
    return positions, positions


def _read_given(table: Table, j: int, given: Sequence[float] | Doubles) -> tuple[Doubles, Doubles]:
    """The ranges between given edges, which touch; the outer ones reach to the extremes of the table."""
    edges = np.unique(np.asarray(given, np.float64) + 0.0)
    if not np.isfinite(edges).all():
        raise ValueError(f"the edges given for input {quote_name(table.names[j])} are not all finite numbers")
    known = table.values[j][~np.isnan(table.values[j])]
    if not len(known) and not len(edges):  # nothing is known of it, and nothing is asked
        return edges, edges
    lowest, highest = (extreme(np.append(known, edges)) for extreme in (np.min, np.max))
    return np.append(lowest, edges), np.append(edges, highest)


def _join_ranges(parts: list[tuple[Doubles, Doubles]]) -> Edges:
    """The ranges of all inputs, one input after another."""
    start = np.array([0, *accumulate(len(low) for low, _ in parts)])
    low = join([low for low, _ in parts])
    is_exact = all(low is high for low, high in parts)
    return Edges(low, low if is_exact else join([high for _, high in parts]), start)
