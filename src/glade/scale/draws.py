"""Draws that depend on the number of a row in the whole table and on a seed, and on nothing else.

However a table is divided, and whoever reads a part of it, a row is drawn or not, and belongs to its fold.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLE, FOLD, JUDGE, TREES = 1, 2, 3, 4  # what is drawn for; from the last on, each is for some trees
STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64, by Steele, Lea and Flood (2014)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
UNIT = 2.0**-53


def draw_uniform(seed: int, purpose: int, numbers: NDArray[Any]) -> NDArray[np.float64]:
    """A number from 0 to 1 for each of these row numbers.

    >>> draw_uniform(0, SAMPLE, np.array([0, 1, 10**12])).round(3).tolist()
    [0.479, 0.75, 0.246]
    """
    with np.errstate(over="ignore"):
        key = _mix(np.uint64(seed) * STEP + np.uint64(purpose))
        return (_mix(numbers.astype(np.uint64) * STEP + key) >> np.uint64(11)).astype(np.float64) * UNIT


def draw_folds(seed: int, n_folds: int, numbers: NDArray[Any]) -> NDArray[np.int64]:
    """The fold of each of these rows, or of each of these groups."""
    return (draw_uniform(seed, FOLD, numbers) * n_folds).astype(np.int64)


def number_groups(labels: Any) -> NDArray[np.uint64]:
    """A number for each label of a group that depends on the label alone.

    >>> bool((number_groups(["a", "b"]) == number_groups(["c", "a", "b"])[1:]).all())
    True
    """
    import pandas as pd

    return np.asarray(pd.util.hash_array(np.asarray(labels, dtype=object).astype(str).astype(object)))


def _mix(state: Any) -> Any:
    state = (state ^ (state >> np.uint64(30))) * FIRST
    state = (state ^ (state >> np.uint64(27))) * SECOND
    return state ^ (state >> np.uint64(31))
