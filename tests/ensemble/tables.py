"""Small tables for forests: numbers, categories, gaps; targets of all kinds."""

import numpy as np
import pandas as pd

from glade import ForestClassifier, ForestRegressor, MixedForest

ESTIMATORS = [ForestRegressor, ForestClassifier, MixedForest]
METHODS = ["bagging", "random_forest", "extra_trees", "isle", "boosting"]


def make_table(n_rows=120, seed=0):
    """Numeric, nominal and ordinal inputs with missing values; a target of each kind that depends on them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n_rows, 3)).round(2), columns=["a", "b", "c"])
    X["kind"] = pd.Categorical(random.choice(list("pqrs"), n_rows))
    X["grade"] = pd.Categorical(random.choice(["low", "mid", "high"], n_rows), ["low", "mid", "high"], ordered=True)
    number = 2 * X["a"] + X["b"] * (X["kind"] == "p") + X["grade"].cat.codes + 0.1 * random.normal(size=n_rows)
    label = np.where(number > number.median(), "big", np.where(X["kind"] == "q", "odd", "small"))
    Y = pd.DataFrame({"number": number, "other": X["c"] - number, "label": label})
    for column in ("b", "kind"):
        X.loc[random.random(n_rows) < 0.15, column] = np.nan
    return X, Y


def target_of(estimator, Y, several=False):
    """The targets of the kind an estimator takes."""
    if estimator is MixedForest:
        return Y[["number", "label"]]
    if estimator is ForestClassifier:
        sign = np.where(Y["other"] > 0, "up", "down")
        return np.column_stack([Y["label"], sign]).astype(str) if several else Y["label"].to_numpy()
    return Y[["number", "other"]] if several else Y["number"].to_numpy()


def new_rows(X, seed=1):
    """Rows to predict: other values, more gaps, a category that training never had."""
    random = np.random.default_rng(seed)
    new = X.sample(len(X), replace=True, random_state=seed).reset_index(drop=True)
    new["a"] += random.normal(size=len(new))
    new["kind"] = pd.Categorical(random.choice(["p", "q", "s", "never"], len(new)), ["p", "q", "r", "s", "never"])
    for column in X:
        new.loc[random.random(len(new)) < 0.1, column] = np.nan
    return new


def values_of(model, X):
    return model._channel_values(X)


def same_trees(ours, theirs):
    """Whether two models have the same trees, bit for bit."""
    return len(ours.trees_) == len(theirs.trees_) and all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for a, b in zip(ours.trees_, theirs.trees_, strict=True)
        for name in vars(a)
    )
