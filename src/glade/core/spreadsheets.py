"""Tables as CSV that is harmless in a spreadsheet."""

import re
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")  # harmless, though it may start like a formula


def to_csv(table: Any, raw: bool = False) -> str:
    """A table as CSV. Text that a spreadsheet would run as a formula is marked as text by an apostrophe, unless raw."""
    text: str = (table if raw else guard_formulas(table)).to_csv(index=False)
    return text


def guard_formulas(table: Any) -> Any:
    """Text cells and column names that start like formulas, with an apostrophe before them; numbers as they are.

    A label such as "-1" is a number too: programs read predicted classes back.
    """
    guarded = table.rename(columns=_guard).copy()
    for k, kind in enumerate(guarded.dtypes):
        if kind.kind not in "iufb":
            guarded.isetitem(k, guarded.iloc[:, k].astype(object).map(_guard, na_action="ignore"))
    return guarded


def _guard(cell: Any) -> Any:
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell
