"""Options that several commands have."""

from collections.abc import Callable
from typing import Any

import click

COLUMNS = ("targets", "nominal", "numeric", "drop", "keep")  # the parameters that `column_options` adds

column_options: list[Callable[[Any], Any]] = [
    click.option("-t", "--target", "targets", multiple=True, required=True, metavar="COL", help="Predict this column."),
    click.option("--nominal", multiple=True, metavar="COL", help="The numbers in this column are labels."),
    click.option("--numeric", multiple=True, metavar="COL", help="This column holds amounts."),
    click.option("--drop", multiple=True, metavar="COL", help="Leave this column out."),
    click.option("--keep", multiple=True, metavar="COL", help="Use this column though it looks like an identifier."),
]


def with_column_options(command: Any) -> Any:
    """Add the options that say what the columns of a table are."""
    for option in reversed(column_options):
        command = option(command)
    return command


force_option = click.option("--force", is_flag=True, help="Replace a file that is there.")
