"""Rows of whatever holds columns."""

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from glade.data.columns import Column

SHARE_OF_RARE = 0.5  # of a sample: what classes get in equal parts, if they have so many rows


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


def sample_rows(targets: Sequence[Column], rows: NDArray[np.bool_], most: int, seed: int) -> NDArray[np.bool_]:
    """About `most` of the marked rows, drawn without replacement.

    Of a single nominal target no class is left with few rows that has many: one in two hundred is what somebody looks
    for.

    >>> from glade.data.columns import NOMINAL
    >>> rare = Column("died", NOMINAL, (np.arange(10_000) % 200 == 0) * 1.0, ("no", "yes"))
    >>> drawn = sample_rows([rare], np.ones(10_000, bool), 1_000, seed=0)
    >>> int(drawn.sum()), int(rare.values[drawn].sum())
    (1045, 50)
    """
    places, random = np.flatnonzero(rows), np.random.default_rng(seed)
    drawn = np.zeros(len(rows), bool)
    labels = targets[0].labels
    if len(targets) > 1 or labels is None:
        drawn[random.choice(places, most, replace=False)] = True
        return drawn
    for own in (places[targets[0].values[places] == k] for k in range(len(labels))):
        n_equal = min(len(own), int(SHARE_OF_RARE * most / len(labels)))
        n_drawn = max(n_equal, len(own) * most // len(places))
        drawn[random.choice(own, n_drawn, replace=False)] = True
    return drawn
