"""A user's table: which columns are targets, inputs and groups, of what kind, in words."""

import difflib
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
    group: str | None = None


@dataclass(frozen=True)
class UserTable:
    """A table taken apart; missing target values are allowed."""

    X: Any
    y: Any
    groups: Any
    n_columns: int

    def describe(self) -> list[str]:
        """What was read, in a few lines."""
        n_missing = int(self.X.isna().sum().sum())
        lines = [
            f"read {len(self.X):,} rows, {self.n_columns} columns: {_count(self.y, 'target')},"
            f" {_count(self.X, 'input')}" + (f" ({n_missing:,} values missing)" if n_missing else ""),
            "targets  " + " · ".join(_describe_target(self.y[name]) for name in self.y.columns),
        ]
        for kind in ("numeric", "nominal"):
            names = [show_name(name) for name in self.X.columns if _kind_of(self.X[name]) == kind]
            if names:
                more = f", … {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
                lines.append(f"{kind:<9}{', '.join(names[:MAX_SHOWN])}{more}")
        return lines


def open_table(path: str, options: TableOptions) -> UserTable:
    """Read a file and take its columns apart as the options say."""
    table = read_file(path)
    table.columns = [str(name) for name in table.columns]
    names = [*options.targets, *options.nominal, *options.numeric, *options.drop]
    for name in (*names, *([options.group] if options.group else [])):
        _check_column(name, list(table.columns))
    _check_roles(options)
    n_columns = table.shape[1]
    for name in options.nominal:
        table[name] = table[name].astype(object).map(str, na_action="ignore").astype("category")
    for name in options.numeric:
        table[name] = _to_numbers(table[name])
    for name in options.targets:
        if name not in options.numeric and _is_class_number(table[name]):
            table[name] = table[name].astype("category")
    groups = table[options.group] if options.group else None
    inputs = [n for n in table.columns if n not in (*options.targets, *options.drop, options.group)]
    if not inputs:
        raise InputError("no column is left to predict from: name fewer targets, or drop fewer columns")
    return UserTable(table[inputs], table[list(options.targets)], groups, n_columns)


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
        (options.nominal, options.numeric, "nominal and numeric"),
    ):
        both = [name for name in first if name in second]
        if both:
            raise InputError(f"{list_names(both)} cannot be both {words}")


def _to_numbers(column: Any) -> Any:
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    wrong = numbers.isna() & column.notna()
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        raise InputError(
            f"column {quote_name(column.name)} is no numeric one: row {row} holds {quote_name(column.iloc[row])}"
        )
    return numbers


def _is_class_number(column: Any) -> bool:
    """Whole numbers with few values, 0 and 1 mostly: a class rather than an amount."""
    if column.dtype.kind not in "iuf":
        return False
    known = column.dropna()
    return known.nunique() <= FEW_VALUES and bool((known == known.round()).all())


def _kind_of(column: Any) -> str:
    return "numeric" if column.dtype.kind in "iuf" else "nominal"


def _count(table: Any, what: str) -> str:
    n = table.shape[1]
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _describe_target(column: Any) -> str:
    n_missing = int(column.isna().sum())
    missing = f" ({n_missing:,} missing)" if n_missing else ""
    if _kind_of(column) == "numeric":
        return f"{show_name(column.name)} numeric{missing}"
    classes = sorted(map(str, column.dropna().unique()))
    shown = ", ".join(show_name(label) for label in classes[:MAX_SHOWN])
    more = f", … {len(classes) - MAX_SHOWN} more" if len(classes) > MAX_SHOWN else ""
    return f"{show_name(column.name)} nominal {{{shown}{more}}}{missing}"
