"""Labels and parameters as JSON, so that each comes back with its type.

None, booleans, whole numbers, finite floats, text and lists are themselves. All else is an object with one name, which
says what it is: `{"tuple": [1, 2]}`, `{"numpy": ["int32", 5]}`.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from glade.core.errors import ModelFileError
from glade.models.saved.parts import require

PLAIN = (type(None), bool, int, str)
SIZES = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64)}
NUMPY: dict[str, type[np.generic]] = {"bool": np.bool_, "str": np.str_}
NUMPY |= {f"{kind}{size}": np.dtype(f"{kind}{size}").type for kind, sizes in SIZES.items() for size in sizes}
NUMPY_NAMES = {kind: name for name, kind in NUMPY.items()}
ENDLESS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
MAX_DEPTH = 20  # of lists within lists
MAX_ALIKE = 1000  # values of the same hash: dictionaries of more take for ever
SHORT = 8  # letters that a text in an array may lack of the longest, on average


class NotPlainError(TypeError):
    """A value that a model file cannot hold."""


def to_json(value: Any) -> Any:
    """A value as JSON.

    >>> to_json((1, np.float32(0.5), {"a": None}))
    {'tuple': [1, {'numpy': ['float32', 0.5]}, {'mapping': [['a', None]]}]}
    >>> from_json(to_json((1, np.float32(0.5), {"a": None})))
    (1, np.float32(0.5), {'a': None})
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if kind is list:
        return [to_json(item) for item in value]
    if kind is tuple:
        return {"tuple": [to_json(item) for item in value]}
    if kind is dict:
        return {"mapping": [[to_json(key), to_json(item)] for key, item in value.items()]}
    if kind in NUMPY_NAMES:
        return {"numpy": [NUMPY_NAMES[kind], to_json(value.item())]}
    if kind is np.ndarray and value.dtype.type in NUMPY_NAMES and not _is_uneven(value.ravel().tolist()):
        return {"array": [NUMPY_NAMES[value.dtype.type], to_json(value.tolist())]}
    if kind.__module__.partition(".")[0] == "pandas" and kind.__name__ == "Interval":
        return {"interval": [to_json(value.left), to_json(value.right), value.closed]}
    raise NotPlainError(f"of type {kind.__name__}")


def from_json(value: Any, depth: int = 0) -> Any:
    """The value back; lists are the same lists, so that very many of them are in memory once."""
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
    require(not _is_uneven(leaves), "an array of text has a text far longer than the others")
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


def _is_uneven(leaves: Sequence[Any]) -> bool:
    """Whether an array of these texts, all of which are as long as the longest there, is much larger than they are."""
    lengths = [len(leaf) for leaf in leaves if isinstance(leaf, str)]
    return bool(lengths) and max(lengths) * len(lengths) > sum(lengths) + SHORT * len(lengths)


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
