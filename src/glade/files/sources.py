"""The bytes of a table: from a file, gzipped or not, or from standard input; whole, unchanged meanwhile, not endless.

What is no table is recognised by its first bytes, and refused with what to do.
"""

import gzip
import io
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from glade.core.errors import InputError
from glade.core.names import quote_name

STANDARD_INPUT = "-"
GZIP, PARQUET, ZIP = b"\x1f\x8b", b"PAR1", b"PK\x03\x04"
SPREADSHEET = "a spreadsheet: save it as CSV in the program it is from, and give that"
FOREIGN = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": f"an old Excel file, {SPREADSHEET}",
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"GIF8": "a picture (GIF)",
    b"%PDF": "a PDF document",
    b"SQLite format 3": "an SQLite database: export the table as CSV",
    b"ARROW1": "an Arrow (Feather) file: write it as Parquet or CSV",
    b"\x89HDF": "an HDF5 file: write the table as Parquet or CSV",
    b"\x28\xb5\x2f\xfd": "compressed by zstd: unpack it first",
    b"BZh": "compressed by bzip2: unpack it first",
    b"\xfd7zXZ": "compressed by xz: unpack it first",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"\x7fELF": "a program",
}
PICKLE = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
WEB = ("http://", "https://", "ftp://", "s3://", "gs://")
STEP = 2**24  # bytes read at once
FREE_SIZE, MAX_GROWTH = 2**28, 100  # unpacked bytes that need no justification; how far beyond a file may grow


@dataclass(frozen=True)
class Source:
    """Bytes, and the name by which sentences call them."""

    name: str
    content: bytes

    def __str__(self) -> str:
        return quote_name(self.name)


def read_source(path: str | Path) -> Source:
    """The bytes of a table, unpacked if they are gzipped; a file of another kind is refused."""
    if str(path) == STANDARD_INPUT:
        source = Source("standard input", sys.stdin.buffer.read())
    else:
        _check_path(str(path))
        source = Source(str(path), _read_whole(Path(path)))
    if source.content.startswith(GZIP):
        source = Source(source.name, _unpack(source))
    _refuse_foreign(source)
    return source


def _check_path(path: str) -> None:
    if path.lower().startswith(WEB):
        raise InputError(f"{quote_name(path)} is an address in the net: download the file, and give that")
    if not os.path.exists(path) or os.path.isdir(path):
        what = "is a folder, and is needed in memory here" if os.path.isdir(path) else "does not exist"
        raise InputError(f"{quote_name(path)} {what}: give a table in a file")


def _read_whole(path: Path) -> bytes:
    """The content, if nobody writes it meanwhile."""
    try:
        with open(path, "rb") as file:
            before = os.fstat(file.fileno())
            content = file.read()
            after = os.fstat(file.fileno())
    except PermissionError:
        raise InputError(f"{quote_name(path)} may not be read: check its permissions") from None
    is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    if path.is_file() and not (is_same and len(content) == after.st_size):
        raise InputError(f"{quote_name(path)} was changed while it was read: wait until it is complete")
    return content


def _unpack(source: Source) -> bytes:
    """The content of a gzip file, if that is not absurdly larger: a small file can be made to fill any memory."""
    limit = max(FREE_SIZE, MAX_GROWTH * len(source.content))
    parts, size = [], 0
    try:
        with gzip.open(io.BytesIO(source.content)) as packed:
            while part := packed.read(STEP):
                size += len(part)
                if size > limit:
                    raise InputError(
                        f"{source} unpacks to more than {MAX_GROWTH} times its size, as no table does: if it is one,"
                        " unpack it first (gunzip)"
                    )
                parts.append(part)
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise InputError(f"{source} is damaged or cut short: {fault}") from None
    return b"".join(parts)


def _refuse_foreign(source: Source) -> None:
    content = source.content
    if content.startswith(ZIP):
        what = f"an Excel file, {SPREADSHEET}" if b"xl/" in content[-(2**16) :] else "a zip archive: unpack it first"
        raise InputError(f"{source} is {what}")
    if content.startswith(PICKLE):
        raise InputError(
            f"{source} is a pickle, which could run any code when it is opened: write a CSV or Parquet file"
        )
    for magic, what in FOREIGN.items():
        if content.startswith(magic):
            raise InputError(f"{source} is {what if ':' in what else f'{what}, no table'}")
