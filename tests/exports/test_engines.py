"""What exports give in real engines, beside `predict` and `predict_proba` on random rows."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glade
from tests import fitted
from tests.exports.postgres import Server, find_programs
from tests.exports.tables import list_classes, list_outputs, list_records, make_rows, run_onnx, to_plain

GOLDEN = Path(__file__).parents[1] / "golden"
LISTS = ["rule list", "rule list, classes, unordered", "rules, logic"]
DECIDED = ["tree, costs", "tree, mixed, decided", "forest, mixed, decided"]
SIGNED = ["tree, nice cuts", "tree, signs of classes", "rules, signs of a class"]
NEWER = [
    "score card",
    "rulefit, counts",
    "rulefit, quantiles",
    *LISTS,
    *DECIDED,
    *SIGNED,
]  # than the golden files; fitted here
ALL = [path.stem for path in sorted(GOLDEN.glob("*.glade")) if not path.stem.startswith("multi-tree")] + NEWER
SOME = [  # with GLADE_LONG=1 all are tried
    "fire", "forest-classes-boosted", "forest-mixed-per-target", "forest-per-target", "rulefit-classes",
    "rules-classes", "rules-soft-and-hard", "soft-rules", "tree-booleans", "tree-mixed", "tree-of-one-leaf",
    "tree-whole-numbers", "score card", "rulefit, counts", *LISTS, *DECIDED,
]  # fmt: skip
IN_POSTGRES = ["rules-soft-and-hard", "tree-mixed", "score card"]  # each takes some seconds
MODELS = ALL if os.environ.get("GLADE_LONG") else SOME
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@cache
def load(name):
    """A model, random rows for it, and what it says of them."""
    model = fitted.fit(name) if name in NEWER else glade.load(GOLDEN / f"{name}.glade")
    rows = make_rows(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model, rows, model.predict_values(model.encode(rows))


def check_frame(name, frame):
    """The columns of a result, in the order of the rows, are what the model says."""
    model, rows, values = load(name)
    assert len(frame) == len(rows)
    found = frame[list_outputs(model)].to_numpy(float)
    np.testing.assert_allclose(found, values, **CLOSE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classes = list_classes(model, rows)
    for target, (labels, sure) in classes.items():
        own = [to_plain(value) for value in frame[f"predicted_{target}"].tolist()]
        assert sure.mean() > 0.5
        assert [a == b for a, b, s in zip(own, labels, sure, strict=True) if s] == [True] * int(sure.sum())


@pytest.mark.parametrize("name", MODELS)
def test_sqlite(name):
    model, rows, _ = load(name)
    columns = [f'"{column}"' for column in rows]
    with sqlite3.connect(":memory:") as engine:
        if engine.execute("select sqlite_version() < '3.35'").fetchone()[0]:
            pytest.skip("this SQLite is older than 3.35")
        engine.execute(f"create table t (id integer, {', '.join(columns)})")
        marks = ", ".join("?" * (len(columns) + 1))
        records = [[k, *record.values()] for k, record in enumerate(list_records(rows))]
        engine.executemany(f"insert into t values ({marks})", records)
        cursor = engine.execute(glade.export(model, "sql", dialect="sqlite", table="t", keep=["id"]))
        names = [about[0] for about in cursor.description]
        check_frame(name, pd.DataFrame(sorted(cursor.fetchall()), columns=names))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("dialect", ["duckdb", "ansi"])
def test_duckdb(name, dialect):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    import pyarrow as pa

    model, rows, _ = load(name)
    records = [{"id": k, **record} for k, record in enumerate(list_records(rows))]
    with duckdb.connect(config={"threads": 1}) as engine:
        engine.register("t", pa.Table.from_pylist(records))
        query = glade.export(model, "sql", dialect=dialect, table="t", keep=["id"])
        check_frame(name, engine.sql(query).to_arrow_table().to_pandas().sort_values("id"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed, or no user can run it")
    server = Server(programs, tmp_path_factory.mktemp("postgres"))
    try:
        running = server.__enter__()
    except (OSError, AssertionError) as fault:
        pytest.skip(f"PostgreSQL does not start here: {fault}")
    yield running
    server.__exit__()


@pytest.mark.parametrize("name", MODELS if os.environ.get("GLADE_LONG") else IN_POSTGRES)
def test_postgres(name, server):
    model, rows, _ = load(name)
    records = [{"id": k, **record} for k, record in enumerate(list_records(rows))]
    server.fill("t", records)
    query = glade.export(model, "sql", dialect="postgres", table="t", keep=["id"])
    check_frame(name, server.read(query).sort_values("id"))


# Of the largest value of a channel. Soft rules are steep, and multiply the rounding of their inputs.
TOLERANCE = {"float64": 1e-10, "float32": 1e-6, "float32, soft": 1e-4}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_onnx(name, precision):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnx", reason="onnx is not installed")
    model, rows, values = load(name)
    found = run_onnx(glade.export(model, "onnx", precision=precision), rows)
    targets = model.target_schema_
    columns = []
    for target, classes in zip(targets.names, targets.classes, strict=True):
        n = 1 if classes is None else len(classes)
        columns += [f"{'predicted' if classes is None else 'probability'}_{target} {k}" for k in range(n)]
        if classes is not None:
            labels, is_sure = list_classes(model, rows, tolerance=1e-3)[target]
            best = [label for label, sure in zip(labels, is_sure, strict=True) if sure]
            assert [to_plain(label) for label in found.loc[is_sure, f"predicted_{target} 0"].tolist()] == best
    assert len(found) == len(rows)
    tolerance = TOLERANCE[f"{precision}, soft" if "soft" in name and precision == "float32" else precision]
    apart = np.abs(found[columns].to_numpy(float) - values) / np.abs(values).max(axis=0)
    assert apart.max() <= tolerance


@pytest.mark.parametrize("name", MODELS)
def test_json_read_back(name):
    """The records as another program would hold them: intervals are text."""
    model, rows, values = load(name)
    same = glade.from_json(glade.export(model, "json"))
    assert glade.export(same, "json") == glade.export(model, "json")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = same.predict_values(same.encode(pd.DataFrame(list_records(rows), dtype=object)))
    np.testing.assert_allclose(found, values, **CLOSE)


@pytest.mark.parametrize("name", MODELS)
def test_bare_python(name, tmp_path):
    """In a process that has no site-packages and does not see the environment."""
    model, rows, values = load(name)
    n_rows = len(rows) if values.shape[1] < 4 or os.environ.get("GLADE_LONG") else 3_000
    (tmp_path / "module.py").write_text(glade.export(model, "python"), "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(list_records(rows.head(n_rows))), "utf-8")
    program = (
        "import json, sys; sys.path.insert(0, '.'); import module; rows = json.load(open('rows.json'))\n"
        "json.dump([[module.predict(row), module.predict_proba(row)] for row in rows], open('said.json', 'w'))\n"
        "assert not {'numpy', 'glade'} & set(sys.modules)\n"
    )
    python = shutil.which("python3") or sys.executable
    subprocess.run([python, "-I", "-S", "-c", program], cwd=tmp_path, check=True)
    frame = {}
    for predicted, shares in json.loads((tmp_path / "said.json").read_text("utf-8")):
        for target, value in predicted.items():
            frame.setdefault(f"predicted_{target}", []).append(value)
            for label, share in shares.get(target, {}).items():
                own = {"true": "True", "false": "False"}.get(label, label)
                frame.setdefault(f"probability_{target}_{own}", []).append(share)
    found = pd.DataFrame(frame)
    np.testing.assert_allclose(found[list_outputs(model)].to_numpy(float), values[:n_rows], **CLOSE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classes = list_classes(model, rows.head(n_rows))
    for target, (labels, sure) in classes.items():
        own = found[f"predicted_{target}"].tolist()
        assert [a for a, s in zip(own, sure, strict=True) if s] == [b for b, s in zip(labels, sure, strict=True) if s]
