"""The predictions that a fit keeps of the rows its folds hold out."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import (
    FIRERegressor,
    ForestRegressor,
    MixedRuleEnsemble,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SoftRulesRegressor,
)
from glade.rules.path import Step, WeightPath

N = 159  # folds of one size
SPLITS = [(np.arange(N) % 3 != k, np.arange(N) % 3 == k) for k in range(3)]
SPLITS = [tuple(np.flatnonzero(part) for part in split) for split in SPLITS]
GROVE = ForestRegressor(10, max_depth=3)


def make_table(seed=0, n=N):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    X.loc[::9, "a"] = np.nan
    y = 3.0 * (X["b"] > 0) + np.where(X["a"] > 0.5, X["c"], 0.0) + rng.normal(0, 0.5, n)
    return X, y.rename("y")


def find_step(model):
    """The chosen step of the path: its place there by the size."""
    frame = model.path_.frame()
    return frame[frame["terms"] == model.size_.terms].iloc[0]


MODELS = {
    "auto, few terms": RuleEnsembleRegressor(GROVE, max_rules=5, cv=SPLITS, random_state=0),
    "auto, all terms": RuleEnsembleRegressor(GROVE, max_rules=None, cv=SPLITS, random_state=0),
    "ridge": RuleEnsembleRegressor(GROVE, weights="ridge", max_rules=None, cv=SPLITS, random_state=0),
    "greedy": RuleEnsembleRegressor(GROVE, weights="greedy", max_rules=4, cv=SPLITS, random_state=0),
    "lasso": RuleFitRegressor(GROVE, max_rules=None, cv=SPLITS, random_state=0),
    "lasso, few terms": RuleFitRegressor(GROVE, max_rules=4, cv=SPLITS, random_state=0),
    "gradient": FIRERegressor(GROVE, cv=SPLITS, random_state=0),
    "no term": RuleEnsembleRegressor(GROVE, max_rules=0, cv=SPLITS, random_state=0),
    "whole trees": RuleEnsembleRegressor(GROVE, rules_from="trees", max_rules=3, cv=SPLITS, random_state=0),
    "soft": SoftRulesRegressor(GROVE, max_rules=4, cv=SPLITS, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_their_error_is_that_of_the_path(name, monkeypatch):
    """The path's error is found from sums over the rows held out; here it is found from the rows themselves."""
    monkeypatch.setattr(WeightPath, "choose_without", lambda path, fold, n_folds, max_rules: path.choose(max_rules))
    X, y = make_table()
    model = MODELS[name].fit(X, y)
    assert model.oof_prediction_.shape == (N,)
    square = (model.oof_prediction_ - y) ** 2 / y.var(ddof=0)
    of_folds = [square[test].mean() for _, test in SPLITS]
    assert np.mean(of_folds) == pytest.approx(find_step(model)["error"], rel=1e-7)


def make_path(*errors):
    """Models of one term, two and so on, with the errors of folds."""
    no_weights = np.zeros((0, 1))
    steps = [
        Step.judged(np.arange(k), no_weights, np.zeros(1), np.array(own), origin=("chosen", k))
        for k, own in enumerate(errors, 1)
    ]
    return WeightPath.of(steps)


def test_the_rows_of_a_fold_have_no_part_in_the_choice_of_its_model():
    path = make_path([1.0, 1.0, 1.0], [0.8, 0.8, 1.5])
    assert path.choose(5).origin == ("chosen", 1)
    assert [path.choose_without(k, 3, 5).size for k in range(3)] == [1, 1, 2]
    assert path.choose_without(2, 3, 1).size == 1
    assert make_path([1.0], [0.9]).choose_without(0, 1, 5).size == 2  # a single fold is all there is


def test_the_choice_among_noise_is_not_rewarded():
    """Of equally good models the choice of all folds looks better than it is; that of the other folds does not."""
    rng, chosen, honest = np.random.default_rng(0), [], []
    for _ in range(200):
        errors = 1.0 + 0.1 * rng.normal(size=(20, 5))
        path = make_path(*errors)
        chosen.append(path.choose(None).error)
        honest.append(np.mean([errors[path.choose_without(k, 5, None).size - 1, k] for k in range(5)]))
    assert np.mean(chosen) < 0.93
    assert abs(np.mean(honest) - 1.0) < 0.01


def test_folds_are_told_and_kept(tmp_path):
    X, y = make_table()
    model = RuleEnsembleRegressor(GROVE, max_rules=5, cv=SPLITS[:2], random_state=0).fit(X, y)
    assert model.held_out_.fold.tolist() == [[0, 1, -1][i % 3] for i in range(N)]
    model.save(tmp_path / "model.glade")
    np.testing.assert_array_equal(glade.load(tmp_path / "model.glade").held_out_.fold, model.held_out_.fold)


def test_several_targets_some_unknown_and_rows_with_weights():
    X, y = make_table()
    Y = pd.DataFrame({"first": y, "second": -2.0 * y + X["d"]})
    Y.loc[::7, "second"] = np.nan
    weights = 1.0 + np.arange(N) % 3
    weights[5] = 0.0
    model = RuleEnsembleRegressor(GROVE, max_rules=6, cv=3, missing_targets="ignore", random_state=0)
    found = model.fit(X, Y, sample_weight=weights).oof_prediction_
    assert found.shape == (N, 2)
    assert np.isnan(found[5]).all()
    assert np.isfinite(np.delete(found, 5, axis=0)).all()
    wrong = np.abs(found - Y).mean()
    assert (wrong < 0.6 * (Y - Y.mean()).abs().mean()).all()


def test_noise_cannot_be_predicted():
    """The rows themselves are known to the model; the folds have not seen them."""
    X, _ = make_table(n=300)
    y = np.random.default_rng(5).normal(size=300)
    model = RuleEnsembleRegressor(max_rules=None, weights="ridge", random_state=0).fit(X, y)
    assert np.corrcoef(model.oof_prediction_, y)[0, 1] < 0.15
    model = RuleEnsembleRegressor(max_rules=30, random_state=0).fit(X, y)
    assert np.corrcoef(model.oof_prediction_, y)[0, 1] < 0.15


@pytest.mark.parametrize("kind", [RuleEnsembleClassifier, RuleFitClassifier])
def test_classes_have_probabilities(kind):
    X, y = make_table(n=240)
    label = pd.cut(y, [-np.inf, 0.5, 2.5, np.inf], labels=["low", "mid", "high"]).astype(str)
    model = kind(max_rules=8, random_state=0).fit(X, label)
    found = model.oof_prediction_
    assert found.shape == (240, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    honest = (model.classes_[found.argmax(axis=1)] == label).mean()
    assert label.value_counts(normalize=True).max() < honest < model.score(X, label)


def test_mixed_targets_have_a_dataframe():
    X, y = make_table()
    Y = pd.DataFrame({"number": y, "class": np.where(y > 1, "yes", "no")})
    model = MixedRuleEnsemble(max_rules=6, validation_fraction=0.25, random_state=0).fit(X, Y)
    found = model.oof_prediction_
    assert list(found.columns) == ["number", "class"]
    assert found["number"].isna().sum() == found["class"].isna().sum() == N - np.ceil(N / 4)
    known = found["class"].notna()
    assert (found["class"][known] == Y["class"][known]).mean() > 0.7


def test_rows_that_no_fold_holds_out_have_none_and_others_the_mean():
    X, y = make_table()
    first, second = SPLITS[0], SPLITS[1]
    model = RuleEnsembleRegressor(GROVE, max_rules=5, cv=[first, second], random_state=0).fit(X, y)
    known = np.isfinite(model.oof_prediction_)
    np.testing.assert_array_equal(np.flatnonzero(known), np.sort(np.concatenate((first[1], second[1]))))
    repeated = RuleEnsembleRegressor(GROVE, max_rules=5, cv=[first, second, first], random_state=0).fit(X, y)
    assert np.isfinite(repeated.oof_prediction_[first[1]]).all()


def test_a_fold_that_has_seen_its_rows_says_nothing_of_them():
    X, y = make_table()
    everything = np.arange(N)
    model = RuleEnsembleRegressor(GROVE, max_rules=5, cv=[(everything, everything[:50])], random_state=0).fit(X, y)
    assert np.isnan(model.oof_prediction_).all()
    one = RuleEnsembleRegressor(GROVE, random_state=0).fit(X[["b", "c", "d"]][:1], y[:1])
    assert np.isnan(one.oof_prediction_).all()


def test_another_size_of_the_path_has_none():
    X, y = make_table()
    model = RuleEnsembleRegressor(GROVE, max_rules=5, cv=SPLITS, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.with_rules(5).oof_prediction_, model.oof_prediction_)
    with pytest.raises(AttributeError, match="fit it with this max_rules"):
        _ = model.with_rules(0).oof_prediction_
    assert not hasattr(model.with_rules(0), "oof_prediction_")


@pytest.mark.parametrize("n_targets", [1, 2])
def test_a_file_keeps_them_unless_they_are_left_out(tmp_path, n_targets):
    X, y = make_table()
    Y = pd.DataFrame({f"y{t}": y * (t + 1) for t in range(n_targets)})
    model = RuleEnsembleRegressor(GROVE, max_rules=5, cv=SPLITS[:1], random_state=0).fit(X, Y)
    model.save(tmp_path / "with.glade")
    np.testing.assert_array_equal(glade.load(tmp_path / "with.glade").oof_prediction_, model.oof_prediction_)
    model.save(tmp_path / "without.glade", oof_prediction=False)
    again = glade.load(tmp_path / "without.glade")
    assert not hasattr(again, "oof_prediction_")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
