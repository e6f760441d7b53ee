"""What long benchmarks have measured, kept line by line in a file, so that they can be run in parts."""

import json
import time
from pathlib import Path

import numpy as np


class Stored:
    """Figures by a key of words and numbers; what is in the file is not measured again.

    Parameters
    ----------
    path
        Of the file, a line for each figure; None keeps nothing.
    seconds
        Begin nothing new after so many seconds.
    """

    def __init__(self, path, seconds=None):
        self._path, self._until = path and Path(path), time.monotonic() + (seconds or np.inf)
        self._known = {}
        if self._path is not None and self._path.exists():
            self._known = {tuple(key): value for key, value in map(json.loads, self._path.read_text().splitlines())}

    def find(self, key, measure):
        """The figures of a key (an array), measured if they are not known; None where the time is up."""
        if key not in self._known:
            if time.monotonic() > self._until:
                return None
            self._known[key] = np.asarray(measure(), float).tolist()
            if self._path is not None:
                with self._path.open("a") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
        return np.array(self._known[key])


def add_options(parser):
    """Options of where to store, and how long to measure."""
    parser.add_argument("--store", metavar="FILE", help="keep what was measured here, and go on where it ends")
    parser.add_argument("--seconds", type=float, help="begin nothing new after so many seconds; print what there is")
