"""Random forests: each category takes part at a node with an even chance, the others go where missing values go."""

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor
from tests.ensemble.tables import ESTIMATORS, make_table, target_of

COLOURS = pd.DataFrame({"colour": pd.Categorical(list("abcd") * 30)})
EFFECT = np.tile([0.0, 1.0, 5.0, 6.0], 30)


def stumps(method, X=COLOURS, y=EFFECT, **more):
    forest = ForestRegressor(300, method=method, max_depth=1, bootstrap=False, max_samples=1.0, random_state=0, **more)
    return forest.fit(X, y).trees_


def divisions(trees):
    """How often each division of the four categories was made, named by the side of category 0."""
    everything = frozenset(range(4))
    sets = [frozenset(tree.set_of(0).tolist()) for tree in trees if tree.n_leaves == 2]
    sides = [s if 0 in s else everything - s for s in sets]
    return {side: sides.count(side) for side in set(sides)}


def test_bagging_uses_all_categories():
    assert divisions(stumps("bagging")) == {frozenset({0, 1}): 300}


def test_the_best_division_of_those_drawn():
    """{0, 1} against {2, 3} needs 0 and 1 drawn, or 2 and 3: one of the pairs complete in 7 of 16 draws."""
    found = divisions(stumps("random_forest"))
    assert abs(found[frozenset({0, 1})] / 300 - 7 / 16) < 0.08
    assert len(found) > 3


def test_a_draw_of_none_leaves_the_node_whole():
    """With one input and four categories none is drawn in one of 16 draws."""
    whole = np.mean([tree.n_leaves == 1 for tree in stumps("random_forest")])
    assert abs(whole - 1 / 16) < 0.04


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
