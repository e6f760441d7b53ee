"""Small problems for solvers: rows with three targets, and the rules of a few trees."""

import numpy as np

from glade import ForestRegressor
from glade.rules.coverage import cover, drop_duplicates
from glade.rules.design import Design, TargetRows
from glade.rules.extract import extract_rules
from glade.rules.linear import LinearTerms


def make_rows(n=90, seed=0, missing=0.0, weights=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.column_stack([X[:, 0] + (X[:, 1] > 0), X[:, 1] * 2 - X[:, 2], (X[:, 3] > 0.5) * 1.0])
    y += 0.3 * rng.normal(size=y.shape)
    y = (y - y.mean(axis=0)) / (2 * y.std(axis=0))
    y[rng.random(y.shape) < missing] = np.nan
    return TargetRows(X, y, rng.integers(1, 4, n).astype(float) if weights else None)


def make_design(rows, linear=True, seed=0):
    y = np.where(np.isnan(rows.y), 0.0, rows.y)
    forest = ForestRegressor(6, max_depth=3, random_state=seed).fit(rows.matrix, y)
    rules = extract_rules(forest.trees_, forest.schema_, forest.target_schema_, "nodes")
    rules = rules.take(drop_duplicates(rules, cover(rules, rows.matrix), len(rows.matrix))[0])  # else gradients tie
    terms = LinearTerms.of(rows.matrix, forest.schema_) if linear else LinearTerms.none(forest.schema_)
    return Design.of(rules, terms)
