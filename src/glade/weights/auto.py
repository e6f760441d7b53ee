"""Squared-error weights: all terms with ridge weights, small models that imitate them, or small models for the targets.

"Dense first, then imitate": on noisy targets the dense model is a better guide to which terms matter than the targets
themselves, because its predictions have less noise.
"""

from collections.abc import Sequence

import numpy as np

from glade.weights.centred import find_offset
from glade.weights.greedy import find_greedy_steps
from glade.weights.path import Step, WeightPath
from glade.weights.problem import Problem
from glade.weights.ridge import PENALTIES, DenseRidge, choose_penalties
from glade.weights.trial import Trial


def find_squares_path(
    whole: Problem, folds: Sequence[Problem], targets: Sequence[slice], dense: bool = True, small: bool = True
) -> WeightPath:
    """The path of models for squared errors.

    Parameters
    ----------
    whole, folds
        The problem that gives the models, and those that judge them on rows held out.
    targets
        The columns of y that belong to each target.
    dense
        Give all terms ridge weights.
    small
        Choose few terms: such that they imitate the dense model, or without one, explain the targets.
    """
    final, *trials = [Trial.of(problem, targets) for problem in (whole, *folds)]
    steps, goals = [choose_nothing(final, trials)], [trial.groups for trial in (final, *trials)]
    if dense and len(whole.design):
        models = [DenseRidge(trial) for trial in (final, *trials)]
        chosen, errors = choose_penalties(models[1:])
        penalties = np.array(PENALTIES)[final.spread(chosen)]
        dense_weights = [model.weights_by_target(penalties) for model in models]
        offset = find_offset(dense_weights[0], final.groups)
        steps.append(Step.judged(np.arange(len(whole.design)), dense_weights[0], offset, errors.mean(axis=1)))
        goals = [[group.imitating(weights) for group in own] for weights, own in zip(dense_weights, goals, strict=True)]
    if small:
        steps += find_greedy_steps(final, trials, goals)
    return WeightPath.of(steps)


def choose_nothing(final: Trial, trials: Sequence[Trial]) -> Step:
    """The model without any term."""
    n_columns = final.problem.rows.y.shape[1]
    nothing = np.zeros((0, n_columns))
    errors = []
    for trial in trials:
        none = find_offset(np.zeros((len(trial.problem.design), n_columns)), trial.groups)
        errors.append(trial.errors(np.tile(none, (len(trial.held_out.y), 1))).mean())
    none = find_offset(np.zeros((len(final.problem.design), n_columns)), final.groups)
    return Step.judged(np.zeros(0, np.int64), nothing, none, np.array(errors))
