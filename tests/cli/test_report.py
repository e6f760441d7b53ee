"""`glade report` and `glade fit --report`."""

import json
import re

import pandas as pd
import pytest


@pytest.fixture
def model(glade, penguins, tmp_path):
    """A tree's file."""
    path = tmp_path / "tree.glade"
    assert glade("fit", penguins, "-t", "species", "--model", "tree", "--folds", "0", "-o", path)[0] == 0
    return path


def facts_in(path):
    return json.loads(re.search(r'id="facts">(.*?)</script>', path.read_text(), re.DOTALL)[1])


def test_a_report_of_a_stored_model(glade, penguins, model, tmp_path):
    page = tmp_path / "page.html"
    code, out, _ = glade("report", model, penguins, "-o", page, "--folds", "2")
    assert code == 0
    assert f"wrote {page}" in out
    facts = facts_in(page)
    assert facts["table"]["name"] == "penguins.csv"
    assert facts["errors"]["how"] == "2-fold error"
    assert facts["errors"]["models"] == ["guessing", "boosting", "this model"]
    guess, boosting, own = facts["errors"]["lines"][0]["errors"]
    assert own < guess
    assert boosting < guess
    assert len(facts["sample"]["x"]) == 344
    assert facts["quality"]["isUnseen"]
    assert facts["quality"]["targets"][0]["right"] == pytest.approx(1 - own)  # of the same folds


def test_rows_and_folds_can_be_left_out(glade, penguins, model, tmp_path):
    page = tmp_path / "page.html"
    assert glade("report", model, penguins, "-o", page, "--folds", "0", "--no-data")[0] == 0
    facts = facts_in(page)
    assert facts["sample"] is None
    assert facts["errors"] is None
    assert facts["quality"]["isUnseen"]  # by what the folds kept that pruned the tree
    assert facts["verdict"].startswith("On rows it had not seen")


def test_a_table_without_targets_has_a_report(glade, penguins, model, tmp_path):
    table, page = tmp_path / "new.csv", tmp_path / "page.html"
    pd.read_csv(penguins).drop(columns="species").to_csv(table, index=False)
    assert glade("report", model, table, "-o", page)[0] == 0
    assert facts_in(page)["quality"] is None


def test_a_page_is_not_replaced_unless_asked(glade, penguins, model, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("mine")
    code, _, err = glade("report", model, penguins, "-o", page)
    assert code == 2
    assert "--force" in err
    assert page.read_text() == "mine"
    assert glade("report", model, penguins, "-o", page, "--folds", "0", "--force")[0] == 0
    code, _, err = glade("report", model, tmp_path / "none.csv", "-o", tmp_path / "other.html")
    assert code == 2
    assert "none.csv" in err


def test_fit_writes_a_report_with_its_errors(glade, penguins, tmp_path):
    page, path = tmp_path / "page.html", tmp_path / "m.glade"
    arguments = ("--model", "tree", "--folds", "2", "-o", path, "--report", page)
    code, out, _ = glade("fit", penguins, "-t", "body_mass_g", *arguments)
    assert code == 0
    assert f"wrote {path}, {page}" in " ".join(out.split())
    facts = facts_in(page)
    assert facts["errors"]["models"] == ["guessing", "boosting", "this tree"]
    shown = re.search(r"body_mass_g RMSE\s+(\S+)\s+(\S+)\s+(\S+)", out).groups()
    assert [f"{error:.4g}" for error in facts["errors"]["lines"][0]["errors"]] == list(shown)
    assert facts["quality"]["targets"][0]["rmse"] == pytest.approx(facts["errors"]["lines"][0]["errors"][-1])
    code, _, err = glade("fit", penguins, "-t", "body_mass_g", *arguments, "--report", tmp_path)
    assert (code, "is a folder" in err or "is there already" in err) == (2, True)


def test_targets_whose_classes_are_numbers(glade, penguins, tmp_path):
    table = pd.read_csv(penguins)
    table["heavy"] = (table["body_mass_g"] > 4000).astype(float).where(table["body_mass_g"].notna())
    path, page, model = tmp_path / "t.csv", tmp_path / "page.html", tmp_path / "m.glade"
    table.drop(columns="body_mass_g").to_csv(path, index=False)
    assert glade("fit", path, "-t", "heavy", "--model", "tree", "--folds", "0", "-o", model)[0] == 0
    assert glade("report", model, path, "-o", page, "--folds", "0")[0] == 0
    assert facts_in(page)["quality"]["targets"][0]["right"] > 0.7
