"""What commands write and print: checked before any work, whole or not at all, and harmless in a spreadsheet.

A command that writes a file writes it before it prints anything long, and what it prints are remarks (`tell_lines`): it
goes on where nobody reads them. What a command is asked to print is its product (`echo_lines`, `echo_data`)."""

import math
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from glade.cli.streams import REMARKS, print_product
from glade.core.errors import InputError
from glade.core.files import write_whole
from glade.core.names import escape_controls, quote_name
from glade.core.progress import is_terminal


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines that were asked for on standard output, whatever the names in them hold."""
    for line in lines:
        print_product(escape_controls(line))


def tell_lines(lines: Iterable[str]) -> None:
    """Print lines about files that are written on standard output: where nobody reads them, the work goes on."""
    for line in lines:
        REMARKS.say(escape_controls(line))


def echo_data(text: str) -> None:
    """Print what a program may read: as it is, but on a terminal harmless."""
    if is_terminal(sys.stdout):
        echo_lines(text.splitlines())
    else:
        print_product(text.rstrip("\n"))


def show_amount(value: float) -> str:
    """A number to four digits, as a person writes it.

    >>> [show_amount(value) for value in (60111.7, 0.01234567, 3.5, 1e-9, float("nan"))]
    ['60,112', '0.01235', '3.5', '1e-09', '-']
    """
    if math.isnan(value):
        return "-"
    is_plain = value == 0 or 1e-4 <= abs(value) < 1e9
    return f"{value:,.0f}" if is_plain and abs(value) >= 1e4 else f"{value:.4g}"


def check_folder(path: str | Path) -> None:
    """There is a folder to write a file to."""
    if not Path(path).parent.is_dir():
        raise InputError(f"there is no folder {quote_name(Path(path).parent)} to write {Path(path).name} to")


def check_output(path: str | Path, force: bool) -> None:
    """A file can be written, and none is lost unless the user says so."""
    check_folder(path)
    if Path(path).is_dir():
        raise InputError(f"{quote_name(path)} is a folder: name a file")
    if os.path.isfile(path) and not force:
        raise InputError(f"{quote_name(path)} is there already: --force to replace it, -o to write another file")


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_whole(Path(path), text.encode())
