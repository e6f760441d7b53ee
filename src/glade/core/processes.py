"""Processes that do not outlive the process that started them."""

import os
import threading
import time
from functools import cache

PAUSE = 0.5  # seconds between two looks at the parent


@cache
def end_with_parent(parent: int) -> None:
    """Let this process end soon after its parent, however that ended.

    Nothing tells a command that the app which began it was killed. A worker waits for work on a pipe that it holds the
    other end of itself, so it does not hear it either: workers of joblib waited five minutes more.

    Parameters
    ----------
    parent : int
        The process that started this one; a further call for the same does nothing.
    """
    threading.Thread(target=_wait_for_end, args=(parent,), name="glade-parent", daemon=True).start()


def _wait_for_end(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PAUSE)
    os._exit(1)
