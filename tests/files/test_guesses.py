"""What the first lines of a CSV file tell: separator and decimal sign; patterns of names."""

import pytest

from glade.cli.wording import word_for_shell
from glade.core.errors import InputError
from glade.files.options import ReadOptions
from glade.files.patterns import find_columns
from glade.files.read import read_file


def read(tmp_path, text, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_file(path, ReadOptions(**options))


@pytest.mark.parametrize(
    ("text", "sep", "decimal"),
    [
        ("a,b\n1,2\n3,4\n", ",", "."),
        ("a;b\n1;2\n3;4\n", ";", "."),
        ("a;b\n1,5;2\n3,25;4\n", ";", ","),
        ("a;b\n1,5;2\n3.5;4\n", ";", "."),  # both signs: neither is plain
        ("a\tb\n1,5\t2\n", "\t", ","),
        ("a|b\n1.5|x\n", "|", "."),
        ('"a; b","c"\n1,2\n3,4\n', ",", "."),
        ('"a; b";"c, d"\n1,5;2\n3,5;4\n', ";", ","),
        ("day;b\n01.02.2020;1,5\n02.02.2020;2,5\n", ";", ","),  # dates are no decimals
        ("a,b;c\n1,2;x\n3,4;y\n", ",", "."),  # the comma divides all lines alike, too
    ],
)
def test_signs_are_guessed(tmp_path, text, sep, decimal):
    table = read(tmp_path, text)
    again = read(tmp_path, text, sep=sep, decimal=decimal)
    assert table.frame.equals(again.frame)
    assert table.frame.shape[1] == 2
    told = "\n".join(map(word_for_shell, table.notes))
    shown = "tabs" if sep == "\t" else f"'{sep}'"
    assert (f"separated by {shown} here (--sep corrects it)" in told) == (sep != ",")
    assert ("',' is taken for the decimal sign (--decimal '.' if it is not)" in told) == (decimal == ",")
    assert not again.notes


def test_a_short_line_does_not_hide_the_separator(tmp_path):
    with pytest.raises(InputError, match="line 34: 1 fields, but the header has 2"):
        read(tmp_path, "a;b\n1;2\n3;4\n" + "5;6\n" * 30 + "7\n")


def test_what_is_said_is_not_guessed(tmp_path):
    table = read(tmp_path, "a;b\n1,5;2\n3,5;4\n", decimal=".")
    assert str(table.frame["a"].dtype) == "category"
    with pytest.raises(InputError, match="has only 1 column"):
        read(tmp_path, "a;b\n1;2\n", sep="|")
    with pytest.raises(InputError, match="has only 1 column"):
        read(tmp_path, "a\n1\n2\n")


def test_a_tab_is_the_default_of_its_files(tmp_path):
    assert read(tmp_path, "a,b\tc\n1,5\t2\n", "t.tsv").frame.columns.tolist() == ["a,b", "c"]
    assert read(tmp_path, "a,b\n1,2\n", "t.tsv").frame.columns.tolist() == ["a", "b"]


COLUMNS = ["id", "sp1", "sp2", "sp10", "a:b", "a*", "z"]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["sp*"], ["sp1", "sp2", "sp10"]),
        (["sp?"], ["sp1", "sp2"]),
        (["sp[12]"], ["sp1", "sp2"]),
        (["sp1:sp10"], ["sp1", "sp2", "sp10"]),
        (["sp2:a:b"], ["sp2", "sp10", "a:b"]),
        (["a:b"], ["a:b"]),
        (["a*"], ["a*"]),
        (["*"], COLUMNS),
        (["z", "sp*", "sp1"], ["z", "sp1", "sp2", "sp10"]),
        (["none", "z"], ["none", "z"]),
        (["none:z"], ["none:z"]),
    ],
)
def test_patterns_and_ranges(given, found):
    assert list(find_columns(given, COLUMNS)) == found


@pytest.mark.parametrize(
    ("given", "fault"), [("q*", "no column fits the pattern 'q"), ("z:id", "'id' stands before 'z'")]
)
def test_patterns_of_nothing(given, fault):
    with pytest.raises(InputError, match=fault):
        find_columns([given], COLUMNS)
