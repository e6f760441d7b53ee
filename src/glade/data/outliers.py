"""Values of a target so far from all others that one of them would decide what is learnt."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.core.names import quote_name
from glade.data.columns import Column

ROWS_PER_OUTLIER, MOST = 1_000, 5  # at either end one in so many rows may be an outlier, and at most so many in all
FAR = 10.0  # times the range of all others


def pull_in_outliers(column: Column, rows: NDArray[np.intp]) -> tuple[Column, list[str]]:
    """A numeric target with its outliers moved to the nearest value that is none, and a sentence that says so.

    Squares make a lone faulty reading (a river at 78.9 in one hour, at 3.5 before and after) count for more than all
    other rows together. An outlier has a gap of ten times the range of the others between it and the next value: long
    tails have no such gap. Where half of the values are the same, others are events, not errors.

    Parameters
    ----------
    column
        As read; unknown values are NaN.
    rows
        The positions of its values in the table as given.
    """
    is_known = ~np.isnan(column.values)
    n_apart = min(int(is_known.sum()) // ROWS_PER_OUTLIER, MOST)
    if column.labels is not None or n_apart == 0:
        return column, []
    known = np.sort(column.values[is_known])
    quarter = len(known) // 4
    if known[quarter] == known[-1 - quarter]:
        return column, []
    with np.errstate(over="ignore"):  # an infinite reach moves nothing
        reach = FAR * (known[-1 - n_apart] - known[n_apart])
        is_far = np.diff(known) > reach
    below = np.flatnonzero(is_far[:n_apart])
    above = np.flatnonzero(is_far[-n_apart:])
    lowest = known[below[-1] + 1] if len(below) else known[0]
    highest = known[len(known) - 1 - n_apart + above[0]] if len(above) else known[-1]
    values = np.clip(column.values, lowest, highest)
    moved = np.flatnonzero(is_known & (values != column.values))
    if len(moved) == 0:
        return column, []
    first, more = moved[0], len(moved) - 1
    others = f" (and {more} more like it)" if more else ""
    alert = (
        f"target {quote_name(column.name)} is {column.values[first]:.6g} in row {int(rows[first])}{others}, far from"
        f" all other values: it is learnt as if it were {values[first]:.6g}; correct it, or leave it out, if it is an"
        " error"
    )
    return replace(column, values=values), [alert]
