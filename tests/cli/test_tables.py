"""Tables as users have them (design/robustness.md, c61 to c72): right, or one sentence with the line and exit 2."""

import gzip
import io
import os
import pickle
import sys
import threading
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, TreeRegressor, load, load_penguins


@pytest.fixture(autouse=True)
def _in_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def check(glade):
    """Run `glade check` on a table with these bytes."""

    def call(content, *options, name="t.csv"):
        Path(name).write_bytes(content)
        return glade("check", name, "-t", "y", *options)

    return call


def rows_of(n, line=b"%d,2\n"):
    return b"".join(line % k for k in range(n))


REFUSED = {
    "c61 empty file": (b"", "'t.csv' has no rows"),
    "c61 blank lines only": (b"\n \n\n", "has no rows"),
    "c61 header only": (b"a,y\n", "has no rows"),
    "c61 semicolons in the header only": (b"a;y\n1\n2\n", "has only 1 column, 'a;y': did you mean --sep ';'?"),
    "c61 one column": (b"y\n1\n2\n", "has only 1 column, 'y': are its fields split by ',' (--sep)?"),
    "c62 short row": (b"a,b,y\n1,2,3\n4,5\n", "line 3: 2 fields, but the header has 3"),
    "c62 short last row": (b"a,b,y\n1,2,3\n4,5,6\n7", "line 4: 1 fields, but the header has 3"),
    "c62 long row": (b"a,b,y\n1,2,3\n4,5,6,7\n", "line 3: 4 fields, but the header has 3"),
    "c62 extra leading field": (b"a,y\n0,1,2\n1,3,4\n", "line 2: 3 fields, but the header has 2"),
    "c62 after a cell of three lines": (b'a,y\n"1\n2\n3",2\n4\n', "line 5: 1 fields, but the header has 2"),
    "c63 latin-1": (
        "a,y\nx,1\né,1\n".encode("latin-1"),
        "line 3: byte 8 (0xe9) is no UTF-8: save the file as UTF-8, or",
    ),
    "c63 UTF-16 without a mark": ("a,y\n1,2\n".encode("utf-16-le"), "give --encoding utf-16-le"),
    "c66 infinite": (b"a,y\n1,2\ninf,3\n", "line 3: column 'a' is infinite there: correct it, or give --na inf"),
    "c67 repeated name": (b"a,a,y\n1,2,3\n", "has several columns 'a': rename them"),
    "c67 blank name": (b"a,,y\n1,2,3\n", "column 2 of the header has no name"),
    "c67 name of blanks": (b"a,  ,y\n1,2,3\n", "column 2 of the header has no name"),
    "c67 no header": (
        b"1.5,2,3\n4,5,6\n",
        "the header is all numbers ('1.5', '2' and '3'): if it is a row, give --no-header",
    ),
    "c68 zero bytes": (b"a,y\n1,2\n3,\x004\n", "line 3: a zero byte, which no text has"),
    "c68 open quote": (b'a,y\n1,2\n"3,4\n5,6\n', 'line 3: a quote (") is opened here and never closed'),
    "c68 quote inside a field": (b'a,y\n5" pipe,2\n', 'line 2: a quote (") inside a field'),
    "c68 text after a quote": (b'a,y\n"5"x,2\n', 'line 2: a quote (") inside a field'),
    "c71 unknown target": (b"a,yy\n1,2\n3,4\n", "no column 'y': do you mean 'yy'?"),
    "c71 far from any name": (b"alpha,beta\n1,2\n3,4\n", "no column 'y': there are 'alpha' and 'beta'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_table_is_one_sentence(check, case):
    content, message = REFUSED[case]
    code, out, err = check(content)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("glade: ")
    assert err.count("\n") == 1


def test_c61_the_separator_is_guessed(check):
    for sign, shown in ((b";", "';'"), (b"\t", "tabs"), (b"|", "'|'")):
        code, out, _ = check(b"a;y\n".replace(b";", sign) + rows_of(30, b"%d;2\n").replace(b";", sign))
        assert (code, f"note     fields are separated by {shown} here (--sep corrects it)" in out) == (0, True)
    assert "did you mean --sep '\\t'?" in check(b"a\ty\n1\t2\n", "--sep", ",")[2]


def test_c61_the_separator_that_is_named_is_used(check):
    code, out, _ = check(b"a;y\n" + rows_of(30, b"1,%d;2,5\n"), "--sep", ";", "--decimal", ",")
    assert code == 0
    assert "numeric  a" in out
    assert check(b"a\ty\n" + rows_of(9, b"%d\t2\n"), "--sep", "\\t")[0] == 0
    assert check(b"a\ty\n" + rows_of(9, b"%d\t2\n"), name="t.tsv")[0] == 0


def test_c63_encodings_that_say_what_they_are(check):
    text = "größe,y\n" + "ä,1\nö,2\n" * 9
    for encoded in (text.encode("utf-8-sig"), text.encode("utf-16"), text.encode("utf-32")):
        code, out, _ = check(encoded)
        assert code == 0
        assert "nominal  größe" in out
    assert "nominal  größe" in check(text.encode("latin-1"), "--encoding", "latin-1")[1]
    assert "nominal  größe" in check(text.encode("utf-16-be"), "--encoding", "utf-16-be")[1]
    for name in ("klingon", "base64", "\0"):
        code, _, err = check(text.encode(), "--encoding", name)
        assert (code, "reads no text: give utf-8" in err) == (2, True)


def test_c64_what_is_missing_by_default_and_what_can_be(check):
    words = ["NA", "None", "null", "n/a", "", "?", "-999", "NaN"]
    content = b"a,b,c,y\n" + "".join(f"{word},x,{k},{k}\n" for k, word in enumerate(words)).encode()
    code, out, _ = check(content)
    assert code == 0
    assert "(4 values missing)" in out
    assert "note     3 of 'a' read ?, NA, NaN, first in line 2: taken as missing (--no-default-na keeps them)" in out
    assert "(5 values missing)" in check(content, "--na", "n/a")[1]
    assert "(6 values missing)" in check(content, "--na", "-999", "--na", "None")[1]
    assert "(1 values missing)" in check(content, "--no-default-na")[1]
    numbers = b"a,y\n" + rows_of(20) + b"n/a,2\n"
    assert "nominal  a: numbers, but 1 value(s) such as 'n/a', first in line 22 (--na 'n/a'" in check(numbers)[1]
    assert "numeric  a" in check(numbers, "--na", "n/a")[1]


def test_c65_numbers_in_other_clothes_are_nominal_with_a_hint(check):
    content = b"price,share,mass,big,y\n" + b'"1,5",5%,12 kg,"1,000.5",1\n"2,5",7%,3 kg,"2,000.5",2\n' * 9
    out = check(content)[1]
    assert "nominal  price: decimal commas, as in '1,5' (--decimal ',' reads numbers)" in out
    assert "nominal  share: numbers with a sign, as in '5%': write them without" in out
    assert "nominal  mass: numbers with a unit, as in '12 kg'" in out
    assert "nominal  big: numbers with ',' between thousands" in out


def test_c66_leading_zeros_long_numbers_dates_and_classes(check):
    line = b"%05d,90071992547409%02d,2024-01-%02d,yes,%d\n"
    content = b"zip,long,day,ok,y\n" + b"".join(line % (k % 7, 93 + k % 3, k % 9 + 1, k % 2) for k in range(30))
    out = check(content)[1]
    assert "nominal  zip: leading zeros, first in line 2 (--numeric 'zip' if they are amounts)" in out
    assert "nominal  long: whole numbers beyond 2**53, first in line 2" in out
    assert "note     day holds dates: used as day of year (--dates number or drop)" in out
    assert "targets  y nominal {0, 1}" in out
    assert "nominal  y: 2 whole numbers at most (--numeric if they are amounts)" in out
    out = check(content, "--numeric", "zip", "--numeric", "y")[1]
    assert "targets  y numeric" in out
    assert "numeric  zip" in out


def test_c66_labels_survive_the_way_to_a_model_and_back(glade):
    rng = np.random.default_rng(0)
    codes = rng.choice(["007", "010", "100"], 60)
    table = pd.DataFrame({"code": codes, "x": rng.random(60), "y": (codes == "007") * 5.0})
    table.to_csv("t.csv", index=False)
    assert glade("fit", "t.csv", "-t", "y", "--numeric", "y", "--model", "tree", "--folds", 0)[0] == 0
    assert load("t.glade").schema_.labels[0] == ("007", "010", "100")
    Path("new.csv").write_text("code,x\n100,0.5\n")  # no leading zero in sight
    code, out, err = glade("predict", "t.glade", "new.csv")
    assert (code, err, float(out.split()[1])) == (0, "", 0.0)


def test_c67_a_table_without_a_header(check, glade):
    assert check(b"c,y\n1,2\n", "--no-header")[0] == 2  # no column y
    Path("t.csv").write_bytes(rows_of(30))
    code, out, _ = glade("check", "t.csv", "--no-header", "-t", "c2")
    assert (code, "read 30 rows, 2 columns" in out) == (0, True)
    Path("t.csv").write_bytes(b"0,1,2\n" + rows_of(30, b"%d,5,6\n"))  # positions, as programs write them
    assert "read 30 rows, 3 columns" in glade("check", "t.csv", "-t", "2")[1]


def test_c68_line_ends_quotes_long_cells_and_many_columns(check, glade):
    for ends in ("\n", "\r\n", "\r"):
        code, out, _ = check(("a,y\n" + "x,1\ny,2\n" * 9).replace("\n", ends).encode())
        assert (code, "read 18 rows, 2 columns" in out) == (0, True)
    assert "read 3 rows" in check(b"a,y\r\n1,2\n3,4\r5,6")[1]
    assert "read 2 rows" in check(b'a,y\n"say ""x"", then\ny",1\n"",2\n')[1]
    assert "read 1 rows" in check(b"a,y\n" + b"x" * 2**20 + b",1\n")[1]
    names = ",".join(f"c{k}" for k in range(100_000))
    row = ",".join("1" for _ in range(100_000))
    Path("wide.csv").write_text(f"{names}\n{row}\n{row},1\n")
    code, _, err = glade("check", "wide.csv", "-t", "c0")
    assert (code, "line 3: 100001 fields, but the header has 100000" in err) == (2, True)
    names, row = names[: names.index(",c9999,")], row[: 2 * 9999 - 1]
    Path("wide.csv").write_text(f"{names},y\n{row},1\n")
    code, _, err = glade("check", "wide.csv", "-t", "yy")
    assert (code, "no column 'yy': do you mean 'y'" in err) == (2, True)


def make_archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    return buffer.getvalue()


FOREIGN = {
    "t.xlsx": (make_archive(), "'t.xlsx' is an Excel file, a spreadsheet: save it as CSV"),
    "t.csv": (make_archive(), "'t.csv' is an Excel file"),
    "t.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "is an old Excel file, a spreadsheet: save it as CSV"),
    "t.zip": (make_archive().replace(b"xl/", b"ab/"), "is a zip archive: unpack it first"),
    "t.png": (b"\x89PNG\r\n\x1a\n", "is a picture (PNG), no table"),
    "t.pkl": (pickle.dumps([1]), "is a pickle, which could run any code"),
    "t.pdf": (b"%PDF-1.7", "is a PDF document, no table"),
    "t.db": (b"SQLite format 3\0", "is an SQLite database: export the table as CSV"),
    "t.csv.zst": (b"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first"),
    "t.parquet": (b"PAR1 nonsense PAR1", "cannot be read as Parquet"),
    "u.parquet": (b"a,y\n1,2\n", "is no Parquet file, or only a part of one"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_c69_files_of_other_kinds_are_recognised(check, name):
    content, message = FOREIGN[name]
    code, _, err = check(content, name=name)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_c69_a_real_spreadsheet_is_recognised(check, glade):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save("book.xlsx")
    code, _, err = glade("fit", "book.xlsx", "-t", "y")
    assert (code, "is an Excel file, a spreadsheet: save it as CSV" in err) == (2, True)


def test_c69_folders_addresses_pipes_and_standard_input(glade, monkeypatch):
    assert "'.' is a folder" in glade("check", ".", "-t", "y")[2]
    assert "is an address in the net: download the file" in glade("check", "https://a.b/t.csv", "-t", "y")[2]
    content = b"a,y\n" + rows_of(30)
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(content,))
    writer.start()
    assert "read 30 rows" in glade("check", "pipe", "-t", "y")[1]
    writer.join()
    for given in (
        content,
        gzip.compress(content),
        b"@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,2\n",
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert glade("check", "-", "-t", "y")[0] == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    code, out, _ = glade("fit", "-", "-t", "y", "--model", "tree", "--folds", 0)
    assert (code, "wrote model.glade" in out) == (0, True)


def test_c70_arff_from_table_to_predictions(glade):
    lines = ["@relation r", "@attribute id key", "@attribute a numeric", "@attribute y {low, 'very high'}", "@data"]
    lines += [f"row{k},{k},{'low' if k < 20 else chr(39) + 'very high' + chr(39)}" for k in range(40)]
    Path("t.arff").write_text("\n".join(lines))
    code, out, _ = glade("fit", "t.arff", "-t", "y", "--model", "tree", "--folds", 2)
    assert code == 0
    assert "1 input, 1 left out (id: looks like an identifier; --keep to use it)" in out
    assert "y nominal {low, very high}" in out
    assert glade("predict", "t.glade", "t.arff")[1].split("\n")[1:3] == ["low", "low"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-t", "specis"), "no column 'specis': do you mean 'species'"),
        (("-t", "year", "-t", "year"), "a target is named twice: 'year' and 'year'"),
        (tuple(part for name in load_penguins().columns for part in ("-t", name)), "no column is left to predict from"),
        (("-t", "year", "--group", "yeer"), "no column 'yeer': do you mean 'year'"),
        (("-t", "year", "--group", "year"), "'year' cannot be both a target and the group"),
    ],
)
@pytest.mark.parametrize("command", ["check", "fit", "compare"])
def test_c71_names_that_are_wrong_are_said_with_near_ones(glade, penguins, command, arguments, message):
    code, _, err = glade(command, penguins, *arguments)
    assert code == 2
    assert message in err


def test_c72_random_states_as_scikit_learn_takes_them(glade, penguins):
    X, y = np.random.default_rng(0).random((40, 3)), np.arange(40.0)
    for state in (None, 3, np.int64(3), np.random.RandomState(3), 2**32 - 1):
        assert ForestRegressor(2, random_state=state).fit(X, y).predict(X).shape == (40,)
    same = [ForestRegressor(2, random_state=state).fit(X, y).predict(X) for state in (3, 3)]
    np.testing.assert_array_equal(*same)
    for state in (-1, 2**32, "3", 1.5, np.random.default_rng(0)):
        with pytest.raises(ValueError, match="random_state"):
            TreeRegressor(random_state=state).fit(X, y)
    for seed in ("-1", str(2**32), "x"):
        code, _, err = glade("fit", penguins, "-t", "year", "--seed", seed)
        assert (code, "--seed" in err) == (2, True)
