"""The model that a fit of rules gives, by itself: predictions, steps, frames and text."""

from functools import partial

import numpy as np
import pytest

from glade import ForestClassifier, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor, RuleFitClassifier
from glade.rules.path import Step, WeightPath
from glade.rules.wording import EVERY_ROW
from tests import fitted
from tests.rules.tables import fit, make_new_rows, make_table, quietly

X, Y = make_table()
NEW = make_new_rows(X)
NAMES = [name for name, make in fitted.MAKERS.items() if "rule" in name or name == "fire"]


@pytest.mark.parametrize("name", NAMES)
def test_the_model_says_what_its_estimator_says(name):
    estimator = fitted.fit(name)
    model, rows = estimator.model_, fitted.make_new_rows()
    np.testing.assert_array_equal(quietly(model.predict, rows), quietly(estimator._channel_values, rows))
    assert model.to_text() == estimator.to_text()
    assert model.size == estimator.size_
    assert model.step.size == model.path.steps[model.place].size == model.size.terms


@pytest.mark.parametrize("name", NAMES)
def test_smaller_models_are_steps_of_the_same_path(name):
    estimator = fitted.fit(name)
    for k, step in enumerate(estimator.model_.path.steps):
        smaller = estimator.with_rules(step.size)
        assert smaller.max_rules == step.size
        assert smaller.model_.place == k
        assert smaller.model_.path is estimator.model_.path
    assert estimator.model_.with_rules(None).place == len(estimator.model_.path.steps) - 1


def test_a_limit_below_all_steps_is_one_sentence():
    model = fitted.fit("rules").model_
    with pytest.raises(ValueError, match="the smallest model of this fit has 0 rules"):
        model.with_rules(-1)


def test_the_frame_has_all_terms_after_the_offset():
    model = fit(RuleEnsembleRegressor(ForestRegressor(8, max_depth=3), max_rules=12, random_state=0), X, Y["number"])
    frame, terms = model.to_frame(), model.terms_
    assert frame["term"].tolist() == [EVERY_ROW, *terms.design.words]
    assert frame["kind"].tolist() == ["offset", *terms.design.kinds]
    assert {"rule", "linear term"} <= set(frame["kind"])
    assert frame["number"][0] == pytest.approx(terms.offset[0])
    is_rule = (frame["kind"] == "rule").to_numpy()
    np.testing.assert_allclose(frame["number"][is_rule], model.rules_.value[:, 0])
    np.testing.assert_allclose(frame["rows"][is_rule], model.rules_.rows)
    assert frame["share"].isna().tolist() == (frame["kind"] == "linear term").tolist()
    assert frame["importance"].isna().tolist() == [True, *[False] * len(terms)]
    assert not [name for name in frame if "log_odds" in name]


def covers(conditions, row):
    """Whether a row fulfils conditions told as plain values."""
    for own in conditions:
        value = row[own["input"]]
        if value is None or value != value:
            if not own["missing"]:
                return False
        elif own["categories"] is not None:
            if value not in own["categories"]:
                return False
        elif not ((own["low"] is None or value > own["low"]) and (own["high"] is None or value <= own["high"])):
            return False
    return True


def test_conditions_as_plain_values_are_the_rules():
    model = fit(RuleEnsembleRegressor(ForestRegressor(8, max_depth=3), max_rules=20, random_state=0), X, Y["number"])
    frame = model.to_frame()
    rules = frame[frame["kind"] == "rule"]
    expected = quietly(model.rules_.covers, X)
    found = np.array([[covers(own, row) for own in rules["conditions"]] for _, row in X.iterrows()])
    assert expected.any(axis=0).all()
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", [RuleFitClassifier, partial(RuleEnsembleClassifier, max_rules=5)])
def test_classes_have_log_odds_in_the_frame_and_numbers_have_none(kind):
    frame = fit(kind(ForestClassifier(8, max_depth=3), cv=2, random_state=0), X, Y["label"]).to_frame()
    odds = [name for name in frame if name.endswith(" log_odds")]
    assert len(odds) == Y["label"].nunique()
    assert frame[odds].abs().to_numpy().sum() > 0
    numbers = fit(RuleEnsembleRegressor(ForestRegressor(8, max_depth=3), max_rules=5, random_state=0), X, Y["number"])
    assert not [name for name in numbers.to_frame() if name.endswith(" log_odds")]


def test_a_mixture_takes_the_place_of_a_model_with_as_many_terms():
    """Two steps of one size could not be saved: the fuzzer of tables found it."""

    def make(n_terms, error, is_mixture=False):
        return Step(np.arange(n_terms), np.ones((n_terms, 1)), np.zeros(1), error, 0.1, is_mixture=is_mixture)

    path = WeightPath.of([make(0, 1.0), make(1, 0.8), make(2, 0.6), make(2, 0.7, is_mixture=True)])
    assert [step.size for step in path.steps] == [0, 1, 2]
    assert path.steps[-1].is_mixture
