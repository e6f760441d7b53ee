"""Values of a target so far from all others that one of them would decide what is learnt."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.core.names import quote_name
from glade.data.columns import Column

ROWS_PER_OUTLIER = 1_000  # an outlier is one of at most so few, at either end
FAR = 10.0  # times the range of all others


def pull_in_outliers(column: Column, rows: NDArray[np.intp]) -> tuple[Column, list[str]]:
    """A numeric target with its outliers moved to the nearest value that is none, and a sentence that says so.

    Squares make a lone faulty reading (a river at 78.9 in one hour, at 3.5 before and after) count for more than all
    other rows together. Long tails are not meant: the distance is ten times the range of the values within.

    Parameters
    ----------
    column
        As read; unknown values are NaN.
    rows
        The positions of its values in the table as given.
    """
    is_known = ~np.isnan(column.values)
    n_apart = int(is_known.sum()) // ROWS_PER_OUTLIER
    if column.labels is not None or n_apart == 0:
        return column, []
    known = np.sort(column.values[is_known])
    inner = known[n_apart:-n_apart]
    reach = FAR * (inner[-1] - inner[0])
    near = known[(known >= inner[0] - reach) & (known <= inner[-1] + reach)]
    values = np.clip(column.values, near[0], near[-1])
    moved = np.flatnonzero(is_known & (values != column.values))
    if reach == 0.0 or len(moved) == 0:
        return column, []
    first = moved[0]
    more = f" (and {len(moved) - 1} more like it)" if len(moved) > 1 else ""
    alert = (
        f"target {quote_name(column.name)} is {column.values[first]:.6g} in row {int(rows[first])}{more}, far from all"
        f" other values: rules are found as if it were {values[first]:.6g}; if it is an error, correct it or leave out"
        " the row"
    )
    return replace(column, values=values), [alert]
