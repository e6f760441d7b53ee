"""Tables that are odd but right: they fit, with a warning where a person would want one."""

import narwhals
import narwhals.stable.v2
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.tree import DecisionTreeRegressor

from glade import (
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    MixedTree,
    RuleEnsembleRegressor,
    TreeClassifier,
    TreeRegressor,
)
from tests.robustness.toys import ESTIMATORS, fit_quietly, make_inputs, make_target, notes, replace_value

X = make_inputs()
Y = make_target(TreeRegressor)


def fit_noted(model, *args):
    return notes(model.fit, *args)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c03_one_row_is_a_single_leaf(estimator):
    y = make_target(estimator)[:1]
    model = fit_quietly(estimator(), X[:1], y)
    assert model.get_n_leaves() == 1
    np.testing.assert_array_equal(np.asarray(model.predict(X[:1])), np.asarray(y))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c04_one_feature(estimator):
    model = fit_quietly(estimator(), X[["a"]], make_target(estimator))
    assert model.n_features_in_ == 1
    assert model.get_n_leaves() > 1


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c06_missing_numbers_have_a_side_of_their_own(estimator):
    """The target says whether the input is missing, and nothing else can."""
    y = make_target(estimator)
    high, low = np.argmax(make_target(TreeRegressor)), np.argmin(make_target(TreeRegressor))
    y = y.iloc[[low, high] * 10] if estimator is MixedTree else y[[low, high] * 10]
    table = pd.DataFrame({"a": [np.nan, 1.0] * 10})
    model = fit_quietly(estimator(), table, y)
    assert model.get_n_leaves() == 2
    assert "a is missing" in model.to_text()
    np.testing.assert_array_equal(np.asarray(model.predict(table)), np.asarray(y))


@pytest.mark.parametrize("scale", [1e39, 1e300])
def test_c08_values_beyond_single_precision(scale):
    model = fit_quietly(TreeRegressor(), X * scale, Y)
    np.testing.assert_array_equal(model.predict(X * scale), Y)


def test_c08_the_largest_doubles():
    largest = np.finfo(float).max
    table = np.array([[largest], [-largest], [np.nextafter(largest, 0)], [0.0]])
    model = fit_quietly(TreeRegressor(), table, np.arange(4.0))
    np.testing.assert_array_equal(model.predict(table), np.arange(4.0))


@pytest.mark.parametrize("frame", [True, False])
def test_c09_neighbouring_doubles_are_told_apart_and_zeros_are_not(frame):
    above = [5e-324, 1e-323, 1e-310, np.nextafter(1.0, 0), 1.0, np.nextafter(1.0, 2), 0.1, np.nextafter(0.1, 1)]
    values = np.array([-5e-324, *above, -0.0, 0.0])[:, None]
    y = np.append(np.arange(len(values) - 2.0), [20.0, 30.0])
    table = pd.DataFrame(values, columns=["a"]) if frame else values
    model = fit_quietly(TreeRegressor(), table, y)
    np.testing.assert_array_equal(model.predict(table), np.append(y[:-2], [25.0, 25.0]))


@pytest.mark.parametrize("scale", [1e-308, 1e-200, 1e200, 1e299])
@pytest.mark.parametrize("settings", [{}, {"ccp_alpha": "cv", "random_state": 0}, {"max_leaf_nodes": 5}])
def test_c13_tiny_and_huge_targets(scale, settings):
    """The tree is that of the target in a milder unit (but for denormals, which have fewer digits)."""
    y = Y * scale
    model, plain = fit_quietly(TreeRegressor(**settings), X, y), TreeRegressor(**settings).fit(X, Y)
    if scale >= 1e-300:
        np.testing.assert_array_equal(model.tree_.split_cut, plain.tree_.split_cut)
    assert np.isfinite(model.tree_.value).all()
    assert model.get_n_leaves() > 2
    np.testing.assert_allclose(model.predict(X) / scale, plain.predict(X), rtol=1e-9 if scale >= 1e-300 else 1e-2)
    np.testing.assert_allclose(model.feature_importances_, plain.feature_importances_, atol=1e-6)


@pytest.mark.parametrize("model", [TreeRegressor(), ForestRegressor(3), RuleEnsembleRegressor(), MixedTree()])
def test_c13_a_target_whose_sums_are_no_numbers_is_refused(model):
    y = pd.DataFrame({"load": np.where(np.arange(len(X)) == 4, -1.7e308, 1.0)})
    with pytest.raises(ValueError, match=r"target 'load' is -1.7e\+308 in row 4, beyond 1e\+303: sums .* divide it"):
        model.fit(X, y)


def test_c13_whole_numbers_of_arrow_may_be_too_long_for_doubles():
    table = pa.table({"a": pa.array([2**62 + 1, 5, None] * 10, pa.int64())})
    expected = np.array([1.0, 2.0, 3.0] * 10)
    model = TreeRegressor().fit(table, expected)
    np.testing.assert_array_equal(model.predict(table), expected)


def test_c13_categories_of_arrow_that_cannot_be_listed_are_refused():
    parts = pd.DataFrame({"part": pd.cut([0.1, 0.5, 0.9] * 10, 3)})
    with pytest.raises(TypeError, match="'part' has categories of a type that cannot be listed: turn them into text"):
        TreeRegressor().fit(pa.Table.from_pandas(parts), np.arange(30.0))


def test_c13_shares_of_classes_are_at_most_one_whatever_the_weights_are():
    """Weights that are summed in another order used to give a probability above 1 by rounding."""
    random = np.random.default_rng(0)
    y = np.where(X["a"] > 0, "yes", "no")
    for _ in range(50):
        weights = random.random(len(X)) * 1e-300 + 1e-301
        proba = TreeClassifier(max_depth=2).fit(X, y, sample_weight=weights).predict_proba(X)
        assert ((proba >= 0) & (proba <= 1)).all()


def test_c13_targets_that_no_row_of_a_fold_knows_are_refused():
    model = MixedRuleEnsemble(MixedForest(3), cv=2, random_state=0)
    with pytest.raises(ValueError, match="no target is known in any of the rows to grow trees on"):
        model.fit(X[:2], pd.DataFrame({"y": [1.0, np.nan]}))


def test_c14_small_variance_on_a_large_offset():
    """Steps of a few units in the last place; naive sums of squares would lose them altogether."""
    y = 1e9 + np.array([0.0, 0, 0, 1e-6, 1e-6, 1e-6])
    model = fit_quietly(TreeRegressor(), np.arange(6.0)[:, None], y)
    assert model.tree_.split_cut.tolist() == [2.0]
    np.testing.assert_array_equal(model.predict(np.arange(6.0)[:, None]), y)


def test_c15_constant_target():
    model, said = fit_noted(TreeRegressor(), X, pd.Series(np.full(30, 3.0), name="price"))
    assert said == ["target 'price' is constant: nothing can be learnt about it"]
    assert model.get_n_leaves() == 1
    reference = DecisionTreeRegressor().fit(X, np.full(30, 3.0))
    for truth in (np.full(30, 3.0), Y):
        assert model.score(X, truth) == reference.score(X, truth)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c16_constant_feature_is_never_split_on(estimator):
    model, said = fit_noted(estimator(), X.assign(d=1.0), make_target(estimator))
    assert said == ["column 'd' is constant: it is never split on"]
    assert 3 not in model.tree_.split_input
    _, said = fit_noted(estimator(), X.assign(d=1.0, e="u"), make_target(estimator))
    assert said == ["columns 'd' and 'e' are constant: they are never split on"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c17_all_features_constant(estimator):
    model, said = fit_noted(estimator(), pd.DataFrame({"a": [1.0] * 30, "b": ["u"] * 30}), make_target(estimator))
    assert said == ["every column is constant: there is nothing to split on"]
    assert model.get_n_leaves() == 1


@pytest.mark.parametrize("empty", [np.nan, None, pd.NA])
def test_c18_all_missing_column(empty):
    model, said = fit_noted(TreeRegressor(), X.assign(d=empty), Y)
    assert said == ["column 'd' has no known value: it is ignored, but has to be there to predict"]
    with pytest.raises(ValueError, match="yet now missing:\n- d"):
        model.predict(X)
    for values in (empty, 1.0, "text"):  # whatever it holds now
        predicted, said = notes(model.predict, X.assign(d=values))
        assert said == []
        np.testing.assert_array_equal(predicted, Y)


def test_c18_all_missing_columns_of_other_libraries():
    columns = {**X.to_dict("list"), "d": [None] * 30, "e": [None] * 30}
    for table in (pl.DataFrame(columns), pa.table(columns), pd.DataFrame(columns)):
        model, said = fit_noted(TreeRegressor(), table, Y)
        assert said == ["columns 'd' and 'e' have no known value: they are ignored, but have to be there to predict"]
        np.testing.assert_array_equal(model.predict(table), Y)


def test_c19_one_target_constant_among_many():
    model, said = fit_noted(TreeRegressor(), X, pd.DataFrame({"price": Y, "tax": 7.0}))
    assert said == ["target 'tax' is constant: nothing can be learnt about it"]
    alone = TreeRegressor().fit(X, Y)
    np.testing.assert_array_equal(model.tree_.split_cut, alone.tree_.split_cut)
    np.testing.assert_array_equal(model.predict(X), np.c_[Y, np.full(30, 7.0)])
    mixed = pd.DataFrame({"price": Y, "kind": "u"})
    model, said = fit_noted(MixedTree(), X, mixed)
    assert said == ["target 'kind' has one class only: nothing can be learnt about it"]
    np.testing.assert_array_equal(model.predict(X)["price"], Y)


def test_c20_targets_of_all_scales_count_alike():
    small, large = np.where(X["a"] > 0, 1e-6, 0.0), np.where(X["b"] > 0, 1e6, 0.0)
    model = fit_quietly(TreeRegressor(max_depth=2), X, np.c_[small, large])
    assert set(model.tree_.split_input) == {0, 1}
    np.testing.assert_allclose(model.predict(X), np.c_[small, large])
    plain = TreeRegressor(max_depth=2).fit(X, np.c_[small * 1e6, large * 1e-6])
    np.testing.assert_array_equal(model.tree_.split_cut, plain.tree_.split_cut)


def test_c21_equal_rows_with_different_targets():
    model, _ = fit_noted(TreeRegressor(), np.zeros((4, 1)), [1.0, 2.0, 3.0, 4.0])
    assert model.predict([[0.0]]).tolist() == [2.5]
    model, _ = fit_noted(TreeClassifier(), np.zeros((3, 1)), ["a", "b", "b"])
    assert model.predict([[0.0]]).tolist() == ["b"]
    table, y = np.repeat([[0.0], [1.0]], 2, axis=0), [1.0, 2.0, 5.0, 6.0]
    assert fit_quietly(TreeRegressor(), table, y).predict(table).tolist() == [1.5, 1.5, 5.5, 5.5]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c22_of_identical_columns_the_first_is_used(estimator):
    table = X[["c", "a", "a", "b"]].set_axis(["c", "a", "copy", "b"], axis=1)
    model = fit_quietly(estimator(), table, make_target(estimator))
    assert 1 in model.tree_.split_input
    assert 2 not in model.tree_.split_input


def test_c24_numbered_columns_are_called_as_those_of_arrays():
    numbered = X.set_axis([0, 1, 2], axis=1)
    model = fit_quietly(TreeRegressor(max_depth=2), numbered, Y)
    assert not hasattr(model, "feature_names_in_")
    assert model.to_text() == TreeRegressor(max_depth=2).fit(X.to_numpy(), Y).to_text()
    np.testing.assert_array_equal(model.predict(X.to_numpy()), model.predict(numbered))


def test_c24_numbered_targets_keep_their_names():
    y = make_target(MixedTree).set_axis([5, 7], axis=1)
    model = fit_quietly(MixedTree(), X, y)
    assert model.predict(X).columns.tolist() == [5, 7]
    assert list(model.predict_proba(X)) == [7]
    assert model.target_schema_.names == ("y5", "y7")


HOSTILE = {
    "": "''",
    "two words": "two words",
    "tab\there": "tab\\there",
    "line\nbreak": "line\\nbreak",
    "nul\0": "nul\\x00",
    "\N{EVERGREEN TREE}": "\N{EVERGREEN TREE}",
    "right\u202eleft": "right\\u202eleft",
    "\x1b[31mred": "\\x1b[31mred",
    "<script>": "<script>",
    "x" * 10_000: "x" * 29 + "…" + "x" * 29,
}


@pytest.mark.parametrize(("name", "shown"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_c25_hostile_names_are_kept_and_shown_harmless(name, shown):
    table = pd.DataFrame({"plain": X["b"], name: X["a"]})
    y = pd.Series(X["a"] > 0, name=name + "?").astype(float)
    model = fit_quietly(TreeRegressor(), table, y)
    assert model.feature_names_in_.tolist() == ["plain", name]
    assert model.schema_.names == ("plain", name)
    assert model.target_schema_.names == (name + "?",)
    text = model.to_text()
    assert f"  {shown} <= " in text
    assert all(line.isprintable() for line in text.split("\n"))
    with pytest.raises(ValueError, match="holds inf") as fault:
        model.predict(table.assign(**{name: np.inf}))
    quoted = "''" if name == "" else f"'{shown}'"
    assert str(fault.value).startswith(f"column {quoted} holds inf in row 0")


@pytest.mark.parametrize(("name", "shown"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_c25_hostile_categories_and_classes_are_kept(name, shown):
    table = pd.DataFrame({"a": ["plain", name, "third"] * 10})
    model, _ = notes(TreeClassifier().fit, table, table["a"].tolist())
    assert model.predict(table).tolist() == table["a"].tolist()
    assert set(model.classes_) == {"plain", name, "third"}
    assert shown in model.to_text()
    assert all(line.isprintable() for line in model.to_text().split("\n"))


def test_c26_names_of_our_own_outputs_do_not_clash():
    names = ["rule", "prediction", "n"]
    y = make_target(MixedTree).set_axis(["row", "target"], axis=1)
    model = fit_quietly(MixedTree(), X.set_axis(names, axis=1), y)
    assert model.predict(X.set_axis(names, axis=1)).columns.tolist() == ["row", "target"]
    assert model.target_importances_.index.tolist() == names
    assert model.target_importances_.columns.tolist() == ["row", "target"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("kind", [str, object, "category", "string"])
def test_c30_text_and_categories_are_nominal(estimator, kind):
    y = make_target(estimator)
    table = pd.DataFrame({"a": pd.Series(np.where(make_target(TreeClassifier) == "yes", "u", "v")).astype(kind)})
    model = fit_quietly(estimator(max_depth=1), table, y)
    assert model.schema_.kinds == ("nominal",)
    assert "a = u" in model.to_text()
    assert "a = v" in model.to_text()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c31_unseen_categories_go_with_the_missing_and_are_counted(estimator):
    table = X.assign(b=["u", "v", None] * 10)
    model = estimator().fit(table, make_target(estimator))
    now = table.assign(b=["p", "q", "u"] * 10)
    predicted, said = notes(model.predict, now)
    assert said == [
        "column 'b': 20 row(s) hold a category unseen in training, such as 'p'; they are treated as missing"
    ]
    expected = model.predict(table.assign(b=[None, None, "u"] * 10))
    np.testing.assert_array_equal(np.asarray(predicted), np.asarray(expected))


def test_c31_the_warning_points_at_the_users_line():
    model = TreeRegressor().fit(X.assign(b=["u", "v", "w"] * 10), Y)
    with pytest.warns(UserWarning, match="unseen in training") as caught:
        model.predict(X.assign(b="p"))
    assert caught[0].filename == __file__


def test_c32_unused_categories_are_kept_in_the_schema_and_out_of_the_rules():
    column = pd.Categorical(["u", "v", "w"] * 10, categories=["w", "idle", "v", "u", "spare"])
    table = pd.DataFrame({"b": column})
    model = fit_quietly(TreeRegressor(), table, np.tile([1.0, 2.0, 3.0], 10))
    assert model.schema_.labels == (("u", "v", "w"),)
    assert model.schema_.unused == (("idle", "spare"),)
    assert "idle" not in model.to_text()
    _, said = notes(model.predict, table.assign(b="idle"))  # declared, so no surprise
    assert said == []
    _, said = notes(model.predict, table.assign(b="other"))
    assert len(said) == 1


def test_c32_categories_of_rows_without_weight_are_unused():
    table = pd.DataFrame({"b": ["u", "v", "w"] * 10})
    weight = (table["b"] != "w").astype(float)
    model = TreeRegressor().fit(table, np.tile([1.0, 2.0, 3.0], 10), sample_weight=weight)
    assert model.schema_.labels == (("u", "v"),)


def test_c33_categories_are_matched_by_label():
    values = ["u", "v", "w"] * 10
    table = X.assign(b=pd.Categorical(values))
    model = TreeRegressor().fit(table, Y)
    expected = model.predict(table)
    for now in (
        pd.Categorical(values, categories=["w", "v", "u"]),
        pd.Categorical(values, categories=["z", "w", "v", "u"], ordered=True),
        np.array(values, object),
    ):
        np.testing.assert_array_equal(model.predict(table.assign(b=now)), expected)


def test_c34_an_identifier_gets_a_hint():
    n = 100_000
    table = pd.DataFrame({"id": [f"k{i}" for i in range(n)], "a": np.arange(n) % 7})
    model, said = fit_noted(TreeRegressor(max_depth=2), table, (np.arange(n) % 7).astype(float) + 1)
    assert said == [
        "column 'id' has a category of its own for nearly every row (100,000 for 100,000 rows): if it is an identifier,"
        " leave it out"
    ]
    assert model.get_n_leaves() == 4


def test_c35_a_single_category_is_a_constant_feature():
    model, said = fit_noted(TreeRegressor(), X.assign(b="u"), Y)
    assert said == ["column 'b' is constant: it is never split on"]
    assert 1 not in model.tree_.split_input


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["Rome", "rome", "Paris"], "'Rome' and 'rome'"),
        ([" A", "A ", "b"], "' A' and 'A '"),
        (
            ["caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}", "b"],
            "'cafe\\u0301' and 'caf\\xe9'",
        ),
        (["two words", "two\N{NO-BREAK SPACE}words", "b"], "'two words' and 'two\\xa0words'"),
    ],
)
def test_c36_categories_that_look_alike_stay_apart_with_a_hint(labels, shown):
    y = np.tile([1.0, 2.0, 3.0], 10)
    differ = "differ only in case, spaces or Unicode form"
    expected = f"{{}} has categories that {differ}, {shown}: merge them if they mean the same"
    table = pd.DataFrame({"b": labels * 10})
    model, said = fit_noted(TreeRegressor(), table, y)
    assert said == [expected.format("column 'b'")]
    np.testing.assert_array_equal(model.predict(table), y)
    _, said = fit_noted(TreeClassifier(), X, pd.Series(labels * 10, name="kind"))
    assert said == [expected.format("target 'kind'")]


def test_c36_many_groups_are_counted_and_many_labels_not_compared():
    labels = ["a", "A", "b", "B", "c", "C"]
    _, said = fit_noted(TreeRegressor(), pd.DataFrame({"b": labels * 5}), Y)
    assert len(said) == 1
    assert "'A' and 'a', and 2 more such group(s)" in said[0]
    many = pd.DataFrame({"b": [f"k{i % 600}" for i in range(1500)] + [f"K{i % 600}" for i in range(1500)]})
    fit_quietly(TreeRegressor(max_depth=1), many, np.arange(3000.0))


def test_c38_ordered_categories_split_in_their_order():
    levels = ["low", "medium", "high"]
    y = np.tile([0.0, 5.0, 5.0], 10)
    ordered = pd.DataFrame({"b": pd.Categorical(levels * 10, categories=levels, ordered=True)})
    model = fit_quietly(TreeRegressor(), ordered, y)
    assert model.schema_.kinds == ("ordinal",)
    assert "b <= low" in model.to_text()
    assert "b > low" in model.to_text()
    middle_apart = TreeRegressor(max_depth=1).fit(ordered, np.tile([0.0, 5.0, 0.0], 10))
    assert middle_apart.predict(ordered)[0] != middle_apart.predict(ordered)[2]  # no cut of an order can join them
    nominal = pd.DataFrame({"b": levels * 10})
    apart = TreeRegressor(max_depth=1).fit(nominal, np.tile([0.0, 5.0, 0.0], 10))
    np.testing.assert_array_equal(apart.predict(nominal), np.tile([0.0, 5.0, 0.0], 10))


def test_c38_intervals_are_ordered_categories():
    table = pd.DataFrame({"b": pd.cut(X["a"], [-9, -0.5, 0.5, 9])})
    y = (X["a"] > 0.5).astype(float)
    model = fit_quietly(TreeRegressor(), table, y)
    assert model.schema_.kinds == ("ordinal",)
    np.testing.assert_array_equal(model.predict(table), y)


@pytest.mark.parametrize("dtype", ["bool", "boolean", "bool[pyarrow]", "object"])
def test_c39_booleans_are_two_categories(dtype):
    y = np.tile([1.0, 2.0], 15)
    table = pd.DataFrame({"b": pd.array([True, False] * 15, dtype=dtype)})
    model = fit_quietly(TreeRegressor(), table, y)
    assert model.schema_.kinds == ("nominal",)
    assert "b = True" in model.to_text()
    np.testing.assert_array_equal(model.predict(table), y)


def test_c39_boolean_arrays_are_two_categories_each():
    table = np.array([[True, False], [False, False], [True, True]] * 10)
    model = fit_quietly(TreeRegressor(), table, np.tile([1.0, 2.0, 3.0], 10))
    assert model.schema_.labels == ((False, True), (False, True))
    assert model.predict(table)[:3].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]", "object"])
def test_c39_missing_booleans_have_their_own_side(dtype):
    y = np.tile([1.0, 2.0, 3.0], 10)
    table = pd.DataFrame({"b": pd.array([True, None, False] * 10, dtype=dtype)})
    np.testing.assert_array_equal(fit_quietly(TreeRegressor(), table, y).predict(table), y)


@pytest.mark.parametrize(("large", "dtype"), [(2**53 + 1, np.int64), (-(2**60), np.int64), (2**63 + 5, np.uint64)])
def test_c45_whole_numbers_beyond_floats_are_warned_of(large, dtype):
    expected = (
        "column {} holds whole numbers beyond 2**53, which floats cannot tell apart: if they are identifiers, make them"
        " text or leave them out"
    )
    column = np.array([large, *range(29)], dtype)
    _, said = fit_noted(TreeRegressor(), column[:, None], Y)
    assert said == [expected.format("'x0'")]
    frame = pd.DataFrame({"id": column})
    for table in (
        frame,
        frame.astype(object),
        frame.astype("UInt64" if large > 0 else "Int64"),
        pl.DataFrame({"id": column}),
    ):
        _, said = fit_noted(TreeRegressor(), table, Y)
        assert said == [expected.format("'id'")]


def test_c45_whole_numbers_up_to_the_limit_are_exact():
    table = np.array([[2**53, 2**53 - 1, 2**53 - 2]], np.uint64).T
    assert fit_quietly(TreeRegressor(), table, [1.0, 2.0, 3.0]).predict(table).tolist() == [1.0, 2.0, 3.0]


def test_c45_large_whole_numbers_as_classes_are_exact():
    y = np.array([2**63 + 1, 2**63 + 2] * 15, np.uint64)
    model = fit_quietly(TreeClassifier(), np.arange(30)[:, None], y)
    assert model.classes_.tolist() == [2**63 + 1, 2**63 + 2]
    np.testing.assert_array_equal(model.predict(np.arange(30)[:, None]), y)


ONE_COLUMN = {
    "list": lambda y: list(y),
    "tuple": lambda y: tuple(y),
    "array": lambda y: np.asarray(y),
    "one column": lambda y: np.asarray(y)[:, None],
    "series": lambda y: pd.Series(y),
    "frame": lambda y: pd.DataFrame({"y": y}),
    "index": lambda y: pd.Index(y),
    "polars": lambda y: pl.Series("y", y),
    "polars frame": lambda y: pl.DataFrame({"y": y}),
    "arrow": lambda y: pa.chunked_array([pa.array(y)]),
    "narwhals": lambda y: narwhals.from_native(pl.Series("y", y), series_only=True),
    "objects": lambda y: np.array(y, dtype=object),
}


@pytest.mark.parametrize("form", ONE_COLUMN)
def test_c47_a_numeric_target_in_any_form(form):
    y = Y.tolist()
    np.testing.assert_array_equal(fit_quietly(TreeRegressor(), X, ONE_COLUMN[form](y)).predict(X), Y)


@pytest.mark.parametrize("form", ONE_COLUMN)
@pytest.mark.parametrize("labels", [["u", "v"], [3, 1], [True, False]])
def test_c47_a_nominal_target_in_any_form(form, labels):
    y = [labels[k] for k in (Y > 0).astype(int)]
    model = fit_quietly(TreeClassifier(), X, ONE_COLUMN[form](y))
    assert model.classes_.tolist() == sorted(labels)
    assert model.classes_.dtype == np.array(labels).dtype
    assert model.predict(X).tolist() == y


def test_c47_one_hot_is_several_targets():
    y = np.eye(3, dtype=int)[np.arange(30) % 3]
    model = fit_quietly(TreeClassifier(), X, y)
    assert model.n_outputs_ == 3
    assert [classes.tolist() for classes in model.classes_] == [[0, 1]] * 3
    assert [proba.shape for proba in model.predict_proba(X)] == [(30, 2)] * 3
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("estimator", [TreeClassifier, MixedTree])
def test_c48_one_class_only(estimator):
    model, said = fit_noted(estimator(), X, pd.DataFrame({"kind": ["a"] * 30}))
    assert said == ["target 'kind' has one class only: nothing can be learnt about it"]
    assert model.get_n_leaves() == 1
    proba = model.predict_proba(X)
    np.testing.assert_array_equal(proba["kind"]["a"] if estimator is MixedTree else proba[:, 0], np.ones(30))


def test_c49_a_class_too_small_for_stratified_folds():
    y = replace_value(np.full(30, "many"), 3, "one")
    model, said = fit_noted(TreeClassifier(ccp_alpha="cv", random_state=0), X, y)
    assert said == ["a class has fewer than 5 rows: folds are drawn without regard to classes"]
    assert model.classes_.tolist() == ["many", "one"]


def test_c50_a_class_without_weight_keeps_its_column():
    y = np.array(["a", "b", "c"] * 10)
    model = fit_quietly(TreeClassifier(class_weight={"b": 0.0}), X, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    proba = model.predict_proba(X)
    assert proba.shape == (30, 3)
    assert "b" not in model.predict(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def test_c50_a_class_absent_from_a_fold():
    y = replace_value(np.full(30, "many"), [0, 1], "few")
    folds = [(np.arange(15, 30), np.arange(15)), (np.arange(15), np.arange(15, 30))]
    model = fit_quietly(TreeClassifier(ccp_alpha="cv", cv=folds), X, y)
    assert model.predict_proba(X).shape == (30, 2)


def test_c54_a_target_among_the_inputs():
    _, said = fit_noted(TreeRegressor(), X.assign(price=1 / Y), pd.Series(Y, name="price"))
    assert said == ["target 'price' is also an input: leave it out of X"]
    _, said = fit_noted(TreeRegressor(), X.assign(copy=Y), pd.Series(Y, name="price"))
    assert said == ["column 'copy' equals target 'price' in every row: leave it out of X"]
    labels = make_target(TreeClassifier)
    _, said = fit_noted(TreeClassifier(), X.assign(copy=labels), labels)
    assert said == ["column 'copy' equals target 'y' in every row: leave it out of X"]


def test_c54_array_columns_have_no_names_to_compare():
    fit_quietly(TreeRegressor(), X.to_numpy(), pd.Series(Y, name="x0"))


@pytest.mark.parametrize(
    "index", [[0] * 30, np.arange(30)[::-1], np.arange(30) + 0.5, pd.date_range("2020", periods=30)]
)
def test_c55_rows_are_matched_by_position(index):
    table, y = X.set_axis(index), pd.Series(Y).set_axis(index)
    model = fit_quietly(TreeRegressor(), table, y)
    np.testing.assert_array_equal(model.predict(table), Y)
    fit_quietly(TreeRegressor(), table, Y)
    fit_quietly(TreeRegressor(), X, pd.Series(Y).set_axis(np.arange(100, 130)))


def test_c55_the_same_labels_in_another_order():
    expected = "X and y have the same index labels in a different order: rows are matched by position, not by label"
    model, said = fit_noted(TreeRegressor(), X, pd.Series(Y, index=np.arange(30)[::-1]))
    assert said == [expected]
    np.testing.assert_array_equal(model.predict(X), Y)
    _, said = fit_noted(TreeRegressor(), X.set_axis([0, 1] * 15), pd.Series(Y, index=[1, 0] * 15))
    assert said == [expected]
    fit_quietly(TreeRegressor(), X.set_axis([0, 1, 1] * 10), pd.Series(Y, index=[0, 0, 1] * 10))  # other labels


def test_c55_a_mixed_prediction_has_the_index_of_its_rows():
    model = fit_quietly(MixedTree(), X, make_target(MixedTree))
    some = X.iloc[[7, 3, 11]]
    assert model.predict(some).index.tolist() == [7, 3, 11]
    assert model.predict_proba(some)["label"].index.tolist() == [7, 3, 11]


@pytest.mark.parametrize("table", [X, X.to_numpy(), X.assign(b=["u", "v", "w"] * 10), pl.DataFrame(X.to_dict("list"))])
def test_c58_predict_on_no_rows(table):
    number, labels = make_target(TreeRegressor), make_target(TreeClassifier)
    regressor, classifier = TreeRegressor().fit(table, number), TreeClassifier().fit(table, labels)
    none = table[:0]
    assert (regressor.predict(none).shape, regressor.predict(none).dtype) == ((0,), np.float64)
    assert TreeRegressor().fit(table, np.c_[number, number]).predict(none).shape == (0, 2)
    assert (classifier.predict(none).shape, classifier.predict(none).dtype) == ((0,), labels.dtype)
    assert classifier.predict_proba(none).shape == (0, 2)
    assert (regressor.apply(none).shape, regressor.decision_path(none).shape) == ((0,), (0, regressor.size_.nodes))
    mixed = MixedTree().fit(table, make_target(MixedTree))
    assert mixed.predict(none).shape == (0, 2)
    assert mixed.predict_proba(none)["label"].shape == (0, 2)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c59_fewer_rows_than_features(estimator):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(5, 50))).add_prefix("c")
    y = make_target(estimator)[:5]
    np.testing.assert_array_equal(np.asarray(fit_quietly(estimator(), table, y).predict(table)), np.asarray(y))


def test_c59_two_rows_and_identical_rows():
    assert fit_quietly(TreeRegressor(), X[:2], Y[:2]).get_n_leaves() == 2
    model, said = fit_noted(TreeRegressor(), X.iloc[[0] * 5], Y[:5])
    assert said == ["every column is constant: there is nothing to split on"]
    assert model.predict(X[:1]).tolist() == [pytest.approx(Y[:5].mean())]
