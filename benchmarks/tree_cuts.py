"""Trees for people: what nice cuts cost and save, and how often two leaves beside each other say the same.

    python benchmarks/tree_cuts.py                       eight sets, 1,000 rows at most, three folds
    python benchmarks/tree_cuts.py --sets abalone,enb

The error is that of `short_rules.py`. Digits are those of the different cuts of a tree. Two leaves of one split are
idle if they differ by less than 1 % of each target's standard deviation (what makes a term of rules idle).
"""

import argparse

import numpy as np
import pandas as pd

from glade import TreeRegressor
from glade.explain.readability import IDLE_NUMBER
from short_rules import draw_folds, load

SETS = "kin8nm,cpu_act,house_8L,abalone,auto_mpg,pbc,strike,enb"
TREES = {
    "10 leaves": {"max_leaf_nodes": 10, "min_samples_leaf": 5},
    "pruned by folds": {"ccp_alpha": "cv", "min_samples_leaf": 5, "random_state": 0},
    "unpruned": {"min_samples_leaf": 5},
}


def count_digits(cut):
    return len(f"{abs(cut):.15g}".split("e")[0].replace(".", "").strip("0"))


def count_idle(tree, spread):
    """How many splits have two leaves, and how many of these say the same."""
    left = tree.split_left[tree.split[~tree.is_leaf]]
    left = left[tree.is_leaf[left] & tree.is_leaf[left + 1]]
    apart = np.abs(tree.value[left] - tree.value[left + 1])
    return len(left), int((apart < IDLE_NUMBER * spread).all(axis=1).sum())


def measure(X, Y, settings):
    squares = baseline = 0.0
    digits, leaves, idle = [], [], np.zeros(2)
    for train, test in draw_folds(len(X)):
        y = Y[train] if Y.shape[1] > 1 else Y[train, 0]
        model = TreeRegressor(**settings).fit(X.iloc[train], y)
        squares = squares + ((np.asarray(model.predict(X.iloc[test])).reshape(len(test), -1) - Y[test]) ** 2).sum(0)
        baseline = baseline + ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0)
        conditions = model.rules_.conditions
        cuts = np.unique(np.concatenate((conditions.low, conditions.high)))
        digits += [count_digits(cut) for cut in cuts[np.isfinite(cuts)].tolist()]
        leaves.append(model.get_n_leaves())
        idle += count_idle(model.tree_, Y[train].std(axis=0))
    return {
        "error": np.sqrt(squares / baseline).mean(),
        "digits": np.mean(digits),
        "most digits": max(digits),
        "leaves": np.mean(leaves),
        "pairs of leaves": idle[0],
        "idle": idle[1],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", default=SETS)
    rows = []
    for name in parser.parse_args().sets.split(","):
        X, Y, _, _ = load(name, 1_000)
        for kind, settings in TREES.items():
            for cuts in ("exact", "nice"):
                rows.append({"set": name, "tree": kind, "cuts": cuts} | measure(X, Y, settings | {"cuts": cuts}))
    table = pd.DataFrame(rows)
    print(table.round(3).to_string(index=False))
    print(table.drop(columns="set").groupby(["tree", "cuts"]).mean().round(3).to_string())


if __name__ == "__main__":
    main()
