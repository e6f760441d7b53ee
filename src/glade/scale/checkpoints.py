"""What is finished of a fit, in a folder: the same fit, begun again, goes on from there.

Only arrays and plain values are written, and read without running any code. Each file is complete or not there.
"""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from glade.core.files import write_whole
from glade.scale.executors import Executor, Own
from glade.scale.parts import Task


class ResultForm(Protocol):
    """How results of a kind become arrays, and back."""

    def to_arrays(self, result: Any) -> dict[str, Any] | None:
        """The arrays; None for a result that cannot be kept."""

    def from_arrays(self, arrays: dict[str, Any]) -> Any:
        """The result."""


class Plain:
    """Results that are arrays by name."""

    def to_arrays(self, result: Any) -> dict[str, Any] | None:
        """The arrays themselves."""
        return dict(result)

    def from_arrays(self, arrays: dict[str, Any]) -> Any:
        """The arrays themselves."""
        return arrays


@dataclass(frozen=True)
class Checkpoints:
    """Keeps the results of tasks.

    Parameters
    ----------
    folder
        Where; None keeps nothing.
    """

    folder: Path | None = None

    @classmethod
    def at(cls, folder: str | None) -> "Checkpoints":
        """In a folder, which is made if it is not there."""
        if folder is None:
            return cls()
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        return cls(path)

    def map(
        self,
        what: str,
        executor: Executor,
        work: Callable[[Own], Any],
        parts: Sequence[Own],
        form: ResultForm | None = None,
    ) -> Iterator[Any]:
        """The results of all parts, or other tasks, in order; those that are kept are not found anew."""
        form = Plain() if form is None else form
        if self.folder is None:
            yield from executor.map(work, parts)
            return
        about = digest_of(work)
        files = [self.folder / f"{what.replace(' ', '-')}-{_mix(about, describe_part(part))}.npz" for part in parts]
        missing = [part for part, file in zip(parts, files, strict=True) if not file.exists()]
        new = executor.map(work, missing) if missing else iter(())
        is_there = {str(part) for part in parts} - {str(part) for part in missing}
        for part, file in zip(parts, files, strict=True):
            yield form.from_arrays(_read(file)) if str(part) in is_there else _keep(next(new), file, form)


def describe_part(part: Task) -> bytes:
    """What a part is, and whether its file is still the one it was."""
    path = getattr(part, "path", None)
    about = Path(path).stat() if path is not None else None
    when = (about.st_size, about.st_mtime_ns) if about is not None else ()
    return repr((str(part), part.start, part.n_rows, when)).encode()


def digest_of(thing: Any) -> bytes:
    """16 bytes that stand for a task: equal tasks of different processes have the same.

    >>> digest_of([1, {"a": np.zeros(2)}]) == digest_of([1, {"a": np.zeros(2)}]) != digest_of([1, {"a": np.ones(2)}])
    True
    """
    return _mix(*_list_bytes(thing), as_text=False)


def _list_bytes(thing: Any) -> Iterator[bytes]:
    if isinstance(thing, np.ndarray) and thing.dtype != object:
        yield repr((thing.shape, thing.dtype.str)).encode()
        yield np.ascontiguousarray(thing).tobytes()
    elif isinstance(thing, np.ndarray):
        yield from _list_bytes(thing.tolist())
    elif thing is None or isinstance(thing, (str, bytes, int, float, bool, np.generic)):
        yield repr((type(thing).__name__, thing)).encode()
    elif isinstance(thing, dict):
        yield from _list_bytes(sorted(((repr(key), own) for key, own in thing.items()), key=lambda item: item[0]))
    elif isinstance(thing, (list, tuple)):
        yield f"{len(thing)}".encode()
        for own in thing:
            yield from _list_bytes(own)
    elif hasattr(thing, "bytes_needed"):
        yield describe_part(thing)
    else:
        yield type(thing).__name__.encode()
        fields = getattr(thing, "__dataclass_fields__", None)
        yield from _list_bytes(vars(thing) if fields is None else {name: getattr(thing, name) for name in fields})


def _keep(result: Any, file: Path, form: ResultForm) -> Any:
    """Write a result to its file, where it can be written, and return it."""
    arrays = form.to_arrays(result)
    if arrays is not None:
        write_whole(file, _to_bytes(arrays))
    return result


def _mix(*parts: bytes, as_text: bool = True) -> Any:
    state = blake2b(digest_size=16)
    for part in parts:
        state.update(len(part).to_bytes(8, "little") + part)
    return state.hexdigest() if as_text else state.digest()


def _to_bytes(arrays: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def _read(file: Path) -> dict[str, Any]:
    with np.load(file, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


class LookForm:
    """What `look` finds of a part: the drawn rows as Parquet, the labels as JSON."""

    def to_arrays(self, result: Any) -> dict[str, Any] | None:
        """None where labels are not all text."""
        import pandas as pd

        if any(not isinstance(label, str) for own in result.labels.values() for label in own):
            return None
        rows = [pd.concat(frames) if frames else None for frames in (result.frames, result.others)]
        labels = {name: sorted(own) for name, own in result.labels.items()}
        about = json.dumps({"labels": labels, "n_missing": result.n_missing, "n_rows": result.n_rows})
        kept = {name: _write_frame(own) for name, own in zip(("rows", "others"), rows, strict=True) if own is not None}
        return kept | {"about": _from_bytes(about.encode())}

    def from_arrays(self, arrays: dict[str, Any]) -> Any:
        """The same as before."""
        import pandas as pd

        from glade.scale.look import Look

        about = json.loads(arrays["about"].tobytes())
        labels = {name: set(own) for name, own in about["labels"].items()}
        rows, others = (
            [pd.read_parquet(io.BytesIO(arrays[name].tobytes()))] if name in arrays else []
            for name in ("rows", "others")
        )
        return Look(labels, about["n_missing"], about["n_rows"], rows, others)


def _write_frame(frame: Any) -> Any:
    content = io.BytesIO()
    frame.to_parquet(content)
    return _from_bytes(content.getvalue())


def _from_bytes(content: bytes) -> Any:
    return np.frombuffer(content, np.uint8)
