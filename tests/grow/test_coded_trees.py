"""Trees in codes: grown one after another as alone, and training rows sent down them as down the stored ones."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from glade.data.coding import code_inputs
from glade.data.table import read_table
from glade.data.targets import REGRESSION, encode_targets, read_targets
from glade.grow._route import route_codes
from glade.grow.grower import Grower, GrowthSettings
from glade.grow.node_table import NodeTable

SETTINGS = [GrowthSettings(), GrowthSettings(max_leaf_nodes=7), GrowthSettings(max_depth=2, random_cuts=True)]


def make_grower(settings, max_bins=None, n=300):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=n), "b": random.integers(0, 5, n).astype(float)})
    X["c"] = pd.Categorical(random.choice(list("pqrstu"), n))
    for name in X:
        X.loc[random.random(n) < 0.2, name] = None if name == "c" else np.nan
    y = X["a"].fillna(0) + (X["c"] == "q") + X["b"].isna() + random.normal(size=n) / 5
    table, weights = read_table(X), np.ones(n)
    targets = encode_targets(read_targets(y, REGRESSION), weights, "variance", np.ones(1))
    inputs = code_inputs(table, weights, max_bins)
    matrix = np.column_stack([column.values for column in table.columns])
    return Grower(inputs, targets, settings), inputs.columns, matrix


def samples(n_trees):
    return [np.sort(np.random.default_rng(k).choice(300, 40 + k, replace=False)) for k in range(n_trees)]


@pytest.mark.parametrize(
    "settings",
    [
        *SETTINGS,
        GrowthSettings(max_features=1, draw_categories=True),
        GrowthSettings(f_test=0.05),
        GrowthSettings(min_weight_fraction_leaf=0.1),
        GrowthSettings(min_impurity_decrease=0.01),
    ],
)
def test_trees_that_share_buffers_are_the_same_as_alone(settings):
    """What is drawn, and limits that depend on a tree's rows, are each tree's own; a stored tree keeps nothing of the
    buffers, in which the next one grows."""
    together = make_grower(settings)[0]
    weights = np.random.default_rng(1).integers(0, 3, (12, 300)).astype(float)
    rows = [np.flatnonzero(own)[: 60 + 20 * k] for k, own in enumerate(weights)]
    trees = [together.store(together.grow_coded(rows[k], weights[k], seed=k)) for k in range(12)]
    assert sum(len(tree.categories) for tree in trees) > 0
    for k, tree in enumerate(trees):
        alone = make_grower(settings)[0]
        expected = alone.store(alone.grow_coded(rows[k], weights[k], seed=k))
        for field in fields(NodeTable):
            np.testing.assert_array_equal(getattr(tree, field.name), getattr(expected, field.name), field.name)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("max_bins", [None, 8])
def test_training_rows_take_the_way_of_the_stored_tree(settings, max_bins):
    grower, columns, matrix = make_grower(settings, max_bins)
    leaves = np.empty(len(matrix), np.int32)
    for k, rows in enumerate(samples(8)):
        tree = grower.grow_coded(rows, seed=k)
        route_codes(columns, tree.nodes, tree.pool, leaves)
        stored = grower.store(tree)
        np.testing.assert_array_equal(leaves, stored.route(matrix))
        assert len(np.unique(leaves)) == stored.n_leaves
