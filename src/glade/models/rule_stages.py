"""The stages of a fit of rules between a table that is read and terms that get weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from glade.core.notices import warn_user
from glade.core.threads import count_threads
from glade.data.columns import Column
from glade.data.constraints import Signs, read_signs
from glade.data.nice_edges import find_nice_codes
from glade.data.outliers import pull_in_outliers
from glade.data.weights import read_target_weights
from glade.losses.base import Loss
from glade.models.base import TrainingSet
from glade.models.candidates import is_for_people
from glade.models.given_rules import check_given_rules
from glade.models.number_loss import check_amounts
from glade.models.rule_checks import check_combinations
from glade.rules.design import Design, TargetRows
from glade.rules.monotone import WeightLimits
from glade.rules.path import WeightPath
from glade.rules.scores import Scores, scale_targets
from glade.rules.soft import SoftRules
from glade.rules.soften import soften
from glade.weights.monotone import ValidatedWithinBounds
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Solver, ValidatedModels
from glade.weights.whole_trees import judge_trees

ENOUGH_ROWS = 300_000


@dataclass(frozen=True)
class PreparedRows:
    """The training rows as a fit of rules uses them.

    Parameters
    ----------
    training
        The rows with their inputs and targets, from which candidates are found.
    truth
        The targets before faulty values were moved.
    solver
        That finds the weights.
    scores
        How predictions come from the columns that the solver is given.
    rows
        The inputs and these columns.
    signs
        Inputs x columns: which way a column may change with an input; None: any way.
    """

    training: TrainingSet
    truth: list[Column]
    solver: Solver
    scores: Scores
    rows: TargetRows
    signs: Signs | None


def prepare_rows(settings: Any, training: TrainingSet) -> PreparedRows:
    """Return the rows with nice cuts and scaled targets, and refuse what does not go together."""
    truth, loss, solver = training.targets, settings._number_loss, settings._read_solver()
    check_amounts(loss, truth, training.rows)
    if solver.needs.pulls_in_outliers and loss.is_quadratic:
        training = move_outliers(training)
    if is_for_people(settings):
        training = cut_nicely(training)
    scores, rows = scale_rows(training, solver, settings.target_weights, loss)
    scores = replace(scores, targets=settings.target_schema_)
    check_combinations(settings, solver, scores.losses)
    check_given_rules(settings.given_rules, settings.schema_, settings.target_schema_, training.matrix)
    signs = scores.take_scored(read_signs(settings.monotonic_cst, settings.schema_, settings.target_schema_))
    return PreparedRows(training, truth, solver, scores, rows, signs)


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
    return replace(training, edges=find_nice_codes(training.table, training.weights))


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


def judge_by_folds(
    given: PreparedRows, whole: Problem, folds: Sequence[FoldProblem], max_rules: int | str | None
) -> ValidatedModels:
    """Let the solver judge its models by the rows that the folds hold out, with the signs that are asked for."""
    limit = int(max_rules) if isinstance(max_rules, Integral) else None
    solver, scores, signs = given.solver, given.scores, given.signs
    if whole.design.is_tied:
        judged = judge_trees(solver, whole, folds, scores, limit)
    else:
        judged = solver.judge(whole, folds, scores.losses, limit)
    if signs is None:
        return judged

    def find_limits(design: Design) -> WeightLimits:
        return WeightLimits.of(design, signs, scores.of_many_classes)

    return ValidatedWithinBounds(judged, whole, folds, scores.losses, find_limits)


def find_path(settings: Any, whole: Problem, judged: ValidatedModels) -> tuple[Problem, WeightPath]:
    """Return the models of all rows from small to large, and the problem, whose soft rules may have better curves."""
    path = judged.find_path(whole).grouped(whole.design.group)
    if settings.soft is False:
        return whole, path
    return _soften_again(whole, path, judged, settings)


def _soften_again(
    whole: Problem, path: WeightPath, judged: ValidatedModels, settings: Any
) -> tuple[Problem, WeightPath]:
    """Find the best curves of the soft rules that are kept, and all weights anew."""
    step, design = path.choose(settings.max_rules), whole.design
    places = design.places_of(SoftRules)
    is_soft = np.isin(step.terms, places)
    weight = np.abs(step.weights[is_soft]).sum(axis=1)
    strongest = step.terms[is_soft][np.argsort(-weight, kind="stable")[: settings.max_refined]]
    kept = np.searchsorted(places, strongest)
    if len(kept) == 0:
        return whole, path
    better = soften(design.soft.rules.take(kept), whole.rows.matrix, True, count_threads(settings.n_jobs))
    again = replace(whole, design=design.with_block(design.soft.replaced_by(better)))
    return again, judged.find_path(again).grouped(again.design.group)
