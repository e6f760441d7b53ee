"""What m-estimates of the leaves change in a multi-tree, on the sets of classes that took part in no choice.

    python benchmarks/m_estimates.py                      the test sets of classes, 3 seeds
    python benchmarks/m_estimates.py --sets ecoli

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. One multi-tree of 100
alternatives by the gain ratio is grown; what it says with and without m-estimates is judged on the test rows: the share
of right classes and the log loss, with probabilities kept above 1e-6.
"""

import argparse
import warnings
from functools import partial

import numpy as np
import pandas as pd

from glade import MultiTreeClassifier
from kept import add_store, find_rows
from short_rules import load, predict
from test_sets import TEST_SETS

M = (None, 1, 2, 5, 10)
FUSIONS = ("mean", "product")


def measure(name, n_rows, seed):
    """A row for each fusion and number of rows."""
    X, Y, y, _ = load(name, n_rows)
    order = np.random.default_rng((19, seed)).permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    model = MultiTreeClassifier(100, criterion="gain_ratio", random_state=seed).fit(X.iloc[train], y[train])
    rows = []
    for fusion in FUSIONS:
        for m in M:
            model.set_params(fusion=fusion, m_estimate=m)
            share = np.clip(predict(model, X.iloc[test], True, y), 1e-6, 1)
            share /= share.sum(axis=1, keepdims=True)
            right = share.argmax(axis=1) == Y[test].argmax(axis=1)
            loss = -np.log((share * Y[test]).sum(axis=1)).mean()
            rows.append({"fusion": fusion, "m": "none" if m is None else str(m), "right": right.mean(), "loss": loss})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(TEST_SETS["classes"]))
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=3)
    add_store(parser)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = [
        find_rows(given.store, given, name, seed, partial(measure, name, given.rows, seed)).assign(set=name)
        for name in given.sets.split(",")
        for seed in range(given.seeds)
    ]
    table = pd.concat(parts)
    for what in ("right", "loss"):
        print(what)
        print(table.pivot_table(what, "set", ["fusion", "m"], sort=False).round(3).to_string())
        print(table.groupby(["fusion", "m"], sort=False)[what].mean().round(3).to_string())


if __name__ == "__main__":
    main()
