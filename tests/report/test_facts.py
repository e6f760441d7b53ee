"""What a report says of a model and a table."""

import json

import numpy as np
import pandas as pd
import pytest

from glade import (
    ForestClassifier,
    ForestRegressor,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    TreeRegressor,
    load_penguins,
)
from glade.report import effect_facts, sample_facts, term_facts, tree_facts
from glade.report.facts import collect_facts
from tests import fitted
from tests.report.pages import facts_of, targets_of


@pytest.mark.parametrize("name", list(fitted.MAKERS))
def test_facts_of_every_model_are_plain_and_finite(name):
    facts = facts_of(name)
    assert json.loads(json.dumps(facts, allow_nan=False))["model"]["class"] == type(fitted.fit(name)).__name__


@pytest.mark.parametrize("name", list(fitted.MAKERS))
def test_every_model_has_a_panel_in_a_notebook(name):
    model = fitted.fit(name)
    html = model._panel_as_html()
    assert (model.kind == "multitree") == (html == "")
    assert html.count("<table>") == html.count("</table>") == (1 if html else 0)
    assert html.count("<tr>") == html.count("</tr>")


def test_steps_hold_the_weights_of_with_rules():
    model = fitted.fit("rules, mixed")
    path = facts_of("rules, mixed")["path"]
    assert len(path["steps"]) > 3
    for step in path["steps"]:
        smaller = model.with_rules(step["size"])
        assert step["effect"] == smaller.terms_.effect.tolist()
        words = [path["terms"][k].get("plain", path["terms"][k]["words"]).split(" (linear")[0] for k in step["terms"]]
        assert words == [term.split(" (linear")[0] for term in smaller.terms_.design.words]
    assert path["steps"][path["chosen"]]["effect"] == model.terms_.effect.tolist()


def test_a_path_is_thinned_to_what_fits(monkeypatch):
    model = fitted.fit("soft rules")
    whole = term_facts.choose_steps(model.model_)[0]
    monkeypatch.setattr(term_facts, "MAX_NUMBERS", len(model.terms_) + 1)
    shown, chosen = term_facts.choose_steps(model.model_)
    assert chosen in shown
    assert 1 <= len(shown) < len(whole)
    monkeypatch.setattr(term_facts, "MAX_NUMBERS", 3)
    path, keys = term_facts.describe_path(model.model_)
    assert len(keys) == len(path["terms"])
    assert [len(step["terms"]) for step in path["steps"]] == [3]
    assert path["steps"][0]["size"] == len(model.terms_)
    assert not path["steps"][0]["whole"]


@pytest.mark.parametrize("name", ["rules, mixed", "tree, mixed", "forest, numbers"])
def test_effects_are_mean_predictions_with_one_input_set(name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    for effect in facts_of(name)["effects"]:
        labels = model.schema_.labels[effect["input"]]
        values = effect_facts.choose_points(model, model.schema_, model.encode(X), effect["input"])
        np.testing.assert_allclose(effect["x"], values, rtol=1e-7)
        for k in (0, len(values) // 2, -1):
            changed = X.copy()
            column = X.columns[effect["input"]]
            changed[column] = values[k] if labels is None else labels[int(values[k])]
            if str(X[column].dtype) == "category":
                changed[column] = changed[column].astype(X[column].dtype)
            np.testing.assert_allclose(effect["y"][k], model._channel_values(changed).mean(axis=0), rtol=1e-4)


def test_effects_have_a_point_on_both_sides_of_every_cut():
    penguins = load_penguins().dropna()
    X, y = penguins[["bill_length_mm"]], penguins["body_mass_g"]
    model = TreeRegressor(max_leaf_nodes=4).fit(X, y)
    matrix = X.to_numpy()
    points = effect_facts.choose_points(model, model.schema_, matrix, 0)
    for cut in model.tree_.split_cut:
        assert cut in points
        assert np.nextafter(cut, np.inf) in points


def test_a_large_tree_is_cut_back_to_whole_levels(monkeypatch):
    tree = fitted.fit("tree, one number").tree_
    monkeypatch.setattr(tree_facts, "MAX_NODES", 20)
    facts = tree_facts.describe_tree(tree, fitted.fit("tree, one number").schema_)
    assert not facts["whole"]
    assert 3 <= len(facts["split"]) <= 20
    assert facts["nodes"] == tree.n_nodes


def test_rows_are_left_out_when_asked():
    model, (X, _) = fitted.fit("tree, text"), fitted.make_table()
    assert collect_facts(model, X, with_rows=False)["sample"] is None
    sample = collect_facts(model, X)["sample"]
    assert sample["y"] is None
    assert len(sample["x"]) == min(len(X), sample_facts.MAX_ROWS)


def test_a_table_without_targets_or_with_other_classes():
    model, (X, _) = fitted.fit("tree, text"), fitted.make_table()
    assert collect_facts(model, X)["quality"] is None
    assert "holds no targets" in collect_facts(model, X)["verdict"]
    assert collect_facts(model, X, ["never seen"] * len(X))["quality"]["targets"] == [None]


@pytest.mark.parametrize("n_rows", [1, 2])
def test_very_small_tables(n_rows):
    model, (X, _) = fitted.fit("rules, mixed"), fitted.make_table()
    assert collect_facts(model, X[:n_rows], targets_of(model)[:n_rows])["table"]["rows"] == n_rows


def test_the_band_of_a_sorted_table_is_of_all_its_rows():
    """Eight in ten rows lie in it: the mean of all rows does too, whatever the order of the table."""
    rng = np.random.default_rng(0)
    group = np.sort(rng.integers(0, 3, 600))
    X = pd.DataFrame({"group": group, "x": rng.random(600)})
    model = TreeRegressor(max_leaf_nodes=12).fit(X, 10.0 * group + X["x"].to_numpy())
    effect = next(own for own in collect_facts(model, X)["effects"] if own["input"] == 1)
    for low, mean, high in zip(effect["low"], effect["y"], effect["high"], strict=True):
        assert low[0] <= mean[0] <= high[0]


def test_a_rule_says_that_its_rows_lack_a_value_where_many_do():
    rng = np.random.default_rng(0)
    low = rng.random(300) < 0.3
    gap = rng.random(300) < np.where(low, 0.5, 0.02)
    X = pd.DataFrame({"albumin": np.where(gap, np.nan, np.where(low, 2.0, 4.0)), "age": rng.normal(50, 9, 300).round()})
    y = pd.DataFrame({"ill": np.where(low ^ (rng.random(300) < 0.05), "yes", "no")})
    model = RuleEnsembleClassifier(ForestClassifier(10, max_depth=2), max_rules=3, cv=2, random_state=0)
    facts = collect_facts(model.fit(X, y["ill"]), X, y)
    path = facts["path"]
    own = [path["terms"][k] for k in path["steps"][path["chosen"]]["terms"]]
    of_gaps = [term for term in own if any(j == 0 and missing == 1 for j, _, _, missing, _ in term.get("if", []))]
    assert of_gaps
    assert all("albumin <= 3 or missing" in term["words"] for term in of_gaps)
    assert "Where albumin ≤ 3 or missing," in facts["says"][0]["words"]
    few = collect_facts(model, X[~gap], y[~gap])  # of these rows none lacks it
    assert "Where albumin ≤ 3," in few["says"][0]["words"]


def test_a_line_tells_what_was_observed_at_both_ends_of_its_input():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"dose": np.append(rng.integers(0, 9, 299), 100.0)})  # one row far away
    y = pd.DataFrame({"gain": 5.0 * np.minimum(X["dose"], 20) + rng.normal(0, 1, 300)})
    model = RuleEnsembleRegressor(ForestRegressor(5, max_depth=2), max_rules=1, cv=2, random_state=0)
    facts = collect_facts(model.fit(X, y["gain"]), X, y)
    assert facts["says"][0]["words"].startswith("As dose rises from 0 to ")
    low, high = (X["dose"].quantile(share, interpolation="nearest") for share in (0.25, 0.75))
    below, above = y["gain"][X["dose"] <= low], y["gain"][X["dose"] > high]
    told = f"On average it is {below.mean():.0f} in the {len(below)} rows up to {low:g}, and {above.mean():.0f} in the"
    assert facts["says"][0]["seen"] == f"{told} {len(above)} above {high:g}."
