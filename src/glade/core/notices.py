"""Warnings that point at the user's own line."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

PASSED_OVER = ("glade", "sklearn", "joblib")  # packages between a user's line and the warning


def warn_user(message: str) -> None:
    """Warn at the line of code that called into glade, however deep the cause lies."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in PASSED_OVER:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)


@contextmanager
def silence_warnings() -> Iterator[None]:
    """Leave out warnings that would only repeat what is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
