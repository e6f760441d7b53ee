"""What a fitted rule ensemble offers: a path, smaller models, terms as columns, words, importances."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from glade import FIRERegressor, ForestRegressor, RuleEnsembleRegressor, load_penguins
from glade.rules.wording import list_short_words
from tests.rules.tables import fit, make_new_rows, make_table, quietly

X, Y = make_table(n_rows=220, seed=7)
TARGETS = Y[["number", "other"]]
GROVE = ForestRegressor(15, max_depth=3)


def make(max_rules=None, **settings):
    return RuleEnsembleRegressor(GROVE, random_state=0, max_rules=max_rules, **settings)


@pytest.fixture(scope="module")
def model():
    return fit(make(), X, TARGETS)


def test_the_path_goes_from_small_to_large_and_gets_better(model):
    path = model.path_.frame()
    assert list(path) == ["terms", "conditions", "error", "standard_error"]
    assert path["terms"].iloc[0] == path["conditions"].iloc[0] == 0
    assert path["terms"].is_monotonic_increasing
    assert path["terms"].is_unique
    assert (np.diff(path["error"]) < 0).all()
    assert path["error"].iloc[0] > 0.9  # the mean, measured against the validation rows' own
    assert path["error"].iloc[-1] < 0.5
    assert (path["standard_error"] > 0).all()
    assert model.size_.terms == path["terms"].iloc[-1]
    for row in path.itertuples():
        assert model.with_rules(row.terms).size_.conditions == row.conditions


@pytest.mark.parametrize("settings", [{"soft": "both", "weights": "lasso"}, {"rules_from": "trees"}, {"soft": True}])
def test_the_path_counts_conditions_as_the_size_does(settings):
    model = fit(RuleEnsembleRegressor(ForestRegressor(6, max_depth=2), max_rules=None, random_state=0, **settings),
                X, TARGETS)  # fmt: skip
    for row in model.path_.frame().itertuples():
        size = model.with_rules(row.terms).size_
        assert (size.terms, size.conditions) == (row.terms, row.conditions)


@pytest.mark.parametrize(
    "use",
    [
        lambda path: path["rules"],
        lambda path: path["error"],
        len,
        list,
        lambda path: path.iloc[0],
        lambda path: path.columns,
        lambda path: path.to_numpy(),
    ],
)
def test_using_the_path_as_a_dataframe_says_what_took_its_place(model, use):
    with pytest.raises((TypeError, AttributeError), match=r"path_\.frame\(\) gives one.*terms \(formerly rules\)"):
        use(model.path_)


def test_the_path_is_drawn_with_its_band(model):
    plt = pytest.importorskip("matplotlib.pyplot")
    figure, ax = plt.subplots()
    path = model.path_
    assert path.plot(ax) is ax
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), path.terms)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), path.error)
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert heights.max() == pytest.approx((path.error + path.standard_error).max())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("terms", "error on rows not seen")
    plt.close(figure)


@pytest.mark.parametrize("k", [0, 1, 9, 10, 25, 10_000])
def test_with_rules_takes_the_best_step_within_the_limit(model, k):
    path = model.path_.frame()
    steps = path[path["terms"] <= k]
    smaller = model.with_rules(k)
    assert smaller.size_.terms == steps.loc[steps["error"].idxmin(), "terms"] <= k
    assert (smaller.max_rules, model.max_rules) == (k, None)
    assert len(smaller.rules_) + len(smaller.terms_.design.linear) == smaller.size_.terms
    assert model.size_.terms == path["terms"].max()  # the model itself stays
    assert smaller.with_rules(10_000).size_ == model.size_  # and nothing is lost on the way


@pytest.mark.parametrize("settings", [{"max_rules": 20}, {"cuts": "exact"}, {"max_rules": 20, "max_conditions": 2}])
@pytest.mark.parametrize("k", [0, 4])
def test_a_smaller_model_is_fitted_again_to_that_size(k, settings):
    smaller = fit(make(**settings), X, TARGETS).with_rules(k)
    again = fit(clone(smaller), X, TARGETS)
    assert again.size_ == smaller.size_
    np.testing.assert_allclose(again.predict(X), smaller.predict(X), rtol=1e-12)


def test_with_rules_is_the_step_it_says_it_is(model):
    """Larger steps are better, also on the rows of the fit, and the first one is always the mean."""
    path, errors = model.path_.frame(), []
    for n_rules in path["terms"]:
        step = model.with_rules(n_rules)
        assert step.size_.terms == n_rules
        errors.append(1 - step.score(X, TARGETS))
    assert path["error"].is_monotonic_decreasing
    assert errors[0] == pytest.approx(1.0)
    assert path["error"].iloc[0] == pytest.approx(1.0, abs=0.1)
    assert errors[-1] < path["error"].iloc[-1] < errors[0]


@pytest.mark.parametrize("max_rules", [1, 3, 10, 20])
@pytest.mark.parametrize("linear_terms", [False, True])
def test_max_rules_limits_the_terms(max_rules, linear_terms):
    model = fit(make(max_rules=max_rules, linear_terms=linear_terms), X, TARGETS)
    assert 1 <= model.size_.terms <= max_rules
    assert model.size_.terms == model.transform(X).shape[1]
    assert model.size_.rules == len(model.rules_)
    assert model.size_.conditions == model.rules_.n_conditions.sum()


def test_auto_is_the_smallest_within_a_standard_error_of_the_difference_to_the_best():
    chosen = fit(make(linear_terms=True, max_rules="auto"), X, TARGETS)
    steps = chosen.model_.path.steps
    best = [step for step in steps if step.size <= 50][-1]
    assert best.difference_error == 0.0
    good_enough = [step.size for step in steps if step.error <= best.error + step.difference_error]
    assert chosen.size_.terms == good_enough[0]


def test_a_limit_beyond_the_usual_path_is_reached():
    random = np.random.default_rng(0)
    X = random.random((700, 6))
    y = np.sin(9 * X[:, 0]) * np.cos(9 * X[:, 1]) + np.sin(7 * X[:, 2] * X[:, 3]) + 0.02 * random.normal(size=700)
    forest = ForestRegressor(60, max_depth=6)
    settings = {"weights": "greedy", "max_rules": 300, "cuts": "exact", "cv": 2, "linear_terms": "clipped"}
    model = RuleEnsembleRegressor(forest, random_state=2, **settings).fit(X, y)
    assert model.model_.path.steps[-1].size > 200
    assert 200 < model.size_.terms <= 300


@pytest.mark.parametrize("max_conditions", [1, 2])
def test_max_conditions_limits_every_rule(max_conditions):
    model = fit(make(max_conditions=max_conditions), X, TARGETS)
    assert len(model.rules_) > 0
    assert model.rules_.n_conditions.max() <= max_conditions


def test_terms_times_effects_plus_offset_is_the_prediction(model):
    for rows in (X, make_new_rows(X)):
        terms, prediction = quietly(model.transform, rows), quietly(model.predict, rows)
        assert set(np.unique(terms[:, : len(model.rules_)])) <= {0.0, 1.0}
        np.testing.assert_allclose(terms @ model.terms_.effect + model.terms_.offset, prediction, rtol=1e-9, atol=1e-9)


def test_rules_say_what_they_add_to_the_prediction(model):
    rules = model.rules_
    np.testing.assert_array_equal(rules.value, model.terms_.effect[: len(rules)])
    np.testing.assert_allclose(rules.rows, rules.covers(X).sum(axis=0))
    np.testing.assert_allclose(rules.share, rules.covers(X).mean(axis=0))


def test_importances_are_those_of_the_design(model):
    """|effect| * sqrt(s (1 - s)) of a rule, |effect| * deviation of a linear term, in deviations of the target."""
    table, terms = model.rule_importances_, model.transform(X)
    expected = np.abs(model.terms_.effect) * terms.std(axis=0)[:, None] / TARGETS.std(ddof=0).to_numpy()
    np.testing.assert_allclose(table[["number", "other"]], expected, rtol=1e-9)
    np.testing.assert_allclose(table["importance"], expected.mean(axis=1), rtol=1e-9)
    s = model.rules_.share
    np.testing.assert_allclose(terms.std(axis=0)[: len(s)], np.sqrt(s * (1 - s)), rtol=1e-9)
    assert table["term"].tolist() == model.get_feature_names_out().tolist()
    n_rules = len(model.rules_)
    assert table["importance"].iloc[:n_rules].is_monotonic_decreasing
    per_target = np.zeros((X.shape[1], 2))
    for k, rule in enumerate(model.rules_):
        for j in rule.conditions.input:
            per_target[j] += expected[k] / len(rule.conditions)
    for k, j in enumerate(model.terms_.design.linear.input):
        per_target[j] += expected[n_rules + k]
    np.testing.assert_allclose(model.target_importances_, per_target / per_target.sum(axis=0), rtol=1e-9)
    overall = per_target.mean(axis=1)
    np.testing.assert_allclose(model.feature_importances_, overall / overall.sum(), rtol=1e-9)
    assert model.feature_importances_[2] == 0  # "always" is constant


def test_words_hold_every_term_and_its_effect(model):
    lines = model.with_rules(10).to_text().splitlines()
    assert lines[1].split() == ["#", "rule", "rows", "number", "other"]
    assert "every row" in lines[2]
    for words in list_short_words(model.with_rules(10).terms_.design):
        assert sum(words in line for line in lines) >= 1


def test_terms_that_look_alike_are_told_apart():
    """Sets are shortened in words; columns of a table need names of their own."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 60, 800)
    wide = pd.DataFrame({"kind": [f"k{c:02d}" for c in codes]})
    model = RuleEnsembleRegressor(ForestRegressor(30, max_depth=2), random_state=0)
    names = model.fit(wide, np.sin(codes)).get_feature_names_out()
    assert len(set(names)) == len(names) == model.transform(wide).shape[1]


@pytest.mark.parametrize("estimator", [RuleEnsembleRegressor, FIRERegressor])
def test_the_same_seed_gives_the_same_model(estimator):
    models = [fit(estimator(GROVE, random_state=3, n_jobs=n), X, TARGETS) for n in (1, 2)]
    assert models[0].rules_.words == models[1].rules_.words
    np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))
    other = fit(estimator(GROVE, random_state=4), X, TARGETS)
    assert not np.array_equal(models[0].predict(X), other.predict(X))


def test_a_model_survives_pickling_and_cloning(model):
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    assert copy.with_rules(10).rules_.words == model.with_rules(10).rules_.words
    assert not hasattr(clone(model), "terms_")


def test_rules_as_inputs_of_another_model():
    pipeline = make_pipeline(make(max_rules=20), Ridge())
    assert fit(pipeline, X, TARGETS).score(X, TARGETS) > 0.6
    columns = fit(make(max_rules=5).set_output(transform="pandas"), X, TARGETS)
    assert list(columns.transform(X)) == columns.get_feature_names_out().tolist()


def test_generators_of_any_method_and_of_one_forest_for_each_target():
    for settings in ({"method": "boosting"}, {"method": "extra_trees"}, {"per_target": True}):
        generator = ForestRegressor(10, max_depth=3, **settings)
        model = fit(RuleEnsembleRegressor(generator, random_state=0, max_rules=20), X, TARGETS)
        assert model.score(X, TARGETS) > 0.6, settings
        assert model.rules_.value.shape == (len(model.rules_), 2)


def test_fire_takes_leaves_only():
    fire = fit(FIRERegressor(GROVE, random_state=0), X, TARGETS)
    leaves = [set(np.flatnonzero(tree.is_leaf)) for tree in fire.generator_.trees_]
    assert all(node in leaves[tree] for tree, node in zip(fire.rules_.tree, fire.rules_.node, strict=True))
    nodes = fit(make(), X, TARGETS)
    assert not all(node in leaves[tree] for tree, node in zip(nodes.rules_.tree, nodes.rules_.node, strict=True))


def test_rules_are_nearly_as_good_as_the_forest_on_rows_not_seen():
    penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"]).sample(frac=1, random_state=0)
    inputs = penguins[["species", "island", "sex", "bill_length_mm"]]
    targets = penguins[["body_mass_g", "flipper_length_mm"]]
    model = FIRERegressor(max_rules=10, random_state=0).fit(inputs[:230], targets[:230])
    forest = model.generator_.predict(inputs[230:])
    of_forest = 1 - ((forest - targets[230:]) ** 2).mean() / targets[230:].var(ddof=0)
    assert model.score(inputs[230:], targets[230:]) > of_forest.mean() - 0.05


def test_with_few_inputs_a_node_sees_all_of_them():
    X = np.random.default_rng(0).random((60, 5))
    for n_inputs, expected in ((4, {None}), (5, {"third", 0.5})):
        model = RuleEnsembleRegressor(weights="greedy", cv=2, random_state=0).fit(X[:, :n_inputs], X[:, 0])
        assert {forest.max_features for forest in model.generator_} == expected


@pytest.mark.parametrize("y", [[0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0]])
def test_a_fold_whose_rows_give_no_terms_is_no_obstacle(y):
    X = np.arange(float(len(y)))[:, None]
    model = RuleEnsembleRegressor(ForestRegressor(5, max_depth=3), cv=2, random_state=0).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
