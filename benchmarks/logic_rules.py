"""Logic rules against plain rules of as many conditions, on sets that took part in no choice.

    python benchmarks/logic_rules.py                      the test sets, 3 seeds, models of at most 20 terms
    python benchmarks/logic_rules.py --sets servo,ecoli
    python benchmarks/logic_rules.py --store FILE         keep finished parts here, and go on from them

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. One ensemble of plain
rules and one with `logic=True` are fitted, both without linear terms, and cut to so many conditions. The error is the
squared error over that of the mean (of classes, of the shares), its root, a mean over the targets.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from kept import add_store, find_rows
from rule_lists import find_error
from short_rules import load
from test_sets import TEST_SETS

CONDITIONS = (6, 12, 24)


def measure(name, n_rows, n_rules, seed):
    """A row of the errors of both at each number of conditions, and how many logic rules there are."""
    X, Y, y, is_classes = load(name, n_rows)
    order = np.random.default_rng((17, seed)).permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    kind = RuleEnsembleClassifier if is_classes else RuleEnsembleRegressor
    row = {}
    for which, logic in (("plain", False), ("logic", True)):
        start = time.process_time()
        model = kind(max_rules=n_rules, logic=logic, linear_terms=False, random_state=seed)
        model.fit(X.iloc[train], y[train])
        row[f"{which} s"] = time.process_time() - start
        for k in CONDITIONS:
            own = model.with_conditions(k)
            row[f"{which} {k}"] = find_error(own, X, Y, y, train, test, is_classes)
            if logic:
                kinds = own.terms_.design.kinds
                row[f"share {k}"] = kinds.count("logic rule") / max(len(kinds), 1)
    return [row]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(name for kind in TEST_SETS.values() for name in kind))
    parser.add_argument("--rows", type=int, default=1000)
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
    for k in CONDITIONS:
        better = (table[f"plain {k}"] - table[f"logic {k}"]).round(3)
        print(f"{k} conditions: logic better in {(better > 0).sum()}, worse in {(better < 0).sum()} of {len(table)}")


if __name__ == "__main__":
    main()
