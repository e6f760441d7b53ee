"""Forests, ours against the peers, in one process.

    python benchmarks/forests.py                everything (about 35 minutes)
    python benchmarks/forests.py --quick        fewer sets, one seed (about 3 minutes)
    python benchmarks/forests.py --only fit     or all_inputs, bins, boosters, threads, growth, memory
    python benchmarks/forests.py --on sgemm     of the tables those whose names begin so

Seconds are CPU seconds on one core, from the table the user has, the least of all repetitions; the machine may be
noisy, so read the ratio. R2 is on held-out rows, the mean over seeds. All forests draw floor(log2 p) + 1 inputs a node,
but for `all_inputs`.
"""

import argparse
import os
import time
import warnings
from functools import partial

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.multioutput import MultiOutputRegressor

from glade import ForestRegressor
from measuring import cpu_seconds, peak_megabytes
from peers import standardise
from tables import load_real, make_numeric

FEW_TREES = 20  # where the peer takes long, fewer repetitions too
# rows, inputs, targets, trees
GENERATED = [
    (2_000, 16, 14, 100),
    (20_000, 20, 10, 100),
    (10_000, 200, 3, 100),
    (100_000, 20, 1, FEW_TREES),
    (100_000, 20, 10, FEW_TREES),
]
REAL = {"wq": 100, "rf1": 100, "scm20d": 100, "sgemm": FEW_TREES}
RECORDED = """recorded for CLUS 2.12.8, not run here (CPU seconds on a shared core, 100 trees, all rows):
  wq 7.1 s, 371 MB    rf1 23.5 s, 1,660 MB    50,000 x 20, T 10: 153 s, 9,296 MB"""


def tables(quick):
    """(name, trees, function from a seed to inputs and targets)."""
    for n, p, t, trees in GENERATED[: 2 if quick else None]:
        if (name := f"{n:,} x {p}, T {t}").startswith(given.on):
            yield name, trees, partial(make_numeric, n * 4 // 3, p, t)
    for name, trees in REAL.items():
        if not name.startswith(given.on):
            continue
        real = load_real(name)
        if real is None:
            print(f"{name}: no data folder; set GLADE_DATA")
        elif not quick or name == "wq":
            yield name, trees, lambda seed, real=real: (real[0].to_numpy(float), real[1].to_numpy(float))


def split(table, seed):
    X, Y = table(seed)
    Y = standardise(Y)
    return train_test_split(X, Y[:, 0] if Y.shape[1] == 1 else Y, test_size=0.25, random_state=seed)


def run(model, parts, repeats):
    """CPU seconds of fit and of prediction, R2."""
    X_train, X_test, Y_train, Y_test = parts
    fit, fitted = cpu_seconds(partial(model.fit, X_train, Y_train), repeats)
    predict, predicted = cpu_seconds(partial(fitted.predict, X_test), repeats)
    return fit, predict, r2_score(Y_test, predicted)


def measure(models, table, seeds, repeats):
    """For each model the least seconds and the mean R2 over seeds."""
    found = {name: [] for name in models}
    for seed in range(seeds):
        parts = split(table, seed)
        for name, make in models.items():
            found[name].append(run(make(seed, parts[0].shape[1]), parts, repeats))
    return {name: (*np.min(rows, axis=0)[:2], np.array(rows)[:, 2]) for name, rows in found.items()}


def count_drawn(p):
    return int(np.log2(p) + 1)


def take_all(p):
    return p


def make_ours(n_trees, max_bins, depth, method, seed, p, n_jobs=1, count=count_drawn):
    return ForestRegressor(
        n_trees, method=method, max_features=count(p), max_depth=depth, max_bins=max_bins, n_jobs=n_jobs,
        random_state=seed,
    )  # fmt: skip


def make_peer(kind, n_trees, depth, seed, p, n_jobs=1, count=count_drawn):
    return kind(n_trees, max_features=count(p), max_depth=depth, n_jobs=n_jobs, random_state=seed)


def print_header():
    header = "data, trees, depth, method, search, fit s, sklearn, ratio, predict s, sklearn, ratio, R2, difference"
    print("\n| " + header.replace(", ", " | ") + " |")
    print("|" + "---|" * 13)


def compare(name, table, n_trees, depth, method, kind, seeds, repeats, count=count_drawn):
    """A line for binned and one for exact search, each against scikit-learn's forest of this kind."""
    models = {
        "binned": partial(make_ours, n_trees, 255, depth, method, count=count),
        "exact": partial(make_ours, n_trees, None, depth, method, count=count),
        "peer": partial(make_peer, kind, n_trees, depth, count=count),
    }
    found = measure(models, table, seeds, repeats)
    theirs = found.pop("peer")
    for search, ours in found.items():
        gap = ours[2] - theirs[2]
        error = gap.std(ddof=1) / len(gap) ** 0.5 if len(gap) > 1 else np.nan
        print(
            f"| {name} | {n_trees} | {depth or 'full'} | {method} | {search} | {ours[0]:.3f} |"
            f" {theirs[0]:.3f} | {theirs[0] / ours[0]:.1f} | {ours[1]:.4f} | {theirs[1]:.4f} |"
            f" {theirs[1] / ours[1]:.1f} | {ours[2].mean():.4f} | {gap.mean():+.4f} ± {error:.4f} |",
            flush=True,
        )


def fit(quick):
    print_header()
    for name, n_trees, table in tables(quick):
        large = n_trees == FEW_TREES
        for depth in (None, 6):
            for method, kind in (("random_forest", RandomForestRegressor), ("extra_trees", ExtraTreesRegressor)):
                seeds = 1 if quick else 2 if large else 3
                compare(name, table, n_trees, depth, method, kind, seeds, 1 if large else 2)
    print(RECORDED)


def all_inputs(quick):
    """All inputs at a node: scikit-learn's default for numbers, and bagging."""
    print_header()
    for name, _, table in tables(quick):
        seeds = 1 if quick else 2
        compare(name, table, FEW_TREES, None, "random_forest", RandomForestRegressor, seeds, 1, take_all)


def bins(quick):
    """What binning costs in accuracy: held-out R2 of our own forests, binned less exact, in the same seeds."""
    print("\nR2 of unpruned forests: binned, exact, difference")
    cases = [(10_000, 200, 3, 60, 4), (20_000, 20, 10, 20, 2), (100_000, 20, 1, 12, 2)]
    for n, p, t, n_trees, seeds in cases[: 1 if quick else None]:
        models = {
            name: partial(make_ours, n_trees, most, None, "random_forest") for name, most in (("b", 255), ("e", None))
        }
        found = measure(models, partial(make_numeric, n * 4 // 3, p, t), seeds, 1)
        binned, exact = found["b"][2], found["e"][2]
        gap = binned - exact
        print(
            f"  {n:,} x {p}, T {t}, {n_trees} trees, {seeds} seeds: {binned.mean():.4f} {exact.mean():.4f}"
            f" {gap.mean():+.4f} ± {gap.std(ddof=1) / seeds**0.5:.4f}",
            flush=True,
        )


def make_xgboost(n_trees, depth, seed, p):
    import xgboost

    return xgboost.XGBRegressor(
        n_estimators=1, num_parallel_tree=n_trees, learning_rate=1.0, subsample=0.632, max_depth=depth, reg_lambda=0.0,
        colsample_bynode=count_drawn(p) / p, tree_method="hist", multi_strategy="multi_output_tree", n_jobs=1,
        random_state=seed,
    )  # fmt: skip


def make_lightgbm(n_trees, depth, seed, p):
    import lightgbm

    forest = lightgbm.LGBMRegressor(
        n_estimators=n_trees, boosting_type="rf", subsample=0.632, subsample_freq=1, max_depth=depth,
        num_leaves=2**depth, feature_fraction_bynode=count_drawn(p) / p, min_child_samples=1, n_jobs=1,
        random_state=seed, verbose=-1,
    )  # fmt: skip
    return MultiOutputRegressor(forest)


def boosters(quick):
    """Depth 6, as their forests are made for: XGBoost with a vector in each leaf, LightGBM one forest a target."""
    print("\n| data, depth 6 | trees | ours, binned s | XGBoost s | ratio | LightGBM s | ratio | R2 of the three |")
    print("|" + "---|" * 8)
    for name, n_trees, table in tables(quick):
        models = {
            "ours": partial(make_ours, n_trees, 255, 6, "random_forest"),
            "xgboost": partial(make_xgboost, n_trees, 6),
            "lightgbm": partial(make_lightgbm, n_trees, 6),
        }
        if table(0)[1].shape[1] == 1:
            models["lightgbm"] = lambda seed, p, n=n_trees: make_lightgbm(n, 6, seed, p).estimator
        found = measure(models, table, *((1, 2) if quick else (1, 4) if n_trees == FEW_TREES else (2, 2)))
        ours, xgb, lgb = found.values()
        print(
            f"| {name} | {n_trees} | {ours[0]:.3f} | {xgb[0]:.3f} | {xgb[0] / ours[0]:.1f} | {lgb[0]:.3f} |"
            f" {lgb[0] / ours[0]:.1f} | {ours[2].mean():.4f}, {xgb[2].mean():.4f}, {lgb[2].mean():.4f} |",
            flush=True,
        )


def wall(call, repeats=3):
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def threads(quick):
    """Wall seconds with one thread over those with two; a shared machine gives less than two."""
    print("\nspeed-up of two threads (wall time, the least of 3)")
    for n, p, t, n_trees in GENERATED[: 1 if quick else 2]:
        X, Y = make_numeric(n, p, t)
        line = []
        for name, make in (
            ("ours", partial(make_ours, n_trees, 255, None, "random_forest", 0, p)),
            ("scikit-learn", partial(make_peer, RandomForestRegressor, n_trees, None, 0, p)),
        ):
            seconds = [wall(partial(make(jobs).fit, X, Y)) for jobs in (1, 2)]
            line.append(f"{name} {seconds[0]:.2f} s / {seconds[1]:.2f} s = {seconds[0] / seconds[1]:.2f}")
        print(f"  {n:,} x {p}, T {t}, {n_trees} trees: " + "   ".join(line), flush=True)


def growth(quick):
    """How seconds grow when one thing doubles."""
    base = {"n": 10_000, "p": 20, "T": 4, "trees": 10}
    steps = {
        "n": [5_000, 10_000, 20_000, 40_000, 80_000],
        "p": [10, 20, 40, 80, 160],
        "T": [1, 2, 4, 8, 16, 32],
        "trees": [5, 10, 20, 40, 80],
    }
    print("\ngrowth of the fit (unpruned, binned, all inputs at a node), CPU seconds; slope over the last three")
    for what, values in steps.items():
        seconds = []
        for value in values[: 3 if quick else None]:
            size = {**base, what: value}
            X, Y = make_numeric(size["n"], size["p"], size["T"])
            model = ForestRegressor(size["trees"], method="bagging", max_bins=255, random_state=0)
            seconds.append(cpu_seconds(partial(model.fit, X, Y), 1)[0])
        slope = np.polyfit(np.log(values[: len(seconds)][-3:]), np.log(seconds[-3:]), 1)[0]
        print(f"  {what}: " + "  ".join(f"{v:,}: {s:.2f}" for v, s in zip(values, seconds, strict=False)), end="")
        print(f"   slope {slope:.2f}", flush=True)


def memory(quick):
    """Megabytes above what the process held before the fit, the forest included; each in a process of its own."""
    ours = (
        "from glade import ForestRegressor; import numpy as np\n"
        "ForestRegressor(2).fit(np.eye(2), [0, 1])\n"
        "model = ForestRegressor(50, max_features=5, max_bins={}, random_state=0)"
    )
    setups = {
        "ours, binned": ours.format(255),
        "ours, exact": ours.format(None),
        "scikit-learn": "from sklearn.ensemble import RandomForestRegressor\n"
        "model = RandomForestRegressor(50, max_features=5, random_state=0)",
    }
    print("\npeak memory of the fit, 50 unpruned trees, MB above the table itself")
    for n, t in ((20_000, 10),) if quick else ((20_000, 1), (20_000, 10), (50_000, 10)):
        line = [f"{name} {peak_megabytes(setup, n, t):.0f}" for name, setup in setups.items()]
        print(f"  {n:,} x 20, T {t}:  " + "  ".join(line), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parts = {f.__name__: f for f in (fit, all_inputs, bins, boosters, threads, growth, memory)}
    parser.add_argument("--only", choices=parts)
    parser.add_argument("--on", default="", metavar="NAME")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    warm_up = np.random.default_rng(0).random((300, 3))
    for method in ("random_forest", "extra_trees"):  # compiled before anything is measured
        ForestRegressor(2, method=method).fit(warm_up, warm_up[:, 0]).predict(warm_up)
    for part, call in parts.items():
        if given.only in (None, part):
            call(given.quick)
