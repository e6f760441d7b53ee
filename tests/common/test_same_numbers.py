"""What a model says is one number wherever it is said: in text, frames, files, on the page and in explanations."""

import json
import warnings
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, log_expit, logit, softmax

import glade
from glade.cli.contributions import show_contributions
from glade.cli.rules import render
from glade.report.facts import collect_facts
from glade.rules.wording import EVERY_ROW, list_terms, round_to, word_points

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(150, 3)).round(2), columns=["a", "b", "c"]).assign(kind=RNG.choice(["u", "v"], 150))
Y = pd.DataFrame(
    {
        "sick": np.where(RNG.random(150) < expit(2 * X["a"] - 1.5), "yes", "no"),
        "side": np.where(X["b"] > 0.8, "rare", np.where(X["a"] + RNG.normal(size=150) > 0, "up", "down")),
        "count": RNG.poisson(np.exp(0.5 * X["a"] + (X["kind"] == "u"))).astype(float),
        "amount": (10 * X["a"] + 5 * X["b"] + RNG.normal(size=150)).round(1),
    }
)
GROVE = {"n_estimators": 8, "max_depth": 2}
SHORT = {"max_rules": 4, "max_conditions": 1, "cv": 2, "random_state": 0}
RULES = {
    "two classes": (["sick"], lambda: glade.RuleEnsembleClassifier(glade.ForestClassifier(**GROVE), **SHORT)),
    "the other event": (
        ["sick"],
        lambda: glade.RuleFitClassifier(glade.ForestClassifier(**GROVE), event="no", cv=2, random_state=0),
    ),
    "three classes": (["side"], lambda: glade.RuleEnsembleClassifier(glade.ForestClassifier(**GROVE), **SHORT)),
    "numbers": (["amount", "count"], lambda: glade.RuleEnsembleRegressor(glade.ForestRegressor(**GROVE), **SHORT)),
    "counts": (["count"], lambda: glade.RuleEnsembleRegressor(glade.ForestRegressor(**GROVE), loss="poisson", **SHORT)),
    "mixed": (["sick", "amount"], lambda: glade.MixedRuleEnsemble(glade.MixedForest(**GROVE), **SHORT)),
    "soft": (
        ["sick"],
        lambda: glade.SoftRulesClassifier(glade.ForestClassifier(**GROVE), max_rules=3, cv=2, random_state=0),
    ),
    "card": (
        ["sick"],
        lambda: glade.ScoreCardClassifier(3, generator=glade.ForestClassifier(**GROVE), cv=2, random_state=0),
    ),
}
OTHERS = {
    "tree": (["sick"], lambda: glade.TreeClassifier(max_depth=2)),
    "tree of numbers": (["amount", "count"], lambda: glade.TreeRegressor(max_depth=2)),
    "forest": (["side"], lambda: glade.ForestClassifier(4, random_state=0)),
    "boosted": (["sick"], lambda: glade.ForestClassifier(6, method="boosting", random_state=0)),
    "boosted, three": (["side"], lambda: glade.ForestClassifier(6, method="boosting", random_state=0)),
    "boosted counts": (["count"], lambda: glade.ForestRegressor(6, method="boosting", loss="poisson", random_state=0)),
    "list": (["side"], lambda: glade.RuleListClassifier(3, cv=2, random_state=0)),
}
FITTED: dict = {}


def fit(name):
    if name not in FITTED:
        targets, make = (RULES | OTHERS)[name]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FITTED[name] = make().fit(X, Y[targets] if len(targets) > 1 else Y[targets[0]])
    return FITTED[name]


def list_columns(model):
    """Target, channel and the column of the frame for each effect that is told."""
    schema = model.target_schema_
    for t, (name, classes, event) in enumerate(zip(schema.names, schema.classes, schema.events, strict=True)):
        for k in range(1 if classes is None else len(classes)):
            if event is None or k == event:
                column = name if classes is None else f"{name} = {classes[k]} (points)"
                yield t, int(schema.start[t]) + k, column


@pytest.mark.parametrize("name", RULES)
def test_effects_are_the_same_in_text_frame_csv_json_and_page(name):
    model = fit(name)
    frame, schema = model.to_frame(), model.target_schema_
    assert len(frame) > 1
    records = json.loads(render(model, "json"))
    table = pd.read_csv(StringIO(render(model, "csv", raw_csv=True)))
    facts = collect_facts(model, X, Y[list(schema.names)])["path"]
    step = facts["steps"][facts["chosen"]]
    cells = list_terms(model.terms_, schema)[1:]
    for t, channel, column in list_columns(model):
        own = frame[column].to_numpy()
        assert [record[column] for record in records] == own.tolist()
        np.testing.assert_allclose(table[column], own, rtol=1e-12)
        unit = 1.0 if schema.classes[t] is None else 100.0
        changes = np.array(step.get("change", step["effect"]))[:, channel] * model.terms_.design.whole * unit
        np.testing.assert_allclose(changes, own[1:], rtol=1e-3, atol=1e-5)
        for row, value in zip(cells[1:], own[1:], strict=True):
            text = word_points(value / 100) if unit == 100 else f"{round_to(value, model.terms_.spread[channel])}"
            classes, event = schema.classes[t], schema.events[t]
            label = None if classes is None else str(classes[channel - int(schema.start[t])])
            if classes is None or event is not None or row[3 + t].startswith(label):
                assert text.lstrip("+") in row[3 + t]
        if f"{column} inside" in frame or unit == 100:
            inside = frame[column.replace(" (points)", " inside (points)") if unit == 100 else f"{column} inside"]
            for k, (words, value) in enumerate(zip(model.terms_.design.words, inside[1:], strict=True)):
                assert np.isnan(value) == (not model.terms_.design.is_rule[k]), words


@pytest.mark.parametrize("name", RULES)
def test_what_was_observed_is_that_of_the_rows(name):
    model = fit(name)
    frame, design = model.to_frame(), model.terms_.design
    covers = design.values(model.encode(X)) >= 0.5 * design.unit
    for t, channel, column in list_columns(model):
        classes, base = model.target_schema_.classes[t], column.removesuffix(" (points)")
        truth = Y[model.target_schema_.names[t]]
        if classes is not None:
            truth = 100.0 * (truth == classes[channel - int(model.target_schema_.start[t])])
        mark = "" if classes is None else " (points)"
        for k in np.flatnonzero(design.is_rule):
            assert frame[f"{base} inside{mark}"][k + 1] == pytest.approx(truth[covers[:, k]].mean())
            if not covers[:, k].all():
                assert frame[f"{base} outside{mark}"][k + 1] == pytest.approx(truth[~covers[:, k]].mean())


@pytest.mark.parametrize("name", [*RULES, *OTHERS])
def test_contributions_end_at_the_prediction(name):
    model = fit(name)
    told, schema = model.explain(X.head(20)), model.target_schema_
    values = model.predict_values(model.encode(X.head(20)))
    for t, channel, _ in list_columns(model):
        own, classes = told[told["target"] == schema.names[t]], schema.classes[t]
        if classes is not None:
            own = own[own["class"] == classes[channel - int(schema.start[t])]]
        assert (own.drop_duplicates("row")["term"] == EVERY_ROW).all()
        sums = own.groupby("row").sum(numeric_only=True)
        p = values[:, channel]
        np.testing.assert_allclose(sums["contribution"], p, atol=1e-9)
        if "log_odds" in told and schema.events[t] is not None:
            np.testing.assert_allclose(sums["log_odds"], logit(p), atol=1e-9)
        if "score" in told and not own["score"].isna().any():
            np.testing.assert_allclose(np.exp(sums["score"]), p, rtol=1e-9)
    n_told = sum(1 for _ in list_columns(model))
    assert (told["term"] == EVERY_ROW).sum() == 20 * n_told


@pytest.mark.parametrize("name", [*RULES, *OTHERS])
def test_the_waterfall_and_the_command_tell_the_same(name):
    model, row = fit(name), 3
    told, schema = model.explain(X.iloc[[row]]), model.target_schema_
    shown = show_contributions(model, X.iloc[[row]], told, [0])
    drawn = glade.waterfall(model, X, row)
    own = told[told["target"] == schema.names[0]]
    if own["class"].iloc[0] is not None:
        best = own.groupby("class")["contribution"].sum().idxmax()
        own = own[own["class"] == best]
        end = own["contribution"].sum()
        assert drawn.title.endswith(f"{end:.1%}")
        assert f"{100 * end:.0f}%" in shown[-1] or f"{100 * end:.1f}%" in shown[-1]
        assert shown[-1].endswith(f": {np.ravel(np.asarray(model.predict(X.iloc[[row]])))[0]}")
    by_term = drawn.frame().set_index("term")["contribution"]
    pd.testing.assert_series_equal(by_term.sort_index(), own.set_index("term")["contribution"].sort_index())
    assert shown[-1].startswith("prediction")


@pytest.mark.parametrize("name", [name for name in RULES if name != "mixed"])
def test_the_page_has_what_it_needs_to_tell_the_same_steps(name):
    """As its script goes: from the offset, term by term in order of importance, through the link."""
    model = fit(name)
    facts = collect_facts(model, X, Y[list(model.target_schema_.names)])["path"]
    step = facts["steps"][facts["chosen"]]
    effect, values = np.array(step["effect"]), model.terms_.design.values(model.encode(X.head(5)))
    order = np.argsort(-model.terms_.importance.mean(axis=1), kind="stable")
    sums = np.cumsum(np.insert(values[:, order, None] * effect[order], 0, step["offset"], axis=1), axis=1)
    inverse = {"identity": lambda s: s, "log": np.exp, "softmax": lambda s: softmax(s, axis=2)}
    if facts["links"][0] == "logit":
        steps = np.exp(np.stack([log_expit(-sums[..., 1]), log_expit(sums[..., 1])], axis=2))
    else:
        steps = inverse[facts["links"][0]](sums)
    told = model.explain(X.head(5))
    for t, channel, _ in list_columns(model):
        own, classes = told[told["target"] == model.target_schema_.names[t]], model.target_schema_.classes[t]
        if classes is not None:
            own = own[own["class"] == classes[channel - int(model.target_schema_.start[t])]]
        for row in range(5):
            mine = own.loc[own["row"] == row, "contribution"].to_numpy()
            moves = np.diff(steps[row, :, channel])
            expected = [steps[row, 0, channel], *moves[np.abs(values[row, order]) > 0]]
            np.testing.assert_allclose(mine, expected, atol=1e-9)
