"""Rules that are short by default: nice cuts, and a length that the folds choose."""

import numpy as np
import pandas as pd
import pytest

from glade import FIRERegressor, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor, load
from glade.data.nice_edges import find_nice_edges
from glade.data.table import read_table
from glade.explain.readability import Readability
from glade.weights.lengths import SHORT_ENOUGH, choose_limit

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4)) * 13.7
ADDITIVE = np.where(X[:, 0] > 3, 2.0, 0.0) + np.where(X[:, 1] > -8, 1.0, 0.0) + RNG.normal(0, 0.1, 300)
SIGN = np.sign(X[:, 0]) * np.sign(X[:, 1]) * np.sign(X[:, 2]) + RNG.normal(0, 0.1, 300)
GROVE = ForestRegressor(30, max_leaf_nodes=12)


def cuts_of(model):
    conditions = model.rules_.conditions
    both = np.concatenate((conditions.low, conditions.high))
    return both[np.isfinite(both)]


def test_all_cuts_are_nice_edges_unless_exact_ones_are_asked_for():
    nice = np.concatenate(list(find_nice_edges(read_table(X), np.ones(300)).values()))
    y = np.where(X[:, 0] > 3.2173, 1.0, 0.0)
    model = RuleEnsembleRegressor(GROVE, max_rules=8, random_state=0)
    assert np.isin(cuts_of(model.fit(X, y)), nice).all()
    assert Readability.of(model.model_).most_digits <= 2
    assert not np.isin(cuts_of(model.set_params(cuts="exact").fit(X, y)), nice).all()


def test_no_limit_means_exact_cuts_and_so_do_the_published_settings():
    nice = np.concatenate(list(find_nice_edges(read_table(X), np.ones(300)).values()))
    exact = RuleEnsembleRegressor(GROVE, max_rules=None, random_state=0).fit(X, ADDITIVE)
    assert not np.isin(cuts_of(exact), nice).all()
    assert (FIRERegressor().cuts, FIRERegressor().max_conditions) == ("exact", None)
    assert (RuleEnsembleClassifier().cuts, RuleEnsembleClassifier().max_conditions) == ("nice", "auto")


def test_an_additive_target_gets_rules_of_one_condition():
    model = RuleEnsembleRegressor(GROVE, max_rules=6, linear_terms=False, random_state=0).fit(X, ADDITIVE)
    assert model.rules_.n_conditions.max() == 1
    assert model.score(X, ADDITIVE) > 0.95


def test_a_target_of_three_inputs_together_gets_longer_rules():
    model = RuleEnsembleRegressor(max_rules=8, random_state=0).fit(X, SIGN)
    limited = RuleEnsembleRegressor(max_rules=8, max_conditions=1, random_state=0).fit(X, SIGN)
    assert model.rules_.n_conditions.max() >= 3
    assert model.score(X, SIGN) > limited.score(X, SIGN) + 0.2


@pytest.mark.parametrize("soft", [True, "both"])
def test_soft_rules_choose_their_length_too(soft):
    model = RuleEnsembleRegressor(GROVE, max_rules=6, linear_terms=False, soft=soft, random_state=0).fit(X, ADDITIVE)
    assert model.size_.conditions <= 8


def test_classes_get_short_rules_with_nominal_inputs_and_gaps():
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])
    frame["kind"] = RNG.choice(list("uvw"), 300)
    frame.loc[RNG.random(300) < 0.1, "a"] = np.nan
    model = RuleEnsembleClassifier(max_rules=5, random_state=0).fit(frame, ADDITIVE > 1.5)
    assert model.size_.conditions <= 10
    assert model.score(frame, ADDITIVE > 1.5) > 0.8


def test_the_least_limit_is_chosen_that_costs_next_to_nothing():
    limits = (1, 2, 3, None)
    choose = lambda *errors: limits[choose_limit(limits, [np.array(own) for own in errors])]  # noqa: E731
    assert choose([1.00, 1.10], [0.99, 1.09], [0.99, 1.09], [0.985, 1.085]) == 1
    assert choose([1.20, 1.10], [1.01, 1.01], [1.00, 1.00], [1.00, 1.00]) == 2
    assert choose([1.20, 1.10], [1.10, 1.10], [1.00, 1.00], [0.90, 0.90]) is None
    assert choose([1.20, 1.10], [1.10, 1.10], [1.00, 1.00], [0.50, 1.40]) == SHORT_ENOUGH  # the folds do not agree


def test_a_limit_of_the_user_is_kept():
    y = np.sign(X[:, 0]) * np.sign(X[:, 1]) * np.where(X[:, 2] > 0, 2, 1)
    model = RuleEnsembleRegressor(max_rules=10, max_conditions=2, random_state=0).fit(X, y)
    assert model.rules_.n_conditions.max() == 2


def test_a_person_can_choose_by_conditions():
    model = RuleEnsembleRegressor(max_rules=8, linear_terms=False, random_state=0).fit(X, SIGN)
    path = model.path_.frame()
    for k in (0, 3, 7, 1_000):
        smaller = model.with_conditions(k)
        allowed = path[path["conditions"] <= k]
        assert smaller.size_.conditions <= k
        assert smaller.size_.terms == allowed["terms"].iloc[-1]
        assert allowed["error"].iloc[-1] == allowed["error"].min()
    with pytest.raises(ValueError, match="k must be a whole number"):
        model.with_conditions(-1)


def test_terms_that_every_fold_finds_come_back(tmp_path):
    y = np.where(X[:, 0] > 3, 2.0, 0.0)
    model = RuleEnsembleRegressor(GROVE, max_rules=1, linear_terms=False, random_state=0).fit(X, y)
    assert model.comes_back_.tolist() == [1.0]
    noise = RuleEnsembleRegressor(GROVE, max_rules=10, weights="greedy", random_state=0).fit(X, ADDITIVE)
    assert noise.comes_back_.shape == (noise.size_.terms,)
    assert 0 < noise.comes_back_.mean() <= 1
    noise.save(tmp_path / "model.glade")
    np.testing.assert_array_equal(load(tmp_path / "model.glade").comes_back_, noise.comes_back_)
    with pytest.raises(AttributeError, match="how often its terms come back"):
        noise.with_rules(0).comes_back_  # noqa: B018
