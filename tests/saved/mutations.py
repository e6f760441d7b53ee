"""Damage to model files: by accident, which the digest tells, and by design, with the digest made anew.

What is made by design is wrong in one place, or is meant to take far more memory or time than the file is large.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from glade.models.saved.container import DIGEST, VERSION, pack, unpack

Content = tuple[dict[str, Any], dict[str, np.ndarray]]
Mutation = Callable[[bytes, bytes, np.random.Generator], bytes]

STRANGE_VALUES = (None, True, -1, 0, 1, 2**31, 2**70, 0.5, 1e308, "", "x", [], {}, [[]], {"tuple": []}, [None, None])
STRANGE_NUMBERS = (0, -1, 1, -2, 2**31 - 1, -(2**31), np.nan, np.inf, -np.inf, 1e308, -0.5, 5e-324)


def truncate(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """The beginning of a file."""
    return content[: int(rng.integers(len(content)))]


def flip_bits(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """A file with some bits changed, half of the time in its header."""
    damaged = bytearray(content)
    header = 8 + int.from_bytes(content[:8], "little")
    for _ in range(int(rng.integers(1, 4))):
        at = rng.integers(header if rng.random() < 0.5 else len(content))
        damaged[at] ^= 1 << int(rng.integers(8))
    return bytes(damaged)


def splice(content: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """A file that goes on as another one, or in which a piece has another place."""
    at, length = (int(n) for n in rng.integers(1, len(content), 2))
    if rng.random() < 0.5:
        return content[:at] + other[at:]
    to = int(rng.integers(len(content)))
    return content[:to] + content[at : at + length] + content[to + length :]


def change_value(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """One value of the document is another one, or not there."""
    document, arrays = open_content(content)
    places = list(_list_places(document))
    holder, key = places[int(rng.integers(len(places)))]
    if rng.random() < 0.2:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(STRANGE_VALUES[int(rng.integers(len(STRANGE_VALUES)))])
    return pack(document, arrays)


def change_number(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """One entry of an array is one that no model would have."""
    document, arrays = open_content(content)
    name = _pick_array(arrays, rng)
    array = arrays[name].copy()
    if array.size:
        at = int(rng.integers(array.size))
        strange = [x for x in STRANGE_NUMBERS if array.dtype.kind == "f" or np.isfinite(x)]
        value = strange[int(rng.integers(len(strange)))]
        near = array.flat[at] + rng.integers(-3, 4) if array.dtype.kind == "i" else value
        array.flat[at] = np.asarray(near if rng.random() < 0.5 else value).astype(array.dtype)
    return pack(document, {**arrays, name: array})


def change_shape(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """An array is shorter, longer, of another type, of another order, or gone."""
    document, arrays = open_content(content)
    name = _pick_array(arrays, rng)
    array = arrays.pop(name)
    changed = (
        lambda: array[:-1],
        lambda: np.concatenate((array, array[:1])),
        lambda: array.astype(np.float32),
        lambda: array.astype(np.int64 if array.dtype == np.int32 else np.int32),
        lambda: array[::-1],
        lambda: array[:, None],
        lambda: rng.permuted(array),
    )
    with np.errstate(invalid="ignore"):
        k = int(rng.integers(len(changed) + 1))
        return pack(document, arrays if k == len(changed) else {**arrays, name: changed[k]()})


def lengthen_list(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """A list of the document goes on with very many values, or with a very long one among many short ones."""
    document, arrays = open_content(content)
    lists = [holder[key] for holder, key in _list_places(document) if isinstance(holder[key], list)]
    lists[int(rng.integers(len(lists)))].extend(_make_many(rng))
    return pack(document, arrays)


def blow_up_value(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """A value of the document is something large."""
    document, arrays = open_content(content)
    places = list(_list_places(document))
    holder, key = places[int(rng.integers(len(places)))]
    many = _make_many(rng)
    wrapped = (many, {"array": ["str", many]}, {"array": ["float64", many]}, {"tuple": many}, ["str", many])
    holder[key] = wrapped[int(rng.integers(len(wrapped)))]
    return pack(document, arrays)


def blow_up_classes(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """Many targets, each with a long label among short ones; or labels of an input like that."""
    document, arrays = open_content(content)
    n, length = int(rng.integers(1, 300)), int(10 ** rng.uniform(1, 4))
    labels = ["a" * length, *(f"b{k}" for k in range(int(rng.integers(1, length + 1))))]
    if rng.random() < 0.5:
        document["targets"] = {"names": [f"y{k}" for k in range(n)], "classes": [["str", labels]] * n}
    else:
        inputs = document["inputs"]
        inputs["labels"] = [None if own is None else labels for own in inputs["labels"]]
    return pack(document, arrays)


def blow_up_numbers(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """The floats of an array, or of all arrays of that name, come near the largest there is, or near zero."""
    document, arrays = open_content(content)
    floats = [name for name in sorted(arrays) if arrays[name].dtype.kind == "f"]
    chosen = floats[int(rng.integers(len(floats)))]
    if rng.random() < 0.5:
        chosen = chosen.rpartition("/")[2]
    factor = float(rng.choice([1e308, -1e308, 1e300, 1e155, 1e-300, 5e-324, -1.0]))
    with np.errstate(over="ignore", invalid="ignore"):
        for name in (name for name in floats if name.endswith(chosen)):
            grown = arrays[name] * factor
            arrays[name] = np.where(np.isfinite(grown) | ~np.isfinite(arrays[name]), grown, np.sign(grown) * 1.7e308)
    return pack(document, arrays)


def add_arrays(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """Very many small arrays that no model has."""
    document, arrays = open_content(content)
    n = int(10 ** rng.uniform(2, 4.5))
    return pack(document, arrays | {f"a{k}": np.zeros(int(rng.integers(2))) for k in range(n)})


def repeat_trees(content: bytes, _: bytes, rng: np.random.Generator) -> bytes:
    """Very many trees of one leaf; or where there is a path, very many steps of no term."""
    document, arrays = open_content(content)
    counts = [name for name in sorted(arrays) if name.endswith(("/n_splits", "path/length"))]
    if not counts:
        return add_arrays(content, b"", rng)
    chosen, n = counts[int(rng.integers(len(counts)))], int(10 ** rng.uniform(2, 5))
    for name in [name for name in arrays if name.startswith(chosen.rpartition("/")[0] + "/")]:
        is_split = name.rpartition("/")[2].startswith(("split", "set", "categories", "terms", "weights"))
        arrays[name] = arrays[name][:0] if is_split else np.repeat(arrays[name][:1], n, axis=0)
    arrays[chosen] = np.zeros(n, np.int64)
    return pack(document, arrays)


def _make_many(rng: np.random.Generator) -> list[Any]:
    n = int(10 ** rng.uniform(2, 5.3))
    makers: tuple[Callable[[], list[Any]], ...] = (
        lambda: [[]] * n,
        lambda: [{}] * n,
        lambda: [[[[]]]] * n,
        lambda: [{"tuple": []}] * n,
        lambda: [{"numpy": ["int8", k % 100]} for k in range(n)],
        lambda: [{"interval": [k, k + 1, "left"]} for k in range(n)],
        lambda: [300] * n,
        lambda: [0.5 + k for k in range(n)],
        lambda: ["ab"] * n,
        lambda: [f"{k:x}" for k in range(n)],
        lambda: [f"{k:x}\u4e2d\U0001f333" for k in range(n)],
        lambda: ["a" * n, *(f"b{k}" for k in range(n // 100))],
        lambda: ["\U0001f333" + "a" * n] * 3,
        lambda: [k * (2**61 - 1) for k in range(n)],  # all have the same hash
        lambda: [10**4000 + k for k in range(n // 4000)],
        lambda: [["a" * n, *["b"] * 30]] * 20,
    )
    return makers[int(rng.integers(len(makers)))]()


def sign(content: bytes) -> bytes:
    """Make the digest anew, where the bytes still have a place for it."""
    import hashlib

    at = content.find(DIGEST.encode())
    start = content.find(b'"', at + len(DIGEST) + 2) + 1 if at >= 0 else -1
    if start <= 0 or start + 64 > len(content):
        return content
    blank = content[:start] + b"0" * 64 + content[start + 64 :]
    return content[:start] + hashlib.sha256(blank).hexdigest().encode() + content[start + 64 :]


def open_content(content: bytes) -> Content:
    """The document and the arrays of a whole file, as `pack` takes them."""
    document, arrays = unpack(content)
    return {name: value for name, value in document.items() if name not in (DIGEST, VERSION)}, arrays


def _pick_array(arrays: dict[str, np.ndarray], rng: np.random.Generator) -> str:
    return sorted(arrays)[int(rng.integers(len(arrays)))]


def _list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a document, however deep, as what holds it and its key there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(pairs):
        yield value, key
        yield from _list_places(item)


ACCIDENTS: dict[str, Mutation] = {"truncated": truncate, "flipped": flip_bits, "spliced": splice}
DESIGNS: dict[str, Mutation] = {
    "flipped": lambda *given: sign(flip_bits(*given)),
    "spliced": lambda *given: sign(splice(*given)),
    "value": change_value,
    "number": change_number,
    "shape": change_shape,
    "long list": lengthen_list,
    "large value": blow_up_value,
    "wide classes": blow_up_classes,
    "huge numbers": blow_up_numbers,
    "many arrays": add_arrays,
    "many trees": repeat_trees,
}
