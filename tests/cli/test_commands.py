"""The commands as a user runs them: what is printed, what is written, which code is returned."""

import gc
import gzip
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glade import load_penguins

COMMANDS = [
    "app", "archetype", "check", "compare", "demo", "explain", "export", "fit", "predict", "report", "rules",
    "stability", "warm-up",
]  # fmt: skip


def test_help_names_the_commands(glade):
    for arguments in ((), ("--help",)):
        code, out, _ = glade(*arguments)
        assert code == 0
        assert re.findall(r"^  ([\w-]+) ", out.partition("Commands:")[2], re.MULTILINE) == COMMANDS


def test_help_imports_no_library():
    code = "import sys; from glade.cli.main import run; run(['--help']); print([m for m in sys.modules])"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("numpy", "pandas", "sklearn", "numba", "scipy", "matplotlib"):
        assert f"'{heavy}'" not in modules


def test_garbage_is_looked_for_again_once_a_command_has_imported_what_it_needs(glade, penguins):
    """A command that is given a table imports all that grows trees, without that search."""
    assert glade("check", penguins, "-t", "species")[0] == 0
    assert gc.isenabled()


def test_version(glade):
    assert glade("--version")[:2] == (0, "glade, version 0.2.0\n")


def test_demo(glade, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = glade("demo")
    assert "wrote penguins-report.html" in out
    assert [file.name for file in tmp_path.iterdir()] == ["penguins-report.html"]
    assert code == 0
    assert "tree of 6 leaves, depth 3" in out
    rules = out[re.search(r"^\d+ rules", out, re.MULTILINE).start() :].splitlines()
    assert rules[1].split() == ["#", "rule", "rows", "species", "body_mass_g", "flipper_length_mm"]
    assert re.search(r"^3 ", "\n".join(rules), re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 120


def test_compare_prints_a_table_that_fits_a_screen(glade, penguins, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = glade("compare", penguins, "-t", "species", "-t", "body_mass_g")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "read 344 rows, 8 columns: 2 targets, 6 inputs (17 values missing)"
    assert lines[1] == "targets  species nominal {Adelie, Chinstrap, Gentoo} · body_mass_g numeric (2 missing)"
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 24
    start = next(k for k, line in enumerate(lines) if line.startswith("model "))
    assert lines[start].split() == ["model", "species", "body_mass_g", "mean", "loss", "size", "fit", "s"]
    models = [re.split(r" {2,}", line) for line in lines[start + 1 : start + 7]]
    assert [model[0] for model in models] == ["mean or mode", "tree", "pruned tree", "small tree", "forest", "20 rules"]
    errors = [float(model[1]) for model in models]
    assert errors[0] == pytest.approx(1 - 152 / 344, abs=1e-4)  # always the commonest class
    assert max(errors[1:]) < 0.1
    better = "significantly better than mean or mode: tree, pruned tree, small tree, forest, 20 rules"
    assert better in " ".join(out.split())


def test_models_of_a_comparison_are_chosen_by_name(glade, penguins):
    options = ("--model", "tree", "--model", "multitree", "--folds", 2)
    code, out, err = glade("compare", penguins, "-t", "species", *options)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    start = next(k for k, line in enumerate(lines) if line.startswith("model "))
    assert [re.split(r" {2,}", line)[0] for line in lines[start + 1 : lines.index("", start)]] == [
        "mean or mode",
        "tree",
        "multitree",
    ]
    code, _, err = glade("compare", penguins, "-t", "species", "--model", "fire", "--folds", 2)
    assert (code, "--model fire is for numeric targets" in err) == (2, True)


def test_many_targets_are_summed_up(glade, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    rng = np.random.default_rng(0)
    X = rng.random((60, 2))
    table = pd.DataFrame(X, columns=["a", "b"])
    for t in range(7):
        table[f"a rather long name of target {t}"] = X[:, t % 2] + rng.normal(0, 0.1 * (t + 1), 60)
    table.to_csv(tmp_path / "many.csv", index=False)
    names = [part for name in table.columns[2:] for part in ("-t", name)]
    code, out, _ = glade("compare", tmp_path / "many.csv", *names, "--folds", 3)
    assert code == 0
    assert re.search(r"model +best target +worst target +mean loss +size", out)
    table_lines = out[out.index("model ") :].splitlines()
    assert max(map(len, table_lines)) <= 100


def test_options_reach_the_comparison(glade, penguins, tmp_path):
    csv, store = tmp_path / "long.csv", tmp_path / "store"
    options = ("--group", "year", "--folds", 3, "--repetitions", 2, "--drop", "sex", "--store", store, "--csv", csv)
    code, out, _ = glade("compare", penguins, "-t", "body_mass_g", *options)
    assert code == 0
    assert "1 target, 5 inputs" in out
    long = pd.read_csv(csv)
    assert long.groupby("model")[["repetition", "fold"]].max().to_numpy().tolist() == [[1, 2]] * 6
    n_cells = len(list(store.iterdir()))
    assert n_cells <= 6 * 3 * 2  # a group for each fold: the repetitions have the same folds in another order
    glade("compare", penguins, "-t", "body_mass_g", *options)
    assert len(list(store.iterdir())) == n_cells


def test_plot(glade, penguins, tmp_path):
    pytest.importorskip("matplotlib")
    code, out, _ = glade("compare", penguins, "-t", "year", "--folds", 2, "--plot", tmp_path / "p.svg")
    assert code == 0
    assert f"wrote {tmp_path / 'p.svg'}" in out
    assert (tmp_path / "p.svg").read_text().count("mean or mode") == 1


def test_kinds_can_be_corrected(glade, penguins):
    out = glade("compare", penguins, "-t", "sex", "--nominal", "year", "--folds", 2)[1]
    assert "sex nominal {female, male} (11 missing)" in out
    assert re.search(r"^nominal +species, island, year$", out, re.MULTILINE)


def test_zeros_and_ones_are_classes_unless_told_otherwise(glade, tmp_path):
    rng = np.random.default_rng(0)
    pd.DataFrame({"a": rng.random(40), "y": rng.integers(0, 2, 40)}).to_csv(tmp_path / "t.csv", index=False)
    assert "y nominal {0, 1}" in glade("compare", tmp_path / "t.csv", "-t", "y", "--folds", 2)[1]
    numeric = glade("compare", tmp_path / "t.csv", "-t", "y", "--numeric", "y", "--folds", 2)[1]
    assert "y numeric" in numeric


def test_gzipped_csv_and_parquet_give_the_same_table(glade, penguins, tmp_path):
    packed, parquet = tmp_path / "p.csv.gz", tmp_path / "p.parquet"
    packed.write_bytes(gzip.compress(Path(penguins).read_bytes()))
    load_penguins().to_parquet(parquet)
    outputs = []
    for path in (penguins, packed, parquet):
        assert glade("compare", path, "-t", "body_mass_g", "--folds", 2, "--csv", tmp_path / "long.csv")[0] == 0
        outputs.append(pd.read_csv(tmp_path / "long.csv")["value"].tolist())
    assert outputs[0] == outputs[1] == outputs[2]


BAD_TABLES = {
    "61 empty": (b"", "has no rows"),
    "61 header only": (b"a,b\n", "has no rows"),
    "61 wrong delimiter": (b"a;b\n1\n2\n", "has only 1 column, 'a;b': did you mean --sep ';'?"),
    "62 short row": (b"a,b,y\n1,2,3\n4,5\n", "line 3: 2 fields, but the header has 3"),
    "62 long row": (b"a,b,y\n1,2,3\n4,5,6,7\n", "line 3: 4 fields, but the header has 3"),
    "62 extra leading field": (b"a,y\n1,2,3\n4,5,6\n", "line 2: 3 fields, but the header has 2"),
    "63 latin-1": (
        "a,y\né,1\n".encode("latin-1"),
        "line 2: byte 4 (0xe9) is no UTF-8: save the file as UTF-8, or give --encoding",
    ),
    "67 repeated name": (b"a,a,y\n1,2,3\n", "has several columns 'a'"),
    "68 open quote": (b'a,y\n"1,2\n', 'line 2: a quote (") is opened here and never closed'),
    "71 unknown target": (b"a,yy\n1,2\n3,4\n", "no column 'y': do you mean 'yy'?"),
    "71 nothing left": (b"y,x\n1,2\n3,4\n", "no column is left to predict from"),
    "few rows": (b"a,y\n1,2\n3,4\n", "5 folds of 2 rows"),
    "no known target": (b"a,y\n" + b"1,\n" * 9, "no value is known of target 'y'"),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_a_bad_table_is_one_sentence_and_exit_2(glade, tmp_path, case):
    content, message = BAD_TABLES[case]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    code, _, err = glade("compare", path, "-t", "y", *(("--drop", "x") if "left" in case else ()))
    assert code == 2
    assert message in err
    assert err.startswith("glade: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "no.csv", "-t", "y"), "'no.csv' does not exist"),
        (("compare", ".", "-t", "y"), "'.' is a folder"),
        (("compare", "PENGUINS"), "Missing option '-t' / '--target': glade compare --help says what it takes"),
        (("explain", "m.glade"), "Missing argument 'TABLE': glade explain --help says what it takes"),
        (("compare", "PENGUINS", "-t", "specis"), "no column 'specis': do you mean 'species'"),
        (("compare", "PENGUINS", "-t", "year", "-t", "year"), "a target is named twice"),
        (("compare", "PENGUINS", "-t", "year", "--drop", "year"), "'year' cannot be both a target and dropped"),
        (
            ("compare", "PENGUINS", "-t", "year", "--numeric", "sex"),
            "line 2: column 'sex' is no numeric one: it holds 'male'",
        ),
        (("compare", "PENGUINS", "-t", "year", "--folds", "1"), "1 folds of 344 rows"),
        (("compare", "PENGUINS", "-t", "year", "--folds", "many"), "'many' is not a valid integer"),
        (("compare", "PENGUINS", "-t", "year", "--group", "sex"), "groups has no value in row 3"),
        (("compare", "PENGUINS", "-t", "year", "--plot", "p.doc"), "'p.doc' is no picture: end it in .png"),
        (("compare", "PENGUINS", "-t", "year", "--csv", "none/p.csv"), "there is no folder 'none'"),
        (("reproduce", "cart"), "No such command 'reproduce': the published studies left the package"),
        (("dance",), "No such command 'dance'"),
    ],
)
def test_a_slip_is_one_sentence_and_exit_2(glade, penguins, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, _, err = glade(*(penguins if argument == "PENGUINS" else argument for argument in arguments))
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_names_that_would_move_the_cursor_are_shown_escaped(glade, tmp_path):
    path = tmp_path / "t.csv"
    rng = np.random.default_rng(0)
    pd.DataFrame({"a\x1b[31m": rng.random(30), "y": rng.random(30)}).to_csv(path, index=False)
    code, out, _ = glade("compare", path, "-t", "y", "--folds", 2)
    assert code == 0
    assert "\x1b" not in out


def test_other_kinds_of_files_and_damaged_ones(glade, tmp_path):
    for name, content, message in (
        ("t.xlsx", b"PK\x03\x04 xl/workbook.xml", "is an Excel file, a spreadsheet: save it as CSV"),
        ("t.csv.gz", gzip.compress(b"a,y\n1,2\n" * 500)[:-20], "is damaged or cut short"),
        ("t.csv.gz", b"\x1f\x8bno gzip at all", "is damaged or cut short"),
        ("t.parquet", b"PAR1 nonsense PAR1", "cannot be read as Parquet"),
    ):
        (tmp_path / name).write_bytes(content)
        code, _, err = glade("compare", tmp_path / name, "-t", "y")
        assert code == 2
        assert message in err


def test_a_defect_of_ours_is_exit_1_and_says_so(glade, penguins, monkeypatch):
    from glade.cli import tables

    monkeypatch.setattr(tables, "open_table", lambda *_: 1 / 0)
    code, _, err = glade("compare", penguins, "-t", "year")
    assert code == 1
    assert "a defect of glade: ZeroDivisionError" in err


@pytest.mark.parametrize(
    ("fault", "expected"),
    [(MemoryError(), 4), (OSError(28, "No space left on device"), 4), (KeyboardInterrupt(), 130)],
)
def test_resources_and_interrupts_have_their_codes(glade, penguins, monkeypatch, fault, expected):
    from glade.cli import tables

    def fail(*_):
        raise fault

    monkeypatch.setattr(tables, "open_table", fail)
    assert glade("compare", penguins, "-t", "year")[0] == expected


@pytest.mark.parametrize(
    ("number", "jobs", "expected"), [(signal.SIGINT, 1, 130), (signal.SIGTERM, 1, 143), (signal.SIGINT, 2, 130)]
)
def test_signals_end_a_run_with_their_codes_and_keep_finished_cells(tmp_path, number, jobs, expected):
    """As from a terminal: the signal goes to all processes of the group."""
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.random((3000, 12))).rename(columns=str).to_csv(tmp_path / "t.csv", index=False)
    store = tmp_path / "store"
    arguments = ["compare", tmp_path / "t.csv", "-t", "0", "--repetitions", "50", "--jobs", str(jobs), "--store", store]
    command = [sys.executable, "-m", "glade", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while process.poll() is None and len(list(store.glob("*.cell")) if store.exists() else []) < 3:
        time.sleep(0.05)
    os.killpg(process.pid, number)
    _, err = process.communicate()
    assert process.returncode == expected
    assert "is kept" in err
    assert "Traceback" not in err
    assert len(list(store.glob("*.cell"))) >= 3


def test_a_reader_that_leaves_is_no_error_but_the_exit_code_says_it(penguins):
    command = f"{sys.executable} -m glade compare {penguins} -t year --folds 2 | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert "Error" not in done.stderr  # a slow machine compiles and shows progress there
    assert done.stdout.splitlines()[-1] == "141"


def test_stability_says_how_often_each_rule_comes_back(glade, penguins, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = glade("stability", penguins, "-t", "species", "--max-rules", 3, "--resamples", 3)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    start = next(k for k, line in enumerate(lines) if line.startswith("rule "))
    shares = [int(line.split()[-1][:-1]) for line in lines[start + 1 : lines.index("", start)] if line.endswith("%")]
    assert 1 <= len(shares) <= 3
    assert sorted(shares, reverse=True) == shares
    assert "fitted 3 times, each time to half of the rows" in out
    assert max(map(len, lines[start:])) <= 80
