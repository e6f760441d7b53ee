"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that anyone, at any time, finds the old one or the whole new one.

    The content goes to a temporary file beside the target, which then takes the target's name. Two processes that
    write the same path do not mix: the last one wins.

    Examples
    --------
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_whole(folder / "a.txt", b"whole")
    >>> [file.name for file in folder.iterdir()]
    ['a.txt']
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
