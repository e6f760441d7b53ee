"""Exact search grows scikit-learn's trees.

Inputs are scaled to [0, 1] and rounded to single precision, which is how scikit-learn sees them. It breaks ties at
random, we take the lowest input and cut: where the two trees part, the helper shows that the two gains are equal.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_friedman1
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from glade import TreeClassifier, TreeRegressor
from tests.datasets import load_dataset, scale_to_single, standardise, to_classes
from tests.partitions import count_ties, count_ties_best_first, of_glade, of_sklearn
from tests.reference.tree import Criterion, Target

SETTINGS = (
    {"max_depth": 2},
    {"max_depth": 4},
    {"max_depth": 8, "min_samples_leaf": 5},
    {"min_samples_leaf": 20},
    {"min_samples_split": 30},
    {"max_leaf_nodes": 6},
    {"max_leaf_nodes": 25, "min_samples_leaf": 3},
    {"max_depth": 5, "max_leaf_nodes": 12},
    {"min_impurity_decrease": 0.01},
    {},
)
REGRESSION = ("edm", "jura", "enb", "slump", "wq", "friedman")


def load(name):
    """Scaled inputs and standardised targets."""
    if name == "friedman":
        X, y = make_friedman1(300, random_state=0)
        Y = np.column_stack([y, X[:, 0] * X[:, 5], np.random.default_rng(0).normal(size=300)])
        return scale_to_single(pd.DataFrame(X)), standardise(Y)
    X, Y = load_dataset(name)
    return scale_to_single(X), standardise(Y.to_numpy(float))


def sklearn_impurity(tree):
    """What the leaves leave unexplained, by scikit-learn's own account."""
    leaf = tree.children_left < 0
    return np.sum(tree.weighted_n_node_samples[leaf] * tree.impurity[leaf]) / tree.weighted_n_node_samples[0]


def check_same_tree(ours, theirs, X, y, targets, criterion="gini"):
    """Fit both. Gives whether they are the same tree; if not, every difference was shown to be a tie."""
    if isinstance(ours, TreeClassifier):
        ours.set_params(smoothing=None)
    ours.fit(X, y)
    theirs.set_params(random_state=0).fit(X, y)
    reference = Criterion(targets, np.ones(len(X)), criterion)
    count = count_ties if ours.max_leaf_nodes is None else count_ties_best_first
    own, other = of_glade(ours, X), of_sklearn(theirs, X, reference)
    if count(own, other, reference):
        return False
    tree = ours.tree_
    root = theirs.tree_.impurity[0]
    assert tree.n_leaves == len(other.leaves)
    assert tree.risk[tree.is_leaf].sum() == pytest.approx(sklearn_impurity(theirs.tree_), rel=1e-9, abs=1e-9 * root)
    if isinstance(ours, TreeClassifier):
        for a, b in zip(as_list(ours.predict_proba(X)), as_list(theirs.predict_proba(X)), strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    else:
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-9 * np.abs(y).max())
    return True


def as_list(proba):
    return proba if isinstance(proba, list) else [proba]


def compare_regression(X, Y, settings):
    """Whether the trees are the same, for each setting."""
    targets = [Target(y) for y in np.atleast_2d(Y.T)]
    return [
        check_same_tree(TreeRegressor(max_bins=None, **s), DecisionTreeRegressor(**s), X, Y, targets) for s in settings
    ]


def compare_classification(X, labels, settings, criterion):
    """The same for one column of labels or several."""
    columns = np.atleast_2d(labels.T)
    targets = [Target(np.unique(c, return_inverse=True)[1].astype(float), nominal=True) for c in columns]
    return [
        check_same_tree(
            TreeClassifier(criterion=criterion, max_bins=None, **s),
            DecisionTreeClassifier(criterion=criterion, **s),
            X, labels, targets, criterion,
        )
        for s in settings
    ]  # fmt: skip


@pytest.mark.parametrize("name", REGRESSION)
def test_many_targets(name):
    """All targets at once, standardised."""
    X, Y = load(name)
    assert sum(compare_regression(X, Y, SETTINGS)) >= 3


@pytest.mark.parametrize("n_targets", [2, 4, 5, 8, 9, 15, 16, 17, 33])
def test_any_number_of_targets(n_targets):
    """The kernel takes channels four at a time, and sixteen of them in a turn."""
    rng = np.random.default_rng(n_targets)
    X = scale_to_single(pd.DataFrame(rng.random((400, 5))))
    Y = standardise(np.sin(5 * X[:, rng.integers(0, 5, n_targets)]) + rng.normal(size=(400, n_targets)))
    settings = [{"max_depth": 4}, {"min_samples_leaf": 10}, {"max_leaf_nodes": 9}]
    assert sum(compare_regression(X, Y, settings)) >= 2


@pytest.mark.parametrize("name", REGRESSION)
def test_one_target(name):
    """The first target alone, in its own unit: standardising one target changes nothing."""
    X, Y = load(name)
    assert sum(compare_regression(X, 1000 + 70 * Y[:, 0], SETTINGS)) >= 3


def test_california():
    """All rows, with and without limits; a tenth of them standardised."""
    X, Y = load_dataset("california")
    X, y = scale_to_single(X), Y.to_numpy(float)[:, 0]
    assert any(compare_regression(X, y, [{"max_depth": 6}, {"min_samples_leaf": 40}, {"max_leaf_nodes": 50}, {}]))
    assert any(compare_regression(X[::10], standardise(y[::10]), [{}, {"min_samples_leaf": 3}, {"max_depth": 5}]))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_iris(criterion):
    """The classic."""
    X, Y = load_dataset("iris")
    assert sum(compare_classification(scale_to_single(X), Y.to_numpy(str)[:, 0], SETTINGS, criterion)) >= 3


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", ["jura", "enb", "slump", "friedman"])
def test_classes(name, criterion):
    """A number in four classes."""
    X, Y = load(name)
    assert sum(compare_classification(X, to_classes(Y[:, 0]), SETTINGS, criterion)) >= 3


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", ["edm", "wq"])
def test_many_nominal_targets(name, criterion):
    """Several nominal targets: edm's three-valued ones, the presence of wq's fourteen taxa."""
    X, Y = load_dataset(name)
    labels = Y.to_numpy().astype(str) if name == "edm" else np.where(Y.to_numpy() > 0, "yes", "no")
    assert sum(compare_classification(scale_to_single(X), labels, SETTINGS, criterion)) >= 3


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_california_classes(criterion):
    """All rows, five classes."""
    X, Y = load_dataset("california")
    labels = to_classes(Y.to_numpy(float)[:, 0], 5)
    settings = [{"max_depth": 6}, {"max_leaf_nodes": 40, "min_samples_leaf": 10}]
    assert any(compare_classification(scale_to_single(X), labels, settings, criterion))
