"""How wide the terminal is, and text that fits it."""

import shutil
import textwrap
from collections.abc import Iterable, Sequence

from glade.core.layout import align_columns

PIPE = 120  # letters of a line where nobody says how many there are
LEAST = 40
GAP = 3
MIN_WORDS, MAX_WORDS = 24, 70  # letters of a rule in one line
LABEL = 9  # letters before what is said of a table: "note     "


def find_width() -> int:
    """The columns of the terminal, or those in the variable COLUMNS."""
    return max(shutil.get_terminal_size((PIPE, 24)).columns, LEAST)


def wrap(line: str, indent: int = LABEL) -> list[str]:
    """The lines of a sentence, the second and all others indented."""
    wrapped = textwrap.wrap(
        line, find_width(), subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return wrapped or [""]


def wrap_all(lines: Iterable[str], indent: int = LABEL) -> list[str]:
    """The lines of several sentences."""
    return [part for line in lines for part in wrap(line, indent)]


def fit_table(table: Sequence[Sequence[str]], to_right: Sequence[bool], words: int, most: int = MAX_WORDS) -> list[str]:
    """The lines of a table whose column `words` goes on in further lines; none if there is too little room for it."""
    others = [max(map(len, column)) for k, column in enumerate(zip(*table, strict=True)) if k != words]
    room = find_width() - sum(others) - GAP * len(others)
    if room < min(MIN_WORDS, max(len(row[words]) for row in table)):
        return []
    return align_columns(table, to_right, widest=min(room, most))


def end_with(done: str, following: str) -> list[str]:
    """What was written, and the command that may come next; a command is in one line, however long."""
    one = f"{done}      next: glade {following}"
    return [one] if len(one) <= find_width() else [*wrap(done), f"next: glade {following}"]
