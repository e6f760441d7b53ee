"""Labels and parameters back from JSON, each with its type; `core.plain_values` says how they are written."""

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from glade.core.errors import ModelFileError
from glade.core.plain_values import NUMPY, PLAIN
from glade.models.saved.parts import require

ENDLESS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
MAX_DEPTH = 20  # of lists within lists


def from_json(value: Any, depth: int = 0) -> Any:
    """The value back.

    >>> from glade.core.plain_values import to_json
    >>> from_json(to_json((1, np.float32(0.5), {"a": None})))
    (1, np.float32(0.5), {'a': None})
    """
    require(depth < MAX_DEPTH, "a value is nested too deeply")
    if type(value) in (*PLAIN, float):
        return value
    if isinstance(value, list):
        return [from_json(item, depth + 1) for item in value]
    require(isinstance(value, dict) and len(value) == 1, "a value is of no known kind")
    ((name, content),) = value.items()
    require(name in READERS, f"a value is of no known kind ({name})")
    try:
        return READERS[name](from_json(content, depth + 1))
    except ModelFileError:
        raise
    except (TypeError, ValueError, OverflowError, KeyError) as fault:
        raise ModelFileError(f"a value ({name}) cannot be read: {fault}") from None


def _read_scalar(content: list[Any]) -> Any:
    name, value = content
    scalar = NUMPY[name](value)
    require(type(value) in (bool, int, float, str) and _is_same(scalar.item(), value), f"a value is no {name}")
    return scalar


def _read_array(content: list[Any]) -> Any:
    name, values = content
    array = np.array(values, dtype=NUMPY[name])
    require(isinstance(values, list) and array.tolist() == values, f"a list does not hold {name} only")
    return array


def _read_mapping(pairs: list[Any]) -> dict[Hashable, Any]:
    mapping = dict(pairs)
    require(len(mapping) == len(pairs), "a mapping has a key twice")
    return mapping


def _read_interval(content: list[Any]) -> Any:
    import pandas as pd

    left, right, closed = content
    require(all(isinstance(edge, (int, float, np.number)) for edge in (left, right)), "an interval has no numbers")
    return pd.Interval(left, right, closed)


def _is_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or (a != a and b != b))


READERS: dict[str, Callable[[Any], Any]] = {
    "float": ENDLESS.__getitem__,
    "tuple": tuple,
    "mapping": _read_mapping,
    "numpy": _read_scalar,
    "array": _read_array,
    "interval": _read_interval,
}
