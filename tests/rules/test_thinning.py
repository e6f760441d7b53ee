"""Too many candidates: which rules stay."""

from dataclasses import replace

import numpy as np
import pytest

from glade import ForestRegressor
from glade.rules.extract import NODES, extract_forest_rules
from glade.rules.rule_set import RuleSet
from glade.rules.thinning import thin


@pytest.fixture(scope="module")
def grown():
    rng = np.random.default_rng(0)
    X = rng.random((400, 4))
    y = X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(400)
    forest = ForestRegressor(6, max_leaf_nodes=8, random_state=0, max_bins=None).fit(X, y)
    small = ForestRegressor(3, max_leaf_nodes=3, random_state=1, max_bins=None).fit(X, y)
    trees = [*forest.forests_[0].trees, *small.forests_[0].trees]
    both = [*forest.forests_, *small.forests_]
    parts = [extract_forest_rules([f], forest.schema_, forest.target_schema_, NODES) for f in both]
    rules = RuleSet.join([parts[0], replace(parts[1], tree=parts[1].tree + np.int32(6))])
    return rules, trees, X


def leaf_flags(rules, trees):
    return np.array([trees[t].is_leaf[n] for t, n in zip(rules.tree, rules.node, strict=True)])


def test_inner_nodes_of_large_trees_go_first(grown):
    rules, trees, _ = grown
    is_leaf = leaf_flags(rules, trees)
    n_inner_large = int((~is_leaf & (rules.tree < 6)).sum())
    kept = thin(rules, trees, len(rules) - n_inner_large, 400, seed=0)
    gone = np.setdiff1d(np.arange(len(rules)), kept)
    assert len(gone) == n_inner_large > 0
    assert (rules.tree[gone] < 6).all()
    assert not is_leaf[gone].any()


def test_what_is_kept_can_express_what_is_gone(grown):
    rules, trees, X = grown
    room = int(leaf_flags(rules, trees).sum())
    kept = thin(rules, trees, room, 400, seed=0)
    columns = np.column_stack([np.ones(len(X)), rules.covers(X)])
    assert np.linalg.matrix_rank(columns[:, [0, *(kept + 1)]]) == np.linalg.matrix_rank(columns)
    assert len(kept) == room


def test_few_rows_or_little_room_means_a_draw(grown):
    rules, trees, _ = grown
    drawn = thin(rules, trees, 20, n_rows=10, seed=3)
    assert len(np.unique(drawn)) == 20
    assert not leaf_flags(rules, trees)[drawn].all()
    assert np.array_equal(drawn, thin(rules, trees, 20, n_rows=10, seed=3))
    assert not np.array_equal(drawn, thin(rules, trees, 20, n_rows=10, seed=4))
    needed = np.array([0, 7, len(rules) - 1])
    assert np.isin(needed, thin(rules, trees, 5, n_rows=10, seed=3, needed=needed)).all()
    assert len(thin(rules, trees, 2, n_rows=400, seed=3, needed=needed)) == 3
    few = thin(rules, trees, 5, n_rows=400, seed=0)
    assert len(np.unique(few)) == 5
    assert leaf_flags(rules, trees)[few].all()
