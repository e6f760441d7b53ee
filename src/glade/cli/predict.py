"""`glade predict`: a model's predictions for a table."""

import warnings

import click

from glade.cli.options import force_option


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("-o", "--output", metavar="FILE", help="Write them to this CSV file instead of standard output.")
@click.option("--raw-csv", is_flag=True, help="Do not mark text that a spreadsheet would run as a formula.")
@force_option
def predict(model: str, table: str, output: str | None, raw_csv: bool, force: bool) -> None:
    """Predict the targets of MODEL for each row of TABLE, as CSV: a column for each target."""
    from glade.cli.outputs import check_output, to_csv, write_text
    from glade.cli.predictions import predict_frame
    from glade.cli.stored_models import blame_input, open_model, read_inputs

    if output is not None:
        check_output(output, force)
    fitted = open_model(model)
    X = read_inputs(table, fitted)
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        predicted = predict_frame(fitted, X)
    for note in notes:
        click.echo(f"note: {note.message}", err=True)
    text = to_csv(predicted, raw_csv)
    if output is None:
        click.echo(text, nl=False)
        return
    write_text(output, text)
    click.echo(f"wrote {output}: {len(predicted):,} rows, {', '.join(map(str, predicted.columns))}")
