"""Tables as text."""

import textwrap
from collections.abc import Sequence
from decimal import Decimal
from itertools import zip_longest

from glade.core.names import escape_markdown


def align_columns(
    table: Sequence[Sequence[str]], to_right: Sequence[bool], gap: str = "   ", widest: int | None = None
) -> list[str]:
    """Lines with the cells of each column under one another, words to the left and numbers to the right.

    Words that take more than `widest` letters go on in the next line.

    >>> print("\\n".join(align_columns([["tree", "7"], ["big tree", "12"]], [False, True])))
    tree        7
    big tree   12
    >>> print("\\n".join(align_columns([["a tall old tree", "7"]], [False, True], widest=10)))
    a tall old   7
      tree
    """
    if widest is not None:
        table = [line for row in table for line in _break_row(row, to_right, widest)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        gap.join(
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(row, widths, to_right, strict=True)
        ).rstrip()
        for row in table
    ]


def _break_row(row: Sequence[str], to_right: Sequence[bool], widest: int) -> list[tuple[str, ...]]:
    """The lines of a row; what is not words stands in the first."""
    cells = [
        [cell] if is_right or len(cell) <= widest else _break_words(cell, widest)
        for cell, is_right in zip(row, to_right, strict=True)
    ]
    return list(zip_longest(*cells, fillvalue=""))


def _break_words(text: str, widest: int) -> list[str]:
    wrapper = textwrap.TextWrapper(widest, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(text) or [text]


def align_markdown(table: Sequence[Sequence[str]], to_right: Sequence[bool]) -> list[str]:
    """The lines of a Markdown table whose first row is the header; each cell reads as it is given.

    >>> print("\\n".join(align_markdown([["model", "leaves"], ["a|b", "7"]], [False, True])))
    | model | leaves |
    |---|---:|
    | a\\|b | 7 |
    """
    lines = ["| " + " | ".join(map(escape_markdown, row)) + " |" for row in table]
    rule = "|" + "|".join("---:" if is_right else "---" for is_right in to_right) + "|"
    return [lines[0], rule, *lines[1:]]


def show_count(number: int) -> str:
    """A whole number in full, or as a power of ten; no double could hold the largest.

    >>> show_count(59674), show_count(31 * 10**37)
    ('59,674', '3.1e+38')
    """
    return f"{number:,}" if number < 10**6 else f"{Decimal(number):.1e}"
