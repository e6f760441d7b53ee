"""Standard output and standard error, of which one may be closed: at the start, or by a reader that leaves."""

import errno
import os
import sys
from typing import IO, Any, TextIO

import click

from glade.core.errors import ResourceError
from glade.core.names import escape_controls
from glade.core.notices import say_aside

STANDARD = {"stdin": "r", "stdout": "w", "stderr": "w"}  # in the order of their numbers
NOWHERE: list[IO[Any]] = []  # streams that stand for closed ones


class ReaderLeftError(Exception):
    """Who read standard output has left before all was printed, and what was printed was all that was asked for."""


class Remarks:
    """What a command says of the files it writes: where it cannot be printed, the work goes on, and this remembers."""

    def __init__(self) -> None:
        self.fault: OSError | None = None

    def say(self, line: str) -> None:
        """Print a line, unless an earlier one could not be printed."""
        if self.fault is not None:
            return
        try:
            click.echo(line)
        except OSError as fault:
            self.fault = fault
            discard(sys.stdout)

    def settle(self) -> None:
        """Raise what went wrong; that a reader has left is his own affair."""
        fault, self.fault = self.fault, None
        if fault is not None and fault.errno != errno.EPIPE:
            raise OSError(fault.errno, f"{fault.strerror}: standard output was not written, but the files were")


REMARKS = Remarks()


def print_product(text: str) -> None:
    """Print what was asked for; it is an error if it cannot be printed."""
    if sys.stdout in (None, *NOWHERE):
        raise ResourceError("standard output is closed: what was to be printed is lost")
    try:
        click.echo(text)
    except BrokenPipeError:
        discard(sys.stdout)
        raise ReaderLeftError from None
    except OSError:
        discard(sys.stdout)
        raise


def say_note(text: str) -> None:
    """A note on standard error, whatever the names in it hold."""
    say_aside(f"note: {escape_controls(text)}\n")


def open_missing() -> None:
    """Let each standard stream that is closed lead nowhere.

    A file that is opened later would get its number, and what a library or a worker prints would be written into it.
    Nor do all libraries bear that Python has no such stream: joblib starts no worker then.
    """
    for number in range(len(STANDARD)):
        try:
            os.fstat(number)
        except OSError:
            _lead_nowhere(number)
    for name, mode in STANDARD.items():  # now none of them gets a standard number
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115  # for the whole process
            setattr(sys, name, stream)
            NOWHERE.append(stream)


def leave_nothing_unsaid() -> None:
    """Drop what can no longer be printed: Python would complain of it, and change the exit code, when it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            discard(stream)


def discard(stream: TextIO) -> None:
    """Let what is printed from now on vanish, with what waits to be printed."""
    _lead_nowhere(stream.fileno())


def _lead_nowhere(number: int) -> None:
    """Workers have this number too, so it is handed on to them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere == number:
        os.set_inheritable(number, True)
    else:
        os.dup2(nowhere, number)
        os.close(nowhere)
