"""Errors that are not defects of ours."""

from typing import Any


class InputError(ValueError):
    """What was given cannot be used: the message says what, where, and what to do. The command line exits with 2."""


class ResourceError(RuntimeError):
    """The machine has not what the work needs: memory, disk, workers. The command line exits with 4."""


class ModelFileError(ValueError):
    """A file holds no model that can be used: of another kind, damaged, or newer. The command line exits with 3."""


def require(is_so: Any, fault: str) -> None:
    """Refuse a model file, and say what is wrong with it, unless something is so."""
    if not is_so:
        raise ModelFileError(fault)
