"""How probabilities become classes: the event, thresholds, costs and class weights, the same in every classifier."""

import sqlite3
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

import glade

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(200, 3)).round(2), columns=["a", "b", "c"])
RISK = 1 / (1 + np.exp(2.0 - 2.0 * X["a"]))
Y = pd.Series(np.where(RNG.random(200) < RISK, "sick", "well"), name="state")
THREE = pd.Series(np.where(X["b"] > 1.0, "rare", np.where(X["a"] > 0, "up", "down")), name="side")
COSTS = {"false_alarm": 1.0, "miss": 5.0}
SETTINGS = {
    "TreeClassifier": {"min_samples_leaf": 10},
    "ForestClassifier": {"n_estimators": 10, "min_samples_leaf": 5},
    "MultiTreeClassifier": {"n_alternatives": 10, "min_samples_leaf": 10},
    "RuleEnsembleClassifier": {"max_rules": 4, "max_conditions": 1},
    "RuleFitClassifier": {"max_rules": 4},
    "SoftRulesClassifier": {"max_rules": 4, "cv": 3},
    "ScoreCardClassifier": {"max_lines": 3},
    "RuleListClassifier": {"max_rules": 4},
    "BeamTreeClassifier": {"width": 3},
}


def make(name, **more):
    settings = SETTINGS[name] | (
        {"generator": glade.ForestClassifier(10, max_depth=2)}
        if "Rules" in name or "RuleE" in name or "RuleF" in name
        else {}
    )
    model = getattr(glade, name)(**settings, **more)
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def test_every_classifier_is_tried():
    classes = {name: getattr(glade, name) for name in glade.__all__ if name.endswith("Classifier")}
    assert {name for name, kind in classes.items() if "threshold" in kind().get_params()} == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_class_follows_the_threshold_and_the_probabilities_stay_true(name, tmp_path):
    model = make(name).fit(X, Y)
    risk = model.predict_proba(X)[:, 0]
    assert (model.event_, model.threshold_) == ("sick", 0.5)
    by_cost = model.with_threshold("cost", COSTS)
    assert by_cost.threshold_ == pytest.approx(1 / 6)
    assert make(name, threshold="cost", costs=COSTS).fit(X, Y).threshold_ == by_cost.threshold_
    np.testing.assert_array_equal(by_cost.predict(X), np.where(risk >= 1 / 6, "sick", "well"))
    assert (by_cost.predict(X) == "sick").sum() >= (model.predict(X) == "sick").sum()
    balanced = make(name, class_weight="balanced").fit(X, Y)
    np.testing.assert_array_equal(balanced.predict_proba(X), model.predict_proba(X))
    assert balanced.threshold_ == pytest.approx((Y == "sick").mean())
    assert risk.mean() == pytest.approx((Y == "sick").mean(), abs=0.02)
    balanced.save(tmp_path / "m.glade")
    loaded = glade.load(tmp_path / "m.glade")
    assert (loaded.threshold_, loaded.event_) == (balanced.threshold_, "sick")
    np.testing.assert_array_equal(loaded.predict(X), balanced.predict(X))
    np.testing.assert_array_equal(loaded.with_threshold(None).predict(X), model.predict(X))


def test_the_event_that_is_asked_for_changes_no_prediction():
    one, other = (make("RuleEnsembleClassifier", event=label).fit(X, Y) for label in ("sick", "well"))
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert (one.event_, other.event_) == ("sick", "well")
    assert (one.with_threshold(0.8).predict(X) == "sick").sum() < (one.predict(X) == "sick").sum()
    is_well = other.with_threshold(0.2).predict(X) == "well"
    np.testing.assert_array_equal(is_well, other.predict_proba(X)[:, 1] >= 0.2)


def test_several_targets_have_an_event_each():
    both = pd.concat([Y, pd.Series(np.where(X["b"] > 0.5, 1, 0), name="high"), THREE], axis=1)
    model = make("TreeClassifier", event={"high": 0}).fit(X, both)
    assert model.event_ == {"state": "sick", "high": 0}
    assert model.threshold_ == [0.5, 0.5, None]
    with pytest.raises(ValueError, match="event='sick' is for one nominal target: give"):
        make("TreeClassifier", event="sick").fit(X, both)
    with pytest.raises(ValueError, match="threshold is for targets of two classes, and target 'side' has 3 classes"):
        make("TreeClassifier", threshold=0.3).fit(X, both)
    two = make("TreeClassifier", threshold=0.3).fit(X, both[["state", "high"]])
    assert two.threshold_ == [0.3, 0.3]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"event": "dead"}, "event='dead' is no class of target 'state'"),
        ({"threshold": "cost"}, 'threshold="cost" needs costs='),
        ({"threshold": "cost", "costs": {"miss": 2}}, 'threshold="cost" needs costs='),
        ({"threshold": "cost", "costs": {"miss": 2, "false_alarm": 0}}, "costs must be numbers above 0"),
        ({"costs": COSTS}, 'costs are used with threshold="cost"'),
        ({"threshold": 0.3, "class_weight": "balanced"}, "threshold and class_weight both say what errors cost"),
        ({"threshold": 1.5}, "The 'threshold' parameter of TreeClassifier must be"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(given, said):
    with pytest.raises(ValueError, match=said):
        make("TreeClassifier", **given).fit(X, Y)


def test_weights_of_three_classes_move_the_class():
    plain, heavy = (make("TreeClassifier", class_weight=w).fit(X[["a", "c"]], THREE) for w in (None, {"rare": 9.0}))
    shares = plain.predict_proba(X[["a", "c"]])
    expected = plain.classes_[(shares * [1.0, 9.0, 1.0]).argmax(axis=1)]
    np.testing.assert_array_equal(heavy.predict(X[["a", "c"]]), expected)
    assert heavy.threshold_ is None
    assert (expected == "rare").sum() > (plain.predict(X[["a", "c"]]) == "rare").sum()


@pytest.mark.parametrize(
    ("y", "given"), [(Y, {"threshold": 0.25}), (THREE, {"class_weight": {"rare": 9.0, "up": 0.0}})]
)
def test_exports_say_the_same_class(y, given):
    table = X[["a", "c"]]
    model = make("TreeClassifier", **given).fit(table, y)
    expected = model.predict(table).tolist()
    assert expected != model.predict_proba(table).argmax(axis=1).tolist()
    module = {}
    exec(compile(glade.export(model, "python"), "model", "exec"), module)  # noqa: S102
    records = table.to_dict("records")
    assert [module["predict"](record)[y.name] for record in records] == expected
    assert glade.from_json(glade.export(model, "json")).predict(table).tolist() == expected
    with sqlite3.connect(":memory:") as base:
        table.to_sql("t", base, index=False)
        query = glade.export(model, "sql", dialect="sqlite", table="t")
        assert pd.read_sql(query, base)[f"predicted_{y.name}"].tolist() == expected
    if find_spec("onnxruntime"):
        import onnxruntime

        session = onnxruntime.InferenceSession(glade.export(model, "onnx"))
        feeds = {own.name: table[[own.name]].to_numpy(np.float32) for own in session.get_inputs()}
        assert session.run([f"predicted_{y.name}"], feeds)[0][:, 0].tolist() == expected


def test_rare_events_keep_their_risk():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.normal(size=(4000, 2)), columns=["a", "b"])
    is_event = rng.random(4000) < 0.005 * np.exp(0.8 * table["a"] - 0.32)
    model = make("RuleEnsembleClassifier", class_weight="balanced").fit(table, is_event)
    risk = model.predict_proba(table)[:, 1]
    assert risk.min() > 0
    assert risk.max() < 1
    assert risk.mean() == pytest.approx(is_event.mean(), rel=0.1)
    assert model.predict(table).sum() > 10 * is_event.sum()


MIXED = {
    "MixedTree": {"max_depth": 3},
    "MixedForest": {"n_estimators": 5, "min_samples_leaf": 5},
    "MixedMultiTree": {"n_alternatives": 5, "min_samples_leaf": 10},
    "MixedRuleEnsemble": {"generator": glade.MixedForest(8, max_depth=2), "max_rules": 4, "cv": 2},
    "MixedRuleList": {"max_rules": 3, "cv": 2},
}
TARGETS = pd.DataFrame({"state": Y, "side": THREE, "amount": X["a"] ** 2, "late": np.where(X["c"] > 0, "yes", "no")})


def make_mixed(name, **more):
    model = getattr(glade, name)(**MIXED[name], **more)
    return model.set_params(random_state=0) if "random_state" in model.get_params(deep=False) else model


def test_every_mixed_estimator_is_tried():
    assert {name for name in glade.__all__ if name.startswith("Mixed")} == set(MIXED)


@pytest.mark.parametrize("name", MIXED)
def test_mixed_targets_have_events_and_thresholds_of_their_own(name, tmp_path):
    plain = getattr(glade, name)(**MIXED[name])
    if "random_state" in plain.get_params():
        plain.set_params(random_state=0)
    plain.fit(X, TARGETS)
    assert plain.event_ == {"state": "sick", "late": min(("yes", "no"), key=TARGETS["late"].value_counts().get)}
    assert plain.threshold_ == {"state": 0.5, "late": 0.5}
    asked = {"event": {"state": "well"}, "threshold": {"state": 0.9}}
    model = getattr(glade, name)(**plain.get_params(deep=False) | asked).fit(X, TARGETS)
    assert model.event_ == plain.event_ | {"state": "well"}
    assert model.threshold_ == {"state": 0.9, "late": 0.5}
    shares, said = model.predict_proba(X), model.predict(X)
    for target, own in plain.predict_proba(X).items():
        np.testing.assert_allclose(shares[target], own)  # what is asked for changes no probability
    np.testing.assert_array_equal(said["state"], np.where(shares["state"]["well"] >= 0.9, "well", "sick"))
    assert (said["state"] != plain.predict(X)["state"]).any()
    frame = (model.archetype(max_leaf_nodes=4) if name == "MixedMultiTree" else model).explain(X.head(3))
    assert set(frame.loc[frame["target"] == "state", "class"]) == {"well"}
    model.save(tmp_path / "m.glade")
    again = glade.load(tmp_path / "m.glade")
    assert (again.event_, again.threshold_) == (model.event_, model.threshold_)
    pd.testing.assert_frame_equal(again.predict(X), said)


def test_one_nominal_target_among_numbers_needs_no_dictionary():
    tree = glade.MixedTree(max_depth=2, event="well", threshold=0.2).fit(X, TARGETS[["state", "amount"]])
    assert (tree.event_, tree.threshold_) == ({"state": "well"}, {"state": 0.2})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"event": "sick"}, "is for one nominal target: give"),
        ({"event": {"amount": 1.0}}, "event names 'amount', which is no nominal target"),
        ({"threshold": {"amount": 0.5}}, "threshold names 'amount', which is no nominal target"),
        ({"threshold": {"side": 0.5}}, "threshold is for targets of two classes, and target 'side' has 3 classes"),
        ({"threshold": {"state": 1.5}}, "threshold of target 'state' must be a number between 0 and 1, but is 1.5"),
        ({"threshold": 0.5}, "threshold is for targets of two classes, and target 'side' has 3 classes"),
    ],
)
def test_what_mixed_targets_cannot_have_is_said(given, said):
    with pytest.raises(ValueError, match=said):
        glade.MixedTree(**given).fit(X, TARGETS)


def test_a_threshold_where_no_target_is_nominal_is_refused_in_a_whole_sentence():
    X = np.arange(12.0)[:, None]
    with pytest.raises(ValueError, match="no nominal target; there are none, so leave it out"):
        glade.MixedTree(threshold={"y": 0.5}).fit(X, pd.DataFrame({"y": X[:, 0]}))


def test_an_event_that_is_an_array_is_no_class():
    X = np.arange(12.0)[:, None]
    with pytest.raises(ValueError, match="is no class of target"):
        glade.TreeClassifier(event=np.array(["a", "b"])).fit(X, np.repeat(["a", "b"], 6))


def test_one_class_is_told_in_the_singular():
    with pytest.raises(ValueError, match="has 1 class: leave it out"):
        glade.TreeClassifier(threshold=0.3).fit(np.arange(4.0)[:, None], ["a"] * 4)


EXPORTED = [name for name in (*SETTINGS, *MIXED) if "MultiTree" not in name]
CHANGED = [(name, True) for name in EXPORTED if name in SETTINGS]  # of mixed targets it is set before the fit


@pytest.mark.parametrize(("name", "later"), [*((name, False) for name in EXPORTED), *CHANGED])
def test_exports_of_every_estimator_keep_its_threshold(name, later):
    y = pd.DataFrame({"state": Y, "amount": X["b"]}) if name in MIXED else Y
    model = (make_mixed if name in MIXED else make)(name, threshold=0.5 if later else 0.2).fit(X, y)
    model = model.with_threshold(0.2) if later else model
    read = glade.from_json(glade.export(model, "json"))
    assert read.target_schema_.decision_of(0).threshold == 0.2
    shares = model.predict_values(model.encode(X))[:, model.target_schema_.decision_of(0).event]
    said = (np.asarray(read.predict(X), object).reshape(len(X), -1)[:, 0] == "sick").astype(bool)
    np.testing.assert_array_equal(said, shares >= 0.2)


@pytest.mark.parametrize("name", ["ForestClassifier", "RuleEnsembleClassifier"])
def test_exports_keep_weights_of_classes(name):
    model = make(name, class_weight={"rare": 9.0, "up": 0.0}).fit(X, THREE)
    read = glade.from_json(glade.export(model, "json"))
    np.testing.assert_array_equal(model.predict(X), read.predict(X))
    assert "up" not in read.predict(X)
