"""`glade explain`: why a model predicts what it predicts for one row."""

import warnings
from pathlib import Path

import click


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("--row", type=int, required=True, help="Which row of the table; 0 is the first one after the header.")
def explain(model: str, table: str, row: int) -> None:
    """Show what each rule (or input) of MODEL adds to the prediction for one row of TABLE."""
    from glade.cli.contributions import show_contributions
    from glade.cli.stored_models import blame_input, open_model, read_inputs
    from glade.core.errors import InputError

    fitted = open_model(model)
    X = read_inputs(table, fitted)
    if not 0 <= row < len(X):
        raise InputError(f"there is no row {row}: {Path(table).name} has rows 0 to {len(X) - 1}")
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        one = X.iloc[[row]]
        lines = show_contributions(fitted, one, fitted.explain(one))
    for note in notes:
        click.echo(f"note: {note.message}", err=True)
    click.echo(f"row {row} of {Path(table).name}")
    for line in lines:
        click.echo(line)
