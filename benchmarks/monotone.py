"""What monotone constraints cost: our estimators beside HistGradientBoosting, all with the same constraints.

    python benchmarks/monotone.py [SETS] [--seeds 1] [--rows 700] [--store FILE] [--seconds 500]

The three numeric inputs that go most with the target (Spearman) are constrained to their direction, as somebody would
who knows the matter. Three-fold RMSE over the standard deviation, free and constrained; violations are counted on 1,000
pairs of rows for each constrained input, which differ in it alone.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import KFold

from glade import ForestRegressor, RuleEnsembleRegressor, RuleFitRegressor, TreeRegressor
from stored import Stored, add_options
from tables import load_real

SETS = ("auto_mpg", "abalone", "house_8L", "cpu_act", "kin8nm")
N_PAIRS, N_CONSTRAINED = 1_000, 3
MAKERS = {
    "rules 20": lambda seed, signs: RuleEnsembleRegressor(max_rules=20, monotonic_cst=signs, random_state=seed),
    "rules all": lambda seed, signs: RuleEnsembleRegressor(max_rules=None, monotonic_cst=signs, random_state=seed),
    "RuleFit": lambda seed, signs: RuleFitRegressor(monotonic_cst=signs, random_state=seed),
    "tree": lambda seed, signs: TreeRegressor(ccp_alpha="cv", monotonic_cst=signs, random_state=seed),
    "forest": lambda seed, signs: ForestRegressor(monotonic_cst=signs, random_state=seed),
    "boosting": lambda seed, signs: ForestRegressor(method="boosting", monotonic_cst=signs, random_state=seed),
    "HGB": lambda seed, signs: HistGradientBoostingRegressor(monotonic_cst=signs, random_state=seed),
}


def load_numbers(name, n_rows):
    """Numeric inputs, the first target, and the signs of the inputs that go most with it."""
    X, Y = load_real(name)
    rows = np.random.default_rng(0).permutation(len(X))[:n_rows]
    X, y = X.iloc[rows].select_dtypes("number"), Y.iloc[rows, 0].to_numpy(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rho = np.nan_to_num(X.corrwith(X.iloc[:, 0] * 0 + y, method="spearman").to_numpy())
    most = np.argsort(-np.abs(rho))[:N_CONSTRAINED]
    return X.to_numpy(float), y, {int(j): int(np.sign(rho[j])) for j in most}


def count_violations(model, X, signs, seed):
    """Pairs in the wrong order, over all constrained inputs."""
    random, wrong = np.random.default_rng(seed), 0
    for j, sign in signs.items():
        low = X[random.integers(0, len(X), N_PAIRS)].copy()
        high = low.copy()
        high[:, j] += random.exponential(np.nanstd(X[:, j]), N_PAIRS)
        wrong += int((sign * (model.predict(high) - model.predict(low)) < -1e-9 * np.nanstd(X)).sum())
    return wrong


def measure(name, way, n_seeds, n_rows):
    """RMSE free, violations, CPU seconds; the same constrained."""
    X, y, signs = load_numbers(name, n_rows)
    constraint = [signs.get(j, 0) for j in range(X.shape[1])]
    rows = []
    for seed in range(n_seeds):
        for train, test in KFold(3, shuffle=True, random_state=seed).split(X):
            own = []
            for asked in (None, constraint):
                start = time.process_time()
                model = MAKERS[way](seed, asked).fit(X[train], y[train])
                seconds = time.process_time() - start
                error = np.sqrt(np.mean((model.predict(X[test]) - y[test]) ** 2)) / y.std()
                own += [error, count_violations(model, X, signs, seed), seconds]
            rows.append(own)
    return np.mean(rows, axis=0)


def show(name, way, own):
    """Print a line."""
    free, of_free, _, bound, of_bound, seconds = own
    print(f"{name:10} {way:10} {free:.4f} {bound:.4f} {of_free:7.1f} {of_bound:5.1f} {seconds:6.2f}", flush=True)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rows", type=int, default=700)
    add_options(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print("set, way: RMSE free, constrained; violations free, constrained; seconds constrained")
    total, stored = {way: [] for way in MAKERS}, Stored(asked.store, asked.seconds)
    for name in asked.sets:
        for way in MAKERS:
            key = (name, way, asked.seeds, asked.rows)
            own = stored.find(key, partial(measure, name, way, asked.seeds, asked.rows))
            if own is not None:
                total[way].append(own)
                show(name, way, own)
    n_most = max(map(len, total.values()))
    for way, own in total.items():
        if own and len(own) == n_most:
            show("mean", way, np.mean(own, axis=0))


if __name__ == "__main__":
    main()
