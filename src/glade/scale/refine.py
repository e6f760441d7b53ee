"""The passes of a fit of rules over all rows of a table: weights, errors on rows held out, what terms cover."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.notices import warn_user
from glade.core.progress import follow
from glade.data.folds import Fold
from glade.losses.targets import TargetLosses
from glade.models.base import TrainingSet
from glade.models.number_loss import find_number_loss
from glade.models.rule_stages import PreparedRows
from glade.rules.design import Design
from glade.rules.model import RuleModel
from glade.rules.path import Origin, Step, TermWeights, WeightPath, find_standard_error
from glade.rules.scores import Scores
from glade.scale.checkpoints import Checkpoints
from glade.scale.draws import draw_folds, number_groups
from glade.scale.executors import Executor
from glade.scale.honest import choose_sums
from glade.scale.newton import Curvature, Slopes
from glade.scale.parts import Partition
from glade.scale.passes import EVERY_ROW, AddErrors, AddSlopes, Models, Sums, add_sums
from glade.scale.reading import Range, Reader
from glade.scale.roles import Roles
from glade.weights.auto import SMOOTH, SquaresSolver
from glade.weights.lasso import Lasso
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Solver, ValidatedModels

N_STEPS = 2  # Newton steps; each takes a pass
LARGE = 400  # terms: a model of more keeps the weights of the sample, and is judged on all rows


@dataclass(frozen=True)
class RefinedFolds:
    """What folds say of models once their weights are those of all rows."""

    judged: ValidatedModels
    models: dict[tuple[Origin, int], TermWeights]

    def find_path(self, whole: Problem) -> WeightPath:
        """The models of the sample, as the solver finds them."""
        return self.judged.find_path(whole)

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model that a fold has in the place of a step of this origin."""
        return self.models.get((origin, fold))


@dataclass
class AllRows:
    """All rows of a table, of which a fit has a sample in memory (`models.other_rows`).

    Parameters
    ----------
    parts
        Of the table.
    executor
        Reads them.
    roles
        Which columns are what.
    seed
        Of the folds.
    numbers
        Of the rows of the sample.
    groups
        Of these rows, where there are groups.
    is_all
        Whether the sample is the whole table: then its weights are those of all rows.
    kept
        Results of earlier runs.
    """

    parts: Sequence[Partition]
    executor: Executor
    roles: Roles
    seed: int
    numbers: NDArray[np.int64]
    groups: Any
    is_all: bool
    kept: Checkpoints
    settings: Any = None
    reader: Any = None
    judged: Sums = field(default_factory=dict)
    sums: Sums = field(default_factory=dict)
    places: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    path: WeightPath = field(default_factory=lambda: WeightPath(()))

    def split(self, training: TrainingSet, settings: Any) -> list[Fold]:
        """The folds of the sample, which are those of all rows."""
        from glade.scale.fit import count_own_folds

        self.settings, n_folds = settings, count_own_folds(settings)
        units = self.numbers if self.groups is None else number_groups(self.groups)
        fold = draw_folds(self.seed, n_folds, units)[training.rows]
        self.reader = Reader(self.roles, settings.schema_, settings.target_schema_, self.seed, n_folds)
        return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]

    def refine(
        self,
        given: PreparedRows,
        problems: tuple[Problem, Sequence[FoldProblem]],
        found: tuple[WeightPath, ValidatedModels],
    ) -> tuple[WeightPath, ValidatedModels]:
        """The models of the sample and of its folds, with weights and errors by all rows."""
        (whole, folds), (path, judged), solver, scores = problems, found, given.solver, given.scores
        if solver.needs.pulls_in_outliers and find_number_loss(self.settings).is_quadratic:
            self.reader = replace(self.reader, ranges=find_ranges(given.training))
        small = [step for step in path.steps if len(step.terms) <= LARGE]
        large = [step for step in path.steps if len(step.terms) > LARGE][-1:]
        if isinstance(self.settings.max_rules, Integral):
            large = []
        sets = gather_models(problems, judged, small, large, scores.losses)
        if not self.is_all and can_move(solver, scores.losses, self.settings):
            sets = self._move(sets, [whole, *folds], scores)
        sums = self._run("errors", AddErrors(self.reader, scores, tuple(sets)))
        moved = [replace(step, **vars(own)) for step, own in zip(small, list_models(sets[0]), strict=True)]
        errors = find_errors(sums, sets, scores.losses)
        steps = [
            replace(step, error=float(own.mean()), standard_error=find_standard_error(own), errors=own)
            for step, own in zip([*moved, *large], errors.T, strict=True)
        ]
        again = WeightPath.of(steps, path.n_iterations)
        models = {
            (step.origin, own.fold): model
            for own in sets[1:]
            for step, model in zip(large if own.is_large else small, list_models(own), strict=True)
            if step.origin is not None
        }
        self.judged = choose_sums(sums, sets, again, [*moved, *large], self.settings.max_rules)
        self.places, self.path = unite(small), again
        return again, RefinedFolds(judged, models)

    def measure(self, model: RuleModel, design: Design, told: Design) -> RuleModel:
        """A model whose terms are measured on all rows, as far as a pass has added up their values."""
        if "total" not in self.sums:
            return model
        used = np.unique(np.concatenate([step.terms for step in self.path.steps]))
        weight, known = float(self.sums["weight"]), np.isin(used, self.places)
        total, square = (self.sums[name][np.searchsorted(self.places, used[known])] for name in ("total", "square"))
        turned = np.isin(used[known], find_turned(design, told))
        total, square = np.where(turned, weight - total, total), np.where(turned, weight - square, square)
        measured = model.measured
        share, deviation = measured.share.copy(), measured.deviation.copy()
        share[known] = total / weight
        deviation[known] = np.sqrt(np.maximum(square / weight - share[known] ** 2, 0.0))
        return replace(model, measured=replace(measured, rows=share * weight, share=share, deviation=deviation))

    def _move(self, sets: list[Models], problems: list[Any], scores: Scores) -> list[Models]:
        """The models after some Newton steps, all of them together in each pass."""
        moving = [k for k, own in enumerate(sets) if not own.is_large]
        curvature = {k: Curvature(sets[k], problems[sets[k].fold + 1].rows, scores.losses) for k in moving}
        for n in range(N_STEPS):
            sums = self._run(f"slopes {n}", AddSlopes(self.reader, scores, tuple(sets)))
            for k in moving:
                sets[k] = curvature[k].move(sets[k], Slopes.of(sums, scores.losses, f" {k}"))
            self.sums = sums
        if self.sums["pulled"]:
            warn_user(
                f"{int(self.sums['pulled']):,} values of targets are far from all others: they are learnt as if they"
                " were the nearest of these; correct them, or leave them out, if they are errors"
            )
        return sets

    def _run(self, what: str, work: AddSlopes) -> Sums:
        """The sums over all parts, in their order."""
        found = self.kept.map(what, self.executor, work, self.parts)
        return reduce(add_sums, follow(f"{what}, part", found, len(self.parts)))


def find_model(judged: ValidatedModels, step: Step, fold: int) -> TermWeights:
    """The model that a fold has in the place of a step; the one without terms where the fold has none."""
    model = judged.find_fold_model(step.origin, fold) if step.origin is not None else None
    if model is not None:
        return model
    n_scores = len(step.offset)
    return TermWeights(np.zeros(0, np.int64), np.zeros((0, n_scores)), np.zeros(n_scores))


def unite(models: Sequence[TermWeights]) -> NDArray[np.int64]:
    """All terms of some models, ascending."""
    return np.unique(np.concatenate([np.zeros(0, np.int64), *(model.terms for model in models)]))


def gather(fold: int, problem: Problem, models: Sequence[TermWeights], losses: TargetLosses) -> Models:
    """Models of the terms of one problem side by side; the first is the one without terms."""
    terms, n_scores = unite(models), losses.n_scores
    weights, offset = np.zeros((len(terms), 1 + len(models), n_scores)), np.zeros((1 + len(models), n_scores))
    rows = problem.rows
    share = losses.share_rows(rows.y, rows.counts)
    offset[0] = losses.start(np.nan_to_num(rows.y.T, nan=0.0), share, len(rows.y))
    for m, model in enumerate(models, 1):
        weights[np.searchsorted(terms, model.terms), m], offset[m] = model.weights, model.offset
    return Models(fold, forget(problem.design.take(terms)), weights, offset, terms)


def gather_models(
    problems: tuple[Problem, Sequence[FoldProblem]],
    judged: ValidatedModels,
    small: Sequence[Step],
    large: Sequence[Step],
    losses: TargetLosses,
) -> list[Models]:
    """The small models of all rows, then those of each fold with its large ones."""
    whole, folds = problems
    sets = [gather(EVERY_ROW, whole, small, losses)]
    for k, problem in enumerate(folds):
        sets.append(gather(k, problem, [find_model(judged, step, k) for step in small], losses))
        sets += [gather_large(k, problem, find_model(judged, step, k)) for step in large]
    return sets


def gather_large(fold: int, problem: Problem, model: TermWeights) -> Models:
    """One model of many terms."""
    design = forget(problem.design.take(model.terms))
    return Models(fold, design, model.weights[:, None], model.offset[None], model.terms, is_large=True)


def forget(design: Design) -> Design:
    """The design without what its rules remember of a sample, which would travel with it."""
    return design.with_block(design.hard.forget())


def list_models(models: Models) -> list[TermWeights]:
    """The models one by one, but for the one without terms; terms are places in the design of their problem."""
    found = []
    for m in range(0 if models.is_large else 1, len(models.offset)):
        own = models.uses[:, m]
        found.append(TermWeights(models.terms[own], models.weights[own, m], models.offset[m]))
    return found


def can_move(solver: Solver, losses: TargetLosses, settings: Any) -> bool:
    """Whether weights may be moved one by one: their losses are smooth, and nothing binds them but a penalty."""
    is_smooth = {loss.name for loss in losses.losses} <= SMOOTH
    return is_smooth and isinstance(solver, (SquaresSolver, Lasso)) and settings.monotonic_cst is None


def find_ranges(training: TrainingSet) -> tuple[Range | None, ...]:
    """For each target the values that the sample has; None for classes, and where half of the values are the same."""
    ranges = []
    for column in training.targets:
        known = np.sort(column.values[~np.isnan(column.values)])
        quarter = len(known) // 4
        is_event = column.labels is not None or known[quarter] == known[-1 - quarter]
        ranges.append(None if is_event else Range(float(known[0]), float(known[-1])))
    return tuple(ranges)


def find_turned(design: Design, told: Design) -> NDArray[np.int64]:
    """The rules that are told from their other side, which turns what a missing value does."""
    before, after = design.rules, told.rules
    differs = before.conditions.missing != after.conditions.missing
    return np.unique(np.repeat(np.arange(len(before)), np.diff(before.start))[differs])


def find_errors(sums: Sums, sets: Sequence[Models], losses: TargetLosses) -> NDArray[np.float64]:
    """Folds x models: the loss on the rows held out, in units of that of a constant, the mean over the targets.

    The models of many terms come last.
    """
    null = sums["loss 0"][:, 0] / np.maximum(sums["counts 0"], 1e-300) / np.array(losses.weights)
    null[[t for t, loss in enumerate(losses.losses) if loss.is_quadratic]] = 0.5
    n_folds = 1 + max(own.fold for own in sets)
    errors: list[list[NDArray[np.float64]]] = [[] for _ in range(n_folds)]
    for k, own in enumerate(sets):
        if own.fold != EVERY_ROW:
            relative = sums[f"loss {k}"] / np.maximum(sums[f"counts {k}"], 1e-300)[:, None] / null[:, None]
            errors[own.fold].append(relative[:, 0 if own.is_large else 1 :].mean(axis=0))
    return np.array([np.concatenate(own) for own in errors])
