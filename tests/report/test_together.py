"""Inputs that act together: the facts are those of the library, and the page shows them."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor
from glade.report import interaction_facts
from glade.report.facts import collect_facts
from glade.report.page import render_page
from tests import fitted
from tests.report.pages import facts_of, page_of

MODELS = ["tree, mixed", "rules, two classes", "forest, numbers", "soft rules", "rule list", "beam tree, numbers"]


def make_pair(n_rows=400):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.random(n_rows), "b": rng.choice(["u", "v"], n_rows), "c": rng.random(n_rows)})
    y = 4.0 * ((X["a"] > 0.5) & (X["b"] == "v")) + 2.0 * (X["c"] > 0.5) + rng.normal(0, 0.1, n_rows)
    return X, y.rename("y")


@pytest.mark.parametrize("name", MODELS)
def test_shares_are_the_squares_of_the_librarys_strength(name, monkeypatch):
    monkeypatch.setattr(interaction_facts, "MAX_ROWS", 300)  # all rows, as the library is asked to take
    monkeypatch.setattr(interaction_facts, "LEAST", 0.0)
    model, (X, _) = fitted.fit(name), fitted.make_table()
    facts = facts_of(name)
    names = list(model.schema_.names)
    importance = np.nan_to_num(model.target_importances_.to_numpy(float)).mean(axis=1)
    looked_at = np.argsort(-importance, kind="stable")[: facts["together"]["inputs"]]
    found = glade.interactions(model, X, inputs=sorted(names[j] for j in looked_at), max_rows=None).frame()
    strength = {(frozenset((r.first, r.second)), r.target): r.strength for r in found.itertuples()}
    assert facts["together"]["pairs"]
    for pair in facts["together"]["pairs"]:
        for target, share in zip(model.target_schema_.names, pair["shares"], strict=True):
            key = frozenset(names[j] for j in pair["inputs"]), target
            assert share == pytest.approx(strength[key] ** 2, rel=1e-9, abs=1e-12)


def test_what_acts_together_is_found_and_what_does_not_is_not():
    X, y = make_pair()
    together = collect_facts(TreeRegressor(max_leaf_nodes=8).fit(X, y), X, y)["together"]
    assert together["pairs"][0]["inputs"] == [0, 1]
    assert together["pairs"][0]["shares"][0] > 0.1
    assert all(pair["shares"][0] < 0.01 for pair in together["pairs"][1:])


@pytest.mark.parametrize("name", MODELS)
def test_maps_hold_mean_predictions_with_both_inputs_set(name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    maps = facts_of(name)["together"]["maps"]
    assert maps
    matrix = model.encode(X)
    rows = matrix[np.sort(np.random.default_rng(1).permutation(len(X))[: interaction_facts.MAX_MAP_ROWS])]
    for own in maps:
        across, up = own["axes"]
        for a, x in enumerate(across["points"]):
            for b, z in enumerate(up["points"]):
                changed = rows.copy()
                changed[:, across["input"]], changed[:, up["input"]] = x, z
                np.testing.assert_allclose(
                    own["values"][a][b], model.predict_values(changed).mean(axis=0), rtol=1e-4, atol=1e-12
                )


def test_cells_end_where_the_model_cuts_and_count_the_rows_in_them():
    X, y = make_pair()
    model = TreeRegressor(max_leaf_nodes=5).fit(X, y)
    matrix = model.encode(X)
    cells = interaction_facts.divide(model, matrix, 0)
    low, high = np.quantile(X["a"], [0.01, 0.99], method="nearest")
    cuts = model.tree_.split_cut[model.tree_.split_input == 0]
    np.testing.assert_array_equal(cells["edges"], [low, *np.sort(cuts), high])
    inside = (X["a"] >= low) & (X["a"] <= high)
    np.testing.assert_array_equal(
        cells["places"], np.where(inside, (X["a"].to_numpy()[:, None] > cuts).sum(axis=1), -1)
    )
    for k, point in enumerate(cells["points"]):
        assert cells["edges"][k] <= point <= cells["edges"][k + 1]
    counts = np.array(collect_facts(model, X, y)["together"]["maps"][0]["rows"])
    assert counts.sum() == inside.sum()


@pytest.mark.parametrize("n_rows", [1, 3])
def test_a_table_of_few_rows_has_facts_too(n_rows):
    X, y = make_pair()
    model = ForestRegressor(3, random_state=0).fit(X, y)
    assert collect_facts(model, X[:n_rows], y[:n_rows])["together"]["rows"] == n_rows


def test_the_page_names_the_pair_and_draws_its_map(show):
    X, y = make_pair()
    model = TreeRegressor(max_leaf_nodes=8).fit(X, y)
    facts = collect_facts(model, X, y)
    page = show(render_page(facts))
    panel = page.locator("#together")
    assert panel.locator(".pairs .name").first.inner_text() == "a and b"
    share = facts["together"]["pairs"][0]["shares"][0]
    assert panel.locator(".pairs .amount").first.inner_text() == f"{100 * share:.0f}%"
    cells = panel.locator("svg.pair").first.locator(".cell title").all_text_contents()
    shown = [int(words.split("(")[1].split(" row")[0]) for words in cells if "row)" in words or "rows)" in words]
    assert sorted(shown) == sorted(n for column in facts["together"]["maps"][0]["rows"] for n in column if n)
    assert "glade.interactions" in panel.inner_text()


def test_the_page_says_where_nothing_acts_together(show):
    X, y = make_pair()
    rules = RuleEnsembleRegressor(ForestRegressor(5, max_depth=1, random_state=0), max_rules=5, random_state=0)
    page = show(render_page(collect_facts(rules.fit(X, y), X, y)))
    assert "None that matter" in page.locator("#together").inner_text()


def test_pairs_follow_the_target_that_is_asked_for(show):
    page = show(page_of("tree, mixed"))
    facts = facts_of("tree, mixed")
    select = page.locator("#effects").get_by_label("Prediction of")
    for label in select.locator("option").all_inner_texts():
        select.select_option(label)
        t = next(k for k, own in enumerate(facts["targets"]) if label.startswith(own["name"]))
        strongest = max(facts["together"]["pairs"], key=lambda pair: pair["shares"][t])
        names = [facts["inputs"][j]["name"] for j in strongest["inputs"]]
        assert page.locator("#together .pairs .name").first.inner_text() == " and ".join(names)
