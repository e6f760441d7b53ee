"""The commands, and what an error becomes: a sentence on standard error and an exit code.

The code for a reader that leaves (`glade rules m.glade | head`) is what a shell reports of a tool that dies of it."""

import atexit
import errno
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from glade import __version__
from glade.cli.app import app
from glade.cli.archetype import archetype
from glade.cli.check import check
from glade.cli.compare import compare
from glade.cli.demo import demo
from glade.cli.explain import explain
from glade.cli.export import export
from glade.cli.fit import fit
from glade.cli.predict import predict
from glade.cli.report import report
from glade.cli.rules import rules
from glade.cli.stability import stability
from glade.cli.streams import REMARKS, ReaderLeftError, leave_nothing_unsaid, open_missing
from glade.cli.terminal import progress_on_terminal
from glade.cli.warm_up import warm_up
from glade.cli.wording import word_for_shell
from glade.core.errors import InputError, ModelFileError, ResourceError
from glade.core.names import escape_controls
from glade.core.notices import say_aside

DONE, DEFECT, BAD_INPUT, BAD_MODEL, NO_RESOURCE, INTERRUPTED, READER_LEFT, TERMINATED = 0, 1, 2, 3, 4, 130, 141, 143
RESOURCE_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM}
SHORT_ANSWERS = {"-h", "--help", "--version"}  # need no library
TRACE = "GLADE_TRACEBACK"  # set it to see where a defect of ours lies

GONE = {
    "reproduce": "the published studies left the package in version 0.2.0; run python -m studies in a copy of glade's"
    " repository"
}


class Terminated(BaseException):
    """The process was asked to end."""


class Commands(click.Group):
    """The commands, and for those that are gone a word on what took their place."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; the error about one that is gone says where it went."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as fault:
            if args[0] not in GONE:
                raise
            raise click.UsageError(f"{fault.message.rstrip('.')}: {GONE[args[0]]}", ctx) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="glade")
def glade() -> None:
    """Accurate models you can read: trees, forests and rules for one target or many.

    Exit codes: 0 done (files are written, also where nobody reads what is printed), 1 a defect of glade, 2 something
    about the input, 3 about a model file, 4 about disk or memory, 130 and 143 interrupted, 141 the reader left before
    the predictions, rules or findings were all printed.
    """


COMMANDS = (fit, rules, predict, explain, export, archetype, report, check, compare, stability, demo, app, warm_up)

for command in COMMANDS:
    glade.add_command(command)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit."""
    open_missing()
    atexit.register(gc.freeze)  # else Python, as it ends, looks for garbage among all that was imported: half a second
    signal.signal(signal.SIGTERM, _terminate)
    code = run(arguments)
    leave_nothing_unsaid()
    for number in (signal.SIGINT, signal.SIGTERM):  # all is done: a signal while Python ends would give another code
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run a command; returns its exit code."""
    REMARKS.fault = None  # an earlier run in this process may have left one
    try:
        given = sys.argv[1:] if arguments is None else arguments
        if given and not SHORT_ANSWERS & set(given):
            with _signals_held(), _garbage_kept():
                import_module("glade.models.forest")
        with progress_on_terminal():
            result: Any = glade.main(given or ["--help"], prog_name="glade", standalone_mode=False)
        REMARKS.settle()
        return result if isinstance(result, int) else DONE
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.MissingParameter as fault:
        command = fault.ctx.command_path if fault.ctx else "glade"
        return _say(f"{fault.format_message().rstrip('.')}: {command} --help says what it takes", BAD_INPUT)
    except click.ClickException as fault:
        return _say(fault.format_message(), BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted; nothing is half-written, and what is finished in a store is kept", INTERRUPTED)
    except Terminated:
        return _say("terminated; nothing is half-written, and what is finished in a store is kept", TERMINATED)
    except InputError as fault:
        return _say(word_for_shell(fault.args[0]), BAD_INPUT)
    except ModelFileError as fault:
        return _say(str(fault), BAD_MODEL)
    except (ResourceError, MemoryError) as fault:
        return _say(str(fault) or "memory ran out", NO_RESOURCE)
    except (ReaderLeftError, SystemExit):  # click ends so when nobody reads its own texts, such as the help
        return READER_LEFT
    except OSError as fault:
        return _say(str(fault), NO_RESOURCE if fault.errno in RESOURCE_FAULTS else BAD_INPUT)
    except ImportError as fault:
        return _say(f"{fault}; install what is missing, e.g. pip install 'glade[plot,parquet]'", NO_RESOURCE)
    except Exception as fault:
        if os.environ.get(TRACE):
            raise
        return _say(f"a defect of glade: {type(fault).__name__}: {fault} (set {TRACE}=1 to see where)", DEFECT)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Signals wait: a library that catches all that happens while it is imported would take an interrupt for itself."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """No garbage is looked for: there is hardly any while much is imported, and to look takes a sixth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _say(message: str, code: int) -> int:
    say_aside(f"glade: {escape_controls(message)}\n")
    return code


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated
