"""What is told as right and wrong is what `predict` says, whatever makes it say another class than the likeliest."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from glade import ForestClassifier, RuleEnsembleClassifier, TreeClassifier, compare
from glade.evaluate.fit_results import read_held_out
from glade.evaluate.problems import read_problems
from glade.evaluate.unseen import judge_targets
from glade.report.facts import collect_facts
from glade.report.page import render_page
from tests.report.pages import to_page_rows

N_ROWS = 300
GROVE = ForestClassifier(8, max_depth=3)
THREE = {"c": {"a": 9.0, "b": 4.0}}
WAYS = {
    "threshold": ("two", {"threshold": 1 / 7}),
    "costs": ("two", {"threshold": "cost", "costs": {"false_alarm": 1, "miss": 8}}),
    "weights of two": ("two", {"class_weight": {"ill": 5, "well": 1}}),
    "a class that counts nothing": ("two", {"class_weight": {"ill": 0, "well": 1}}),
    "cost matrix of two": ("two", {"cost_matrix": {"ill": {"well": 6.0}}}),
    "weights of three": ("three", {"class_weight": {"a": 1, "b": 1, "c": 6}}),
    "cost matrix of three": ("three", {"cost_matrix": THREE}),
    "plain": ("two", {}),
}


def make_table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N_ROWS, 3)).round(2), columns=["age", "pulse", "weight"])
    score = X["age"] + X["pulse"] + rng.normal(0, 1.2, N_ROWS)
    three = pd.cut(score, [-np.inf, 0, 1.5, np.inf], labels=["a", "b", "c"]).astype(str)
    return X, pd.DataFrame({"two": np.where(score > 1.5, "ill", "well"), "three": three})


@cache
def fit(way):
    target, settings = WAYS[way]
    X, y = make_table()
    if "cost_matrix" in settings:
        model = TreeClassifier(max_depth=4, ccp_alpha="cv", cv=3, random_state=0, **settings)
    else:
        model = RuleEnsembleClassifier(GROVE, max_rules=6, cv=3, random_state=0, **settings)
    return model.fit(X, y[target]), X, y[target]


@pytest.mark.parametrize("way", WAYS)
def test_the_share_that_is_wrong_is_that_of_the_classes_that_predict_says(way):
    model, X, y = fit(way)
    values, (target,) = model.oof_prediction_, model.target_schema_.names
    said = model.classes_[model.target_schema_.decision_of(0).pick(values)]
    plain = model.classes_[values.argmax(axis=1)]
    assert (way == "plain") == np.array_equal(said, plain)  # else the test could not fail
    wrong = float(np.mean(said != y))
    error = model.errors_.set_index("metric").loc["error", "value"]
    assert error == pytest.approx(wrong, abs=1e-12)
    facts = collect_facts(model, X, y.to_frame())
    own = facts["quality"]["targets"][0]
    assert own["right"] == pytest.approx(1 - wrong, abs=1e-12)
    pairs = pd.crosstab(y, said).reindex(index=model.classes_, columns=model.classes_, fill_value=0)
    assert own["confusion"] == pairs.to_numpy().tolist()
    for group in own["groups"]:
        rows = sum(n for _, n, *_ in group["groups"])
        assert sum(n * lost for _, n, lost, *_ in group["groups"]) / rows == pytest.approx(wrong, abs=1e-12)
    if target == "two":
        event = facts["events"][0]
        assert own["said"] == [pairs.iloc[event, event], pairs.iloc[1 - event, event]]
        assert f"finds {own['said'][0]} of the" in facts["lead"]


def test_the_first_screen_says_when_a_class_is_said():
    leads = {way: collect_facts(model, X, y.to_frame())["lead"] for way in WAYS for model, X, y in [fit(way)]}
    assert leads["threshold"].startswith("It says ill from a chance of 14% on. It is right for ")
    assert leads["a class that counts nothing"].startswith("It never says ill. It is right for ")
    assert leads["cost matrix of three"].startswith("What it says goes by what errors cost, not only by what is ")
    assert leads["plain"].startswith("It is right for ")


@pytest.mark.parametrize("way", WAYS)
def test_the_page_decides_and_counts_as_predict_does(show, way):
    model, X, y = fit(way)
    page = show(render_page(collect_facts(model, X, y.to_frame())))
    rows = to_page_rows(model, X)
    decided = page.evaluate(
        "(rows) => rows.map(r => gladeReport.decide(gladeReport.facts.targets[0], 0, gladeReport.predict(r)))", rows
    )
    assert (model.classes_[decided] == model.predict(X)).all()
    if way in ("threshold", "costs", "a class that counts nothing"):
        own = page.evaluate("gladeReport.facts.quality.targets[0].said")
        told = page.locator(".threshold .path-words").inner_text()
        assert f"finds {own[0]} of the" in told
        assert f"{own[1]} false alarm" in told
    if way == "costs":
        assert page.get_by_label("a miss costs").input_value() == "8"


def test_a_comparison_pools_the_classes_that_predict_says():
    X, y = make_table()
    models = {"plain": TreeClassifier(max_depth=3), "careful": TreeClassifier(max_depth=3, threshold=0.15)}
    result = compare(models, {"table": (X, y["two"])}, folds=3)
    (judged,) = judge_targets(result)
    for name in models:
        own = result.predictions(name)
        assert judged.measure(name)["error"].value == pytest.approx((own["predicted"] != own["truth"]).mean())
    assert judged.measure("careful")["error"].value > judged.measure("plain")["error"].value
    assert judged.measure("careful")["brier"].value == pytest.approx(judged.measure("plain")["brier"].value)


def test_the_folds_of_a_fit_name_classes_by_its_decision():
    model, X, y = fit("threshold")
    test = np.arange(N_ROWS)
    (problem,) = read_problems({"table": (X, y)}, "classification")
    result = read_held_out(model, problem, (test, test))
    said = model.target_schema_.decision_of(0).pick(model.oof_prediction_)
    np.testing.assert_array_equal(result.predicted[0], said)


def test_another_threshold_forgets_what_was_wrong_by_the_former_one():
    model, *_ = fit("threshold")
    before, after = (own.errors_.set_index("metric")["value"] for own in (model, model.with_threshold(0.5)))
    assert np.isfinite(before["error"])
    assert np.isnan(after["error"])
    assert before.drop("error").equals(after.drop("error"))
