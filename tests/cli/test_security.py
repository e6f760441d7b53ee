"""Attacks through tables, names and files (design/robustness.md, S5 to S19)."""

import gzip
import io
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from glade import load
from glade.cli.tables import check_names
from glade.core.errors import InputError
from glade.core.spreadsheets import to_csv
from glade.files import read, sources

TREE = ("--model", "tree", "--folds", 0)
ESCAPE = "\x1b[31m\x07\u202e"


@pytest.fixture(autouse=True)
def _in_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def write_table(name, **columns):
    n = 60
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.random(n), "y": np.where(rng.random(n) < 0.5, "a", "b"), **columns})
    table.to_csv(name, index=False)
    return table


def test_s5_formulas_in_predictions_and_rules_are_marked_as_text(glade):
    rng = np.random.default_rng(0)
    x = rng.random(60)
    pd.DataFrame({"=cmd()": x, "y": np.where(x > 0.5, "=1+1", "@SUM(A1)")}).to_csv("t.csv", index=False)
    assert glade("fit", "t.csv", "-t", "y", *TREE)[0] == 0
    guarded = glade("predict", "t.glade", "t.csv")[1].splitlines()
    assert set(guarded[1:]) == {"'=1+1", "'@SUM(A1)"}
    assert set(glade("predict", "t.glade", "t.csv", "--raw-csv")[1].splitlines()[1:]) == {"=1+1", "@SUM(A1)"}
    rules = pd.read_csv(io.StringIO(glade("rules", "t.glade", "--format", "csv")[1]))
    for column in rules.select_dtypes(exclude="number"):
        assert not rules[column].astype(str).str.startswith(tuple("=+-@\t\r")).any()
    assert not any(name.startswith(tuple("=+-@\t\r")) for name in rules.columns)


def test_s5_a_label_that_is_a_number_stays_one_and_all_else_is_marked(tmp_path):
    """Classes -1 and +1 are common, and programs read them back; no spreadsheet takes a number for a formula."""
    labels = ["-1", "+1", "-.5e-3", "1", "-1+1", "+cmd", "-", "--1", "\n=1", "\t1", "\r1", "@a", "=1", "a=1", "'=1", ""]
    table = pd.DataFrame({"=x": labels, "y": pd.Categorical(labels), "n": -1.5})
    written = to_csv(table)
    read = pd.read_csv(io.StringIO(written, newline=""), dtype=str, keep_default_na=False, lineterminator="\n")
    assert list(read.columns) == ["'=x", "y", "n"]
    marked = ["-1", "+1", "-.5e-3", "1", *(f"'{label}" for label in labels[4:13]), "a=1", "'=1", ""]
    assert read["'=x"].tolist() == read["y"].tolist() == marked
    assert set(read["n"]) == {"-1.5"}
    assert to_csv(table, raw=True) == table.to_csv(index=False)


class Bomb:
    def __reduce__(self):
        return (Path.touch, (Path("run"),))


@pytest.mark.parametrize("name", ["m.glade", "m.pkl"])
def test_s6_a_pickle_is_refused_and_not_run(glade, penguins, name):
    for protocol in range(6):
        Path(name).write_bytes(pickle.dumps(Bomb(), protocol=protocol))
        for command in (("rules", name), ("predict", name, penguins), ("explain", name, penguins, "--row", 0)):
            assert glade(*command)[0] == 3
        assert glade("check", name, "-t", "y")[0] == 2
    assert not Path("run").exists()


def test_s9_a_gzip_bomb_is_not_unpacked(glade, monkeypatch):
    monkeypatch.setattr(sources, "FREE_SIZE", 2**20)
    Path("t.csv.gz").write_bytes(gzip.compress(b"a,y\n" + b"1,2\n" * 2**20))
    code, _, err = glade("check", "t.csv.gz", "-t", "y")
    assert code == 2
    assert "unpacks to more than 100 times its size, as no table does: if it is one, unpack it first (gunzip)" in err


def test_s9_what_a_gzip_file_may_grow_to(monkeypatch):
    """Up to FREE_SIZE anything is unpacked: a table of one repeated line is a table."""
    content = b"a,y\n" + b"1,2\n" * 2**18
    Path("t.csv.gz").write_bytes(gzip.compress(content))
    assert read.read_file("t.csv.gz").frame.shape == (2**18, 2)
    assert sources.FREE_SIZE == 2**28


def test_s9_parquet_that_claims_more_than_memory_holds(glade, monkeypatch):
    pq.write_table(pa.table({"a": np.zeros(1000), "y": np.zeros(1000)}), "t.parquet")
    assert glade("check", "t.parquet", "-t", "y", "--numeric", "y")[0] == 0
    monkeypatch.setattr(read, "CELL_BYTES", 2**40)
    code, _, err = glade("check", "t.parquet", "-t", "y")
    assert code == 4
    assert "says it has 1,000 rows of 2 columns" in err


@pytest.mark.parametrize("name", ["../../x", "CON", "a/b", "..", "x" * 300, "-", "~", "$(touch run)", "a\nb"])
def test_s10_names_in_a_table_do_not_name_files(glade, name):
    """The only name that is made is that of the model, from the table's: inside the current folder."""
    table = write_table("t.csv").rename(columns={"y": name})
    table.to_csv("t.csv", index=False)
    assert glade("fit", "t.csv", f"--target={name}", *TREE)[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == ["t.csv", "t.glade"]
    assert not list(Path("..").glob("x*"))


def test_s10_a_table_elsewhere_makes_a_model_here(glade, tmp_path):
    (tmp_path / "in").mkdir()
    write_table("in/..t.csv")
    assert glade("fit", "in/..t.csv", "-t", "y", *TREE)[0] == 0
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["..t.csv"]
    assert Path("..t.glade").is_file()
    code, _, err = glade("fit", "in/..t.csv", "-t", "y", *TREE)
    assert (code, "is there already: --force to replace it" in err) == (2, True)


def test_s14_names_of_a_megabyte_take_no_time(glade):
    """No text of the user's meets a pattern that tries again and again, nor a comparison of all with all."""
    long = "a" * 2**20
    Path("t.csv").write_text(f"{long},y\n" + "".join(f"{k},{k % 5}\n" for k in range(60)))
    code, out, _ = glade("fit", "t.csv", "-t", "y", *TREE)
    assert (code, len(max(out.splitlines(), key=len)) < 500) == (0, True)
    assert glade("fit", "t.csv", "-t", long[:-1] + "b", *TREE)[0] == 2
    with pytest.raises(InputError, match="has no column"):
        check_names([long + "b"], [long + "c" + str(k) for k in range(20)])
    assert load("t.glade").schema_.names == (long,)
    cells = ("1" * 2**20, "1e" * 2**19, "." * 2**20, " " * 2**20, '""' * 2**19, "-" * 2**20)
    Path("t.csv").write_text("a,y\n" + "".join(f'"{cell}",1\n' for cell in cells))
    assert glade("check", "t.csv", "-t", "y")[0] == 0
    Path("t.arff").write_text(f"@relation r\n@attribute a {{{',' * 2**18}x}}\n@data\n{'{' * 2**18}\n")
    assert glade("check", "t.arff", "-t", "a")[0] == 2


def test_s19_control_characters_reach_no_terminal(glade):
    """In names, labels, file names, targets that are not there, and the words for what is wrong."""
    name = f"t{ESCAPE}.csv"
    table = write_table(name, **{f"in{ESCAPE}put": [f"la{ESCAPE}bel", "other"] * 30})
    table["y"] = table[f"in{ESCAPE}put"]
    table.to_csv(name, index=False)
    commands = [
        ("fit", name, "-t", "y", *TREE),
        ("rules", f"t{ESCAPE}.glade"),
        ("explain", f"t{ESCAPE}.glade", name, "--row", 0),
        ("check", name, "-t", "y"),
        ("check", name, "-t", f"in{ESCAPE}"),
        ("check", f"none{ESCAPE}.csv", "-t", "y"),
        ("rules", f"none{ESCAPE}.glade"),
        (f"dance{ESCAPE}",),
        ("compare", name, "-t", "y", "--folds", f"3{ESCAPE}"),
        ("predict", f"t{ESCAPE}.glade", name, "-o", f"out{ESCAPE}.csv"),
    ]
    for command in commands:
        code, out, err = glade(*command)
        assert code in (0, 2)
        assert not any(sign in out + err for sign in ESCAPE if not sign.isprintable())
    assert "\\x1b" in glade("check", name, "-t", "y")[1]
