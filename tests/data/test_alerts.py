"""What is odd about a table, in sentences; the catalogue's cases are in tests/robustness."""

import numpy as np
import pandas as pd
import pytest

from glade.data.alerts import find_alerts, find_index_alerts
from glade.data.table import read_table
from glade.data.targets import MIXED, read_targets


def alerts(frame, y=None, named=True):
    y = np.arange(len(frame)) * 1.5 if y is None else y
    return find_alerts(read_table(frame), read_targets(y, MIXED), named)


def test_a_plain_table_raises_none():
    assert alerts(pd.DataFrame({"a": [1.0, 2.0, np.nan], "b": ["u", "v", None]})) == []


def test_a_gap_is_a_value_to_split_on():
    assert alerts(pd.DataFrame({"a": [1.0, 1.0, np.nan]})) == []


def test_many_names_are_shortened():
    frame = pd.DataFrame({"first": [1, 2], **{f"c{k}": [1.0, 1.0] for k in range(8)}})
    assert alerts(frame) == ["columns 'c0', 'c1', 'c2', 'c3', 'c4' and 3 more are constant: they are never split on"]


def test_one_row_is_constant_without_saying():
    assert alerts(pd.DataFrame({"a": [1.0]})) == []


def test_empty_and_constant_columns_are_told_apart():
    found = alerts(pd.DataFrame({"a": [None, None], "b": [1, 1]}))
    assert found == [
        "column 'a' has no known value: it is ignored, but has to be there to predict",
        "every column is constant: there is nothing to split on",
    ]


@pytest.mark.parametrize(("n_rows", "n_categories", "found"), [(200, 200, 1), (200, 150, 0), (90, 90, 0)])
def test_identifiers(n_rows, n_categories, found):
    frame = pd.DataFrame({"id": [f"k{i % n_categories}" for i in range(n_rows)]})
    assert len(alerts(frame)) == found


def test_numbers_are_no_identifiers_and_do_not_look_alike():
    assert alerts(pd.DataFrame({"a": np.arange(500), "b": pd.Categorical(np.arange(500) % 7)})) == []


def test_an_input_may_equal_a_target_by_chance_in_a_few_rows():
    few, many = pd.DataFrame({"a": np.arange(19.0)}), pd.DataFrame({"a": np.arange(20.0)})
    assert alerts(few, few["a"].to_numpy()) == []
    assert alerts(many, many["a"].to_numpy()) == ["column 'a' equals target 'y' in every row: leave it out of X"]
    assert alerts(many, many["a"] + 1) == ["target 'a' is also an input: leave it out of X"]
    assert alerts(many, many["a"] + 1, named=False) == []


def test_an_index_out_of_order():
    X = pd.DataFrame({"a": [1, 2, 3]})
    assert find_index_alerts(X, pd.Series([1, 2, 3])) == []
    assert find_index_alerts(X, np.array([1, 2, 3])) == []
    assert find_index_alerts([[1], [2]], [1, 2]) == []  # lists have a method of that name
    assert find_index_alerts(X, pd.Series([1, 2, 3], index=[7, 8, 9])) == []
    assert len(find_index_alerts(X, pd.Series([1, 2, 3], index=[2, 1, 0]))) == 1
