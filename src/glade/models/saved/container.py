"""The bytes of a model file: a safetensors file with one JSON document in its header, and a digest of all of it.

The document stands in the header's metadata under the name "glade"; it is ASCII and starts with the digest. The digest
is the SHA-256 of the whole file in which its own 64 digits are zeros, so that no bit can change unseen.
"""

import hashlib
import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import ModelFileError
from glade.models.saved.parts import require

FORMAT = 2  # goes up when files change so that an older glade would misread them
DOCUMENT = "glade"
DIGEST, VERSION = "sha256", "format"
BLANK = b"0" * 64
LENGTH_BYTES = 8  # of the header's length, at the start
MAX_HEADER = 100_000_000  # bytes, the limit of safetensors
MOST_TIMES, MOST_MORE = 6, 8_000_000  # bytes that a document may take in memory for each of the file, and in addition
OF_ARRAY, MOST_TIMES_OF_ARRAYS = 1600, 8  # bytes that an array takes beside its numbers, and how many for all
SCANNED_AT_ONCE = 2**20  # bytes
# About what Python takes for each of these signs: a place and a number between commas, which a list, a mapping and a
# text go beyond, and a constant and an empty list stay below.
OF_SIGNS = {b",": 40, b"[": 80, b"{": 230, b'"': 32, b"null": -32, b"true": -32, b"false": -32, b"[]": -40}
DTYPES = {"F64": np.float64, "I64": np.int64, "I32": np.int32, "BOOL": np.bool_}


def pack(values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> bytes:
    """The bytes of a file; the same for the same content."""
    from safetensors.numpy import save

    document = json.dumps({DIGEST: BLANK.decode(), VERSION: FORMAT, **values}, allow_nan=False)
    in_order = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    content = bytearray(save(in_order, {DOCUMENT: document}))
    at = content.index(BLANK)
    content[at : at + len(BLANK)] = hashlib.sha256(content).hexdigest().encode()
    return bytes(content)


def unpack(content: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The JSON values and arrays in the bytes of a file, if these are whole and unchanged."""
    from safetensors import SafetensorError, deserialize

    document = _read_document(content)
    _check_version(document)
    _check_digest(content, document)
    try:
        tensors = deserialize(content)  # type: ignore[no-untyped-call]
    except SafetensorError as fault:
        raise ModelFileError(f"its arrays cannot be read ({fault})") from None
    arrays = {}
    while tensors:  # each gives its memory back when it has become an array
        name, tensor = tensors.pop()
        arrays[name] = _to_array(name, tensor)
    return document, arrays


def _read_document(content: bytes) -> dict[str, Any]:
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    fits = len(content) > LENGTH_BYTES and 2 <= length <= min(len(content) - LENGTH_BYTES, MAX_HEADER)
    require(fits, "it is no glade model, or only the beginning of one")
    text = memoryview(content)[LENGTH_BYTES : LENGTH_BYTES + length]
    try:
        header = _read_json(str(text, "ascii"), len(content))
    except UnicodeDecodeError:
        raise ModelFileError("its header is damaged (it is not ASCII)") from None
    is_full = OF_ARRAY * len(header) <= MOST_TIMES_OF_ARRAYS * len(content) + MOST_MORE
    require(is_full, "its arrays are far more than it has numbers")
    metadata = header.get("__metadata__")
    document = metadata.get(DOCUMENT) if isinstance(metadata, dict) else None
    if not isinstance(document, str):
        raise ModelFileError("it holds arrays, but no glade model")
    require(document.isascii(), "its header is damaged (its document is not ASCII)")
    del header, metadata  # a large document is in memory as few times as can be
    return _read_json(document, len(content))


def _read_json(text: str, file_size: int) -> dict[str, Any]:
    """A JSON object in which no name stands twice and all numbers are finite, and which is not too large in memory."""
    is_small = _estimate_memory(text.encode()) <= MOST_TIMES * file_size + MOST_MORE
    require(is_small, "its header would take far more memory than the file has bytes")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as fault:
        raise ModelFileError(f"its header is damaged ({type(fault).__name__})") from None
    require(isinstance(value, dict), "its header is no JSON object")
    return value


def _estimate_memory(text: bytes) -> int:
    """About how many bytes Python takes for the values of a JSON text, by the signs outside its quotes.

    >>> _estimate_memory(b'[[], [], []]') > 20 * _estimate_memory(b'["], [], []"]') / 10 > 0
    True
    """
    plain = np.frombuffer(text.replace(rb"\\", b"").replace(rb"\"", b""), np.uint8)  # quotes of texts alone are left
    total, is_within = len(text), 0
    for start in range(0, len(plain), SCANNED_AT_ONCE):
        part = plain[start : start + SCANNED_AT_ONCE]
        within = (np.cumsum(part == ord('"'), dtype=np.uint8) + np.uint8(is_within)) & 1
        is_within = int(within[-1])
        outside = part[within == 0].tobytes()
        total += sum(cost * outside.count(sign) for sign, cost in OF_SIGNS.items())
    return total


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name stands twice")
    return values


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _check_version(document: dict[str, Any]) -> None:
    version = document.get(VERSION)
    if type(version) is not int or version < 1:
        raise ModelFileError("it does not say which version of the format it is")
    if version > FORMAT:
        raise ModelFileError(f"it is of format {version}, and this glade reads up to {FORMAT}: install a newer glade")


def _check_digest(content: bytes, document: dict[str, Any]) -> None:
    claimed = document.get(DIGEST)
    if not isinstance(claimed, str) or len(claimed) != len(BLANK) or not claimed.isascii():
        raise ModelFileError("it has no digest")
    at = content.find(claimed.encode())
    digest = hashlib.sha256(memoryview(content)[: max(at, 0)])
    digest.update(BLANK)
    digest.update(memoryview(content)[at + len(BLANK) :])
    require(at >= 0 and digest.hexdigest() == claimed, "its content does not agree with its digest: it was changed")


def _to_array(name: str, tensor: dict[str, Any]) -> NDArray[Any]:
    require(tensor["dtype"] in DTYPES, f"'{name}' is of the type {tensor['dtype']}, which no model has")
    try:
        array: NDArray[Any] = np.ndarray(tensor["shape"], DTYPES[tensor["dtype"]], tensor["data"])
    except ValueError:  # of too many dimensions, or of no number at all along one of which there are too many
        raise ModelFileError(f"'{name}' is of a shape that no array can have") from None
    is_clean = array.dtype != np.bool_ or (array.view(np.uint8) <= 1).all()
    require(is_clean, f"'{name}' holds values that are neither true nor false")
    return array
