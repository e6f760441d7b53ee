"""Weights of any solver, bounded so that a model rises or falls with some inputs as is asked.

A solver's models that keep the bounds are left as they are. Of the others all weights are found anew within the bounds,
by the same losses, close to what the solver has found; the folds' models as well, so that errors are those of such
models.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.design import Design
from glade.rules.monotone import WeightLimits
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.lasso import HeldOutRows, Weights
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import ValidatedModels

Floats = NDArray[np.float64]
FindLimits = Callable[[Design], WeightLimits]

PENALTY = 10.0  # in rows: of the squared distance from what the solver has found, as far as that is allowed
MAX_STEPS = 200


class ValidatedWithinBounds:
    """What folds say of a solver's models once their weights are bounded.

    Parameters
    ----------
    judged
        Of the solver.
    whole, folds
        The problems.
    losses
        Of the targets.
    find_limits
        What the weights of terms must be.
    """

    def __init__(
        self,
        judged: ValidatedModels,
        whole: Problem,
        folds: Sequence[FoldProblem],
        losses: TargetLosses,
        find_limits: FindLimits,
    ):
        self._judged, self._folds, self._losses, self._find_limits = judged, folds, losses, find_limits
        null = losses.find_null(whole.rows.y, whole.rows.counts)
        self._judges = [HeldOutRows(fold.design, fold.held_out, losses, null) for fold in folds]
        self._of_folds: dict[tuple[Origin, int], TermWeights | None] = {}

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model that a fold has in the place of a step of this origin."""
        if (origin, fold) not in self._of_folds:
            model = self._judged.find_fold_model(origin, fold)
            bounded = None if model is None else self._bound(model, self._folds[fold])
            self._of_folds[origin, fold] = bounded
        return self._of_folds[origin, fold]

    def find_path(self, whole: Problem) -> WeightPath:
        """The models from small to large."""
        path = self._judged.find_path(whole)
        return WeightPath.of([self._judge(self._bound(step, whole), step) for step in path.steps], path.n_iterations)

    def _bound(self, model: TermWeights, problem: Problem) -> TermWeights:
        limits = self._find_limits(problem.design.take(model.terms))
        if limits.allow(model.weights):
            return model
        weights, offset = bound_weights(model, problem, self._losses, limits)
        kept = weights.any(axis=1)
        return TermWeights(model.terms[kept], weights[kept], offset)

    def _judge(self, model: TermWeights, step: Step) -> Step:
        """A bounded model in the place of a step, with the errors of the folds' bounded models."""
        assert step.origin is not None
        judged = []
        for k, judge in enumerate(self._judges):
            own = self.find_fold_model(step.origin, k)
            if own is not None:
                judged.append(judge.judge(Weights(own.terms, own.weights.T, own.offset)))
        errors = judged[0][1] if len(judged) == 1 else np.array([error for error, _ in judged])
        return Step.judged(model.terms, model.weights, model.offset, errors, origin=step.origin)


def bound_weights(
    model: TermWeights, problem: Problem, losses: TargetLosses, limits: WeightLimits
) -> tuple[Floats, Floats]:
    """Weights within limits, and the offset, of least loss near those of a model."""
    from scipy.optimize import minimize

    rows, values = problem.rows, problem.design.take(model.terms).values(problem.rows.matrix)
    y, share = np.nan_to_num(rows.y.T, nan=0.0), losses.share_rows(rows.y, rows.counts)
    of_scores = losses.spread(np.arange(len(share)))
    free, low, high = limits.find_free()
    is_free, n_free = free >= 0, len(low)
    n_same = np.bincount(free[is_free], minlength=n_free)
    wanted = limits.shift(model.weights)[is_free]
    near = np.clip(np.bincount(free[is_free], wanted, n_free) / np.maximum(n_same, 1), low, high)
    penalty = PENALTY / max(float(rows.counts.sum()), 1.0)

    def fill(chosen: Floats) -> Floats:
        weights = np.zeros(free.shape)
        weights[is_free] = chosen[free[is_free]]
        return weights

    def evaluate(at: Floats) -> tuple[float, Floats]:
        weights, offset = fill(at[:n_free]), at[n_free:]
        scores = (values @ weights + offset).T
        slope = share[of_scores] * losses.gradient(y, scores)
        away = at[:n_free] - near
        loss = float((share * losses.value(y, scores)).sum()) + penalty / 2 * float((away * away).sum())
        along = np.bincount(free[is_free], (values.T @ slope.T)[is_free], n_free)
        return loss, np.concatenate((along + penalty * away, slope.sum(axis=1)))

    ends = [*zip(low, high, strict=True), *[(-np.inf, np.inf)] * free.shape[1]]
    start = np.concatenate((near, model.offset))
    found = minimize(evaluate, start, jac=True, method="L-BFGS-B", bounds=ends, options={"maxiter": MAX_STEPS})
    return fill(np.clip(found.x[:n_free], low, high)), found.x[n_free:]
