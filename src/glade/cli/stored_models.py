"""Model files and the tables that are given to their models."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from glade.cli.tables import check_names, kind_of, to_labels, to_numbers
from glade.core.errors import InputError, ModelFileError
from glade.core.names import escape_controls, list_names, quote_name
from glade.data.files import read_file
from glade.data.reading import ReadOptions


def open_model(path: str) -> Any:
    """The model in a file."""
    from glade import load

    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise InputError(f"{quote_name(path)} {what}: give a model file that `glade fit` wrote")
    return load(path)


def read_inputs(path: str, model: Any, reading: ReadOptions) -> Any:
    """The columns of a table that a model reads, in its order and of their kinds; others are left out with a note."""
    if not hasattr(model, "feature_names_in_"):
        raise ModelFileError("the model was fitted on columns without names: use it from Python")
    schema = model.schema_
    by_name = dict(zip(schema.names, schema.labels, strict=True))
    text = frozenset(name for name, labels in by_name.items() if labels and isinstance(labels[0], str))
    numbers = frozenset(name for name, labels in by_name.items() if labels is None)
    table = read_file(path, replace(reading, as_text=text, as_numbers=numbers)).frame
    check_names(schema.names, table.columns)
    strange = [name for name in table.columns if name not in by_name and name not in model.target_schema_.names]
    if strange:
        click.echo(f"note: {list_names(strange)}: the model does not use this", err=True)
    inputs = table[list(schema.names)].copy()
    for name, labels in by_name.items():
        if labels is None and kind_of(inputs[name]) != "numeric":
            inputs[name] = to_numbers(inputs[name])
        elif name in text and kind_of(inputs[name]) == "numeric":
            inputs[name] = to_labels(inputs[name])
    return inputs


def tell_notes(notes: list[Any]) -> None:
    """What the library warned of, on standard error."""
    for note in notes:
        click.echo(f"note: {escape_controls(str(note.message))}", err=True)


@contextmanager
def blame_input() -> Iterator[None]:
    """What the library finds wrong with a table is the user's input, not a defect."""
    try:
        yield
    except (InputError, ModelFileError):
        raise
    except (ValueError, TypeError) as fault:
        raise InputError(str(fault)) from fault
