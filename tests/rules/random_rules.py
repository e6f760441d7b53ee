"""Random rules on random numbers, of every awkward kind."""

import numpy as np
import pandas as pd

from glade.data.table import Schema, read_table
from glade.data.targets import TargetSchema
from glade.rules.rule_set import Conditions, RuleSet

KINDS = ("normal", "whole", "skewed", "correlated", "binary", "outliers", "tied")


def draw_numbers(rng, n_rows, n_inputs, kind):
    X = rng.normal(size=(n_rows, n_inputs))
    if kind == "whole":
        return rng.integers(0, 5, X.shape).astype(float)
    if kind == "skewed":
        return rng.exponential(size=X.shape)
    if kind == "correlated":
        return X @ rng.normal(size=(n_inputs, n_inputs))
    if kind == "binary":
        return (X > 0).astype(float)
    if kind == "outliers":
        X[rng.random(X.shape) < 0.02] *= 1e8
    if kind == "tied":
        return X[:, :1] + 1e-9 * X
    return X


def draw_rules(rng, X, n_rules, max_conditions):
    """Intervals whose edges lie between values of the table, on some inputs each."""
    schema = Schema.of(read_table(pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])))
    inputs, low, high, length = [], [], [], []
    for _ in range(n_rules):
        chosen = rng.choice(X.shape[1], rng.integers(1, min(max_conditions, X.shape[1]) + 1), replace=False)
        length.append(len(chosen))
        for j in chosen:
            edges = np.sort(np.quantile(X[:, j], rng.random(2), method="nearest"))
            side = rng.integers(0, 3)
            inputs.append(j)
            low.append(-np.inf if side == 0 else edges[0])
            high.append(np.inf if side == 1 else edges[1])
    n = len(inputs)
    conditions = Conditions(
        np.array(inputs, np.int32), np.array(low), np.array(high), np.zeros(n, bool), np.full(n, None, object)
    )
    targets = TargetSchema(("y",), (None,))
    ones = np.ones(n_rules)
    return RuleSet(
        schema, targets, conditions, np.append(0, np.cumsum(length)), ones[:, None], ones, ones,
        np.arange(n_rules, dtype=np.int32), np.zeros(n_rules, np.int32),
    )  # fmt: skip


def standardised_terms(X, rules, i):
    """The rows of x for rule i: ones, then z and z^2 of each of its inputs."""
    inputs = rules.conditions.input[rules.start[i] : rules.start[i + 1]]
    z = (X[:, inputs] - X[:, inputs].mean(axis=0)) / X[:, inputs].std(axis=0)
    return np.vstack([np.ones(len(X)), *(column for zj in z.T for column in (zj, zj * zj))])


def list_coefficients(soft, i):
    """The constant, then those of z and z^2 of each input, in the order of `standardised_terms`."""
    own = slice(soft.rules.start[i], soft.rules.start[i + 1])
    pairs = np.column_stack((soft.curves.linear[own], soft.curves.square[own]))
    return np.append(soft.constant[i], pairs.ravel())
