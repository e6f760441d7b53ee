"""Many trees in one table: stacked, cut out again, packed and routed as alone."""

from dataclasses import fields

import numpy as np
import pytest

from glade import ForestRegressor, TreeRegressor
from glade.grow.node_table import NodeTable, SplitKind
from glade.grow.packed import PackedTrees
from tests.ensemble.tables import make_table
from tests.reference.forest import find_leaf
from tests.rules.tables import fit


def assert_same_table(found, expected):
    for field in fields(NodeTable):
        own, other = getattr(found, field.name), getattr(expected, field.name)
        assert own.dtype == other.dtype, field.name
        np.testing.assert_array_equal(own, other, field.name)


@pytest.fixture(scope="module")
def model():
    """A forest with splits of every kind, and one tree of a single node."""
    X, Y = make_table()
    model = fit(ForestRegressor(6, random_state=0), X, Y[["number"]])
    leaf = fit(TreeRegressor(max_depth=1, min_samples_leaf=len(X)), X, Y[["number"]]).tree_
    trees = [*model.trees_[:3], leaf, *model.trees_[3:]]
    table = NodeTable.stack(trees)
    assert set(table.split_kind.tolist()) == set(SplitKind)
    return trees, table, model.schema_.encode(X)


def test_trees_cut_out_of_a_table_are_those_it_was_made_of(model):
    trees, table, _ = model
    assert len(table.trees) == len(trees) == table.n_trees
    for found, expected in zip(table.trees, trees, strict=True):
        assert_same_table(found, expected)
    assert_same_table(table.trees[-1], trees[-1])
    assert [tree.n_nodes for tree in table.trees[2:5]] == [tree.n_nodes for tree in trees[2:5]]
    with pytest.raises(IndexError):
        table.trees[len(trees)]


def test_tables_of_many_trees_are_stacked_like_their_trees(model):
    trees, table, _ = model
    assert_same_table(NodeTable.stack([NodeTable.stack(trees[:2]), NodeTable.stack(trees[2:])]), table)
    assert NodeTable.stack([table]) is table


def test_trees_that_are_joined_some_at_a_time_are_joined_alike(model, monkeypatch):
    trees, table, _ = model
    monkeypatch.setattr("glade.grow.node_table.MANY_NODES", 2 * trees[0].n_nodes)
    assert_same_table(NodeTable.stack(iter(trees)), table)


def test_rows_go_down_many_trees_as_down_each(model):
    trees, table, matrix = model
    rows = matrix[:40]
    expected = [[find_leaf(tree, row) for tree in trees] for row in rows]
    np.testing.assert_array_equal(PackedTrees.of(table).find_leaves(rows), expected)
    for k, tree in enumerate(trees):
        np.testing.assert_array_equal(tree.route(rows), np.array(expected)[:, k])


def test_a_table_of_many_trees_is_cut_back_as_each_tree_is(model):
    trees, table, _ = model
    back = table.cut_back(table.depth >= 2)
    for found, tree in zip(back.trees, trees, strict=True):
        assert_same_table(found, tree.cut_back(tree.depth >= 2))


def test_a_cut_is_zero_where_there_is_none(model):
    table = model[1]
    assert (table.split_cut[~table.is_kind(SplitKind.NUMERIC)] == 0.0).all()
    assert np.isfinite(table.split_cut).all()
