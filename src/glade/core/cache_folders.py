"""Folders of machine code that other versions of glade left behind."""

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

DAY = 24 * 3600.0  # seconds
KEPT_DAYS = 30  # a folder that nobody has used for longer is removed
KEPT_FOLDERS = 3  # of the folders used since, so many stay, the last ones used
BUSY_DAYS = 1  # a folder used since then may belong to a process that is running: it stays in any case
FINGERPRINT = re.compile("[0-9a-f]{16}")


def mark_used(folder: Path) -> None:
    """Note in the folder's own time that a process uses it; code that is only loaded would leave no trace."""
    os.utime(folder)


def remove_old_folders(used: Path) -> list[Path]:
    """Remove the folders beside the one in use that nobody has used lately, 13 MB each.

    A process whose folder is removed all the same, because it has run for days, compiles anew what it has not loaded
    yet: it has a slower fit, and no wrong one.

    Parameters
    ----------
    used
        The folder in use, named by a fingerprint of the kernels. It stays, and so does whatever beside it has no such
        name.

    Returns
    -------
    list of Path
        The folders that were removed.
    """
    now, last_use = time.time(), {}
    for folder in used.parent.iterdir():
        if folder != used and FINGERPRINT.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink():
            with suppress(FileNotFoundError):  # another process has just removed it, which is what we want
                last_use[folder] = folder.stat().st_mtime
    latest_first = sorted(last_use, key=last_use.__getitem__, reverse=True)
    removed = []
    for rank, folder in enumerate(latest_first, start=2):  # the folder in use is the first
        days = (now - last_use[folder]) / DAY
        if days > KEPT_DAYS or (rank > KEPT_FOLDERS and days > BUSY_DAYS):
            # What cannot be deleted (another user's, open on Windows, just being written to) stays and takes 13 MB of
            # the user's disk until the next version tries again; nobody loses anything else.
            with suppress(OSError):
                shutil.rmtree(folder)
                removed.append(folder)
    return removed
