"""Rule lists against rule ensembles and trees of as many conditions, on sets that took part in no choice.

    python benchmarks/rule_lists.py                      the test sets, 3 seeds, lists of at most 20 rules
    python benchmarks/rule_lists.py --sets servo,ecoli   some of them
    python benchmarks/rule_lists.py --max-rules 10
    python benchmarks/rule_lists.py --store FILE         keep finished parts here, and go on from them

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. A list is fitted with
`max_rules=N`; the ensemble (`max_rules=N`) is the largest of its path with at most as many conditions as the list has,
and so is the tree of its pruning path (the conditions of all leaves, merged as its rules have them). Beside them stand
the sums of all terms and full, cross-validated trees. The error is the squared error over that of the mean (of classes,
of the shares), its root, a mean over the targets.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd

from glade import (
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleListClassifier,
    RuleListRegressor,
    TreeClassifier,
    TreeRegressor,
)
from kept import add_store, find_rows
from short_rules import load, predict
from test_sets import TEST_SETS

MOST_LEAVES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)
LISTS, UNORDERED, ENSEMBLE, TREE = "list", "unordered", "ensemble", "tree"


def find_error(model, X, Y, y, train, test, is_classes):
    """Root of the squared error over that of the mean of the training rows."""
    wrong = predict(model, X.iloc[test], is_classes, y) - Y[test]
    base = ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0)
    square = (wrong**2).sum(axis=0)
    return float(np.sqrt(square.sum() / base.sum()) if is_classes else np.mean(np.sqrt(square / base)))


def make_models(is_classes, n_rules, seed):
    """Unfitted models by name."""
    lists, ensembles = (
        (RuleListClassifier, RuleEnsembleClassifier) if is_classes else (RuleListRegressor, RuleEnsembleRegressor)
    )
    return {
        LISTS: lists(n_rules, random_state=seed),
        UNORDERED: lists(n_rules, ordered=False, random_state=seed),
        ENSEMBLE: ensembles(max_rules=n_rules, random_state=seed),
    }


def count_conditions(model):
    """The conditions of all rules; of a tree those of its leaves."""
    return int(model.rules_.n_conditions.sum()) if model.size_.conditions is None else model.size_.conditions


def fit_tree(X, y, is_classes, most):
    """The largest tree whose leaves have at most so many conditions."""
    kind = TreeClassifier if is_classes else TreeRegressor
    chosen = kind(min_samples_leaf=len(X)).fit(X, y)
    for n_leaves in MOST_LEAVES:
        tree = kind(max_leaf_nodes=n_leaves, min_samples_leaf=5).fit(X, y)
        if count_conditions(tree) > most:
            break
        chosen = tree
    return chosen


def measure(name, n_rows, n_rules, seed):
    """A row of errors and conditions of one division of a set."""
    X, Y, y, is_classes = load(name, n_rows)
    order = np.random.default_rng((5, seed)).permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    fitted, row = {}, {}
    for which, model in make_models(is_classes, n_rules, seed).items():
        start = time.process_time()
        fitted[which] = model.fit(X.iloc[train], y[train])
        row[f"{which} s"] = time.process_time() - start
    most = count_conditions(fitted[LISTS])
    smaller = fitted[ENSEMBLE]
    if smaller.path_.conditions.min() <= most:
        smaller = smaller.with_conditions(most)
    shown = {
        **{which: fitted[which] for which in (LISTS, UNORDERED)},
        ENSEMBLE: smaller,
        TREE: fit_tree(X.iloc[train], y[train], is_classes, most),
        f"{ENSEMBLE} {n_rules}": fitted[ENSEMBLE],
    }
    for which, model in shown.items():
        row[f"{which}"] = find_error(model, X, Y, y, train, test, is_classes)
        row[f"{which} c"] = count_conditions(model)
    return [row]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(name for kind in TEST_SETS.values() for name in kind))
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--seeds", type=int, default=3)
    add_store(parser)
    parser.add_argument("--max-rules", type=int, default=20)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found = {}
    for name in given.sets.split(","):
        parts = [
            find_rows(given.store, given, name, seed, partial(measure, name, given.rows, given.max_rules, seed))
            for seed in range(given.seeds)
        ]
        found[name] = pd.concat(parts).mean()
        print(pd.DataFrame({name: found[name]}).T.round(3).to_string(header=len(found) == 1), flush=True)
    table = pd.DataFrame(found).T
    print(table.mean().round(3).to_string())
    for other in (UNORDERED, ENSEMBLE, TREE):
        print(f"sets where the list is better than {other}: {(table[LISTS] < table[other]).sum()} of {len(table)}")


if __name__ == "__main__":
    main()
