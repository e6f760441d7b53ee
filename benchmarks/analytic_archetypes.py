"""The archetype found over regions against the one found on synthetic rows, on sets that took part in no choice.

    python benchmarks/analytic_archetypes.py                    the test sets, 3 seeds; of any size, and of 8 leaves
    python benchmarks/analytic_archetypes.py --sets servo,ecoli
    python benchmarks/analytic_archetypes.py --store FILE

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. One multi-tree of 100
alternatives (classes by the gain ratio) has its archetype found in three ways: on 10,000 synthetic rows, analytically,
and on the training rows. On the test rows: the score (R2 or accuracy), how often tree and multi-tree agree (of numbers
1 - the relative squared difference), and the CPU seconds of finding it.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd

from glade import MultiTreeClassifier, MultiTreeRegressor
from kept import add_store, find_rows
from short_rules import load
from test_sets import TEST_SETS

WAYS = {"invented": {}, "analytic": {"how": "analytic"}, "training rows": {}}
SIZES = (None, 8)


def measure(name, n_rows, seed):
    """A row for each way and size."""
    X, _, y, is_classes = load(name, n_rows)
    order = np.random.default_rng((9, seed)).permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    kind, more = (MultiTreeClassifier, {"criterion": "gain_ratio"}) if is_classes else (MultiTreeRegressor, {})
    model = kind(100, min_samples_leaf=5, random_state=seed, **more).fit(X.iloc[train], y[train])
    fused = model.predict(X.iloc[test])
    whole = 1.0 if is_classes else ((fused - fused.mean(axis=0)) ** 2).sum()
    rows = [("all trees", "", model.score(X.iloc[test], y[test]), 1.0, 0.0, model.multitree_.nodes.n_nodes)]
    for size in SIZES:
        for way, settings in WAYS.items():
            given = X.iloc[train] if way == "training rows" else None
            start = time.process_time()
            tree = model.archetype(given, max_leaf_nodes=size, **settings)
            seconds = time.process_time() - start
            said = tree.predict(X.iloc[test])
            agrees = np.mean(said == fused) if is_classes else 1 - ((said - fused) ** 2).sum() / whole
            score = tree.score(X.iloc[test], y[test])
            rows.append((way, str(size), score, float(agrees), seconds, tree.get_n_leaves()))
    return pd.DataFrame(rows, columns=["way", "leaves", "score", "agrees", "seconds", "size"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(name for kind in TEST_SETS.values() for name in kind))
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--seeds", type=int, default=3)
    add_store(parser)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = []
    for name in given.sets.split(","):
        seeds = [
            find_rows(given.store, given, name, seed, partial(measure, name, given.rows, seed))
            for seed in range(given.seeds)
        ]
        own = pd.concat(seeds)
        own = own.groupby(["leaves", "way"], sort=False).mean().assign(set=name)
        print(own.round(3).to_string(header=not parts), flush=True)
        parts.append(own)
    table = pd.concat(parts).reset_index()
    print(table.groupby(["leaves", "way"], sort=False).mean(numeric_only=True).round(3).to_string())
    for size in map(str, SIZES):
        own = table[table["leaves"] == size].pivot(index="set", columns="way", values="agrees")
        better = (own["analytic"] - own["invented"]).round(3)
        print(f"{size} leaves: agrees better in {(better > 0).sum()} sets, worse in {(better < 0).sum()} of {len(own)}")


if __name__ == "__main__":
    main()
