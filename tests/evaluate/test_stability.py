"""How often rules come back."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import glade
from glade import ForestRegressor, RuleEnsembleRegressor, TreeClassifier, TreeRegressor
from glade.core.errors import InputError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame({"a": RANDOM.random(200), "b": RANDOM.random(200), "c": RANDOM.random(200)})
STEP = 5.0 * (X["a"] > 0.55)


def test_a_rule_that_is_plain_to_see_always_comes_back():
    found = glade.stability(TreeRegressor(max_leaf_nodes=2), X, STEP, n_resamples=5, random_state=0)
    assert found.frame()["comes_back"].tolist() == [1.0, 1.0]
    assert found.dice == 1.0
    assert 0.95 < found.correlation <= 1.0


def test_rules_of_noise_do_not():
    noise = np.random.default_rng(1).normal(size=200)
    found = glade.stability(TreeRegressor(max_leaf_nodes=6), X, noise, n_resamples=6, random_state=0)
    assert found.dice < 0.3
    assert found.correlation < 0.8


def test_the_terms_are_those_of_a_fitted_model_and_the_numbers_follow_from_the_lists():
    model = RuleEnsembleRegressor(ForestRegressor(8, max_depth=2), max_rules=4, random_state=0).fit(X, STEP + X["b"])
    found = glade.stability(model, X, STEP + X["b"], n_resamples=4, random_state=0)
    assert found.terms == tuple(model.model_.terms.design.words)
    for key, share in zip(found.keys, found.comes_back, strict=True):
        assert share == sum(key in own for own in found.lists) / 4
    pairs = [(i, j) for i in range(4) for j in range(i)]
    expected = [
        2 * len(found.lists[i] & found.lists[j]) / (len(found.lists[i]) + len(found.lists[j])) for i, j in pairs
    ]
    assert found.dice == pytest.approx(np.mean(expected))


def test_the_same_seed_gives_the_same_figures():
    noise = np.random.default_rng(1).normal(size=200)
    model = TreeRegressor(max_leaf_nodes=4, max_features=1)
    first, again, other = (
        glade.stability(model, X, noise, n_resamples=3, random_state=seed).lists for seed in (0, 0, 1)
    )
    assert first == again != other


def test_whole_groups_are_drawn():
    groups = np.repeat(np.arange(10), 20)
    seen = []

    class Spy(TreeRegressor):
        def fit(self, X, y, groups=None):
            seen.append(np.unique(groups, return_counts=True)[1])
            return super().fit(X, y)

    glade.stability(Spy(max_leaf_nodes=2).fit(X, STEP, groups), X, STEP, n_resamples=2, groups=groups)
    assert [counts.tolist() for counts in seen[1:]] == [[20] * 5] * 2


def test_a_class_that_some_rows_lack_does_no_harm():
    label = np.where(X["a"] > 0.55, "high", "low").astype(object)
    label[0] = "rare"
    found = glade.stability(TreeClassifier(max_leaf_nodes=2), X, label, n_resamples=4, random_state=0)
    assert found.dice == 1.0


def test_a_picture_shows_each_term():
    mpl.use("agg")
    axes = glade.stability(TreeRegressor(max_leaf_nodes=3), X, STEP + X["b"], n_resamples=2).plot()
    assert len(axes.get_yticklabels()) == 3


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="n_resamples"):
        glade.stability(TreeRegressor(), X, STEP, n_resamples=1)
    with pytest.raises(InputError, match="has no rules to look for"):
        glade.stability(glade.MultiTreeRegressor(n_alternatives=1), X, STEP, n_resamples=2)
