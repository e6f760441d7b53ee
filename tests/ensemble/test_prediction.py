"""Packed prediction against each row's way down each tree."""

import pickle
import warnings

import numpy as np
import pytest

from glade import ForestRegressor
from glade.ensemble.forest import Forest, to_votes
from glade.grow._route import ROWS_AT_ONCE, ROWS_IN_STEP
from glade.grow.node_table import NodeTable
from tests.ensemble.tables import ESTIMATORS, METHODS, make_table, new_rows, target_of, values_of
from tests.reference.forest import find_leaf, softmax


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def fit(estimator, **settings):
    X, Y = make_table()
    exact = {"smoothing": None} if estimator is not ForestRegressor else {}
    model = estimator(7, random_state=0, **exact, **settings).fit(X, target_of(estimator, Y, several=True))
    return model, X, new_rows(X)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("method", METHODS)
def test_packed_rows_take_the_same_way(estimator, method):
    model, _, X = fit(estimator, method=method, max_features=2, mean_size=20)
    matrix, leaves = model.schema_.encode(X), model.apply(X)
    assert any(len(tree.categories) for tree in model.trees_)
    assert any(tree.split_missing_seen.any() for tree in model.trees_)
    for t, tree in enumerate(model.trees_):
        expected = [find_leaf(tree, row) for row in matrix]
        np.testing.assert_array_equal(leaves[:, t], expected)
        np.testing.assert_array_equal(tree.route(matrix), expected)


@pytest.mark.parametrize(
    "n_rows", [0, 1, ROWS_IN_STEP, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 2 * ROWS_AT_ONCE + ROWS_IN_STEP]
)
def test_rows_in_step_and_at_once_come_out_in_their_places(n_rows):
    random = np.random.default_rng(0)
    X = random.uniform(size=(300, 4))
    model = ForestRegressor(5, random_state=0).fit(X, X @ random.normal(size=(4, 3)))
    (forest,) = model.forests_
    matrix = np.where(random.uniform(size=(n_rows, 4)) < 0.1, np.nan, random.uniform(size=(n_rows, 4)))
    leaves = np.array([tree.route(matrix) for tree in model.trees_]).T.reshape(n_rows, 5)
    np.testing.assert_array_equal(forest.apply(matrix), leaves)
    expected = np.mean([tree.value[leaves[:, t]] for t, tree in enumerate(model.trees_)], axis=0)
    np.testing.assert_allclose(forest.predict(matrix), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("method", ["random_forest", "boosting"])
def test_values_are_means_or_steps(estimator, method):
    model, _, X = fit(estimator, method=method)
    (forest,), leaves = model.forests_, model.apply(X)
    of_trees = np.array([tree.value[leaves[:, t]] for t, tree in enumerate(model.trees_)])
    expected = of_trees.mean(axis=0)
    if method == "boosting":
        expected = forest.start + 0.1 * of_trees.sum(axis=0)
        for t, classes in enumerate(forest.schema.classes):
            if classes is not None:
                at = forest.schema.channels_of(t)
                expected[:, at] = softmax(expected[:, at])
    np.testing.assert_allclose(values_of(model, X), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS[1:])
def test_majority_counts_votes(estimator):
    model, _, X = fit(estimator, voting="majority", min_samples_leaf=5)
    leaves, schema = model.apply(X), model.target_schema_
    counts = np.mean([to_votes(tree.value, schema)[leaves[:, t]] for t, tree in enumerate(model.trees_)], axis=0)
    np.testing.assert_allclose(values_of(model, X), counts)
    at = schema.channels_of(schema.n_targets - 1)
    votes = [model.trees_[t].value[leaves[:, t], at].argmax(axis=1) for t in range(7)]
    share = np.mean(np.array(votes) == 0, axis=0)
    np.testing.assert_allclose(values_of(model, X)[:, at][:, 0], share)
    assert (values_of(model.set_params(voting="distribution"), X) != counts).any()


@pytest.mark.parametrize("n_rows", [0, 1, 15, 16, 17, 1500])
def test_any_number_of_rows_and_threads(n_rows):
    model, X, _ = fit(ForestRegressor)
    table = X.sample(n_rows, replace=True, random_state=0)
    alone = np.array([values_of(model, table[k : k + 1])[0] for k in range(min(n_rows, 40))]).reshape(-1, 2)
    for n_jobs in (1, 2, 5):
        together = model.set_params(n_jobs=n_jobs).predict(table)
        assert together.shape == (n_rows, 2)
        np.testing.assert_array_equal(together[:40], alone)


def test_a_forest_holds_its_values_once():
    model, X, _ = fit(ForestRegressor)
    copy = pickle.loads(pickle.dumps(model))
    for forest in (*model.forests_, *copy.forests_):
        assert all(np.shares_memory(tree.value, forest.nodes.value) for tree in forest.trees)
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


@pytest.mark.parametrize("per_target", [False, True])
def test_decision_paths_lead_to_the_leaves(per_target):
    model, X, _ = fit(ForestRegressor, per_target=per_target)
    path, start = model.decision_path(X)
    leaves = model.apply(X)
    assert path.shape == (len(X), start[-1])
    assert start[-1] == model.size_.nodes
    for t, tree in enumerate(model.trees_):
        own = path[:, start[t] : start[t + 1]].toarray()
        np.testing.assert_array_equal(own.sum(axis=1), tree.depth[leaves[:, t]] + 1)
        assert own[np.arange(len(X)), leaves[:, t]].all()
        assert own[:, 0].all()
        inner = own.astype(bool) & ~tree.is_leaf
        np.testing.assert_array_equal(inner.sum(axis=1), tree.depth[leaves[:, t]])


def test_trees_of_a_single_node():
    X, y = np.zeros((9, 2)), np.arange(9.0)
    model = ForestRegressor(3, bootstrap=False, random_state=0).fit(X, y)
    assert model.size_[:3] == (3, 3, 3)
    np.testing.assert_allclose(model.predict(X), 4.0)
    assert isinstance(model.forests_[0], Forest)
    assert isinstance(model.trees_[0], NodeTable)
    assert model.feature_importances_.tolist() == [0.0, 0.0]


def test_a_row_with_gaps_changes_nothing_for_the_others():
    """Complete rows go down a numeric forest by comparisons alone, unless one of them lacks a value."""
    random = np.random.default_rng(0)
    X = random.random((300, 5))
    X[random.random(X.shape) < 0.1] = np.nan
    forest = ForestRegressor(20, random_state=0).fit(X, random.random((300, 2)))
    complete = random.random((50, 5))
    with_gaps = np.vstack([complete, np.full((1, 5), np.nan)])
    np.testing.assert_array_equal(forest.predict(with_gaps)[:-1], forest.predict(complete))
    np.testing.assert_array_equal(forest.apply(with_gaps)[:-1], forest.apply(complete))
