"""Solvers as parameters: names and objects, their settings, what they need, and the sentences where that is not met."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import glade
from glade import (
    FIRERegressor,
    ForestRegressor,
    Gradient,
    Greedy,
    Lasso,
    Ridge,
    RuleEnsembleRegressor,
    RuleFitRegressor,
)
from glade.losses.quantile import Quantile
from glade.losses.targets import TargetLosses
from glade.rules.coverage import cover, drop_duplicates
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solvers import SOLVERS, read_solver
from tests.weights.problems import make_design, make_rows

RANDOM = np.random.default_rng(0)
X = RANDOM.random((120, 3))
Y = (X[:, 0] > 0.5) + X[:, 1] + 0.1 * RANDOM.normal(size=120)
GROVE = ForestRegressor(6, max_depth=3)


@pytest.mark.parametrize(("name", "solver"), [("lasso", Lasso()), ("gradient", Gradient()), ("greedy", Greedy())])
def test_a_name_is_the_solver_with_its_default_settings(name, solver):
    models = [RuleEnsembleRegressor(GROVE, weights=own, cv=2, random_state=0).fit(X, Y) for own in (name, solver)]
    by_name, by_object = (model.path_.frame() for model in models)
    pd.testing.assert_frame_equal(by_name, by_object)
    np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))


def test_settings_of_a_solver_count():
    short, long = (FIRERegressor(GROVE, weights=Gradient(max_iter=n), cv=2, random_state=0) for n in (3, 1000))
    assert short.fit(X, Y).n_iter_ <= 3 < long.fit(X, Y).n_iter_
    lasso, net = (RuleFitRegressor(GROVE, weights=Lasso(l1_ratio=r), cv=2, random_state=0) for r in (1.0, 0.1))
    assert (lasso.fit(X, Y).predict(X) != net.fit(X, Y).predict(X)).any()


def test_settings_are_parameters_as_scikit_learn_knows_them():
    model = RuleFitRegressor(GROVE, weights=Lasso(), cv=2, random_state=0)
    assert clone(model).get_params()["weights__l1_ratio"] == 1.0
    search = GridSearchCV(model, {"weights__l1_ratio": [0.5, 1.0]}, cv=2).fit(X, Y)
    assert set(search.best_params_) == {"weights__l1_ratio"}


@pytest.mark.parametrize("name", ["l1_ratio", "max_iter", "every_tau"])
def test_settings_that_have_left_the_constructors_say_where_they_are(name):
    with pytest.raises(TypeError, match=rf"has no parameter '{name}' since glade 0.2: give weights=\w+\({name}=...\)"):
        RuleEnsembleRegressor(**{name: 1})
    with pytest.raises(TypeError, match="RuleFitClassifier has no parameter"):
        glade.RuleFitClassifier(**{name: 1})


def test_a_wrong_setting_is_one_sentence():
    with pytest.raises(ValueError, match="The 'l1_ratio' parameter of Lasso must be a float"):
        RuleEnsembleRegressor(GROVE, weights=Lasso(l1_ratio=2.0)).fit(X, Y)
    with pytest.raises(ValueError, match="'weights' parameter of RuleEnsembleRegressor must be"):
        RuleEnsembleRegressor(GROVE, weights="lars").fit(X, Y)


def test_what_a_solver_cannot_do_is_one_sentence():
    with pytest.raises(ValueError, match='weights="ridge" gives all rules weights'):
        RuleEnsembleRegressor(GROVE, weights=Ridge(), max_rules=3).fit(X, Y)


@pytest.mark.parametrize("name", SOLVERS)
def test_folds_and_losses_are_checked_before_any_work(name):
    rows, solver = make_rows(), read_solver(name)
    whole = Problem(make_design(rows), rows)
    with pytest.raises(ValueError, match="folds must hold at least one problem"):
        solver.judge(whole, [], TargetLosses.of_numbers(3))
    if solver.needs.losses is None:
        return
    fold = FoldProblem(whole.design, rows, held_out=rows)
    with pytest.raises(
        ValueError, match=r"finds weights for these losses: .*squared.*; but a target has the loss quantile"
    ):
        solver.judge(whole, [fold], TargetLosses.of([Quantile.of(None)] * 3))


def test_a_solver_is_kept_in_a_file(tmp_path):
    model = RuleFitRegressor(GROVE, weights=Lasso(l1_ratio=0.5), cv=2, random_state=0).fit(X, Y)
    model.save(tmp_path / "net.glade")
    again = glade.load(tmp_path / "net.glade")
    assert isinstance(again.weights, Lasso)
    assert again.weights.l1_ratio == 0.5
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_weights_of_one_sign_need_both_sides_of_a_rule():
    """A rule and its complement are the same to a model with a free offset, unless weights have one sign."""
    rows = make_rows()
    forest = ForestRegressor(2, max_depth=1, random_state=0).fit(rows.matrix, rows.y)
    rules = forest.rules_
    bits = cover(rules, rows.matrix)
    one, both = (drop_duplicates(rules, bits, len(rows.y), both_sides=b)[0] for b in (False, True))
    assert len(one) < len(both) == len(np.unique(bits, axis=0))
