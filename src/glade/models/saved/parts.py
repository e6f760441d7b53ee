"""What a model file holds: arrays and plain values by name, in parts within parts.

To store, a part is a dictionary of arrays, JSON values and further dictionaries. To read, it is a `FilePart`, which
returns nothing without a check of its type and shape.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import require as require

SEPARATOR = "/"
Kind = TypeVar("Kind")


class FilePart:
    """A part as it is read.

    Parameters
    ----------
    values
        JSON values by name; those that are dictionaries are further parts.
    arrays
        Arrays by their whole name, "part/within/name".
    place
        The whole name of this part, with a separator at its end.

    Examples
    --------
    >>> part = FilePart({"seed": 3, "tree": {}}, {"tree/depth": np.zeros(2, np.int32)})
    >>> part.value("seed", int), part.part("tree").array("depth", np.int32, 2).tolist()
    (3, [0, 0])
    >>> part.part("tree").array("depth", np.float64, 2)
    Traceback (most recent call last):
    ...
    glade.core.errors.ModelFileError: 'tree/depth' holds int32, not float64
    """

    def __init__(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]], place: str = ""):
        self._values = values
        self._arrays = arrays
        self._place = place

    def __contains__(self, name: str) -> bool:
        return name in self._values or self._place + name in self._arrays

    def part(self, name: str) -> "FilePart":
        """A part within."""
        return FilePart(self.value(name, dict), self._arrays, f"{self._place}{name}{SEPARATOR}")

    def value(self, name: str, kind: type[Kind]) -> Kind:
        """A JSON value of this very type: True is no whole number, 1 no fraction."""
        require(name in self._values, f"'{self._place}{name}' is missing")
        value = self._values[name]
        require(type(value) is kind, f"'{self._place}{name}' is no {kind.__name__}")
        return value

    def array(self, name: str, dtype: Any, *shape: int | None) -> NDArray[Any]:
        """An array of this type and shape; None stands for any length."""
        place = self._place + name
        require(place in self._arrays, f"'{place}' is missing")
        array, kind = self._arrays[place], np.dtype(dtype)
        require(array.dtype == kind, f"'{place}' holds {array.dtype}, not {kind}")
        fits = array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
        require(fits, f"'{place}' has the shape {array.shape}, which does not fit the rest")
        return array

    def numbers(self, name: str, *shape: int | None) -> NDArray[np.float64]:
        """An array of finite floats."""
        array = self.array(name, np.float64, *shape)
        require(np.isfinite(array).all(), f"'{self._place}{name}' holds NaN or infinity")
        return array

    def lengths(self, name: str, n: int | None, total: int) -> NDArray[np.int64]:
        """How many entries of another array each of n things has; they take all of them."""
        lengths = self.array(name, np.int64, n)
        in_range = ((lengths >= 0) & (lengths <= total)).all()  # then their sum is no overflow
        require(in_range and int(lengths.sum()) == total, f"'{self._place}{name}' does not divide {total} entries")
        return lengths


def flatten(content: dict[str, Any], place: str = "") -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The JSON values and the arrays of a part to store: what `FilePart` takes."""
    values: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in content.items():
        if isinstance(value, np.ndarray):
            arrays[place + name] = value
        elif isinstance(value, dict):
            values[name], within = flatten(value, f"{place}{name}{SEPARATOR}")
            arrays |= within
        else:
            values[name] = value
    return values, arrays


def join_arrays(parts: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    """All of them in a row, along the first axis; an empty array where there is none."""
    return np.concatenate(parts).astype(dtype, copy=False) if len(parts) else np.empty(0, dtype)
