"""Columns of dates: what is one, in which order, and what numbers come of it."""

from datetime import date, datetime

import numpy as np
import pandas as pd
import pytest

from glade.files.dates import DAY_FIRST, MONTH_FIRST, NUMBER, PARTS, add_derived, derive, find_dates


def column(*labels):
    return pd.Series(labels, name="day", dtype="category")


@pytest.mark.parametrize(
    ("labels", "order", "first"),
    [
        (("2020-03-01", "2021-12-31"), "", (2020, 3, 1)),
        (("2020/3/1", "2021/12/31"), "", (2020, 3, 1)),
        (("2020-03-01T14:30:00Z", "2021-12-31 01:02"), "", (2020, 3, 1)),
        (("01.03.2020", "02.04.2021"), DAY_FIRST, (2020, 3, 1)),
        (("01/03/2020", "25/04/2021"), DAY_FIRST, (2020, 3, 1)),
        (("03/01/2020", "04/25/2021"), MONTH_FIRST, (2020, 3, 1)),
        (("03-01-2020", "04-25-2021"), MONTH_FIRST, (2020, 3, 1)),
    ],
)
def test_dates_are_recognised(labels, order, first):
    found = find_dates(column(*labels, None))
    assert found.order == order
    assert [found.measure(what)[0] for what in ("year", "month")] == list(first[:2])
    assert found.measure("day of year")[0] == datetime(*first).timetuple().tm_yday
    assert np.isnan(found.measure("year")[2])


@pytest.mark.parametrize(
    "labels",
    [
        ("01/03/2020", "02/04/2021"),  # either number may be the month
        ("2020-13-01",), ("30.02.2020",), ("1.2.3",), ("2020-01-01", "soon"), ("20200101",), ("2020-01-01 25 h",),
        ("2020-01/01",), ("01.02.20",), ("",), ("2020-01-01 24:00",),
    ],
)  # fmt: skip
def test_what_is_no_column_of_dates(labels):
    assert find_dates(column(*labels)) is None


def test_categories_that_no_row_has_do_not_matter():
    own = pd.Series(pd.Categorical(["2020-01-01"], categories=["never", "2020-01-01"]))
    assert find_dates(own).measure("year").tolist() == [2020]


def test_times_of_pandas_and_days_of_parquet():
    times = pd.Series(pd.to_datetime(["2020-01-01 12:00", None, "2020-07-02 00:00"]))
    assert find_dates(times).measure("decimal year")[[0, 2]] == pytest.approx([2020 + 0.5 / 366, 2020.5], abs=1e-4)
    assert find_dates(times.dt.tz_localize("UTC")).measure("hour")[0] == 12
    days = pd.Series([date(2020, 1, 1), None, date(2021, 2, 3)], dtype=object)
    assert find_dates(days).measure("month")[[0, 2]].tolist() == [1, 2]
    for other in (pd.Series([1.0, 2.0]), pd.Series(["a", None], dtype=object), pd.Series([None, None], dtype=object)):
        assert find_dates(other) is None


def test_parts_that_say_the_same_of_all_rows_are_left_out():
    own = find_dates(column("2020-01-05", "2020-02-05"))
    assert list(derive("sown", own, PARTS)) == ["sown (month)", "sown (day of year)"]
    assert list(derive("sown", own, NUMBER)) == ["sown (decimal year)"]
    assert derive("sown", own, "drop") == {}


def test_a_new_table_gets_the_columns_that_a_model_reads():
    table = pd.DataFrame({"sown": column("2020-01-05", "2021-02-05"), "x": [1, 2]})
    wanted = ["x", "sown (month)", "sown (decimal year)", "reaped (month)"]
    found = add_derived(table, wanted)
    assert found["sown (month)"].tolist() == [1, 2]
    assert "reaped (month)" not in found
    assert add_derived(table[["x"]], wanted) is not None
    given = table.assign(**{"sown (month)": [7, 8]})
    assert add_derived(given, wanted)["sown (month)"].tolist() == [7, 8]
