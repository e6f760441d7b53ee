"""Fits trees, forests and rules by whichever copy of the package is on the path, as `tools.ablation` asks.

It reads a line of JSON [kind of fit, table] for each fit, and writes a line with its CPU seconds; null where the table
is absent.
"""

import functools
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import glade

ROWS = 4_000  # at most, of a real table
N_TREES = 20
MADE = {"made, 14 targets": (2_000, 16, 14), "made, 1 target": (20_000, 20, 1)}  # rows, inputs, targets
sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))


@functools.cache
def read(name: str) -> tuple[Any, Any, bool] | None:
    """Inputs, targets and whether these are classes."""
    from tables import load_real, make_numeric

    if name in MADE:
        return *make_numeric(*MADE[name]), False
    real = load_real(name)
    if real is None:
        return None
    rows = np.sort(np.random.default_rng(0).permutation(len(real[0]))[:ROWS])
    X, y = real[0].iloc[rows], real[1].iloc[rows]
    return X, y if y.shape[1] > 1 else y.iloc[:, 0], not all(kind.kind in "fiu" for kind in y.dtypes)


def make(kind: str, is_classes: bool) -> Any:
    """The estimator of a kind of fit."""
    end = "Classifier" if is_classes else "Regressor"
    depth = 6 if kind.endswith("6") else None
    if kind.startswith("tree"):
        return getattr(glade, f"Tree{end}")(max_depth=depth)
    if kind.startswith("forest"):
        return getattr(glade, f"Forest{end}")(N_TREES, max_depth=depth, random_state=0)
    return getattr(glade, f"RuleEnsemble{end}")(max_rules=20, random_state=0)


def measure(kind: str, table: str) -> float | None:
    """CPU seconds of one fit."""
    data = read(table)
    if data is None:
        return None
    X, y, is_classes = data
    estimator = make(kind, is_classes)
    start = time.process_time()
    estimator.fit(X, y)
    return time.process_time() - start


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(measure(*json.loads(line))), flush=True)
