"""Targets of 1e12 + something small: ensembles keep the digits by which they differ, as single trees do.

A double near 1e12 is a multiple of 2**-13, and the small part has a size of 2**-10: rounding alone takes less than a
thousandth of R2.
"""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import ForestRegressor, MixedForest, MultiTreeRegressor, TreeRegressor
from glade.data.targets import TargetSchema
from glade.explain.credits import CreditedForest

OFFSETS = {"1e12": (1e12, 2.0**-10), "-1e12": (-1e12, 2.0**-10), "1e15": (1e15, 8.0)}
MODELS = {
    "tree": TreeRegressor(max_depth=5),
    **{
        method: ForestRegressor(40, method=method, random_state=0)
        for method in ("bagging", "random_forest", "extra_trees", "isle", "boosting")
    },
    "boosting until it is flat": ForestRegressor("auto", method="boosting", random_state=0),
    **{
        f"multi-tree, {fusion}": MultiTreeRegressor(200, fusion=fusion, random_state=0)
        for fusion in ("mean", "sum", "gain")
    },
}


def make_table(n=300):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3))
    return X, X[:, 0] + np.where(X[:, 1] > 0, 1.0, -1.0) + random.normal(size=n) / 4, random.uniform(0.5, 2.0, n)


def r2(found, expected):
    return 1.0 - np.mean((found - expected) ** 2) / np.var(expected)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_an_offset_costs_no_accuracy(name, offset, weighted):
    (X, z, weights), (shift, unit) = make_table(), OFFSETS[offset]
    given = weights if weighted else None
    plain = MODELS[name].fit(X, z, sample_weight=given).predict(X)
    moved = (MODELS[name].fit(X, shift + z * unit, sample_weight=given).predict(X) - shift) / unit
    is_exact = name.startswith("multi-tree")  # whose leaves are pure: nothing but rounding is lost
    assert r2(moved, z) == pytest.approx(r2(plain, z), abs=0.001 if is_exact else 0.01)


@pytest.mark.parametrize("offset", OFFSETS)
def test_an_offset_costs_no_accuracy_out_of_bag(offset):
    (X, z, _), (shift, unit) = make_table(), OFFSETS[offset]
    model = ForestRegressor(60, random_state=0, oob_score=True)
    plain = r2(model.fit(X, z).oob_prediction_, z)
    moved = model.fit(X, shift + z * unit)
    assert r2((moved.oob_prediction_ - shift) / unit, z) == pytest.approx(plain, abs=0.01)
    assert moved.oob_score_ == pytest.approx(plain, abs=0.01)
    assert moved.oob_curve_.error[-1] == pytest.approx(1.0 - plain, abs=0.01)


@pytest.mark.parametrize("method", ["random_forest", "boosting"])
def test_an_offset_costs_no_accuracy_beside_other_targets(method):
    X, z, _ = make_table()
    y = pd.DataFrame({"a": z, "b": X[:, 1] - X[:, 2], "c": np.where(X[:, 2] > 0, "u", "v")})
    model = MixedForest(40, method=method, random_state=0)
    plain = model.fit(X, y).predict(X)
    moved = model.fit(X, y.assign(a=1e12 + z * 2.0**-10, b=-1e12 + y["b"] * 2.0**-10)).predict(X)
    for name, shift in (("a", 1e12), ("b", -1e12)):
        found = (moved[name].astype(float) - shift) * 2.0**10
        assert r2(found, y[name]) == pytest.approx(r2(plain[name].astype(float), y[name]), abs=0.01)
    assert (moved["c"] == y["c"]).mean() == pytest.approx((plain["c"] == y["c"]).mean(), abs=0.01)


@pytest.mark.parametrize("name", ["random_forest", "boosting", "multi-tree, mean"])
def test_a_saved_model_of_targets_with_an_offset_predicts_the_same_bits(name, tmp_path):
    X, z, _ = make_table()
    model = MODELS[name].fit(X, 1e12 + z * 2.0**-10)
    model.save(tmp_path / "model.glade")
    np.testing.assert_array_equal(glade.load(tmp_path / "model.glade").predict(X), model.predict(X))


@pytest.mark.parametrize("name", ["random_forest", "boosting"])
def test_contributions_to_predictions_with_an_offset_keep_their_digits(name):
    X, z, _ = make_table()
    (forest,) = MODELS[name].fit(X, 1e12 + z * 2.0**-10).forests_
    counts = forest.learning_rate or 1.0 / len(forest.trees)
    expected = sum(counts * (tree.value[tree.route(X)] - tree.value[0]) for tree in forest.trees)
    found = CreditedForest.of(forest, "distribution").credits(X, 1).sum(axis=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * 2.0**-10)


def test_an_effect_on_predictions_with_an_offset_keeps_its_digits():
    X, z, _ = make_table()
    model = ForestRegressor(40, random_state=0).fit(X, 1e12 + z * 2.0**-10)
    found = glade.dependence(model, X, "x0", n_points=5).frame()
    for point, effect in zip(found["x0"], found["dependence"], strict=True):
        rows = np.column_stack((np.full(len(X), point), X[:, 1:]))
        expected = np.mean([tree.value[tree.route(rows)] - 1e12 for tree in model.trees_])
        assert effect - 1e12 == pytest.approx(expected, abs=2.0**-13)


def test_the_centre_is_a_value_that_differs_from_all_others_exactly():
    schema = TargetSchema(("a",) * 6 + ("class",), (None,) * 6 + (np.array(["u", "v"]),))
    low = np.array([1e12, -1e12 - 1, 0.0, -1.0, 1.0, 2.0, 0.6, 0.6])
    high = np.array([1e12 + 1, -1e12, 1e12, 1.0, 2.1, 4.0, 0.7, 0.7])
    assert schema.find_centre(low, high).tolist() == [1e12, -1e12 - 1, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]


def test_a_forest_for_targets_that_are_often_zero_never_predicts_less():
    X, z, _ = make_table()
    y = np.maximum(z, 0.0)
    predicted = ForestRegressor(40, random_state=0).fit(X, y).predict(X)
    assert predicted.min() == 0.0
