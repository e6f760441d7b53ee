"""The ways to find weights, by the name that users give them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.scores import Scores
from glade.weights.auto import JudgedSquares
from glade.weights.gradient import Fold, choose_descent, choose_nothing, find_path
from glade.weights.greedy import SIZES
from glade.weights.lasso import JudgedLasso
from glade.weights.path import AUTO, WeightPath
from glade.weights.problem import Problem
from glade.weights.whole_trees import TiedProblem

GRADIENT, LASSO, GREEDY, RIDGE = "gradient", "lasso", "greedy", "ridge"
LIMITS = (10, 20, 30, 40, 50)  # small models that every fit with gradient weights offers beside the one asked for
NO_LIMIT = 0  # on the terms of a descent
MAX_SAMPLE = 2_000  # rows over which the average change of a probability is taken

FindPath = Callable[[Problem], WeightPath]  # of a whole problem; what its folds say is known
Solver = Callable[[Problem, Sequence[Problem], TargetLosses, Any], FindPath]


def _descend(whole: Problem, folds: Sequence[Problem], losses: TargetLosses, settings: Any) -> FindPath:
    parts = [Fold.of(fold.design, fold.rows, fold.held_out) for fold in folds if fold.held_out is not None]
    asked = NO_LIMIT if settings.max_rules in (None, AUTO) else int(settings.max_rules) or LIMITS[0]
    limits = {asked, *LIMITS}
    chosen = [choose_descent(parts, k, settings.max_iter, settings.every_tau) for k in sorted(limits)]
    choices = [choose_nothing(parts), *chosen]
    return lambda whole: find_path(whole.design, whole.rows, choices)


def _shrink(whole: Problem, folds: Sequence[Problem], losses: TargetLosses, settings: Any) -> FindPath:
    return JudgedLasso(whole, folds, losses, l1_ratio=settings.l1_ratio).find_path


def _use_squares(dense: bool, small: bool) -> Solver:
    def solve(whole: Problem, folds: Sequence[Problem], losses: TargetLosses, settings: Any) -> FindPath:
        largest = SIZES[-1] if settings.max_rules in (None, AUTO) else max(SIZES[-1], int(settings.max_rules))
        return JudgedSquares(folds, losses, dense and len(whole.design) > 0, small, largest).find_path

    return solve


SOLVERS: dict[str, Solver] = {
    AUTO: _use_squares(dense=True, small=True),
    GREEDY: _use_squares(dense=False, small=True),
    RIDGE: _use_squares(dense=True, small=False),
    GRADIENT: _descend,
    LASSO: _shrink,
}
WEIGHTS = tuple(SOLVERS)


def prepare(whole: Problem, folds: Sequence[Problem], scores: Scores, settings: Any) -> FindPath:
    """What the folds say: gives the path of the whole problem, and of others with as many terms.

    Parameters
    ----------
    whole, folds
        All rows, and without those of each fold.
    scores
        How the targets have become columns.
    settings
        A rule ensemble.
    """
    solve = SOLVERS[settings.weights]
    if whole.design.of_whole_trees:
        tied, *parts = (TiedProblem.of(p, scores.of_values(p.design.rules.value)) for p in (whole, *folds))
        find_path = solve(tied.problem, [part.problem for part in parts], TargetLosses.of_numbers(1), settings)
        return lambda _: tied.untie(find_path(tied.problem))
    return solve(whole, folds, scores.losses, settings)


def find_average_changes(
    path: WeightPath, design: Design, rows: TargetRows, scores: Scores, seed: int
) -> list[NDArray[np.float64]]:
    """For each step, terms x channels: what a term changes in the predictions of the rows it covers, on average."""
    effects = [scores.effects(step.weights) for step in path.steps]
    if scores.is_additive:
        return [scores.changes(effect) for effect in effects]
    n_rows = len(rows.matrix)
    sample = np.random.default_rng(seed).permutation(n_rows)[:MAX_SAMPLE]
    values = design.values(rows.matrix[sample])
    changes = []
    for step, effect in zip(path.steps, effects, strict=True):
        own = values[:, step.terms]
        total = scores.offset(step.offset) + own @ effect
        now = scores.values(total)
        start = scores.offset(step.offset)
        change = scores.values(start + effect) - scores.values(start[None])  # of terms that no row of the sample has
        for k in np.flatnonzero(own.any(axis=0)):
            there = own[:, k] != 0.0
            part = own[there, k, None]
            without = scores.values(total[there] - part * effect[k])
            change[k] = ((now[there] - without) * part).sum(axis=0) / (part * part).sum()
        changes.append(change)
    return changes
