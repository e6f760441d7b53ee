"""What every form has to bear: names that are code, extreme scores, what cannot be exported."""

import re
import sqlite3

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import InputError
from glade.exports.description import Description, Input, Line, Target, Term
from glade.exports.program import LEVELS
from glade.exports.python import write_python
from glade.exports.sql import quote, quote_text, write_sql
from glade.losses.links import Identity, Logit, PairShares, Shares, Softmax
from tests.exports.tables import run_onnx

HOSTILE = [
    'a"; DROP TABLE t; --',
    "x' OR '1'='1",
    '"""\nraise SystemExit("run")\n"""',
    "line\none\r\u2028two\\",
    "{0} %s ${x} \\N{DIGIT ONE} /* */",
    "row",
    "rule_1",
    "größe µ 漢",
    'y"; --\n',
    "predicted_y' -- {",
]


def run_python(text, rows):
    names = {"__name__": "module"}
    exec(compile(text, "module", "exec"), names)  # noqa: S102
    return [(names["predict"](row), names["predict_proba"](row)) for row in rows]


def run_sqlite(model, rows, **settings):
    with sqlite3.connect(":memory:") as engine:
        engine.execute(f"create table t (id, {', '.join(map(quote, rows[0]))})")
        marks = ", ".join("?" * (1 + len(rows[0])))
        engine.executemany(f"insert into t values ({marks})", [[k, *row.values()] for k, row in enumerate(rows)])
        query = glade.export(model, "sql", dialect="sqlite", table="t", keep=["id"], **settings)
        cursor = engine.execute(query)
        names = [about[0] for about in cursor.description]
        assert len(set(map(str.casefold, names))) == len(names)
        result = pd.DataFrame(sorted(cursor.fetchall()), columns=names)
        assert engine.execute("select count(*) from t").fetchone()[0] == len(rows)
        return result


@pytest.fixture(scope="module")
def hostile():
    """A model whose inputs, categories, targets and classes all look like code."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: np.round(rng.normal(size=400), 2) for name in HOSTILE[:4]})
    for name in HOSTILE[4:8]:
        X[name] = rng.choice(HOSTILE, 400)
    score = X[HOSTILE[0]] + (X[HOSTILE[4]] == HOSTILE[1]) * 2 + (X[HOSTILE[7]] == HOSTILE[2]) * 2
    y = pd.DataFrame({HOSTILE[8]: np.array(HOSTILE)[np.clip(score.astype(int) + 1, 0, 4)], HOSTILE[9]: score})
    grove = glade.MixedForest(10, max_depth=3)
    return glade.MixedRuleEnsemble(grove, max_rules=12, random_state=0).fit(X, y), X


def test_hostile_names_stay_names_in_python(hostile):
    model, X = hostile
    text = glade.export(model, "python")
    said = run_python(text, X.to_dict("records"))
    assert [own[0][HOSTILE[8]] for own in said] == model.predict(X)[HOSTILE[8]].tolist()
    np.testing.assert_allclose([own[0][HOSTILE[9]] for own in said], model.predict(X)[HOSTILE[9]], rtol=1e-12)


def test_hostile_names_stay_names_in_sql(hostile):
    model, X = hostile
    result = run_sqlite(model, X.to_dict("records"))
    assert result.iloc[:, 1].tolist() == model.predict(X)[HOSTILE[8]].tolist()
    np.testing.assert_allclose(result.iloc[:, -1], model.predict(X)[HOSTILE[9]], rtol=1e-12)


def test_hostile_names_stay_names_in_json(hostile):
    model, X = hostile
    text = glade.export(model, "json")
    assert text.isascii()
    same = glade.from_json(text)
    assert same.schema_.names == tuple(X)
    pd.testing.assert_frame_equal(same.predict(X), model.predict(X), rtol=1e-12)


def test_hostile_names_stay_names_in_onnx(hostile):
    pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, X = hostile
    found = run_onnx(glade.export(model, "onnx", precision="float64"), X)
    assert found[f"predicted_{HOSTILE[8]} 0"].tolist() == model.predict(X)[HOSTILE[8]].tolist()
    np.testing.assert_allclose(found[f"predicted_{HOSTILE[9]} 0"], model.predict(X)[HOSTILE[9]], rtol=1e-12)


HOSTILE_LATEX = ["\\input{/etc/passwd}", "a & b \\\\ c", "$x^2_3$", "100% # ~ {", "<= \\end{tabular}"]
COMMANDS = (
    r"\\(textbackslash|textless|textgreater|textbar|textasciitilde|textasciicircum|textquotesingle|textquotedbl)\{\}"
)


def test_hostile_names_stay_names_in_latex():
    """No command, group, cell or comment is left of what a table brings along."""
    X = pd.DataFrame({name: np.arange(40.0) % (k + 3) for k, name in enumerate(HOSTILE_LATEX)})
    X["c"] = np.array(HOSTILE_LATEX)[np.arange(40) % 5]
    y = pd.DataFrame({HOSTILE_LATEX[1]: np.array(HOSTILE_LATEX)[np.arange(40) % 5], "b": X[HOSTILE_LATEX[0]]})
    tree = glade.MixedTree().fit(X, y)
    lines = glade.export(tree, "latex").splitlines()
    assert tree.size_.leaves > 3
    for line in lines[5:-2]:
        own = re.sub(COMMANDS, "", line.removesuffix(r" \\"))
        own = re.sub(
            r"^\\hangindent=\d+em\\hspace\*\{\d+em\}|\\[{}$&#%_]|\{-\}|\$(\\le|\\ne|[=<>]|[\d.+-]+)\$", "", own
        )
        assert own.count("&") == 3
        assert not set("\\{}$%#_~^<>") & set(own), own


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_sql_cannot_hold_is_refused(text):
    for write in (quote, quote_text):
        with pytest.raises(InputError, match="a character that SQL cannot"):
            write(text)


LINKS = [Identity(1), Shares(3), PairShares(2), Logit(2), Softmax(4)]
SCORES = [0.0, 0.3, -0.2, 1.0, 5.0, -40.0, 710.0, -800.0, 1e6]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link.name)
def test_links_are_those_of_the_losses(link):
    """Whatever the scores are, the values are numbers, and those of the link."""
    n = link.n_scores
    rng = np.random.default_rng(0)
    scores = np.array([rng.permutation(SCORES)[:n] for _ in range(50)] + [[s] * n for s in SCORES])
    classes = None if link.n_values == 1 else tuple("abcdef"[: link.n_values])
    inputs = tuple(Input(f"s{k}", "numeric", (), False) for k in range(n))
    terms = tuple(
        Term("", tuple(float(s == k) for s in range(n)), None, line=Line(k, -1e9, 1e9, 0.0, 1.0)) for k in range(n)
    )
    model = Description("rules", inputs, (Target("y", classes, link.name, n),), (0.0,) * n, terms)
    rows = [{f"s{k}": float(value) for k, value in enumerate(own)} for own in scores]
    values = link.inverse(scores.T).T
    said = run_python(write_python(model), rows)
    names = [f"probability_y_{c}" for c in classes or ""] or ["predicted_y"]
    found = run_sqlite(model, rows)[names].to_numpy(float)
    np.testing.assert_allclose(found, values, rtol=1e-12, atol=1e-300)
    own = [list(p["y"].values()) if classes else [v["y"]] for v, p in said]
    np.testing.assert_allclose(own, values, rtol=1e-12, atol=1e-300)


def test_a_model_of_thousands_of_terms_is_added_up_in_parts():
    inputs = (Input("x", "numeric", (), False),)
    line = Line(0, -1e9, 1e9, 0.0, 1.0)
    terms = tuple(Term("", (float(k),), None, line=line) for k in range(450))
    model = Description("rules", inputs, (Target("y", None, "identity", 1),), (0.5,), terms)
    rows = [{"x": 2.0}, {"x": None}]
    expected = [0.5 + 2.0 * sum(range(450)), 0.5]
    assert [own["y"] for own, _ in run_python(write_python(model), rows)] == expected
    assert run_sqlite(model, rows)["predicted_y"].tolist() == expected


def test_deep_trees_are_gone_down_in_steps():
    x, y = np.arange(60.0)[:, None], 2.5 ** np.arange(60)
    tree = glade.TreeRegressor().fit(x, y)
    rows = [{"x0": float(value)} for value in x[:, 0]]
    assert tree.tree_.depth.max() >= 2 * LEVELS - 2
    assert [own["y"] for own, _ in run_python(glade.export(tree, "python"), rows)] == tree.predict(x).tolist()
    assert run_sqlite(tree, rows)["predicted_y"].tolist() == tree.predict(x).tolist()


def test_numbers_in_tables_read_from_csv_may_be_empty_text():
    model = glade.TreeRegressor(max_depth=1).fit([[1.0], [2.0], [np.nan], [np.nan]], [1.0, 5.0, 9.0, 9.0])
    rows = [{"x0": ""}, {"x0": "1.0"}, {"x0": None}]
    expected = model.predict([[np.nan], [1.0], [np.nan]]).tolist()
    assert run_sqlite(model, rows)["predicted_y"].tolist() == expected
    assert [own["y"] for own, _ in run_python(glade.export(model, "python"), rows)] == expected


def test_columns_that_are_kept_do_not_meet_those_that_are_made():
    model = glade.TreeClassifier(max_depth=2, smoothing=None).fit([[1.0], [2.0], [3.0]], ["a", "b", "A"])
    query = glade.export(model, "sql", dialect="sqlite", table="glade_1", keep=["glade_0", "predicted_y"])
    with sqlite3.connect(":memory:") as engine:
        engine.execute("create table glade_1 (x0, glade_0, predicted_y)")
        engine.execute("insert into glade_1 values (2, 'kept', 'too')")
        row = engine.execute(query).fetchone()
    assert row == ("kept", "too", "b", 0.0, 0.0, 1.0)


def test_what_cannot_be_exported_is_said():
    X, y = [[1.0], [2.0], [3.0]] * 10, [1.0, 2.0, 3.0] * 10
    tree = glade.TreeRegressor().fit(X, y)
    with pytest.raises(InputError, match="no form 'fortran'"):
        glade.export(tree, "fortran")
    with pytest.raises(InputError, match="no dialect 'oracle'"):
        glade.export(tree, "sql", dialect="oracle")
    with pytest.raises(InputError, match="'python' has no such setting"):
        glade.export(tree, "python", table="t")
    with pytest.raises(InputError, match="a list cannot be exported"):
        glade.export([], "sql")
    with pytest.raises(InputError, match=r"model\.archetype\(\)"):
        glade.export(glade.MultiTreeRegressor(2).fit(X, y), "sql")
    with pytest.raises(InputError, match="a forest has no table"):
        glade.export(glade.ForestRegressor(2).fit(X, y), "latex")
    odd = Description("rules", (), (Target("y", None, "cloglog", 1),), (0.0,))
    with pytest.raises(InputError, match="the link 'cloglog' of target 'y'"):
        write_sql(odd)
