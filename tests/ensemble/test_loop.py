"""The loop against its twin, and against scikit-learn's boosting."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestRegressor

from glade import ForestClassifier, ForestRegressor, MixedForest
from tests.ensemble.tables import METHODS, make_table
from tests.reference.forest import boost_reference, list_leaves, softmax
from tests.reference.tree import Criterion, Input, Settings, Target, grow_reference

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
NUMBERS = np.column_stack([X[:, 0] + X[:, 1] * X[:, 2], 100 * X[:, 1] - X[:, 0]]) + RANDOM.normal(size=(60, 2))
CLASSES = np.digitize(X[:, 0] + RANDOM.normal(size=60), [-0.7, 0.7])


def twin(targets, n_trees=4, nu=0.3, depth=2):
    inputs = [Input(column) for column in X.T]
    return boost_reference(inputs, targets, Settings(max_depth=depth), nu, n_trees)


def boosted(estimator, **more):
    return estimator(4, method="boosting", learning_rate=0.3, max_depth=2, random_state=0, **more)


def test_boosting_of_numbers_is_its_twin():
    expected = twin([Target(NUMBERS[:, 0]), Target(NUMBERS[:, 1])])[-1]
    model = boosted(ForestRegressor).fit(X, NUMBERS)
    np.testing.assert_allclose(model.predict(X), np.column_stack(expected), rtol=1e-9)


@pytest.mark.parametrize("classes", [CLASSES, np.minimum(CLASSES, 1)])
def test_boosting_of_classes_is_its_twin(classes):
    (expected,) = twin([Target(classes.astype(float), nominal=True)])[-1]
    model = boosted(ForestClassifier).fit(X, classes)
    np.testing.assert_allclose(model.predict_proba(X), softmax(expected), rtol=1e-9)


def test_unequal_classes_and_targets_share_a_tree():
    """Boosting of several nominal targets, and of a mix, goes down on all of them together."""
    two = np.column_stack([CLASSES, np.digitize(X[:, 1], [0.2])])
    model = ForestClassifier(60, method="boosting", random_state=0).fit(X, two)
    assert model.score(X, two) > 0.95
    assert len(model.trees_) == 60
    table, Y = make_table()
    mixed = MixedForest(80, method="boosting", random_state=0).fit(table, Y[["number", "label"]])
    assert mixed.score(table, Y[["number", "label"]]) > 0.95


def plan_of(model, X, y):
    """The plan a fitted model's trees were grown by."""
    twin_model = clone(model)
    twin_model.seed_ = model.seed_
    (group,) = twin_model._make_parts(twin_model._read_training(X, y, None))
    return group.plan


def test_bagged_trees_are_the_twins_on_their_samples():
    y = NUMBERS[:, 0]
    model = ForestRegressor(5, method="bagging", random_state=3).fit(X, y)
    plan = plan_of(model, X, y)
    for number, tree in enumerate(model.trees_):
        sample = plan.draw(number)
        rows = sample.rows
        criterion = Criterion([Target(y[rows])], sample.weights[rows])
        root = grow_reference([Input(column[rows]) for column in X.T], criterion, Settings())
        expected = np.empty(len(rows))
        for leaf in list_leaves(root):
            expected[leaf.rows] = criterion.value(leaf.rows)
        np.testing.assert_allclose(tree.value[tree.route(X[rows]), 0], expected, rtol=1e-9)
        assert (tree.rows[0], tree.weight[0]) == (len(rows), 60)


def test_boosting_is_scikit_learns():
    y = NUMBERS[:, 0]
    ours = ForestRegressor(50, method="boosting").fit(X, y)
    theirs = GradientBoostingRegressor(n_estimators=50, random_state=0).fit(X.astype(np.float32), y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X.astype(np.float32)), rtol=0.05, atol=0.05)
    labels = np.minimum(CLASSES, 1)
    ours = ForestClassifier(20, method="boosting").fit(X, labels)
    theirs = GradientBoostingClassifier(n_estimators=20, random_state=0).fit(X.astype(np.float32), labels)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X.astype(np.float32)), atol=0.02)


def test_isle_without_memory_is_independent_trees_on_half_samples():
    model = ForestRegressor(6, method="isle", random_size=None, random_state=0).fit(X, NUMBERS)
    assert {int(tree.rows[0]) for tree in model.trees_} == {30}
    other = ForestRegressor(6, method="bagging", bootstrap=False, max_samples=0.5, random_state=0).fit(X, NUMBERS)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


def test_isle_with_memory_fits_what_is_left():
    model = ForestRegressor(200, method="isle", learning_rate=0.1, random_state=0).fit(X, NUMBERS)
    forgetful = ForestRegressor(200, method="isle", random_state=0).fit(X, NUMBERS)
    assert model.score(X, NUMBERS) > forgetful.score(X, NUMBERS) + 0.1


@pytest.mark.parametrize("method", METHODS)
def test_sizes_are_limited_by_both_limits(method):
    random_leaves = ForestRegressor(
        30, method=method, random_size="leaves", mean_size=5, max_depth=None, random_state=0
    )
    leaves = [tree.n_leaves for tree in random_leaves.fit(X, NUMBERS).trees_]
    assert len(set(leaves)) > 3
    capped = random_leaves.set_params(max_leaf_nodes=4).fit(X, NUMBERS)
    assert [tree.n_leaves for tree in capped.trees_] == [min(n, 4) for n in leaves]
    deep = ForestRegressor(30, method=method, random_size="depth", max_depth=3, random_state=0).fit(X, NUMBERS)
    assert {int(tree.depth.max()) for tree in deep.trees_} == {2, 3}


@pytest.mark.parametrize("method", METHODS)
def test_inputs_of_a_tree_are_limited(method):
    model = ForestRegressor(12, method=method, features_per_tree=1, random_state=0).fit(X, NUMBERS)
    used = [np.unique(tree.split_input) for tree in model.trees_]
    assert all(len(inputs) == 1 for inputs in used)
    assert len(np.unique(np.concatenate(used))) == 3


@pytest.mark.filterwarnings("ignore:columns .* are constant")
def test_nodes_without_a_split_are_leaves_or_drawn_again():
    table = np.column_stack([np.repeat([0.0, 1.0], 30), *np.zeros((6, 60))])
    y = table[:, 0] + 0.01 * RANDOM.normal(size=60)
    again, leaf = (
        ForestRegressor(40, max_features=1, on_no_split=what, bootstrap=False, random_state=0).fit(table, y)
        for what in ("redraw", "leaf")
    )
    assert {tree.n_leaves for tree in again.trees_} == {2}
    assert {tree.n_leaves for tree in leaf.trees_} == {1, 2}
    share = np.mean([tree.n_leaves == 2 for tree in leaf.trees_])
    assert share < 0.5


def test_an_input_that_no_leaf_can_be_made_of_ends_the_draw():
    """As in scikit-learn: one row stands out in the first input, and a leaf needs two."""
    table = np.column_stack([np.arange(60) == 0, np.arange(60) % 2]).astype(float)
    y = table[:, 1] + 0.01 * RANDOM.normal(size=60)
    how = {"max_features": 1, "min_samples_leaf": 2, "max_depth": 1, "bootstrap": False, "random_state": 0}
    ours = [tree.n_leaves for tree in ForestRegressor(400, **how).fit(table, y).trees_]
    theirs = [tree.get_n_leaves() for tree in RandomForestRegressor(400, **how).fit(table, y).estimators_]
    assert abs(np.mean(ours) - 1.5) < 0.1
    assert abs(np.mean(theirs) - 1.5) < 0.1


@pytest.mark.parametrize("method", METHODS)
def test_rows_without_a_target_are_no_rows_of_its_forest(method):
    table, Y = make_table()
    holes = Y[["number", "other"]].copy()
    holes.loc[::3, "other"] = np.nan
    model = ForestRegressor(5, method=method, missing_targets="ignore", per_target=True, random_state=0)
    model.fit(table, holes)
    most = [max(int(tree.weight[0]) for tree in forest.trees) for forest in model.forests_]
    assert most[1] == round(most[0] * 2 / 3)
    joint = model.set_params(per_target=False).fit(table, holes)
    assert np.isfinite(joint.predict(table)).all()
