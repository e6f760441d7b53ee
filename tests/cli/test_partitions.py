"""Tables that are read in parts: patterns, folders, and Parquet larger than the memory for it."""

import re

import numpy as np
import pandas as pd
import pytest

import glade
from glade.cli.main import run

N_ROWS = 900


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three parts; the tests work beside them."""
    random = np.random.default_rng(5)
    frame = pd.DataFrame(random.normal(size=(N_ROWS, 2)).round(3), columns=["a", "b"])
    frame["kind"] = random.choice(["p", "q"], N_ROWS)
    frame["yield"] = 2.0 * (frame["a"] > 0) + (frame["kind"] == "q") + random.normal(0, 0.3, N_ROWS)
    frame["sick"] = np.where(frame["yield"] > 1.5, "yes", "no")
    frame["plot"] = [f"plot {k}" for k in range(N_ROWS)]
    frame["sown"] = pd.Timestamp("2024-03-01")
    (tmp_path / "parts").mkdir()
    for k, rows in enumerate(np.array_split(np.arange(N_ROWS), 3)):
        frame.iloc[rows].to_parquet(tmp_path / "parts" / f"{k}.parquet", index=False)
    frame.to_parquet(tmp_path / "whole.parquet", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_pattern_is_fitted_and_predicted_in_parts(folder, capsys):
    assert run(["fit", "parts/*.parquet", "-t", "sick", "--drop", "yield", "--model", "forest", "-o", "m.glade"]) == 0
    said = capsys.readouterr().out
    assert "900 rows x 4 columns in 3 parts" in said
    assert "'sown' left out: neither numbers nor text" in said
    assert "'plot' left out: the first rows all differ" in said
    model = glade.load("m.glade")
    assert model.schema_.names == ("a", "b", "kind")
    assert run(["predict", "m.glade", "parts", "-o", "told"]) == 0
    told = pd.concat(map(pd.read_parquet, sorted((folder / "told").iterdir())))
    whole = pd.read_parquet("whole.parquet")
    assert told["row"].tolist() == list(range(N_ROWS))
    assert told["sick"].tolist() == model.predict(whole[["a", "b", "kind"]]).tolist()
    assert np.allclose(told["sick = yes"], model.predict_proba(whole[["a", "b", "kind"]])[:, 1])
    assert run(["predict", "m.glade", "parts", "-o", "told"]) == 2
    assert "holds files already" in capsys.readouterr().err


def test_a_file_larger_than_the_memory_for_it_is_read_in_parts(folder, capsys):
    assert run(["fit", "whole.parquet", "-t", "yield", "--model", "tree", "--memory", "1kB", "--drop", "sick"]) == 4
    assert "would take about" in capsys.readouterr().err
    arguments = ["fit", "whole.parquet", "-t", "yield", "--model", "tree", "--drop", "sick", "--drop", "sown"]
    assert run([*arguments, "--drop", "plot", "--folds", "0"]) == 0
    assert "read in parts" not in capsys.readouterr().out


def test_rules_are_judged_and_resumed(folder, capsys):
    arguments = ["fit", "parts", "-t", "yield", "--drop", "sick", "--model", "rulefit", "--max-rules", "4"]
    arguments += ["-o", "m.glade", "--resume", "--report", "page.html"]
    assert run(arguments) == 0
    said = capsys.readouterr().out
    assert "error    yield: rmse 0.3" in said
    assert re.search(r"\ba (<=|>) ", said)
    assert (folder / "page.html").exists()
    assert any((folder / "m.glade.resume").iterdir())
    before = (folder / "m.glade").read_bytes()
    assert run([*arguments, "--force"]) == 0
    assert (folder / "m.glade").read_bytes() == before


def test_one_row_of_parts_is_explained_and_a_page_is_made_of_a_sample(folder, capsys):
    run(["fit", "parts", "-t", "yield", "--drop", "sick", "--max-rules", "3", "-o", "m.glade"])
    capsys.readouterr()
    assert run(["explain", "m.glade", "parts", "--row", "650"]) == 0
    of_parts = capsys.readouterr().out.splitlines()
    assert run(["explain", "m.glade", "whole.parquet", "--row", "650"]) == 0
    assert of_parts[0] == "row 650 of parts"
    assert capsys.readouterr().out.splitlines()[1:] == of_parts[1:]
    assert run(["explain", "m.glade", "parts", "--row", "900"]) == 2
    assert "there is no row 900: parts has rows 0 to 899" in capsys.readouterr().err
    assert run(["report", "m.glade", "parts/*.parquet"]) == 0
    assert "900 of 900 rows are looked at" in capsys.readouterr().out
    assert (folder / "table-report.html").exists()


def test_a_sample_of_parts_is_checked(folder, capsys):
    assert run(["check", "parts/*.parquet", "-t", "sick"]) == 0
    said = capsys.readouterr().out
    assert "900 of 900 rows are looked at, drawn at random" in said
    assert "'yield' alone tells 'sick'" in said


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--test", "whole.parquet"], "--test needs the table in memory"),
        (["--nominal", "a"], "--nominal needs the table in memory"),
        (["--model", "multitree"], "--model multitree needs the table in memory"),
        (["--model", "rule-list"], "--model rule-list needs the table in memory"),
        (["--model", "beam-tree"], "--model beam-tree needs the table in memory: fit it to a sample"),
        (["--folds", "1"], "--folds 1 is too few"),
        (["--cluster", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
    ],
)
def test_what_parts_cannot_do_is_said(more, sentence, folder, capsys, monkeypatch):
    if more[0] == "--cluster":
        pytest.importorskip("distributed")
        monkeypatch.setattr("glade.scale.cluster.CONNECT_SECONDS", 0.3)
    assert run(["fit", "parts", "-t", "yield", *more]) in (2, 4)
    assert sentence in capsys.readouterr().err
