"""ARFF beside scipy and liac-arff; CLUS's dialect; faults with their lines (c70)."""

import io

import arff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import arff as scipy_arff

from glade.core.errors import InputError
from glade.files.read import read_file

LABELS = ["a", "b c", "it's", 'say "x"', "50%", "a,b", "é", "0"]
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-5, 5).map(float)


@pytest.fixture
def read(tmp_path):
    def call(text, name="t.arff"):
        (tmp_path / name).write_text(text)
        return read_file(tmp_path / name)

    return call


def as_lists(frame):
    return [[None if pd.isna(value) else value for value in row] for row in frame.itertuples(index=False)]


rows = st.lists(
    st.tuples(NUMBERS, st.none() | st.sampled_from(LABELS), st.none() | st.text("ab '\"%,é", min_size=1, max_size=6)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(rows)
def test_values_are_those_that_liac_arff_wrote(tmp_path_factory, rows):
    rows = [(x, label, text.strip() or "x" if text else text) for x, label, text in rows]
    declared = [("size of it", "REAL"), ("kind", LABELS), ("words", "STRING")]
    text = arff.dumps({"relation": "any", "attributes": declared, "data": [list(row) for row in rows]})
    path = tmp_path_factory.mktemp("arff") / "t.arff"
    path.write_text(text)
    table = read_file(path)
    expected = arff.loads(text)["data"]
    assert table.frame.columns.tolist() == ["size of it", "kind", "words"]
    assert [[row[0], *row[1:]] for row in as_lists(table.frame)] == expected
    assert table.frame["kind"].cat.categories.tolist() == LABELS


def test_values_are_those_that_scipy_reads(read):
    rng = np.random.default_rng(0)
    lines = [
        "% a comment",
        "@RELATION plants",
        "",
        "@ATTRIBUTE height NUMERIC",
        "@attribute 'leaf width' real",
        "@attribute count integer",
        "@Attribute kind {oak, elm, ash}",
        "@DATA",
        "% another",
    ]
    for _ in range(50):
        kind = rng.choice(["oak", "elm", "ash", "?"])
        lines.append(f"{rng.normal()},{'?' if rng.random() < 0.2 else rng.random()},{rng.integers(9)},{kind}")
    text = "\n".join(lines)
    table = read(text).frame
    data, meta = scipy_arff.loadarff(io.StringIO(text))
    assert table.columns.tolist() == ["height", "leaf width", "count", "kind"]
    for name, scipy_name in zip(table.columns[:3], meta.names()[:3], strict=True):
        np.testing.assert_array_equal(table[name].to_numpy(float), data[scipy_name])
    assert table["kind"].astype(object).fillna("?").tolist() == [label.decode() for label in data["kind"]]


def test_sparse_rows_of_weka_as_liac_arff_reads_them(read):
    head = "@relation r\n@attribute a numeric\n@attribute b {x, y}\n@attribute c numeric\n@data\n"
    text = head + "{0 3, 2 -1.5}\n{1 y}\n"
    assert arff.loads(text, return_type=arff.LOD)["data"] == [{0: 3.0, 2: -1.5}, {1: "y"}]
    table = read(text + "{}\n")
    assert as_lists(table.frame) == [[3, "x", -1.5], [0, "y", 0.0], [0, "x", 0.0]]
    assert table.notes == ["sparse rows, which number the columns from 0, as Weka does"]


def test_sparse_rows_of_clus_count_from_one(read):
    table = read("@relation r\n@attribute a numeric\n@attribute c {pos, neg}\n@data\n{1 3.5, 2 neg}\n{2 pos}\n")
    assert as_lists(table.frame) == [[3.5, "neg"], [0.0, "pos"]]
    assert "from 1, as CLUS does" in table.notes[0]


def test_the_types_of_clus(read):
    table = read(
        "@relation 'r'\n@attribute id key\n@attribute \"long name\" numeric % cm\n@attribute b binary\n"
        "@attribute class hierarchical rec/sport/swim,rec/auto\n@attribute t classes\n@attribute d date yyyy-MM-dd\n"
        "@data\nr1,1,0,rec/auto@rec/sport,a/b,2024-01-31\nr2,?,1,rec/auto,?,?\n"
    )
    assert table.keys == ("id",)
    assert table.frame["long name"].isna().tolist() == [False, True]
    assert table.frame["b"].cat.categories.tolist() == ["1", "0"]
    assert "hierarchical of CLUS, taken as labels" in table.reasons["class"]
    assert "dates" in table.reasons["d"]


def test_quotes_and_escapes(read):
    table = read(
        "@relation r\n@attribute a string\n@attribute 'b\\'s' {'x, y', \"it's\", '?', \\?}\n@data\n"
        "'a\\'b', 'x, y'\n\"c, d\", \"it's\"\n?, '?'\n'?', ?\n"
    )
    assert as_lists(table.frame) == [["a'b", "x, y"], ["c, d", "it's"], [None, "?"], ["?", None]]
    assert table.frame.columns[1] == "b's"


def test_arff_is_known_by_its_content_too(read, tmp_path):
    text = "% about\n\n@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n"
    assert read(text, "t.txt").frame.shape == (1, 2)
    (tmp_path / "u.arff").write_bytes(("\ufeff" + text).encode("utf-16"))
    assert read_file(tmp_path / "u.arff").frame.shape == (1, 2)


HEAD = "@relation r\n@attribute a numeric\n@attribute b {x, yes}\n"
FAULTS = {
    "undeclared value": (HEAD + "@data\n1,x\n2,yess\n", "line 6: 'yess' is not declared for 'b'; do you mean 'yes'?"),
    "no number": (HEAD + "@data\n1,x\none,x\n", "line 6: 'one' is no number, and 'a' is numeric"),
    "nan": (HEAD + "@data\nnan,x\n", "line 5: 'nan' is no number"),
    "underscore": (HEAD + "@data\n1_0,x\n", "line 5: '1_0' is no number"),
    "short row": (HEAD + "@data\n1\n", "line 5: 1 values, but there are 2 attributes"),
    "long row": (HEAD + "@data\n1,x,3\n", "line 5: 3 values, but there are 2 attributes"),
    "empty value": (HEAD + "@data\n1,\n", "line 5: no value for 'b': write ? for a missing one"),
    "open quote": (HEAD + "@data\n1,'x\n", "line 5: a quote (') is never closed"),
    "text after a quote": (HEAD + "@data\n1,'x'y\n", "line 5: text after a closing quote"),
    "a weight": (HEAD + "@data\n1,x,{5}\n", "line 5: the row has a weight, {5}"),
    "a sparse weight": (HEAD + "@data\n{0 1},{5}\n", "line 5: the row has a weight"),
    "a sparse number twice": (HEAD + "@data\n{0 1, 0 2}\n", "line 5: '0' is the number of no column, or stands twice"),
    "a sparse number beyond": (HEAD + "@data\n{7 1}\n", "line 5: '7' is the number of no column"),
    "an open sparse row": (HEAD + "@data\n{0 1\n", "line 5: the sparse row is not closed by }"),
    "sparse from 0 and 1": (HEAD + "@data\n{0 1}\n{2 x}\n", "number the columns from 0 (line 5) and up to 2 (line 6)"),
    "no @data": (HEAD, "has no @data: is it cut short?"),
    "no rows": (HEAD + "@data\n", "has no rows after @data"),
    "no attributes": ("@relation r\n@data\n1\n", "line 2: @data, but no @attribute before it"),
    "a second name": (HEAD + "@attribute a real\n@data\n", "line 4: a second attribute 'a': rename it"),
    "an unknown type": ("@relation r\n@attribute a complex\n@data\n", "line 2: attribute 'a' is of type 'complex'"),
    "time series": ("@relation r\n@attribute a TimeSeries\n@data\n", "line 2: attribute 'a' is of type 'timeseries'"),
    "relational": ("@relation r\n@attribute a relational\n@data\n", "line 2: attribute 'a' is of type 'relational'"),
    "an open list": ("@relation r\n@attribute a {x, y\n@data\n", "line 2: the list of values is not closed by }"),
    "a label twice": ("@relation r\n@attribute a {x, x}\n@data\n", "line 2: the value 'x' is declared twice"),
    "no name": ("@relation r\n@attribute\n@data\n", "line 2: an attribute without a name"),
    "another word": ("@relation r\n@inputs a\n", "line 2: '@inputs', where @attribute or @data is expected"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_c70_a_fault_is_said_with_its_line(read, case):
    text, message = FAULTS[case]
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=120, deadline=None)
@given(st.text("@relationdatribu {}'\",%?\n\t01.\\", max_size=80), st.sampled_from(["", HEAD, HEAD + "@data\n"]))
def test_s8_any_text_is_a_table_or_a_sentence(tmp_path_factory, text, head):
    path = tmp_path_factory.mktemp("any") / "t.arff"
    path.write_text(head + text)
    try:
        frame = read_file(path).frame
    except InputError:
        frame = pd.DataFrame({"a": [1]})
    assert frame.shape[0] > 0
