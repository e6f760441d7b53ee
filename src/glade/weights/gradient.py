"""Gradient-directed weights (FIRE): a descent in which only weights with a steep gradient take part.

How steep (tau) and how far to go is chosen on rows that had no part in the terms and the weights.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, TargetMoments, TargetRows, collect_moments, group_targets
from glade.weights.path import Step, WeightPath
from glade.weights.quadratic import Columns, Quadratic, find_offset

TAUS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
FIRST_CHECKS = (3, 6, 10, 15, 20, 30, 40, 55, 75)  # steps: with a low tau the best weights come soon
CHECK_EVERY = 100  # steps after these
WORSE = 1.1  # times the lowest validation loss: the end of a descent
STALLED = 1e-9  # of the loss without terms: progress in a step that ends a run
PATIENCE = 3  # times as many checks as to the lowest validation loss: the end of a descent
TAU_PATIENCE = 1  # values of tau without an improvement that end the search over tau
TO_ERROR = 2.0  # times the loss: squared error over variance, for targets in units of their deviation
IMPROVEMENT = 1e-3  # of the validation error: what counts as one


class Descent:
    """Weights on their way down a loss."""

    def __init__(self, loss: Quadratic, term: NDArray[np.int64], tau: float, max_terms: int):
        self._loss, self._term, self._tau, self._max_terms = loss, term, tau, max_terms
        self._step = loss.step
        self._in_use = np.zeros(int(term.max(initial=-1)) + 1, np.uint8)
        self._active = np.arange(len(term))  # the weights that may still change
        self._active_loss = loss
        self.weights = np.zeros(len(term))

    @property
    def loss(self) -> float:
        return self._active_loss.loss(self.weights[self._active])

    def advance(self, n_steps: int) -> None:
        """Take so many steps."""
        from glade.kernels.descend import descend

        weights, part = self.weights[self._active], self._active_loss
        descend(
            part.gram, part.slope, self._tau, self._step, n_steps, self._max_terms, self._term[self._active],
            self._in_use, *np.empty((2, len(weights))), weights,
        )  # fmt: skip
        self.weights[self._active] = weights
        is_full = 0 < self._max_terms == self._in_use.sum()
        if is_full and len(self._active) == len(self._term):  # from here on, a small problem
            self._active = np.flatnonzero(self._in_use[self._term])
            self._active_loss = self._loss.take(self._active)


def list_checks(max_steps: int) -> list[int]:
    """The numbers of steps after which the validation loss is looked at."""
    checks = [0, *FIRST_CHECKS, *range(CHECK_EVERY, max_steps + 1, CHECK_EVERY), max_steps]
    return sorted({n for n in checks if n <= max_steps})


@dataclass(frozen=True)
class Fold:
    """Terms found without some rows, and their loss over the rows they come from (`train`) and over those (`valid`)."""

    design: Design
    columns: Columns
    moments: list[TargetMoments]
    train: Quadratic
    valid: Quadratic
    valid_rows: TargetRows

    @classmethod
    def of(cls, design: Design, train: TargetRows, valid: TargetRows) -> "Fold":
        groups = group_targets(np.concatenate((train.y, valid.y)))
        of_train, of_valid = (collect_moments(design, rows, groups) for rows in (train, valid))
        columns = Columns.of(of_train, len(design.rules))
        train_loss, valid_loss = (Quadratic.of(moments, of_train, columns) for moments in (of_train, of_valid))
        return cls(design, columns, of_train, train_loss, valid_loss, valid)

    def trace(self, tau: float, max_terms: int, max_steps: int) -> list[float]:
        """The validation loss at each of the checks on the way of a descent.

        It ends where nothing changes any more, or the loss is clearly above its lowest value.
        """
        descent = Descent(self.train, self.columns.term, tau, max_terms)
        losses, now = [self.valid.loss(descent.weights)], descent.loss
        for before, after in pairwise(list_checks(max_steps)):
            descent.advance(after - before)
            losses.append(self.valid.loss(descent.weights))
            last, now = now, descent.loss
            has_stalled = last - now < STALLED * (after - before) * self.train.constant
            if has_stalled or losses[-1] > WORSE * min(losses) or len(losses) > PATIENCE * (2 + np.argmin(losses)):
                break
        return losses

    def find_deviation(self, tau: float, max_terms: int, n_steps: int) -> float:
        """The standard error of the validation error, from its rows."""
        descent = Descent(self.train, self.columns.term, tau, max_terms)
        descent.advance(n_steps)
        weights = self.columns.spread(descent.weights, len(self.design))
        predicted = find_offset(weights, self.moments) + self.design.predict(self.valid_rows.matrix, weights)
        of_rows = TO_ERROR / 2 * np.nanmean((predicted - self.valid_rows.y) ** 2, axis=1)
        return float(of_rows.std() / np.sqrt(len(of_rows)))


@dataclass(frozen=True)
class Choice:
    """How to descend for a limit on the number of terms, and the validation error to expect."""

    max_terms: int  # 0: no limit
    tau: float
    n_steps: int
    error: float
    standard_error: float

    @classmethod
    def of(cls, folds: list[Fold], max_terms: int, tau: float, n_steps: int, losses: list[float]) -> "Choice":
        """With the folds' losses; the standard error comes from the folds, or where there is one, from its rows."""
        errors = TO_ERROR * np.array(losses)
        if len(folds) == 1:
            deviation = folds[0].find_deviation(tau, max_terms, n_steps)
        else:
            deviation = errors.std(ddof=1) / np.sqrt(len(errors))
        return cls(max_terms, tau, n_steps, float(errors.mean()), float(deviation))


def choose_descent(folds: list[Fold], max_terms: int, max_steps: int, every_tau: bool = False) -> Choice:
    """The threshold and the number of steps with the lowest validation loss, a mean over the folds.

    With a limit on terms, tau goes from 1 (one weight at a time) down; without one from 0 (all weights) up, which is
    the better end and takes few steps. The search stops where further values do not help.
    """
    best, best_loss = (1.0, 0, [fold.valid.constant / 2 for fold in folds]), np.inf
    to_improve, since_improved = np.inf, 0
    for tau in TAUS if max_terms else reversed(TAUS):
        traces = [fold.trace(tau, max_terms, max_steps) for fold in folds]
        length = max(map(len, traces))
        losses = np.array([trace + [trace[-1]] * (length - len(trace)) for trace in traces])
        at = int(losses.mean(axis=0).argmin())
        loss = losses[:, at].mean()
        since_improved += 1
        if loss < (1 - IMPROVEMENT) * to_improve:
            to_improve, since_improved = loss, 0
        if loss < best_loss:
            best, best_loss = (tau, list_checks(max_steps)[at], losses[:, at].tolist()), loss
        if since_improved == TAU_PATIENCE and not every_tau:
            break
    return Choice.of(folds, max_terms, *best)


def choose_nothing(folds: list[Fold]) -> Choice:
    """The model without any term."""
    return Choice.of(folds, 1, 1.0, 0, [fold.valid.constant / 2 for fold in folds])


def find_path(design: Design, rows: TargetRows, choices: list[Choice]) -> WeightPath:
    """The weights to which each choice leads on all rows.

    Targets come centred and divided by their standard deviation: twice that, as in the source, changes nothing.
    """
    moments = collect_moments(design, rows, group_targets(rows.y))
    columns = Columns.of(moments, len(design.rules))
    loss = Quadratic.of(moments, moments, columns)
    steps = []
    for choice in choices:
        descent = Descent(loss, columns.term, choice.tau, choice.max_terms)
        descent.advance(choice.n_steps)
        weights = columns.spread(descent.weights, len(design))
        terms = np.flatnonzero(weights.any(axis=1))
        offset = find_offset(weights, moments)
        steps.append(Step(terms, weights[terms], offset, choice.error, choice.standard_error))
    return WeightPath.of(steps, max(choice.n_steps for choice in choices))
