"""Rule ensembles and awkward input; c07 is case 7 of the catalogue."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    Gradient,
    MixedForest,
    RuleEnsembleRegressor,
    TreeRegressor,
)
from tests.robustness.toys import make_inputs, notes, refusal

X = make_inputs(60)
Y = pd.DataFrame({"sum": 2 * X["a"] + X["b"], "difference": X["b"] - X["c"]})


def make(**settings):
    return FIRERegressor(ForestRegressor(8, max_depth=3), random_state=0, **settings)


def fit_without_numeric_warnings(model, inputs, targets, **more):
    """The fitted model; a warning of NumPy's is a fault."""
    with np.errstate(all="raise", under="ignore"):
        fitted, said = notes(model.fit, inputs, targets, **more)
    assert not [words for words in said if "encountered" in words or "slice" in words]
    assert np.isfinite(fitted.predict(inputs)).all()
    assert np.isfinite(fitted.path_.frame().to_numpy(float)).all()
    return fitted


@pytest.mark.parametrize("linear_terms", [False, True])
@pytest.mark.parametrize("n_rows", [1, 2, 3, 5])
def test_c03_c59_a_few_rows(n_rows, linear_terms):
    model = fit_without_numeric_warnings(make(linear_terms=linear_terms), X[:n_rows], Y[:n_rows])
    assert model.size_.rules < 2 ** (n_rows - 1)  # the ways to divide the rows in two
    if n_rows == 1:
        np.testing.assert_allclose(model.predict(X), np.tile(Y[:1], (60, 1)))


def test_c15_a_constant_target():
    model, said = notes(make().fit, X, np.full(60, 0.1))
    assert said == ["target 'y' is constant: nothing can be learnt about it"]
    assert model.size_.terms == 0
    assert (model.predict(X) == 0.1).all()


def test_c19_one_constant_target_among_many():
    model = fit_without_numeric_warnings(make(), X, Y.assign(same=1e6))
    np.testing.assert_allclose(model.predict(X)[:, 2], 1e6, rtol=1e-12)
    assert model.score(X, Y.assign(same=1e6)) > 0.7


@pytest.mark.parametrize("inputs", [np.ones((60, 2)), X[["a"]] * 0], ids=["array", "frame"])
def test_c17_c60_no_rules_are_a_model_of_the_mean(inputs):
    model = fit_without_numeric_warnings(make(linear_terms=True), inputs, Y)
    assert model.size_ == model.with_rules(5).size_
    assert model.size_.terms == 0
    np.testing.assert_allclose(model.predict(inputs), np.tile(Y.mean(), (60, 1)))
    assert model.to_text().splitlines()[0] == "0 rules"
    assert model.transform(inputs).shape == (60, 0)
    assert model.rule_importances_.shape == (0, 4)
    assert not model.feature_importances_.any()
    assert not model.target_importances_.to_numpy().any()
    assert model.get_feature_names_out().tolist() == []


def test_c18_an_input_without_values():
    inputs = X.assign(empty=np.nan, unknown=None)
    model = fit_without_numeric_warnings(make(linear_terms=True), inputs, Y)
    assert not set(model.rules_.conditions.input) & {3, 4}
    np.testing.assert_array_equal(model.predict(inputs.assign(empty=1.0)), model.predict(inputs))


def test_c34_a_thousand_categories():
    random = np.random.default_rng(0)
    codes = random.integers(0, 1000, 3000)
    inputs = pd.DataFrame({"kind": [f"k{c:03d}" for c in codes], "x": random.normal(size=3000)})
    model = fit_without_numeric_warnings(make(), inputs, (codes % 10) + inputs["x"])
    assert model.score(inputs, (codes % 10) + inputs["x"]) > 0.7
    assert max(map(len, model.rules_.words)) < 200


HOSTILE = ["", "a\nb", "\x1b[31mred", "<script>alert(1)</script>", "‮abc", "x" * 10_000, "rule", "every row"]


def test_c25_c26_hostile_names():
    random = np.random.default_rng(0)
    inputs = pd.DataFrame(random.normal(size=(80, len(HOSTILE))), columns=HOSTILE)
    targets = pd.DataFrame({"rule": inputs.sum(axis=1), "importance": inputs["rule"], "\x00": inputs[""]})
    model = fit_without_numeric_warnings(make(linear_terms=True), inputs, targets)
    for text in (model.to_text(), *model.rules_.words, *model.get_feature_names_out()):
        assert all(c.isprintable() or c == "\n" for c in text)
    assert max(len(part) for words in model.rules_.words for part in words.split(" and ")) < 100
    assert list(model.rules_.to_frame())[:5] == ["rule", "conditions", "rows", "share", "target rule"]
    assert list(model.rule_importances_)[:4] == ["term", "importance", "rule", "target importance"]
    frame = model.explain(inputs.head(2))
    sums = frame.groupby(["row", "target"])["contribution"].sum().unstack()[list(targets)]
    np.testing.assert_allclose(sums, model.predict(inputs.head(2)), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e300])
def test_c13_targets_of_any_scale(scale):
    usual = fit_without_numeric_warnings(make(linear_terms=True), X, Y)
    model = fit_without_numeric_warnings(make(linear_terms=True), X, Y * scale)
    assert model.rules_.words == usual.rules_.words
    np.testing.assert_allclose(model.predict(X) / scale, usual.predict(X), rtol=1e-6)
    assert len(model.to_frame()) == len(usual.to_frame())


def test_c14_a_large_offset():
    usual, model = make().fit(X, Y), make().fit(X, Y + 1e9)
    np.testing.assert_allclose(model.predict(X) - 1e9, usual.predict(X), atol=1e-4)


def test_c20_targets_of_different_scales_count_alike():
    usual = make().fit(X, Y)
    model = make().fit(X, Y * [1e-6, 1e6])
    np.testing.assert_allclose(model.predict(X) / [1e-6, 1e6], usual.predict(X), rtol=1e-6)


PATTERNS = {
    "one known": lambda Y: Y.mask(np.arange(60)[:, None] + [0, 1000] < 59),
    "at random": lambda Y: Y.mask(np.random.default_rng(0).random(Y.shape) < 0.4),
    "never both": lambda Y: Y.mask((np.arange(60)[:, None] < 30) == [True, False]),
    "rows without any": lambda Y: Y.mask(np.arange(60)[:, None] + [0, 0] < 10),
}


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("linear_terms", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_c10_targets_known_in_part(pattern, linear_terms, weighted):
    some = PATTERNS[pattern](Y)
    weights = np.random.default_rng(1).random(60) + 0.1 if weighted else None
    model = make(missing_targets="ignore", linear_terms=linear_terms)
    fit_without_numeric_warnings(model, X, some, sample_weight=weights)
    known = [name for name in Y if some[name].notna().sum() > 1]
    score = 1 - ((model.predict(X) - Y) ** 2).mean() / Y.var(ddof=0)
    assert (score[known] > 0.4).all()
    assert refusal(ValueError, make().fit, X, some).startswith("Input y contains NaN: target 'sum' lacks")


def test_a_target_that_counts_nothing_is_predicted_by_its_mean():
    model = fit_without_numeric_warnings(make(target_weights=[1, 0]), X, Y)
    np.testing.assert_allclose(model.predict(X)[:, 1], Y["difference"].mean(), atol=1e-12)
    alone = make().fit(X, Y["sum"])
    assert model.score(X, Y) > 0.4 * alone.score(X, Y["sum"])


@pytest.mark.parametrize(
    ("generator", "kind"),
    [(TreeRegressor(), "TreeRegressor"), (ForestClassifier(), "ForestClassifier"), (MixedForest(), "MixedForest")],
)
def test_generators_of_the_wrong_kind(generator, kind):
    assert refusal(TypeError, FIRERegressor(generator).fit, X, Y) == (
        f"generator must be a forest for targets of the same kind, a ForestRegressor, but is a {kind}"
    )


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (FIRERegressor(max_rules=-1), "'max_rules' parameter of FIRERegressor must be an int in the range [0, inf)"),
        (FIRERegressor(max_rules=True), "'max_rules' parameter of FIRERegressor"),
        (FIRERegressor(max_rules="few"), "a str among {'auto'} or None. Got 'few' instead"),
        (FIRERegressor("forest"), "'generator' parameter of FIRERegressor must be an object implementing 'fit'"),
        (FIRERegressor(ForestRegressor(0)), "'n_estimators' parameter of ForestRegressor must be an int"),
        (
            RuleEnsembleRegressor(rules_from="roots"),
            "'rules_from' parameter of RuleEnsembleRegressor must be a str among",
        ),
        (RuleEnsembleRegressor(validation_fraction=1.0), "'validation_fraction' parameter of RuleEnsembleRegressor"),
        (RuleEnsembleRegressor(max_conditions=0), "'max_conditions' parameter of RuleEnsembleRegressor"),
        (RuleEnsembleRegressor(weights=Gradient(max_iter=0)), "'max_iter' parameter of Gradient"),
    ],
)
def test_c56_parameters_are_checked_before_any_work(model, words):
    assert words in refusal(ValueError, model.fit, X, Y)
    assert not hasattr(model, "generator_")


def test_c57_before_a_fit_there_is_nothing():
    for ask in ("predict", "transform", "explain"):
        with pytest.raises(NotFittedError):
            getattr(FIRERegressor(), ask)(X)
    for name in ("rules_", "path_", "size_", "rule_importances_", "feature_importances_", "target_importances_"):
        with pytest.raises(NotFittedError):
            getattr(FIRERegressor(), name)
    with pytest.raises(NotFittedError):
        FIRERegressor().with_rules(3)


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = make().fit(X, Y)
    before = model.predict(X)
    assert "X has 60 rows, y has 50" in refusal(ValueError, model.fit, X, Y[:50])
    refusal(ValueError, model.set_params(max_rules=-1).fit, X, Y)
    np.testing.assert_array_equal(model.predict(X), before)
    assert len(model.with_rules(10).rules_) <= 10


@pytest.mark.parametrize("k", [-1, 2.5, "ten", None])
def test_with_rules_takes_whole_numbers(k):
    words = refusal(ValueError, make().fit(X, Y).with_rules, k)
    assert words == f"k must be a whole number of at least 0, but is {k!r}"


def test_c58_no_rows_to_predict():
    model = make().fit(X, Y)
    assert model.predict(X[:0]).shape == (0, 2)
    assert model.transform(X[:0]).shape == (0, model.size_.terms)


def test_the_last_step_within_max_iter_is_taken():
    for max_iter in (1, 99, 100, 250):
        assert 1 <= make(weights=Gradient(max_iter=max_iter)).fit(X, Y).n_iter_ <= max_iter
