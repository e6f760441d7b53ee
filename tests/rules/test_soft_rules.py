"""Soft rules in a design, in words, in pictures and in every rule ensemble."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_friedman1

import glade
from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
)
from glade.rules.coverage import cover, unpack
from glade.rules.design import Design, TargetRows
from glade.rules.extract import NODES, extract_rules
from glade.rules.linear import LinearTerms
from glade.rules.soften import soften
from tests.rules.tables import encode, fit, grow_rules, make_new_rows, make_table, quietly
from tests.rules.test_design import assert_moments, dense_moments


@pytest.fixture(scope="module")
def problem():
    """A design with all three kinds of terms on a table with categories, grades and missing values."""
    rules, matrix, y, model, X = grow_rules()
    design = Design.of(rules, soften(rules, matrix), LinearTerms.of(matrix, model.schema_))
    return design, matrix, y, model, X


def test_soft_rules_are_columns_between_rules_and_linear_terms(problem):
    design, matrix, *_ = problem
    values = design.values(matrix)
    n, m = len(design.rules), int(design.is_rule.sum())
    assert 10 < len(design.soft) < n
    np.testing.assert_array_equal(values[:, :n], unpack(cover(design.rules, matrix), len(matrix)).T)
    np.testing.assert_array_equal(values[:, n:m], design.soft.values(matrix))
    np.testing.assert_array_equal(values[:, m:], design.linear.values(matrix))
    taken = design.take(np.array([m + 1, n + 2, 3, n, 0]))
    np.testing.assert_array_equal(taken.values(matrix), values[:, [3, 0, n + 2, n, m + 1]])
    assert taken.words == [design.words[k] for k in (3, 0, n + 2, n, m + 1)]


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_dense_products(problem, weighted):
    design, matrix, y, *_ = problem
    weights = np.random.default_rng(0).random(len(y)) if weighted else np.ones(len(y))
    rows = TargetRows(matrix, y, weights if weighted else None)
    moments = design.moments(rows.matrix, rows.y, rows.weights)
    assert_moments(moments, dense_moments(design.values(matrix), y, weights))


def test_nominal_ordinal_and_missing_conditions_stay_hard(problem):
    design, _, _, model, X = problem
    new = encode(model, make_new_rows(X))
    soft = design.soft
    hard_part = soft.rules.keep_conditions(~soft.curves.is_soft)
    values = soft.values(new) / soft.scale
    assert not values[~unpack(cover(hard_part, new), len(new)).T].any()
    kinds = np.array(model.schema_.kinds)[soft.rules.conditions.input]
    assert (kinds[soft.curves.is_soft] == "numeric").all()
    assert (~soft.curves.is_soft).any()
    for i in range(len(soft)):
        own = slice(soft.rules.start[i], soft.rules.start[i + 1])
        conditions = soft.rules.conditions.take(np.arange(own.start, own.stop))
        for j, missing in zip(
            conditions.input[soft.curves.is_soft[own]], conditions.missing[soft.curves.is_soft[own]], strict=True
        ):
            lacking = np.isnan(new[:, j])
            if not missing:
                assert not values[lacking, i].any()
    assert (values >= 0).all()
    assert (values <= 1 + 1e-12).all()


def test_a_missing_value_that_fulfils_a_condition_never_weakens_the_rule(problem):
    design, matrix, *_ = problem
    soft = design.soft
    is_single = (soft.rules.n_conditions == 1) & soft.curves.is_soft[soft.rules.start[:-1]]
    takes = soft.rules.conditions.missing[soft.rules.start[:-1]]
    for i in np.flatnonzero(is_single & takes):
        j = soft.rules.conditions.input[soft.rules.start[i]]
        without = matrix.copy()
        without[:, j] = np.nan
        covered = unpack(cover(soft.rules.take(np.array([i])), matrix), len(matrix))[0]
        assert (soft.values(without)[covered, i] >= soft.values(matrix)[covered, i] - 1e-12).all()


def test_switches_are_where_the_values_pass_the_levels():
    X, y = make_friedman1(300, random_state=0)
    model = ForestRegressor(5, max_depth=1, random_state=0).fit(X, y)
    soft = soften(extract_rules(model.trees_, model.schema_, model.target_schema_, NODES), X)
    assert len(soft) >= 4
    for i in range(len(soft)):
        j = int(soft.rules.conditions.input[i])
        for level, points in zip((0.1, 0.5, 0.9), soft.switches(i, i), strict=True):
            for x in points:
                if not np.isnan(x):
                    row = X[:1].copy()
                    row[0, j] = x
                    np.testing.assert_allclose(soft.values(row)[0, i] / soft.scale[i], level, atol=1e-6)
        assert " softly (" in soft.words[i]
        assert "10/50/90% on at" in soft.words[i] or "90/50/10% off at" in soft.words[i]


def test_frame_words_and_picture(problem):
    soft = problem[0].soft
    frame = soft.to_frame()
    assert len(frame) == soft.curves.is_soft.sum()
    assert list(frame.columns[3:9]) == ["on_10", "on_50", "on_90", "off_90", "off_50", "off_10"]
    on = frame.dropna(subset=["on_10", "on_50", "on_90"])
    assert (on["on_10"] < on["on_50"]).all()
    assert (on["on_50"] < on["on_90"]).all()
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot as plt

    for i in (0, len(soft) - 1):
        axes = np.atleast_1d(soft.plot(i))
        for ax in axes:
            hard, curve = ax.get_lines()[:2]
            assert set(np.unique(hard.get_ydata()).astype(float)) <= {0.0, 1.0}
            assert np.ptp(curve.get_ydata()) >= 0
        plt.close(axes[0].figure)
    with pytest.raises(IndexError, match="soft rule 999"):
        soft.plot(999)


SMALL = ForestRegressor(6, max_depth=3)
# Without linear terms, of which few do what soft rules do.
MODELS = {
    "auto": lambda soft: RuleEnsembleRegressor(SMALL, soft=soft, max_rules=8, linear_terms=False, random_state=0),
    "ridge": lambda soft: RuleEnsembleRegressor(
        SMALL, weights="ridge", soft=soft, max_rules=None, linear_terms=False, random_state=0
    ),
    "greedy": lambda soft: RuleEnsembleRegressor(
        SMALL, weights="greedy", soft=soft, max_rules=8, linear_terms=False, random_state=0
    ),
    "gradient": lambda soft: RuleEnsembleRegressor(
        SMALL, weights="gradient", soft=soft, max_rules=8, linear_terms=False, random_state=0
    ),
    "lasso": lambda soft: RuleEnsembleRegressor(
        SMALL, weights="lasso", soft=soft, max_rules=8, linear_terms=False, random_state=0
    ),
}


@pytest.mark.parametrize("soft", [True, "both"])
@pytest.mark.parametrize("name", MODELS)
def test_every_solver_takes_soft_rules_for_many_targets(name, soft, tmp_path):
    X, Y = make_table()
    y = Y[["number", "other"]]
    model = fit(MODELS[name](soft), X, y)
    assert len(model.soft_rules_) > 0
    if name != "ridge":
        assert model.size_.terms <= 8
    new = make_new_rows(X)
    predicted = quietly(model.predict, new)
    assert np.isfinite(predicted).all()
    frame = quietly(model.explain, new)
    totals = frame.pivot_table(index="row", columns="target", values="contribution", aggfunc="sum")
    np.testing.assert_allclose(totals[["number", "other"]].to_numpy(), predicted, rtol=1e-8, atol=1e-8)
    assert "soft rule" in model.to_text()
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    model.save(tmp_path / "model.glade")
    again = glade.load(tmp_path / "model.glade")
    np.testing.assert_array_equal(quietly(again.predict, new), predicted)
    assert again.to_text() == model.to_text()
    assert again.with_rules(3).size_ == model.with_rules(3).size_


def test_a_rule_and_its_soft_form_count_as_one():
    X, y = make_friedman1(200, random_state=0)
    model = RuleEnsembleRegressor(SMALL, weights="ridge", soft="both", max_rules=None, random_state=0).fit(X, y)
    design = model.terms_.design
    assert len(design.rules) > 0
    assert model.size_.rules == len(np.unique(np.concatenate((design.rules.keys, design.soft.rules.keys))))
    assert model.size_.terms == model.size_.rules + len(design.linear) < len(design)


def test_classes_and_mixed_targets():
    X, Y = make_table()
    for weights, labels in (("auto", Y["label"]), ("lasso", np.where(Y["number"] > 0, "more", "less"))):
        model = fit(
            RuleEnsembleClassifier(
                ForestClassifier(5, max_depth=3),
                weights=weights,
                soft=True,
                max_rules=6,
                linear_terms=False,
                random_state=0,
            ),
            X,
            labels,
        )
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
        assert len(model.soft_rules_) > 0
    model = fit(MixedRuleEnsemble(MixedForest(5, max_depth=3), soft="both", max_rules=6, random_state=0), X, Y)
    assert list(model.predict(X).columns) == list(Y.columns)


def test_soft_rules_help_where_the_truth_is_smooth():
    X, y = make_friedman1(400, noise=1.0, random_state=0)
    X_new, y_new = make_friedman1(1000, noise=1.0, random_state=1)
    generator = ForestRegressor(30, method="boosting", max_samples=0.5, max_depth=3)
    scores = [
        RuleEnsembleRegressor(generator, soft=soft, linear_terms=False, max_rules=None, random_state=0)
        .fit(X, y)
        .score(X_new, y_new)
        for soft in (False, True)
    ]
    assert scores[1] > scores[0]


def test_tables_without_numbers_keep_hard_rules():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.choice(list("xyz"), 80), "b": rng.choice(list("pq"), 80)})
    y = (X["a"] == "x").to_numpy() + 0.1 * rng.normal(size=80)
    model = RuleEnsembleRegressor(SMALL, soft=True, max_rules=4, random_state=0).fit(X, y)
    assert len(model.soft_rules_) == 0
    assert model.size_.rules > 0
    assert model.soft_rules_.to_frame().empty


@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_few_rows(n_rows):
    X, y = make_friedman1(n_rows, random_state=0)
    for soft in (True, "both"):
        model = quietly(RuleEnsembleRegressor(SMALL, soft=soft, random_state=0).fit, X, y)
        assert np.isfinite(model.predict(X)).all()


def test_a_wrong_setting_is_refused():
    with pytest.raises(ValueError, match="'soft' parameter"):
        RuleEnsembleRegressor(soft="maybe").fit(np.zeros((3, 1)), np.arange(3.0))


def test_how_many_rules_are_softened_and_refined_can_be_set(monkeypatch):
    X, y = make_friedman1(150, noise=1.0, random_state=0)
    calls = []

    def count(rules, matrix, is_exact=False, n_threads=1):
        calls.append((is_exact, len(rules)))
        return soften(rules, matrix, is_exact, n_threads)

    for module in ("candidates", "rule_stages"):
        monkeypatch.setattr(f"glade.models.{module}.soften", count)
    generator = ForestRegressor(12, method="isle", max_samples=0.5, max_depth=2)

    def fit_soft(**caps):
        calls.clear()
        model = glade.SoftRulesRegressor(generator, cv=2, random_state=0, **caps).fit(X, y)
        softened = [n for is_exact, n in calls if not is_exact]
        (refined,) = (n for is_exact, n in calls if is_exact)
        return model, max(softened), refined

    model, softened, refined = fit_soft(max_softened=15, max_refined=4)
    assert (softened, refined) == (15, 4)
    assert 4 < len(model.soft_rules_) <= 15
    model, softened, refined = fit_soft(max_softened=None, max_refined=None)
    assert softened > 15
    assert refined == len(model.soft_rules_) > 4
    with pytest.raises(ValueError, match="'max_softened' parameter"):
        fit_soft(max_softened=0)
