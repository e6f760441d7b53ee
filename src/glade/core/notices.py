"""What a user is told beside the results: warnings that point at their own line, remarks on standard error."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

PASSED_OVER = ("glade", "sklearn", "joblib")  # packages between a user's line and the warning


def warn_user(message: str) -> None:
    """Warn at the line of code that called into glade, however deep the cause lies."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in PASSED_OVER:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)


def say_aside(text: str, stream: TextIO | None = None) -> None:
    """Write a remark on standard error, or on another stream; the work goes on where nobody reads it (any more)."""
    stream = sys.stderr if stream is None else stream  # None where the process was started without one
    if stream is not None:
        with suppress(OSError, ValueError):  # ValueError: a stream that Python has closed
            stream.write(text)
            stream.flush()


@contextmanager
def silence_warnings() -> Iterator[None]:
    """Leave out warnings that would only repeat what is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
