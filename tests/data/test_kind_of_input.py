"""The worked example of docs/dev/how-to/add-a-kind-of-input.md: dates as numbers."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glade import TreeRegressor
from glade.data.columns import NUMERIC, TO_NUMBERS, Form
from glade.data.table import Schema, read_table

PAGE = Path(__file__).parents[2] / "docs" / "dev" / "how-to" / "add-a-kind-of-input.md"
DAYS = np.arange("2020-01-01", "2020-04-10", dtype="datetime64[D]")


@pytest.fixture
def dates_are_numbers(monkeypatch):
    """The example, run as it stands in the page; undone after the test."""
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.setitem(TO_NUMBERS, Form.TIMES, None)  # so that what the example puts there is taken away again
    exec(compile(example, str(PAGE), "exec"), {})  # noqa: S102  # our own page


def as_polars(dates):
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"when": dates})


FORMS = {
    "numpy": lambda dates: dates[:, None],
    "pandas": lambda dates: pd.DataFrame({"when": dates.astype("datetime64[ns]")}),
    "polars": as_polars,
}


@pytest.mark.parametrize("form", FORMS)
def test_dates_are_read_as_days_by_training_and_by_prediction(dates_are_numbers, form):
    dates = DAYS.copy()
    dates[3] = np.datetime64("NaT")
    X = FORMS[form](dates)
    table = read_table(X)
    assert table.kinds == (NUMERIC,)
    expected = np.where(np.isnat(dates), np.nan, dates.astype(np.int64).astype(float))
    np.testing.assert_array_equal(table.values[0], expected)
    np.testing.assert_array_equal(Schema.of(table).encode(X)[:, 0], expected)
    y = (dates > np.datetime64("2020-02-20")) * 5.0
    model = TreeRegressor().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)


def test_without_the_example_dates_are_refused():
    with pytest.raises(ValueError, match="holds dates or times"):
        read_table(FORMS["pandas"](DAYS))
