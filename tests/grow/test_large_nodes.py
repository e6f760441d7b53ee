"""Large nodes are split by Python, by histograms made by subtraction; that is to change nothing but the time."""

import numpy as np
import pytest

from glade.data.coding import code_inputs
from glade.data.table import read_table
from glade.data.targets import encode_targets, read_targets
from glade.grow import grower as growing
from glade.grow.grower import GrowthSettings, grow


def make(kind, n_rows=1500, seed=0):
    """Coded inputs of every kind, and targets of one kind, with gaps in both and with weights if the name says so."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=list("abc"))
    X["few"] = rng.integers(0, 4, n_rows).astype(float)
    X["text"] = rng.choice(list("uvwxyz"), n_rows)
    signal = X["a"] + X["few"] * (X["text"] > "w") + rng.normal(size=n_rows) * 0.3
    X.loc[rng.random(n_rows) < 0.1, "b"] = np.nan
    weights = rng.exponential(size=n_rows) if "weights" in kind else np.ones(n_rows)
    if "classes" in kind:
        y, task, criterion = np.digitize(signal, [-0.5, 0.5, 1.5]).astype(str), "classification", "entropy"
    else:
        y, task, criterion = np.column_stack((signal, X["c"] + rng.normal(size=n_rows))), "regression", "variance"
        if "gaps" in kind:
            y[rng.random(y.shape) < 0.1] = np.nan
    table = read_table(X)
    targets = read_targets(y, task)
    n_targets = len(targets)
    return code_inputs(table, weights, 32), encode_targets(targets, weights, criterion, np.ones(n_targets))


KINDS = ["numbers", "numbers, gaps", "numbers, weights", "classes", "classes, weights"]
SETTINGS = {
    "unlimited": GrowthSettings(),
    "depth": GrowthSettings(max_depth=4),
    "best first": GrowthSettings(max_leaf_nodes=12),
    "many rows a leaf": GrowthSettings(min_samples_leaf=20),
    "categories drawn": GrowthSettings(draw_categories=True),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SETTINGS)
def test_histograms_change_nothing(kind, name, monkeypatch):
    inputs, targets = make(kind)
    expected = grow(inputs, targets, SETTINGS[name], seed=3)
    calls = []
    split_large = growing.Grower._split_large
    monkeypatch.setattr(growing, "LARGE_ROWS", 100)
    monkeypatch.setattr(growing, "ROWS_A_CODE", 0)
    monkeypatch.setattr(
        growing.Grower, "_split_large", lambda self, *args: (calls.append(len(args)), split_large(self, *args))
    )
    tree = grow(inputs, targets, SETTINGS[name], seed=3)
    assert len(calls) > 4
    np.testing.assert_allclose(np.sort(tree.split_gain), np.sort(expected.split_gain), rtol=1e-6)
    np.testing.assert_array_equal(sorted(tree.rows[tree.is_leaf]), sorted(expected.rows[expected.is_leaf]))


def test_a_large_tree_that_has_little_left_is_summed_anew(monkeypatch):
    """A nearly pure large child: what subtraction would leave of its sums is rounding."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 30, (3000, 4)).astype(float)
    y = np.where(X[:, 0] == 3, 1e6, 0.0) + 1e-3 * X[:, 1]
    inputs, weights = code_inputs(read_table(X), np.ones(3000), 32), np.ones(3000)
    targets = encode_targets(read_targets(y, "regression"), weights, "variance", np.ones(1))
    expected = grow(inputs, targets, GrowthSettings(max_depth=5))
    monkeypatch.setattr(growing, "LARGE_ROWS", 100)
    tree = grow(inputs, targets, GrowthSettings(max_depth=5))
    np.testing.assert_array_equal(np.sort(tree.split_input), np.sort(expected.split_input))
    np.testing.assert_allclose(np.sort(tree.split_cut), np.sort(expected.split_cut))
