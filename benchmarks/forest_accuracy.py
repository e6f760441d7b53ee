"""Forests for accuracy: published figures, scikit-learn's forests, separate forests, gradient boosting.

    python benchmarks/forest_accuracy.py                       everything (about half an hour on two cores)
    python benchmarks/forest_accuracy.py --only regression     or classification, mixed, boosting
    python benchmarks/forest_accuracy.py --only regression --sets sf1,sf2

All methods see the same folds. Errors of a regression are relative to the mean of the training part and pooled over the
folds of a repetition (aRRMSE); differences are ours minus the peer's, with the standard error over repetitions.
"""

import argparse
import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.datasets import make_friedman1
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import KFold, train_test_split

from glade import ForestClassifier, ForestRegressor, MixedForest, load_penguins
from peers import count_one_hot, one_hot
from tables import load_real

JOBS = 2
LEAVES_AND_JOBS = {"min_samples_leaf": 2, "n_jobs": JOBS}
PUBLISHED = {"edm": 0.69, "sf1": 1.05, "wq": 0.90}  # FIRE, Table II: random forest of 100 trees
REGRESSION = ("edm", "sf1", "sf2", "wq", "jura", "enb", "slump", "andro", "rf1", "scm20d")
CLASSIFICATION = {"bridges": 10, "monks": 10, "thyroid": 1, "emotions": 3}  # repetitions of 10-fold


def folds(n_rows, seed):
    return KFold(10, shuffle=True, random_state=seed).split(np.zeros(n_rows))


def mean_and_error(values):
    values = np.asarray(values)
    return values.mean(), values.std(ddof=1) / len(values) ** 0.5 if len(values) > 1 else np.nan


def arrmse(X, Y, fit_predict, seed):
    """Pooled relative root mean squared error, mean over targets."""
    error, baseline = np.zeros(Y.shape[1]), np.zeros(Y.shape[1])
    for train, test in folds(len(Y), seed):
        predicted = fit_predict(X.iloc[train], Y[train], X.iloc[test])
        error += np.sum((Y[test] - predicted) ** 2, axis=0)
        baseline += np.sum((Y[test] - Y[train].mean(axis=0)) ** 2, axis=0)
    return float(np.mean(np.sqrt(error / baseline)))


def log2_plus_1(n):
    return int(np.log2(n) + 1)


def predict_ours(seed, X_train, Y_train, X_test):
    model = ForestRegressor(100, max_features="log2+1", random_state=seed, **LEAVES_AND_JOBS)
    return model.fit(X_train, Y_train).predict(X_test)


def predict_peer(m, as_given, seed, X_train, Y_train, X_test):
    """scikit-learn's, with m one-hot columns a node, and targets as they are given or standardised."""
    mean, spread = Y_train.mean(axis=0), np.where(Y_train.std(axis=0) > 0, Y_train.std(axis=0), 1)
    if as_given:
        mean, spread = 0.0, 1.0
    forest = RandomForestRegressor(100, max_features=m, random_state=seed, **LEAVES_AND_JOBS)
    return one_hot(forest, X_train).fit(X_train, (Y_train - mean) / spread).predict(X_test) * spread + mean


def regression(sets):
    """The peer, with the same settings, as a user calls it: log2 + 1 of its one-hot columns, targets as they are.

    It is then helped: its targets are standardised, as ours are by themselves; and it draws as large a share of its
    columns as we draw of the inputs.
    """
    print("\nrandom forests, 100 trees, log2+1 inputs a node, 2 rows a leaf; aRRMSE, 10-fold, 3 fold seeds")
    peers = ("scikit-learn", "targets standardised", "the same share of columns too")
    print("| data | published | ours | " + " | ".join(f"{peer} | difference" for peer in peers) + " |")
    print("|" + "---|" * 9)
    differences = []
    for name in sets or REGRESSION:
        X, frame = load_real(name)
        Y, n_inputs, n_columns = frame.to_numpy(float), X.shape[1], count_one_hot(X)
        m, m_of_share = log2_plus_1(n_columns), round(n_columns * log2_plus_1(n_inputs) / n_inputs)
        ways = [(m, True), (m, False), (m_of_share, False)]
        scores = {
            way: [arrmse(X, Y, partial(predict_peer, *way, seed), seed) for seed in range(3)] for way in set(ways)
        }
        ours = [arrmse(X, Y, partial(predict_ours, seed), seed) for seed in range(3)]
        line = f"| {name} | {PUBLISHED.get(name, '')} | {np.mean(ours):.3f} |"
        found = [mean_and_error(np.subtract(ours, scores[way])) for way in ways]
        for way, (mean, error) in zip(ways, found, strict=True):
            line += f" {np.mean(scores[way]):.3f} | {mean:+.4f} ± {error:.4f} |"
        differences.append([mean for mean, _ in found])
        print(line, flush=True)
    print("mean difference over the sets: " + ", ".join(f"{mean:+.4f}" for mean in np.mean(differences, axis=0)))


def accuracies(X, Y, fit_predict, seed):
    """Mean accuracy over targets, of all rows of one repetition."""
    hits = 0.0
    for train, test in folds(len(Y), seed):
        hits += (fit_predict(X.iloc[train], Y[train], X.iloc[test]) == Y[test]).mean(axis=1).sum()
    return hits / len(Y)


def classification(_):
    print("\nrandom forests for classes, 100 trees, sqrt inputs a node; mean accuracy over targets, 10-fold")
    print("| data | repetitions | ours | scikit-learn | difference |")
    print("|---|---|---|---|---|")
    for name, repetitions in CLASSIFICATION.items():
        X, frame = load_real(name)
        Y = frame.astype(str).to_numpy()
        scores = {"ours": [], "peer": []}
        for seed in range(max(repetitions, 2)):

            def ours(X_train, Y_train, X_test, seed=seed):
                return ForestClassifier(100, n_jobs=JOBS, random_state=seed).fit(X_train, Y_train).predict(X_test)

            def peer(X_train, Y_train, X_test, seed=seed):
                forest = RandomForestClassifier(100, n_jobs=JOBS, random_state=seed)
                return one_hot(forest, X_train).fit(X_train, Y_train).predict(X_test)

            scores["ours"].append(accuracies(X, Y, ours, seed))
            scores["peer"].append(accuracies(X, Y, peer, seed))
        difference, error = mean_and_error(np.subtract(scores["ours"], scores["peer"]))
        print(
            f"| {name} | {len(scores['ours'])} | {np.mean(scores['ours']):.4f} | {np.mean(scores['peer']):.4f} |"
            f" {difference:+.4f} ± {error:.4f} |",
            flush=True,
        )


def mixed(_):
    print("\nmixed targets: one forest for all against one for each; score per target on a third of the rows, 10 seeds")
    print("| data | target | together | separate | difference |")
    print("|---|---|---|---|---|")
    penguins = load_penguins()
    thyroid, diagnoses = load_real("thyroid")
    numeric = ["T3", "TT4", "FTI"]
    thyroid = thyroid.sample(3000, random_state=0)
    cases = {
        "penguins": (penguins, ["species", "body_mass_g", "flipper_length_mm"]),
        "thyroid": (thyroid.join(diagnoses), [*diagnoses.columns[:4], *numeric]),
    }
    for name, (table, targets) in cases.items():
        table = table.dropna(subset=targets)
        X = table.drop(columns=[*targets, *(diagnoses.columns if name == "thyroid" else [])])
        scores = {False: [], True: []}
        for seed in range(10):
            X_train, X_test, Y_train, Y_test = train_test_split(X, table[targets], test_size=1 / 3, random_state=seed)
            for per_target, found in scores.items():
                model = MixedForest(100, per_target=per_target, min_samples_leaf=2, n_jobs=JOBS, random_state=seed)
                predicted = model.fit(X_train, Y_train).predict(X_test)
                found.append([score(Y_test[t].to_numpy(), predicted[t].to_numpy()) for t in targets])
        together, separate = (np.array(scores[k]) for k in (False, True))
        for t, target in enumerate([*targets, "mean"]):
            a, b = (s[:, t] if t < len(targets) else s.mean(axis=1) for s in (together, separate))
            difference, error = mean_and_error(a - b)
            print(
                f"| {name} | {target} | {a.mean():.4f} | {b.mean():.4f} | {difference:+.4f} ± {error:.4f} |", flush=True
            )


def score(truth, predicted):
    """R2 of numbers, accuracy of classes."""
    if truth.dtype.kind in "fi":
        return 1 - np.sum((truth - predicted) ** 2) / np.sum((truth - truth.mean()) ** 2)
    return np.mean(truth == predicted)


def boosting(_):
    print("\nboosting, 100 trees, depth 3, learning rate 0.1; error on a quarter of the rows, 10 seeds")
    print("| data | error | ours | scikit-learn | difference |")
    print("|---|---|---|---|---|")
    california, value = load_real("california")
    ecoli, site = load_real("ecoli")
    cases = {
        "california": lambda seed: (california.to_numpy(float), value.to_numpy(float)[:, 0]),
        "Friedman 1": lambda seed: make_friedman1(1000, noise=1.0, random_state=seed),
        "ecoli": lambda seed: (ecoli.to_numpy(float), site.to_numpy(str)[:, 0]),
    }
    for name, table in cases.items():
        scores = {"ours": [], "peer": []}
        for seed in range(3 if name == "california" else 10):
            X, y = table(seed)
            X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=seed)
            numeric = y.dtype.kind == "f"
            ours = (ForestRegressor if numeric else ForestClassifier)(100, method="boosting", random_state=seed)
            peer = (GradientBoostingRegressor if numeric else GradientBoostingClassifier)(random_state=seed)
            for who, model in (("ours", ours), ("peer", peer)):
                predicted = model.fit(X_train, y_train).predict(X_test)
                wrong = np.mean((predicted - y_test) ** 2) ** 0.5 if numeric else np.mean(predicted != y_test)
                scores[who].append(wrong)
        difference, error = mean_and_error(np.subtract(scores["ours"], scores["peer"]))
        what = "RMSE" if numeric else "wrong"
        print(
            f"| {name} | {what} | {np.mean(scores['ours']):.5g} | {np.mean(scores['peer']):.5g} |"
            f" {difference:+.3g} ± {error:.2g} |",
            flush=True,
        )
    print("\nmany targets, boosting of 300 trees, depth 4: aRRMSE on a quarter of the rows, 3 seeds")
    for name in ("wq", "jura", "rf1"):
        X, frame = load_real(name)
        Y, errors = frame.to_numpy(float), []
        for seed in range(3):
            X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.25, random_state=seed)
            for per_target in (False, True):
                model = ForestRegressor(300, method="boosting", max_depth=4, per_target=per_target, random_state=seed)
                error = np.sum((Y_test - model.fit(X_train, Y_train).predict(X_test)) ** 2, axis=0)
                errors.append(np.mean(np.sqrt(error / np.sum((Y_test - Y_train.mean(axis=0)) ** 2, axis=0))))
        print(
            f"{name}: one ensemble {np.mean(errors[::2]):.3f}, one for each target {np.mean(errors[1::2]):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parts = {f.__name__: f for f in (regression, classification, mixed, boosting)}
    parser.add_argument("--only", choices=parts)
    parser.add_argument("--sets", help="of the regression, with commas between")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    pd.set_option("display.width", 120)
    for part, run in parts.items():
        if given.only in (None, part):
            run(given.sets.split(",") if given.sets else None)
