"""Rule ensembles for classes and for mixed targets."""

import numpy as np
import pandas as pd
import pytest

from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    RuleEnsembleClassifier,
    load_penguins,
)
from tests.rules.tables import fit, hurry, make_new_rows, make_table, quietly

X, Y = make_table(n_rows=260, seed=7)
NEW = make_new_rows(X)
PAIR = pd.Series(np.where(Y["other"] > 0, "up", "down"), name="way")
GROVE = ForestClassifier(12, max_depth=3)
WEIGHTS = ("auto", "greedy", "ridge", "gradient")


def make(**settings):
    settings["weights"] = hurry(settings.get("weights", "auto"))
    return RuleEnsembleClassifier(GROVE, random_state=0, **settings)


def add_up(model, rows):
    """Rows x classes: the sums of the log-odds of one target; of two classes the event's."""
    frame = quietly(model.explain, rows)
    return frame.groupby(["row", "class"])["log_odds"].sum().unstack()[[*frame["class"].unique()]].to_numpy()


@pytest.mark.parametrize("weights", WEIGHTS)
def test_explanations_add_up_to_the_scores(weights):
    for target in (Y["label"], PAIR):
        model = fit(make(weights=weights, max_rules=None if weights == "ridge" else 12), X, target)
        scores = quietly(model.decision_function, NEW)
        if scores.ndim == 1:
            scores = scores[:, None] * (1 if model.event_ == model.classes_[1] else -1)
        np.testing.assert_allclose(scores, add_up(model, NEW), atol=1e-9)


def test_two_classes_beside_other_targets_have_their_own_channels():
    y = pd.DataFrame({"label": Y["label"], "number": Y["number"], "pair": PAIR})
    model = fit(MixedRuleEnsemble(MixedForest(12, max_depth=3), random_state=0), X, y)
    frame = quietly(model.explain, NEW)
    total = frame[frame["target"] == "pair"].groupby("row")["log_odds"].sum()
    shares = quietly(model._channel_values, NEW)[:, -2:]
    event = model.target_schema_.events[2]
    np.testing.assert_allclose(1 / (1 + np.exp(-total)), shares[:, event], atol=1e-9)
    assert (shares.max(axis=0) > 0.5).all()


@pytest.mark.parametrize("weights", [*WEIGHTS, "lasso"])
def test_scores_are_logarithms_of_odds_and_no_probability_is_0_or_1(weights):
    settings = {"weights": weights, "max_rules": None if weights == "ridge" else 12}
    model = fit(make(**settings), X, Y["label"])
    scores, shares = quietly(model.decision_function, NEW), quietly(model.predict_proba, NEW)
    odds = np.exp(scores)
    np.testing.assert_allclose(shares, odds / odds.sum(axis=1, keepdims=True), atol=1e-9)
    pair = fit(make(**settings), X, PAIR)
    of_second = 1 / (1 + np.exp(-quietly(pair.decision_function, NEW)))
    np.testing.assert_allclose(quietly(pair.predict_proba, NEW)[:, 1], of_second, atol=1e-9)
    for found in (shares, quietly(pair.predict_proba, NEW)):
        assert found.min() > 0.0
        assert found.max() < 1.0


@pytest.mark.parametrize("weights", [*WEIGHTS, "lasso"])
def test_the_mean_probability_is_the_rate_that_was_seen(weights):
    """The offset is free of every penalty: on the rows of the fit the probabilities are right on average."""
    model = fit(make(weights=weights, max_rules=None if weights == "ridge" else 12), X, PAIR)
    bound = 0.03 if weights == "gradient" else 0.01  # whose link is fitted to rows held out
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx((PAIR == "up").mean(), abs=bound)


def test_rules_say_how_a_probability_changes():
    model = fit(make(max_rules=6), X, PAIR)
    rule = model.rules_[0]
    there = rule.covers(X)[:, 0]
    effect = model.terms_.effect[0, 1]
    scores = quietly(model.decision_function, X)[there]
    gained = 1 / (1 + np.exp(-scores)) - 1 / (1 + np.exp(effect - scores))
    assert rule.value[0].tolist() == [pytest.approx(-gained.mean()), pytest.approx(gained.mean())]
    assert np.sign(gained.mean()) == np.sign(effect)


def test_many_targets_share_the_rules():
    targets = pd.DataFrame({"label": Y["label"], "way": PAIR})
    model = fit(make(max_rules=15), X, targets)
    assert not hasattr(model, "decision_function")
    shares = quietly(model.predict_proba, NEW)
    assert [part.shape[1] for part in shares] == [3, 2]
    assert all(np.allclose(part.sum(axis=1), 1) for part in shares)
    assert quietly(model.predict, NEW).shape == (len(NEW), 2)
    assert list(model.target_importances_) == ["label", "way"]
    assert list(model.rule_importances_)[2:] == ["label", "way"]
    assert model.score(X, targets) > 0.7


def test_missing_targets_count_where_they_are_known():
    targets = pd.DataFrame({"label": Y["label"], "way": PAIR})
    targets.loc[::3, "label"] = None
    model = fit(make(max_rules=15, missing_targets="ignore"), X, targets)
    known = targets["label"].notna()
    assert (model.predict(X)[known, 0] == targets["label"][known]).mean() > 0.6
    with pytest.raises(ValueError, match="lacks"):
        fit(make(), X, targets)


def test_mixed_targets_are_predicted_together():
    penguins = load_penguins()
    targets = ["species", "body_mass_g", "flipper_length_mm"]
    inputs = penguins.drop(columns=targets)
    model = quietly(
        MixedRuleEnsemble(MixedForest(20, max_depth=3), max_rules=10, random_state=0).fit, inputs, penguins[targets]
    )
    predicted = model.predict(inputs)
    assert list(predicted) == targets
    assert (predicted["species"] == penguins["species"]).mean() > 0.9
    assert model.score(inputs, penguins[targets]) > 0.75
    assert model.size_.terms <= 10
    words = model.to_text()
    assert "Gentoo +" in words
    assert "every row" in words
    shares = model.predict_proba(inputs)["species"]
    assert np.allclose(shares.sum(axis=1), 1)


def test_class_weights_move_the_class_and_not_the_probabilities():
    plain = fit(make(max_rules=5), X, PAIR)
    heavy = fit(make(max_rules=5, class_weight={"up": 9.0}), X, PAIR)
    assert (heavy.predict(X) == "up").sum() > (plain.predict(X) == "up").sum()
    np.testing.assert_array_equal(heavy.predict_proba(X), plain.predict_proba(X))


def test_a_class_of_one_row_and_a_target_of_one_class():
    rare = Y["label"].to_numpy(copy=True)
    rare[0] = "once"
    model = fit(make(max_rules=5), X, rare)
    assert model.predict_proba(X).shape == (len(X), len(set(rare)))
    same = fit(make(max_rules=5), X, np.full(len(X), "same"))
    assert (same.predict(X) == "same").all()
    assert same.size_.terms == 0


def test_a_generator_for_other_targets_is_refused():
    with pytest.raises(TypeError, match="a ForestClassifier, but is a ForestRegressor"):
        fit(RuleEnsembleClassifier(ForestRegressor(5)), X, PAIR)
    with pytest.raises(ValueError, match="empty list"):
        fit(RuleEnsembleClassifier([]), X, PAIR)
