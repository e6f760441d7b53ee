"""How much memory there is, in bytes and in words."""

import os
import re
from pathlib import Path

from glade.core.errors import InputError
from glade.core.names import quote_name

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}
SHARE_OF_FREE = 0.5  # may be used unless something else is said


def read_memory(given: int | str | None) -> int:
    """How many bytes may be used: as given ("2GB", or a number), or half of what is free.

    >>> read_memory("2GB"), read_memory("1.5 MiB"), read_memory(100)
    (2000000000, 1572864, 100)
    """
    if given is None:
        return int(SHARE_OF_FREE * find_free())
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?i?b?)\s*", str(given).lower())
    unit = None if found is None else found[2] if found[2].endswith("b") or not found[2] else f"{found[2]}b"
    if found is None or unit not in UNITS or float(found[1]) == 0:
        raise InputError(f"memory is {quote_name(str(given))}: give bytes, or a size such as 2GB or 500MB")
    return int(float(found[1]) * UNITS[unit])


def find_free() -> int:
    """The bytes that programs may still take: without swapping, and within the limit of a container."""
    found = [_read_available(), _read_container()]
    return min(own for own in found if own is not None)


def show_bytes(n: float) -> str:
    """A size for a person.

    >>> show_bytes(3_210_000_000), show_bytes(47_000_000), show_bytes(900)
    ('3.2 GB', '47 MB', '900 bytes')
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.2g} {unit}" if n / size < 10 else f"{n / size:,.0f} {unit}"
    return f"{n:.0f} bytes"


def _read_available() -> int:
    try:
        about = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        return int(about["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):  # not Linux
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if hasattr(os, "sysconf") else 2**33


def _read_container() -> int | None:
    """What is left of the limit of a control group, where there is one."""
    try:
        folder = Path("/sys/fs/cgroup")
        limit, used = ((folder / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return None if limit == "max" else max(int(limit) - int(used), 0)
    except (OSError, ValueError):
        return None
