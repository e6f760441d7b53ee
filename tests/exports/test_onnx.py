"""ONNX: rows at a cut, names that are code, what it cannot hold."""

import sys

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import InputError
from glade.exports.description import Description, Input, Target
from glade.exports.onnx import TREES_AT_ONCE
from tests.exports.tables import run_onnx

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


@pytest.fixture(scope="module")
def fine():
    """A forest whose cuts lie between neighbouring doubles, and rows on both sides of each cut, at all distances."""
    rng = np.random.default_rng(0)
    base = rng.random((300, 2))
    X = np.vstack((base, base * (1 + 4e-16)))
    y = np.repeat([0.0, 1.0], 300) + base[:, [0]].repeat(2, 1).T.ravel()
    tree = glade.TreeRegressor().fit(X, y)
    cuts = np.unique(tree.tree_.split_cut)
    rows = np.concatenate([cuts * (1 + step) for step in (0, 2.3e-16, 1e-9, 1e-8, 1e-7, 1e-6, -1e-9, -1e-7, -1e-6)])
    return tree, pd.DataFrame({"x0": rows, "x1": rng.permutation(rows)})


def test_only_rows_nearer_to_a_cut_than_float32_can_tell_differ(fine):
    tree, rows = fine
    said = tree.predict(rows.to_numpy())
    exact = run_onnx(glade.export(tree, "onnx", precision="float64"), rows).iloc[:, 0]
    assert (exact == said).all()
    rounded = run_onnx(glade.export(tree, "onnx"), rows).iloc[:, 0]
    differs = np.abs(rounded - said) > 1e-6 * np.abs(said).max()
    cuts = np.unique(tree.tree_.split_cut)
    near = [(np.float32(cuts) == np.float32(x)) & (x > cuts) for x in rows.to_numpy().ravel()]
    at_cut = np.any(near, axis=1).reshape(len(rows), 2).any(axis=1)
    assert 0 < differs.sum() <= at_cut.sum() < len(rows)
    assert not (differs & ~at_cut).any()


def test_a_value_at_a_cut_stays_on_its_side():
    """0.1 in float32 is more than 0.1: the cut is rounded in the same way."""
    X, y = np.array([[0.1], [0.1], [0.3], [0.3]]), [1.0, 1.0, 2.0, 2.0]
    tree = glade.TreeRegressor().fit(X, y)
    assert tree.tree_.split_cut.tolist() == [0.1] or tree.tree_.split_cut[0] == 0.2
    assert run_onnx(glade.export(tree, "onnx"), pd.DataFrame(X, columns=["x0"])).iloc[:, 0].tolist() == y


def test_more_trees_than_are_added_up_at_once():
    X = np.random.default_rng(0).random((80, 3))
    forest = glade.ForestRegressor(2 * TREES_AT_ONCE + 1, random_state=0).fit(X, X[:, 0] + X[:, 1])
    rows = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    found = run_onnx(glade.export(forest, "onnx", precision="float64"), rows).iloc[:, 0]
    np.testing.assert_allclose(found, forest.predict(X), rtol=1e-12)


def test_what_onnx_cannot_hold_is_refused():
    y = np.arange(30.0)
    labels = [2**24, 2**24 + 1, 5] * 10
    of_numbers = pd.DataFrame({"a": pd.Categorical(labels)})
    model = glade.TreeRegressor(max_depth=2).fit(of_numbers, np.array(labels) % 7 + 0.1)
    with pytest.raises(InputError, match="'a' are the same number in float32: give precision='float64'"):
        glade.export(model, "onnx")
    found = run_onnx(glade.export(model, "onnx", precision="float64"), of_numbers).iloc[:, 0]
    np.testing.assert_allclose(found, model.predict(of_numbers), rtol=1e-12)
    inputs, targets = (Input("a", "nominal", ("b", 1), False),), (Target("y", None, "identity", 1),)
    with pytest.raises(InputError, match="text and numbers together: 'a' is one"):
        glade.export(Description("rules", inputs, targets, (0.0,)), "onnx")
    targets = (Target("y", ("b", 1), "logit", 1),)
    with pytest.raises(InputError, match="classes of several types together: 'y' has such"):
        glade.export(Description("rules", (Input("a", "numeric", (), False),), targets, (0.0,)), "onnx")
    with pytest.raises(InputError, match="no input without a name"):
        glade.export(glade.TreeRegressor().fit(pd.DataFrame({"": y}), y), "onnx")
    with pytest.raises(InputError, match="no precision 'half'"):
        glade.export(model, "onnx", precision="half")


def test_the_package_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InputError, match=r"pip install 'glade\[onnx\]'"):
        glade.export(glade.TreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0]), "onnx")
