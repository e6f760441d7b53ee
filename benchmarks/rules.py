"""Rules and FIRE: against CLUS's recorded seconds, coverage, growth.

    python benchmarks/rules.py            everything (some minutes)
    python benchmarks/rules.py --quick    small sizes
    python benchmarks/rules.py --only fire|coverage|growth

CLUS cannot be run here: its CPU seconds were recorded elsewhere, one fit each, with 100 trees, all nodes and
10,000 steps. Ours has the same settings, three further forests for the folds that choose, and five limits on the number
of rules in the same fit.
"""

import argparse
import os
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np

from glade import FIRERegressor, TreeRegressor
from measuring import cpu_seconds
from tables import load_real, make_numeric

CLUS = {  # CPU seconds: without a limit, 20 rules
    "edm": (27.0, 4.3),
    "sf1": (9.1, 9.5),
    "wq": (196.0, 13.3),
    "rf1": (211.0, 13.1),
}


def compare_with_clus(quick):
    print("| data | rules | ours s | CLUS s (recorded) | ratio | every tau s | ratio |")
    print("|" + "---|" * 7)
    for name in ("edm", "sf1") if quick else CLUS:
        table = load_real(name)
        if table is None:
            print(f"| {name} | not there: set GLADE_DATA to the folder of the data sets |")
            continue
        X, y = table
        for max_rules, recorded in zip((None, 20), CLUS[name], strict=True):
            cells = []
            for every_tau in (False, True):
                model = FIRERegressor(rules_from="nodes", max_rules=max_rules, every_tau=every_tau, random_state=0)
                seconds, fitted = cpu_seconds(lambda model=model, X=X, y=y: model.fit(X, y), 1)
                cells.append((f"{seconds:.2f}", f"{recorded / seconds:.0f}"))
            row = [name, fitted.size_.rules, cells[0][0], recorded, cells[0][1], *cells[1]]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


def measure_coverage(quick):
    n_rows = 200_000 if quick else 2_000_000
    X, y = make_numeric(n_rows, 20, 1, 0)
    X = np.asarray(X, dtype=float)
    rules = TreeRegressor(max_leaf_nodes=50).fit(X[:20_000], np.asarray(y)[:20_000]).rules_
    seconds, covered = cpu_seconds(lambda: rules.covers(X), 1)
    print(f"coverage: {len(rules)} rules, {n_rows / seconds / 1e6:.1f} million rows a second as booleans", flush=True)
    assert (covered.sum(axis=1) == 1).all()


def measure_growth(quick):
    def fit(n_rows, n_targets, n_trees):
        X, y = make_numeric(n_rows, 20, n_targets, 0)
        model = FIRERegressor(max_rules=20, random_state=0)
        model.generator = model._default_generator().set_params(n_estimators=n_trees)
        seconds, fitted = cpu_seconds(lambda: model.fit(X, y), 1)
        return seconds, fitted

    sizes = [2_000, 8_000] if quick else [2_000, 8_000, 32_000, 128_000]
    print("growth of FIRE with 20 rules, CPU seconds")
    print("  rows    " + "  ".join(f"{n:,}: {fit(n, 4, 100)[0]:.2f}" for n in sizes), flush=True)
    print("  targets " + "  ".join(f"{t}: {fit(4_000, t, 100)[0]:.2f}" for t in (1, 4, 16)), flush=True)
    print("  trees   " + "  ".join(f"{m}: {fit(4_000, 4, m)[0]:.2f}" for m in (50, 100, 200)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["fire", "coverage", "growth"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    FIRERegressor(random_state=0).fit(np.arange(8.0)[:, None], np.arange(8.0))  # compile or load
    parts = {"fire": compare_with_clus, "coverage": measure_coverage, "growth": measure_growth}
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)
