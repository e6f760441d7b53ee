"""What it costs to load a file: in a child of its own for each file, so that nothing of one is left for the next.

The most memory that a process ever had (VmHWM) is started anew in the child, and compared with what it has before it
loads; memory that is free but not given back is given back first. The child has a limit on its memory far above what
is promised, so that a file that breaks the promise does not break the machine.
"""

import ctypes
import gc
import os
import pickle
import resource
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import glade
from glade.core.errors import ModelFileError

MOST_TIMES, MOST_MORE = 10, 20 * 2**20  # bytes of memory: so many for each of the file, and so many more
MOST_SECONDS, MOST_SECONDS_A_MB = 10.0, 1.0  # of CPU; ten times what is promised for a small file, for slow machines
ROOM = 3 * 2**30  # bytes of address space that a child has in addition
NEW_PEAK = "5"  # what clear_refs takes to start VmHWM anew


class Cost(NamedTuple):
    """What became of a file, and what loading it took."""

    outcome: str  # "loaded", "refused", or the traceback of what should not have happened
    memory: int  # bytes
    seconds: float  # of CPU
    size: int  # of the file

    @property
    def fault(self) -> str:
        """What breaks the promise, if anything does."""
        if self.outcome not in ("loaded", "refused"):
            return self.outcome
        if self.memory > MOST_TIMES * self.size + MOST_MORE:
            return f"{self.outcome}, but took {self.memory / 2**20:.0f} MB for a file of {self.size / 2**20:.2f} MB"
        if self.seconds > MOST_SECONDS + MOST_SECONDS_A_MB * self.size / 1e6:
            return f"{self.outcome}, but took {self.seconds:.1f} s of CPU for a file of {self.size / 2**20:.2f} MB"
        return ""


def load_in_child(path: Path, use: Callable[[Any], None]) -> Cost:
    """Load a file in a child process, and use the model there if it is one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "wb") as answer:
            pickle.dump(_measure(path, use), answer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    if not said:
        return Cost(f"the process died ({os.waitstatus_to_exitcode(status)})", 0, 0.0, path.stat().st_size)
    cost = pickle.loads(said)
    assert isinstance(cost, Cost)
    return cost


def _measure(path: Path, use: Callable[[Any], None]) -> Cost:
    gc.freeze()  # what the parent has left is not looked through again
    ctypes.CDLL(None).malloc_trim(0)
    most = _read_status("VmSize") + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    Path("/proc/self/clear_refs").write_text(NEW_PEAK)
    before, start, outcome = _read_status("VmRSS"), time.process_time(), "loaded"
    try:
        model = glade.load(path)
    except ModelFileError:
        outcome = "refused"
    except BaseException:
        outcome = traceback.format_exc()
    memory, seconds = _read_status("VmHWM") - before, time.process_time() - start
    if outcome == "loaded":
        try:
            use(model)
        except BaseException:
            outcome = traceback.format_exc()
    return Cost(outcome, memory, seconds, path.stat().st_size)


def _read_status(name: str) -> int:
    """A figure of /proc/self/status, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024
