"""`standardise_targets=False`: trees lower the sum of variances, and of impurities, as they are."""

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, MixedForest, MixedTree, TreeRegressor
from glade.data.criteria import measure_impurity


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    return X, np.column_stack([100 * (X[:, 0] > 0) + rng.normal(size=120), (X[:, 1] > 0) + (X[:, 2] > 0.5) - 3.0])


def sum_of_impurities(y, kinds):
    total = 0.0
    for column, kind in zip(y, kinds, strict=True):
        if kind == "number":
            total += np.var(column)
        else:
            total += measure_impurity(
                np.array([column == label for label in kind]).T * 1.0, np.ones(len(column)), "gini"
            )
    return total


def find_best_split(X, y, kinds):
    """The input, and the rows below, of the division that lowers the sum of impurities most."""
    best = np.inf, None, None
    for j in range(X.shape[1]):
        for cut in np.sort(X[:, j])[:-1]:
            low = X[:, j] <= cut
            parts = [[column[side] for column in y] for side in (low, ~low)]
            left = sum(
                side.sum() * sum_of_impurities(part, kinds) for side, part in zip((low, ~low), parts, strict=True)
            )
            best = min(best, (left, j, low.sum()), key=lambda each: each[0])
    return best[1:]


@pytest.mark.parametrize("unit", [1.0, 0.001, 1e-120, 1e150])
def test_the_first_split_is_that_of_the_sum_of_variances(table, unit):
    X, y = table
    y = y * [1.0, unit] if unit < 1e100 else y[:, ::-1] * [1.0, unit]
    tree = TreeRegressor(max_depth=1, standardise_targets=False).fit(X, y).tree_
    scaled = [column / np.abs(y).max() for column in y.T]
    j, n_low = find_best_split(X, scaled, ["number", "number"])
    assert tree.split_input[0] == j
    assert n_low in tree.weight[1:]


@pytest.mark.parametrize(
    "kind", [TreeRegressor, lambda **how: ForestRegressor(1, method="extra_trees", random_state=0, **how)]
)
def test_units_count_and_standardised_ones_do_not(table, kind):
    X, y = table
    inputs = []
    for way in (True, False):
        model = kind(max_depth=1, standardise_targets=way).fit(X, y * [1e-6, 1.0])
        inputs.append((model.trees_[0] if hasattr(model, "trees_") else model.tree_).split_input[0])
    assert inputs[0] == 0
    assert inputs[1] in (1, 2)


def test_of_mixed_targets_impurities_are_added_to_variances(table):
    X, y = table
    labels = np.where(X[:, 1] > 0, "a", "b")
    for factor in (0.001, 1.0):  # of the number, whose variance is 2,500 with a factor of 1
        mixed = pd.DataFrame({"number": factor * y[:, 0], "class": labels})
        tree = MixedTree(max_depth=1, standardise_targets=False).fit(X, mixed).tree_
        j, _ = find_best_split(X, [factor * y[:, 0], labels], ["number", ("a", "b")])
        assert tree.split_input[0] == j == (1 if factor < 1 else 0)
    MixedForest(2, standardise_targets=False, random_state=0).fit(X, mixed).predict(X)


def test_one_target_and_constant_ones_change_nothing(table):
    X, y = table
    plain, raw = (TreeRegressor(standardise_targets=way).fit(X, y[:, 1]) for way in (True, False))
    np.testing.assert_array_equal(plain.predict(X), raw.predict(X))
    constant = TreeRegressor(standardise_targets=False).fit(X, np.ones((120, 2)))
    assert constant.get_n_leaves() == 1
