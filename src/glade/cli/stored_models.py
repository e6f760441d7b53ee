"""Model files and the tables that are given to their models."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from glade.cli.streams import say_note
from glade.cli.tables import check_names, kind_of, to_labels, to_numbers
from glade.core.errors import InputError, ModelFileError
from glade.core.names import list_names, quote_name
from glade.files.dates import add_derived, base_of
from glade.files.options import ReadOptions
from glade.files.read import read_file


def open_model(path: str) -> Any:
    """The model in a file."""
    from glade import load

    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise InputError(f"{quote_name(path)} {what}: give a model file that `glade fit` wrote")
    return load(path)


def read_inputs(path: str, model: Any, reading: ReadOptions) -> Any:
    """The columns of a table that a model reads, in its order and of their kinds; others are left out with a note."""
    return read_rows(path, model, reading)[0]


def _are_text(labels: Any) -> bool:
    """Whether an input has labels, and these are text."""
    return bool(labels) and isinstance(labels[0], str)


def _suit_kind(column: Any, labels: Any) -> Any:
    """A column as the input that it is for: as numbers where that has no labels, as text where its labels are text."""
    is_numeric = kind_of(column) == "numeric"
    if labels is None and not is_numeric:
        return to_numbers(column)
    return to_labels(column) if _are_text(labels) and is_numeric else column


def read_rows(path: str, model: Any, reading: ReadOptions) -> tuple[Any, Any]:
    """The model's inputs and its targets; None for these if one of them is missing in the table."""
    if not model.has_named_inputs:
        raise ModelFileError("the model was fitted on columns without names: use it from Python")
    schema = model.schema_
    by_name = dict(zip(schema.names, schema.labels, strict=True))
    text = frozenset(name for name, labels in by_name.items() if _are_text(labels))
    numbers = frozenset(name for name, labels in by_name.items() if labels is None)
    classes = dict(zip(model.target_schema_.names, model.target_schema_.classes, strict=True))
    table = read_file(path, replace(reading, nominal=text, numeric=numbers)).frame
    table = add_derived(table, schema.names)
    check_names(schema.names, table.columns)
    dates = {base_of(name) for name in schema.names}
    strange = [name for name in table.columns if name not in {*by_name, *classes, *dates}]
    if strange:
        say_note(f"{list_names(strange)}: the model does not use this")
    inputs = table[list(schema.names)].copy()
    for name, labels in by_name.items():
        inputs[name] = _suit_kind(inputs[name], labels)
    if not set(classes) <= set(table.columns):
        return inputs, None
    return inputs, table[list(classes)].apply(lambda column: _read_target(column, classes[column.name]))


def _read_target(column: Any, classes: Any) -> Any:
    """A target as the model knows it: numbers, labels, or numbers that are labels."""
    if classes is None:
        return to_numbers(column)
    if isinstance(classes[0], str) and kind_of(column) == "numeric":
        return to_labels(column)
    return column.astype("category")


def tell_notes(notes: list[Any]) -> None:
    """What the library warned of, on standard error."""
    for note in notes:
        say_note(str(note.message))


@contextmanager
def blame_input() -> Iterator[None]:
    """What the library finds wrong with a table is the user's input, not a defect."""
    try:
        yield
    except (InputError, ModelFileError):
        raise
    except (ValueError, TypeError) as fault:
        raise InputError(str(fault)) from fault
