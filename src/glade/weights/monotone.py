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
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.lasso import Judge, Weights
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Judged

Floats = NDArray[np.float64]
FindBounds = Callable[[Design], tuple[Floats, Floats]]

PENALTY = 10.0  # in rows: of the squared distance from what the solver has found, as far as that is allowed
MAX_STEPS = 200


class JudgedWithinBounds:
    """What folds say of a solver's models once their weights are bounded.

    Parameters
    ----------
    judged
        Of the solver.
    whole, folds
        The problems.
    losses
        Of the targets.
    find_bounds
        For terms the least and the greatest weights, terms x columns.
    """

    def __init__(
        self,
        judged: Judged,
        whole: Problem,
        folds: Sequence[FoldProblem],
        losses: TargetLosses,
        find_bounds: FindBounds,
    ):
        self._judged, self._folds, self._losses, self._find_bounds = judged, folds, losses, find_bounds
        null = losses.find_null(whole.rows.y, whole.rows.counts)
        self._judges = [Judge(fold.design, fold.held_out, losses, null) for fold in folds]
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
        low, high = self._find_bounds(problem.design.take(model.terms))
        if ((low <= model.weights) & (model.weights <= high)).all():
            return model
        weights, offset = bound_weights(model, problem, self._losses, low, high)
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
    model: TermWeights, problem: Problem, losses: TargetLosses, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Weights within bounds, and the offset, of least loss near those of a model."""
    from scipy.optimize import minimize

    rows, values = problem.rows, problem.design.take(model.terms).values(problem.rows.matrix)
    y, share = np.nan_to_num(rows.y.T, nan=0.0), losses.share_rows(rows.y, rows.counts)
    of_scores = losses.spread(np.arange(len(share)))
    near, shape = np.clip(model.weights, low, high), model.weights.shape
    penalty = PENALTY / max(float(rows.counts.sum()), 1.0)

    def evaluate(at: Floats) -> tuple[float, Floats]:
        weights, offset = at[: near.size].reshape(shape), at[near.size :]
        scores = (values @ weights + offset).T
        slope = share[of_scores] * losses.gradient(y, scores)
        away = weights - near
        loss = float((share * losses.value(y, scores)).sum()) + penalty / 2 * float((away * away).sum())
        return loss, np.concatenate(((values.T @ slope.T + penalty * away).ravel(), slope.sum(axis=1)))

    ends = [*zip(low.ravel(), high.ravel(), strict=True), *[(-np.inf, np.inf)] * shape[1]]
    start = np.concatenate((near.ravel(), model.offset))
    found = minimize(evaluate, start, jac=True, method="L-BFGS-B", bounds=ends, options={"maxiter": MAX_STEPS})
    weights = np.clip(found.x[: near.size].reshape(shape), low, high)
    return weights, found.x[near.size :]
