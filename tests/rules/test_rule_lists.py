"""Rules by covering: the search against its twin, what a list says, its lengths, and lists that are known."""

import numpy as np
import pandas as pd
import pytest

from glade import MixedRuleList, RuleListClassifier, RuleListRegressor, load_penguins, stability
from glade.data.coded_rows import CodedRows
from glade.data.coding import code_inputs
from glade.data.table import Schema, read_table
from glade.rules.covering import Limits, Search, find_rules
from glade.rules.listed import ListedRules, VotingRules
from tests.fitted import fit, make_new_rows, make_table
from tests.reference import covering as twin
from tests.reference.rules import rule_covers


def make_rows(seed, n_rows=60):
    """Small tables with ties, gaps, categories, weights; two targets, of two and one columns, not always known."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 9, n_rows) / 2.0, "b": rng.normal(size=n_rows).round(1)})
    X.loc[rng.random(n_rows) < 0.2, "b"] = np.nan
    X["c"] = pd.Categorical(rng.choice(list("wxyz"), n_rows))
    y = rng.normal(size=(n_rows, 3)) + 2.0 * (X["a"].to_numpy() > 2)[:, None]
    y[rng.random(n_rows) < 0.15, 2] = np.nan
    table = read_table(X)
    weights = rng.integers(1, 4, n_rows).astype(float)
    return CodedRows(code_inputs(table, weights, None), y, np.array([0, 0, 1]), weights)


@pytest.mark.parametrize("seed", range(12))
def test_the_search_finds_what_its_twin_finds(seed):
    rows = make_rows(seed)
    limits = Limits(None, (None, 1, 2)[seed % 3], width=1 + seed % 4, min_rows=3, generality=0.5, is_ordered=True)
    left = np.flatnonzero(np.random.default_rng(seed).random(len(rows.y)) < 0.8)
    found, own = Search(rows, limits, left, rows.weights).find_best(), twin.find_best(rows, limits, left, rows.weights)
    assert (found is None) == (own is None)
    if found is not None:
        assert found.score == pytest.approx(own[2], rel=1e-9)
        assert found.rows.tolist() == own[1].tolist()


def test_ordered_rules_take_rows_from_one_another_and_unordered_ones_make_them_lighter():
    rows, few = make_rows(3), {"max_rules": 6, "max_conditions": 2, "width": 3, "min_rows": 4, "generality": 0.5}
    ordered = find_rules(rows, Limits(**few, is_ordered=True), np.arange(60)).rules
    covered = np.concatenate([rule.rows for rule in ordered])
    assert len(covered) == len(np.unique(covered))
    others = find_rules(rows, Limits(**few, is_ordered=False), np.arange(60)).rules
    assert len(np.concatenate([rule.rows for rule in others])) > len(
        np.unique(np.concatenate([rule.rows for rule in others]))
    )


@pytest.mark.parametrize("name", ["rule list", "rule list, classes, unordered", "rule list, mixed"])
def test_a_row_has_what_the_rules_that_cover_it_say(name):
    model = fit(name)
    matrix, rules = model.encode(make_new_rows()), model.rules_
    covers = np.array([[rule_covers(rules, i, row) for i in range(len(rules))] for row in matrix])
    expected = np.tile(model.terms_.typical, (len(matrix), 1))
    for k, row in enumerate(covers):
        if row.any():
            expected[k] = rules.value[row.argmax()] if model.ordered else rules.value[row].mean(axis=0)
    np.testing.assert_allclose(model.predict_values(matrix), expected, atol=1e-9)


def test_a_rule_says_the_mean_of_its_rows():
    X, y = make_table()
    model = fit("rule list")
    covers = model.rules_.covers(X)
    first = covers & (np.cumsum(covers, axis=1) == 1)
    for k in range(len(model.rules_)):
        np.testing.assert_allclose(model.rules_.value[k], y[["amount", "count"]][first[:, k]].mean(), rtol=1e-9)
        assert model.rules_.rows[k] == first[:, k].sum()
    np.testing.assert_allclose(model.terms_.typical, y[["amount", "count"]][~covers.any(axis=1)].mean(), rtol=1e-9)


def test_a_list_that_made_the_targets_is_found_again():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((600, 4)).round(2), columns=list("abcd"))
    X["n"] = rng.choice(list("uvw"), 600)
    is_first, is_second = (X["a"] > 0.6) & (X["n"] == "u"), X["b"] <= 0.3
    y = pd.DataFrame({"x": np.select([is_first, is_second], [9.0, 4.0], 0.0), "z": np.where(is_first, "p", "q")})
    model = MixedRuleList(None, cuts="exact", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    assert model.size_.rules <= 7
    assert set(model.feature_importances_.nonzero()[0]) == {0, 1, 4}


@pytest.mark.parametrize("ordered", [True, False])
def test_shorter_lists_are_the_first_rules_and_fit_as_if_asked_for(ordered):
    X, y = make_table()
    long = RuleListRegressor(6, ordered=ordered, cv=2, random_state=0).fit(X, y["amount"])
    for step in long.model_.path.steps[1:]:
        short = RuleListRegressor(step.size, ordered=ordered, cv=2, random_state=0).fit(X, y["amount"])
        assert short.rules_.words == long.rules_.words[: step.size]
        np.testing.assert_allclose(short.predict(X), long.with_rules(step.size).predict(X), rtol=1e-12)


def test_contributions_add_up_and_one_rule_of_a_list_speaks():
    X, _ = make_table()
    model = fit("rule list")
    told = model.explain(X.head(20))
    sums = told.groupby(["row", "target"], sort=False)["contribution"].sum().unstack()
    np.testing.assert_allclose(sums[["amount", "count"]], model.predict(X.head(20)))
    assert told.groupby(["row", "target"]).size().max() <= 2


def test_folds_hold_rows_out_of_the_search():
    X, y = make_table()
    rng = np.random.default_rng(99)
    noise = rng.normal(size=len(X))
    model = RuleListRegressor(10, cv=4, random_state=0).fit(X, noise)
    assert np.corrcoef(model.oof_prediction_, noise)[0, 1] < 0.3
    assert model.predict_interval(X).shape == (len(X), 2)
    assert RuleListClassifier(random_state=0).fit(X, rng.permutation(y["kind"])).size_.rules <= 2


def test_a_list_is_saved_with_its_order_and_refused_with_another(tmp_path):
    from glade.core.errors import ModelFileError
    from glade.models.saved.estimators import read_estimator, store_estimator
    from glade.models.saved.parts import FilePart, flatten

    stored = store_estimator(fit("rule list"))
    stored["parameters"] = [[k, not v if k == "ordered" else v] for k, v in stored["parameters"]]
    with pytest.raises(ModelFileError, match="not of the kind"):
        read_estimator(FilePart(*flatten(stored)))


def test_blocks_of_some_terms_are_the_lists_of_these_rules():
    X, _ = make_table()
    model = fit("rule list")
    block, matrix = model.terms_.design.blocks[1], model.encode(X)
    assert isinstance(block, ListedRules)
    assert block.take(np.array([1, 2])).values(matrix)[:, 0].sum() == block.rules.take(np.array([1])).covers(X).sum()
    voting = VotingRules(block.rules, np.full(len(block), 0.5)).values(matrix)
    covers = block.rules.covers(X)
    np.testing.assert_allclose(voting.sum(axis=1), covers.any(axis=1))
    np.testing.assert_allclose(voting[covers.all(axis=1)], 1.0 / len(block))


def test_the_words_and_the_page_keep_the_order():
    from glade.report.term_facts import describe_path

    model = fit("rule list")
    assert model.get_feature_names_out().tolist()[1].startswith("else ")
    facts, _ = describe_path(model.model_)
    own = [facts["terms"][k] for k in facts["steps"][facts["chosen"]]["terms"]]
    assert [term["place"] for term in own] == list(range(len(own)))
    assert [len(term["unless"]) for term in own] == list(range(len(own)))


def test_stability_counts_the_rules_that_come_back():
    penguins = load_penguins().dropna()
    X, y = penguins[["species", "sex", "island"]], penguins["body_mass_g"]
    found = stability(RuleListRegressor(3, cv=2), X, y, n_resamples=3, random_state=0)
    assert len(found.terms) == len(found.keys) > 0
    assert found.comes_back.max() > 0


def test_one_row_one_class_and_no_useful_input():
    with pytest.warns(UserWarning, match="one class"):
        assert len(RuleListClassifier().fit([[1.0], [2.0]] * 10, ["a"] * 20).rules_) == 0
    flat = RuleListRegressor().fit(np.ones((30, 2)), np.arange(30.0))
    assert flat.size_.rules == 0
    assert flat.predict([[1.0, 1.0]]) == pytest.approx(14.5)
    assert Schema.of(read_table(np.ones((3, 1)))).names == flat.schema_.names[:1]
