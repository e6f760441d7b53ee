"""Rules that a user gives, and limits on which inputs stand together."""

import numpy as np
import pandas as pd
import pytest

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.models.given_rules import keep_interactions
from glade.rules.wording import list_short_words

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(300, 4)) * 10, columns=["a", "b", "c", "d"])
X["soil"] = RNG.choice(["clay", "loam", "sand"], 300)
X["grade"] = pd.Categorical(RNG.choice(["low", "mid", "high"], 300), ["low", "mid", "high"], ordered=True)
Y = np.where((X["a"] > 3.217) & (X["soil"] == "clay"), 5.0, 0.0) + X["b"].to_numpy() / 10 + RNG.normal(0, 0.2, 300)
CLAY = {"a": (3.217, None), "soil": {"clay"}}
NOISE = {"d": (-1.234, 2.5)}


def words_of(model):
    return list_short_words(model.terms_.design)


def test_a_good_rule_that_is_given_is_taken_in_the_users_words():
    model = RuleEnsembleRegressor(max_rules=5, given_rules=[CLAY, NOISE], random_state=0).fit(X, Y)
    assert "a > 3.217 and soil = clay" in words_of(model)
    assert not any("-1.234" in words for words in words_of(model))  # it competes, and noise does not win
    without = RuleEnsembleRegressor(max_rules=5, random_state=0).fit(X, Y)
    assert model.path_.error.min() < without.path_.error.min()


@pytest.mark.parametrize("weights", ["auto", "greedy"])
def test_rules_that_stay_are_in_every_model(weights):
    settings = {"max_rules": 6, "given_rules": [NOISE, CLAY], "keep_given": True, "random_state": 0, "weights": weights}
    model = RuleEnsembleRegressor(**settings).fit(X, Y)
    for n_terms in model.path_.terms:
        words = words_of(model.with_rules(int(n_terms)))
        assert "-1.234 < d <= 2.5" in words
        assert "a > 3.217 and soil = clay" in words
    assert model.path_.terms.min() == 2
    assert model.oof_prediction_.shape == (300,)


def test_ranks_numbers_of_inputs_and_classes():
    rules = [{"grade": {"mid", "high"}}, {0: (None, 1.111)}]
    model = RuleEnsembleClassifier(max_rules=4, given_rules=rules, keep_given=True, random_state=0).fit(X, Y > 1)
    words = words_of(model)
    assert "grade > low" in words or "grade <= low" in words  # told from the smaller side
    assert any("a <= 1.111" in own or "a > 1.111" in own for own in words)
    assert model.predict_proba(X).shape == (300, 2)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([{"e": (1, 2)}], ValueError, r"given_rules\[0\]: there is no input 'e'"),
        ([CLAY, {"a": (2, 1)}], ValueError, r"given_rules\[1\]: low must be below high for input 'a'"),
        ([{"a": {"clay"}}], ValueError, "input 'a' is numeric, so give"),
        ([{"soil": (1, 2)}], ValueError, "input 'soil' has categories, so give a set"),
        ([{"soil": {"peat"}}], ValueError, "has no category 'peat'"),
        ([{"grade": {"low", "high"}}], ValueError, "without a gap between"),
        ([{"a": (1_000, None)}], ValueError, r"given_rules\[0\] covers no row of the table"),
        ([{"a": (None, 1_000)}], ValueError, r"given_rules\[0\] covers every row of the table"),
        ([{}], TypeError, r"given_rules\[0\] must be a dictionary"),
        (["a > 3"], TypeError, r"given_rules\[0\] must be a dictionary"),
    ],
)
def test_what_cannot_be_read_is_said(given, error, said):
    with pytest.raises(error, match=said):
        RuleEnsembleRegressor(max_rules=3, given_rules=given).fit(X, Y)


def test_rules_stay_only_where_they_can():
    with pytest.raises(ValueError, match="max_rules=1 is less than the 2 given rules"):
        RuleEnsembleRegressor(max_rules=1, given_rules=[CLAY, NOISE], keep_given=True).fit(X, Y)
    with pytest.raises(ValueError, match="keep_given=True needs weights"):
        RuleEnsembleRegressor(weights="lasso", given_rules=[CLAY], keep_given=True).fit(X, Y)
    with pytest.raises(ValueError, match='rules_from="trees"'):
        RuleEnsembleRegressor(rules_from="trees", given_rules=[CLAY]).fit(X, Y)


@pytest.mark.parametrize(
    ("allowed", "is_fine"),
    [
        ("no_interactions", lambda inputs: len(inputs) == 1),
        ("pairwise", lambda inputs: len(inputs) <= 2),
        ([{"a", "b"}, ["c", 4]], lambda inputs: inputs <= {0, 1} or inputs <= {2, 4} or inputs <= {3, 5}),
    ],
)
def test_only_inputs_that_may_stand_together_do(allowed, is_fine):
    y = np.sign(X["a"] * X["b"] * X["c"]) + (X["soil"] == "clay") * np.sign(X["c"])
    settings = {"max_rules": 20, "max_conditions": None, "random_state": 0}
    model = RuleEnsembleRegressor(interaction_cst=allowed, **settings).fit(X, y.to_numpy())
    rules = model.rules_
    assert len(rules) >= 2
    assert all(is_fine(set(one.conditions.input.tolist())) for one in rules)
    assert len(keep_interactions(rules, allowed)) == len(rules)


def test_groups_of_inputs_that_cannot_be_read_are_said():
    with pytest.raises(ValueError, match="interaction_cst: there is no input 'e'"):
        RuleEnsembleRegressor(max_rules=3, interaction_cst=[{"e", "a"}]).fit(X, Y)
    with pytest.raises(TypeError, match="a list of groups of inputs"):
        RuleEnsembleRegressor(max_rules=3, interaction_cst=["a", "b"]).fit(X, Y)
