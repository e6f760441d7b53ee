"""Anything that holds columns, listed as raw columns."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import glade
from glade.data.frames import TARGET, RawColumn, library_of, list_columns, list_targets, names_as_given, to_table

FRAME = pd.DataFrame({"a": [1, 2], "b": ["u", "v"]})


def test_a_raw_column_names_itself_in_a_sentence():
    assert str(RawColumn("price", np.zeros(3))) == "column 'price'"
    assert str(RawColumn("two\nlines", np.zeros(3), TARGET)) == "target 'two\\nlines'"
    assert len(RawColumn("price", np.zeros(3))) == 3


def test_tables_stay_what_they_are():
    array = np.zeros((2, 3))
    for table in (FRAME, pl.DataFrame(FRAME.to_dict("list")), pa.table(FRAME.to_dict("list")), array):
        assert to_table(table) is table
    assert to_table(nw.from_native(FRAME)) is FRAME
    assert to_table([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "table", [FRAME, pl.DataFrame(FRAME.to_dict("list")), pa.table(FRAME.to_dict("list")), nw.from_native(FRAME)]
)
def test_columns_of_frames_have_their_names_and_values(table):
    columns = list_columns(table)
    assert [(column.name, column.role) for column in columns] == [("a", "column"), ("b", "column")]
    assert [list(column.values) for column in columns] == [[1, 2], ["u", "v"]]


def test_columns_of_arrays_are_numbered():
    columns = list_columns(np.array([[1, 2], [3, 4]]))
    assert [(column.name, column.values.tolist()) for column in columns] == [("x0", [1, 3]), ("x1", [2, 4])]


def test_lists_keep_the_types_of_their_values():
    numbers, text = list_columns([[1, "u"], [2.5, "v"]])
    assert numbers.values.tolist() == [1, 2.5]
    assert text.values.tolist() == ["u", "v"]


def test_masked_cells_are_missing():
    values = np.ma.masked_array([[1, 2], [3, 4]], [[True, False], [False, False]])
    np.testing.assert_array_equal(to_table(values), [[np.nan, 2], [3, 4]])
    text = np.ma.masked_array([["u", "v"]], [[True, False]])
    assert to_table(text).tolist() == [[None, "v"]]


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([1, 2], ["y"]),
        ([[1], [2]], ["y"]),
        ([[1, 2], [3, 4]], ["y0", "y1"]),
        (pd.Series([1, 2]), ["y"]),
        (pd.Series([1, 2], name="price"), ["price"]),
        (pd.Series([1, 2], name=3), ["y3"]),
        (pl.Series([1, 2]), ["y"]),
        (pl.Series("price", [1, 2]), ["price"]),
        (FRAME, ["a", "b"]),
        (pd.DataFrame([[1, 2]]), ["y0", "y1"]),
        (pa.chunked_array([[1, 2]]), ["y"]),
    ],
)
def test_names_of_targets(y, names):
    targets = list_targets(y)
    assert [target.name for target in targets] == names
    assert {target.role for target in targets} == {TARGET}


def test_names_as_given_are_not_made_text():
    assert names_as_given(pd.DataFrame([[1, 2]])) == [0, 1]
    assert names_as_given(pa.table({"a": [1]})) == ["a"]
    assert names_as_given(pl.DataFrame({"a": [1]})) == ["a"]
    assert names_as_given(np.zeros((2, 2))) == []


def test_libraries():
    assert library_of(FRAME) == "pandas"
    assert library_of(FRAME["a"]) == "pandas"
    assert library_of(pl.Series([1])) == "polars"
    assert library_of(pa.table({"a": [1]})) == "pyarrow"
    assert library_of(nw.from_native(FRAME)) == "pandas"
    assert library_of([1, 2]) == "numpy"


def test_intervals_of_polars_are_refused_with_their_column():
    intervals = pd.cut(np.linspace(0, 1, 3), [-0.1, 0.3, 0.6, 1.1])
    X = pl.from_pandas(pd.DataFrame({"part": intervals, "b": range(3)}))
    with pytest.raises(ValueError, match="column 'part' holds a value of type dict in row 0"):
        glade.TreeRegressor().fit(X, [0.0, 1.0, 2.0])


def test_a_structured_array_is_refused_with_what_to_pass():
    X = np.array([(1.0, 2.0), (3.0, 4.0)], dtype=[("a", float), ("b", float)])
    for own in (X, X.view(np.recarray)):
        with pytest.raises(ValueError, match=r"structured array, whose fields are no columns: pass pd.DataFrame\(X\)"):
            glade.TreeRegressor().fit(own, [0.0, 1.0])
