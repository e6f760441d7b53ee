"""Rows of whatever holds columns."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def take_rows(data: Any, rows: NDArray[np.int64]) -> Any:
    """These rows, by position, of an array, a list or a dataframe of any library; of the kind that came in.

    >>> take_rows([10, 20, 30], np.array([2, 0]))
    [30, 10]
    """
    if hasattr(data, "iloc"):  # pandas
        return data.iloc[rows]
    if isinstance(data, (list, tuple)):
        return type(data)(data[i] for i in rows)
    if hasattr(data, "take") and not isinstance(data, np.ndarray):  # pyarrow
        return data.take(rows)
    return data[rows]
