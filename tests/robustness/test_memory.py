"""What a fit takes above what the process holds, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="only Linux forgets the peak of a process"
)
MEASURE = """
import sys, warnings
from pathlib import Path

import numpy as np
import pandas as pd

import glade

def held(what):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) / 1024

def make(n_rows, n_targets):
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(n_rows, 8)).round(2), columns=[f"x{j}" for j in range(8)])
    X = X.mask(random.random(X.shape) < 0.05)
    X["site"] = random.choice(list("ABCDEFG"), n_rows)
    X["day"] = [f"day {k}" for k in random.integers(0, 330, n_rows)]
    filled, Y = X.fillna(0), {}
    for t in range(n_targets):
        y = filled[f"x{t % 8}"] + (X["site"] == "ABCDEFG"[t % 7]) + 0.5 * random.normal(size=n_rows)
        y = y if t % 3 else (y > y.median()).astype(float)
        Y[f"y{t}"] = y if t < 4 else y.where(random.random(n_rows) > 0.05)
    return X, pd.DataFrame(Y)

warnings.simplefilter("ignore")
settings = {"missing_targets": "ignore", "max_rules": 5, "cv": 2, "random_state": 0}
model = getattr(glade, sys.argv[1])(**settings)
model.fit(*make(60, 5))  # load the kernels
X, Y = make(420, 12)
Path("/proc/self/clear_refs").write_text("5")
before = held("VmRSS")
model.fit(X, Y)
assert model.size_.terms > 0
print(held("VmHWM") - before)
"""
MOST = 300  # MB


@pytest.mark.parametrize("estimator", ["RuleEnsembleRegressor", "FIRERegressor"])
def test_many_targets_with_gaps_of_their_own_take_little_memory(estimator):
    """Each such target has sums of its own over the terms: 50 MB of products for 2,500 of them, in every fold.

    Eight of twelve targets have gaps, so that products that are kept would take 400 MB.
    """
    source = str(Path(__file__).parents[2] / "src")
    environment = os.environ | {"PYTHONPATH": source, "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, estimator], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < MOST
