"""`glade export`, and the rules of a model as data."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

import glade as library
from glade.cli.export import DIALECTS, PRECISIONS, TO
from glade.exports.forms import FORMS, PAGES
from glade.exports.onnx import PRECISIONS as OF_ONNX
from glade.exports.sql import DIALECTS as OF_SQL
from tests.fitted import fit, make_table


@pytest.fixture
def model(tmp_path):
    fit("rules, mixed").save(tmp_path / "m.glade")
    return tmp_path / "m.glade"


def test_the_command_knows_what_the_library_knows():
    assert set(TO) == {*FORMS, *PAGES}
    assert set(DIALECTS) == set(OF_SQL)
    assert set(PRECISIONS) == set(OF_ONNX)


@pytest.mark.parametrize("form", TO)
def test_a_model_is_written_in_every_form(glade, model, form):
    out = model.with_suffix(f".{form}")
    code, said, _ = glade("export", model, "--to", form, "-o", out)
    assert (code, said) == (0, f"wrote {out} ({form})\n")
    content = library.export(library.load(model), form)
    assert out.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert glade("export", model, "--to", form, "-o", out)[0] == 2
    assert glade("export", model, "--to", form, "-o", out, "--force")[0] == 0
    if form != "onnx":
        assert glade("export", model, "--to", form)[1].strip() == str(content).strip()


def test_settings_of_a_form(glade, model):
    options = ("--dialect", "sqlite", "--table", "people", "--keep", "size", "--keep", "wet")
    code, said, _ = glade("export", model, "--to", "sql", *options)
    assert code == 0
    settings = {"dialect": "sqlite", "table": "people", "keep": ["size", "wet"]}
    assert said.strip() == library.export(library.load(model), "sql", **settings).strip()
    assert "SELECT\n  x" not in said
    code, _, err = glade("export", model, "--to", "json", "--dialect", "sqlite")
    assert (code, "--dialect is for --to sql" in err) == (2, True)
    code, _, err = glade("export", model, "--to", "onnx")
    assert (code, "name a file with -o" in err) == (2, True)


def test_a_query_from_the_command_line_runs(glade, penguins, tmp_path):
    stored = tmp_path / "p.glade"
    assert glade("fit", penguins, "-t", "body_mass_g", "--model", "tree", "--folds", 0, "-o", stored)[0] == 0
    query = glade("export", stored, "--to", "sql", "--dialect", "sqlite", "--table", "birds", "--keep", "rowid")[1]
    table = pd.read_csv(penguins)
    with sqlite3.connect(":memory:") as engine:
        table.to_sql("birds", engine, index=False)
        found = pd.read_sql_query(query, engine).sort_values("rowid")["predicted_body_mass_g"]
    fitted = library.load(stored)
    np.testing.assert_allclose(found, fitted.predict(table[list(fitted.feature_names_in_)]), rtol=1e-12)


@pytest.mark.parametrize("name", ["rules, mixed", "rules, soft", "tree, mixed"])
def test_rules_are_whole_with_conditions_as_data(glade, tmp_path, name):
    """From JSON and from CSV alone, the rows that each hard rule covers are found again."""
    fitted, X = fit(name), make_table()[0]
    fitted.save(tmp_path / "m.glade")
    records = json.loads(glade("rules", tmp_path / "m.glade", "--format", "json")[1])
    (tmp_path / "r.csv").write_text(glade("rules", tmp_path / "m.glade", "--format", "csv")[1])
    of_csv = [json.loads(own) for own in pd.read_csv(tmp_path / "r.csv")["conditions"]]
    assert of_csv == [record["conditions"] for record in records]
    assert not any("…" in record["rule"] for record in records if " softly" not in record["rule"])
    if name == "rules, soft":
        return
    rules = fitted.rules_ if name == "tree, mixed" else fitted.model_.terms.design.rules
    own = [record for record in records if "linear" not in record["rule"] and record["rule"] != "every row"]
    found = np.column_stack([np.all([_fulfils(c, X) for c in record["conditions"]], axis=0) for record in own])
    assert (found == rules.covers(X)).all()


def _fulfils(condition, X):
    column = X[condition["input"]]
    if condition["categories"] is None:
        low, high = condition["low"], condition["high"]
        inside = (column > (-np.inf if low is None else low)) & (column <= (np.inf if high is None else high))
    else:
        labels = {json.dumps(label) for label in condition["categories"]}
        inside = column.map(lambda x: json.dumps(x if isinstance(x, (bool, int)) else str(x)) in labels).astype(bool)
    return np.where(column.isna(), condition["missing"], inside)
