"""The CSV reader beside pandas and the standard library; whatever the bytes, a table or one sentence (S8)."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glade.core.errors import InputError
from glade.files import _fields as fields
from glade.files.csv_table import _scan
from glade.files.options import MISSING_WORDS, ReadOptions
from glade.files.read import read_file
from glade.files.sources import Source
from tests.datasets import find_folder
from tests.reference.fields import count_types, type_of

CELLS = (
    st.sampled_from(
        [
            *(
                "",
                "?",
                "NA",
                "NaN",
                "nan",
                "inf",
                "-Infinity",
                "007",
                "0",
                "-0",
                "0.5",
                ".5",
                "5.",
                ".",
                "-",
                "+",
                "e",
                "1e",
            ),
            *("1e5", "-1.5E-3", "1e+", " 7", "7 ", " ", "9007199254740992", "9007199254740993", "12345678901234567890"),
            *("1,5", 'a"b', "a\nb", "a\r\nb", "é", "x y", "0x1", "1_000", "00", "-01", "1 2", "--1", "1.2.3", "∞"),
        ]
    )
    | st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\r"), max_size=6)
    | st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.integers(-(10**20), 10**20).map(str)
)


def write(rows, separator=","):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=separator, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def scan(text, separator=",", missing=MISSING_WORDS):
    return _scan(Source("t.csv", b""), text.encode(), ReadOptions(decimal=".", missing=missing), separator)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8), st.sampled_from([",", ";", "\t"]))
@example([["1e5", "007", "9007199254740993"]], ",")
@example([["0\t", " 1", "2 "]], "\t")
def test_the_scan_counts_what_a_slow_one_counts(rows, separator):
    text = write([["a", "b", "c"], *rows], separator)
    header, counts = count_types(text, separator, MISSING_WORDS)
    found = scan(text, separator)
    assert found.names == header
    assert found.counts.tolist() == counts
    assert found.n_rows == sum(counts[0])


@pytest.mark.parametrize("word", ["-999", "n/a", "1e5", "0"])
def test_any_word_can_mean_missing(word):
    rows = [["a", "b"], [word, "1"], ["2", word + "0"], ["-999.5", "n/a "]]
    counts = scan(write(rows), missing=(word,)).counts
    assert counts[0, fields.MISSING] == 1
    assert counts[1, fields.MISSING] == 0


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=8))
def test_the_values_are_those_that_pandas_reads(tmp_path_factory, rows):
    """Number columns as pandas has them, text columns as they were written."""
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    text = write([["a", "b"], *rows])
    path.write_text(text, newline="")
    if any(cell.lower().lstrip("+-") in ("inf", "infinity") for row in rows for cell in row):
        return  # refused, as another test shows
    table = read_file(path).frame
    written = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False, skip_blank_lines=True)
    for name in "ab":
        types = {type_of(cell, MISSING_WORDS, ",") for cell in written[name]}
        missing = written[name].isin(["", *MISSING_WORDS])
        assert (table[name].isna() == missing).all()
        if types <= {fields.EMPTY, fields.MISSING, fields.WHOLE, fields.DECIMAL} and not missing.all():
            expected = [
                np.nan if is_missing else float(cell) for cell, is_missing in zip(written[name], missing, strict=True)
            ]
            np.testing.assert_array_equal(table[name].to_numpy(float), expected)
        else:
            assert [plain(label) for label in table[name].dropna()] == [
                plain(label) for label in written[name][~missing]
            ]


def plain(label):
    """A label, whatever its line ends, and without the point that whole numbers have beside missing ones."""
    return label.replace("\r\n", "\n").replace("\r", "\n").removesuffix(".0")


@pytest.mark.parametrize("name", ["car_msrp", "wq", "thyroid", "bridges_full", "abalone", "rf1"])
def test_real_tables_are_those_that_pandas_reads(name):
    if find_folder() is None:
        pytest.skip("no data sets: set GLADE_DATA to the folder that holds manifest.json")
    path = find_folder() / f"{name}.csv.gz"
    table = read_file(path).frame
    expected = pd.read_csv(path, keep_default_na=False, na_values=["", *MISSING_WORDS])
    assert table.columns.tolist() == expected.columns.tolist()
    for column in expected:
        if expected[column].dtype.kind in "iuf":
            np.testing.assert_array_equal(table[column], expected[column])
        else:
            assert table[column].astype(object).fillna("-").tolist() == expected[column].fillna("-").tolist()


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=60) | st.text('a1,;"\n\r\t .', max_size=40).map(str.encode), st.booleans())
@example(b'a,b\n"', False)
@example(b"\xff\xfea\0", False)
@example(b"@relation", False)
@example(b"PAR1PAR1", False)
def test_s8_any_bytes_are_a_table_or_a_sentence(tmp_path_factory, content, is_packed):
    path = tmp_path_factory.mktemp("any") / "t.csv"
    path.write_bytes(gzip.compress(content) if is_packed else content)
    try:
        shape, said = read_file(path).frame.shape, "'a sentence'"
    except InputError as fault:
        shape, said = (1, 2), str(fault)
    assert min(shape[0], shape[1] - 1) > 0
    assert "'" in said
    assert "\n" not in said


def test_records_go_on_where_a_step_of_the_scan_ends(monkeypatch):
    from glade.files import csv_table

    text = write([["a", "b"], *([str(k), 'x\n"y"'] for k in range(50))])
    whole = scan(text)
    monkeypatch.setattr(csv_table, "STEP", 7)
    parts = scan(text)
    assert (parts.counts == whole.counts).all()
    assert parts.n_rows == whole.n_rows == 50
    with pytest.raises(InputError, match=r"line 103: 3 fields, but the header has 2"):
        scan(text + "1,2\n1,2,3\n")


REASONS = {
    "65 decimal commas": ('a,y\n"1,5",1\n"2,75",2\n', "decimal commas, as in '1,5' (decimal=',' reads numbers)"),
    "65 thousands": ('a,y\n"1,234.5",1\n"2,345.5",2\n', "numbers with ',' between thousands, as in '1,234.5'"),
    "65 currency": ("a,y\n$5,1\n$7.5,2\n", "numbers with a sign, as in '$5'"),
    "65 percent": ("a,y\n5%,1\n7%,2\n", "numbers with a sign, as in '5%'"),
    "65 units": ("a,y\n12 kg,1\n3 kg,2\n", "numbers with a unit, as in '12 kg'"),
    "66 leading zeros": (
        "a,y\n1,1\n007,2\n",
        "leading zeros, first in line 3 (numeric=[..., 'a'] if they are amounts)",
    ),
    "66 long numbers": ("a,y\n1,1\n9007199254740993,2\n", "whole numbers beyond 2**53, first in line 3"),
    "66 dates": ("a,y\n2024-01-31,1\n2024-02-01,2\n", "dates, as in '2024-01-31'"),
    "64 a word for missing": (
        "a,y\n1,1\n2,2\nn/a,3\n",
        "numbers, but 1 value(s) such as 'n/a', first in line 4 (missing=[..., 'n/a']",
    ),
    "nothing known": ("a,y\n,1\n?,2\n", "no value is known"),
}


@pytest.mark.parametrize("case", REASONS)
def test_the_reason_for_a_kind_is_told(tmp_path, case):
    text, reason = REASONS[case]
    (tmp_path / "t.csv").write_text(text)
    table = read_file(tmp_path / "t.csv")
    assert str(table.frame["a"].dtype) == "category"
    assert reason in table.reasons["a"]
    assert "y" not in table.reasons


def test_plain_text_needs_no_reason(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,c\nyes,A,True\nno,B,False\n")
    table = read_file(tmp_path / "t.csv")
    assert table.reasons == {}
    assert table.frame["c"].tolist() == ["True", "False"]


def test_kinds_can_be_corrected(tmp_path):
    (tmp_path / "t.csv").write_text("zip,year,x\n007,2007.0,1.50\n010,,2\n")
    options = ReadOptions(numeric=frozenset({"zip"}), nominal=frozenset({"year", "x"}))
    table = read_file(tmp_path / "t.csv", options).frame
    assert table["zip"].tolist() == [7, 10]
    assert table["year"].cat.categories.tolist() == ["2007"]  # a whole number beside a missing one
    assert table["x"].tolist() == ["1.50", "2"]
    (tmp_path / "t.csv").write_text("zip,x\n007,1\nold,2\n")
    with pytest.raises(InputError, match="line 3: column 'zip' is no numeric one: it holds 'old'"):
        read_file(tmp_path / "t.csv", options)


def test_decimal_commas_and_other_separators_are_read_when_named(tmp_path):
    (tmp_path / "t.csv").write_text("a;b\n1,5;x\n-2,25e1;\n")
    table = read_file(tmp_path / "t.csv", ReadOptions(sep=";", decimal=",")).frame
    assert table["a"].tolist() == [1.5, -22.5]
    (tmp_path / "t.tsv").write_text("a\tb\n1\tx\n")
    assert read_file(tmp_path / "t.tsv").frame["a"].tolist() == [1]
    for separator, decimal in ((",", ","), (";;", "."), ("\n", "."), (",", "e"), ('"', ".")):
        with pytest.raises(InputError, match=r"sep=|decimal=|decimal sign"):
            read_file(tmp_path / "t.csv", ReadOptions(sep=separator, decimal=decimal))
