"""What every solver is given: terms, rows with targets, and rows to judge the weights by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, TargetRows


@dataclass(frozen=True)
class Problem:
    """Terms, the rows to find their weights on, and where there are some, rows that had no part in either.

    Numeric targets come centred, in units of their standard deviation, times the root of their weight. `supports` are
    small models that are ready made but for their weights: terms, for each of the first sizes of a path.
    """

    design: Design
    rows: TargetRows
    held_out: TargetRows | None = None
    supports: tuple[NDArray[np.int64], ...] = ()


def find_row_errors(rows: TargetRows, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each row its part in the mean squared errors of all columns of y: their mean is the errors' sum."""
    known = ~np.isnan(rows.y)
    counts = rows.counts[:, None] * known
    square = np.where(known, (predicted - np.where(known, rows.y, 0.0)) ** 2, 0.0)
    return len(known) * (counts * square / np.maximum(counts.sum(axis=0), 1e-300)).sum(axis=1)
