"""What RuleFit's own settings change: ramp and Huber loss, and the published sample size and learning rate.

    python benchmarks/rulefit_settings.py                       the test sets, 3 seeds
    python benchmarks/rulefit_settings.py --sets servo,bridges
    python benchmarks/rulefit_settings.py --rows 400 --trees 100 --store FILE     in less time; goes on where it was
    python benchmarks/rulefit_settings.py --wrong 0.1           a tenth of the training labels (numbers) is wrong

Each set is cut to `--rows` rows and divided into a test third and the rest, anew for each seed. Numbers: the squared
error over that of the mean, its root, a mean over the targets; classes: the log loss and the share that is wrong. With
`--wrong`, labels of such a share of the training rows are those of other rows; numbers are 10 times as far from the
mean.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from glade import RuleFitClassifier, RuleFitRegressor
from kept import add_store, find_rows
from short_rules import load, predict
from test_sets import TEST_SETS

OF_CLASSES = {"default": {}, "ramp": {"loss": "ramp"}, "as published": {"as_published": True}}
OF_NUMBERS = {"default": {}, "huber": {"loss": "huber"}, "as published": {"as_published": True}}


def spoil(y, share, is_classes, rng):
    """Wrong values in some rows."""
    y, rows = y.copy(), rng.random(len(y)) < share
    if is_classes:
        y[rows] = rng.permutation(y)[rows]
    else:
        y[rows] = y.mean(axis=0) + 10 * (y[rows] - y.mean(axis=0))
    return y


def make_model(kind, settings, n_rows, n_trees, seed):
    """RuleFit with so many trees, otherwise grown as its settings say; None is as many as they say."""
    model = kind(random_state=seed, **settings)
    if n_trees is not None:
        model.generator = [trees.set_params(n_estimators=n_trees) for trees in model._default_generators(n_rows, 0)]
    return model


def measure(name, n_rows, seed, wrong, n_trees):
    """A row for each setting."""
    X, Y, y, is_classes = load(name, n_rows)
    rng = np.random.default_rng((11, seed))
    order = rng.permutation(len(X))
    test, train = order[: len(X) // 3], order[len(X) // 3 :]
    given, rows = spoil(y[train], wrong, is_classes, rng), []
    for setting, more in (OF_CLASSES if is_classes else OF_NUMBERS).items():
        kind = RuleFitClassifier if is_classes else RuleFitRegressor
        start = time.process_time()
        model = make_model(kind, more, len(train), n_trees, seed).fit(X.iloc[train], given)
        seconds, said = time.process_time() - start, predict(model, X.iloc[test], is_classes, y)
        if is_classes:
            shares = np.clip(said, 1e-6, 1)
            error = log_loss(
                Y[test].argmax(axis=1), shares / shares.sum(axis=1, keepdims=True), labels=range(Y.shape[1])
            )
            misses = float((said.argmax(axis=1) != Y[test].argmax(axis=1)).mean())
        else:
            square = ((said - Y[test]) ** 2).sum(axis=0) / ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0)
            error, misses = float(np.sqrt(square).mean()), np.nan
        rows.append((setting, error, misses, model.size_.terms, seconds))
    return pd.DataFrame(rows, columns=["setting", "error", "wrong", "terms", "seconds"]).assign(classes=is_classes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(name for kind in TEST_SETS.values() for name in kind))
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=3)
    add_store(parser)
    parser.add_argument("--wrong", type=float, default=0.0)
    parser.add_argument("--trees", type=int, help="instead of 500, as published 333")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = []
    for name in given.sets.split(","):
        seeds = [
            find_rows(
                given.store, given, name, seed, partial(measure, name, given.rows, seed, given.wrong, given.trees)
            )
            for seed in range(given.seeds)
        ]
        own = pd.concat(seeds)
        own = own.groupby("setting", sort=False).mean().assign(set=name)
        print(own.round(3).to_string(header=not parts), flush=True)
        parts.append(own)
    table = pd.concat(parts).reset_index()
    print(table.groupby(["classes", "setting"], sort=False).mean(numeric_only=True).round(3).to_string())


if __name__ == "__main__":
    main()
