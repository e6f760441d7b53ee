"""Complete rows, and tables as indicators."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from studies.preparation import IndicatorEncoder, complete_rows
from tests.datasets import load_dataset

COLUMNS = {"a": [1.0, None, 3.0, 4.0], "b": ["u", "v", None, "w"]}
FRAME = pd.DataFrame(COLUMNS, index=[10, 11, 12, 13])


@parametrize_with_checks([IndicatorEncoder()])  # none is expected to fail
def test_estimator_check(estimator, check):
    check(estimator)


def test_complete_rows_keep_their_kind():
    frame = complete_rows(FRAME)
    assert frame.index.tolist() == [10, 13]
    assert complete_rows(pl.DataFrame(COLUMNS)).rows() == [(1.0, "u"), (4.0, "w")]
    assert complete_rows(pa.table(COLUMNS)).to_pylist() == [{"a": 1.0, "b": "u"}, {"a": 4.0, "b": "w"}]
    assert complete_rows(FRAME.to_numpy()).tolist() == [[1.0, "u"], [4.0, "w"]]
    assert complete_rows(FRAME.to_numpy().tolist()) == [[1.0, "u"], [4.0, "w"]]
    assert complete_rows(np.array([[1.0, 2.0], [np.nan, 3.0]])).tolist() == [[1.0, 2.0]]


def test_complete_rows_look_at_the_targets_too():
    y = pd.Series([1.0, 2.0, 3.0, np.nan], index=FRAME.index)
    X, y = complete_rows(FRAME, y)
    assert (X.index.tolist(), y.index.tolist()) == ([10], [10])
    X, y = complete_rows([[1.0], [2.0], [None]], ["u", None, "w"])
    assert (X, y) == ([[1.0]], ["u"])
    X, y = complete_rows(FRAME, pl.Series([1.0, 2.0, 3.0, None]))
    assert y.to_list() == [1.0]


def test_complete_rows_take_columns_of_any_type():
    days = pd.DataFrame({"day": [datetime.date(2020, 1, 1), None], "cell": [[1], [2]]})
    assert len(complete_rows(days)) == 1


def test_complete_rows_of_different_lengths():
    with pytest.raises(ValueError, match="X has 4 rows, y has 2"):
        complete_rows(FRAME, [1, 2])


def test_indicators():
    frame = pd.DataFrame(
        {
            "one": [7, 7, 7, 7],
            "two": ["no", "yes", "no", "yes"],
            "pair": [4.0, 6.0, 6.0, 4.0],
            "many": ["u", "w", "v", "u"],
            "number": [1.5, 2.5, 3.5, 4.5],
            "flag": [True, False, True, True],
        }
    )
    encoder = IndicatorEncoder().fit(frame)
    names = ["two=yes", "pair=6.0", "many=u", "many=v", "many=w", "number", "flag=True"]
    assert encoder.get_feature_names_out().tolist() == names
    assert encoder.transform(frame).tolist() == [
        [0, 0, 1, 0, 0, 1.5, 1],
        [1, 1, 0, 0, 1, 2.5, 0],
        [0, 1, 0, 1, 0, 3.5, 1],
        [1, 0, 1, 0, 0, 4.5, 1],
    ]
    assert encoder.set_output(transform="pandas").transform(frame).columns.tolist() == names


def test_names_of_columns_are_not_known_before_a_fit():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        IndicatorEncoder().get_feature_names_out()


def test_indicators_of_a_constant_table():
    encoder = IndicatorEncoder().fit([[1, "u"], [1, "u"]])
    assert encoder.transform([[2, "v"]]).shape == (1, 0)  # inputs that were dropped are not looked at


def test_declared_categories_that_no_row_has_get_no_indicator():
    frame = pd.DataFrame({"a": pd.Categorical(["u", "v", "w"], ["w", "x", "v", "u"])})
    assert IndicatorEncoder().fit(frame).get_feature_names_out().tolist() == ["a=u", "a=v", "a=w"]


FITTED = IndicatorEncoder().fit(pd.DataFrame({"city": ["u", "v", "w"], "pair": [4.0, 6.0, 6.0], "size": [1, 2, 3]}))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            ("x", 4.0, 1),
            "column 'city' holds 'x' in row 0, unseen in fit: it has no code, drop the row",
        ),
        (
            ("u", 5.0, 1),
            "column 'pair' holds 5.0 in row 0, unseen in fit: it has no code, drop the row",
        ),
        (
            (None, 4.0, 1),
            "Input X contains NaN: column 'city' has no value in row 0; drop such rows with complete_rows",
        ),
        (
            ("u", 4.0, None),
            "Input X contains NaN: column 'size' has no value in row 0; drop such rows with complete_rows",
        ),
    ],
)
def test_values_without_a_code(row, expected):
    with pytest.raises(ValueError) as fault:
        FITTED.transform(pd.DataFrame([row], columns=["city", "pair", "size"]))
    assert str(fault.value) == expected


def test_missing_values_in_fit():
    with pytest.raises(ValueError, match="Input X contains NaN: column 'a' has no value in row 1; drop such rows"):
        IndicatorEncoder().fit(FRAME)


def test_the_car_data_of_the_cart_source():
    """Columns are left out before rows are dropped: 11,812 x 91 on our file (design/algorithms.md, section 1)."""
    X, y = load_dataset("car_msrp")
    X, y = complete_rows(X.drop(columns=["Model", "Market Category"]), y)
    assert (X.shape, y.shape) == ((11812, 13), (11812, 1))
    encoder = IndicatorEncoder()
    encoded = encoder.fit_transform(X)
    assert encoded.shape == (11812, 91)
    names = encoder.get_feature_names_out().tolist()
    assert len(set(names)) == 91
    assert sum(name.startswith("Make=") for name in names) == X["Make"].nunique()
    assert np.isin(encoded[:, ["=" in name for name in names]], [0, 1]).all()
    np.testing.assert_array_equal(encoded[:, names.index("Year")], X["Year"])


def test_in_a_pipeline():
    X = pd.DataFrame({"city": ["u", "v", "w"] * 5, "size": range(15)})
    y = (X["city"] == "v").astype(float)
    assert make_pipeline(IndicatorEncoder(), DecisionTreeRegressor()).fit(X, y).score(X, y) == 1.0
