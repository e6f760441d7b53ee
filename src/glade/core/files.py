"""Files that are written whole or not at all."""

import errno
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from glade.core.errors import ResourceError
from glade.core.names import quote_name

LEFTOVER_SECONDS = 3600.0  # a temporary file this old belongs to a process that was killed, not to one that writes
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)  # what a system lacks is nothing


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that anyone, at any time, finds the old one or the whole new one.

    The content goes to a temporary file beside the target, which then takes the target's name. Two processes that
    write the same path do not mix: the last one wins. A link stays a link, and what it leads to is written; a file that
    was there keeps its permissions. What is no file, such as a pipe or /dev/null, is written to.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_whole(folder / "a.txt", b"whole")
    >>> [file.name for file in folder.iterdir()]
    ['a.txt']
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(content)
        else:
            _write(_follow(path), content)
    except OSError as fault:  # the system's own words name a temporary file, or none
        message = f"{fault.strerror}: the {len(content):,} bytes of {quote_name(path)} were not written"
        if fault.errno == errno.EPIPE:  # the reader of a named pipe has left, not that of standard output
            raise ResourceError(message) from fault
        raise OSError(fault.errno, message) from fault


def _follow(path: Path) -> Path:
    """The file that a path leads to through links; the last one may lead to a file that is not there yet."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, "The link leads back to itself")
    if not target.parent.is_dir():
        raise OSError(errno.ENOENT, f"There is no folder {quote_name(target.parent)}")
    return target


def _write(path: Path, content: bytes) -> None:
    before = path.stat() if path.exists() else None
    if before is not None and not (before.st_mode & ANY_WRITE and os.access(path, os.W_OK)):
        raise OSError(errno.EACCES, "The file is read-only, make it writable or choose another name")
    handle, temporary = _open_beside(path, 0o666 if before is None else before.st_mode & 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _copy_rights(before, temporary)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _open_beside(path: Path, mode: int) -> tuple[int, Path]:
    """A new file beside another one, open, with no more permissions than these and than the process's mask leaves."""
    while True:
        temporary = path.with_name(_prefix(path) + secrets.token_hex(4))
        try:
            return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, mode), temporary
        except FileExistsError:  # whatever is there, a planted link too, is left alone
            continue


def _copy_rights(before: os.stat_result, temporary: Path) -> None:
    """Give the new file the permissions of the old one; to its group nothing, if it cannot have the same group."""
    mode = stat.S_IMODE(before.st_mode)
    if before.st_gid != temporary.stat().st_gid:
        try:
            os.chown(temporary, -1, before.st_gid)
        except PermissionError:
            mode &= ~stat.S_IRWXG
    os.chmod(temporary, mode)


def remove_leftovers(path: Path) -> None:
    """Remove what processes that were killed while they wrote this path left beside it."""
    oldest, target = time.time() - LEFTOVER_SECONDS, Path(os.path.realpath(path))
    for file in target.parent.iterdir() if target.parent.is_dir() else ():
        if file.name.startswith(_prefix(target)):
            with suppress(FileNotFoundError):  # another process may be done with it meanwhile
                if file.lstat().st_mtime < oldest:
                    file.unlink()


def _prefix(path: Path) -> str:
    return f".{path.name}.writing-"
