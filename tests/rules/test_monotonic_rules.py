"""`monotonic_cst` of rule ensembles: no two rows of which one input differs are predicted in the wrong order."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import glade
from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    MixedTree,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    TreeClassifier,
    TreeRegressor,
    load,
)
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.monotone import NEITHER, WeightLimits, find_rule_signs
from glade.rules.path import TermWeights
from glade.weights.monotone import PENALTY, bound_weights
from glade.weights.problem import Problem
from tests.grow.test_monotonic import CLASSES, SIGNS, count_violations, count_wrong_shares, make_kinds, make_table

X, Y = make_table(1, 300)
COUNTS = np.random.default_rng(3).poisson(np.exp(Y["amount"].clip(-3, 3) / 2))
GROVE, CLASS_GROVE = ForestRegressor(15, max_depth=4), ForestClassifier(15, max_depth=4)
SETTINGS = {
    "few": {"max_rules": 8},
    "all": {"max_rules": None},
    "greedy": {"weights": "greedy", "max_rules": 8},
    "ridge": {"weights": "ridge", "max_rules": None},
    "lasso": {"weights": "lasso", "max_rules": None},
    "gradient": {"weights": "gradient", "max_rules": 10},
    "leaves": {"rules_from": "leaves", "cuts": "exact", "linear_terms": False},
}


def violations_of(model, y, predict=None):
    model.fit(X, y)
    return count_violations(predict or model.predict)


@pytest.mark.parametrize("name", SETTINGS)
def test_rules_of_numbers_keep_the_signs(name):
    model = RuleEnsembleRegressor(GROVE, monotonic_cst=SIGNS, cv=2, random_state=0, **SETTINGS[name])
    assert violations_of(model, Y["amount"]) == 0
    assert model.score(X, Y["amount"]) > 0.2


@pytest.mark.parametrize("name", ["few", "all", "lasso"])
def test_rules_of_two_classes_keep_the_signs(name):
    model = RuleEnsembleClassifier(CLASS_GROVE, monotonic_cst=SIGNS, cv=2, random_state=0, **SETTINGS[name])
    assert violations_of(model, Y["kind"], lambda rows: model.predict_proba(rows)[:, 1]) == 0
    assert model.score(X, Y["kind"]) > 0.6


def test_rulefit_and_counts_keep_the_signs():
    boosted = ForestRegressor(15, method="boosting")
    assert violations_of(RuleFitRegressor(boosted, monotonic_cst=SIGNS, cv=2, random_state=0), Y["amount"]) == 0
    model = RuleFitRegressor(boosted, loss="poisson", monotonic_cst=SIGNS, cv=2, random_state=0)
    assert violations_of(model, COUNTS) == 0
    classes = RuleFitClassifier(
        ForestClassifier(15, method="boosting"), monotonic_cst=SIGNS, cv=2, max_rules=10, random_state=0
    )
    assert violations_of(classes, Y["kind"], lambda rows: classes.predict_proba(rows)[:, 1]) == 0


def test_each_target_may_have_signs_of_its_own():
    signs = {"amount": {"a": 1, "b": -1}, "other": {"a": -1}}
    model = RuleEnsembleRegressor(GROVE, max_rules=12, monotonic_cst=signs, cv=2, random_state=0)
    model.fit(X, Y[["amount", "other"]])
    assert count_violations(lambda rows: model.predict(rows)[:, 0]) == 0
    assert count_violations(lambda rows: model.predict(rows)[:, 1], {"a": -1}) == 0
    mixed = MixedRuleEnsemble(MixedForest(15, max_depth=4), max_rules=12, monotonic_cst=SIGNS, cv=2, random_state=0)
    mixed.fit(X, Y[["amount", "kind"]])
    assert count_violations(lambda rows: mixed.predict(rows)["amount"].to_numpy()) == 0
    assert count_violations(lambda rows: mixed.predict_proba(rows)["kind"]["yes"].to_numpy()) == 0


def test_errors_are_those_of_bounded_models_and_the_model_is_saved(tmp_path):
    model = RuleEnsembleRegressor(GROVE, max_rules=10, monotonic_cst=SIGNS, cv=3, random_state=0).fit(X, Y["amount"])
    relative = np.mean((model.oof_prediction_ - Y["amount"]) ** 2) / Y["amount"].var()
    assert model.model_.step.error == pytest.approx(relative, rel=0.2)
    model.save(tmp_path / "m.glade")
    again = load(tmp_path / "m.glade")
    assert again.monotonic_cst == SIGNS
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_signs_of_rules_are_those_of_their_conditions():
    """Against the values of the rules in pairs of rows, of which one input differs."""
    forest = ForestRegressor(10, max_depth=4, random_state=0).fit(X, Y["amount"])
    rules, signs = forest.rules_, np.array([[1], [-1], [0], [0]], np.int8)
    found = find_rule_signs(rules, signs)[:, 0]
    assert set(found) == {-1, 0, 1, NEITHER}
    low, high = X.dropna().copy(), X.dropna().copy()
    rises, falls = np.zeros((2, len(rules)), bool)
    for name, sign in (("a", 1), ("b", -1)):
        for amount in (0.3, 1.0, 3.0):
            high[name] = low[name] + amount
            change = sign * (rules.covers(high).astype(int) - rules.covers(low))
            rises |= (change > 0).any(axis=0)
            falls |= (change < 0).any(axis=0)
            high[name] = low[name]
    for own, up, down in zip(found, rises, falls, strict=True):
        assert not (up and own not in (1, NEITHER))
        assert not (down and own not in (-1, NEITHER))


def test_bounded_weights_are_those_of_bounded_least_squares():
    rng = np.random.default_rng(0)
    design = Design.of(ForestRegressor(3, max_depth=2, random_state=0).fit(X, Y["amount"]).rules_)
    matrix = RuleEnsembleRegressor(GROVE, max_rules=2, cv=2).fit(X, Y["amount"]).encode(X)
    y = Y["amount"].to_numpy()[:, None]
    own = TermWeights(np.arange(len(design)), rng.normal(size=(len(design), 1)), np.zeros(1))
    limits = WeightLimits.of(design, np.array([[1], [-1], [0], [0]], np.int8))
    weights, offset = bound_weights(own, Problem(design, TargetRows(matrix, y)), TargetLosses.of_numbers(1), limits)
    low = np.where((limits.signs == 1) | (limits.signs == NEITHER), 0.0, -np.inf)
    high = np.where((limits.signs == -1) | (limits.signs == NEITHER), 0.0, np.inf)
    near, root = np.clip(own.weights, low, high)[:, 0], np.sqrt(PENALTY)
    table = np.column_stack((design.values(matrix), np.ones(300)))
    table = np.vstack((table, np.column_stack((root * np.eye(len(design)), np.zeros(len(design))))))
    ends = (np.append(low[:, 0] - 1e-12, -np.inf), np.append(high[:, 0] + 1e-12, np.inf))
    expected = lsq_linear(table, np.append(y[:, 0], root * near), ends).x
    np.testing.assert_allclose(np.append(weights[:, 0], offset), expected, atol=0.02)
    assert ((low <= weights) & (weights <= high)).all()
    assert limits.allow(weights)
    assert not limits.allow(own.weights)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("settings", ["few", "all", "lasso", "gradient"])
def test_each_of_many_classes_keeps_the_signs(name, settings):
    rows, kind = make_kinds(1, 300)
    model = RuleEnsembleClassifier(CLASS_GROVE, cv=2, random_state=0, **SETTINGS[settings])
    free = count_wrong_shares(model.fit(rows, kind), CLASSES[name])
    assert count_wrong_shares(model.set_params(monotonic_cst=CLASSES[name]).fit(rows, kind), CLASSES[name]) == 0
    assert free > 0
    assert model.score(rows, kind) > 0.45


def test_boosted_trees_that_cannot_keep_signs_of_several_classes_still_give_rules():
    rows, kind = make_kinds(2, 200)
    boosted = ForestClassifier(10, method="boosting", max_depth=2)
    for weights in ("auto", "lasso"):
        model = RuleEnsembleClassifier(boosted, weights=weights, max_rules=10, cv=2, random_state=0)
        model.set_params(monotonic_cst=CLASSES["two classes"]).fit(rows, kind)
        assert count_wrong_shares(model, CLASSES["two classes"]) == 0
        assert len(model.terms_) > 0


def test_limits_of_classes_hold_just_where_scores_rise_fastest():
    """Random weights: the limits allow a model if and only if no score rises faster than that of the class."""
    rng = np.random.default_rng(0)
    asked = np.array([[1, 0, 0], [0, -1, 0], [1, -1, 0], [1, 1, -1], [0, 0, 0], [NEITHER] * 3], np.int8)
    limits = WeightLimits(asked, (slice(0, 3),))
    free, low, high = limits.find_free()
    assert free.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, -1], [8, 8, 9], [10, 11, 12], [-1] * 3]
    for _ in range(50):
        chosen = np.clip(rng.normal(size=len(low)), low, high)
        weights = np.where(free >= 0, chosen[free], 0.0)
        assert limits.allow(weights)
        shifted = weights + rng.normal(size=(6, 1))
        assert limits.allow(np.round(shifted, 12))
        np.testing.assert_allclose(np.diff(limits.shift(shifted)), np.diff(weights), atol=1e-9)
        wrong = shifted.copy()
        wrong[rng.integers(0, 3), 2 if rng.random() < 0.5 else 0] += 9.0  # above the largest, or a lonely largest
        rises = [row[s == 1].min(initial=np.inf) >= row.max() - 1e-12 for row, s in zip(wrong, asked, strict=True)]
        falls = [row[s == -1].max(initial=-np.inf) <= row.min() + 1e-12 for row, s in zip(wrong, asked, strict=True)]
        is_kept = all(
            (up or not (s == 1).any()) and (down or not (s == -1).any())
            for up, down, s in zip(rises, falls, asked, strict=True)
        )
        assert limits.allow(np.round(wrong, 12)) == is_kept


def test_what_cannot_be_monotone_is_said():
    with pytest.raises(ValueError, match="for hard rules"):
        RuleEnsembleRegressor(soft=True, monotonic_cst=SIGNS).fit(X, Y["amount"])
    with pytest.raises(ValueError, match="which is nominal and has no order"):
        RuleEnsembleRegressor(monotonic_cst={"d": 1}).fit(X, Y["amount"])
    with pytest.raises(ValueError, match="has 3 classes"):
        RuleEnsembleClassifier(monotonic_cst={"a": 1}).fit(X[["a", "b"]], X["d"])


def test_all_estimators_with_signs_are_tried_here_or_with_trees():
    tried = {*(TreeRegressor, TreeClassifier, MixedTree), *(ForestRegressor, ForestClassifier, MixedForest)}
    tried |= {RuleEnsembleRegressor, RuleEnsembleClassifier, MixedRuleEnsemble, RuleFitRegressor, RuleFitClassifier}
    kinds = [getattr(glade, name) for name in glade.__all__]
    estimators = {kind for kind in kinds if isinstance(kind, type) and hasattr(kind, "_get_param_names")}
    assert {kind for kind in estimators if "monotonic_cst" in kind._get_param_names()} == tried
