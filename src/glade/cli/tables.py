"""A user's table: which columns are targets, inputs, weights and groups, of what kind, in words."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name, show_name
from glade.data.files import read_file

FEW_VALUES = 2  # whole numbers of a target with no more values than this are classes
MAX_SHOWN = 6


@dataclass(frozen=True)
class TableOptions:
    """What the command line says of a table's columns."""

    targets: tuple[str, ...]
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    group: str | None = None
    weight: str | None = None

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Columns that are neither targets nor inputs."""
        return (*self.drop, *filter(None, (self.group, self.weight)))


@dataclass(frozen=True)
class UserTable:
    """A table taken apart; missing target values are allowed."""

    X: Any
    y: Any
    groups: Any
    weights: Any
    n_columns: int
    identifiers: tuple[str, ...]  # columns left out because they look like these

    def describe(self) -> list[str]:
        """What was read, in a few lines."""
        n_missing = int(self.X.isna().sum().sum())
        lines = [
            f"read {len(self.X):,} rows, {self.n_columns} columns: {_count(self.y, 'target')},"
            f" {_count(self.X, 'input')}" + (f" ({n_missing:,} values missing)" if n_missing else ""),
            "targets  " + " · ".join(_describe_target(self.y[name]) for name in self.y.columns),
        ]
        for kind in ("numeric", "nominal"):
            names = [show_name(name) for name in self.X.columns if kind_of(self.X[name]) == kind]
            if names:
                lines.append(f"{kind:<9}{_list_some(names)}")
        if self.identifiers:
            one, many = "looks like an identifier; --keep to use it", "look like identifiers; --keep to use them"
            lines.append(f"left out {_list_some(self.identifiers)}: {one if len(self.identifiers) == 1 else many}")
        return lines


def open_table(path: str, options: TableOptions) -> UserTable:
    """Read a file and take its columns apart as the options say."""
    table = read_file(path)
    table.columns = [str(name) for name in table.columns]
    for name in (*options.targets, *options.nominal, *options.numeric, *options.keep, *options.set_aside):
        _check_column(name, list(table.columns))
    _check_roles(options)
    n_columns = table.shape[1]
    _set_kinds(table, options)
    inputs = [name for name in table.columns if name not in (*options.targets, *options.set_aside)]
    identifiers = _find_identifiers(table[inputs], options.keep)
    inputs = [name for name in inputs if name not in identifiers]
    if not inputs:
        raise InputError("no column is left to predict from: name fewer targets, drop fewer columns, or --keep some")
    groups, weights = (table[name] if name else None for name in (options.group, options.weight))
    return UserTable(table[inputs], table[list(options.targets)], groups, weights, n_columns, tuple(identifiers))


def to_labels(column: Any) -> Any:
    """A column as text labels; whole numbers without a point, also where missing values made floats of them."""
    if column.dtype.kind == "f" and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    return column.astype(object).map(str, na_action="ignore").astype("category")


def to_numbers(column: Any) -> Any:
    """A column as numbers; the first value that is none is named."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    wrong = numbers.isna() & column.notna()
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        raise InputError(
            f"column {quote_name(column.name)} is no numeric one: row {row} holds {quote_name(column.iloc[row])}"
        )
    return numbers


def kind_of(column: Any) -> str:
    """Numeric or nominal."""
    return "numeric" if column.dtype.kind in "iuf" else "nominal"


def check_names(names: Sequence[str], columns: Sequence[str]) -> None:
    """Each of these columns is there."""
    for name in names:
        _check_column(name, list(columns))


def _set_kinds(table: Any, options: TableOptions) -> None:
    """Make labels of numbers and numbers of text where the options, or the values of a target, say so."""
    for name in options.nominal:
        table[name] = to_labels(table[name])
    for name in options.numeric:
        table[name] = to_numbers(table[name])
    for name in options.targets:
        if name not in options.numeric and _is_class_number(table[name]):
            table[name] = table[name].astype("category")


def _find_identifiers(inputs: Any, keep: tuple[str, ...]) -> list[str]:
    """Inputs that only name the rows; where all do, none is left out."""
    from glade.data.identifiers import looks_like_identifier
    from glade.data.table import read_table

    if not inputs.shape[1]:
        return []
    try:
        columns = read_table(inputs).columns
    except (ValueError, TypeError) as fault:
        raise InputError(f"{fault} (--drop leaves a column out)") from fault
    found = [column.name for column in columns if column.name not in keep and looks_like_identifier(column)]
    return found if len(found) < len(columns) else []


def _check_column(name: str, columns: list[str]) -> None:
    if name in columns:
        return
    near = difflib.get_close_matches(name, columns, n=3)
    hint = f"do you mean {list_names(near)}?" if near else f"there are {list_names(columns)}"
    raise InputError(f"the table has no column {quote_name(name)}: {hint}")


def _check_roles(options: TableOptions) -> None:
    if len(set(options.targets)) < len(options.targets):
        raise InputError(f"a target is named twice: {list_names(options.targets)}")
    for first, second, words in (
        (options.targets, options.drop, "a target and dropped"),
        (options.targets, (options.group,), "a target and the group"),
        (options.targets, (options.weight,), "a target and the weight"),
        (options.nominal, options.numeric, "nominal and numeric"),
        (options.keep, options.set_aside, "kept and left out"),
    ):
        both = [name for name in first if name in second]
        if both:
            raise InputError(f"{list_names(both)} cannot be both {words}")


def _is_class_number(column: Any) -> bool:
    """Whole numbers with few values, 0 and 1 mostly: a class rather than an amount."""
    if column.dtype.kind not in "iuf":
        return False
    known = column.dropna()
    return known.nunique() <= FEW_VALUES and bool((known == known.round()).all())


def _count(table: Any, what: str) -> str:
    n = table.shape[1]
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _list_some(names: Sequence[str]) -> str:
    shown = [show_name(name) for name in names[:MAX_SHOWN]]
    return ", ".join([*shown, *([f"… {len(names) - MAX_SHOWN} more"] if len(names) > MAX_SHOWN else [])])


def _describe_target(column: Any) -> str:
    n_missing = int(column.isna().sum())
    missing = f" ({n_missing:,} missing)" if n_missing else ""
    if kind_of(column) == "numeric":
        return f"{show_name(column.name)} numeric{missing}"
    classes = sorted(map(str, column.dropna().unique()))
    return f"{show_name(column.name)} nominal {{{_list_some(classes)}}}{missing}"
