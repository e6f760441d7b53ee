"""Files that are written whole or not at all."""

import errno
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from glade.core.errors import ResourceError
from glade.core.names import quote_name

LEFTOVER_SECONDS = (
    3600.0  # a temporary file this old belongs to a process that was killed, not to one that still writes
)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that anyone, at any time, finds the old one or the whole new one.

    The content goes to a temporary file beside the target, which then takes the target's name. Two processes that
    write the same path do not mix: the last one wins. What is no file, such as a pipe or /dev/null, is written to.

    Examples
    --------
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_whole(folder / "a.txt", b"whole")
    >>> [file.name for file in folder.iterdir()]
    ['a.txt']
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(content)
        else:
            _write(path, content)
    except OSError as fault:  # the system's own words name a temporary file, or none
        message = f"{fault.strerror}: the {len(content):,} bytes of {quote_name(path)} were not written"
        if fault.errno == errno.EPIPE:  # the reader of a named pipe has left, not that of standard output
            raise ResourceError(message) from fault
        raise OSError(fault.errno, message) from fault


def _write(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path))
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


def remove_leftovers(path: Path) -> None:
    """Remove what processes that were killed while they wrote this path left beside it."""
    oldest = time.time() - LEFTOVER_SECONDS
    for file in path.parent.iterdir():
        if file.name.startswith(_prefix(path)):
            with suppress(FileNotFoundError):  # another process may be done with it meanwhile
                if file.lstat().st_mtime < oldest:
                    file.unlink()


def _prefix(path: Path) -> str:
    return f".{path.name}.writing-"


def _umask() -> int:
    """The process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
