"""Damage to model files: by accident, which the digest tells, and by design, with the digest made anew."""

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
}
