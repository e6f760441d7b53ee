"""The archetype of a random forest against a pruned tree of the same size: accuracy, and agreement with the forest.

    python benchmarks/archetypes.py                     all sets, ours and scikit-learn's forest (about ten CPU minutes)
    python benchmarks/archetypes.py --only iris edm     some sets
    python benchmarks/archetypes.py --store FILE        keep finished folds here, and go on from them

Three folds, the same for all. The pruned tree is grown on the targets and cut back at the alpha of the least
cross-validated error; every archetype may have as many leaves as it has. Accuracy: share of right classes, or 1 - RRMSE
squared; agreement: share of test rows on which tree and forest say the same class, or 1 - relative squared difference;
both as means over targets. "near", "marginal": the invented rows; "given": none are invented; "first": near, without
alternatives.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from glade import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from glade.data.folds import draw_folds
from glade.data.table import Schema, read_table
from glade.data.targets import CLASSIFICATION, REGRESSION, read_targets
from glade.models.archetype import ArchetypeSettings, ModelPredictions, ModelPredictor, agree, imitate
from peers import one_hot
from tables import load_real

CLASSES = ("balance_scale", "car", "ecoli", "hayes_roth", "house_votes", "iris", "new_thyroid", "tic_tac_toe")
MONKS = ("monks 1", "monks 2", "monks 3")
NUMBERS = ("edm", "jura", "enb", "wq", "california")
N_FOLDS, N_TREES = 3, 100
VARIANTS = {"near": (10_000, "near", 100), "marginal": (10_000, "marginal", 100), "given": (0, "near", 100),
            "first": (10_000, "near", 0)}  # fmt: skip
SHOWN = ("pruned", *VARIANTS)


def load(name):
    """Inputs, targets, and whether these are classes."""
    X, y = load_real(name.split()[0])
    if name in NUMBERS:
        return X, y if y.shape[1] > 1 else y.iloc[:, 0], False
    return X, y.iloc[:, int(name.split()[1]) - 1 if name in MONKS else 0], True


def make_forest(maker, is_class, X):
    if maker == "ours":
        return (ForestClassifier if is_class else ForestRegressor)(N_TREES, random_state=0)
    peer = RandomForestClassifier if is_class else RandomForestRegressor
    return one_hot(peer(N_TREES, max_features="sqrt" if is_class else 1 / 3, random_state=0), X)


def say(tree, schema, X, like):
    return ModelPredictions(like.schema, tree.value[tree.route(schema.encode(X))])


def accuracy(predicted, y, mean, is_class):
    if is_class:
        return float(np.mean(predicted.schema.classes[0][predicted.labels[0].astype(int)] == np.asarray(y)))
    truth, guess = np.asarray(y).reshape(len(y), -1), predicted.values
    return float(np.mean(1 - np.sum((truth - guess) ** 2, axis=0) / np.sum((truth - mean) ** 2, axis=0)))


def run_fold(X, y, is_class, train, test, maker):
    """{name: (accuracy, agreement)} and the leaves of the pruned tree."""
    X_train, y_train, X_test, y_test = X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test]
    mean = None if is_class else np.asarray(y_train).reshape(len(train), -1).mean(axis=0)
    forest = make_forest(maker, is_class, X_train).fit(X_train, y_train)
    pruned = (TreeClassifier if is_class else TreeRegressor)(ccp_alpha="cv", random_state=0).fit(X_train, y_train)
    predictor, n_leaves = ModelPredictor(forest), max(2, pruned.get_n_leaves())
    truth = predictor.predict(X_test)
    own = ModelPredictor(pruned).predict(X_test)
    found = {"forest": (accuracy(truth, y_test, mean, is_class), 1.0)}
    found["pruned"] = accuracy(own, y_test, mean, is_class), agree(truth, ModelPredictions(truth.schema, own.values))
    for name in VARIANTS if maker == "ours" else ("near", "given"):
        n_invented, invented, n_alternatives = VARIANTS[name]
        settings = ArchetypeSettings(n_invented, invented, n_alternatives, n_leaves, "theta", 0)
        tree = imitate(predictor, X_train, settings)[0].tree
        predicted = say(tree, Schema.of(read_table(X_train)), X_test, truth)
        found[name] = accuracy(predicted, y_test, mean, is_class), agree(truth, predicted)
    return found, n_leaves


def run_set(name, maker, store):
    X, y, is_class = load(name)
    targets = read_targets(y, CLASSIFICATION if is_class else REGRESSION)
    results = []
    for k, (train, test) in enumerate(draw_folds(N_FOLDS, targets, seed=0)):
        key = f"{name} {maker} {k}"
        if key not in store:
            store[key] = run_fold(X, y, is_class, train, test, maker)
        results.append(store[key])
    return results


def show(maker, results):
    """A table of means over folds, and the paired tests over sets."""
    names = [name for name in SHOWN if name in next(iter(results.values()))[0][0]]
    for k, what in enumerate(("accuracy", "agreement with the forest")):
        print(f"\n{maker} forest: {what} (percent), mean of {N_FOLDS} folds\n")
        print(f"| set | leaves | forest | {' | '.join(names)} |")
        print("|---|---:" + "|---:" * (len(names) + 1) + "|")
        means = {}
        for name, folds in results.items():
            means[name] = {n: 100 * np.mean([found[n][k] for found, _ in folds]) for n in ("forest", *names)}
            leaves = np.mean([n for _, n in folds])
            print(f"| {name} | {leaves:.0f} | " + " | ".join(f"{v:.1f}" for v in means[name].values()) + " |")
        for name in names[1:]:
            gaps = np.array([row[name] - row["pruned"] for row in means.values()])
            p_value = stats.wilcoxon(gaps).pvalue if (gaps != 0).any() else 1.0
            won, lost = int((gaps > 0.05).sum()), int((gaps < -0.05).sum())
            counts = f"better on {won}, worse on {lost}, Wilcoxon p {p_value:.2g}"
            print(f"\n{name} - pruned: mean {gaps.mean():+.2f}, {counts}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=[*CLASSES, *MONKS, *NUMBERS])
    parser.add_argument("--makers", nargs="+", default=["ours", "scikit-learn's"])
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    store = json.loads(given.store.read_text()) if given.store and given.store.exists() else {}
    for maker in given.makers:
        results = {}
        for name in given.only:
            results[name] = run_set(name, maker, store)
            if given.store:
                given.store.write_text(json.dumps(store))
        show(maker, results)


if __name__ == "__main__":
    main()
