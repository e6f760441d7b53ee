"""`glade fit`, `rules`, `predict` and `explain`: from a table to a model file and back."""

import io
import json
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

from glade import TreeRegressor, load, load_penguins
from glade.cli.main import run
from glade.cli.predictions import tabulate_rules
from glade.core.spreadsheets import to_csv
from tests.fitted import fit, make_table

NUMBERS = ("-t", "body_mass_g", "-t", "flipper_length_mm")
has_explain = pytest.mark.skipif(
    not hasattr(TreeRegressor, "explain"), reason="model.explain comes with the room `explain`"
)
has_tree_rules = pytest.mark.skipif(
    not hasattr(TreeRegressor, "rules_"), reason="the leaves of trees as rules come with the room `explain`"
)


@pytest.fixture(autouse=True)
def _in_folder(monkeypatch, tmp_path):
    """Models land in a folder of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Model files of two kinds, fitted by the command line."""
    folder = tmp_path_factory.mktemp("stored")
    table = folder / "penguins.csv"
    load_penguins().to_csv(table, index=False)
    for name, options in {
        "rules": (*NUMBERS, "--max-rules", "6"),
        "tree": ("-t", "species", "-t", "body_mass_g", "--model", "tree"),
        "forest": ("-t", "sex", "--model", "forest"),
    }.items():
        arguments = ["fit", str(table), *options, "--folds", "0", "-o", str(folder / f"{name}.glade")]
        assert run(arguments) == 0
    return folder


def test_fit_prints_what_it_did_and_writes_a_model(glade, penguins):
    code, out, _ = glade("fit", penguins, *NUMBERS, "--max-rules", 8, "--folds", 2)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "read 344 rows, 8 columns: 2 targets, 6 inputs (15 values missing)"
    assert lines[1] == "targets  body_mass_g numeric (2 missing) · flipper_length_mm numeric (2 missing)"
    assert "note     2 row(s) know no target and are not used" in lines
    assert re.search(
        r"^fitted   10 trees of [\d,]+ nodes, [1-8] rules?( and \d linear terms?)? kept, \d:\d\d$", out, re.MULTILINE
    )
    head = next(k for k, line in enumerate(lines) if line.startswith("2-fold error"))
    assert lines[head - 1].startswith("quality  much better than guessing for all 2 targets, ")
    assert lines[head].split()[2:] == ["guessing", "boosting", "these", "rules"]
    for line, name, least in zip(lines[head + 1 :], ("body_mass_g", "flipper_length_mm"), (600, 10), strict=False):
        target, metric, mean, *others = line.split(" ± ")[0].split()
        assert (target, metric) == (name, "RMSE")
        assert float(mean) > least > max(map(float, others))
    assert lines[-2:] == ["wrote penguins.glade", f"next: glade explain penguins.glade {penguins} --row 0"]
    model = load("penguins.glade")
    assert model.to_text() in out
    assert 1 <= model.size_.terms <= 8


@pytest.mark.parametrize(
    ("targets", "model", "shown"),
    [
        (("species",), "tree", "species wrong"),
        (("species",), "rules", "these rules"),
        (("species", "body_mass_g"), "rules", "body_mass_g RMSE"),
        (("species", "body_mass_g"), "tree", "body_mass_g RMSE"),
        (("body_mass_g",), "tree", "tree of"),
        (("sex",), "forest", "importance"),
        (("sex", "year"), "forest", "wrong"),
        (("species", "island"), "multitree", "the one most like all of them"),
        (("body_mass_g",), "multitree", "all its trees"),
    ],
)
def test_fit_takes_all_kinds_of_targets(glade, penguins, targets, model, shown):
    options = [part for name in targets for part in ("-t", name)]
    code, out, _ = glade("fit", penguins, *options, "--model", model, "--folds", 2)
    assert code == 0
    assert shown in out
    assert load("penguins.glade").target_schema_.names == targets


def test_fit_says_the_same_each_time_and_for_any_number_of_cores(glade, penguins):
    outputs = []
    for jobs in (1, 2):
        options = ("-t", "sex", "--model", "forest", "--folds", 0, "--jobs", jobs, "--force")
        code, out, _ = glade("fit", penguins, *options)
        assert code == 0
        outputs.append((re.sub(r"\d:\d\d", "", out), Path("penguins.glade").read_bytes()))
    assert outputs[0] == outputs[1]


def test_identifiers_are_left_out_unless_they_are_kept(glade, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": np.arange(300)[::-1], "code": [f"c{k}" for k in range(300)], "x": rng.random(300)})
    table["y"] = table["x"] + rng.normal(0, 0.1, 300)
    table.to_csv("t.csv", index=False)
    out = glade("fit", "t.csv", "-t", "y", "--model", "tree", "--folds", 0)[1]
    assert "1 input, 2 left out (id, code: look like identifiers; --keep to use them)" in out
    assert load("t.glade").schema_.names == ("x",)
    out = glade("fit", "t.csv", "-t", "y", "--model", "tree", "--folds", 0, "--keep", "id", "--force")[1]
    assert "1 left out (code: looks like an identifier; --keep to use it)" in out
    assert load("t.glade").schema_.names == ("id", "x")


def test_weights_reach_the_fit_and_are_no_input(glade):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.random(60).round(2), "w": np.repeat([1.0, 0.0], 30), "y": np.arange(60.0)})
    table.to_csv("t.csv", index=False)
    code, out, _ = glade("fit", "t.csv", "-t", "y", "--weight", "w", "--model", "tree", "--folds", 2)
    assert (code, "1 target, 1 input\n" in out) == (0, True)
    model = load("t.glade")
    assert model.schema_.names == ("x",)
    assert model.tree_.rows[0] == 30


def test_predictions_are_those_of_the_model(glade, stored, penguins):
    code, out, err = glade("predict", stored / "tree.glade", penguins)
    assert (code, err) == (0, "")
    Path("out.csv").write_text(out)
    model, X = load(stored / "tree.glade"), load_penguins()
    expected = model.predict(X[list(model.schema_.names)])
    pd.testing.assert_frame_equal(pd.read_csv("out.csv"), expected, check_dtype=False)
    code, out, _ = glade("predict", stored / "rules.glade", penguins, "-o", "numbers.csv")
    assert code == 0
    assert out == "wrote numbers.csv: 344 rows, body_mass_g, flipper_length_mm\n"
    model = load(stored / "rules.glade")
    np.testing.assert_allclose(pd.read_csv("numbers.csv"), model.predict(X[list(model.schema_.names)]), rtol=1e-12)


def test_columns_are_found_by_name(glade, stored):
    table = load_penguins()[::-1]
    table["other"] = 1
    table[sorted(table.columns)].to_csv("new.csv", index=False)
    code, out, err = glade("predict", stored / "rules.glade", "new.csv")
    assert (code, err) == (0, "note: 'other': the model does not use this\n")
    same = glade("predict", stored / "rules.glade", stored / "penguins.csv")[1]
    assert out.splitlines()[1:] == same.splitlines()[:0:-1]
    table.drop(columns="island").to_csv("new.csv", index=False)
    code, _, err = glade("predict", stored / "rules.glade", "new.csv")
    assert code == 2
    assert "the table has no column 'island': do you mean 'species'" in err or "no column 'island': there are" in err


def test_labels_made_of_numbers_are_found_again(glade):
    """With a missing value, a column of whole numbers is read as floats; its labels stay whole."""
    years = pd.Series([2007, 2008, 2009, None] * 10)
    table = pd.DataFrame({"year": years, "x": np.arange(40) % 7, "y": years.fillna(0) * 2})
    table.to_csv("t.csv", index=False)
    assert glade("fit", "t.csv", "-t", "y", "--nominal", "year", "--model", "tree", "--folds", 0)[0] == 0
    assert load("t.glade").schema_.labels[0] == ("2007", "2008", "2009")
    table.dropna().to_csv("new.csv", index=False)
    code, out, err = glade("predict", "t.glade", "new.csv")
    assert (code, err) == (0, "")
    assert [float(line) for line in out.splitlines()[1:4]] == [4014, 4016, 4018]


def test_rules_in_every_format(glade, stored):
    model = load(stored / "rules.glade")
    assert glade("rules", stored / "rules.glade")[1] == model.to_text() + "\n"
    records = json.loads(glade("rules", stored / "rules.glade", "--format", "json")[1])
    assert [record["rule"] for record in records] == ["every row", *model.terms_.design.words]
    assert records[0]["body_mass_g"] == pytest.approx(model.terms_.offset[0])
    assert records[1]["body_mass_g"] == pytest.approx(model.terms_.effect[0, 0] * model.terms_.design.whole[0])
    Path("rules.csv").write_text(glade("rules", stored / "rules.glade", "--format", "csv")[1])
    assert pd.read_csv("rules.csv")["rule"].tolist() == [record["rule"] for record in records]
    lines = glade("rules", stored / "rules.glade", "--format", "md")[1].splitlines()
    assert len(lines) == 2 + len(records)
    assert "nan" not in lines[2]  # no row is outside the offset's
    assert lines[0] == (
        "| rule | share | body_mass_g | body_mass_g inside | body_mass_g outside | flipper_length_mm |"
        " flipper_length_mm inside | flipper_length_mm outside |"
    )


def test_linear_terms_are_rows_too():
    model = fit("rules, all")
    table = tabulate_rules(model)
    n_rules, linear = model.size_.rules, model.terms_.design.linear
    assert len(table) == 1 + model.size_.terms > 1 + n_rules
    row = make_table()[0].head(1)
    inside = row.assign(size=float(linear.low[0]) + 1)
    step = model.predict(inside.assign(size=inside["size"] + 1e-6)) - model.predict(inside)
    own = linear.input == linear.input[0]  # an input may have several ranges: all that a value lies in add up
    slopes = table["amount"].iloc[1 + n_rules :].to_numpy() / (linear.high - linear.low)
    here = own & (linear.low < inside["size"].iloc[0]) & (inside["size"].iloc[0] < linear.high)
    assert slopes[here].sum() == pytest.approx(step[0] / 1e-6, rel=1e-4)


@has_tree_rules
def test_the_leaves_of_a_tree_are_rules(glade, stored):
    records = json.loads(glade("rules", stored / "tree.glade", "--format", "json")[1])
    assert len(records) == 1 + load(stored / "tree.glade").size_.leaves


@has_explain
def test_two_classes_are_explained_by_the_probability_of_the_event(glade, penguins, tmp_path):
    model = tmp_path / "sex.glade"
    assert glade("fit", penguins, "-t", "sex", "--max-rules", 4, "--folds", 0, "-o", model)[0] == 0
    fitted = load(model)
    shares = fitted.predict_proba(load_penguins()[list(fitted.feature_names_in_)])
    event = fitted.classes_.tolist().index(fitted.event_)
    for row, label in ((int(shares[:, k].argmax()), k) for k in (0, 1)):
        _, out, _ = glade("explain", model, penguins, "--row", row)
        _, names, *terms = out.splitlines()
        cells = [re.split(r" {3,}", line)[-1] for line in terms if not line.startswith("  ")]
        assert names.strip() == f"sex = {fitted.event_}"
        assert cells[-1].endswith(f"%: {fitted.classes_[label]}")
        amounts = [float(cell.partition("%")[0]) for cell in cells]
        assert len(amounts) > 2
        assert sum(amounts[:-1]) == pytest.approx(amounts[-1], abs=0.6 * len(amounts))
        assert amounts[-1] == pytest.approx(100 * shares[row, event], abs=0.6)


@has_explain
@pytest.mark.parametrize("name", ["rules", "tree", "forest"])
def test_contributions_add_up_on_the_screen(glade, stored, name):
    code, out, _ = glade("explain", stored / f"{name}.glade", stored / "penguins.csv", "--row", 7)
    assert code == 0
    head, names, *terms = out.splitlines()
    assert head == "row 7 of penguins.csv"
    model = load(stored / f"{name}.glade")
    assert all(target in names for target in model.target_schema_.names)
    terms = [line for line in terms if not line.startswith("  ")]  # where words go on, there are no amounts
    cells = [re.split(r" {3,}", line)[-1] for line in terms if re.split(r" {3,}", line)[-1]]
    amounts = [float(cell.partition("%")[0]) for cell in cells]
    assert terms[-1].startswith("prediction")
    assert sum(amounts[:-1]) == pytest.approx(amounts[-1], rel=0.01, abs=0.01 if name != "forest" else 3.0)


def test_cells_that_a_spreadsheet_would_run_are_marked_as_text_and_numbers_are_not():
    """S5"""
    table = pd.DataFrame({"=1+1": ["=cmd()", "+1", "-x", "@a", "\tb", "plain", None], "n": [-1.5] * 7})
    guarded = to_csv(table).splitlines()
    assert guarded[0] == "'=1+1,n"
    assert guarded[1:] == ["'=cmd(),-1.5", "+1,-1.5", "'-x,-1.5", "'@a,-1.5", "'\tb,-1.5", "plain,-1.5", ",-1.5"]
    assert to_csv(table, raw=True) == table.to_csv(index=False)


SLIPS = {
    "a nominal target for rules": (
        ("fit", "PENGUINS", "-t", "sex", "--model", "fire"),
        "--model fire is for numeric targets, and 'sex' is nominal: use --model rules or soft-rules",
    ),
    "rules of a forest": (("rules", "STORED/forest.glade"), "trees has no short list of rules"),
    "rules for a forest": (
        ("fit", "PENGUINS", "-t", "year", "--model", "forest", "--max-rules", "3"),
        "--max-rules is for rules and trees",
    ),
    "rules for a multitree": (
        ("fit", "PENGUINS", "-t", "year", "--model", "multitree", "--max-rules", "3"),
        "--max-rules is for rules and trees",
    ),
    "no model": (("predict", "none.glade", "PENGUINS"), "'none.glade' does not exist: give a model file"),
    "a folder for a model": (("rules", "."), "'.' is a folder"),
    "a file that is there": (("fit", "PENGUINS", "-t", "year", "-o", "PENGUINS"), "is there already: --force to"),
    "no folder": (("fit", "PENGUINS", "-t", "year", "-o", "none/m.glade"), "there is no folder 'none'"),
    "a weight that is text": (("fit", "PENGUINS", "-t", "year", "--weight", "sex"), "weights in column 'sex' are no"),
    "a target as weight": (("fit", "PENGUINS", "-t", "year", "--weight", "year"), "both a target and the weight"),
    "too many folds": (("fit", "PENGUINS", "-t", "year", "--folds", "400"), "400 folds of 344 rows"),
    "no such row": (("explain", "STORED/rules.glade", "PENGUINS", "--row", "344"), "has rows 0 to 343"),
    "a number that is text": (
        ("predict", "STORED/rules.glade", "TEXT"),
        "line 3: column 'bill_length_mm' is no numeric one: it holds 'long'",
    ),
}


@pytest.mark.parametrize("case", SLIPS)
def test_a_slip_is_one_sentence_and_exit_2(glade, penguins, stored, case):
    table = load_penguins().astype({"bill_length_mm": object})
    table.loc[1, "bill_length_mm"] = "long"
    table.to_csv("text.csv", index=False)
    arguments, message = SLIPS[case]
    places = {"PENGUINS": penguins, "TEXT": "text.csv"}
    code, _, err = glade(*(places.get(a, a.replace("STORED", str(stored))) for a in arguments))
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*.glade"))


@pytest.mark.parametrize("command", ["rules", "predict", "explain"])
def test_a_file_that_is_no_model_is_exit_3(glade, penguins, stored, command):
    content = (stored / "rules.glade").read_bytes()
    Path("broken.glade").write_bytes(content[:-1])
    rest = {"rules": (), "predict": (penguins,), "explain": (penguins, "--row", "0")}[command]
    for path in ("broken.glade", penguins):
        code, _, err = glade(command, path, *rest)
        assert code == 3
        assert err.startswith("glade: ")
        assert "cannot be loaded: " in err
        assert err.count("\n") == 1


def test_f14_an_interrupted_fit_writes_nothing(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((4000, 10))).rename(columns=str)
    table.to_csv("t.csv", index=False)
    arguments = ["fit", "t.csv", "-t", "0", "--model", "forest", "--folds", "200"]
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-um", "glade", *arguments], stdout=pipe, stderr=pipe, text=True)
    while not process.stdout.readline().startswith("fitted"):  # then come many minutes of folds
        assert process.poll() is None
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "nothing is half-written" in err
    assert "Traceback" not in err
    assert [path.name for path in Path().iterdir()] == ["t.csv"]


def test_f9_a_full_disk_is_exit_4_and_keeps_the_old_file(glade, penguins, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    Path("penguins.glade").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    code, _, err = glade("fit", penguins, "-t", "year", "--model", "tree", "--folds", 0, "--force")
    assert code == 4
    assert "No space left on device: the" in err
    assert Path("penguins.glade").read_bytes() == b"old"
    assert sorted(path.name for path in Path().iterdir()) == ["penguins.csv", "penguins.glade"]


def make_groups():
    """Rows of a group share an input and a target: without --group a model recognises the group."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(20), 6)
    mark = rng.random(20)[group]
    return pd.DataFrame({"g": group, "mark": mark, "x": rng.random(120), "y": rng.normal(0, 1, 20)[group]})


def test_groups_stay_in_one_fold(glade):
    make_groups().to_csv("t.csv", index=False)
    errors = {}
    for options in (("--drop", "g"), ("--group", "g")):
        code, out, _ = glade("fit", "t.csv", "-t", "y", "--model", "tree", "--folds", 4, "--force", *options)
        assert code == 0
        assert "1 target, 2 inputs" in out
        errors[options[0]] = float(re.search(r"y RMSE +\S+ +\S+ +(\S+)", out).group(1))
    assert errors["--drop"] < 0.8 * errors["--group"]
    code, _, err = glade("fit", "t.csv", "-t", "y", "--group", "g", "--folds", 21, "--force")
    assert (code, "21 folds of 20 groups" in err) == (2, True)


def test_a_held_out_table_is_judged_with_the_kinds_of_the_first(glade):
    rng = np.random.default_rng(0)
    code = rng.choice(["007", "010", "100"], 200)
    table = pd.DataFrame({"code": code, "x": rng.random(200), "w": 1.0})
    table["y"] = (code == "007") * 5 + table["x"]
    table[:150].to_csv("train.csv", index=False)
    held_out = table[150:].assign(code="100", y=table["x"])  # no leading zero in sight
    held_out.to_csv("new.csv", index=False)
    options = ("-t", "y", "--model", "tree", "--folds", 0, "--weight", "w", "--test", "new.csv")
    status, out, _ = glade("fit", "train.csv", *options)
    assert status == 0
    assert re.search(r"^error on 50 other rows +guessing +boosting +this tree$", out, re.MULTILINE)
    mean, boosting, tree = map(float, re.search(r"y RMSE +(\S+) +(\S+) +(\S+)", out).groups())
    known = table[:150]["y"].mean()
    assert mean == pytest.approx(np.sqrt(((held_out["y"] - known) ** 2).mean()), rel=1e-3)
    assert tree < 0.3
    assert boosting < mean
    assert out.splitlines()[-1].endswith("next: glade explain train.glade new.csv --row 0")
    held_out.drop(columns="x").to_csv("new.csv", index=False)
    status, _, err = glade("fit", "train.csv", *options, "--force")
    assert (status, "the table has no column 'x'" in err) == (2, True)


def test_unknown_targets_of_a_held_out_table_do_not_count(glade, penguins):
    options = ("-t", "species", "-t", "body_mass_g", "--model", "tree", "--folds", 0, "--test", penguins)
    status, out, _ = glade("fit", penguins, *options)
    assert status == 0
    assert re.search(r"species wrong +55.8% ", out)


def test_weights_reach_the_comparison(glade):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.random(90).round(1), "w": np.tile([1.0, 0.0, 0.0], 30)})
    table["y"] = np.where(table["w"] > 0, table["x"], 100.0)
    table.to_csv("t.csv", index=False)
    status, out, _ = glade("compare", "t.csv", "-t", "y", "--weight", "w", "--folds", 2)
    assert (status, "1 target, 1 input\n" in out) == (0, True)
    tree = re.search(r"^tree +(\S+)", out, re.MULTILINE).group(1)
    assert float(tree) > 50  # judged on all rows, fitted to those that count


def test_a_loss_of_counts_and_of_quantiles(glade, penguins):
    options = ("-t", "body_mass_g", "--max-rules", 5, "--folds", 0)
    assert glade("fit", penguins, *options, "--loss", "poisson")[0] == 0
    model = load("penguins.glade")
    assert (model.loss, model.model_.scores.losses.losses[0].name) == ("poisson", "poisson")
    assert glade("fit", penguins, *options, "--loss", "quantile", "--quantile", 0.9, "--force")[0] == 0
    assert load("penguins.glade").quantile == 0.9
    for more, said in {
        ("--quantile", 0.9): "give --loss quantile too",
        ("--loss", "huber", "--model", "tree"): "--loss is for --model rules or rulefit or forest",
        ("--loss", "huber", "-t", "species"): "is for numeric targets, and 'species' is nominal",
    }.items():
        code, _, err = glade("fit", penguins, *options, "--force", *more)
        assert code == 2
        assert said in err


def test_predict_adds_the_ends_of_intervals(glade, penguins, stored):
    code, out, _ = glade("predict", stored / "rules.glade", penguins, "--interval", 0.9)
    assert code == 0
    predicted = pd.read_csv(io.StringIO(out))
    assert predicted.columns.tolist()[:3] == ["body_mass_g", "body_mass_g lower", "body_mass_g upper"]
    truth = load_penguins()["body_mass_g"]
    inside = (predicted["body_mass_g lower"] <= truth) & (truth <= predicted["body_mass_g upper"])
    assert 0.87 < inside[truth.notna()].mean() <= 1
    for name, said in {"tree": "--interval is for rules and forests", "forest": "--interval is for rules"}.items():
        code, _, err = glade("predict", stored / f"{name}.glade", penguins, "--interval", 0.9)
        assert code == 2
        assert said in err


def test_a_score_card_from_the_command_line(glade, penguins):
    options = ("-t", "sex", "--model", "score-card", "--max-rules", 4, "--folds", 2)
    code, out, _ = glade("fit", penguins, *options)
    assert code == 0
    assert "score card of 4 lines for sex: " in out
    code, out, _ = glade("rules", "penguins.glade")
    assert code == 0
    assert "sum of points" in out
    assert glade("explain", "penguins.glade", penguins, "--row", 0)[0] == 0
    assert glade("report", "penguins.glade", penguins, "-o", "page.html")[0] == 0
    code, _, err = glade("fit", penguins, "-t", "body_mass_g", "--model", "score-card", "--force")
    assert code == 2
    assert "score-card is for nominal targets" in err


def test_predictions_that_may_only_rise(glade, penguins):
    options = ("-t", "body_mass_g", "--folds", 0, "--max-rules", 6, "--force")
    way = ("--monotone", "flipper_length_mm=up", "--monotone", "bill_depth_mm=down")
    for model in ("rules", "tree"):
        assert glade("fit", penguins, *options, *way, "--model", model)[0] == 0
        fitted = load("penguins.glade")
        assert fitted.monotonic_cst == {"flipper_length_mm": 1, "bill_depth_mm": -1}
        rows = load_penguins().drop(columns="body_mass_g").dropna()
        higher = rows.assign(flipper_length_mm=rows["flipper_length_mm"] + 10)
        assert (fitted.predict(higher) >= fitted.predict(rows) - 1e-9).all()
    for more, said in {
        ("--monotone", "year=sideways"): "is not of the form COLUMN=up or COLUMN=down",
        ("--monotone", "nothing=up"): "monotonic_cst names 'nothing', which is no input",
        ("--monotone", "year=up", "--model", "soft-rules"): "--monotone is for rules, trees and forests",
    }.items():
        code, _, err = glade("fit", penguins, *options, *more)
        assert code == 2
        assert said in err


def test_fit_says_how_much_there_is_to_read_and_how_much_comes_back(glade, penguins):
    code, out, err = glade("fit", penguins, "-t", "body_mass_g", "--max-rules", "4", "--folds", "0")
    assert code == 0, err
    pattern = r"(\d+) terms?, (\d+) conditions?; (\d+) of the (\d+) come back when a third of the rows is left out"
    n_terms, n_conditions, n_back, n_again = map(int, re.search(pattern, out + err).groups())
    assert n_back <= n_terms == n_again <= 4
    assert n_conditions <= 12
