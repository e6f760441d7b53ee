"""Options that several commands have, and what becomes of them."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from glade.core.kinds import RULES
from glade.files.dates import PARTS, WAYS
from glade.files.options import MISSING_WORDS, ReadOptions

Option = Callable[[Any], Any]
COLUMNS = (
    "targets",
    "nominal",
    "numeric",
    "drop",
    "keep",
    "dates",
    "group",
    "weight",
)  # what `with_column_options` adds
SIZES = ("auto", "none")  # what --max-rules may be beside a number
READING = ("sep", "decimal", "encoding", "na", "no_default_na", "no_header")  # what `with_reading_options` adds
SIGNS = {"\\t": "\t", "tab": "\t"}  # what cannot well be typed

reading_options: list[Option] = [
    click.option("--sep", metavar="SIGN", help="Between the fields of CSV.  [what its lines tell]"),
    click.option("--decimal", metavar="SIGN", default="", help="The decimal sign of CSV.  [what its lines tell]"),
    click.option("--encoding", metavar="NAME", help="Of the text, if it is not UTF-8, e.g. latin-1."),
    click.option("--na", multiple=True, metavar="WORD", help=f"Missing, besides nothing, {', '.join(MISSING_WORDS)}."),
    click.option("--no-default-na", is_flag=True, help=f"{', '.join(MISSING_WORDS)} are text like any other."),
    click.option("--no-header", is_flag=True, help="The first line is a row: columns are called c1, c2, ..."),
]
column_options: list[Option] = [
    click.option(
        "-t",
        "--target",
        "targets",
        multiple=True,
        required=True,
        metavar="COL",
        help="Predict this column; also 'sp*', sp1:sp20.",
    ),
    click.option("--nominal", multiple=True, metavar="COL", help="The numbers in this column are labels."),
    click.option("--numeric", multiple=True, metavar="COL", help="This column holds amounts."),
    click.option("--drop", multiple=True, metavar="COL", help="Leave this column out."),
    click.option("--keep", multiple=True, metavar="COL", help="Use this column though it looks like an identifier."),
    click.option(
        "--dates",
        type=click.Choice(WAYS),
        default=PARTS,
        show_default=True,
        help="Make year, month, day of the year and hour of a date, or a decimal year, or leave dates out.",
    ),
    click.option("--group", metavar="COL", help="Keep the rows of a group together wherever rows are held out."),
    click.option("--weight", metavar="COL", help="How much each row counts."),
]


class SizeType(click.ParamType[int | str]):
    """A number from 1 on, or one of some words."""

    name = "size"

    def __init__(self, words: Sequence[str] = SIZES):
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Read a number or a word."""
        text = str(value).strip().lower()
        if text in self.words:
            return text
        if not text.isdecimal() or int(text) < 1:
            self.fail(f"{value!r} is no number from 1 on, nor {' or '.join(self.words)}", param, ctx)
        return int(text)


def model_options(models: Sequence[str]) -> Option:
    """Options that say what is fitted: one of some kinds of model, how large, with which settings."""
    own = [
        click.option("--model", type=click.Choice(models), default=RULES, show_default=True, help="What to fit."),
        click.option(
            "--max-rules",
            type=SizeType(),
            metavar="N|auto|none",
            help="The most rules, or leaves of a tree; auto: as few as are about as good; none: no limit.  [rules: 20]",
        ),
        click.option(
            "--max-conditions",
            type=SizeType(),
            metavar="N|auto|none",
            help="The most conditions of a rule; auto: as few as are about as good; none: no limit.  [rules: auto]",
        ),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any parameter of the estimator."),
    ]
    return lambda command: _add(own, command)


no_data_option = click.option("--no-data", is_flag=True, help="Leave the table's rows out of the page.")
force_option = click.option("--force", is_flag=True, help="Replace a file that is there.")


def with_column_options(command: Any) -> Any:
    """Add the options that say what the columns of a table are, and how its file is read."""
    return _add(column_options, with_reading_options(command))


def with_reading_options(command: Any) -> Any:
    """Add the options that say how a file is read."""
    return _add(reading_options, command)


def _add(options: list[Option], command: Any) -> Any:
    for option in reversed(options):
        command = option(command)
    return command


def take_reading(given: dict[str, Any]) -> ReadOptions:
    """How files are read, out of what a command was given."""
    sep, decimal, encoding, na, no_default_na, no_header = (given.pop(name) for name in READING)
    return ReadOptions(
        sep=SIGNS.get(sep, sep),
        decimal=decimal,
        encoding=encoding,
        missing=(*(() if no_default_na else MISSING_WORDS), *na),
        header=not no_header,
    )


def take_columns(given: dict[str, Any]) -> Any:
    """What the columns of a table are, out of what a command was given."""
    from glade.cli.tables import TableOptions

    return TableOptions(reading=take_reading(given), **{name: given.pop(name) for name in COLUMNS})
