"""The same table in another form gives the same tree, bit for bit (c38 to c41, c45, c46)."""

from decimal import Decimal

import narwhals
import narwhals.stable.v1
import narwhals.stable.v2
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.robustness.toys import assert_same_tree, fit_quietly, make_inputs, make_target, replace_value

N_ROWS = 200
LEVELS = ["low", "medium", "high"]


def make_array():
    """Numbers with ties and gaps that any number type can hold."""
    random = np.random.default_rng(1)
    return random.integers(-50, 50, size=(N_ROWS, 4)).astype(float)


def make_answer(array):
    return array[:, 0] * array[:, 1] + np.nan_to_num(array[:, 2])


def make_frame():
    """Every kind of column, each with gaps but the ordered one."""
    random = np.random.default_rng(2)
    gaps = random.random((N_ROWS, 4)) < 0.2
    frame = pd.DataFrame(
        {
            "number": np.where(gaps[:, 0], np.nan, random.normal(size=N_ROWS)),
            "count": pd.array(random.integers(0, 9, N_ROWS), dtype="Int64"),
            "flag": pd.array(random.random(N_ROWS) < 0.5, dtype="boolean"),
            "city": pd.array(random.choice(["Rome", "Oslo", "Bonn", "Lima"], N_ROWS), dtype="string"),
            "level": pd.Categorical(random.choice(LEVELS, N_ROWS), categories=LEVELS, ordered=True),
        }
    )
    for k, name in enumerate(["count", "flag", "city"], start=1):
        frame.loc[gaps[:, k], name] = pd.NA
    return frame


def make_targets(frame):
    score = frame["number"].fillna(1) + frame["count"].fillna(4).astype(float) + frame["level"].cat.codes * 2
    score += frame["city"].eq("Oslo").fillna(False).astype(float) * 3 + frame["flag"].isna() * 2
    return pd.DataFrame({"score": score.to_numpy(float), "grade": np.where(score > score.median(), "A", "B")})


def swap_bytes(array):
    return array.astype(array.dtype.newbyteorder())


def lock(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def spread_out(array):
    wide = np.full((2 * array.shape[0], 3 * array.shape[1]), np.nan)
    wide[::2, ::3] = array
    return wide[::2, ::3]


def to_memmap(array, folder):
    mapped = np.memmap(folder / "array", array.dtype, "w+", shape=array.shape)
    mapped[:] = array
    mapped.flush()
    return np.memmap(folder / "array", array.dtype, "r", shape=array.shape)


LAYOUTS = {
    "read-only": lock,
    "Fortran": np.asfortranarray,
    "non-contiguous": spread_out,
    "reversed": lambda array: array[::-1].copy()[::-1],
    "byte-swapped": swap_bytes,
    "read-only Fortran": lambda array: lock(np.asfortranarray(array)),
    "list": lambda array: array.tolist(),
    "objects": lambda array: array.astype(object),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("max_bins", [None, 16])
@pytest.mark.parametrize("gaps", [False, True])
def test_c46_memory_layout_changes_nothing(layout, max_bins, gaps):
    array = make_array()
    if gaps:
        array[::7, 2] = np.nan
    y = make_answer(array)
    expected = TreeRegressor(max_bins=max_bins).fit(array, y)
    other = LAYOUTS[layout](array)
    model = fit_quietly(TreeRegressor(max_bins=max_bins), other, y)
    assert_same_tree(model, expected)
    np.testing.assert_array_equal(expected.predict(other), expected.predict(array))


def test_c46_memory_mapped_tables(tmp_path):
    array = make_array()
    y = make_answer(array)
    mapped = to_memmap(array, tmp_path)
    expected = TreeRegressor().fit(array, y)
    assert_same_tree(fit_quietly(TreeRegressor(), mapped, y), expected)
    np.testing.assert_array_equal(expected.predict(mapped), expected.predict(array))


@pytest.mark.parametrize("layout", ["read-only", "Fortran", "non-contiguous", "byte-swapped", "list", "objects"])
def test_c46_memory_layout_of_targets_and_weights_changes_nothing(layout):
    array = make_array()
    y = np.c_[make_answer(array), array[:, 3] ** 2]
    weights = 1.0 + np.arange(N_ROWS)[:, None] % 3
    other_weights = np.asarray(LAYOUTS[layout](weights))[:, 0]
    expected = TreeRegressor().fit(array, y, sample_weight=weights[:, 0])
    model = fit_quietly(TreeRegressor(), array, LAYOUTS[layout](y), sample_weight=other_weights)
    assert_same_tree(model, expected)


@pytest.mark.parametrize("layout", ["read-only", "Fortran", "non-contiguous", "byte-swapped"])
def test_c46_memory_layout_of_frames_changes_nothing(layout):
    array = make_array()
    y = make_answer(array)
    frame = pd.DataFrame(LAYOUTS[layout](array), copy=False).add_prefix("c")
    expected = TreeRegressor().fit(array, y)
    assert_same_tree(fit_quietly(TreeRegressor(), frame, y), expected)


def test_c46_nothing_given_is_written_to():
    array, frame = make_array(), make_frame()
    y, weights = make_answer(array), 1.0 + np.arange(N_ROWS) % 3
    copies = array.copy(), y.copy(), weights.copy(), frame.copy(deep=True)
    TreeRegressor(ccp_alpha="cv", random_state=0).fit(array, y, sample_weight=weights).predict(array)
    MixedTree().fit(frame, make_targets(frame)).predict(frame)
    for now, before in zip((array, y, weights), copies[:3], strict=True):
        np.testing.assert_array_equal(now, before)
    pd.testing.assert_frame_equal(frame, copies[3])


NUMBER_TYPES = [np.float32, np.float16, np.longdouble, np.int8, np.int16, np.int32, np.int64, ">i4"]


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
def test_c45_number_types_change_nothing(dtype):
    array = make_array()
    y = make_answer(array)
    expected = TreeRegressor().fit(array, y)
    for other in (array.astype(dtype), pd.DataFrame(array.astype(dtype)).add_prefix("c")):
        assert_same_tree(fit_quietly(TreeRegressor(), other, y), expected)
        np.testing.assert_array_equal(fit_quietly(TreeRegressor(), other, y).predict(other), expected.predict(array))
    unsigned = (array + 50).astype(np.uint8)
    shifted = TreeRegressor().fit(array + 50, y)
    assert_same_tree(fit_quietly(TreeRegressor(), unsigned, y), shifted)


def test_c45_single_precision_is_not_rounded_again():
    single = np.random.default_rng(3).normal(size=(N_ROWS, 3)).astype(np.float32)
    y = make_answer(single)
    assert_same_tree(fit_quietly(TreeRegressor(), single, y), TreeRegressor().fit(single.astype(float), y))


def test_c45_exact_numbers_of_python():
    array = make_array() / 4  # quarters: exact in decimal and in binary
    y = make_answer(array)
    decimals = pd.DataFrame(array).add_prefix("c").map(Decimal)
    assert_same_tree(fit_quietly(TreeRegressor(), decimals, y), TreeRegressor().fit(array, y))
    arrow = pa.table({f"c{j}": pa.array(decimals[f"c{j}"], pa.decimal128(9, 2)) for j in range(4)})
    assert_same_tree(fit_quietly(TreeRegressor(), arrow, y), TreeRegressor().fit(array, y))


@pytest.mark.parametrize("dtype", [float, int, object])
def test_c45_masked_cells_are_missing(dtype):
    array = make_array()
    hidden = np.random.default_rng(4).random(array.shape) < 0.2
    masked = np.ma.masked_array(array.astype(dtype), hidden)
    y = make_answer(array)
    expected = TreeRegressor().fit(np.where(hidden, np.nan, array), y)
    assert_same_tree(fit_quietly(TreeRegressor(), masked, y), expected)
    np.testing.assert_array_equal(expected.predict(masked), expected.predict(np.where(hidden, np.nan, array)))


@pytest.mark.parametrize("numbers", ["Int64", "Float64", "int64[pyarrow]", "double[pyarrow]"])
def test_c40_nullable_numbers(numbers):
    array = make_array()
    array[::5, 2] = np.nan
    y = make_answer(array)
    frame = pd.DataFrame(array).add_prefix("c").astype(numbers)
    assert_same_tree(fit_quietly(TreeRegressor(), frame, y), TreeRegressor().fit(array, y))


@pytest.mark.parametrize("text", [object, "string", "string[pyarrow]", "category", "str"])
def test_c40_nullable_text(text):
    frame = make_frame()
    y = make_targets(frame)["score"]
    city = frame[["city"]]
    plain = pd.DataFrame({"city": [None if pd.isna(v) else str(v) for v in city["city"]]}, dtype=object)
    expected = TreeRegressor().fit(plain, y)
    other = plain.astype(text)
    assert other["city"].isna().any()
    assert_same_tree(fit_quietly(TreeRegressor(), other, y), expected)
    np.testing.assert_array_equal(expected.predict(other), expected.predict(plain))


def test_c40_nullable_targets():
    frame = make_frame()
    targets = make_targets(frame)
    rounded = targets["score"].round().astype(int)
    expected = TreeClassifier().fit(frame, rounded)
    assert_same_tree(fit_quietly(TreeClassifier(), frame, rounded.astype("Int64")), expected)
    assert_same_tree(fit_quietly(TreeClassifier(), frame, rounded.astype("int64[pyarrow]")), expected)
    expected = TreeRegressor().fit(frame, targets["score"])
    assert_same_tree(fit_quietly(TreeRegressor(), frame, targets["score"].astype("Float64")), expected)


def to_arrow_types(frame):
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    return arrow.to_pandas(types_mapper=pd.ArrowDtype)


def to_polars(frame):
    columns = {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame}
    types = {"count": pl.Int64, "flag": pl.Boolean, "city": pl.String, "level": pl.Enum(LEVELS)}
    return pl.DataFrame(columns, schema_overrides=types)


def to_arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


LIBRARIES = {
    "pandas objects": lambda frame: frame.astype({"count": object, "flag": object, "city": object}),
    "pandas categories": lambda frame: frame.astype({"city": "category"}),
    "pandas reversed categories": lambda frame: frame.assign(
        city=pd.Categorical(frame["city"], ["Rome", "Oslo", "Lima", "Bonn", "Bern"])
    ),
    "pandas on Arrow": to_arrow_types,
    "polars": to_polars,
    "polars categories": lambda frame: to_polars(frame).with_columns(pl.col("city").cast(pl.Categorical)),
    "Arrow": to_arrow,
    "Arrow in chunks": lambda frame: pa.concat_tables([to_arrow(frame[:70]), to_arrow(frame[70:])]),
    "Arrow dictionaries": lambda frame: to_arrow(frame.astype({"city": "category"})),
    "narwhals": lambda frame: narwhals.from_native(to_polars(frame)),
    "narwhals v1": lambda frame: narwhals.stable.v1.from_native(frame),
    "narwhals v2": lambda frame: narwhals.stable.v2.from_native(to_arrow(frame)),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("estimator", [TreeRegressor, TreeClassifier, MixedTree])
def test_c41_every_library_gives_the_same_tree(library, estimator):
    frame = make_frame()
    y = make_targets(frame)
    y = {TreeRegressor: y["score"], TreeClassifier: y["grade"], MixedTree: y}[estimator]
    expected = estimator().fit(frame, y)
    assert expected.schema_.kinds == ("numeric", "numeric", "nominal", "nominal", "ordinal")
    assert expected.get_n_leaves() > 20
    other = LIBRARIES[library](frame)
    model = fit_quietly(estimator(), other, y)
    assert_same_tree(model, expected)
    assert model.schema_.labels == expected.schema_.labels
    assert model.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_array_equal(np.asarray(expected.predict(other)), np.asarray(expected.predict(frame)))


@pytest.mark.parametrize("library", ["pandas on Arrow", "polars", "Arrow"])
def test_c41_targets_of_every_library_give_the_same_tree_and_come_back_in_it(library):
    frame = make_frame()
    y = make_targets(frame)
    expected = MixedTree().fit(frame, y)
    other = pl.DataFrame(y.to_dict("list")) if library == "polars" else LIBRARIES[library](y)
    model = fit_quietly(MixedTree(), frame, other)
    assert_same_tree(model, expected)
    predicted = model.predict(frame)
    assert type(predicted) is type(other)
    assert narwhals.from_native(predicted).columns == ["score", "grade"]
    assert model.score(frame, other) == expected.score(frame, y)


def test_c41_nan_and_null_of_polars_are_both_missing():
    values = [1.0, float("nan"), None, 2.0] * 10
    y = np.tile([1.0, 5.0, 5.0, 2.0], 10)
    model = fit_quietly(TreeRegressor(), pl.DataFrame({"a": values}), y)
    np.testing.assert_array_equal(model.predict(pl.DataFrame({"a": values})), y)


def test_c44_sparse_columns_of_pandas_are_read():
    array = make_array()
    array[array < 0] = 0
    y = make_answer(array)
    frame = pd.DataFrame(array).add_prefix("c").astype(pd.SparseDtype(float, 0.0))
    assert_same_tree(fit_quietly(TreeRegressor(), frame, y), TreeRegressor().fit(array, y))


def test_c30_lists_of_rows_keep_the_types_of_their_values():
    rows = [[1, "u"], [2, "v"], [10, "u"], [20, "w"]]
    model = fit_quietly(TreeRegressor(), rows, [1.0, 2.0, 3.0, 4.0])
    assert model.schema_.kinds == ("numeric", "nominal")
    assert_same_tree(model, TreeRegressor().fit(pd.DataFrame(rows, columns=["a", "b"]), [1.0, 2.0, 3.0, 4.0]))


def test_c46_a_changed_value_changes_the_tree():
    """What `assert_same_tree` rests on: it does tell trees apart."""
    X, y = make_inputs(), make_target(TreeRegressor)
    with pytest.raises(AssertionError):
        assert_same_tree(TreeRegressor().fit(X, replace_value(y, 0, 9.0)), TreeRegressor().fit(X, y))


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name not in ("list", "objects")])
def test_c46_no_layout_makes_a_kernel_compile_again(layout):
    """Kernels are compiled for one form of arrays; another form would cost every user half a minute."""
    from glade.data import _code as code
    from glade.grow import _grow as grow
    from glade.grow import _prune as prune
    from glade.grow import _route as route

    array = make_array()
    y, weights = np.c_[make_answer(array), array[:, 3] ** 2], 1.0 + np.arange(N_ROWS)[:, None] % 3
    kernels = grow.grow_nodes, route.find_leaves, code.find_distinct, code.write_codes, prune.find_alphas
    compiled = []
    for change in (np.array, LAYOUTS[layout]):
        model = TreeRegressor(ccp_alpha="cv", random_state=0)
        model.fit(change(array), change(y), sample_weight=change(weights)[:, 0])
        model.pruned(0.1).predict(change(array))
        compiled.append([len(kernel.signatures) for kernel in kernels])
    assert compiled[0] == compiled[1]
