"""Models that a person can read, against each other: error, seconds, and how much there is to read.

    python benchmarks/readable.py [--rows 1000] [--sets cpu_act kin8nm ...]

Tables of one number from `CHOICE_SETS` whose inputs are all numbers, at most so many rows of each, three folds, one
seed. Every model has its defaults, but for the limit of 20 terms, rules or leaves where it has such a setting:
glade's rules and tree, RuleFit and FIGS of imodels, EBM of InterpretML, scikit-learn's tree with its pruning chosen
by cross-validation, and a forest of scikit-learn, which nobody can read, as the yardstick. Gaps are filled with the
median for imodels.

RRMSE is over the test rows of all folds together (1 is always the mean); seconds are of the processor, in one
thread, the median of the fits after a first one that is not counted (it compiles, or imports). A term is a rule, a
linear term, a leaf or a curve; a condition is one comparison, and the path to a leaf has as many as it is deep. A
curve of an EBM has up to 1,024 steps, which are not counted. imodels and InterpretML come with `pip install -e
".[bench]" interpret-core`; a model whose package is missing is left out and said to be.
"""

import argparse
import os
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

import glade
from tables import load_real

SETS = ("cpu_act", "kin8nm", "house_8L")  # all inputs are numbers, which every peer takes
LIMIT = 20
N_FOLDS = 3


def pruned_tree():
    """scikit-learn's tree as its users prune it: by a search over sizes."""
    return GridSearchCV(DecisionTreeRegressor(random_state=0), {"max_leaf_nodes": [2, 3, 4, 6, 8, 10, 14, LIMIT]}, cv=5)


def make_models():
    """Name to a function that makes the model."""
    models = {
        "glade, rules": lambda: glade.RuleEnsembleRegressor(max_rules=LIMIT, random_state=0),
        "glade, tree": lambda: glade.TreeRegressor(max_leaf_nodes=LIMIT, ccp_alpha="cv", random_state=0),
        "scikit-learn, tree": pruned_tree,
        "scikit-learn, forest": lambda: RandomForestRegressor(random_state=0),
    }
    try:
        from imodels import FIGSRegressor, RuleFitRegressor

        models["imodels, RuleFit"] = lambda: make_pipeline(
            SimpleImputer(strategy="median"), RuleFitRegressor(max_rules=LIMIT, random_state=0)
        )
        models["imodels, FIGS"] = lambda: make_pipeline(
            SimpleImputer(strategy="median"), FIGSRegressor(max_rules=LIMIT, random_state=0)
        )
    except ImportError as fault:
        print(f"imodels is left out: {fault}")
    try:
        from interpret.glassbox import ExplainableBoostingRegressor

        models["InterpretML, EBM"] = lambda: ExplainableBoostingRegressor(random_state=0, n_jobs=1)
    except ImportError as fault:
        print(f"InterpretML is left out: {fault}")
    return models


def count_paths(tree):
    """The leaves of a tree of scikit-learn, and the conditions on the paths to all of them."""
    depth, stack, leaves = 0, [(0, 0)], 0
    while stack:
        node, level = stack.pop()
        if tree.children_left[node] < 0:
            leaves, depth = leaves + 1, depth + level
        else:
            stack += [(tree.children_left[node], level + 1), (tree.children_right[node], level + 1)]
    return leaves, depth


def count_reading(name, model):
    """The terms of a fitted model, and the conditions in them; None where there is no such thing."""
    if name == "glade, rules":
        return model.size_.terms, model.size_.conditions
    if name == "glade, tree":
        frame = model.rules_.to_frame()
        return model.get_n_leaves(), int(frame["conditions"].sum())
    if name == "scikit-learn, tree":
        return count_paths(model.best_estimator_.tree_)
    if name == "imodels, RuleFit":
        frame = model[-1].visualize()
        return len(frame), sum(str(rule).count("<=") + str(rule).count(">") for rule in frame["rule"])
    if name == "imodels, FIGS":
        paths = [count_figs(tree) for tree in model[-1].trees_]
        return sum(leaves for leaves, _ in paths), sum(conditions for _, conditions in paths)
    if name == "InterpretML, EBM":
        return len(model.term_names_), None
    return None, None


def count_figs(node, level=0):
    """The leaves of a tree of FIGS, and the conditions on the paths to all of them."""
    if node.left is None:
        return 1, level
    parts = [count_figs(child, level + 1) for child in (node.left, node.right)]
    return sum(leaves for leaves, _ in parts), sum(conditions for _, conditions in parts)


def judge(make, name, X, y):
    """RRMSE over all folds, the median of the seconds of a fit, mean terms and conditions."""
    predicted, guessed, seconds, reading = np.empty(len(y)), np.empty(len(y)), [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make().fit(X[:100], y[:100])
        for train, test in KFold(N_FOLDS, shuffle=True, random_state=0).split(X):
            start = time.process_time()
            model = make().fit(X[train], y[train])
            seconds.append(time.process_time() - start)
            predicted[test], guessed[test] = np.ravel(model.predict(X[test])), y[train].mean()
            reading.append(count_reading(name, model))
    terms, conditions = (None if part[0] is None else float(np.mean(part)) for part in zip(*reading, strict=True))
    error = np.sqrt(np.mean((y - predicted) ** 2) / np.mean((y - guessed) ** 2))
    return {"RRMSE": error, "CPU s": float(np.median(seconds)), "terms": terms, "conditions": conditions}


def main():
    """Print a row for each set and model, and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS)
    given = parser.parse_args()
    rows = []
    for name in given.sets:
        found = load_real(name)
        if found is None:
            print(f"{name}: not there")
            continue
        table = found[0].select_dtypes("number").to_numpy(float)
        y = np.ravel(found[1].to_numpy(float))
        chosen = np.random.default_rng(0).permutation(len(y))[: given.rows]
        for model, make in make_models().items():
            rows.append({"data": name, "model": model, **judge(make, model, table[chosen], y[chosen])})
            print(*(f"{value:.3g}" if isinstance(value, float) else value for value in rows[-1].values()), flush=True)
    measured = pd.DataFrame(rows)
    figures = ["RRMSE", "CPU s", "terms", "conditions"]
    print(measured.groupby("model", sort=False)[figures].mean().round(3).to_string())


if __name__ == "__main__":
    main()
