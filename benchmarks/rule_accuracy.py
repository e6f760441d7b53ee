"""Rule ensembles for accuracy: small and unlimited models beside a forest, a pruned tree, FIRE and other libraries.

    python benchmarks/rule_accuracy.py                     everything (hours on one core)
    python benchmarks/rule_accuracy.py --only many         the ten sets with many targets; or single, classes, friedman
    python benchmarks/rule_accuracy.py --only many --sets edm,enb --seeds 1
    python benchmarks/rule_accuracy.py --only partitions --sets servo --seeds 8

All methods see the same folds: the row in place i of a random order goes to fold i mod 10. Errors of a regression are
relative to the mean of the training part and pooled over the folds (aRRMSE, 1: always the mean). Seeds change the trees
and the folds inside a fit, not the folds it is judged on; `partitions` changes these too.
"""

import argparse
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
from imodels import RuleFitRegressor as RuleFitOfImodels
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score, roc_auc_score

from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitRegressor,
    TreeClassifier,
    TreeRegressor,
)
from glade.models.generators import MAX_UNLIMITED
from tables import TEN_SETS, FoldsInTurn, load_real

SIZES = (10, 20, 50)
LIMIT_SETS = 8  # of the ten, whose mean is compared with the goals
SINGLE = ("boston", "auto_mpg", "servo", "abalone", "california", "car_msrp")
MAX_ROWS = 5_000  # imodels takes minutes for more
CLASSES = ("house_votes", "tic_tac_toe", "car", "madelon", "ecoli", "thyroid", "emotions")


def rule_models(model):
    """The fitted ensemble in all sizes."""
    return {f"{k} terms": model.with_rules(k) for k in SIZES} | {"unlimited": model}


def fit_numbers(X, y, seed):
    """All methods, by name."""
    settings = {"max_features": "log2+1", "min_samples_leaf": 2, "random_state": seed}
    limited = {}
    if len(X) > MAX_UNLIMITED:
        limited = {"2,500 terms": RuleEnsembleRegressor(max_rules=2_500, random_state=seed).fit(X, y)}
    return {
        **limited,
        **rule_models(RuleEnsembleRegressor(max_rules=None, random_state=seed).fit(X, y)),
        "FIRE, 20 rules": FIRERegressor(max_rules=20, random_state=seed).fit(X, y),
        "pruned tree": TreeRegressor(ccp_alpha="cv", random_state=seed).fit(X, y),
        "forest": ForestRegressor(100, **settings).fit(X, y),
    }


def pooled_errors(X, Y, fit, seed, partition=0):
    """For each method: relative root mean squared error, and R2, each a mean over targets."""
    squares, baseline, spread = {}, np.zeros(Y.shape[1]), ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    for train, test in FoldsInTurn(partition).split(X):
        baseline += ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0)
        for name, model in fit(X.iloc[train], Y[train], seed).items():
            wrong = model.predict(X.iloc[test]).reshape(Y[test].shape) - Y[test]
            squares[name] = squares.get(name, 0.0) + (wrong**2).sum(axis=0)
    return {name: (np.sqrt(s / baseline).mean(), (1 - s / spread).mean()) for name, s in squares.items()}


def print_table(title, rows):
    """Rows of {column: text} by name."""
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    print(f"\n| {title} | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name, row in rows.items():
        print(f"| {name} | {' | '.join(row.get(column, '') for column in columns)} |", flush=True)


def many(sets, n_seeds):
    """The ten sets with many targets."""
    errors, rows, scores = {}, {}, {}
    for name in sets or TEN_SETS:
        X, frame = load_real(name)
        start = time.process_time()
        found = [pooled_errors(X, frame.to_numpy(float), fit_numbers, seed) for seed in range(n_seeds)]
        errors[name] = {m: np.array([f[m][0] for f in found]) for m in found[0]}
        rows[name] = {m: f"{e.mean():.3f} ± {e.std():.3f}" for m, e in errors[name].items()}
        scores[name] = {m: f"{np.mean([f[m][1] for f in found]):.3f}" for m in found[0]}
        print(f"{name}: {rows[name]}  {time.process_time() - start:.0f} s", flush=True)
    first = [name for name in TEN_SETS[:LIMIT_SETS] if name in errors] or list(errors)
    means = {m: np.mean([errors[name][m] for name in first], axis=0) for m in errors[first[0]]}
    rows[f"mean of {len(first)}"] = {m: f"{e.mean():.3f} ± {e.std():.3f}" for m, e in means.items()}
    print_table(f"aRRMSE, {n_seeds} seeds", rows)
    print_table("R2, mean over targets", scores)


def fit_one_number(X, y, seed):
    """All methods for one number, by name; imodels takes numbers only, without gaps."""
    y = y[:, 0]
    settings = {"random_state": seed}
    rulefit = RuleFitRegressor(**settings).fit(X, y)
    peer = {}
    if len(X.select_dtypes("number").columns):
        peer = {"imodels RuleFit": NumbersOnly(RuleFitOfImodels(random_state=seed)).fit(X, y)}
    return {
        **fit_rules_and_trees(X, y, seed),
        "RuleFit": rulefit,
        "RuleFit, 20 terms": rulefit.with_rules(20),
        **peer,
        "forest": ForestRegressor(100, **settings).fit(X, y),
    }


def fit_rules_and_trees(X, y, seed):
    """Rules in all sizes beside pruned trees, for one number."""
    y, settings = y.reshape(-1), {"random_state": seed}
    return {
        **rule_models(RuleEnsembleRegressor(max_rules=None, **settings).fit(X, y)),
        "pruned tree": TreeRegressor(ccp_alpha="cv", **settings).fit(X, y),
        "pruned tree, 20 leaves": TreeRegressor(ccp_alpha="cv", max_leaf_nodes=20, **settings).fit(X, y),
    }


class NumbersOnly:
    """A model on the numeric inputs alone, gaps filled with their means."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        """Remember the numeric columns and their means."""
        self.columns = list(X.select_dtypes("number"))
        self.means = X[self.columns].mean()
        self.model.fit(self._take(X), y, feature_names=[f"x{k}" for k in range(len(self.columns))])
        return self

    def predict(self, X):
        """For a table with these columns."""
        return self.model.predict(self._take(X))

    def _take(self, X):
        return X[self.columns].fillna(self.means).to_numpy(float)


def single(sets, n_seeds):
    """One numeric target."""
    rows = {}
    for name in sets or SINGLE:
        X, frame = load_real(name)
        X, frame = X.iloc[:MAX_ROWS], frame.iloc[:MAX_ROWS]
        found = [pooled_errors(X, frame.iloc[:, :1].to_numpy(float), fit_one_number, seed) for seed in range(n_seeds)]
        rows[name] = {m: f"{np.mean([f[m][0] for f in found]):.3f}" for m in found[0]}
        print(f"{name}: {rows[name]}", flush=True)
    print_table(f"RRMSE, {n_seeds} seeds, at most {MAX_ROWS:,} rows", rows)


def partitions(sets, n_partitions):
    """Rules against trees for one number, where the parts into which the rows fall decide: the mean over several."""
    rows = {}
    for name in sets or ("servo", "car_msrp"):
        X, frame = load_real(name)
        X, Y = X.iloc[:MAX_ROWS], frame.iloc[:MAX_ROWS, :1].to_numpy(float)
        found = [pooled_errors(X, Y, fit_rules_and_trees, k, partition=k) for k in range(n_partitions)]
        errors = {m: np.array([f[m][0] for f in found]) for m in found[0]}
        rows[name] = {m: f"{e.mean():.3f}" for m, e in errors.items()}
        for ours, tree in (("20 terms", "pruned tree, 20 leaves"), ("unlimited", "pruned tree")):
            gap = errors[ours] - errors[tree]
            rows[name][f"{ours} - {tree}"] = f"{gap.mean():+.3f} ± {gap.std(ddof=1) / len(gap) ** 0.5:.3f}"
        print(f"{name}: {rows[name]}", flush=True)
    print_table(f"RRMSE, {n_partitions} partitions, at most {MAX_ROWS:,} rows", rows)


def fit_classes(X, y, seed):
    """All methods for classes, by name."""
    return {
        **rule_models(RuleEnsembleClassifier(max_rules=None, random_state=seed).fit(X, y)),
        "pruned tree": TreeClassifier(ccp_alpha="cv", random_state=seed).fit(X, y),
        "forest": ForestClassifier(100, random_state=seed).fit(X, y),
    }


def judge_classes(X, frame, fit, seed):
    """For each method: accuracy and AUC over all folds, each a mean over targets; and the share of each row's hits."""
    Y = frame.astype(str).to_numpy()
    labels = [sorted(set(column)) for column in Y.T]
    hits, shares = {}, {}
    for train, test in FoldsInTurn(0).split(X):
        y = Y[train] if Y.shape[1] > 1 else Y[train, 0]
        for name, model in fit(X.iloc[train], y, seed).items():
            probability = model.predict_proba(X.iloc[test])
            probability = [probability] if Y.shape[1] == 1 else probability
            classes = [model.classes_] if Y.shape[1] == 1 else model.classes_
            for t, part in enumerate(probability):
                of_all = np.zeros((len(test), len(labels[t])))
                of_all[:, [labels[t].index(c) for c in classes[t]]] = part
                shares.setdefault((name, t), np.zeros((len(Y), len(labels[t]))))[test] = of_all
    for name in dict.fromkeys(name for name, _ in shares):
        scores, of_rows = [], np.zeros(len(Y))
        for t in range(Y.shape[1]):
            part, truth = shares[name, t], Y[:, t]
            is_right = np.array(labels[t])[part.argmax(axis=1)] == truth
            of_rows += is_right / Y.shape[1]
            is_pair = len(labels[t]) == 2
            area = roc_auc_score(truth, part[:, 1] if is_pair else part / part.sum(1, keepdims=True), multi_class="ovr")
            scores.append((is_right.mean(), area))
        hits[name] = (*np.mean(scores, axis=0), of_rows)
    return hits


def classes(sets, n_seeds):
    """Nominal targets, one and many."""
    rows = {}
    for name in sets or CLASSES:
        X, frame = load_real(name)
        found = [judge_classes(X, frame, fit_classes, seed) for seed in range(n_seeds)]
        mean = {m: [np.mean([f[m][k] for f in found], axis=0) for k in range(3)] for m in found[0]}
        rows[name] = {m: f"{a:.3f} / {b:.3f}" for m, (a, b, _) in mean.items()}
        for other in ("pruned tree", "forest"):
            gain = mean["unlimited"][2] - mean[other][2]
            rows[name][f"unlimited - {other}"] = f"{gain.mean():+.3f} ± {gain.std() / np.sqrt(len(gain)):.3f}"
        print(f"{name}: {rows[name]}", flush=True)
    print_table(f"accuracy / AUC, {n_seeds} seeds", rows)


def friedman(sets, n_seeds):
    """Friedman 1: 1,000 rows to learn from, 5,000 to be judged on."""
    scores = {}
    for seed in range(max(n_seeds, 5)):
        X, y = make_friedman1(6_000, 10, noise=1.0, random_state=seed)
        model = RuleEnsembleRegressor(max_rules=None, random_state=seed).fit(X[:1000], y[:1000])
        models = {f"{k} terms": model.with_rules(k) for k in (10, 20, 30)} | {"unlimited": model}
        rulefit = RuleFitRegressor(random_state=seed).fit(X[:1000], y[:1000])
        models |= {f"RuleFit, {k} terms": rulefit.with_rules(k) for k in (10, 20, 30)} | {"RuleFit": rulefit}
        models["forest"] = ForestRegressor(100, random_state=seed).fit(X[:1000], y[:1000])
        for name, fitted in models.items():
            scores.setdefault(name, []).append(r2_score(y[1000:], fitted.predict(X[1000:])))
    print_table("Friedman 1, R2", {"rules": {m: f"{np.mean(s):.3f} ± {np.std(s):.3f}" for m, s in scores.items()}})


PARTS = {"many": many, "single": single, "partitions": partitions, "classes": classes, "friedman": friedman}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--sets", help="names of data sets, with commas between")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    for part in [given.only] if given.only else PARTS:
        PARTS[part](given.sets.split(",") if given.sets else None, given.seeds)
