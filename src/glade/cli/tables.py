"""A user's table: which columns are targets, inputs, weights and groups, of what kind, in words."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from glade.cli.wording import word_for_shell
from glade.core.errors import InputError
from glade.core.names import join_words, list_names, quote_name, show_name
from glade.files.dates import PARTS, WAYS, add_derived, derive, find_dates, measure_of
from glade.files.options import ReadOptions
from glade.files.patterns import find_columns
from glade.files.read import read_file

LISTS = ("targets", "nominal", "numeric", "drop", "keep")  # options that name columns, by patterns too
FEW_VALUES = 2  # whole numbers of a target with no more values than this are classes
MAX_COMPARED = 100  # letters of names whose likeness is looked for: longer ones would take for ever


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
    dates: str = PARTS
    reading: ReadOptions = field(default_factory=ReadOptions)

    def of_columns(self, columns: Sequence[str]) -> "TableOptions":
        """The same, with the columns that patterns and ranges mean; a column that is named goes where it is named."""
        found: dict[str, Any] = {name: find_columns(getattr(self, name), columns) for name in LISTS}
        named = {name: {*getattr(self, name)} & {*columns} for name in LISTS}
        aside = {*named["drop"], self.group, self.weight}
        taken = {"targets": aside, "keep": aside, "drop": {*named["targets"], *named["keep"]}}
        for name, elsewhere in taken.items():
            found[name] = tuple(own for own in found[name] if own in named[name] or own not in elsewhere)
        return replace(self, **found)

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
    reasons: dict[str, str]  # why columns are nominal, where that is not plain to see
    notes: list[str]

    @property
    def n_groups(self) -> int | None:
        """How many groups the rows are of; None where they are of none."""
        return None if self.groups is None else int(self.groups.nunique())


def open_table(path: str, options: TableOptions) -> UserTable:
    """Read a file and take its columns apart as the options say."""
    _check_roles(options)
    text, numbers = frozenset(options.nominal), frozenset(options.numeric)
    file = read_file(path, replace(options.reading, nominal=text, numeric=numbers, drop=frozenset(options.drop)))
    table, columns = file.frame, set(file.frame.columns)
    options = options.of_columns(list(table.columns))
    named = (*options.targets, *options.nominal, *options.numeric, *options.keep, *options.set_aside)
    check_names(named, table.columns)
    counted = _set_kinds(table, options)
    _check_roles(options)
    used = {*options.targets, *options.set_aside}
    table, told_of_dates = _read_dates(table, [name for name in table.columns if name not in used], options)
    inputs = [name for name in table.columns if name not in used]
    derived = [name for name in inputs if name not in columns]
    identifiers = _find_identifiers(table[inputs], file.keys, (*options.keep, *derived))
    inputs = [name for name in inputs if name not in identifiers]
    if not inputs:
        raise InputError("no column is left to predict from: name fewer targets, drop fewer columns, or --keep some")
    groups, weights = (table[name] if name else None for name in (options.group, options.weight))
    _check_weights(weights)
    told = {name: word_for_shell(file.reasons[name]) for name in (*options.targets, *inputs) if name in file.reasons}
    return UserTable(
        table[inputs],
        table[list(options.targets)],
        groups,
        weights,
        len(columns),
        tuple(identifiers),
        told | counted,
        [*(word_for_shell(note) for note in file.notes), *told_of_dates],
    )


def _read_dates(table: Any, inputs: Sequence[str], options: TableOptions) -> tuple[Any, list[str]]:
    """The table with numbers in the place of its dates, and what was done, in words."""
    parts, notes = [], []
    for name in table.columns:
        is_input = name in inputs and name not in (*options.nominal, *options.keep)
        dates = find_dates(table[name]) if is_input else None
        if dates is None:
            parts.append(table[[name]])
            continue
        columns = derive(name, dates, options.dates)
        parts.append(table[[]].assign(**columns))
        order = f", read as {dates.order}" if dates.order else ""
        used = join_words([measure_of(own) for own in columns])
        became = f"used as {used}" if columns else "left out"
        others = " or ".join(way for way in WAYS if way != options.dates)
        notes.append(f"{show_name(name)} holds dates{order}: {became} (--dates {others})")
    if not notes:
        return table, []
    import pandas as pd

    return pd.concat(parts, axis=1), notes


def open_held_out(path: str, data: UserTable, options: TableOptions) -> UserTable:
    """Another table with the columns of one that was read, each of the kind it has there."""
    columns = {**dict(data.X.items()), **dict(data.y.items())}
    kinds = {name: kind_of(column) for name, column in columns.items()}
    of_numbers = {name for name, column in columns.items() if _has_number_classes(column)}
    by_kind = {kind: frozenset(name for name in kinds if kinds[name] == kind) for kind in ("nominal", "numeric")}
    text, numbers = by_kind["nominal"] - of_numbers, by_kind["numeric"] | of_numbers
    reading = replace(options.reading, nominal=text, numeric=numbers)
    table = read_file(path, reading).frame
    table = add_derived(table, list(columns))
    check_names((*columns, *filter(None, (options.weight,))), table.columns)
    for name, kind in kinds.items():
        if name in of_numbers:
            table[name] = to_number_classes(to_numbers(table[name]))
        elif kind_of(table[name]) != kind:
            table[name] = to_numbers(table[name]) if kind == "numeric" else to_labels(table[name])
    weights = table[options.weight] if options.weight else None
    _check_weights(weights)
    return replace(data, X=table[list(data.X.columns)], y=table[list(data.y.columns)], groups=None, weights=weights)


def to_labels(column: Any) -> Any:
    """A column as text labels; whole numbers without a point, also where missing values made floats of them."""
    if column.dtype.kind == "f" and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    return column.astype(object).map(str, na_action="ignore").astype("category")


def to_number_classes(column: Any) -> Any:
    """Numbers as labels: 0 and 1 as such, also where gaps made 0.0 and 1.0 of them."""
    is_whole = column.dtype.kind == "f" and (column.dropna() % 1 == 0).all()
    return (column.astype("Int64") if is_whole else column).astype("category")


def _has_number_classes(column: Any) -> bool:
    """Whether a column's labels are numbers."""
    return hasattr(column, "cat") and column.cat.categories.dtype.kind in "iuf"


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


def list_nominal(table: Any) -> list[str]:
    """The names of the nominal columns."""
    return [name for name in table.columns if kind_of(table[name]) == "nominal"]


def check_names(names: Sequence[str], columns: Sequence[str]) -> None:
    """Each of these columns is there."""
    known = set(columns)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name[:MAX_COMPARED], [str(own)[:MAX_COMPARED] for own in columns], n=3)
            hint = f"do you mean {list_names(near)}?" if near else f"there are {list_names(list(columns))}"
            raise InputError(f"the table has no column {quote_name(name)}: {hint}")


def _check_weights(weights: Any) -> None:
    """Weights are numbers; what else they must be, the fit says."""
    if weights is not None and weights.dtype.kind not in "iuf":
        raise InputError(f"the weights in column {quote_name(weights.name)} are no numbers")


def _set_kinds(table: Any, options: TableOptions) -> dict[str, str]:
    """Make labels of numbers and numbers of text where the options, or a target's values, say so; returns reasons."""
    reasons = {}
    for name in options.nominal:
        if kind_of(table[name]) == "numeric":
            table[name] = to_labels(table[name])
    for name in options.numeric:
        table[name] = to_numbers(table[name])
    for name in options.targets:
        if name not in options.numeric and _is_class_number(table[name]):
            table[name] = to_number_classes(table[name])
            reasons[name] = f"{FEW_VALUES} whole numbers at most (--numeric if they are amounts)"
    return reasons


def _find_identifiers(inputs: Any, keys: tuple[str, ...], keep: tuple[str, ...]) -> list[str]:
    """Inputs that only name the rows: by declaration, and of the others by their values unless all do."""
    from glade.data.identifiers import looks_like_identifier
    from glade.data.table import read_table

    if not inputs.shape[1]:
        return []
    try:
        columns = read_table(inputs).columns
    except (ValueError, TypeError) as fault:
        raise InputError(f"{fault} (--drop leaves a column out)") from fault
    declared = [column.name for column in columns if column.name in keys and column.name not in keep]
    others = [column for column in columns if column.name not in declared]
    alike = [column.name for column in others if column.name not in keep and looks_like_identifier(column)]
    return [*declared, *(alike if len(alike) < len(others) else [])]


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
