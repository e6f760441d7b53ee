"""Tables as people have them: targets by patterns, signs and dates that are guessed, Parquet with dates."""

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

import glade as library
from glade.cli.tables import TableOptions, open_table
from glade.core.errors import InputError


@pytest.fixture
def messy(tmp_path):
    """Semicolons, decimal commas, dates, 0 and 1 with gaps."""
    rng = np.random.default_rng(0)
    day = [date(2020, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 700, 120)]
    ph = rng.normal(6, 1, 120).round(2)
    lines = ["id;day;pH;sp1;sp2;sp3;weight"]
    for k in range(120):
        here = [int(ph[k] > 6), int(day[k].month > 6), "" if k % 9 == 0 else int(ph[k] > 5)]
        shown = [f"p{k}", day[k].strftime("%d.%m.%Y"), str(ph[k]).replace(".", ","), *here, 1 + k % 2]
        lines.append(";".join(map(str, shown)))
    path = tmp_path / "messy.csv"
    path.write_text("\n".join(lines))
    return str(path)


def read(path, *targets, **options):
    return open_table(path, TableOptions(targets=targets, **options))


def test_targets_by_pattern_and_by_range(messy):
    for given in (["sp*"], ["sp1:sp3"], ["sp1", "sp2:sp3"]):
        assert list(read(messy, *given).y) == ["sp1", "sp2", "sp3"]
    assert list(read(messy, "sp*", drop=("sp2",)).y) == ["sp1", "sp3"]
    assert list(read(messy, "sp1", drop=("sp*", "id")).X) == [
        "day (year)",
        "day (month)",
        "day (day of year)",
        "pH",
        "weight",
    ]
    assert list(read(messy, "sp*", weight="weight", drop=("id",)).X)[-1] == "pH"
    assert [kind.kind for kind in read(messy, "sp*", numeric=("sp1:sp2",)).y.dtypes] == ["i", "i", "O"]
    with pytest.raises(InputError, match="no column fits the pattern 'bird"):
        read(messy, "bird*")
    with pytest.raises(InputError, match="do you mean 'sp"):
        read(messy, "sp")


def test_classes_of_whole_numbers_with_gaps_are_whole(messy):
    assert read(messy, "sp*").y["sp3"].cat.categories.tolist() == [0, 1]


def test_dates_become_numbers_and_it_is_said(messy):
    parts, number, none = (read(messy, "sp1", dates=way) for way in ("parts", "number", "drop"))
    assert [name for name in parts.X if "day" in name] == ["day (year)", "day (month)", "day (day of year)"]
    assert [name for name in number.X if "day" in name] == ["day (decimal year)"]
    assert not [name for name in none.X if "day" in name]
    note = "day holds dates, read as day, month, year: used as year, month and day of year (--dates number or drop)"
    assert note in parts.notes
    assert "day holds dates, read as day, month, year: left out (--dates parts or number)" in none.notes
    assert "day" in read(messy, "sp1", nominal=("day",), keep=("day",)).X
    assert "day" in read(messy, "sp1", group="day").groups.name


def test_from_a_messy_file_to_a_prediction(glade, messy, tmp_path):
    model = tmp_path / "m.glade"
    options = ("--model", "tree", "--folds", 2, "--test", messy)
    code, out, _ = glade("fit", messy, "-t", "sp*", *options, "-o", model)
    assert code == 0
    assert "fields are separated by ';' here" in out
    assert "day (month) > 6" in out
    code, out, err = glade("predict", model, messy)
    assert (code, err) == (0, "note: 'id' and 'weight': the model does not use this\n") or "'id'" in err
    fitted, data = library.load(model), read(messy, "sp*")
    expected = fitted.predict(data.X[list(fitted.feature_names_in_)])
    assert [line.split(",") for line in out.splitlines()[1:]] == [list(map(str, row)) for row in expected.tolist()]
    assert glade("explain", model, messy, "--row", 3)[0] == 0


def test_parquet_with_dates(glade, tmp_path):
    rng = np.random.default_rng(0)
    days = [datetime(2020, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 900, 80)]
    table = pd.DataFrame({"when": days, "day": [own.date() for own in days], "x": rng.random(80)})
    table["y"] = [own.month for own in days] + table["x"]
    path = tmp_path / "t.parquet"
    table.to_parquet(path)
    data = read(str(path), "y")
    assert {"when (month)", "day (month)", "x"} <= set(data.X)
    code, out, _ = glade("fit", path, "-t", "y", "--model", "tree", "--folds", 0, "-o", tmp_path / "m.glade")
    assert (code, "holds dates: used as year, month and day of year" in out) == (0, True)
    assert glade("predict", tmp_path / "m.glade", path)[0] == 0


def test_parquet_of_types_that_no_model_reads(glade, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    table = pd.DataFrame({"a": [[1], [2], [3]] * 10, "x": range(30), "y": np.arange(30) % 7})
    path = tmp_path / "t.parquet"
    table.to_parquet(path)
    options = ("-t", "y", "--model", "tree", "--folds", 0, "-o", tmp_path / "m.glade")
    assert glade("fit", path, *options, "--drop", "a")[0] == 0
    monkeypatch.setattr(pq.ParquetFile, "read", None)  # it is refused before anything is read
    code, _, err = glade("fit", path, *options, "--force")
    assert code == 2
    assert "column 'a' is of type list<element: int64>, which no model reads: leave it out (--drop a)" in err
