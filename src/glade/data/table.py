"""Any table in: columns of floats, each with its kind, and what a model remembers of them."""

from dataclasses import dataclass
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
    refuse_infinite,
    warn_if_inexact,
)
from glade.data.frames import (
    INPUT,
    RawColumn,
    column_at,
    has_long_integers,
    holds_numbers,
    list_columns,
    name_columns,
    names_as_given,
    numbered_names,
    to_table,
)

__all__ = ["NOMINAL", "NUMERIC", "ORDINAL", "Column", "Labels", "Schema", "Table", "read_table"]


@dataclass(frozen=True)
class Table:
    """Columns of the same length."""

    columns: list[Column]
    n_rows: int
    numbers: NDArray[np.float64] | None = None  # inputs x rows, where all are numbers that were read together

    def take(self, rows: NDArray[Any]) -> "Table":
        """The table of these rows (positions or a mask)."""
        return Table([column.take(rows) for column in self.columns], len(np.arange(self.n_rows)[rows]))

    def drop_unused(self) -> "Table":
        """The table without the categories that no row has."""
        if self.numbers is not None:
            return self
        return Table([column.drop_unused() for column in self.columns], self.n_rows)


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
        about = ((c.name, c.kind, c.labels, c.has_missing, c.unused) for c in table.columns)
        return cls(*zip(*about, strict=True))

    def check_columns(self, X: Any) -> None:
        """Refuse a table of other inputs; columns without names are taken in order."""
        X = to_table(X)
        given, n_given = names_as_given(X), X.shape[1]
        is_named = given and self.names != numbered_names(len(self.names), INPUT)
        if n_given != len(self.names) or (is_named and tuple(map(str, given)) != self.names):
            found = list_names(given) if given else f"{n_given} columns"
            raise ValueError(
                f"X has {found}, but the training table had {list_names(self.names)}: give these columns, in this order"
            )

    def encode(self, X: Any) -> NDArray[np.float64]:
        """Rows x inputs as floats: numbers, or positions of labels; missing and unseen are NaN."""
        X = to_table(X)
        if all(kind == NUMERIC for kind in self.kinds) and holds_numbers(X):
            matrix = np.ascontiguousarray(_to_doubles(X))
            _check_numbers(X, matrix.T, matrix.min(initial=0.0), matrix.max(initial=0.0), self.names)
            return matrix
        columns = list_columns(X)
        matrix = np.empty((len(columns[0]), len(columns)))
        for j, column in enumerate(columns):
            matrix[:, j] = self._encode_column(j, RawColumn(self.names[j], column.values))
        return matrix

    def _encode_column(self, j: int, raw: RawColumn) -> NDArray[np.float64] | float:
        labels = self.labels[j]
        if labels is None:
            return read_numbers(raw)
        unused = self.unused[j] if self.unused else ()
        return match_labels(raw, labels, unused) if labels else np.nan  # nothing was known of it: it is not looked at


def read_table(X: Any) -> Table:
    """Read the inputs of a training table and find the kind of each column."""
    if holds_numbers(X):
        X = to_table(X)
        table = read_numbers_at_once(X)
        if isinstance(X, np.ndarray) or not any(c.has_no_value for c in table.columns):
            return table
        read = [Column(c.name, NOMINAL, c.values, ()) if c.has_no_value else c for c in table.columns]
    else:
        read = [read_column(raw) for raw in list_columns(X)]
    return Table(read, len(read[0].values))


def read_numbers_at_once(X: Any, role: str = INPUT) -> Table:
    """A table that holds numbers: as `read_numbers` reads each column."""
    values, names = np.ascontiguousarray(_to_doubles(X).T), name_columns(X, role)
    lowest, highest = values.min(axis=1, initial=np.inf), values.max(axis=1, initial=-np.inf)
    _check_numbers(X, values, lowest.min(initial=0.0), highest.max(initial=0.0), names, role)
    extremes = zip(lowest.tolist(), highest.tolist(), strict=True)
    columns = list(map(Column.of_numbers, names, values, extremes))
    return Table(columns, values.shape[1], values)


def _to_doubles(X: Any) -> NDArray[np.float64]:
    """Rows x inputs, of a table that holds numbers."""
    with np.errstate(over="ignore"):  # extended precision beyond doubles becomes infinite, and is refused as such
        values: NDArray[np.float64] = (
            X.astype(np.float64, copy=False) if isinstance(X, np.ndarray) else X.to_numpy(np.float64)
        )
    return values


def _check_numbers(
    given: Any,
    columns: NDArray[np.float64],
    lowest: float,
    highest: float,
    names: tuple[str, ...],
    role: str = INPUT,
) -> None:
    """The checks of `read_numbers` for all columns at once, by the extremes of all their values."""
    if not (np.isfinite(highest) and np.isfinite(lowest)) and np.isinf(columns).any():
        row, j = (int(k) for k in np.argwhere(np.isinf(columns.T))[0])
        raw = RawColumn(names[j], column_at(given, j), role)
        refuse_infinite(raw, raw.values[row], row)
    if not max(highest, -lowest) < EXACT_INTEGERS and has_long_integers(given):  # large, or one is missing
        for j, name in enumerate(names):
            warn_if_inexact(RawColumn(name, column_at(given, j), role))
