"""Random forests: of many categories each takes part at a node with an even chance, the others go with missing ones."""

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor
from tests.ensemble.tables import ESTIMATORS, make_table, target_of

COLOURS = pd.DataFrame({"colour": pd.Categorical(list("abcdef") * 20)})
EFFECT = np.tile([0.0, 1.0, 2.0, 6.0, 7.0, 8.0], 20)
BEST = frozenset({0, 1, 2})


def stumps(method, X=COLOURS, y=EFFECT, **more):
    forest = ForestRegressor(300, method=method, max_depth=1, bootstrap=False, max_samples=1.0, random_state=0, **more)
    return forest.fit(X, y).trees_


def divisions(trees):
    """How often each division of the six categories was made, named by the side of category 0."""
    everything = frozenset(range(6))
    sets = [frozenset(tree.set_of(0).tolist()) for tree in trees if tree.n_leaves == 2]
    sides = [s if 0 in s else everything - s for s in sets]
    return {side: sides.count(side) for side in set(sides)}


def test_bagging_uses_all_categories():
    assert divisions(stumps("bagging")) == {BEST: 300}


def test_the_best_division_of_those_drawn():
    """The best one needs all categories of one side: in 15 of 64 draws."""
    found = divisions(stumps("random_forest"))
    assert abs(found[BEST] / 300 - 15 / 64) < 0.08
    assert len(found) > 8


def test_a_draw_of_none_leaves_the_node_whole():
    """With one input and six categories none is drawn in one of 64 draws."""
    whole = np.mean([tree.n_leaves == 1 for tree in stumps("random_forest")])
    assert abs(whole - 1 / 64) < 0.02


def test_few_categories_take_part_all():
    four = pd.DataFrame({"colour": pd.Categorical(list("abcd") * 30)})
    assert len({tree.set_of(0).tobytes() for tree in stumps("random_forest", four, np.tile([0.0, 1, 5, 6], 30))}) == 1


def test_numbers_are_not_drawn():
    X = np.arange(120.0)[:, None]
    cuts = {tree.split_cut[0] for tree in stumps("random_forest", X, np.repeat([0.0, 1.0], 60))}
    assert len(cuts) == 1


def test_categories_left_out_are_not_missing_values():
    assert not any(tree.split_missing_seen.any() for tree in stumps("random_forest"))
    some = COLOURS.copy()
    some.loc[::7, "colour"] = np.nan
    trees = stumps("random_forest", some)
    assert all(tree.split_missing_seen.all() for tree in trees)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("criterion", [None, "entropy"])
def test_rows_are_where_the_stored_tree_sends_them(estimator, criterion):
    if criterion and estimator is ForestRegressor:
        pytest.skip("numbers have no entropy")
    X, Y = make_table()
    model = estimator(20, bootstrap=False, criterion=criterion, random_state=0).fit(X, target_of(estimator, Y))
    for tree, leaves in zip(model.trees_, model.apply(X).T, strict=True):
        counts = np.bincount(leaves, minlength=tree.n_nodes)
        np.testing.assert_array_equal(counts[tree.is_leaf], tree.rows[tree.is_leaf])
        node, left = tree.split_node, tree.split_left
        gain = tree.risk[node] - tree.risk[left] - tree.risk[left + 1]
        np.testing.assert_allclose(tree.split_gain, gain, atol=1e-12 * tree.risk[0])
