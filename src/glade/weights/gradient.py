"""Gradient-directed weights (FIRE): one weight a rule, found by descent that only steep weights take part in.

Model: yhat = offset + sum_k w_k r_k(x). A rule's r is a fixed direction in the space of the targets where it covers;
a linear term has a weight for each target. The offset is free: all terms are centred, which is to set it to its best
value at every step.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, Moments, TargetMoments, TargetRows, collect_moments, group_targets
from glade.weights.path import Step, WeightPath

TAUS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
FIRST_CHECKS = (3, 6, 10, 15, 20, 30, 40, 55, 75)  # steps: with a low tau the best weights come soon
CHECK_EVERY = 100  # steps after these
WORSE = 1.1  # times the lowest validation loss: the end of a descent
STALLED = 1e-9  # of the loss without terms: progress in a step that ends a run
PATIENCE = 3  # times as many checks as to the lowest validation loss: the end of a descent
TAU_PATIENCE = 1  # values of tau without an improvement that end the search over tau
TO_ERROR = 8.0  # times the loss: squared error over variance, for targets in units of twice their deviation
IMPROVEMENT = 1e-3  # of the validation error: what counts as one


@dataclass(frozen=True)
class Columns:
    """Weights to find: each belongs to a term and acts along a direction."""

    term: NDArray[np.int64]
    direction: NDArray[np.float64]  # columns x targets

    @classmethod
    def of(cls, groups: list[TargetMoments], n_rules: int) -> "Columns":
        """A column for each rule, along its covered rows' means; one for each linear term and target."""
        n_targets, n_terms = sum(len(g.targets) for g in groups), len(groups[0].rows.total)
        means = np.empty((n_rules, n_targets))
        for g in groups:
            covered = g.rows.total[:n_rules, None]
            y_mean = g.rows.y_total / max(g.rows.weight, 1e-300)
            means[:, g.targets] = np.where(
                covered > 0, g.rows.cross[:n_rules] / np.maximum(covered, 1e-300) - y_mean, 0
            )
        largest = np.take_along_axis(means, np.abs(means).argmax(axis=1)[:, None], axis=1)
        directions = means / np.where(largest == 0.0, 1.0, largest)
        linear = np.tile(np.eye(n_targets), (n_terms - n_rules, 1))
        term = np.concatenate((np.arange(n_rules), np.repeat(np.arange(n_rules, n_terms), n_targets)))
        return cls(term, np.concatenate((directions, linear)))

    def spread(self, weights: NDArray[np.float64], n_terms: int) -> NDArray[np.float64]:
        """Terms x targets: what each term adds."""
        out = np.zeros((n_terms, self.direction.shape[1]))
        np.add.at(out, self.term, weights[:, None] * self.direction)
        return out


@dataclass(frozen=True)
class Quadratic:
    """The loss, mean over targets of (yhat - y)^2 / 2, as w' gram w / 2 - slope' w + constant / 2."""

    gram: NDArray[np.float64]
    slope: NDArray[np.float64]
    constant: float

    @classmethod
    def of(cls, rows: list[TargetMoments], centres: list[TargetMoments], columns: Columns) -> "Quadratic":
        """The loss over some rows, terms and targets centred at the means of others."""
        n_columns, n_targets = columns.direction.shape
        gram, slope, constant = np.zeros((n_columns, n_columns)), np.zeros(n_columns), 0.0
        for part, centre in zip(rows, centres, strict=True):
            direction = columns.direction[:, part.targets]
            own_gram, cross, square = _centre(part.rows, centre.rows)
            gram += direction @ direction.T * own_gram[np.ix_(columns.term, columns.term)]
            slope += (direction * cross[columns.term]).sum(axis=1)
            constant += float(square.sum())
        return cls(gram / n_targets, slope / n_targets, constant / n_targets)

    def loss(self, weights: NDArray[np.float64]) -> float:
        from glade.kernels.descend import quadratic_loss

        return float(quadratic_loss(self.gram, self.slope, weights)) + self.constant / 2

    @cached_property
    def step(self) -> float:
        """One over the largest eigenvalue (from above, to a hundredth): the largest step that cannot overshoot."""
        x, norm = np.abs(self.gram).sum(axis=1), 0.0
        for _ in range(50):
            y = self.gram @ x
            norm = float(np.linalg.norm(y))
            if norm == 0.0:
                return 0.0
            last, x = x, y / norm
            if x @ last >= (1 - 1e-6) * np.linalg.norm(last):
                break
        return 1.0 / (1.01 * norm) if norm else 0.0

    def take(self, columns: NDArray[np.int64]) -> "Quadratic":
        return Quadratic(self.gram[np.ix_(columns, columns)], self.slope[columns], self.constant)


def _centre(rows: Moments, centre: Moments) -> tuple[NDArray[np.float64], ...]:
    """Mean products about other rows' means: of terms, of terms with targets, of each target with itself."""
    n_centre, n_rows = max(centre.weight, 1e-300), max(rows.weight, 1e-300)  # a target may be known nowhere
    mean, y_mean = centre.total / n_centre, centre.y_total / n_centre
    total, y_total = rows.total / n_rows, rows.y_total / n_rows
    gram = rows.gram / n_rows - np.outer(mean, total) - np.outer(total - mean, mean)
    cross = rows.cross / n_rows - np.outer(mean, y_total) - np.outer(total - mean, y_mean)
    square = rows.y_square / n_rows - y_mean * y_total - (y_total - y_mean) * y_mean
    return gram, cross, square


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
        predicted = _find_offset(weights, self.moments) + self.design.predict(self.valid_rows.matrix, weights)
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

    Targets come centred and divided by twice their standard deviation.
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
        offset = _find_offset(weights, moments)
        steps.append(Step(terms, weights[terms], offset, choice.error, choice.standard_error))
    return WeightPath.of(steps, max(choice.n_steps for choice in choices))


def _find_offset(weights: NDArray[np.float64], rows: list[TargetMoments]) -> NDArray[np.float64]:
    """What the prediction must start from for its mean to be that of the targets."""
    offset = np.empty(weights.shape[1])
    for part in rows:
        whole = max(part.rows.weight, 1e-300)
        offset[part.targets] = (part.rows.y_total - part.rows.total @ weights[:, part.targets]) / whole
    return offset
