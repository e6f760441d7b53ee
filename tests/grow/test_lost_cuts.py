"""A numeric split that has lost its cut, and a nominal one without a set, are errors wherever trees are made."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, MultiTreeRegressor, TreeRegressor
from glade.data.coding import CodedInputs
from glade.grow.node_table import SplitKind

NO_CUT = "has neither a cut nor categories"


def make_table(n=60):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=n), "b": pd.Categorical(random.choice(list("pqr"), n))})
    return X, X["a"] + (X["b"] == "q")


@pytest.mark.parametrize(
    "model",
    [
        TreeRegressor(),
        ForestRegressor(3, random_state=0),
        ForestRegressor(3, method="boosting", random_state=0),
        MultiTreeRegressor(random_state=0),
    ],
    ids=["tree", "forest", "boosting", "multi-tree"],
)
@pytest.mark.parametrize("inputs", [["a"], ["a", "b"]])
def test_a_numeric_split_that_was_grown_without_a_cut(monkeypatch, model, inputs):
    X, y = make_table()
    monkeypatch.setattr(CodedInputs, "find_cuts", lambda self, inputs, below, above: np.full(len(inputs), np.nan))
    with pytest.raises(RuntimeError, match=f"on input 0, {NO_CUT}"):
        model.fit(X[inputs], y)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda tree: {"split_cut": np.where(tree.is_kind(SplitKind.NUMERIC), np.nan, 0.0)},
        lambda tree: {"split_cut": np.where(tree.is_kind(SplitKind.NUMERIC), np.inf, 0.0)},
        lambda tree: {"set_end": tree.set_start},
        lambda tree: {"split_kind": np.full_like(tree.split_kind, SplitKind.NOMINAL)},
        lambda tree: {"split_kind": np.full_like(tree.split_kind, SplitKind.NUMERIC)},
    ],
    ids=["no cut", "an infinite cut", "no categories", "all nominal", "all numeric"],
)
def test_a_tree_made_of_arrays_that_do_not_fit_together(spoil):
    tree = TreeRegressor().fit(*make_table()).tree_
    assert {SplitKind.NUMERIC, SplitKind.NOMINAL} == set(tree.split_kind.tolist())
    with pytest.raises(RuntimeError, match=NO_CUT):
        replace(tree, **spoil(tree))
