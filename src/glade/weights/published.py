"""FIRE's optimiser as it was published (Aho, Zenko and Dzeroski 2009, Figures 1 and 2), step for step.

The loss is the mean over rows and targets of half the squared error, of targets less their mean and divided by their
deviation; the published division by twice the deviation halves all weights and changes nothing else. Rules are columns
of zeros and ones times their direction, which has a largest part of 1 and is not centred; the offset stays at the
targets' average, which is zero by then, so that the published weight of that average has no gradient.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.design import collect_moments, find_moments, group_targets
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.gradient import NO_LIMIT, TAUS, TO_ERROR
from glade.weights.problem import FoldProblem, Problem, find_row_errors
from glade.weights.quadratic import Quadratic, WeightColumns
from glade.weights.solver import Needs, Solver, ValidatedModels

HELD_OUT = 1 / 3  # of the rows: they judge weights, and have no part in them
MAX_STEPS, CHECK_EVERY = 10_000, 100
FIRST_STEP, SMALLER_STEP = 10.0, 0.1
WORSE = 1.1  # times the lowest validation loss: from here on it has increased


class PublishedGradient(Solver):
    """FIRE's descent as published: back to the best weights with a tenth of the step where the error has increased.

    It is what `FIRERegressor(as_published=True)` finds weights with. The terms are those of trees that have seen all
    rows; two thirds of the rows find the weights, the others choose among all eleven thresholds.
    """

    name = "published gradient"
    needs = Needs(
        losses=frozenset({Squared.name}),
        one_split=True,
        more_folds_of_few=False,
        has_room=True,
        pulls_in_outliers=False,
        shares_terms=HELD_OUT,
    )

    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> ValidatedModels:
        (fold,) = folds
        train, valid, columns = pose_published(whole, fold)
        limit = NO_LIMIT if max_terms is None else max_terms
        found = BestWeights(np.zeros(len(columns.term)), valid.constant / 2)
        if max_terms != 0:
            found = min((descend_as_published(train, valid, tau, limit) for tau in TAUS), key=lambda each: each.loss)
        return ValidatedOnce(found, columns, fold)


@dataclass(frozen=True)
class BestWeights:
    """The weights of lowest validation loss on the way of a descent."""

    weights: NDArray[np.float64]
    loss: float


def pose_published(whole: Problem, fold: FoldProblem) -> tuple[Quadratic, Quadratic, WeightColumns]:
    """The losses over the rows that find weights and over those that judge them, and the direction of each rule."""
    groups = group_targets(whole.rows.y)
    moments = collect_moments(whole.design, whole.rows, groups, lean=True)
    columns = WeightColumns.of(moments, whole.design.is_rule)
    about = [replace(own, rows=replace(own.rows, total=np.zeros_like(own.rows.total))) for own in moments]
    train, valid = (
        Quadratic.of(find_moments(whole.design, rows, groups), about, columns) for rows in (fold.rows, fold.held_out)
    )
    return train, valid, columns


def descend_as_published(train: Quadratic, valid: Quadratic, tau: float, limit: int) -> BestWeights:
    """Figure 2 of the source: OptimizeWeights with a threshold, and at most so many weights that are not zero (0: any).

    A step that overflows counts as an error that has increased.
    """
    way = _Way(train, tau, limit)
    best, step = BestWeights(way.weights.copy(), valid.constant / 2), FIRST_STEP
    for _ in range(MAX_STEPS // CHECK_EVERY):
        way.advance(CHECK_EVERY, step)
        loss = valid.loss(way.weights)
        if not loss <= WORSE * best.loss:
            way.go_back(best.weights)
            step *= SMALLER_STEP
        elif loss < best.loss:
            best = BestWeights(way.weights.copy(), loss)
    return best


class _Way:
    """Where a descent is."""

    def __init__(self, loss: Quadratic, tau: float, limit: int):
        self.weights = np.zeros(len(loss.slope))
        self._loss, self._tau, self._limit = loss, tau, limit
        self._gradient = loss.slope.copy()
        self._space = np.empty(len(self.weights), np.int64), np.empty(len(self.weights))

    def go_back(self, weights: NDArray[np.float64]) -> None:
        """Go on from these weights."""
        self.weights = weights.copy()
        self._gradient = self._loss.gradient(self.weights)

    def advance(self, n_steps: int, step: float) -> None:
        """Take so many steps."""
        from glade.weights._descend import descend

        if self._limit == NO_LIMIT:
            descend(self._loss.gram, self._tau, step, n_steps, *self._space, self._gradient, self.weights)
            return
        with np.errstate(over="ignore", invalid="ignore"):
            n_taken = 0
            while n_taken < n_steps and np.count_nonzero(self.weights) < self._limit:
                self._take_up(step)
                n_taken += 1
            self._move_used(n_steps - n_taken, step)

    def _take_up(self, step: float) -> None:
        """One step as long as there is room: where more weights are steep enough than there is room for, the steepest.

        The source does not say what a step does that would pass the limit.
        """
        size = np.abs(self._gradient)
        moved = np.flatnonzero((size >= self._tau * size.max(initial=0.0)) & (size > 0))
        is_new = self.weights[moved] == 0
        room = self._limit - np.count_nonzero(self.weights)
        new = moved[is_new]
        new = new[np.argsort(-size[new], kind="stable")[:room]]
        self._move(np.concatenate((moved[~is_new], new)), step)

    def _move(self, columns: NDArray[np.int64], step: float) -> None:
        move = step * self._gradient[columns]
        self.weights[columns] += move
        self._gradient -= move @ self._loss.gram[columns]

    def _move_used(self, n_steps: int, step: float) -> None:
        """Steps of the weights that are not zero: only their gradients matter."""
        used = np.flatnonzero(self.weights)
        own = self._loss.take(used)
        weights, gradient = self.weights[used], self._gradient[used]
        for _ in range(n_steps):
            size = np.abs(gradient)
            move = np.where(size >= self._tau * size.max(initial=0.0), step * gradient, 0.0)
            weights = weights + move
            gradient = gradient - own.gram @ move
        self.go_back(self.weights)
        self.weights[used] = weights
        self._gradient = self._loss.gradient(self.weights)


@dataclass(frozen=True)
class ValidatedOnce:
    """The weights that the rows held out have chosen: no others are found."""

    found: BestWeights
    columns: WeightColumns
    fold: FoldProblem

    def find_path(self, whole: Problem) -> WeightPath:
        """The empty model and the chosen one, whose weights the rows held out have no part in."""
        weights = self.columns.spread(self.found.weights, len(whole.design))
        none = np.zeros_like(weights)
        return WeightPath.of(
            [self._make_step(weights_of, k) for k, weights_of in enumerate((none, weights))], MAX_STEPS
        )

    def _make_step(self, weights: NDArray[np.float64], number: int) -> Step:
        terms = np.flatnonzero(weights.any(axis=1))
        offset = np.zeros(weights.shape[1])
        held_out = self.fold.held_out
        predicted = self.fold.design.take(terms).predict(held_out.matrix, weights[terms])
        errors = find_row_errors(held_out, predicted) / weights.shape[1]
        error = TO_ERROR * self.found.loss if number else float(errors.mean())
        return Step.judged(terms, weights[terms], offset, errors, error, ("published", number))

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """None: the trees have seen the rows held out, so that what is said of these is not honest."""
        return None
