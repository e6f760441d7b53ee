"""How often prediction intervals cover, and how wide they are beside MAPIE's.

    python benchmarks/intervals.py [SETS] [--seeds 5] [--rows 400] [--store FILE] [--seconds 500]

For each set and seed so many rows are drawn to fit to (at most two thirds of the set), and up to 1,000 others to test
on. Rules (20 terms at most) and a forest of 60 trees say their intervals for 80, 90 and 95 %; MAPIE (CV+ of 5
folds) makes those of the same forest. A set is covered as asked if its mean over seeds lies within two standard errors
(binomial over all test rows and between seeds, the larger). Widths are means over the first target, as a share of its
standard deviation.
"""

import argparse
import warnings
from functools import partial

import numpy as np
from mapie.regression import CrossConformalRegressor

from glade import ForestRegressor, RuleEnsembleRegressor
from stored import Stored, add_options
from tables import load_real

SETS = (
    *("kin8nm", "cpu_act", "house_8L", "abalone", "pbc", "strike", "auto_mpg", "quake", "bias_ucl", "scpf", "jura"),
    *("enb", "andro", "sf2", "rf1", "boston*", "delta_ailerons*", "california*", "servo*", "slump*"),
)
COVERAGES = (0.8, 0.9, 0.95)
WAYS = ("rules", "forest", "MAPIE")


def draw(name, n_rows, seed):
    """Rows to fit to and to test on, of the first target."""
    X, y = load_real(name.rstrip("*"))
    y = y.iloc[:, 0].to_numpy(float)
    known = np.flatnonzero(~np.isnan(y))
    order = np.random.default_rng(seed).permutation(known)
    n_train = min(n_rows, 2 * len(order) // 3)
    train, test = order[:n_train], order[n_train : n_train + 1_000]
    return X.iloc[train], y[train], X.iloc[test], y[test]


def predict_ends(way, train, X, seed):
    """Rows x coverages x 2."""
    if way == "rules":
        model = RuleEnsembleRegressor(max_rules=20, random_state=seed).fit(*train)
        return np.stack([model.predict_interval(X, coverage) for coverage in COVERAGES], axis=1)
    forest = ForestRegressor(60, min_samples_leaf=2, oob_score=way == "forest", random_state=seed)
    if way == "forest":
        model = forest.fit(*train)
        return np.stack([model.predict_interval(X, coverage) for coverage in COVERAGES], axis=1)
    mapie = CrossConformalRegressor(forest, confidence_level=list(COVERAGES), method="plus", cv=5, random_state=seed)
    mapie.fit_conformalize(train[0].to_numpy(), train[1])
    return mapie.predict_interval(X.to_numpy())[1].transpose(0, 2, 1)


def measure(name, seed, n_rows):
    """Ways x coverages x (covered, width, number of test rows)."""
    X, y, X_test, y_test = draw(name, n_rows, seed)
    found = np.full((len(WAYS), len(COVERAGES), 3), float(len(y_test)))
    for w, way in enumerate(WAYS):
        ends = predict_ends(way, (X, y), X_test, seed)
        covered = (ends[..., 0] <= y_test[:, None]) & (y_test[:, None] <= ends[..., 1])
        found[w, :, 0] = covered.mean(axis=0)
        found[w, :, 1] = (ends[..., 1] - ends[..., 0]).mean(axis=0) / y_test.std()
    return found


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=400)
    add_options(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    stored = Stored(asked.store, asked.seconds)
    own = {}
    for seed in range(asked.seeds):  # one seed of all sets first
        for name in asked.sets:
            one = stored.find((name, seed, asked.rows), partial(measure, name, seed, asked.rows))
            if one is not None:
                own.setdefault(name, []).append(one)
    print(
        "set, seeds, then for rules, forest, MAPIE: covered at 80/90/95 %, width at 90 % in standard deviations;",
        end=" ",
    )
    print("* test set")
    found, is_as_asked = [], []
    for name, parts in own.items():
        by_seed = np.array(parts)
        found.append(by_seed[..., :2].mean(axis=0))
        covered, n_tests = by_seed[..., 0].mean(axis=0), by_seed[..., 2].sum(axis=0)
        chance = np.sqrt(np.array(COVERAGES) * (1 - np.array(COVERAGES)) / n_tests)
        between = by_seed[..., 0].std(axis=0, ddof=1) / np.sqrt(len(parts)) if len(parts) > 1 else 0.0
        is_as_asked.append(np.abs(covered - COVERAGES) <= 2 * np.maximum(chance, between))
        cells = [f"{'/'.join(f'{x:.3f}' for x in covered[w])} {found[-1][w, 1, 1]:5.2f}" for w in range(len(WAYS))]
        print(f"{name:16} {len(parts)}   {'   '.join(cells)}")
    if not found:
        return
    mean, kept = np.mean(found, axis=0), np.sum(is_as_asked, axis=0)
    for w, way in enumerate(WAYS):
        for c, coverage in enumerate(COVERAGES):
            print(
                f"{way:8} {coverage:.0%}: covered {mean[w, c, 0]:.4f}, width {mean[w, c, 1]:.3f}, as asked on"
                f" {kept[w, c]} of {len(found)} sets"
            )


if __name__ == "__main__":
    main()
