"""Labels and parameters back from JSON, each with its type; `core.plain_values` says how they are written."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from glade.core.errors import ModelFileError
from glade.core.plain_values import NUMPY, PLAIN, is_uneven
from glade.models.saved.parts import require

ENDLESS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
MAX_DEPTH = 20  # of lists within lists
MAX_ALIKE = 1000  # values of the same hash: dictionaries of more take for ever


def from_json(value: Any, depth: int = 0) -> Any:
    """The value back; lists are the same lists, so that very many of them are in memory once.

    >>> from glade.core.plain_values import to_json
    >>> from_json(to_json((1, np.float32(0.5), {"a": None})))
    (1, np.float32(0.5), {'a': None})
    """
    require(depth < MAX_DEPTH, "a value is nested too deeply")
    if type(value) in (*PLAIN, float):
        return value
    if isinstance(value, list):
        for k, item in enumerate(value):
            value[k] = from_json(item, depth + 1)
        return value
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
    leaves = list(_list_leaves(values))
    require(isinstance(values, list) and are_all(leaves, name), f"a list does not hold {name} only")
    require(not is_uneven(leaves), "an array of text has a text far longer than the others")
    array = np.array(values, dtype=NUMPY[name])
    flat = array.ravel()  # ragged lists are none, so that no other shape has the same leaves
    is_same = flat.tolist() == leaves or (flat.dtype.kind == "f" and np.array_equal(flat, leaves, equal_nan=True))
    require(is_same, f"a list does not hold {name} only")
    return array


def _list_leaves(value: Any) -> Iterator[Any]:
    """What is in lists within lists."""
    if isinstance(value, list):
        for item in value:
            yield from _list_leaves(item)
    else:
        yield value


def are_all(values: Sequence[Any], name: str) -> bool:
    """Whether all values are of the Python type that NumPy gives for this type of its own.

    >>> are_all([1, 2], "int32"), are_all([1, True], "int32"), are_all(["a"], "str")
    (True, False, True)
    """
    kind = type(np.zeros(1, NUMPY[name]).item())
    return all(type(value) is kind for value in values)


def are_distinct(values: Sequence[Hashable]) -> bool:
    """Whether no two values are equal, without a set of all of them.

    >>> are_distinct([1, "a", 2.5]), are_distinct([1, 1.0]), are_distinct([-1, -2])
    (True, False, True)
    """
    hashes = np.fromiter(map(hash, values), np.int64, len(values))
    in_order = np.sort(hashes)
    shared = in_order[1:][in_order[1:] == in_order[:-1]]
    require(len(shared) <= MAX_ALIKE, "too many values are equal, or are made to look alike")
    alike = [values[k] for k in np.flatnonzero(np.isin(hashes, shared)).tolist()] if len(shared) else []
    return len(set(alike)) == len(alike)


def _read_mapping(pairs: list[Any]) -> dict[Hashable, Any]:
    require(all(isinstance(pair, list) and len(pair) == 2 for pair in pairs), "a mapping is not one of pairs")
    require(are_distinct([key for key, _ in pairs]), "a mapping has a key twice")
    return dict(pairs)


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
