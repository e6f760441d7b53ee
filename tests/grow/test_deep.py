"""Trees as deep as their rows are many: nothing recurses."""

import numpy as np
import pytest

from glade import TreeClassifier, TreeRegressor
from glade.grow.pruning import Prunable

DEPTH = 50_000


def fit_comb(estimator, depth):
    """Alternating targets along one input: the best cut always takes one row off the end."""
    X = np.arange(depth + 1, dtype=float).reshape(-1, 1)
    y = np.arange(depth + 1) % 2
    return X, y, estimator(max_bins=None).fit(X, y)


def test_fifty_thousand_levels():
    """One row a level: it grows, predicts, prunes, prints. (One test: growing it takes most of the time.)"""
    X, y, model = fit_comb(TreeRegressor, DEPTH)  # numbers: the same tree as for two classes, in less time
    assert model.get_depth() == DEPTH
    assert model.get_n_leaves() == DEPTH + 1
    assert (model.tree_.rows[model.tree_.is_leaf] == 1).all()
    check_predictions(model, X, y)
    check_pruning(model)
    check_text(model)
    assert model.feature_importances_.tolist() == [1.0]


def check_predictions(model, X, y):
    """Rows at either end and in the middle come to leaves of their own."""
    some = np.r_[0:50, DEPTH // 2 : DEPTH // 2 + 50, DEPTH - 50 : DEPTH + 1]
    np.testing.assert_array_equal(model.predict(X[some]), y[some])
    assert len(np.unique(model.apply(X[some]))) == len(some)


def check_pruning(model):
    """The path is found in one pass, and a step of it is an ordinary tree."""
    path = Prunable.of(model.tree_).path()
    assert path.leaves[-1] == 1
    assert (np.diff(path.leaves) < 0).all()
    assert (np.diff(path.alpha) > 0).all()
    middle = len(path.alpha) // 2
    pruned = model.pruned(float(path.alpha[middle]))
    assert pruned.get_n_leaves() == path.leaves[middle]
    assert pruned.tree_.risk[pruned.tree_.is_leaf].sum() == pytest.approx(path.risk[middle], rel=1e-9, abs=1e-12)
    assert model.pruned(1.0).get_n_leaves() == 1


def check_text(model):
    """Words for the first levels, a count for what is left out."""
    text = model.to_text(max_depth=5)
    assert text.startswith(f"tree of {DEPTH + 1:,} leaves, depth {DEPTH}")
    shown = 2 * 5 + 1  # the root and two nodes a level
    assert f"{model.tree_.n_nodes - shown:,} more nodes" in text
    assert len(text.splitlines()) == 2 + shown + 1


def test_classes():
    """The same with classes, less deep."""
    X, y, model = fit_comb(TreeClassifier, 3000)
    assert model.get_depth() == 3000
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.decision_path(X[-1:]).sum() == 3001
