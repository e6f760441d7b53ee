"""Arrays as kernels take them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to: pandas and memory maps hand out such arrays, and a kernel has one signature."""
    view = array.view()
    view.flags.writeable = False
    return view


def join(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The arrays one after another; one alone is not copied."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def measure(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and standard deviation, computed from the values times a power of two: squares of huge ones are no doubles.

    Nothing is lost by that, so values of common sizes have the mean and the deviation that NumPy gives them.

    >>> measure(np.array([1e300, 3e300])) == (2e300, 1e300)
    True
    """
    exponent = int(np.frexp(np.abs(values).max())[1])
    scaled = np.ldexp(values, -exponent)
    return math.ldexp(float(scaled.mean()), exponent), math.ldexp(float(scaled.std()), exponent)
