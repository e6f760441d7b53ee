"""`glade check`: each thing that is suspicious is found, and a sound table is not suspected."""

import re

import numpy as np
import pandas as pd
import pytest

from glade import load_penguins
from glade.evaluate.table_check import check_table
from tests.datasets import load_dataset

N = 200


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.random(N), "b": rng.integers(0, 5, N), "c": rng.choice(["x", "y", "z"], N)})
    return X, pd.DataFrame({"y": X["a"] + rng.normal(0, 0.5, N), "k": rng.choice(["no", "yes"], N)})


def find(X, y):
    return {(finding.what, *re.findall(r"'(.+?)'", finding.sentence)) for finding in check_table(X, y)}


def test_a_sound_table_is_not_suspected(table):
    assert check_table(*table) == []


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda X, y: X.assign(d=7), ("constant", "d")),
        (lambda X, y: X.assign(d="one"), ("constant", "d")),
        (lambda X, y: X.assign(d=np.nan), ("constant", "d")),
        (lambda X, y: X.assign(d=X["a"]), ("duplicated", "d", "a")),
        (lambda X, y: X.assign(d=X["c"]), ("duplicated", "d", "c")),
        (lambda X, y: X.assign(d=X["a"].where(np.arange(N) % 3 == 0)), ("mostly missing", "d")),
        (lambda X, y: X.assign(d=y["y"] * 1000 + 5), ("leaking", "d", "y")),
        (lambda X, y: X.assign(d=np.exp(y["y"])), ("leaking", "d", "y")),
        (lambda X, y: X.assign(d=np.where(y["k"] == "yes", "J", "N")), ("leaking", "d", "k")),
        (lambda X, y: X.assign(d=np.where(np.arange(N) % 20, X["b"] + 1.5, -999)), ("a mark?", "d")),
        (
            lambda X, y: X.assign(d=np.where(np.arange(N) % 2, "Paris", "paris ")),
            ("look alike", "d", "Paris", "paris "),
        ),
        (lambda X, y: X.assign(d=[f"town {k % 40}" for k in range(N)]), ("many categories", "d")),
    ],
)
def test_each_suspicion_is_found_and_no_other(table, make, expected):
    X, y = table
    assert find(make(X, y), y) == {expected}


def test_categories_that_are_too_many_or_too_rare_are_counted(table):
    X, y = table
    towns = [f"town {k % 40 if k % 7 else 100 + k}" for k in range(N)]
    n_seen, counts = len(set(towns)), [towns.count(town) for town in set(towns)]
    finding = next(f for f in check_table(X.assign(d=towns), y) if f.what == "many categories")
    n_rare = sum(n < 5 for n in counts)
    assert f"has {n_seen} categories, {n_rare} of them in fewer than 5 rows" in finding.sentence
    assert finding.columns == ("d",)


def test_suspicious_targets(table):
    X, _ = table
    rng = np.random.default_rng(1)
    y = pd.DataFrame({"one": np.ones(N), "k": np.where(np.arange(N) == 3, "odd", rng.choice(["no", "yes"], N))})
    assert find(X, y) == {("constant", "one"), ("rare", "k", "odd")}


def test_rows_that_repeat_and_rows_that_disagree(table):
    X, y = table
    again = pd.concat([X, X.head(7)], ignore_index=True)
    other = y.head(7).copy()
    other.loc[:2, "k"] = np.where(other.loc[:2, "k"] == "no", "yes", "no")
    sentences = [finding.sentence for finding in check_table(again, pd.concat([y, other], ignore_index=True))]
    assert sentences[0].startswith("4 rows repeat another one")
    assert sentences[1] == "3 rows have the inputs of another one but other targets"


def test_missing_values_alike_are_alike():
    X = pd.DataFrame({"a": [1.0, 1.0, 2.0], "b": [np.nan, np.nan, 0.0]})
    first, *_ = check_table(X, pd.DataFrame({"y": [1.0, 1.0, 3.0]}))
    assert first.sentence.startswith("1 row repeats another one")


def test_real_tables_and_what_is_known_of_them():
    X, y = load_dataset("sf2")
    found = check_table(X, y)
    assert any(f.what == "constant" and "'area_largest'" in f.sentence for f in found)
    assert any(re.match(r"[\d,]+ rows repeat another one", f.sentence) for f in found)
    penguins = load_penguins()
    assert find(penguins.drop(columns="body_mass_g"), penguins[["body_mass_g"]]) == set()


def test_the_command_tells_identifiers_too(glade, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": np.arange(300), "x": rng.random(300), "flat": 1, "y": rng.random(300)})
    table.to_csv(tmp_path / "t.csv", index=False)
    code, out, err = glade("check", tmp_path / "t.csv", "-t", "y")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].endswith("1 left out (id: looks like an identifier; --keep to use it)")
    assert lines[lines.index("2 things to look at") + 1 :] == [
        "  constant     'flat' has the same value in every row: it says nothing (--drop)",
        "  identifier   'id' is left out of every fit (--keep)",
    ]
    assert glade("check", tmp_path / "t.csv", "-t", "y", "--drop", "id", "--drop", "flat")[1].endswith(
        "\n\nnothing is suspicious\n"
    )
