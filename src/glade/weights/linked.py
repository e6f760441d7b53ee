"""Weights found by squared errors of classes' zeros and ones, and a link, fitted on rows held out, to scores.

For ways to weights that know squared errors only. A link is a factor for all scores of a target and a number added to
each: of least loss on the rows that the folds hold out, whose predictions are by models that have not seen them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from glade.losses.base import Loss
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.design import TargetRows
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.problem import FoldProblem, Problem
from glade.weights.smooth import SmoothTarget
from glade.weights.solver import ValidatedModels

Floats = NDArray[np.float64]
AnyProblem = TypeVar("AnyProblem", bound=Problem)


@dataclass(frozen=True)
class SquaredColumns:
    """The columns of y as squared errors want them: of classes centred, with a total variance of the target's weight.

    Parameters
    ----------
    losses
        Of the targets as they are.
    mean, unit
        Of each column: 0 and 1 where its target has squared errors already.
    """

    losses: TargetLosses
    mean: Floats
    unit: Floats

    @classmethod
    def of(cls, rows: TargetRows, losses: TargetLosses) -> "SquaredColumns":
        """For the rows of a whole table."""
        mean, unit = np.zeros(losses.n_scores), np.ones(losses.n_scores)
        for t in losses.curved:
            at = losses.places[t]
            counts = np.where(np.isnan(rows.y[:, at.start]), 0.0, rows.counts)
            y, total = np.nan_to_num(rows.y[:, at], nan=0.0), max(float(counts.sum()), 1e-300)
            mean[at] = counts @ y / total
            deviation = np.sqrt(float((counts @ (y - mean[at]) ** 2).sum()) / total)
            unit[at] = (deviation or 1.0) / np.sqrt(losses.weights[t] or 1.0)
        return cls(losses, mean, unit)

    @property
    def squared(self) -> TargetLosses:
        """Squared errors of the columns."""
        kinds = [None if loss.link.n_values == 1 else loss.link.n_values for loss in self.losses.losses]
        return TargetLosses.of([Squared.of(n) for n in kinds])

    def scale(self, problem: AnyProblem) -> AnyProblem:
        """The problem with such columns."""
        changed = {"rows": self._scale_rows(problem.rows)}
        if isinstance(problem, FoldProblem):
            changed["held_out"] = self._scale_rows(problem.held_out)
        return replace(problem, **changed)  # type: ignore[arg-type]

    def _scale_rows(self, rows: TargetRows) -> TargetRows:
        return replace(rows, y=(rows.y - self.mean) / self.unit)


@dataclass(frozen=True)
class FittedLink:
    """What makes the columns of squared errors scores: score = slope * column + start; and how well that does."""

    slope: Floats
    start: Floats
    errors: Floats  # of the folds; of a single one, of each of its rows

    def apply(self, model: TermWeights) -> TermWeights:
        """The model with scores."""
        return TermWeights(model.terms, model.weights * self.slope, model.offset * self.slope + self.start)


@dataclass(frozen=True)
class ValidatedLinked:
    """What folds have said of a solver's models by squared errors, with a link for each of these.

    Parameters
    ----------
    judged
        By the columns of squared errors.
    folds
        With the targets as they are.
    columns
        How the two belong together.
    """

    judged: ValidatedModels
    folds: Sequence[FoldProblem]
    columns: SquaredColumns
    _links: dict[Origin, FittedLink] = field(default_factory=dict)

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model that a fold has in the place of a step of this origin."""
        found = self.judged.find_fold_model(origin, fold)
        return None if found is None else self._find_link(origin).apply(found)

    def find_path(self, whole: Problem) -> WeightPath:
        """The models of a whole problem, judged with their links."""
        path = self.judged.find_path(self.columns.scale(whole))
        return WeightPath.of([self._link(step) for step in path.steps], path.n_iterations)

    def _link(self, step: Step) -> Step:
        assert step.origin is not None
        link = self._find_link(step.origin)
        own = link.apply(step)
        return Step.judged(own.terms, own.weights, own.offset, link.errors, origin=step.origin)

    def _find_link(self, origin: Origin) -> FittedLink:
        """Of the models of all folds in the place of a step, on the rows that they hold out."""
        if origin not in self._links:
            models = [self.judged.find_fold_model(origin, k) for k in range(len(self.folds))]
            parts = [
                (fold, fold.predict_held_out(model))
                for fold, model in zip(self.folds, models, strict=True)
                if model is not None
            ]
            self._links[origin] = fit_link(
                [fold.held_out for fold, _ in parts], [own for _, own in parts], self.columns
            )
        return self._links[origin]


def judge_linked(
    judge: Callable[[Problem, Sequence[FoldProblem], SquaredColumns], ValidatedModels],
    whole: Problem,
    folds: Sequence[FoldProblem],
    losses: TargetLosses,
) -> ValidatedModels:
    """Let a solver judge by squared errors, and its models be linked to the losses of targets that have others."""
    columns = SquaredColumns.of(whole.rows, losses)
    if losses.is_quadratic:
        return judge(whole, folds, columns)
    return ValidatedLinked(
        judge(columns.scale(whole), [columns.scale(fold) for fold in folds], columns), folds, columns
    )


def fit_link(held_out: Sequence[TargetRows], predicted: Sequence[Floats], columns: SquaredColumns) -> FittedLink:
    """The link of least loss for what models predict of rows held out: rows x columns of squared errors."""
    losses = columns.losses
    slope, start = np.ones(losses.n_scores), np.zeros(losses.n_scores)
    y, counts = np.concatenate([rows.y for rows in held_out]), np.concatenate([rows.counts for rows in held_out])
    of_rows = np.concatenate(predicted)
    for t in losses.curved:
        at = losses.places[t]
        known = ~np.isnan(y[:, at.start])
        slope[at], start[at] = _fit_line(losses.losses[t], y[known, at], counts[known], of_rows[known, at])
    value = losses.value(np.nan_to_num(y.T, nan=0.0), (of_rows * slope + start).T)
    relative = losses.share_rows(y, counts) * value / losses.find_null(y, counts)[:, None]
    of_each = len(y) * relative.sum(axis=0) / len(losses)
    if len(held_out) == 1:
        return FittedLink(slope, start, of_each)
    ends = np.cumsum([len(rows.y) for rows in held_out])[:-1]
    return FittedLink(slope, start, np.array([part.mean() for part in np.split(of_each, ends)]))


def _fit_line(loss: Loss, y: Floats, counts: Floats, predicted: Floats) -> tuple[float, Floats]:
    """A factor, which is not below 0, and a number for each score."""
    from scipy.optimize import minimize

    target = SmoothTarget(loss, np.ascontiguousarray(y.T), counts, len(y))
    spread = float(predicted.std(axis=0).max(initial=0.0)) if len(y) else 0.0
    if not spread > 0:
        return 0.0, target.start
    columns = predicted.T / spread

    def evaluate(line: Floats) -> tuple[float, Floats]:
        scores = line[0] * columns + line[1:, None]
        slope = target.slope(scores)
        gradient = np.append((slope * columns).sum(), slope.sum(axis=1))
        return target.value(scores) / target.null, gradient / target.null

    bounds = [(0.0, None), *[(None, None)] * len(target.start)]
    found = minimize(evaluate, np.append(0.0, target.start), jac=True, method="L-BFGS-B", bounds=bounds)
    return float(found.x[0]) / spread, found.x[1:]
