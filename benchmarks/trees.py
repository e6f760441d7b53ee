"""One tree, ours against scikit-learn's, in one process on one core.

    python benchmarks/trees.py            everything (about 10 minutes)
    python benchmarks/trees.py --quick    small sizes, one seed (about 1 minute)

Seconds are CPU seconds of the fit from the table the user has (our coding, scikit-learn's one-hot encoding of nominal
inputs included), the least of several repetitions; the machine may be noisy, so read the ratio. R2 is on held-out rows,
the median over seeds; the difference is its mean over the same splits, with its standard error.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from functools import partial

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeRegressor

from glade import TreeRegressor
from measuring import cpu_seconds, peak_megabytes
from peers import one_hot, standardise
from tables import load_real, make_nominal, make_numeric


def peer(X, max_depth, seed):
    return one_hot(DecisionTreeRegressor(max_depth=max_depth, random_state=seed), X)


def compare(name, table, max_depth, seeds, repeats):
    """A row for each of exact and binned: seconds, ratio, R2 of both over the seeds."""
    rows = []
    for max_bins in (None, 255):
        seconds = {"ours": np.inf, "peer": np.inf}
        scores = {"ours": [], "peer": []}
        for seed in range(seeds):
            X, Y = table(seed)
            Y = standardise(Y)
            X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.25, random_state=seed)
            models = {
                "ours": TreeRegressor(max_bins=max_bins, max_depth=max_depth),
                "peer": peer(X, max_depth, seed),
            }
            for who, model in models.items():
                spent, fitted = cpu_seconds(partial(model.fit, X_train, Y_train), repeats)
                seconds[who] = min(seconds[who], spent)
                scores[who].append(r2_score(Y_test, fitted.predict(X_test)))
        difference = np.array(scores["ours"]) - np.array(scores["peer"])
        error = difference.std(ddof=1) / len(difference) ** 0.5
        rows.append(
            {
                "data": name,
                "depth": max_depth or "full",
                "search": "exact" if max_bins is None else "binned",
                "ours s": f"{seconds['ours']:.3f}",
                "sklearn s": f"{seconds['peer']:.3f}",
                "ratio": f"{seconds['peer'] / seconds['ours']:.1f}",
                "R2 ours": f"{np.median(scores['ours']):.4f}",
                "R2 sklearn": f"{np.median(scores['peer']):.4f}",
                "difference": f"{difference.mean():+.4f} ± {error:.4f}",
            }
        )
        print("| " + " | ".join(str(v) for v in rows[-1].values()) + " |", flush=True)


def compare_all(quick):
    print(
        "| "
        + " | ".join(["data", "depth", "search", "ours s", "sklearn s", "ratio", "R2 ours", "R2 sklearn", "difference"])
    )
    print("|" + "---|" * 9)
    seeds = 2 if quick else 5
    for n_rows in (2_000, 20_000) if quick else (2_000, 20_000, 200_000):
        for n_targets in (1, 4, 14):
            for depth in (None, 6):
                compare(
                    f"{n_rows:,} x 20, T {n_targets}",
                    lambda seed, n=n_rows, t=n_targets: make_numeric(n, 20, t, seed),
                    depth,
                    2 if n_rows > 100_000 else seeds,
                    20 if n_rows <= 2_000 else 3 if n_rows < 100_000 else 1,
                )
    for depth in (None, 6):
        compare(
            "20,000 x 10 nominal of 30, T 4",
            lambda seed: make_nominal(20_000, 10, 30, 4, seed),
            depth,
            min(3, seeds),
            3,
        )
    for name in ("rf1", "scm20d") if quick else ("rf1", "scm20d", "sgemm"):
        real = load_real(name)
        if real is None:
            print(f"{name}: no data folder; set GLADE_DATA")
            continue
        for depth in (None, 6):
            compare(name, lambda seed, real=real: real, depth, 2 if name == "sgemm" else min(3, seeds), 3)


def growth(quick):
    """How seconds grow when one thing doubles."""
    base = {"n": 20_000, "p": 20, "T": 4}
    steps = {"n": [10_000, 20_000, 40_000, 80_000, 160_000], "p": [10, 20, 40, 80, 160], "T": [1, 2, 4, 8, 16, 32]}
    print("\ngrowth of the fit (full depth, binned), CPU seconds; slope of log seconds over the last doublings")
    for what, values in steps.items():
        seconds = []
        for value in values[: 3 if quick else None]:
            size = {**base, what: value}
            X, Y = make_numeric(size["n"], size["p"], size["T"])
            seconds.append(cpu_seconds(lambda X=X, Y=Y: TreeRegressor(max_bins=255).fit(X, Y), 2)[0])
        slope = np.polyfit(np.log(values[: len(seconds)][-3:]), np.log(seconds[-3:]), 1)[0]
        print(f"  {what}: " + "  ".join(f"{v:,}: {s:.3f}" for v, s in zip(values, seconds, strict=False)), end="")
        print(f"   slope {slope:.2f}")


def peak_memory(quick):
    """Megabytes above what the process held before the fit, each in a process of its own."""
    ours = (
        "from glade import TreeRegressor; import numpy as np\n"
        "TreeRegressor().fit(np.eye(2), [0, 1])\nmodel = TreeRegressor({})"
    )
    setups = {
        "ours, binned": ours.format("max_bins=255"),
        "ours, exact": ours.format("max_bins=None"),
        "scikit-learn": "from sklearn.tree import DecisionTreeRegressor\nmodel = DecisionTreeRegressor()",
    }
    print("\npeak memory of the fit, MB above the table itself")
    for n, t in ((20_000, 4),) if quick else ((20_000, 4), (200_000, 1), (200_000, 14)):
        line = [f"  {n:,} x 20, T {t}:"]
        for name, setup in setups.items():
            line.append(f"{name} {peak_megabytes(setup, n, t):.0f}")
        print("  ".join(line), flush=True)


def start_up():
    """Seconds of the first fit ever (compilation), of a later process's first fit, and of the import."""
    fit = "import time; import numpy as np; from glade import TreeRegressor; t = time.perf_counter();"
    fit += "TreeRegressor().fit(np.random.rand(50, 3), np.random.rand(50)); print(time.perf_counter() - t)"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for name in ("first fit on a machine", "first fit in a later process"):
            run = subprocess.run(
                [sys.executable, "-c", fit], capture_output=True, text=True, check=True, env=environment
            )
            print(f"{name}: {float(run.stdout):.2f} s" + (f"   (said: {run.stderr.strip()})" if run.stderr else ""))
    imports = {}
    for what in ("sklearn.tree", "glade"):
        code = f"import time; t = time.perf_counter(); import sklearn.tree; a = time.perf_counter(); import {what};"
        code += "print(a - t, time.perf_counter() - a)"
        runs = [
            subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
            for _ in range(5)
        ]
        imports[what] = min(float(run[1]) for run in runs)
    print(f"import glade, over scikit-learn's own import: {imports['glade']:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, fewer seeds")
    parser.add_argument("--only", choices=["fit", "growth", "memory", "start"], help="one part")
    options = parser.parse_args()
    parts = {
        "start": start_up,
        "fit": lambda: compare_all(options.quick),
        "growth": lambda: growth(options.quick),
        "memory": lambda: peak_memory(options.quick),
    }
    TreeRegressor().fit(np.eye(2), [0, 1])  # compile or load
    for name, run in parts.items():
        if options.only in (None, name):
            run()
