"""Model files and the tables that are given to their models."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from glade.cli.tables import check_names, kind_of, to_labels, to_numbers
from glade.core.errors import InputError, ModelFileError
from glade.core.names import list_names, quote_name
from glade.data.files import read_file


def open_model(path: str) -> Any:
    """The model in a file."""
    from glade import load

    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        raise InputError(f"{quote_name(path)} {what}: give a model file that `glade fit` wrote")
    return load(path)


def read_inputs(path: str, model: Any) -> Any:
    """The columns of a table that a model reads, in its order; others are left out with a note."""
    table = read_file(path)
    table.columns = [str(name) for name in table.columns]
    schema = model.schema_
    if not hasattr(model, "feature_names_in_"):
        raise ModelFileError("the model was fitted on columns without names: use it from Python")
    check_names(schema.names, table.columns)
    strange = [name for name in table.columns if name not in (*schema.names, *model.target_schema_.names)]
    if strange:
        click.echo(f"note: {list_names(strange)}: the model does not use this", err=True)
    inputs = table[list(schema.names)].copy()
    for name, labels in zip(schema.names, schema.labels, strict=True):
        is_numeric = kind_of(inputs[name]) == "numeric"
        if labels is None and not is_numeric:
            inputs[name] = to_numbers(inputs[name])
        elif labels and is_numeric and all(isinstance(label, str) for label in labels):
            inputs[name] = to_labels(inputs[name])
    return inputs


@contextmanager
def blame_input() -> Iterator[None]:
    """What the library finds wrong with a table is the user's input, not a defect."""
    try:
        yield
    except (InputError, ModelFileError):
        raise
    except (ValueError, TypeError) as fault:
        raise InputError(str(fault)) from fault
