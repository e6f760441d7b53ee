"""JSON: what it holds, read back, checked by the schema, and refused where somebody changed it."""

import copy
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import ModelFileError
from tests.exports.test_engines import LISTS, load

SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "model.schema.json"


@pytest.mark.parametrize(
    "name", ["fire", "forest-boosted", "rules-mixed", "soft-rules", "rulefit-classes", "tree-mixed", *LISTS]
)
def test_exports_are_as_the_schema_says(name):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    model, _, _ = load(name)
    jsonschema.validate(json.loads(glade.export(model, "json")), json.loads(SCHEMA.read_text("utf-8")))


def test_conditions_are_data():
    penguins = glade.load_penguins()
    X = penguins[["island", "bill_length_mm"]]
    tree = glade.TreeRegressor(max_leaf_nodes=3).fit(X[penguins.body_mass_g.notna()], penguins.body_mass_g.dropna())
    content = json.loads(glade.export(tree, "json"))
    test = content["sums"][0]["trees"][0][0]["test"]
    assert test == {
        "input": "island",
        "low": None,
        "high": None,
        "categories": ["Dream", "Torgersen"],
        "missing": test["missing"],
    }


@pytest.mark.parametrize("targets", [["a"], ["a", "b"], ["k"], ["k", "l"], ["a", "k"]])
def test_predictions_have_the_form_of_the_estimator(targets):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.random(60), "c": rng.choice(list("uvw"), 60)}, index=range(100, 160))
    every = {"a": X.x, "b": X.x**2, "k": np.where(X.x > 0.5, "yes", "no"), "l": np.where(X.c == "u", 1, 2)}
    y = pd.DataFrame({name: every[name] for name in targets}, index=X.index)
    kind = glade.MixedTree if targets == ["a", "k"] else glade.TreeRegressor if "a" in targets else glade.TreeClassifier
    tree = kind(max_depth=3).fit(X, y if len(targets) > 1 else y.iloc[:, 0])
    same = glade.from_json(glade.export(tree, "json"))
    said, again = tree.predict(X), same.predict(X)
    assert type(said) is type(again)
    assert np.array_equal(said, again)
    if kind is glade.MixedTree:
        pd.testing.assert_frame_equal(said, again)
        pd.testing.assert_frame_equal(tree.predict_proba(X)["k"], same.predict_proba(X)["k"])
    elif kind is glade.TreeClassifier:
        shares, others = tree.predict_proba(X), same.predict_proba(X)
        assert type(shares) is type(others)
        assert np.array_equal(shares, others)


def test_a_model_that_was_read_is_exported_again():
    model, _, _ = load("rules-classes")
    same = glade.from_json(glade.export(model, "json").encode())
    for form in ("sql", "python"):
        assert glade.export(same, form) == glade.export(model, form)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "is no JSON"),
        ("[1]", "it is not an object"),
        ("[" * 100_000, "is no JSON"),
        ('{"format": "other"}', "its format is not"),
        ('{"format": "glade model", "version": 2}', "version 2"),
        ('{"format": "glade model", "version": 1, "inputs": NaN}', "NaN"),
    ],
)
def test_other_texts_are_refused(text, fault):
    with pytest.raises(ModelFileError, match=fault):
        glade.from_json(text)


def list_places(value, place=()):
    """The place of each entry of JSON, however deep."""
    yield place
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, own in entries:
        yield from list_places(own, (*place, key))


STRANGE = [None, True, -1, 10**6, 1e308, "no such thing", [], {}, [[]], 0.5]


@pytest.mark.parametrize("name", ["rules-mixed", "soft-rules", "tree-of-one-leaf", "tree-mixed"])
def test_changed_texts_are_refused_or_give_a_model_that_predicts(name):
    model, rows, _ = load(name)
    content, rng, few = json.loads(glade.export(model, "json")), np.random.default_rng(0), rows.head(20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matrix = model.encode(few)
    places = [place for place in list_places(content) if place]
    refused = 0
    for k in rng.choice(len(places), 300):
        changed = copy.deepcopy(content)
        *way, last = places[k]
        here = changed
        for key in way:
            here = here[key]
        value = STRANGE[rng.integers(len(STRANGE) + 1) - 1]
        if rng.random() < 0.2:
            del here[last]
        else:
            here[last] = value
        try:
            same = glade.from_json(json.dumps(changed))
        except ModelFileError:
            refused += 1
            continue
        if len(same.schema_.names) == len(model.schema_.names):
            assert len(same.predict_values(matrix)) == len(few)
    assert refused > 100
