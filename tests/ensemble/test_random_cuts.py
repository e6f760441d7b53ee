"""Extra trees: cuts drawn between the extremes, random sets of categories, missing values."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesRegressor

from glade import ForestClassifier, ForestRegressor
from glade.grow.node_table import SplitKind
from tests.ensemble.tables import ESTIMATORS, make_table, target_of

pytestmark = pytest.mark.filterwarnings("ignore:columns? ")  # constant ones, and ones that equal the target


def stumps(X, y, n_trees=400, estimator=ForestRegressor, **more):
    return estimator(n_trees, method="extra_trees", max_depth=1, random_state=0, **more).fit(X, y).trees_


def test_a_cut_is_uniform_between_the_extremes():
    x = np.r_[0.0, np.random.default_rng(0).random(3000) ** 4, 1.0]  # most values are near 0, cuts are not
    for max_bins, tolerance in ((None, 0.06), (64, 0.1)):
        cuts = np.sort([tree.split_cut[0] for tree in stumps(x[:, None], x, max_bins=max_bins)])
        assert cuts.min() >= 0
        assert cuts.max() < 1
        assert np.abs(cuts - (np.arange(400) + 0.5) / 400).max() < tolerance


def test_the_best_of_the_drawn_cuts_wins():
    random = np.random.default_rng(0)
    X = random.random((200, 6))
    trees = stumps(X, 10.0 * (X[:, 2] > 0.5) + 0.1 * random.normal(size=200))
    assert np.mean([tree.split_input[0] == 2 for tree in trees]) > 0.9
    alone = stumps(X, 10.0 * (X[:, 2] > 0.5), max_features=1)
    assert abs(np.mean([tree.split_input[0] == 2 for tree in alone]) - 1 / 6) < 0.07


def test_categories_divide_at_random():
    X = pd.DataFrame({"x": pd.Categorical(list("abcd") * 30)})
    trees = stumps(X, np.arange(120.0) % 4)
    left = [frozenset(tree.set_of(0).tolist()) for tree in trees]
    counts = {s: left.count(s) for s in set(left)}
    divisions = {min(s, frozenset(range(4)) - s, key=sorted) for s in counts}
    assert len(divisions) == 7  # every way to divide four categories
    pairs = sum(count for s, count in counts.items() if len(s) == 2)
    assert 0.2 < pairs / 400 < 0.5  # one, two or three categories on a side, about equally often


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("max_bins", [None, 5])
def test_rows_are_where_the_stored_tree_sends_them(estimator, max_bins):
    X, Y = make_table()
    y = target_of(estimator, Y)
    model = estimator(20, method="extra_trees", min_samples_leaf=3, max_bins=max_bins, random_state=0).fit(X, y)
    for tree, leaves in zip(model.trees_, model.apply(X).T, strict=True):
        np.testing.assert_array_equal(
            np.bincount(leaves, minlength=tree.n_nodes)[tree.is_leaf], tree.rows[tree.is_leaf]
        )
        assert tree.rows.min() >= 3
        node, left = tree.split_node, tree.split_left
        gain = tree.risk[node] - tree.risk[left] - tree.risk[left + 1]
        np.testing.assert_allclose(tree.split_gain, gain, atol=1e-12 * tree.risk[0])


@pytest.mark.parametrize("nominal", [False, True])
def test_missing_values_can_be_the_test(nominal):
    x = np.repeat([1.0, np.nan], 20)
    X = pd.DataFrame({"x": np.where(np.isnan(x), None, "only") if nominal else x})
    trees = stumps(X, np.isnan(x).astype(float), n_trees=5)
    assert all(tree.n_leaves == 2 and tree.split_missing_seen[0] for tree in trees)
    assert all(tree.risk[1:].max() == 0 for tree in trees)
    many = np.r_[np.random.default_rng(0).random(20), np.full(20, np.nan)]
    trees = stumps(pd.DataFrame({"x": many}), np.isnan(many).astype(float), n_trees=50)
    assert all(tree.split_kind.tolist() == [SplitKind.IS_MISSING] for tree in trees)


def test_constant_inputs_are_passed_over():
    X = np.column_stack([np.zeros((50, 5)), np.arange(50.0)])
    trees = stumps(X, np.arange(50.0), n_trees=20, max_features=1)
    assert all(tree.split_input.tolist() == [5] for tree in trees)


def test_accuracy_is_scikit_learns():
    """Means over seeds; both standard errors are about 0.004."""
    random, ours, theirs = np.random.default_rng(0), [], []
    for seed in range(8):
        X = random.random((600, 8)).astype(np.float32).astype(float)
        y = np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * random.normal(size=600)
        settings = {"n_estimators": 40, "max_features": 4, "random_state": seed}
        ours.append(ForestRegressor(method="extra_trees", **settings).fit(X[:300], y[:300]).score(X[300:], y[300:]))
        theirs.append(ExtraTreesRegressor(**settings).fit(X[:300], y[:300]).score(X[300:], y[300:]))
    assert abs(np.mean(ours) - np.mean(theirs)) < 0.015


def test_classes_of_any_number():
    X = np.random.default_rng(0).random((90, 4))
    y = (X[:, 0] * 5).astype(int)
    model = ForestClassifier(30, method="extra_trees", criterion="entropy", random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize(("n_rows", "n_cuts"), [(2_000, 1_999), (2_001, 254)])
def test_inputs_are_binned_above_2000_rows(n_rows, n_cuts):
    x = np.random.default_rng(0).permutation(n_rows).astype(float)[:, None]
    forest = ForestRegressor(60, method="extra_trees", random_state=0).fit(x, np.sin(x[:, 0]))
    cuts = {cut for tree in forest.trees_ for cut in tree.split_cut.tolist()}
    assert 0.9 * n_cuts <= len(cuts) <= n_cuts
