"""One column: its kind, its values, its labels."""

from fractions import Fraction

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glade.data.columns import (
    NOMINAL,
    NUMERIC,
    ORDINAL,
    Column,
    is_missing,
    match_labels,
    read_classes,
    read_column,
    read_numbers,
)
from glade.data.frames import TARGET, RawColumn, list_columns, list_targets


def raw(values, role="column"):
    """A raw column of a NumPy array, or of anything a dataframe library holds as a series."""
    if isinstance(values, np.ndarray):
        return RawColumn("a", values, role)
    [column] = (
        list_targets(values) if role == TARGET else list_columns(nw.from_native(values, series_only=True).to_frame())
    )
    return RawColumn("a", column.values, role)


def objects(*values):
    return np.array([*values, None], object)[:-1]


@pytest.mark.parametrize(
    ("values", "kind", "positions", "labels"),
    [
        (np.array([1, 2]), NUMERIC, [1, 2], None),
        (np.array([1.5, np.nan]), NUMERIC, [1.5, np.nan], None),
        (np.array([True, False]), NOMINAL, [1, 0], (False, True)),
        (np.array(["v", "u"]), NOMINAL, [1, 0], ("u", "v")),
        (objects(1, None, 2.5, Fraction(1, 4)), NUMERIC, [1, np.nan, 2.5, 0.25], None),
        (objects("v", None, "u", np.nan, pd.NA), NOMINAL, [1, np.nan, 0, np.nan, np.nan], ("u", "v")),
        (objects(True, None, True), NOMINAL, [1, np.nan, 1], (False, True)),
        (objects(np.True_, np.False_), NOMINAL, [1, 0], (False, True)),
        (objects(None, None), NOMINAL, [np.nan, np.nan], ()),
        (pd.Series([np.nan, np.nan]), NOMINAL, [np.nan, np.nan], ()),
        (pd.Series(["v", "u"], dtype="category"), NOMINAL, [1, 0], ("u", "v")),
        (pd.Series(pd.Categorical(["v", "u"], ["v", "w", "u"])), NOMINAL, [1, 0], ("u", "v", "w")),
        (
            pd.Series(pd.Categorical(["v", None, "u"], ["v", "w", "u"], ordered=True)),
            ORDINAL,
            [0, np.nan, 2],
            ("v", "w", "u"),
        ),
        (pd.Series(pd.Categorical([3, 1])), NOMINAL, [1, 0], (1, 3)),
        (pl.Series(["v", None, "u"], dtype=pl.Categorical), NOMINAL, [1, np.nan, 0], ("u", "v")),
        (pl.Series(["v", None, "u"], dtype=pl.Enum(["v", "u"])), ORDINAL, [0, np.nan, 1], ("v", "u")),
        (pl.Series([1, None], dtype=pl.Int8), NUMERIC, [1, np.nan], None),
    ],
)
def test_kinds_follow_values(values, kind, positions, labels):
    column = read_column(raw(values))
    assert (column.kind, column.labels) == (kind, labels)
    np.testing.assert_array_equal(column.values, positions)


@pytest.mark.parametrize("ordered", [False, True])
def test_missing_values_of_arrow_dictionaries_stay_missing(ordered):
    """pyarrow's own conversion to NumPy puts the last category in their place."""
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["v", "u"]), ordered=ordered)
    for values in (
        pa.chunked_array([dictionary]),
        pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([dictionary]))),
    ):
        column = read_column(raw(values))
        assert column.kind == (ORDINAL if ordered else NOMINAL)
        np.testing.assert_array_equal(column.values, [0, 1, np.nan] if ordered else [1, 0, np.nan])


def test_numbers_have_one_zero():
    assert not np.signbit(read_numbers(raw(np.array([-0.0, 0.0])))).any()


def test_dropping_unused_labels_renumbers_the_others():
    column = Column("a", NOMINAL, np.array([3.0, np.nan, 1.0, 3.0]), ("u", "v", "w", "x"))
    kept = column.drop_unused()
    assert (kept.labels, kept.unused) == (("v", "x"), ("u", "w"))
    np.testing.assert_array_equal(kept.values, [1, np.nan, 0, 1])
    assert kept.drop_unused() is kept
    ordinal = Column("a", ORDINAL, np.array([0.0, 2.0]), ("low", "medium", "high"))
    assert ordinal.drop_unused() is ordinal  # a level between two others keeps its place


def test_dropping_all_labels():
    kept = Column("a", NOMINAL, np.array([np.nan]), ("u",)).drop_unused()
    assert (kept.labels, kept.unused) == ((), ("u",))
    np.testing.assert_array_equal(kept.values, [np.nan])


def test_labels_are_matched_by_value():
    np.testing.assert_array_equal(match_labels(raw(objects("v", None, "u")), ("u", "v")), [1, np.nan, 0])
    np.testing.assert_array_equal(match_labels(raw(np.array([1, 0])), (False, True)), [1, 0])
    np.testing.assert_array_equal(match_labels(raw(objects("idle", "u")), ("u", "v"), unused=("idle",)), [np.nan, 0])


def test_unseen_labels_are_counted_or_refused():
    with pytest.warns(UserWarning, match=r"column 'a': 2 row\(s\) hold a category unseen in training, such as 'p'"):
        np.testing.assert_array_equal(match_labels(raw(objects("p", "u", "q")), ("u",)), [np.nan, 0, np.nan])
    with pytest.raises(ValueError, match="column 'a' holds 'p' in row 1, unseen in fit: it has no code, drop the row"):
        match_labels(raw(objects("u", "p")), ("u",), strict=True)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (np.array([3, 1, 3], np.int8), (1, 3)),
        (np.array([3.0, 1.0, 3.0]), (1.0, 3.0)),
        (objects(3, 1, 3.0), (1, 3)),
        (np.array([True, False, True]), (False, True)),
        (np.array([True, True, True]), (True,)),
        (objects("v", "u", "v"), ("u", "v")),
        (pd.Series(pd.Categorical(["v", "u", "v"], ["w", "v", "u"], ordered=True)), ("u", "v")),
    ],
)
def test_classes_are_sorted_and_used(values, labels):
    column = read_classes(raw(values, TARGET))
    assert (column.kind, column.labels) == (NOMINAL, labels)
    assert [column.labels[int(k)] for k in column.values] == list(values)


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.0, np.nan]),
        objects("u", None),
        np.array(["2020", "NaT"], "M8[D]"),
        pd.Series([1, None], dtype="Int64"),
        pl.Series([1.0, float("nan")]),
        pl.Series([[1], None]),
    ],
)
def test_missing_is_found_in_any_type(values):
    assert is_missing(raw(values)).tolist() == [False, True]
