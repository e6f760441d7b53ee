"""Results of finished fits in a folder, so that none is computed twice.

A result is one file: the SHA-256 of the rest, then an uncompressed NumPy archive without pickles. It is written whole
or not at all, and named after all that its result depends on (`keys`), so any number of processes may share a folder; a
file that does not agree with its digest is as good as none. Failures are not stored: the next run tries again.
"""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.files import write_whole
from glade.core.names import quote_name
from glade.evaluate.fit_results import FitResult

DIGEST_BYTES = 32


class ResultStore:
    """A folder of the results of finished fits.

    Examples
    --------
    >>> import tempfile
    >>> store = ResultStore(tempfile.mkdtemp())
    >>> store.save("a1", FitResult(predicted=(np.array([1.0]),), probabilities=(None,), reference=(0.5,)))
    >>> store.load("a1").reference
    (0.5,)
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise InputError(f"the store {quote_name(folder)} cannot be made: {fault.strerror}") from None

    def load(self, key: str) -> FitResult | None:
        """The result of a finished fit, or None where there is none that is whole."""
        try:
            content = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        payload = content[DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() != content[:DIGEST_BYTES]:
            return None
        with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
            return _unpack(dict(arrays))

    def save(self, key: str, result: FitResult) -> None:
        """Keep a result, unless the fit failed."""
        if result.error is not None:
            return
        buffer = io.BytesIO()
        np.savez(buffer, **_pack(result))
        payload = buffer.getvalue()
        write_whole(self._path(key), hashlib.sha256(payload).digest() + payload)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cell"


def _pack(result: FitResult) -> dict[str, Any]:
    about = {
        "size": result.size,
        "seconds": [result.fit_seconds, result.predict_seconds],
        "notes": list(result.notes),
    }
    arrays = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "reference": np.array(result.reference, dtype=np.float64),
    }
    for t, (values, table) in enumerate(zip(result.predicted, result.probabilities, strict=True)):
        arrays[f"predicted_{t}"] = values
        if table is not None:
            arrays[f"probabilities_{t}"] = table
    return arrays


def _unpack(arrays: dict[str, Any]) -> FitResult:
    about = json.loads(arrays["about"].tobytes().decode())
    n_targets = len(arrays["reference"])
    return FitResult(
        predicted=tuple(arrays[f"predicted_{t}"] for t in range(n_targets)),
        probabilities=tuple(arrays.get(f"probabilities_{t}") for t in range(n_targets)),
        reference=tuple(arrays["reference"].tolist()),
        size=about["size"],
        fit_seconds=about["seconds"][0],
        predict_seconds=about["seconds"][1],
        notes=tuple(about["notes"]),
    )
