"""Which model of a path is taken: the smallest that is not clearly worse than the best."""

import numpy as np
import pytest

from glade import FIRERegressor, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.rules.design import TargetRows
from glade.rules.path import Step, WeightPath
from glade.weights.problem import find_row_errors
from tests.rules.tables import fit

GROVE = ForestRegressor(10, max_depth=3)


def make_step(size, errors):
    return Step.judged(np.arange(size), np.zeros((size, 1)), np.zeros(1), np.array(errors))


def test_folds_of_different_difficulty_do_not_make_the_empty_model_good_enough():
    """All folds agree that three terms are better, though they differ by far more in how hard they are."""
    path = WeightPath.of(
        [make_step(0, [0.5, 1.0, 1.5]), make_step(3, [0.4, 0.91, 1.39]), make_step(9, [0.39, 0.9, 1.4])]
    )
    assert path.steps[-1].standard_error > 0.25
    assert path.choose("auto").size == 3


def test_the_empty_model_stays_where_folds_do_not_agree_that_another_is_better():
    path = WeightPath.of([make_step(0, [1.0, 1.0, 1.0]), make_step(5, [1.1, 0.95, 0.9])])
    assert path.choose("auto").size == 0


def test_steps_keep_what_the_choice_needs_when_terms_are_grouped():
    steps = [make_step(0, [0.9, 1.1]), make_step(2, [0.5, 0.6]), make_step(4, [0.4, 0.5])]
    path = WeightPath.of(steps)
    grouped = path.grouped(np.array([0, 0, 2, 3]))
    assert [step.size for step in grouped.steps] == [0, 1, 3]
    assert [s.difference_error for s in grouped.steps] == [s.difference_error for s in path.steps]
    assert all(step.errors is None for step in grouped.steps)


def test_a_path_of_an_older_file_takes_the_error_of_the_best_step():
    steps = (
        Step(np.arange(0), np.zeros((0, 1)), np.zeros(1), 0.9, 0.2),
        Step(np.arange(1), np.zeros((1, 1)), np.zeros(1), 0.8, 0.15),
    )
    assert WeightPath(steps).choose("auto").size == 0


def test_the_errors_of_rows_add_up_to_those_of_the_targets():
    random = np.random.default_rng(0)
    y, predicted, weights = random.normal(size=(30, 2)), random.normal(size=(30, 2)), random.random(30)
    y[:7, 1] = np.nan
    square = (predicted - y) ** 2
    expected = np.average(square[:, 0], weights=weights) + np.average(square[7:, 1], weights=weights[7:])
    errors = find_row_errors(TargetRows(np.zeros((30, 1)), y, weights), predicted)
    assert errors.mean() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("weights", ["auto", "greedy", "ridge", "lasso", "gradient"])
@pytest.mark.parametrize("split", [{"cv": 3}, {"validation_fraction": 0.3}])
@pytest.mark.parametrize("rules_from", ["nodes", "trees"])
def test_every_way_to_weights_pairs_the_errors(weights, split, rules_from):
    random = np.random.default_rng(1)
    X = random.random((150, 4))
    y = np.column_stack([X[:, 0] > 0.5, X[:, 1] + X[:, 2]]) + 0.3 * random.normal(size=(150, 2))
    model = RuleEnsembleRegressor(
        GROVE, weights=weights, rules_from=rules_from, max_rules="auto", random_state=0, **split
    ).fit(X, y)
    steps = model.model_.path.steps
    zero = [step for step in steps if step.difference_error == 0]  # the step that all others are compared with
    assert len(zero) == 1
    assert all(step.difference_error > 0 for step in steps if step is not zero[0])
    assert all(step.standard_error > 0 for step in steps)
    assert model.size_.terms > 0


@pytest.mark.parametrize("split", [{"cv": 3}, {"validation_fraction": 0.3}])
def test_logistic_weights_pair_the_errors(split):
    random = np.random.default_rng(1)
    X = random.random((150, 4))
    y = np.array(["a", "b", "c"])[(3 * X[:, 0] + 0.2 * random.normal(size=150)).clip(0, 2.9).astype(int)]
    model = RuleEnsembleClassifier(weights="lasso", max_rules="auto", random_state=0, **split).fit(X, y)
    assert all(step.difference_error > 0 for step in model.model_.path.steps[:-1])
    assert model.size_.terms > 0


def test_rows_without_any_target_have_no_say_in_how_sure_an_error_is():
    random = np.random.default_rng(2)
    X = random.random((90, 3))
    y = X[:, 0] + 0.1 * random.normal(size=90)
    y[::4] = np.nan
    model = FIRERegressor(GROVE, validation_fraction=0.4, missing_targets="ignore", random_state=0)
    path = fit(model, X, y).path_
    assert np.isfinite(path.standard_error).all()
    assert (path.standard_error > 0).all()
