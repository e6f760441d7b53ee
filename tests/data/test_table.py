"""Tables as read, and other tables read the way a model remembers."""

import numpy as np
import pandas as pd
import pytest

from glade.data.table import NOMINAL, NUMERIC, Schema, read_table

FRAME = pd.DataFrame({"a": [1.5, np.nan, 3.0], "b": ["u", "v", None], "c": [True, False, True]})


def test_a_frame_column_by_column():
    table = read_table(FRAME)
    assert table.n_rows == 3
    assert [(c.name, c.kind, c.labels) for c in table.columns] == [
        ("a", NUMERIC, None),
        ("b", NOMINAL, ("u", "v")),
        ("c", NOMINAL, (False, True)),
    ]
    np.testing.assert_array_equal(table.columns[1].values, [0, 1, np.nan])


def test_an_array_at_once():
    array = np.array([[1, 2], [3, 4]], np.int16)
    table = read_table(array)
    assert [c.name for c in table.columns] == ["x0", "x1"]
    assert [c.values.tolist() for c in table.columns] == [[1, 3], [2, 4]]
    assert all(c.values.dtype == np.float64 and c.values.flags.c_contiguous for c in table.columns)


def test_the_table_is_one_matrix_and_its_columns_are_views():
    table = read_table(FRAME)
    np.testing.assert_array_equal(table.values, [[1.5, np.nan, 3.0], [0, 1, np.nan], [1, 0, 1]])
    assert table.kinds == (NUMERIC, NOMINAL, NOMINAL)
    assert all(np.shares_memory(column.values, table.values) for column in table.columns)
    assert table.has_missing.tolist() == [True, True, False]
    assert (table.lowest[2], table.highest[2]) == table.column(2).extremes == (0.0, 1.0)
    matrix = table.to_matrix()
    np.testing.assert_array_equal(matrix, table.values.T)
    assert matrix.flags.c_contiguous


def test_numbers_of_a_frame_are_not_copied():
    frame = pd.DataFrame(np.asfortranarray(np.random.default_rng(0).normal(size=(50, 3))), columns=list("abc"))
    assert np.shares_memory(read_table(frame).values, frame.to_numpy())


NUMBERS = np.array([[1.0, np.nan, -0.0], [2.0, 3.0, 5.0]])


@pytest.mark.parametrize("make", [pd.DataFrame, lambda a: pd.DataFrame(a).convert_dtypes(), lambda a: a.astype(object)])
def test_numbers_read_together_are_those_read_one_by_one(make):
    together, alone = read_table(NUMBERS), read_table(make(NUMBERS))
    np.testing.assert_array_equal(together.values, alone.values)
    assert (together.names, together.kinds, together.labels) == (alone.names, alone.kinds, alone.labels)
    assert Schema.of(together) == Schema.of(alone)


@pytest.mark.parametrize("read", [read_table, Schema.of(read_table(np.zeros((2, 2)))).encode])
@pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda a: a.astype(object)])
def test_an_infinite_value_is_named_however_it_is_read(read, make):
    with pytest.raises(ValueError, match="column 'x1' holds inf in row 2: replace infinite values"):
        read(make(np.array([[1.0, 2.0], [3.0, np.nan], [4.0, np.inf]])))


@pytest.mark.parametrize("read", [read_table, Schema.of(read_table(np.zeros((2, 2)))).encode])
def test_only_a_column_of_long_whole_numbers_is_warned_of(read):
    frame = pd.DataFrame({0: [2**53 + 1, 1], 1: [1e300, np.nan]})
    with pytest.warns(UserWarning, match="column 'x0' holds whole numbers beyond") as warned:
        read(frame)
    assert len(warned) == 1


def test_columns_are_copies():
    array = np.ones((3, 2))
    read_table(array).columns[0].values[:] = 7
    assert (array == 1).all()


@pytest.mark.parametrize("rows", [np.array([True, False, True]), np.array([0, 2])])
def test_taking_rows(rows):
    table = read_table(FRAME).take(rows)
    assert table.n_rows == 2
    np.testing.assert_array_equal(table.columns[0].values, [1.5, 3.0])
    assert table.columns[1].labels == ("u", "v")
    dropped = table.drop_unused()
    assert dropped.labels[1] == ("u",)
    assert dropped.unused == ((), ("v",), (False,))
    np.testing.assert_array_equal(dropped.values, [[1.5, 3.0], [0, np.nan], [0, 0]])
    assert dropped.drop_unused() is dropped


def test_encoding_as_the_schema_remembers():
    schema = Schema.of(read_table(FRAME))
    assert schema.has_missing == (True, True, False)
    np.testing.assert_array_equal(schema.encode(FRAME[1:]), [[np.nan, 1, 0], [3.0, np.nan, 1]])
    np.testing.assert_array_equal(schema.encode(FRAME.to_numpy()), schema.encode(FRAME))


def test_encoding_arrays_copies_only_where_it_must():
    schema = Schema.of(read_table(np.zeros((2, 2))))
    array = np.ones((3, 2))
    assert schema.encode(array) is array
    array.flags.writeable = False
    assert schema.encode(array) is array
    assert schema.encode(np.asfortranarray(array)).flags.c_contiguous
    assert schema.encode(array.astype(np.float32)).dtype == np.float64
    assert schema.encode(np.array([[True, False]])).tolist() == [[1.0, 0.0]]


def test_an_input_nothing_was_known_of_is_not_looked_at():
    schema = Schema.of(read_table(pd.DataFrame({"a": [1.0, 2.0], "b": [None, None]})))
    np.testing.assert_array_equal(schema.encode(pd.DataFrame({"a": [3.0], "b": [{"any": "thing"}]})), [[3.0, np.nan]])
