"""Input that is refused: one sentence that names the place and the remedy."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.robustness.toys import ESTIMATORS, make_inputs, make_target, notes, refusal, replace_value

X = make_inputs()
Y = make_target(TreeRegressor)
LABELS = make_target(TreeClassifier)
TIMES = (
    "column 'b' holds dates or times ({}): turn it into numbers (a year, a count of days) or an ordered categorical of"
    " text, or leave it out"
)
ONE_DIMENSION = "Expected X to be a table with two dimensions, but it has one. Reshape your data: X.reshape(-1, 1) for"


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("table", [X[:0], X[:0].to_numpy(), pl.DataFrame({"a": [], "b": [], "c": []})])
def test_c01_no_rows(estimator, table):
    said = refusal(ValueError, estimator().fit, table, make_target(estimator)[:0])
    assert said == "Found array with 0 sample(s) (shape=(0, 3)): there are 0 rows to fit"


def test_c01_an_empty_list_has_no_rows():
    assert "X has 0 rows" in refusal(ValueError, TreeRegressor().fit, [], [])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("table", [X[[]], X.to_numpy()[:, :0], X.to_numpy(object)[:, :0]])
def test_c02_no_features(estimator, table):
    said = refusal(ValueError, estimator().fit, table, make_target(estimator))
    assert said == "Found array with 0 feature(s) (shape=(30, 0)) while a minimum of 1 is required."


def test_c02_no_targets():
    assert refusal(ValueError, TreeRegressor().fit, X, X[[]]) == "there is no target: y has no columns"
    assert "y is None" in refusal(ValueError, TreeRegressor().fit, X, None)


@pytest.mark.parametrize("single", [X["a"], X["a"].to_numpy(), X["a"].tolist(), pl.Series(X["a"]), pa.array(X["a"])])
def test_c04_one_dimension_gets_the_hint_to_reshape(single):
    assert refusal(ValueError, TreeRegressor().fit, single, Y).startswith(ONE_DIMENSION)
    assert refusal(ValueError, TreeRegressor().fit(X, Y).predict, single).startswith(ONE_DIMENSION)


@pytest.mark.parametrize(("value", "kind"), [(None, "NoneType"), (3.0, "float"), ("x", "str"), ({"a": [1]}, "dict")])
def test_c04_what_is_no_table_is_named(value, kind):
    said = refusal(ValueError, TreeRegressor().fit, value, Y)
    assert said == f"Expected X to be an array, a list or a dataframe, but it is a {kind}"


def test_c04_more_dimensions_and_ragged_rows():
    said = refusal(ValueError, TreeRegressor().fit, np.zeros((30, 3, 2)), Y)
    assert said == "Expected X to be a table with two dimensions, but its shape is (30, 3, 2)"
    said = refusal(ValueError, TreeRegressor().fit, X, np.zeros((30, 3, 2)))
    assert said == "Expected y to have one or two dimensions, but its shape is (30, 3, 2)"
    said = refusal(ValueError, TreeRegressor().fit, [[1, 2], [3, 4], [5]], [1, 2, 3])
    assert said == "X is not a table: row 2 has 1 values, row 0 has 2"


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("table", [X, X.to_numpy()])
def test_c05_lengths_differ(estimator, table):
    said = refusal(ValueError, estimator().fit, table, make_target(estimator)[:5])
    assert said == "Found input variables with inconsistent numbers of samples: X has 30 rows, y has 5"


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c05_lengths_differ_in_validation_and_scoring(estimator):
    model, y = estimator().fit(X, make_target(estimator)), make_target(estimator)
    said = refusal(ValueError, model.pruned, X_val=X[:7], y_val=y[:5])
    assert said == "Found input variables with inconsistent numbers of samples: X has 7 rows, y has 5"
    assert "inconsistent numbers of samples" in refusal(ValueError, model.score, X[:7], y[:5])
    many = np.c_[y, y] if estimator is not MixedTree else y[["number"]]
    assert "but the model has" in refusal(ValueError, model.pruned, X_val=X, y_val=many)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c07_infinite_input_names_the_column(estimator, value):
    bad = X.assign(b=replace_value(X["b"], 3, value))
    expected = f"column 'b' holds {value} in row 3: replace infinite values, or leave them missing (NaN)"
    assert refusal(ValueError, estimator().fit, bad, make_target(estimator)) == expected
    assert refusal(ValueError, estimator().fit(X, make_target(estimator)).predict, bad) == expected


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.longdouble, object])
def test_c07_infinite_input_in_arrays(dtype):
    bad = replace_value(X, (3, 1), np.inf, dtype)
    bad[0, 0] = np.nan  # a sum over the table is NaN then, and must not hide the infinite value
    expected = "column 'x1' holds inf in row 3: replace infinite values, or leave them missing (NaN)"
    assert refusal(ValueError, TreeRegressor().fit, bad, Y) == expected
    assert refusal(ValueError, TreeRegressor().fit(X.to_numpy(), Y).predict, bad) == expected


def test_c07_infinite_input_in_polars_and_arrow():
    bad = X.assign(b=replace_value(X["b"], 3, np.inf)).to_dict("list")
    for table in (pl.DataFrame(bad), pa.table(bad)):
        assert "column 'b' holds inf in row 3" in refusal(ValueError, TreeRegressor().fit, table, Y)


LACKS = (
    "Input y contains NaN: target {} lacks 2 value(s), the first in row 2; drop these rows, or set"
    " missing_targets='ignore' to learn from what is known"
)


@pytest.mark.parametrize(("name", "shown"), [(None, "'y'"), ("price", "'price'")])
def test_c10_missing_numeric_target_names_target_and_count(name, shown):
    y = pd.Series(replace_value(Y, [2, 7], np.nan), name=name)
    assert refusal(ValueError, TreeRegressor().fit, X, y) == LACKS.format(shown)


def test_c10_missing_target_is_named_among_many():
    y = pd.DataFrame({"weight": Y, "price": replace_value(Y, [2, 7], np.nan)})
    assert refusal(ValueError, TreeRegressor().fit, X, y) == LACKS.format("'price'")
    assert refusal(ValueError, MixedTree(missing_targets="error").fit, X, y) == LACKS.format("'price'")
    y1 = LACKS.format("'y1'")
    assert refusal(ValueError, TreeRegressor().fit, X, y.to_numpy()) == y1


def test_c10_a_mixed_tree_says_how_many_are_missing():
    y = make_target(MixedTree)
    y.loc[[2, 7], "number"] = np.nan
    _, said = notes(MixedTree().fit, X, y)
    assert said == ["target values are missing ('number' 2): such a row counts for its known targets only"]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_c11_missing_nominal_target(missing):
    y = replace_value(LABELS, [2, 7], missing, object)
    assert refusal(ValueError, TreeClassifier().fit, X, y) == LACKS.format("'y'")
    assert refusal(ValueError, TreeClassifier().fit, X, y.tolist()) == LACKS.format("'y'")
    named = pd.DataFrame({"kind": pd.Categorical(y)})
    assert refusal(ValueError, TreeClassifier().fit, X, named) == LACKS.format("'kind'")


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c11_a_target_without_any_value(estimator):
    said = refusal(ValueError, estimator(missing_targets="ignore").fit, X, pd.DataFrame({"kind": [None] * 30}))
    assert said == "Input y contains NaN: target 'kind' has no known value: leave it out"


def test_c11_a_target_known_only_where_rows_have_no_weight():
    y, weight = replace_value(Y, np.arange(1, 30), np.nan), np.append(0.0, np.ones(29))
    said = refusal(ValueError, TreeRegressor(missing_targets="ignore").fit, X, y, sample_weight=weight)
    assert said == "Input y contains NaN: target 'y' has no known value: leave it out"


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_c12_infinite_target(estimator, value):
    y = pd.Series(replace_value(np.ones(30), 4, value), name="price")
    expected = f"Input y contains infinity: target 'price' holds {value} in row 4; correct it, or drop the row"
    assert refusal(ValueError, estimator().fit, X, y) == expected
    assert refusal(ValueError, estimator().fit, X, y.to_numpy()) == expected.replace("price", "y")


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c23_duplicate_names(estimator):
    repeated = X.set_axis(["a", "b", "a"], axis=1)
    expected = "column names must be unique, but there are several 'a': rename them"
    assert refusal(ValueError, estimator().fit, repeated, make_target(estimator)) == expected
    assert refusal(ValueError, estimator().fit(X, make_target(estimator)).predict, repeated) == expected
    arrow = pa.Table.from_arrays([pa.array(X[c]) for c in X], names=["a", "b", "a"])
    assert refusal(ValueError, estimator().fit, arrow, make_target(estimator)) == expected


def test_c23_duplicate_target_names():
    y = pd.DataFrame(np.c_[Y, Y], columns=["t", "t"])
    expected = "target names must be unique, but there are several 't': rename them"
    assert refusal(ValueError, MixedTree().fit, X, y) == expected


def test_c24_mixed_names():
    said = refusal(TypeError, TreeRegressor().fit, X.set_axis(["a", 1, "b"], axis=1), Y)
    assert "your input has ['int', 'str'] as feature name / column name types" in said
    refusal(TypeError, TreeRegressor().fit, X.set_axis(["a", None, "b"], axis=1), Y)


@pytest.mark.parametrize("make", [list, pd.MultiIndex.from_tuples])
def test_c24_names_of_several_levels(make):
    columns = make([("a", "x"), ("a", "y"), ("b", "x")])
    expected = "the column names have several levels: flatten them, e.g. df.columns = df.columns.map('_'.join)"
    assert refusal(TypeError, TreeRegressor().fit, X.set_axis(columns, axis=1), Y) == expected
    assert refusal(TypeError, MixedTree().fit, X, X.set_axis(columns, axis=1)) == expected


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c27_columns_reordered_at_predict(estimator):
    model = estimator().fit(X, make_target(estimator))
    assert "must be in the same order as they were in fit" in refusal(ValueError, model.predict, X[["b", "a", "c"]])
    shuffled = pl.DataFrame(X[["b", "a", "c"]].to_dict("list"))
    assert "must be in the same order as they were in fit" in refusal(ValueError, model.predict, shuffled)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c28_columns_missing_or_extra_at_predict(estimator):
    model = estimator().fit(X, make_target(estimator))
    assert "yet now missing:\n- c" in refusal(ValueError, model.predict, X[["a", "b"]])
    assert "unseen at fit time:\n- z" in refusal(ValueError, model.predict, X.assign(z=1))
    expected = f"X has 2 features, but {estimator.__name__} is expecting 3 features as input."
    assert (
        refusal(ValueError, estimator().fit(X.to_numpy(), make_target(estimator)).predict, X.to_numpy()[:, :2])
        == expected
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c29_text_where_numbers_were(estimator):
    model = estimator().fit(X, make_target(estimator))
    bad = X.assign(b=replace_value(X["b"], 5, "x", object))
    expected = "column 'b' is numeric, but row 5 holds 'x': correct it, or leave it missing"
    assert refusal(ValueError, model.predict, bad) == expected
    assert "row 0 holds '7'" in refusal(ValueError, model.predict, X.assign(b="7"))
    assert "row 0 holds 'u'" in refusal(ValueError, model.predict, X.assign(b=pd.Categorical(["u"] * 30)))
    assert refusal(ValueError, model.predict, pl.DataFrame({**X.to_dict("list"), "b": ["x"] * 30})).startswith(
        "column 'b' is numeric, but row 0 holds 'x'"
    )


def test_c29_dates_where_numbers_were():
    model = TreeRegressor().fit(X, Y)
    assert "column 'b' holds dates or times" in refusal(ValueError, model.predict, X.assign(b=pd.Timestamp(0)))


def test_c29_numbers_where_text_was():
    model = TreeRegressor().fit(X.assign(b=["u", "v", "w"] * 10), Y)
    said = refusal(ValueError, model.predict, X.assign(b=[None, 0.5, 1.5] * 10))
    assert said == (
        "column 'b' held text in training, but row 1 holds 0.5: give it the type it had, or leave it missing"
    )
    model = TreeRegressor().fit(X.assign(b=[True, False, True] * 10), Y)
    assert "column 'b' held no text in training, but row 0 holds 'yes'" in refusal(
        ValueError, model.predict, X.assign(b="yes")
    )


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ([1, "1", None, True], "bool, int and str"),
        ([1, "1", None, 2], "int and str"),
        ([True, 1, 1, True], "bool and int"),
        ([2.5, "x", 1, 1], "float, int and str"),
    ],
)
def test_c37_mixed_types_in_a_column(values, kinds):
    mixed = X[:4].assign(b=pd.Series(values, dtype=object))
    expected = f"column 'b' mixes values of the types {kinds}: make them all text, e.g. by .astype(str), or all numbers"
    assert refusal(ValueError, TreeRegressor().fit, mixed, Y[:4]) == expected
    assert refusal(ValueError, TreeRegressor().fit, mixed.to_numpy(), Y[:4]) == expected.replace("'b'", "'x1'")


def test_c37_mixed_types_in_lists_and_categories():
    said = refusal(ValueError, TreeRegressor().fit, [[1, "1"], [2, 2]], [1, 2])
    assert said.startswith("column 'x1' mixes values of the types int and str")
    said = refusal(ValueError, TreeRegressor().fit, X.assign(b=pd.Categorical([1, "1", 2] * 10)), Y)
    assert said == "column 'b' mixes categories of the types int and str: make them all text or all numbers"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pd.date_range("2020", periods=30), "Datetime(time_unit='us', time_zone=None)"),
        (pd.to_timedelta(np.arange(30), "D"), "Duration(time_unit='us')"),
        (pd.period_range("2020", periods=30), "Period"),
        (pd.Series([datetime.date(2020, 1, 1)] * 30, dtype=object), "date"),
        (pd.Series([datetime.time(12)] * 30, dtype=object), "time"),
    ],
)
def test_c42_dates_and_times(values, kind):
    assert refusal(ValueError, TreeRegressor().fit, X.assign(b=values), Y) == TIMES.format(kind)


def test_c42_dates_in_polars_and_arrays():
    days = [datetime.date(2020, 1, 1)] * 30
    assert refusal(ValueError, TreeRegressor().fit, pl.DataFrame({"b": days}), Y) == TIMES.format("Date")
    array = np.array([days], "M8[D]").T
    expected = TIMES.format("datetime64[D]").replace("'b'", "'x0'")
    assert refusal(ValueError, TreeRegressor().fit, array, Y) == expected


def test_c42_the_remedies_work():
    days = pd.Series(pd.date_range("2020", periods=30))
    for column in ((days - days.min()).dt.days, pd.Categorical(days.astype(str), ordered=True)):
        model = TreeRegressor(max_depth=1).fit(pd.DataFrame({"b": column}), np.arange(30.0) > 9)
        assert model.predict(pd.DataFrame({"b": column})).tolist() == [0.0] * 10 + [1.0] * 20


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c42_dates_as_target(estimator):
    y = pd.Series(pd.date_range("2020", periods=30), name="day")
    assert refusal(ValueError, estimator().fit, X, y).startswith("target 'day' holds dates or times")


ONLY = "only numbers, text and booleans can be used"


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [(b"x", "bytes", "b'x'"), ([1], "list", "[1]"), ({"k": 1}, "dict", "{'k': 1}"), ((1, 2), "tuple", "(1, 2)")],
)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c43_objects(estimator, value, kind, shown):
    values = pd.Series([None] + [value] * 29, dtype=object)
    expected = f"column 'b' holds a value of type {kind} in row 1, {shown}: {ONLY}"
    assert refusal(ValueError, estimator().fit, X.assign(b=values), make_target(estimator)) == expected
    expected = f"target 'kind' holds a value of type {kind} in row 1, {shown}: {ONLY}"
    assert refusal(ValueError, estimator().fit, X, pd.DataFrame({"kind": values})) == expected


def test_c43_objects_at_predict():
    model = TreeRegressor().fit(X.assign(b=["u", "v", "w"] * 10), Y)
    said = refusal(ValueError, model.predict, X.assign(b=[[1]] * 30))
    assert said == f"column 'b' holds a value of type list in row 0, [1]: {ONLY}"


@pytest.mark.parametrize(
    ("values", "kind"),
    [([[1]] * 30, "List(Int64)"), ([{"u": 1}] * 30, "Struct({'u': Int64})"), ([b"x"] * 30, "Binary")],
)
def test_c43_nested_columns(values, kind):
    said = refusal(ValueError, TreeRegressor().fit, pl.DataFrame({"b": values}), Y)
    assert said == f"column 'b' is of type {kind}: {ONLY}"


def test_c43_complex_numbers():
    expected = "Complex data not supported: column {} is of type complex128; pass its parts as columns"
    assert refusal(ValueError, TreeRegressor().fit, X.to_numpy() + 1j, Y) == expected.format("'x0'")
    assert refusal(ValueError, TreeRegressor().fit, X.assign(b=1j), Y) == expected.format("'b'")
    said = refusal(ValueError, TreeRegressor().fit, X, Y + 1j)
    assert said == "Complex data not supported: target 'y' is of type complex128; pass its parts as targets"


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_c44_sparse_tables(make):
    expected = "sparse input is not supported: pass X.toarray() or a dataframe"
    assert refusal(TypeError, TreeRegressor().fit, make(X.to_numpy()), Y) == expected
    assert refusal(TypeError, TreeRegressor().fit(X, Y).predict, make(X.to_numpy())) == expected
    said = refusal(TypeError, TreeClassifier().fit, X, make((Y > 0)[:, None].astype(int)))
    assert said == "sparse input is not supported: pass y.toarray() or a dataframe"


def test_c41_a_lazy_table_is_to_be_collected():
    lazy = pl.DataFrame(X.to_dict("list")).lazy()
    said = refusal(TypeError, TreeRegressor().fit, lazy, Y)
    assert said == "X is a lazy table (LazyFrame): collect it first, e.g. X.collect()"


@pytest.mark.parametrize(
    ("values", "shown"), [(10**400, "1" + "0" * 28 + "…" + "0" * 29), (Decimal("1e400"), "1E+400")]
)
def test_c45_numbers_beyond_all_floats(values, shown):
    expected = f"column 'b' holds {shown} in row 0: replace infinite values, or leave them missing (NaN)"
    assert refusal(ValueError, TreeRegressor().fit, pd.DataFrame({"b": [values] * 30}), Y) == expected


def test_c45_extended_precision_beyond_doubles():
    huge = np.full((30, 1), np.longdouble("1e4000"))
    if not np.isfinite(huge).all():
        pytest.skip("long doubles are doubles on this machine")
    assert "column 'x0' holds 1e+4000 in row 0" in refusal(ValueError, TreeRegressor().fit, huge, Y)


def test_c45_a_masked_target_is_missing():
    said = refusal(ValueError, TreeRegressor().fit, X, np.ma.masked_array(Y, np.isin(np.arange(30), [2, 7])))
    assert said == LACKS.format("'y'")


def test_c47_text_is_no_numeric_target():
    said = refusal(ValueError, TreeRegressor().fit, X, pd.Series(LABELS, name="kind"))
    assert said == "target 'kind' is not numeric: use a classifier, or a mixed estimator"


def test_c47_fractions_are_no_classes():
    said = refusal(ValueError, TreeClassifier().fit, X, pd.Series(replace_value(np.ones(30), 3, 2.5), name="size"))
    assert said == (
        "Unknown label type: continuous. target 'size' holds 2.5 in row 3, and classes are text or whole numbers: use a"
        " regressor, or cut it into classes"
    )


@pytest.mark.parametrize(
    ("labels", "kinds"),
    [
        (["a", 1], "int and str"),
        (["a", 1.5], "float and str"),
        ([True, "a"], "bool and str"),
        (["a", 1, 2.5], "float, int and str"),
    ],
)
@pytest.mark.parametrize(
    "make", [list, lambda labels: pd.Series(labels, dtype=object), lambda labels: np.array(labels, object)]
)
def test_c51_labels_of_several_kinds(labels, kinds, make):
    y = make((labels * 30)[:30])
    expected = f"target 'y' mixes values of the types {kinds}: make them all text, e.g. by .astype(str), or all numbers"
    assert refusal(TypeError, TreeClassifier().fit, X, y) == expected


def test_c51_missing_beside_labels_is_missing_and_no_kind():
    assert "lacks 15 value(s), the first in row 1" in refusal(ValueError, TreeClassifier().fit, X, ["a", None] * 15)
    assert "lacks 15 value(s), the first in row 1" in refusal(ValueError, TreeClassifier().fit, X, ["a", np.nan] * 15)


def test_c51_categories_of_several_kinds():
    y = pd.Series(pd.Categorical([1, "a"] * 15), name="kind")
    said = refusal(TypeError, TreeClassifier().fit, X, y)
    assert said == "target 'kind' mixes categories of the types int and str: make them all text or all numbers"
