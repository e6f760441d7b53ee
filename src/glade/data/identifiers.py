"""Columns that name or number the rows instead of saying something of them."""

import numpy as np
from numpy.typing import NDArray

from glade.data.columns import NOMINAL, NUMERIC, Column

MIN_LABELS, MIN_SHARE = 100, 0.9  # more categories than this, for nearly as many rows
MIN_NUMBERED = 20  # in fewer rows, whole numbers may be consecutive by chance


def looks_like_identifier(column: Column) -> bool:
    """Whether a column has a label of its own for nearly every row, or numbers the rows.

    >>> looks_like_identifier(Column("id", NUMERIC, np.arange(500.0)[::-1]))
    True
    >>> looks_like_identifier(Column("size", NUMERIC, np.arange(500.0) ** 2))
    False
    """
    return labels_each_row(column) or _numbers_rows(column)


def labels_each_row(column: Column) -> bool:
    """Whether a nominal column has a category of its own for nearly every row."""
    if column.kind != NOMINAL or len(column.labels or ()) <= MIN_LABELS:
        return False
    counts = count_labels(column)
    return bool(np.count_nonzero(counts) > MIN_SHARE * counts.sum())


def count_labels(column: Column) -> NDArray[np.int64]:
    """How many rows have each label."""
    known = column.values[~np.isnan(column.values)]
    return np.bincount(known.astype(np.int64), minlength=len(column.labels or ()))


def _numbers_rows(column: Column) -> bool:
    """Whether the values are consecutive whole numbers, each once, in whatever order."""
    if column.kind != NUMERIC or len(column.values) < MIN_NUMBERED:
        return False
    return bool((np.diff(np.sort(column.values)) == 1.0).all())
