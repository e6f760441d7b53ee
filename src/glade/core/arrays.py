"""Arrays as kernels take them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to: pandas and memory maps hand out such arrays, and a kernel has one signature."""
    view = array.view()
    view.flags.writeable = False
    return view


CACHE_LINE = 64  # bytes that a processor fetches at once


def make_rows(n_rows: int, length: int) -> NDArray[np.float64]:
    """Rows of zeros that begin where a cache line does: a vector that lies across two lines costs twice as much.

    NumPy's own arrays begin anywhere.
    """
    size = n_rows * length
    room = np.zeros(size + CACHE_LINE // 8)
    start = -room.ctypes.data % CACHE_LINE // 8
    return room[start : start + size].reshape(n_rows, length)
