"""The bytes of a model file: a safetensors file with one JSON document in its header, and a digest of all of it.

The document stands in the header's metadata under the name "glade"; it is ASCII and starts with the digest. The digest
is the SHA-256 of the whole file in which its own 64 digits are zeros, so that no bit can change unseen.
"""

import hashlib
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import ModelFileError
from glade.models.saved.parts import require

FORMAT = 1  # goes up when files change so that an older glade would misread them
DOCUMENT = "glade"
DIGEST, VERSION = "sha256", "format"
BLANK = b"0" * 64
LENGTH_BYTES = 8  # of the header's length, at the start
MAX_HEADER = 100_000_000  # bytes, the limit of safetensors
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
    return document, {name: _to_array(name, tensor) for name, tensor in tensors}


def _read_document(content: bytes) -> dict[str, Any]:
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    fits = len(content) > LENGTH_BYTES and 2 <= length <= min(len(content) - LENGTH_BYTES, MAX_HEADER)
    require(fits, "it is no glade model, or only the beginning of one")
    header = _read_json(content[LENGTH_BYTES : LENGTH_BYTES + length])
    metadata = header.get("__metadata__")
    document = metadata.get(DOCUMENT) if isinstance(metadata, dict) else None
    if not isinstance(document, str):
        raise ModelFileError("it holds arrays, but no glade model")
    return _read_json(document)


def _read_json(text: str | bytes) -> dict[str, Any]:
    """A JSON object in which no name stands twice and all numbers are finite."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as fault:
        raise ModelFileError(f"its header is damaged ({type(fault).__name__})") from None
    require(isinstance(value, dict), "its header is no JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name stands twice")
    return values


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not np.isfinite(number):
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
    digest = hashlib.sha256(content[:at] + BLANK)
    digest.update(memoryview(content)[at + len(BLANK) :])
    require(at >= 0 and digest.hexdigest() == claimed, "its content does not agree with its digest: it was changed")


def _to_array(name: str, tensor: dict[str, Any]) -> NDArray[Any]:
    require(tensor["dtype"] in DTYPES, f"'{name}' is of the type {tensor['dtype']}, which no model has")
    array = np.frombuffer(tensor["data"], DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
    is_clean = array.dtype != np.bool_ or (array.view(np.uint8) <= 1).all()
    require(is_clean, f"'{name}' holds values that are neither true nor false")
    return array
