"""Arrays as kernels take them."""

from typing import Any

from numpy.typing import NDArray


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to: pandas and memory maps hand out such arrays, and a kernel has one signature."""
    view = array.view()
    view.flags.writeable = False
    return view
