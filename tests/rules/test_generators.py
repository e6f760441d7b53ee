"""The forests that rules come from by default, and how many rules there is room for."""

import numpy as np
import pytest

from glade import ForestRegressor, RuleEnsembleRegressor
from glade.models import candidates, generators, rule_stages
from glade.models.generators import MAX_CANDIDATES, MAX_UNLIMITED, count_candidates, make_generators
from glade.rules.thinning import thin


@pytest.mark.parametrize("n_rows", [MAX_UNLIMITED, MAX_UNLIMITED + 1])
@pytest.mark.parametrize("is_limited", [False, True])
@pytest.mark.parametrize("missing", ["none", "of one target", "of all targets"])
def test_only_large_tables_without_a_limit_bear_many_terms(n_rows, is_limited, missing):
    y = np.zeros((n_rows + (missing == "of all targets"), 2))
    y[0, : {"none": 0, "of one target": 1, "of all targets": 2}[missing]] = np.nan
    bears = n_rows > MAX_UNLIMITED and not is_limited and missing != "of one target"
    assert count_candidates(y, is_limited) == (MAX_UNLIMITED if bears else MAX_CANDIDATES)


@pytest.mark.parametrize("n_rows", [50, 500, 2_500, 9_000])
@pytest.mark.parametrize("room", [MAX_CANDIDATES, MAX_UNLIMITED])
def test_large_trees_leave_room_for_small_ones(n_rows, room):
    forests = make_generators(ForestRegressor, n_rows, 10, room)
    large = [f for f in forests if f.method == "boosting" and (f.max_leaf_nodes or 0) > 40]
    assert len(large) == (room == MAX_UNLIMITED and n_rows > MAX_CANDIDATES)
    for forest in large:
        assert 0.8 * room <= forest.n_estimators * forest.max_leaf_nodes <= 0.85 * room


@pytest.fixture
def small_room(monkeypatch):
    """A table of 400 rows is a large one."""
    monkeypatch.setattr(generators, "MAX_CANDIDATES", 100)
    monkeypatch.setattr(generators, "MAX_UNLIMITED", 300)


@pytest.mark.usefixtures("small_room")
def test_more_terms_without_a_limit():
    """Six waves are more than a few rules can say: the largest model of a path has all terms."""
    X = np.random.default_rng(0).uniform(size=(400, 6))
    y = np.sin(9 * X).sum(axis=1)

    def largest(weights="auto", sample_weight=None, **settings):
        model = RuleEnsembleRegressor(random_state=2, weights=weights, **settings)
        return model.fit(X, y, sample_weight).path_.terms.max()

    assert 200 < largest(max_rules=None) <= 300
    assert largest(max_rules=None, weights="ridge") > 200
    assert largest(max_rules="auto") <= 100
    assert largest(max_rules=20) <= 100
    assert largest(max_rules=None, cv=4) <= 100
    assert largest(max_rules=None, sample_weight=1.0 + X[:, 0]) <= 100


@pytest.mark.usefixtures("small_room")
def test_folds_are_thinned_as_the_whole_is(monkeypatch):
    """Half of 400 rows are fewer than the room for 300 terms, but stand for a table that has more."""
    asked = []
    monkeypatch.setattr(candidates, "thin", lambda *given: asked.append(given[3]) or thin(*given))
    X = np.random.default_rng(0).uniform(size=(400, 6))
    RuleEnsembleRegressor(max_rules=None, random_state=0).fit(X, X[:, 0] * X[:, 1])
    assert asked == [400] * len(asked)
    assert len(asked) > 1


@pytest.mark.usefixtures("small_room")
def test_greedy_weights_are_the_same_with_and_without_a_limit():
    X = np.random.default_rng(1).uniform(size=(400, 4))
    y = X[:, 0] + (X[:, 1] > 0.5)
    whole, limited = (
        RuleEnsembleRegressor(weights="greedy", max_rules=k, max_conditions=None, cuts="exact", random_state=0).fit(
            X, y
        )
        for k in (None, 5)
    )
    np.testing.assert_array_equal(whole.with_rules(5).predict(X), limited.predict(X))


def test_trees_of_many_rows_grow_on_a_sample_and_weights_on_all(monkeypatch):
    monkeypatch.setattr(candidates, "ROWS_OF_TREES", 400)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_100, 3))
    y = 2.0 * (X[:, 0] > 0) + (X[:, 1] > 1)
    model = RuleEnsembleRegressor(max_rules=3, random_state=0).fit(X, y)
    assert {tree.weight[0] for forest in model.generator_ for tree in forest.trees_} <= {400.0, 320.0, 200.0}
    np.testing.assert_allclose(model.rules_.rows, (model.transform(X)[:, : len(model.rules_)] != 0).sum(axis=0))
    given = RuleEnsembleRegressor(ForestRegressor(2, bootstrap=False), max_rules=3, random_state=0).fit(X, y)
    assert given.generator_.trees_[0].weight[0] == 2_100


def test_few_terms_of_very_many_rows_are_fitted_to_a_sample(monkeypatch):
    monkeypatch.setattr(rule_stages, "ENOUGH_ROWS", 300)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 3))
    y = 2.0 * (X[:, 0] > 0) + (X[:, 1] > 1) + 0.1 * rng.normal(size=700)
    with pytest.warns(UserWarning, match="300 of 700 rows are fitted"):
        model = RuleEnsembleRegressor(max_rules=3, cv=3, random_state=0).fit(X, y)
    assert np.isfinite(model.oof_prediction_).sum() == 300
    assert model.score(X, y) > 0.9
    whole = RuleEnsembleRegressor(ForestRegressor(20, max_depth=2), max_rules=3, cv=3, random_state=0).fit(X, y)
    assert np.isfinite(whole.oof_prediction_).all()
