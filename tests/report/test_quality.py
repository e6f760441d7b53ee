"""How good a model is, as the page tells it: the figures of scikit-learn, from predictions of rows it had not seen."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import glade
from glade import RuleEnsembleClassifier, RuleEnsembleRegressor, TreeRegressor, load_penguins
from glade.core.errors import InputError
from glade.report.class_quality import measure_classes
from glade.report.facts import collect_facts
from glade.report.honest import Judged, Unseen
from glade.report.number_quality import measure_numbers
from glade.report.table_facts import ReadRows
from glade.report.verdicts import judge
from tests import fitted
from tests.report.pages import facts_of, make_leaking_table, targets_of


@pytest.fixture(scope="module")
def shares():
    """Probabilities of three classes with ties, and what came of them."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 200)
    raw = np.round(rng.random((200, 3)) + 0.7 * (truth[:, None] == np.arange(3)), 1) + 0.05
    return raw / raw.sum(axis=1, keepdims=True), truth.astype(float)


def test_figures_of_classes_are_those_of_scikit_learn(shares):
    p, truth = shares
    own = measure_classes(p, truth, None)
    assert own["confusion"] == metrics.confusion_matrix(truth, p.argmax(axis=1)).tolist()
    assert own["right"] == pytest.approx(metrics.accuracy_score(truth, p.argmax(axis=1)), abs=1e-12)
    assert own["logLoss"] == pytest.approx(metrics.log_loss(truth, p), abs=1e-12)
    for k, curve in enumerate(own["curves"]):
        assert curve["area"] == pytest.approx(metrics.roc_auc_score(truth == k, p[:, k]), abs=1e-12)
        assert sum(group["rows"] for group in curve["bins"]) == 200
        mean = np.average(
            [group["share"] for group in curve["bins"]], weights=[group["rows"] for group in curve["bins"]]
        )
        assert mean == pytest.approx(np.mean(truth == k))
        assert all(group["low"] - 1e-9 <= group["share"] <= group["high"] + 1e-9 for group in curve["bins"])


def test_counts_at_every_threshold_are_those_of_predictions_there(shares):
    p, truth = shares
    pair, event = np.column_stack([1 - p[:, 0], p[:, 0]]), (truth == 0).astype(float)
    own = measure_classes(pair, event, 1)["thresholds"]
    for k in (0, 17, 50, 83, 100):
        said = pair[:, 1] >= k / 100
        assert own["right"][k] == int((said & (event == 1)).sum())
        assert own["wrong"][k] == int((said & (event == 0)).sum())


def test_figures_of_numbers_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    truth = rng.gamma(2.0, 100.0, 500)
    said = truth + rng.normal(0, 50, 500)
    own = measure_numbers(said, truth)
    assert own["r2"] == pytest.approx(metrics.r2_score(truth, said), abs=1e-12)
    assert own["mae"] == pytest.approx(metrics.mean_absolute_error(truth, said), abs=1e-9)
    assert own["rmse"] == pytest.approx(metrics.root_mean_squared_error(truth, said), abs=1e-9)
    assert sum(count for *_, count in own["cells"]["cells"]) == sum(own["off"]["bars"]) == 500
    assert np.mean(np.abs(truth - said) <= own["within"][-1][1]) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("name", ["rules, mixed", "rules, two classes", "forest, classes"])
def test_subgroups_are_those_of_a_table(name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    facts, y = facts_of(name), targets_of(model)
    rows = ReadRows.of(model, X, y)
    values = Judged.of(model, rows, None).values
    for t, target in enumerate(model.target_schema_.names):
        own = values[:, model.target_schema_.channels_of(t)]
        truth = rows.targets[t]
        known = ~np.isnan(truth) & ~np.isnan(own).any(axis=1)
        is_class = model.target_schema_.classes[t] is not None
        loss = (own.argmax(axis=1) != truth).astype(float) if is_class else (own[:, 0] - truth) ** 2
        told = next(
            one for one in facts["quality"]["targets"][t]["groups"] if facts["inputs"][one["input"]]["name"] == "grade"
        )
        expected = pd.Series(loss[known]).groupby(X["grade"].astype(str).to_numpy()[known]).mean()
        assert {words: error for words, _, error, *_ in told["groups"]} == pytest.approx(dict(expected), abs=1e-12), (
            target
        )
        assert sum(group[1] for group in told["groups"]) == known.sum()


def test_a_model_is_judged_by_what_its_folds_have_said():
    model, (X, _) = fitted.fit("rules, two classes"), fitted.make_table()
    rows = ReadRows.of(model, X, targets_of(model))
    judged = Judged.of(model, rows, None)
    assert judged.is_unseen
    np.testing.assert_array_equal(judged.values, model.held_out_.values)
    elsewhere = ReadRows.of(model, X.iloc[::-1], targets_of(model)[::-1])  # as many rows, but others: nothing is known
    assert not Judged.of(model, elsewhere, None).is_unseen
    given = Unseen(model.held_out_.values * 0.5 + 0.25, "in folds")
    assert Judged.of(model, rows, given).how == "in folds"


def test_what_no_input_tells_is_said_to_be_no_better_than_guessing():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(150, 4)), columns=list("abcd")), rng.integers(0, 2, 150)
    facts = collect_facts(RuleEnsembleClassifier(max_rules=5, random_state=0).fit(X, y), X, y)
    assert "no better than guessing" in facts["verdict"] or "worse than guessing" in facts["verdict"]
    penguins = load_penguins().dropna()
    X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    clear = collect_facts(RuleEnsembleRegressor(max_rules=5, random_state=0).fit(X, y), X, y)
    assert "much better than guessing: it explains 8" in clear["verdict"]
    tree = collect_facts(TreeRegressor().fit(X, y), X, y)
    assert "not known" in tree["verdict"]


def test_a_verdict_counts_shares_of_what_varies():
    truth = np.repeat([0.0, 1.0], 50)
    perfect = np.column_stack([1 - truth, truth])
    assert judge(perfect, truth, True)["share"] == 1.0
    assert judge(np.full((100, 2), 0.5), truth, True)["words"] == "no better than guessing"
    assert judge(1 - perfect, truth, True)["words"] == "worse than guessing"


def test_leaks_are_found_and_say_which_inputs_they_are_about():
    X, y = make_leaking_table()
    facts = collect_facts(RuleEnsembleRegressor(max_rules=5, random_state=0).fit(X, y), X, y)
    first = facts["findings"][0]
    assert first["what"] == "leaking"
    assert first["inputs"] == [list(X.columns).index("certificate")]
    assert {"mostly missing", "leaking"} <= {finding["what"] for finding in facts["findings"]}
    as_arrays = collect_facts(TreeRegressor(max_depth=2).fit(X.to_numpy(), y.to_numpy()), X.to_numpy(), y.to_numpy())
    assert as_arrays["findings"][0]["what"] == "leaking"


@pytest.mark.parametrize("name", ["rules, mixed", "rules, soft and hard"])
def test_observed_outcomes_are_those_of_the_covered_rows(name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    facts, y = facts_of(name), targets_of(model)
    path, observed = facts["path"], facts["observed"]
    design = model.terms_.design
    degrees = design.values(model.encode(X)) / design.unit
    channel = model.target_schema_.start[list(y.columns).index("kind")]
    step = path["steps"][path["chosen"]]
    for k, term in enumerate(step["terms"]):
        if not design.is_rule[k]:
            assert observed["rows"][term] is None
            continue
        inside = degrees[:, k] >= 0.5
        assert observed["rows"][term] == inside.sum()
        known = y["kind"].notna().to_numpy()
        share = np.mean(y["kind"].to_numpy()[inside & known] == "a")
        assert observed["values"][term][0][channel] == pytest.approx(share, rel=1e-5)
    for a, b, share in observed["alike"]:
        assert a != b
        assert 0.6 <= share <= 1.0


def test_figures_and_pictures_in_python_are_of_honest_predictions():
    """Those of scikit-learn for what the folds have said; two axes for classes and for numbers."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    penguins = load_penguins().dropna()
    X, y = penguins[["species", "bill_length_mm", "bill_depth_mm"]], penguins["sex"]
    rules = RuleEnsembleClassifier(max_rules=5, random_state=0).fit(X, y)
    good = glade.quality(rules, X, y)
    assert good.is_unseen
    told = good.frame().iloc[0]
    event = list(rules.classes_)[good.parts[0].event]
    said = rules.oof_prediction_[:, good.parts[0].event]
    assert told["auc"] == pytest.approx(metrics.roc_auc_score(y == event, said))
    axes = good.plot(label="male")
    assert [ax.get_xlabel() for ax in axes][1] == "predicted probability of male"
    assert len(axes[1].lines) == 1 + 2 * len(good.parts[0].facts["curves"][1]["bins"])
    with pytest.raises(InputError, match="no class 'fish'"):
        good.plot(label="fish")
    with pytest.raises(InputError, match="no target 'size': there are 'sex'"):
        good.plot("size")
    numbers = glade.quality(TreeRegressor(max_depth=3).fit(X, penguins["body_mass_g"]), X, penguins["body_mass_g"])
    assert not numbers.is_unseen
    off = penguins["body_mass_g"] - TreeRegressor(max_depth=3).fit(X, penguins["body_mass_g"]).predict(X)
    assert numbers.frame().loc[0, "rmse"] == pytest.approx(float(np.sqrt((off**2).mean())))
    assert sum(bar.get_height() for bar in numbers.plot()[1].patches) == len(X)
    plt.close("all")
