"""Any table in: one matrix of floats, with the kind and the labels of each input; and what a model remembers of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names
from glade.data.columns import (
    EXACT_INTEGERS,
    NOMINAL,
    NUMERIC,
    ORDINAL,
    Column,
    Labels,
    match_labels,
    read_column,
    read_numbers,
)
from glade.data.frames import INPUT, RawColumn, RawTable, names_as_given, numbered_names, open_table

__all__ = ["NOMINAL", "NUMERIC", "ORDINAL", "Column", "Labels", "Schema", "Table", "read_table"]

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """The inputs, all in one matrix: numbers as they are, labels as their positions, NaN where a value is missing.

    The kinds say how to read a row of the matrix; `column` shows an input with all that is known of it. Made by
    `Table.of`, which finds the extremes.
    """

    values: Doubles  # inputs x rows
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[Labels | None, ...]  # None for numbers
    unused: tuple[Labels, ...]  # per input: categories it declares that no row has
    lowest: Doubles  # per input; NaN where a value is missing
    highest: Doubles

    @classmethod
    def of(
        cls,
        values: Doubles,
        names: tuple[str, ...],
        kinds: tuple[str, ...],
        labels: tuple[Labels | None, ...],
        unused: tuple[Labels, ...],
    ) -> "Table":
        """The table of these values."""
        lowest, highest = values.min(axis=1, initial=np.inf), values.max(axis=1, initial=-np.inf)
        return cls(values, names, kinds, labels, unused, lowest, highest)

    @property
    def n_inputs(self) -> int:
        return len(self.names)

    @property
    def n_rows(self) -> int:
        return self.values.shape[1]

    @property
    def has_missing(self) -> NDArray[np.bool_]:
        """Per input: whether a value is missing."""
        return np.isnan(self.lowest)

    def column(self, j: int) -> Column:
        """A view of one input."""
        return Column(self.names[j], self.kinds[j], self.values[j], self.labels[j], self.unused[j])

    @property
    def columns(self) -> list[Column]:
        """A view of each input."""
        return [self.column(j) for j in range(self.n_inputs)]

    def to_matrix(self) -> Doubles:
        """Rows x inputs, for those who go through the rows one by one: a copy."""
        return np.ascontiguousarray(self.values.T)

    def with_values(self, values: Doubles) -> "Table":
        """The same inputs of other rows."""
        return Table.of(values, self.names, self.kinds, self.labels, self.unused)

    def take(self, rows: NDArray[Any]) -> "Table":
        """The table of these rows (positions or a mask)."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        return self.with_values(self.values.take(places, axis=1))  # unlike an index, this keeps each input together

    def drop_unused(self) -> "Table":
        """The table without the categories that no row has."""
        if NOMINAL not in self.kinds:
            return self
        columns = [column.drop_unused() for column in self.columns]
        is_same = tuple(column.labels for column in columns) == self.labels
        return self if is_same else _join(columns, self.n_inputs, self.n_rows)


def _join(columns: Iterable[Column], n_inputs: int, n_rows: int) -> Table:
    """Make a table of columns, which may be read one after another: each is copied before the next one is read."""
    values, about = np.empty((n_inputs, n_rows)), []
    for row, column in zip(values, columns, strict=True):
        row[:] = column.values
        about.append((column.name, column.kind, column.labels, column.unused))
    return Table.of(values, *zip(*about, strict=True))


@dataclass(frozen=True)
class Schema:
    """What a model remembers of its training table, and how it reads another one."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[Labels | None, ...]
    has_missing: tuple[bool, ...]
    unused: tuple[Labels, ...] = ()  # per input: categories that no training row has

    @classmethod
    def of(cls, table: Table) -> "Schema":
        return cls(table.names, table.kinds, table.labels, tuple(table.has_missing.tolist()), table.unused)

    def check_columns(self, X: Any) -> None:
        """Refuse a table of other inputs; columns without names are taken in order."""
        raw = open_table(X)
        given, n_given = names_as_given(raw.native), len(raw.names)
        is_named = given and self.names != numbered_names(len(self.names), INPUT)
        if n_given != len(self.names) or (is_named and tuple(map(str, given)) != self.names):
            found = list_names(given) if given else f"{n_given} columns"
            raise ValueError(
                f"X has {found}, but the training table had {list_names(self.names)}: give these columns, in this order"
            )

    def encode(self, X: Any) -> Doubles:
        """Rows x inputs as floats: numbers, or positions of labels; missing and unseen are NaN."""
        raw = replace(open_table(X), names=self.names)
        if all(kind == NUMERIC for kind in self.kinds) and raw.holds_numbers:
            matrix = np.ascontiguousarray(raw.to_doubles())
            _check_numbers(raw, matrix, matrix.min(initial=0.0), matrix.max(initial=0.0))
            return matrix
        columns = raw.list_columns()
        matrix = np.empty((len(columns[0]), len(columns)))
        for j, column in enumerate(columns):
            matrix[:, j] = self._encode_column(j, column)
        return matrix

    def _encode_column(self, j: int, raw: RawColumn) -> Doubles | float:
        labels = self.labels[j]
        if labels is None:
            return read_numbers(raw)
        unused = self.unused[j] if self.unused else ()
        return match_labels(raw, labels, unused) if labels else np.nan  # nothing was known of it: it is not looked at


def read_table(X: Any) -> Table:
    """Read the inputs of a training table and find the kind of each column."""
    raw = open_table(X)
    if not raw.holds_numbers:
        columns = raw.list_columns()
        return _join(map(read_column, columns), len(columns), len(columns[0]))
    table = read_numbers_at_once(raw)
    if raw.is_array or not table.has_missing.any():
        return table
    kinds, labels = list(table.kinds), list(table.labels)
    for j in np.flatnonzero(table.has_missing):
        if table.column(int(j)).has_no_value:
            kinds[j], labels[j] = NOMINAL, ()
    return replace(table, kinds=tuple(kinds), labels=tuple(labels))


def read_numbers_at_once(raw: RawTable) -> Table:
    """Read a table that holds numbers: all inputs are numeric."""
    n = len(raw.names)
    table = Table.of(np.ascontiguousarray(raw.to_doubles().T), raw.names, (NUMERIC,) * n, (None,) * n, ((),) * n)
    _check_numbers(raw, table.values, table.lowest.min(initial=0.0), table.highest.max(initial=0.0))
    return table


def _check_numbers(raw: RawTable, values: Doubles, lowest: float, highest: float) -> None:
    """Let `read_numbers` say what is wrong with a column, if the extremes of all values do not say that nothing is."""
    if max(highest, -lowest) < EXACT_INTEGERS:
        return
    if (values >= EXACT_INTEGERS).any() or (values <= -EXACT_INTEGERS).any():
        for column in raw.list_columns():
            read_numbers(column)
