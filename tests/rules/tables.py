"""Tables with every kind of input, rows that a model has never seen the like of, and all models that have rules."""

import warnings

import numpy as np
import pandas as pd

from glade import ForestRegressor, Gradient
from glade.rules.coverage import cover, drop_duplicates
from glade.rules.extract import NODES, extract_rules

GRADES = ["low", "mid", "high", "top"]


def make_table(n_rows=150, n_categories=5, missing=0.15, seed=0):
    """Inputs: a number, whole numbers, a constant, categories, grades; the first and the categories lack values."""
    random = np.random.default_rng(seed)
    labels = [f"c{k:03d}" for k in range(n_categories)]
    X = pd.DataFrame({"size": random.normal(size=n_rows).round(2), "count": random.integers(0, 6, n_rows)})
    X["always"] = 1.0
    codes = random.integers(0, n_categories, n_rows)
    X["kind"] = np.array(labels, dtype=object)[codes]
    grades = random.integers(0, len(GRADES), n_rows)
    X["grade"] = pd.Categorical.from_codes(grades, GRADES, ordered=True)
    effects = random.normal(size=n_categories)
    number = X["size"] * (grades > 1) + effects[codes] + 0.3 * X["count"] + 0.1 * random.normal(size=n_rows)
    label = np.where(number > np.median(number), "big", np.where(effects[codes] > 0, "odd", "small"))
    Y = pd.DataFrame({"number": number, "other": X["size"] - number, "label": label})
    for name in ("size", "kind"):
        X.loc[random.random(n_rows) < missing, name] = np.nan
    return X, Y


def make_new_rows(X, n_rows=130, gaps=("size", "count", "always", "kind", "grade"), seed=1):
    """Rows like those of a table, but for other numbers, categories unseen in training and values missing in `gaps`."""
    random = np.random.default_rng(seed)
    new = X.sample(n_rows, replace=True, random_state=seed).reset_index(drop=True)
    new["size"] += random.normal(scale=0.5, size=n_rows)
    new["always"] += random.integers(-1, 2, n_rows)
    if "kind" in gaps:
        new.loc[random.random(n_rows) < 0.1, "kind"] = "never seen"
    for name in gaps:
        new[name] = new[name].astype(float) if name == "count" else new[name]
        new.loc[random.random(n_rows) < 0.2, name] = np.nan
    return new


def quietly(call, *args, **named):
    """The result of a call, without the warnings that such tables deserve."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args, **named)


def fit(model, X, y, **more):
    """The fitted model."""
    return quietly(model.fit, X, y, **more)


def encode(model, X):
    """Rows as the model's rules see them."""
    return quietly(model.schema_.encode, X)


def grow_rules():
    """Rules of a forest, each once, with its rows (not a multiple of 64 of them), two targets, model and table."""
    X, Y = make_table(n_rows=203, seed=3)
    model = fit(ForestRegressor(6, max_depth=3, random_state=0), X, Y[["number", "other"]])
    matrix = encode(model, X)
    rules = extract_rules(model.trees_, model.schema_, model.target_schema_, NODES)
    rules = rules.take(drop_duplicates(rules, cover(rules, matrix), len(matrix))[0])
    return rules, matrix, Y[["number", "other"]].to_numpy(), model, X


def hurry(weights):
    """The solver of this name, with few steps where it takes any number of them."""
    return Gradient(max_iter=300) if weights == "gradient" else weights
