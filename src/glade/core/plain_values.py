"""Which labels and parameters a model can keep, and how a model file writes them: as JSON that says each one's type.

None, booleans, whole numbers, finite floats, text and lists are themselves. All else is an object with one name, which
says what it is: `{"tuple": [1, 2]}`, `{"numpy": ["int32", 5]}`. A fit refuses labels of any other type, as a model with
them could not be saved.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

PLAIN = (type(None), bool, int, str)
SIZES = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64)}
NUMPY: dict[str, type[np.generic]] = {"bool": np.bool_, "str": np.str_}
NUMPY |= {f"{kind}{size}": np.dtype(f"{kind}{size}").type for kind, sizes in SIZES.items() for size in sizes}
NUMPY_NAMES = {kind: name for name, kind in NUMPY.items()}
SHORT = 8  # letters that a text in an array may lack of the longest, on average


class NotPlainError(TypeError):
    """A value that a model file cannot hold."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"of type {kind}")
        self.kind = kind


def to_json(value: Any) -> Any:
    """A value as JSON.

    >>> to_json((1, np.float32(0.5), {"a": None}))
    {'tuple': [1, {'numpy': ['float32', 0.5]}, {'mapping': [['a', None]]}]}
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
    if kind is np.ndarray and value.dtype.type in NUMPY_NAMES and not is_uneven(value.ravel().tolist()):
        return {"array": [NUMPY_NAMES[value.dtype.type], to_json(value.tolist())]}
    if kind.__module__.partition(".")[0] == "pandas" and kind.__name__ == "Interval":
        return {"interval": [to_json(value.left), to_json(value.right), value.closed]}
    raise NotPlainError(kind.__name__)


def is_uneven(leaves: Sequence[Any]) -> bool:
    """Whether an array of these texts, all of which are as long as the longest there, is much larger than they are."""
    lengths = [len(leaf) for leaf in leaves if isinstance(leaf, str)]
    return bool(lengths) and max(lengths) * len(lengths) > sum(lengths) + SHORT * len(lengths)


def find_strange(values: Iterable[Any]) -> tuple[Any, str] | None:
    """The first value that no model can keep, and the type that is the reason; None if there is none.

    >>> from decimal import Decimal
    >>> find_strange(["a", 1, (2, Decimal(3))])
    ((2, Decimal('3')), 'Decimal')
    """
    values = tuple(values)
    if set(map(type, values)) <= {*PLAIN, float}:
        return None
    for value in values:
        try:
            to_json(value)
        except NotPlainError as fault:
            return value, fault.kind
    return None
