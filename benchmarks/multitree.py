"""Multi-trees: seconds and memory with alternatives, rows and inputs, and against bagging with as many trees.

    python benchmarks/multitree.py            everything (some CPU minutes)
    python benchmarks/multitree.py --quick    without the largest

Seconds are CPU seconds of one thread. "predict" is for 100,000 rows.
"""

import argparse
import time
import warnings

import numpy as np

from glade import ForestClassifier, MultiTreeClassifier
from glade.core.layout import show_count
from measuring import cpu_seconds, peak_megabytes

N_PREDICTED = 100_000
USUAL = {"n_rows": 10_000, "n_inputs": 20, "n_alternatives": 1000}
STEPS = {"n_alternatives": (10, 100, 1000), "n_rows": (1000, 10_000, 100_000), "n_inputs": (10, 20, 40)}
WAKES = ("random", "gain", "loss", "shallow")


def make_classes(n_rows, n_inputs, seed=0):
    """Two classes of which the border is no plane, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_inputs))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.2, n_rows) > 0.8).astype(int)


def predict_seconds(model, n_inputs):
    X, _ = make_classes(N_PREDICTED, n_inputs, seed=1)
    model.predict(X[:10])
    start = time.process_time()
    model.predict(X)
    return time.process_time() - start


def accuracy(model, n_inputs):
    X, _ = make_classes(N_PREDICTED, n_inputs, seed=2)
    return float(np.mean(model.predict(X) == (X[:, 0] + X[:, 1] * X[:, 2] > 0.8)))


def measure(label, model, n_rows, n_inputs):
    X, y = make_classes(n_rows, n_inputs)
    seconds, fitted = cpu_seconds(lambda: model.fit(X, y), repeats=1)
    trees = show_count(fitted.n_solutions_) if hasattr(fitted, "n_solutions_") else f"{fitted.size_.trees:,}"
    cells = (label, f"{fitted.size_.nodes:,}", trees, f"{seconds:.2f}", f"{predict_seconds(fitted, n_inputs):.2f}",
             f"{100 * accuracy(fitted, n_inputs):.1f}")  # fmt: skip
    print("| " + " | ".join(cells) + " |", flush=True)


def head(what):
    print(f"\n| {what} | nodes | trees | fit s | predict s | right (percent) |\n|---|---:|---:|---:|---:|---:|")


def show_growth(quick):
    for name, values in STEPS.items():
        head(f"{name}, else {', '.join(f'{k}={v:,}' for k, v in USUAL.items() if k != name)}")
        for value in values[: 2 if quick else 3]:
            how = {**USUAL, name: value}
            model = MultiTreeClassifier(how["n_alternatives"], random_state=0)
            measure(f"{value:,}", model, how["n_rows"], how["n_inputs"])


def show_wakes():
    head("wake, 100 alternatives, 10,000 rows x 20")
    for wake in WAKES:
        measure(wake, MultiTreeClassifier(100, wake=wake, random_state=0), 10_000, 20)


def show_bagging(quick):
    head("against bagging, 10,000 rows x 20")
    for n in (100,) if quick else (100, 1000):
        measure(f"multi-tree, {n:,} alternatives", MultiTreeClassifier(n, random_state=0), 10_000, 20)
        measure(f"bagging, {n:,} trees", ForestClassifier(n, method="bagging", random_state=0), 10_000, 20)


def show_memory():
    print("\nmegabytes above the table while fitting, 10,000 rows x 20, one number")
    for label, setup in {
        "multi-tree, 10 alternatives": "from glade import MultiTreeRegressor as M; model = M(10, random_state=0)",
        "multi-tree, 100": "from glade import MultiTreeRegressor as M; model = M(100, random_state=0)",
        "multi-tree, 1,000": "from glade import MultiTreeRegressor as M; model = M(1000, random_state=0)",
        "bagging, 100 trees": "from glade import ForestRegressor as F; model = F(100, method='bagging')",
    }.items():
        print(f"{label:30} {peak_megabytes(setup, 10_000, 1):8.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    MultiTreeClassifier(1).fit([[0.0, 1], [1, 0]], [0, 1])  # kernels are compiled or loaded before the clock runs
    show_growth(given.quick)
    show_wakes()
    show_bagging(given.quick)
    show_memory()


if __name__ == "__main__":
    main()
