"""`glade predict`: a model's predictions for a table."""

import warnings
from typing import Any

import click

from glade.cli.decisions import threshold_options, with_threshold
from glade.cli.options import force_option, take_reading, with_reading_options
from glade.cli.partitions import is_in_parts, predict_parts
from glade.core.errors import InputError


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("-o", "--output", metavar="FILE", help="Write them to this CSV file instead of standard output.")
@click.option("--interval", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Share of rows covered.")
@click.option("--proba", is_flag=True, help="The probability of each class, after what is predicted.")
@threshold_options
@click.option("--raw-csv", is_flag=True, help="Do not mark text that a spreadsheet would run as a formula.")
@with_reading_options
@force_option
def predict(
    model: str,
    table: str,
    output: str | None,
    interval: float | None,
    proba: bool,
    raw_csv: bool,
    force: bool,
    **given: Any,
) -> None:
    """Predict the targets of MODEL for each row of TABLE, as CSV: a column for each target.

    A folder or a pattern of Parquet files ('parts/*.parquet') is predicted part by part, into Parquet in the folder -o.

    With --interval 0.9 two more columns for each: the ends of an interval that covers the truth in 90 % of rows. With
    --proba the probabilities of the classes of nominal targets.
    """
    from glade.cli.outputs import check_output, echo_data, tell_lines, write_text
    from glade.cli.predictions import add_intervals, add_probabilities, predict_frame
    from glade.cli.stored_models import blame_input, open_model, read_inputs, tell_notes
    from glade.cli.width import wrap, wrap_all
    from glade.core.names import show_name
    from glade.core.spreadsheets import to_csv

    in_parts = is_in_parts(table)
    if output is not None and not in_parts:
        check_output(output, force)
    fitted = with_threshold(open_model(model), given.pop("threshold"), given.pop("cost"))
    if in_parts:
        if output is None or interval is not None or proba:
            raise InputError(
                "a table in parts is predicted into a folder, with the probabilities of classes: -o FOLDER, without"
                " --interval and --proba"
            )
        with blame_input():
            tell_lines(wrap_all(predict_parts(fitted, table, output, force)))
        return
    X = read_inputs(table, fitted, take_reading(given))
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        predicted = predict_frame(fitted, X)
        if interval is not None:
            predicted = add_intervals(predicted, fitted, X, interval)
        if proba:
            predicted = add_probabilities(predicted, fitted, X)
    tell_notes(notes)
    text = to_csv(predicted, raw_csv)
    if output is None:
        echo_data(text)
        return
    write_text(output, text)
    tell_lines(wrap(f"wrote {output}: {len(predicted):,} rows, {', '.join(map(show_name, predicted.columns))}", 2))
