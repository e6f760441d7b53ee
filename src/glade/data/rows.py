"""Rows of whatever holds columns."""

from typing import Any

import narwhals.stable.v2 as nw
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


def recombine_rows(data: Any, rows: NDArray[np.int64]) -> Any:
    """A table whose cell (i, j) is that of row rows[i, j] in column j; of the kind that came in.

    >>> recombine_rows(np.array([[1, 2], [3, 4]]), np.array([[0, 1], [1, 1]])).tolist()
    [[1, 4], [3, 4]]
    """
    if isinstance(data, np.ndarray):
        return np.take_along_axis(data, rows, axis=0)
    if hasattr(data, "iloc"):
        import pandas as pd

        frame = pd.DataFrame({j: data.iloc[:, j].array.take(rows[:, j]) for j in range(rows.shape[1])})
        frame.columns = data.columns
        return frame
    frame = nw.from_native(data, eager_only=True)
    columns = {name: frame[name][rows[:, j]] for j, name in enumerate(frame.columns)}
    return nw.from_dict(columns, backend=frame.implementation).to_native()
