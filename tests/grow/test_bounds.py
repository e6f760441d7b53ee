"""Signs that say which way a channel may change with an input: in every tree, at every node."""

import numpy as np
import pytest

from glade.data.coding import code_inputs
from glade.data.table import read_table
from glade.data.targets import encode_targets, read_targets
from glade.grow.grower import GrowthSettings, grow


def fit(X, y, signs, **settings):
    weights = np.ones(len(X))
    inputs = code_inputs(read_table(X), weights, None)
    targets = encode_targets(read_targets(y, "regression"), weights, "variance", np.ones(np.ndim(y) or 1))
    padded = np.zeros((X.shape[1], targets.channels.y.shape[1]), np.int8)
    padded[:, : signs.shape[1]] = signs
    return grow(inputs, targets, GrowthSettings(signs=padded, **settings))


def predict(tree, X):
    return tree.value[tree.route(X)]


@pytest.mark.parametrize("settings", [{}, {"max_depth": 4}, {"max_leaf_nodes": 10}, {"min_samples_leaf": 5}])
@pytest.mark.parametrize("n_targets", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_predictions_change_the_right_way_only(seed, n_targets, settings):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    y = np.column_stack([np.sin(2 * X[:, 0]) + X[:, 0] - X[:, 1] ** 2 + rng.normal(size=300) for _ in range(n_targets)])
    signs = np.array([[1, -1], [-1, 0], [0, 0]])[:, :n_targets]
    tree = fit(X, y if n_targets > 1 else y[:, 0], signs, **settings)
    assert tree.n_leaves > 4
    points = rng.normal(size=(400, 3))
    for j in (0, 1):
        moved = points.copy()
        moved[:, j] += rng.exponential(size=400)
        for t in range(n_targets):
            assert (signs[j, t] * (predict(tree, moved)[:, t] - predict(tree, points)[:, t]) >= -1e-12).all()


def test_without_signs_nothing_changes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    free = fit(X, y, np.zeros((3, 1), np.int8))
    weights = np.ones(200)
    inputs = code_inputs(read_table(X), weights, None)
    targets = encode_targets(read_targets(y, "regression"), weights, "variance", np.ones(1))
    np.testing.assert_allclose(predict(free, X), predict(grow(inputs, targets, GrowthSettings()), X))


def test_a_tree_with_signs_explains_a_rising_function():
    rng = np.random.default_rng(1)
    X = rng.uniform(-2, 2, size=(500, 2))
    y = np.tanh(X[:, 0]) + rng.normal(size=500) * 0.1
    tree = fit(X, y, np.array([[1], [0]]), max_depth=4)
    assert np.mean((predict(tree, X)[:, 0] - y) ** 2) < 0.05 * y.var()
