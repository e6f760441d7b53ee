"""Rules and FIRE: against CLUS's recorded seconds, coverage, growth.

    python benchmarks/rules.py            everything (some minutes)
    python benchmarks/rules.py --quick    small sizes
    python benchmarks/rules.py --only fire|rulefit|coverage|growth|large

CLUS cannot be run here: its CPU seconds were recorded elsewhere, one fit each, with 100 trees, all nodes and
10,000 steps. Ours has the same settings, three further forests for the folds that choose, and five limits on the number
of rules in the same fit.
"""

import argparse
import os
import warnings
from functools import partial

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score

from glade import FIRERegressor, Gradient, RuleEnsembleRegressor, RuleFitRegressor, TreeRegressor
from measuring import cpu_seconds, peak_megabytes_on
from tables import load_real, make_numeric

REPEATS = 5  # the least of so many fits
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
            cells, n_rules = [], []
            for every_tau in (False, True):
                model = FIRERegressor(
                    rules_from="nodes", max_rules=max_rules, weights=Gradient(every_tau=every_tau), random_state=0
                )
                seconds, fitted = cpu_seconds(lambda model=model, X=X, y=y: model.fit(X, y), 1 if quick else REPEATS)
                cells.append((f"{seconds:.2f}", f"{recorded / seconds:.0f}"))
                n_rules.append(fitted.size_.rules)
            row = [name, n_rules[0], cells[0][0], recorded, cells[0][1], *cells[1]]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


def compare_with_imodels(quick):
    """RuleFit and the default ensemble against imodels' RuleFit; R's pre was recorded elsewhere.

    Each is fitted to 200 rows first, so that what Python and compiled kernels take to be loaded does not count.
    """
    from imodels import RuleFitRegressor as RuleFitOfImodels

    print("| rows x inputs | model | CPU s | times imodels | R2 on 5,000 other rows | terms |")
    print("|" + "---|" * 6)
    for n_rows, n_inputs in ((1_000, 10),) if quick else ((1_000, 10), (2_000, 20), (20_000, 20)):
        X, y = make_friedman1(n_rows + 5_000, n_inputs, noise=1.0, random_state=0)
        names = {"feature_names": [f"x{k}" for k in range(n_inputs)]}
        fits = {
            "imodels RuleFit": partial(RuleFitOfImodels(random_state=0).fit, **names),
            "glade RuleFit": RuleFitRegressor(random_state=0).fit,
            "glade, 20 terms": RuleEnsembleRegressor(max_rules=20, random_state=0).fit,
        }
        first = None
        for name, fit in fits.items():
            fit(X[:200], y[:200])
            seconds, model = cpu_seconds(partial(fit, X[:n_rows], y[:n_rows]), 1)
            first = first or seconds
            score = r2_score(y[n_rows:], model.predict(X[n_rows:]))
            terms = model.size_.terms if hasattr(model, "size_") else int(np.count_nonzero(model.coef))
            row = [f"{n_rows:,} x {n_inputs}", name, f"{seconds:.2f}", f"{first / seconds:.1f}", f"{score:.3f}", terms]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print("recorded elsewhere: R's pre, Friedman 1 with 1,000 x 10: 23 s, R2 0.87, 120 terms")


def measure_coverage(quick):
    n_rows = 200_000 if quick else 2_000_000
    X, y = make_numeric(n_rows, 20, 1, 0)
    X = np.asarray(X, dtype=float)
    rules = TreeRegressor(max_leaf_nodes=50).fit(X[:20_000], np.asarray(y)[:20_000]).rules_
    seconds, covered = cpu_seconds(lambda: rules.covers(X), 1)
    print(f"coverage: {len(rules)} rules, {n_rows / seconds / 1e6:.1f} million rows a second as booleans", flush=True)
    assert (covered.sum(axis=1) == 1).all()


def measure_growth(quick):
    n_rows, n_trees = 4_000, 100
    sizes = [2_000, 8_000] if quick else [2_000, 8_000, 32_000, 128_000]
    print("| growth of FIRE with 20 rules | CPU s (candidate rules) |")
    print("|---|---|")
    for what, cases in {
        "rows": {n: (n, 4, n_trees) for n in sizes},
        "targets": {t: (n_rows, t, n_trees) for t in (1, 4, 16)},
        "trees": {m: (n_rows, 4, m) for m in (50, 100, 200)},
    }.items():
        print(
            f"| {what} | " + ", ".join(f"{k:,}: {fit_generated(*case)}" for k, case in cases.items()) + " |", flush=True
        )


def fit_generated(n_rows, n_targets, n_trees):
    X, y = make_numeric(n_rows, 20, n_targets, 0)
    generator = FIRERegressor()._default_generators(n_rows, 2_500)[0].set_params(n_estimators=n_trees)
    model = FIRERegressor(generator, max_rules=20, random_state=0)
    seconds, fitted = cpu_seconds(lambda: model.fit(X, y), 1)
    return f"{seconds:.2f} ({sum(tree.n_leaves for tree in fitted.generator_.trees_):,})"


def measure_large(quick):
    """Many rows: seconds, and memory that must not grow with rows times rules."""
    table = load_real("sgemm")
    if table is None:
        print("sgemm is not there: set GLADE_DATA to the folder of the data sets")
        return
    print(f"| sgemm, {len(table[0]):,} rows | CPU s | MB above the table | validation error |")
    print("|---|---|---|---|")
    for max_rules in (20,) if quick else (20, None):
        model = FIRERegressor(max_rules=max_rules, random_state=0)
        seconds, fitted = cpu_seconds(lambda model=model: model.fit(*table), 1)
        setup = f"from glade import FIRERegressor; model = FIRERegressor(max_rules={max_rules}, random_state=0)"
        peak = peak_megabytes_on("load_real('sgemm')", setup)
        path = fitted.path_
        error = path.error[path.terms == fitted.size_.terms][0]
        print(f"| {fitted.size_.rules} rules | {seconds:.1f} | {peak:.0f} | {error:.3f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["fire", "rulefit", "coverage", "growth", "large"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    FIRERegressor(random_state=0).fit(np.arange(8.0)[:, None], np.arange(8.0))  # compile or load
    RuleFitRegressor(max_rules=3, random_state=0).fit(np.arange(40.0)[:, None], np.arange(40.0) ** 2)
    parts = {
        "fire": compare_with_clus,
        "rulefit": compare_with_imodels,
        "coverage": measure_coverage,
        "growth": measure_growth,
        "large": measure_large,
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)
