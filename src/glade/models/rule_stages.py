"""The stages of a fit of rules between a table that is read and terms that get weights."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from glade.core.notices import warn_user
from glade.data.coding import find_edges
from glade.data.constraints import Signs
from glade.data.nice_edges import find_nice_edges
from glade.data.outliers import pull_in_outliers
from glade.data.weights import read_target_weights
from glade.losses.base import Loss
from glade.losses.logistic import Logistic
from glade.losses.multinomial import Multinomial
from glade.losses.registry import LOSSES
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.models.base import TrainingSet
from glade.rules.design import TargetRows
from glade.rules.extract import TREES
from glade.rules.monotone import find_bounds
from glade.rules.scores import Scores, scale_targets
from glade.weights.auto import SquaresSolver
from glade.weights.monotone import JudgedWithinBounds
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Judged, Solver
from glade.weights.solvers import SOLVERS
from glade.weights.whole_trees import judge_trees

ENOUGH_ROWS = 300_000


def take_enough(training: TrainingSet, settings: Any) -> TrainingSet:
    """Return the rows, or where few terms are asked for a sample of very many: more rows move their weights no more."""
    n_rows = training.table.n_rows
    if n_rows <= ENOUGH_ROWS or settings.max_rules is None or settings.generator is not None:
        return training
    is_taken = np.zeros(n_rows, bool)
    is_taken[np.random.default_rng(settings.seed_).choice(n_rows, ENOUGH_ROWS, replace=False)] = True
    warn_user(
        f"{ENOUGH_ROWS:,} of {n_rows:,} rows are fitted, drawn at random, as few terms gain nothing by more: set"
        " max_rules=None, or give a generator, to fit all"
    )
    return training.take(is_taken)


def move_outliers(training: TrainingSet) -> TrainingSet:
    """Return the rows with those values of targets moved to the others that one row would decide the weights by."""
    targets = []
    for column in training.targets:
        column, alerts = pull_in_outliers(column, training.rows)
        targets.append(column)
        for alert in alerts:
            warn_user(alert)
    return replace(training, targets=targets)


def cut_nicely(training: TrainingSet) -> TrainingSet:
    """Return the rows with few round edges for each numeric input, which trees of all folds are grown on."""
    given = find_nice_edges(training.table, training.weights)
    return replace(training, edges=find_edges(training.table, training.weights, None, given))


def scale_rows(
    training: TrainingSet, solver: Solver, target_weights: Any, of_numbers: Loss
) -> tuple[Scores, TargetRows]:
    """Return the training rows with the columns that a solver is given, and the way back to predictions."""
    importance = read_target_weights(target_weights, tuple(column.name for column in training.targets))
    losses = solver.choose_losses([None if c.labels is None else len(c.labels) for c in training.targets])
    losses = [of_numbers if c.labels is None else loss for c, loss in zip(training.targets, losses, strict=True)]
    scores, y = scale_targets(training.targets, training.weights, losses, importance)
    counts_once = bool((training.weights == 1.0).all())
    return scores, TargetRows(training.matrix, y, None if counts_once else training.weights)


def check_combinations(settings: Any, solver: Solver, losses: TargetLosses) -> None:
    """Raise an error where parameters of a rule ensemble contradict one another, or what the solver can do."""
    if not solver.needs.chooses_terms and isinstance(settings.max_rules, Integral):
        raise ValueError(f'weights="{solver.name}" gives all rules weights: leave out max_rules, or set weights="auto"')
    can = solver.needs.losses
    others = sorted({loss.name for loss in losses.losses}.difference(LOSSES if can is None else can))
    if others:
        takes = {name: kind.needs.losses for name, kind in SOLVERS.items()}
        able = [f'"{name}"' for name, own in takes.items() if own is None or others[0] in own]
        raise ValueError(f'weights="{solver.name}" has no {others[0]} loss: set weights to {" or ".join(able)}')
    if settings.monotonic_cst is not None and (settings.soft is not False or settings.rules_from == TREES):
        raise ValueError('monotonic_cst is for hard rules: leave soft at False, and set rules_from="nodes" or "leaves"')
    if settings.keep_given and settings.given_rules:
        _check_kept(settings, solver)
    if settings.rules_from != TREES:
        return
    if settings.given_rules or settings.interaction_cst is not None:
        raise ValueError('rules_from="trees" takes whole trees only: leave out given_rules and interaction_cst')
    if settings.soft is not False:
        raise ValueError('rules_from="trees" keeps trees as they are: leave out soft, or set rules_from="leaves"')
    if isinstance(settings.max_conditions, Integral):
        raise ValueError('rules_from="trees" needs all leaves: set max_depth of the generator, not max_conditions')
    others = [loss.name for loss in losses.losses if loss.name not in (Squared.name, Logistic.name, Multinomial.name)]
    if others:
        raise ValueError(f'rules_from="trees" has no {others[0]} loss: set loss="squared", or rules_from="leaves"')


def keep_signs(
    judged: Judged, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, signs: Signs | None
) -> Judged:
    """Return what the folds say once weights have the signs that let models rise and fall as is asked."""
    if signs is None:
        return judged
    return JudgedWithinBounds(judged, whole, folds, losses, lambda design: find_bounds(design, signs))


def _check_kept(settings: Any, solver: Solver) -> None:
    """Raise an error where given rules cannot stay."""
    if not isinstance(solver, SquaresSolver) or settings.soft is not False:
        raise ValueError(
            'keep_given=True needs weights="auto", "greedy" or "ridge", and no soft rules: otherwise leave it out, and'
            " the given rules compete"
        )
    n_given, limit = len(settings.given_rules), settings.max_rules
    if isinstance(limit, Integral) and int(limit) < n_given:
        raise ValueError(f"max_rules={limit} is less than the {n_given} given rules that stay: set it to at least that")


def judge_by_folds(
    solver: Solver, whole: Problem, folds: Sequence[FoldProblem], scores: Scores, max_rules: int | str | None
) -> Judged:
    """Let the solver judge its models by the rows that the folds hold out."""
    limit = int(max_rules) if isinstance(max_rules, Integral) else None
    if whole.design.is_tied:
        return judge_trees(solver, whole, folds, scores, limit)
    return solver.judge(whole, folds, scores.losses, limit)
