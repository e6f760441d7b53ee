"""How small `max_rules="auto"` may be: models chosen by the error of the difference, or of the error itself.

    python benchmarks/auto_size.py                             thirteen sets, 3 folds each (some 15 minutes on one core)
    python benchmarks/auto_size.py --sets strike,meta --folds 5

Every fold is fitted twice, with max_rules="auto" and with all rules (max_rules=None). Of the first the path also gives
the model that the former rule would take: the smallest within one standard error of the best one's own error, which is
how much folds differ in difficulty. Errors are relative to always predicting the mean (for classes, their shares):
root of the mean squared error, mean over targets; "behind" is the error over that of all rules, less 1.
"""

import argparse
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from tables import load_dataset

SETS = (
    *("strike", "scpf", "meta", "quake", "veteran"),
    *("cloud", "sensory", "servo", "auto_mpg", "slump", "edm", "tae", "hepatitis"),
)
FORMER, PAIRED, ALL = "own error", "difference", "all rules"


def choose_as_before(model):
    """The smallest model within a standard error of the best one's own error."""
    path = model.path_
    return model.with_rules(int(path.terms[path.error <= path.error[-1] + path.standard_error[-1]][0]))


def find_error(model, train_y, X, y):
    """Root of the squared error over that of the training rows' means, mean over targets."""
    if isinstance(model, RuleEnsembleClassifier):
        classes = model.classes_
        truth, start = (np.asarray(part)[:, :1] == classes for part in (y, train_y))
        predicted = model.predict_proba(X)
        return np.sqrt(((predicted - truth) ** 2).sum() / ((start.mean(axis=0) - truth) ** 2).sum())
    truth, start = y.to_numpy(float), train_y.to_numpy(float)
    square = ((model.predict(X).reshape(truth.shape) - truth) ** 2).sum(axis=0)
    return np.sqrt(square / ((truth - start.mean(axis=0)) ** 2).sum(axis=0)).mean()


def measure(name, n_folds):
    """A row for each fold and way to choose."""
    data, rows = load_dataset(name), []
    kind = RuleEnsembleRegressor if data.y.dtypes.iloc[0] != "category" else RuleEnsembleClassifier
    for fold, (train, test) in enumerate(KFold(n_folds, shuffle=True, random_state=0).split(data.X)):
        X, y = data.X.iloc[train], data.y.iloc[train]
        given = y if y.shape[1] > 1 else y.iloc[:, 0]
        auto = kind(random_state=0).fit(X, given)
        models = {FORMER: choose_as_before(auto), PAIRED: auto, ALL: kind(max_rules=None, random_state=0).fit(X, given)}
        for how, model in models.items():
            error = find_error(model, y, data.X.iloc[test], data.y.iloc[test])
            rows.append({"set": name, "fold": fold, "how": how, "error": error, "terms": model.size_.terms})
    return rows


def summarise(found):
    """For each set and way to choose: error, terms, empty models; then all sets together."""
    table = found.pivot_table(index="set", columns="how", values=["error", "terms"], sort=False)
    empty = (found["terms"] == 0).groupby([found["set"], found["how"]], sort=False).sum().unstack()
    print("\n| set | error: own error | difference | all rules | terms: own error | difference | empty of folds |")
    print("|---|---|---|---|---|---|---|")
    for name in table.index:
        errors = " | ".join(f"{table.loc[name, ('error', how)]:.3f}" for how in (FORMER, PAIRED, ALL))
        terms = " | ".join(f"{table.loc[name, ('terms', how)]:.0f}" for how in (FORMER, PAIRED))
        print(f"| {name} | {errors} | {terms} | {empty.loc[name, FORMER]} -> {empty.loc[name, PAIRED]} |")
    errors = found.pivot_table(index=["set", "fold"], columns="how", values="error")
    for how in (FORMER, PAIRED):
        behind = errors[how] / errors[ALL] - 1
        own = found[found["how"] == how]
        print(
            f"{how}: {100 * behind.mean():.1f} % behind all rules on average, {100 * behind.max():.0f} % at worst;"
            f" {(own['terms'] == 0).sum()} empty of {len(own)}; median {own['terms'].median():.0f} terms"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--folds", type=int, default=3)
    settings = parser.parse_args()
    rows = []
    for name in settings.sets.split(","):
        start = time.process_time()
        rows += measure(name, settings.folds)
        print(f"{name}: {time.process_time() - start:.0f} s", flush=True)
    summarise(pd.DataFrame(rows))


if __name__ == "__main__":
    main()
