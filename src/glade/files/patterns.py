"""Names of columns by patterns and ranges: `-t 'sp*'`, `-t sp1:sp20`."""

import fnmatch
from collections.abc import Sequence

from glade.core.errors import InputError
from glade.core.names import quote_name

SIGNS = "*?["
TO = ":"


def find_columns(given: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that names, patterns and ranges mean, in the order of the table for each.

    A column of that very name comes first, whatever signs its name holds.

    >>> find_columns(["sp*", "b:d"], ["id", "sp1", "sp2", "b", "c", "d"])
    ('sp1', 'sp2', 'b', 'c', 'd')
    """
    found: dict[str, None] = {}
    for text in given:
        own = [text] if text in columns else _find_range(text, columns) or _find_pattern(text, columns)
        found |= dict.fromkeys(own)
    return tuple(found)


def _find_range(text: str, columns: Sequence[str]) -> list[str]:
    """The columns from one to another."""
    for place in [k for k, sign in enumerate(text) if sign == TO]:
        first, last = text[:place], text[place + 1 :]
        if first in columns and last in columns:
            start, end = columns.index(first), columns.index(last)
            if end < start:
                raise InputError(
                    f"{quote_name(text)} is no range: {quote_name(last)} stands before {quote_name(first)}"
                )
            return list(columns[start : end + 1])
    return []


def _find_pattern(text: str, columns: Sequence[str]) -> list[str]:
    """The columns that a pattern fits; a name without a sign is left as it is, for others to say that it is none."""
    if not any(sign in text for sign in SIGNS):
        return [text]
    own = [name for name in columns if fnmatch.fnmatchcase(name, text)]
    if not own:
        raise InputError(f"no column fits the pattern {quote_name(text)}")
    return own
