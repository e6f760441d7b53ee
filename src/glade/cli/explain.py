"""`glade explain`: why a model predicts what it predicts for one row."""

import warnings
from pathlib import Path
from typing import Any

import click

from glade.cli.options import take_reading, with_reading_options
from glade.cli.partitions import is_in_parts, row_in_file
from glade.core.kinds import MULTITREE

TEXT = "text"
FORMATS = (TEXT, "html", "json")


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("--row", type=int, required=True, help="Which row of the table; 0 is the first one after the header.")
@click.option("--target", "targets", multiple=True, metavar="COL", help="Of many targets, only this; also 'sp*'.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=TEXT, show_default=True)
@with_reading_options
def explain(model: str, table: str, row: int, targets: tuple[str, ...], form: str, **given: Any) -> None:
    """Show what each rule (or input) of MODEL adds to the prediction for one row of TABLE.

    Rows of a folder or a pattern of Parquet files ('parts/*.parquet') are counted in the order of the files' names.
    """
    from glade.cli.contributions import render_contributions, show_contributions
    from glade.cli.outputs import echo_data, echo_lines
    from glade.cli.show import choose_targets
    from glade.cli.stored_models import blame_input, open_model, tell_notes
    from glade.core.errors import InputError

    fitted = open_model(model)
    if fitted.kind == MULTITREE:
        made = f"glade archetype {model} {table} -o tree.glade"
        raise InputError(f"a multitree is many trees at once: explain one of them, which {made} writes")
    chosen = choose_targets(fitted, targets)
    one = _read_row(table, row, fitted, take_reading(given))
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        found = fitted.explain(one)
        if form != TEXT:
            text = render_contributions(fitted, one, found, chosen, form)
        else:
            lines = show_contributions(fitted, one, found, chosen)
    tell_notes(notes)
    if form != TEXT:
        echo_data(text)
        return
    echo_lines([f"row {row} of {Path(table).name}", *lines])


def _read_row(table: str, row: int, fitted: Any, reading: Any) -> Any:
    """The inputs of one row."""
    from glade.cli.stored_models import read_inputs
    from glade.core.errors import InputError

    if is_in_parts(table):
        with row_in_file(table, row) as file:
            return read_inputs(file, fitted, reading)
    X = read_inputs(table, fitted, reading)
    if not 0 <= row < len(X):
        raise InputError(f"there is no row {row}: {Path(table).name} has rows 0 to {len(X) - 1}")
    return X.iloc[[row]]
