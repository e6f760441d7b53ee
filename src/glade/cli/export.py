"""`glade export`: a model in a form that runs without glade."""

from pathlib import Path
from typing import Any

import click

from glade.cli.options import force_option

TO = ("sql", "python", "json", "onnx", "latex")
DIALECTS = ("ansi", "sqlite", "duckdb", "postgres")
PRECISIONS = ("float32", "float64")
SETTINGS = {"dialect": "sql", "table": "sql", "keep": "sql", "precision": "onnx"}  # of which form each is


@click.command()
@click.argument("model")
@click.option("--to", type=click.Choice(TO), required=True, help="The form.")
@click.option("--dialect", type=click.Choice(DIALECTS), help="Of SQL: the engine that shall run it.  [ansi]")
@click.option("--table", metavar="NAME", help="Of SQL: the table with the rows.  [rows]")
@click.option("--keep", multiple=True, metavar="COL", help="Of SQL: a column to show beside.  [all inputs]")
@click.option("--precision", type=click.Choice(PRECISIONS), help="Of ONNX: that of all numbers.  [float32]")
@click.option("-o", "--output", metavar="FILE", help="Write it to this file instead of standard output.")
@force_option
def export(model: str, to: str, output: str | None, force: bool, **given: Any) -> None:
    """Write MODEL as a query, a Python module, JSON or ONNX, which run without glade, or as LaTeX for a paper."""
    from glade.cli.outputs import check_output, echo_data, tell_lines
    from glade.cli.stored_models import blame_input, open_model
    from glade.core.errors import InputError
    from glade.core.files import write_whole
    from glade.exports.forms import export as write

    settings = {name: value for name, value in given.items() if value}
    for name in settings:
        if SETTINGS[name] != to:
            raise InputError(f"--{name} is for --to {SETTINGS[name]}: leave it out, or choose that form")
    if output is not None:
        check_output(output, force)
    elif to == "onnx":
        raise InputError("ONNX is no text: name a file with -o, such as -o model.onnx")
    with blame_input():
        content = write(open_model(model), to, **settings)
    if output is None:
        echo_data(str(content))
        return
    write_whole(Path(output), content if isinstance(content, bytes) else content.encode())
    tell_lines([f"wrote {output} ({to})"])
