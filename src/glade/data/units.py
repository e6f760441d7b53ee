"""Numbers whose squares are doubles."""

import numpy as np
from numpy.typing import NDArray

SQUARED_FROM, SQUARED_TO = 1e-140, 1e140  # between these, numbers have squares that are doubles, and sums of them too


def find_unit(*values: NDArray[np.float64]) -> float:
    """Return what numbers are divided by before they are squared: 1, unless squares would be no doubles.

    >>> find_unit(np.array([3.0, -2.0])), find_unit(np.array([1e300]), np.array([-2e300]))
    (1.0, 2e+300)
    """
    largest = max(float(np.abs(own).max(initial=0.0)) for own in values)
    return 1.0 if largest == 0.0 or SQUARED_FROM < largest < SQUARED_TO else largest
