"""Seconds and megabytes."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np


def cpu_seconds(fit, repeats):
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        model = fit()
        best = min(best, time.process_time() - start)
    return best, model


PEAK = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from tables import load_real, make_numeric

def held(what):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) / 1024

X, Y = {table}
{setup}
Path("/proc/self/clear_refs").write_text("5")  # Linux: forget the peak so far
before = held("VmRSS")
model.fit(X, Y)
print(held("VmHWM") - before)
"""


def peak_megabytes(setup, n_rows, n_targets):
    """`peak_megabytes_on` a generated table."""
    return peak_megabytes_on(f"make_numeric({n_rows}, 20, {n_targets})", setup)


def peak_megabytes_on(table, setup):
    """What fitting `model`, made by the lines `setup`, takes above what the process held, in a process of its own."""
    code = PEAK.format(folder=str(Path(__file__).parent), table=table, setup=setup)
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
