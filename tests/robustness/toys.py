"""Small tables to spoil, and ways to look at what comes of it."""

import warnings
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from glade import MixedTree, TreeClassifier, TreeRegressor

ESTIMATORS = [TreeRegressor, TreeClassifier, MixedTree]


def make_inputs(n_rows=30):
    return pd.DataFrame(np.random.default_rng(0).normal(size=(n_rows, 3)), columns=["a", "b", "c"])


def make_target(estimator, n_rows=30):
    """A target that the inputs explain, of the kind the estimator takes."""
    X = make_inputs(n_rows)
    number, label = (2 * X["a"] + X["b"]).to_numpy(), np.where(X["a"] > X["b"], "yes", "no")
    if estimator is TreeRegressor:
        return number
    return label if estimator is TreeClassifier else pd.DataFrame({"number": number, "label": label})


def replace_value(values, row, value, dtype=None):
    """A copy with one value replaced."""
    copy = np.array(values, dtype=dtype)
    copy[row] = value
    return copy


def refusal(kind, call, *args, **named):
    """The sentence with which a call is refused."""
    with pytest.raises(kind) as fault:
        call(*args, **named)
    return str(fault.value)


def notes(call, *args, **named):
    """The result of a call, and the warnings it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(*args, **named)
    return result, [str(warning.message) for warning in caught]


def fit_quietly(model, X, y, **named):
    """Fit where no warning is in place."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return model.fit(X, y, **named)


def assert_same_tree(model, other):
    """The same nodes, cuts, sets and values, bit for bit."""
    for field in fields(model.tree_):
        ours, theirs = getattr(model.tree_, field.name), getattr(other.tree_, field.name)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs, err_msg=field.name)
