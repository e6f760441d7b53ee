"""A numeric split that has lost its cut is an error wherever trees are made, never a nominal split."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, MultiTreeRegressor, TreeRegressor
from glade.data.coding import CodedInputs
from glade.ensemble.forest import Forest
from glade.grow.node_table import NodeTable

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
    def lose_cuts(self, inputs, below, above, cuts):
        cuts[:] = np.nan

    X, y = make_table()
    monkeypatch.setattr(CodedInputs, "find_cuts", lose_cuts)
    with pytest.raises(RuntimeError, match=f"on input 0, {NO_CUT}"):
        model.fit(X[inputs], y)


@pytest.fixture
def spoilt():
    """A tree of both kinds of splits, the last numeric one of which has lost its cut."""
    X, y = make_table()
    tree = TreeRegressor().fit(X, y).tree_
    assert np.isnan(tree.split_cut).any()
    cut = tree.split_cut.copy()
    cut[np.flatnonzero(~np.isnan(cut))[-1]] = np.nan
    return tree, cut


def test_a_tree_made_of_arrays_of_which_a_cut_is_lost(spoilt):
    tree, cut = spoilt
    with pytest.raises(RuntimeError, match=NO_CUT):
        replace(tree, split_cut=cut)


@pytest.mark.parametrize(
    "make",
    [
        lambda tree: tree.cut_back(np.zeros(tree.n_nodes, bool)),  # as pruned trees are made
        lambda tree: tree.with_splits(tree.split),  # as an archetype is made, or another tree of a multi-tree
        lambda tree: Forest.of([tree], TreeRegressor().fit(*make_table()).target_schema_),
    ],
    ids=["pruned", "chosen", "packed"],
)
def test_a_tree_made_of_a_tree_that_has_lost_a_cut(spoilt, make):
    tree, cut = spoilt
    make(tree)
    with pytest.raises(RuntimeError, match=NO_CUT):
        make(NodeTable.of({**vars(tree), "split_cut": cut}))
