"""What a division of the rows reduces: the criteria by name, and what each measures on all rows.

The growth kernels know a criterion by its number (`grow/_criteria.py`).
"""

import numpy as np
from numpy.typing import NDArray

SQUARES, ENTROPY = 0, 1
NUMBERS = {"variance": SQUARES, "gini": SQUARES, "entropy": ENTROPY}


def measure_impurity(indicator: NDArray[np.float64], weights: NDArray[np.float64], criterion: str) -> float:
    """Return the impurity of a nominal target: its Gini index, or its entropy in bits.

    Parameters
    ----------
    indicator
        Rows x classes, 1 for the class of a row.
    weights
        Of the rows.
    criterion
        The name.
    """
    p = np.average(indicator, axis=0, weights=weights)
    if criterion == "gini":
        return float(1.0 - np.sum(p * p))
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))
