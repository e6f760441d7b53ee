"""Beam trees and the ensembles of their beams against greedy trees, bagging and random forests, on many targets.

    python benchmarks/beam.py                       slump, edm and scm20d, 3 seeds
    python benchmarks/beam.py --sets edm --width 30
    python benchmarks/beam.py --store FILE

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. One tree: greedy and by
beam, with as many leaves at most. Ensembles: all trees of a beam, chosen by impurity alone or by diversity as well,
against as many bagged trees and trees of a random forest, of as many leaves at most and unpruned. The error is the
squared error over that of the mean, its root, a mean over the targets.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd

from glade import BeamTreeRegressor, ForestRegressor, TreeRegressor
from kept import add_store, find_rows
from short_rules import load
from test_sets import TEST_SETS


def make_models(width, n_leaves, seed):
    """Names with unfitted models, and whether the beam is to be made a forest."""
    few = {"max_leaf_nodes": n_leaves, "min_samples_leaf": 5}
    forest = {"random_state": seed}
    beams = {
        f"beam of {width}, diversity {d:g}": (BeamTreeRegressor(width, diversity=d, **few), True) for d in (0, 0.5, 2)
    }
    return {
        "greedy tree": (TreeRegressor(**few), False),
        "best tree of a beam": (BeamTreeRegressor(width, **few), False),
        **beams,
        "bagging, as many leaves": (ForestRegressor(width, method="bagging", **few, **forest), False),
        "random forest, as many leaves": (ForestRegressor(width, **few, **forest), False),
        "bagging": (ForestRegressor(width, method="bagging", **forest), False),
        "random forest": (ForestRegressor(width, **forest), False),
    }


def measure(name, n_rows, width, n_leaves, seed):
    """A row for each model."""
    X, Y, y, _ = load(name, n_rows)
    order = np.random.default_rng((13, seed)).permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    base, rows = ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0), []
    for which, (model, is_beam) in make_models(width, n_leaves, seed).items():
        start = time.process_time()
        fitted = model.fit(X.iloc[train], y[train])
        seconds = time.process_time() - start
        fitted = fitted.to_forest() if is_beam else fitted
        said = np.asarray(fitted.predict(X.iloc[test])).reshape(len(test), -1)
        error = np.sqrt(((said - Y[test]) ** 2).sum(axis=0) / base).mean()
        rows.append((which, error, fitted.size_.leaves, seconds))
    return pd.DataFrame(rows, columns=["model", "error", "leaves", "seconds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(TEST_SETS["many targets"]))
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3)
    add_store(parser)
    parser.add_argument("--width", type=int, default=30)
    parser.add_argument("--leaves", type=int, default=16)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = []
    for name in given.sets.split(","):
        seeds = [
            find_rows(
                given.store, given, name, seed, partial(measure, name, given.rows, given.width, given.leaves, seed)
            )
            for seed in range(given.seeds)
        ]
        own = pd.concat(seeds)
        own = own.groupby("model", sort=False).mean().assign(set=name)
        print(own.round(3).to_string(header=not parts), flush=True)
        parts.append(own)
    print(pd.concat(parts).groupby("model", sort=False).mean(numeric_only=True).round(3).to_string())


if __name__ == "__main__":
    main()
