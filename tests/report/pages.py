"""Tables and models for the tests of the report."""

from functools import cache

import numpy as np
import pandas as pd

from glade import MixedForest, MixedRuleEnsemble, MixedTree
from glade.report.facts import collect_facts
from glade.report.page import render_page
from tests import fitted

HOSTILE = [
    "</script><script>window.fired = 1</script>",
    "<img src=x onerror=window.fired=1>",
    "{{ 7 * 7 }}",
    "\"'><svg onload=window.fired=1>",
    "javascript:window.fired=1",
    "-->]]>${window.fired=1}&#60;b&#62;",
    "\u2028line\u2029\u202egnp.exe\x1b[31m",
    "__proto__",
]


def targets_of(model):
    _, y = fitted.make_table()
    return y[list(model.target_schema_.names)]


def facts_of(model_name, **more):
    """The facts of one of the models in `tests.fitted`."""
    model = fitted.fit(model_name)
    return collect_facts(model, fitted.make_table()[0], targets_of(model), **more)


@cache
def page_of(name):
    return render_page(facts_of(name, name=f"{name}.csv"))


def make_hostile_table(n_rows=120):
    """Inputs, targets and categories that would like to be run."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.normal(size=n_rows) for name in HOSTILE[:4]})
    for name in HOSTILE[4:]:
        X[name] = rng.choice(np.array(HOSTILE[:6], dtype=object), n_rows)
    score = X[HOSTILE[0]] + (X[HOSTILE[4]] == HOSTILE[1])
    classes = np.array(HOSTILE[:3], dtype=object)[np.clip(score.round().astype(int) + 1, 0, 2)]
    y = pd.DataFrame({HOSTILE[0]: classes, "<b>amount</b>": score + rng.normal(size=n_rows) / 10})
    return X, y.rename(columns={HOSTILE[0]: "<i>" + HOSTILE[0]})


@cache
def hostile_pages():
    """Of rules and of a tree."""
    X, y = make_hostile_table()
    models = [
        MixedRuleEnsemble(MixedForest(8, max_depth=3), max_rules=8, random_state=0),
        MixedTree(max_leaf_nodes=8),
    ]
    return [render_page(collect_facts(model.fit(X, y), X, y, name=HOSTILE[0] + "\ud800")) for model in models]


def to_page_rows(model, X):
    """Encoded rows as the page takes them: None for missing and unseen."""
    return [[None if np.isnan(x) else x for x in row] for row in model.encode(X).tolist()]


def make_leaking_table(n_rows=200):
    """Inputs of which one is the target in other words, and one is mostly missing."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(50, 10, n_rows), "ward": rng.choice(["north", "south"], n_rows)})
    y = pd.Series(X["age"] + 5 * (X["ward"] == "north") + rng.normal(0, 8, n_rows), name="days")
    X["certificate"] = 3.0 * y + rng.normal(0, 0.5, n_rows)
    X["lab"] = np.where(rng.random(n_rows) < 0.1, y + rng.normal(0, 8, n_rows), np.nan)
    return X, y


@cache
def leaking_page():
    X, y = make_leaking_table()
    model = MixedRuleEnsemble(MixedForest(8, max_depth=3), max_rules=6, random_state=0).fit(X, y.to_frame())
    return render_page(collect_facts(model, X, y.to_frame(), name="leaks.csv"))
