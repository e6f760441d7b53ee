"""Row weights, class weights and target weights: refused, invariant to scale, equal to repeated rows (c52, c53)."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.robustness.toys import (
    ESTIMATORS,
    assert_same_tree,
    fit_quietly,
    make_inputs,
    make_target,
    refusal,
    replace_value,
)

X = make_inputs()
Y = make_target(TreeRegressor)
LABELS = make_target(TreeClassifier)
RULE = "weights are finite and at least zero"


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (np.zeros(30), "Sample weights must contain at least one non-zero number: all rows have weight zero"),
        (0.0, "Sample weights must contain at least one non-zero number: all rows have weight zero"),
        (replace_value(np.ones(30), 3, -1), f"sample_weight of row 3 is negative: {RULE}"),
        (replace_value(np.ones(30), 3, np.nan), f"sample_weight of row 3 is NaN: {RULE}"),
        (replace_value(np.ones(30), 3, np.inf), f"sample_weight of row 3 is infinite: {RULE}"),
        (pd.Series([1, None] * 15, dtype="Int64"), f"sample_weight of row 1 is NaN: {RULE}"),
        ([None] * 30, f"sample_weight of row 0 is NaN: {RULE}"),
        (np.ones(5), "sample_weight.shape == (5,), expected (30,): one weight for each row of X"),
        (np.ones((30, 1)), "sample_weight must have one dimension, but its shape is (30, 1)"),
        (np.ones((30, 2)), "sample_weight must have one dimension, but its shape is (30, 2)"),
        (["x"] * 30, "sample_weight must hold numbers only, but is of type <U1"),
        (["1"] * 30, "sample_weight must hold numbers only, but is of type <U1"),
        (np.ones(30) + 1j, "sample_weight must hold numbers only, but is of type complex128"),
    ],
)
def test_c52_bad_weights(estimator, weights, expected):
    assert refusal(ValueError, estimator().fit, X, make_target(estimator), sample_weight=weights) == expected


def test_c52_objects_as_weights():
    said = refusal(ValueError, TreeRegressor().fit, X, Y, sample_weight=[1, "x"] * 15)
    assert said.startswith("sample_weight must hold numbers only")
    said = refusal(ValueError, TreeRegressor().fit, X, Y, sample_weight=np.array([{}] * 30))
    assert said.startswith("sample_weight must hold numbers only")


@pytest.mark.parametrize("make", [list, pd.Series, lambda w: pl.Series("w", w), lambda w: w.astype(np.float32)])
def test_c52_weights_in_any_form(make):
    weights = 1.0 + np.arange(30) % 4
    expected = TreeRegressor().fit(X, Y, sample_weight=weights)
    assert_same_tree(fit_quietly(TreeRegressor(), X, Y, sample_weight=make(weights)), expected)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-3, 2.0**1000])
def test_c52_weights_scaled_by_a_power_of_two_give_the_same_bits(estimator, scale):
    weights = np.random.default_rng(5).uniform(1, 2, 30)
    expected = estimator().fit(X, make_target(estimator), sample_weight=weights)
    assert_same_tree(fit_quietly(estimator(), X, make_target(estimator), sample_weight=weights * scale), expected)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("scale", [1e-300, 1e-3, 3.0, 1e300])
def test_c52_weights_scaled_by_any_factor_give_the_same_tree(estimator, scale):
    weights = np.random.default_rng(5).uniform(1, 2, 30)
    expected = estimator().fit(X, make_target(estimator), sample_weight=weights)
    model = fit_quietly(estimator(), X, make_target(estimator), sample_weight=weights * scale)
    np.testing.assert_array_equal(model.tree_.split_input, expected.tree_.split_input)
    np.testing.assert_array_equal(model.tree_.split_cut, expected.tree_.split_cut)
    np.testing.assert_allclose(model.tree_.value, expected.tree_.value, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("weight", [1e-300, 0.1, 7, 1e300])
def test_c52_equal_weights_are_no_weights(estimator, weight):
    expected = estimator().fit(X, make_target(estimator))
    model = fit_quietly(estimator(), X, make_target(estimator), sample_weight=np.full(30, weight))
    assert_same_tree(model, expected)


def test_c52_weights_over_the_whole_range_of_doubles():
    weights = np.geomspace(1e-300, 1e300, 30)
    model = fit_quietly(TreeRegressor(), X, Y, sample_weight=weights)
    assert np.isfinite(model.tree_.value).all()
    assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("settings", [{}, {"max_leaf_nodes": 6}, {"max_depth": 3}])
def test_c53_whole_weights_are_repeated_rows(estimator, settings):
    counts = np.random.default_rng(6).integers(0, 4, 60)
    table, y = make_inputs(60).round(1), make_target(estimator, 60)
    rows = np.repeat(np.arange(60), counts)
    weighted = fit_quietly(estimator(**settings), table, y, sample_weight=counts)
    repeated = fit_quietly(estimator(**settings), table.iloc[rows], y.iloc[rows] if estimator is MixedTree else y[rows])
    np.testing.assert_array_equal(weighted.tree_.split_input, repeated.tree_.split_input)
    np.testing.assert_array_equal(weighted.tree_.split_cut, repeated.tree_.split_cut)
    np.testing.assert_array_equal(weighted.tree_.weight, repeated.tree_.weight)
    np.testing.assert_allclose(weighted.tree_.value, repeated.tree_.value, rtol=1e-9, atol=1e-12)


def test_c53_balanced_classes_of_weighted_and_repeated_rows():
    counts = np.random.default_rng(6).integers(0, 4, 30)
    rows = np.repeat(np.arange(30), counts)
    weighted = TreeClassifier(class_weight="balanced", max_depth=2).fit(X, LABELS, sample_weight=counts)
    repeated = TreeClassifier(class_weight="balanced", max_depth=2).fit(X.iloc[rows], LABELS[rows])
    np.testing.assert_allclose(weighted.tree_.value, repeated.tree_.value, rtol=1e-9)
    assert weighted.threshold_ == pytest.approx(repeated.threshold_)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c53_rows_without_weight_do_not_exist(estimator):
    y = make_target(estimator)
    weights = (np.arange(30) % 3 > 0).astype(float)
    kept = np.flatnonzero(weights)
    fewer = estimator().fit(X.iloc[kept], y.iloc[kept] if estimator is MixedTree else y[kept])
    assert_same_tree(fit_quietly(estimator(), X, y, sample_weight=weights), fewer)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"yes": -1.0}, f"class_weight of class 'yes' is negative: {RULE}"),
        ({"yes": np.nan}, f"class_weight of class 'yes' is NaN: {RULE}"),
        ({"yes": np.inf}, f"class_weight of class 'yes' is infinite: {RULE}"),
        ({"yes": "heavy"}, "class_weight must hold numbers only, but is of type <U32"),
        ({"yes": 0, "no": 0}, "class_weight leaves no class of target 'y' that counts"),
        ({"maybe": 2}, "class_weight names 'maybe', which is no class of target 'y', and leaves out 'no' and 'yes'"),
        ([{}, {}], "class_weight must be 'balanced' or a list of 1 mappings, one for each target; got [{}, {}]"),
        ([3], "class_weight must be 'balanced' or a mapping from classes to weights, got 3"),
    ],
)
def test_c56_bad_class_weights(given, expected):
    assert refusal(ValueError, TreeClassifier(class_weight=given).fit, X, LABELS) == expected


def test_c56_class_weights_of_several_targets():
    y = np.c_[LABELS, np.where(X["c"] > 0, "up", "down")]
    model = fit_quietly(TreeClassifier(class_weight=[{"yes": 2}, "balanced"]), X, y)
    assert model.n_outputs_ == 2
    said = refusal(ValueError, TreeClassifier(class_weight={"yes": 2}).fit, X, y)
    assert said == ("class_weight must be 'balanced' or a list of 2 mappings, one for each target; got {'yes': 2}")


def test_c50_class_weights_leave_rows_with_missing_classes_alone():
    y = pd.DataFrame({"kind": replace_value(LABELS, 0, None, object), "side": np.where(X["c"] > 0, "up", "down")})
    model = TreeClassifier(class_weight=[{"no": 5.0, "yes": 5.0}, {}], missing_targets="ignore").fit(X, y)
    assert model.tree_.weight[0] == 30
    assert model.threshold_ == [0.5, 0.5]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1, 2, 3], "target_weights has shape (3,), but there are 2 target(s)"),
        ([-1, 1], f"target_weights of target 'number' is negative: {RULE}"),
        ([1, np.nan], f"target_weights of target 'label' is NaN: {RULE}"),
        ([1, np.inf], f"target_weights of target 'label' is infinite: {RULE}"),
        ([0, 0], "target_weights must not all be zero"),
        (["a", "b"], "target_weights must hold numbers only, but is of type <U1"),
        ({"price": 2}, "target_weights names 'price', which is no target; the targets: 'number' and 'label'"),
    ],
)
def test_c56_bad_target_weights(given, expected, monkeypatch):
    monkeypatch.setattr("glade.models.tree_base.code_inputs", None)  # refused before the inputs are coded
    assert refusal(ValueError, MixedTree(target_weights=given).fit, X, make_target(MixedTree)) == expected


def test_c56_target_weights_by_name_and_by_order_are_the_same():
    y = make_target(MixedTree)
    expected = MixedTree(target_weights=[3.0, 1.0]).fit(X, y)
    assert_same_tree(fit_quietly(MixedTree(target_weights={"number": 3}), X, y), expected)
