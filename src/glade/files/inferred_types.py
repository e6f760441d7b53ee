"""Why a column of a CSV file is nominal, by the inferred types of its fields, and what would make numbers of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.advice import Advice, Setting
from glade.core.names import quote_name
from glade.files._fields import DECIMAL, LONG, TEXT, WHOLE, ZERO_LED
from glade.files.options import ReadOptions

MAX_LOOKED_AT = 200  # labels
MOSTLY = 0.5  # of the known values are numbers
SIGNS = "$€£¥%"


def explain_text(counts: NDArray[np.int64], first_lines: NDArray[np.int64], column: Any, options: ReadOptions) -> str:
    """The reason, with what to do about it; nothing where the column is plain text."""
    if_amounts = Advice(Setting("numeric", (str(column.name),)), " if they are amounts)")
    labels = [str(label) for label in column.cat.categories[:MAX_LOOKED_AT]]
    n_numbers = int(counts[[WHOLE, DECIMAL, ZERO_LED, LONG]].sum())
    if counts[TEXT] == 0 and counts[ZERO_LED]:
        return Advice(f"leading zeros, first in line {first_lines[ZERO_LED]} (", if_amounts)
    if counts[TEXT] == 0 and counts[LONG]:
        return Advice(f"whole numbers beyond 2**53, first in line {first_lines[LONG]} (", if_amounts)
    if n_numbers > MOSTLY * (n_numbers + counts[TEXT]):
        odd = next(label for label in map(str, column.cat.categories) if not is_number(label, options.decimal))
        return Advice(
            f"numbers, but {counts[TEXT]:,} value(s) such as {quote_name(odd)}, first in line {first_lines[TEXT]} (",
            Setting("missing", (odd,)),
            " if that means missing)",
        )
    return _explain_all_text(labels, options.decimal)


def _explain_all_text(labels: list[str], decimal: str) -> str:
    """Text that only looks like text: numbers written in another way."""
    if not labels:
        return "no value is known"
    other = "," if decimal == "." else "."
    example = f", as in {quote_name(labels[0])}"
    if all(is_number(label, other) for label in labels):
        sentence = f"decimal {'commas' if other == ',' else 'points'}{example} ("
        return Advice(sentence, Setting("decimal", other), " reads numbers)")
    thousands = f"numbers with {quote_name(other)} between thousands"
    ways: list[tuple[Callable[[str], bool], str, str]] = [
        (lambda label: is_number(label.replace(other, ""), decimal), thousands, "write them without"),
        (lambda label: is_number(label.strip().strip(SIGNS), decimal), "numbers with a sign", "write them without"),
        (lambda label: _has_unit(label, decimal), "numbers with a unit", "write them without"),
        (_is_date, "dates", "a year, a month or a number of days says more to a model"),
    ]
    for fits, what, remedy in ways:
        if all(map(fits, labels)):
            return f"{what}{example}: {remedy}"
    return ""


def _has_unit(label: str, decimal: str) -> bool:
    """A number and a word."""
    parts = label.split()
    return len(parts) == 2 and is_number(parts[0], decimal) and not any(c.isdigit() for c in parts[1])


def _is_date(label: str) -> bool:
    """Three numbers between the same signs, or in the ISO form with a time."""
    day = label.strip().replace("T", " ").split(" ")[0]
    return any(
        len(parts) == 3 and all(part.isdigit() and len(part) in (1, 2, 4) for part in parts)
        for parts in (day.split(sign) for sign in "-/.")
    )


def is_number(label: str, decimal: str = ".") -> bool:
    """Whether a text is a number, blanks around it or not.

    >>> [is_number(label) for label in ("-1.5e3", " 7 ", "1,5", "nan", "1_000", "")]
    [True, True, False, False, False, False]
    """
    if (decimal != "." and "." in label) or "_" in label or not any(letter.isdigit() for letter in label):
        return False
    try:
        float(label.replace(decimal, ".", 1))
    except ValueError:
        return False
    return True
