"""The slow tree that counts leaves by other criteria."""

import numpy as np
import pytest

from glade.models.tree import TreeRegressor
from studies.cart.criteria import OF_BRANCHES, count_leaves, find_split

SQUARES, VARIANCES = list(OF_BRANCHES.values())[:2]
RNG = np.random.default_rng(0)
X = np.column_stack([RNG.random(150), RNG.integers(0, 2, 150), RNG.integers(0, 5, 150)]).astype(float)
Y = np.round(10 * X[:, 0] + 3 * X[:, 1] + RNG.normal(size=150), 1)


def test_sums_of_squares_grow_the_tree_of_the_package():
    assert count_leaves(X, Y, SQUARES) == TreeRegressor(max_bins=None).fit(X, Y).get_n_leaves()


@pytest.mark.parametrize("badness", OF_BRANCHES.values())
def test_no_other_cut_is_better(badness):
    goes_left = find_split(X, Y, badness)

    def judge(left):
        return sum(float(badness(np.array(len(y)), len(y) * np.var(y))) for y in (Y[left], Y[~left]))

    others = [judge(column <= cut) for column in X.T for cut in np.unique(column)[:-1]]
    assert judge(goes_left) == pytest.approx(min(others))


def test_rows_that_are_alike_are_a_leaf():
    assert find_split(X[:1].repeat(3, axis=0), np.arange(3.0), SQUARES) is None
    assert count_leaves(X[:2].repeat(2, axis=0), np.array([1.0, 2.0, 5.0, 5.0]), VARIANCES) == 2
