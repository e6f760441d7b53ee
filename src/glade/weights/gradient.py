"""Gradient-directed weights (FIRE): a descent in which only weights with a steep gradient take part.

How steep (tau) and how far to go is chosen on rows that had no part in the terms and the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from glade.core.threads import map_side_by_side
from glade.losses.logistic import Logistic
from glade.losses.multinomial import Multinomial
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetMoments, TargetRows, collect_moments, find_moments, group_targets
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.centred import find_offset
from glade.weights.linked import judge_linked
from glade.weights.problem import FoldProblem, Problem, find_row_errors
from glade.weights.quadratic import Quadratic, WeightColumns
from glade.weights.solver import Needs, Solver, ValidatedModels

LIMITS = (10, 20, 30, 40, 50)  # small models that every fit offers beside the one asked for
NO_LIMIT = 0  # on the terms of a descent
TAUS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
FIRST_TAUS, FIRST_TAUS_LIMITED = (0.0, 0.5), (1.0,)
CHECKS_APART = 1.2  # the ratio of the numbers of steps at two checks
STEPS_OF_EIGENVECTORS = 1000  # of all weights: about as long as to find the eigenvectors of the same matrix
WORSE = 1.1  # times the lowest validation loss: the end of a descent
STALLED = 1e-9  # of the loss without terms: progress in a step that ends a run
PATIENCE = 4.0  # times as many steps as to the lowest validation loss: the end of a descent
PATIENCE_WITH_ALL = 2.5  # the same where all weights move: its loss is smooth
DRAFT = 3  # times the limit on terms: how many are taken up to choose from
DRAFT_STEPS = 10_000  # the most that are taken for that
TO_ERROR = 2.0  # times the loss: squared error over variance, for targets in units of their deviation
DESCENT = "descent"  # the way to a model, which is one of the choices
IMPROVEMENT = 1e-3  # of the validation error: what keeps the search over tau going


class Gradient(Solver):
    """FIRE's gradient-directed descent: one weight a rule, of which only those with a steep gradient move.

    It lowers squared errors; of classes those of their zeros and ones, and a logistic link fitted on the rows that the
    folds hold out makes probabilities of what the rules add up to.

    Parameters
    ----------
    max_iter : int
        The most steps of a descent.
    every_tau : bool
        Try all eleven thresholds of the descent, also when lower ones have stopped to help.

    Examples
    --------
    >>> from glade import FIRERegressor, Gradient
    >>> FIRERegressor(weights=Gradient(max_iter=200)).weights.max_iter
    200
    """

    name = "gradient"
    needs = Needs(
        losses=frozenset({Squared.name, Logistic.name, Multinomial.name}),
        one_split=True,
        more_folds_of_few=False,
        has_room=True,
        pulls_in_outliers=False,
    )
    _parameter_constraints = {"max_iter": [Interval(Integral, 1, None, closed="left")], "every_tau": ["boolean"]}

    def __init__(self, max_iter: int = 10_000, every_tau: bool = False):
        self.max_iter = max_iter
        self.every_tau = every_tau

    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> ValidatedModels:
        return judge_linked(lambda _, own, __: self._judge_squares(own, max_terms), whole, folds, losses)

    def _judge_squares(self, folds: Sequence[FoldProblem], max_terms: int | None) -> "ValidatedDescents":
        parts = map_side_by_side(DescentFold.of, folds)
        asked = NO_LIMIT if max_terms is None else max_terms or LIMITS[0]
        chosen = [choose_descent(parts, k, self.max_iter, self.every_tau) for k in sorted({asked, *LIMITS})]
        return ValidatedDescents([choose_nothing(parts), *chosen], parts)


class WorkingSet:
    """A descent of one weight at a time that takes up more terms than are allowed; the most important are kept.

    The first terms that a descent takes up are not the best of their number: later ones take over what they stood for.
    """

    def __init__(self, loss: Quadratic, term: NDArray[np.int64]):
        self._loss, self._term = loss, term
        self._start()

    def _start(self) -> None:
        self._in_use = np.zeros(int(self._term.max(initial=-1)) + 1, np.uint8)
        self._gradient, self._weights = self._loss.slope.copy(), np.zeros(len(self._term))
        self._n_steps, self._reached = 0, 0

    def choose_columns(self, max_terms: int) -> NDArray[np.int64]:
        """The weights of the terms to keep. What was taken up for a lower limit is the beginning for a higher one."""
        from glade.weights._descend import take_up_terms

        if max_terms < self._reached:
            self._start()
        self._reached = max_terms
        self._n_steps += take_up_terms(
            self._loss.gram, self._loss.step, DRAFT_STEPS - self._n_steps, DRAFT * max_terms, self._term, self._in_use,
            self._gradient, self._weights,
        )  # fmt: skip
        importance = np.bincount(self._term, np.abs(self._weights) * self._loss.deviation)
        best = np.argsort(-importance, kind="stable")[:max_terms]
        return np.flatnonzero(np.isin(self._term, best[importance[best] > 0]))


class Descent:
    """Weights on their way down a loss; those of other columns than the given stay zero."""

    def __init__(self, loss: Quadratic, tau: float, columns: NDArray[np.int64]):
        self.columns = columns
        self._loss = loss if len(columns) == len(loss.slope) else loss.take(columns)
        self._tau, self._step, self._n_steps = tau, loss.step, 0
        self._gradient, self.weights = self._loss.slope.copy(), np.zeros(len(columns))
        self._space = np.empty(len(columns), np.int64), np.empty(len(columns))

    @property
    def loss(self) -> float:
        return (self._loss.constant - float(self.weights @ (self._loss.slope + self._gradient))) / 2

    def advance(self, n_steps: int) -> None:
        """Take so many steps."""
        from glade.weights._descend import descend

        self._n_steps += n_steps
        if self._tau > 0.0:
            descend(self._loss.gram, self._tau, self._step, n_steps, *self._space, self._gradient, self.weights)
            return
        if self._n_steps > STEPS_OF_EIGENVECTORS:
            self.weights = self._loss.descend(self._step, self._n_steps)
            self._gradient = self._loss.gradient(self.weights)
            return
        for _ in range(n_steps):
            self.weights += self._step * self._gradient
            self._gradient = self._loss.gradient(self.weights)

    def trace(self, valid: Quadratic, checks: NDArray[np.int64]) -> list[float]:
        """Take steps until the descent has ended; the losses over rows held out at the checks on its way."""
        from glade.weights._descend import has_ended, trace_descent

        losses = np.full(len(checks), valid.constant / 2)
        limits = STALLED * self._loss.constant, WORSE, PATIENCE if self._tau > 0.0 else PATIENCE_WITH_ALL
        if self._tau > 0.0:
            n_losses = trace_descent(
                self._loss.gram, self._loss.slope, self._tau, self._step, valid.gram, valid.slope, checks, *limits,
                *self._space, self._gradient, self.weights, losses,
            )  # fmt: skip
            return losses[:n_losses].tolist()
        for n in range(1, len(checks)):
            last = self.loss
            self.advance(checks[n] - checks[n - 1])
            losses[n] = valid.loss(self.weights)
            if has_ended(losses, n + 1, checks, last - self.loss, *limits):
                return losses[: n + 1].tolist()
        return losses.tolist()


@dataclass(frozen=True)
class DescentStart:
    """A loss and the weights it is of: where descents start."""

    loss: Quadratic
    columns: WeightColumns

    @cached_property
    def _working_set(self) -> WorkingSet:
        return WorkingSet(self.loss, self.columns.term)

    def descend(self, tau: float, max_terms: int) -> Descent:
        """A descent with at most so many terms, 0 for any number."""
        every = np.arange(len(self.columns.term))
        return Descent(self.loss, tau, self._working_set.choose_columns(max_terms) if max_terms else every)

    def spread(self, descent: Descent, n_terms: int) -> NDArray[np.float64]:
        """Terms x targets: what each term adds."""
        return self.columns.take(descent.columns).spread(descent.weights, n_terms)


@cache
def list_checks(max_steps: int) -> NDArray[np.int64]:
    """The numbers of steps after which the validation loss is looked at: the better part of a way is its beginning."""
    n_checks = int(np.log(max_steps) / np.log(CHECKS_APART)) + 1
    return np.unique([0, *np.round(CHECKS_APART ** np.arange(n_checks)), max_steps]).astype(np.int64)


@dataclass(frozen=True)
class DescentFold:
    """Terms found without some rows, and their loss over the rows they come from (`train`) and over those (`valid`)."""

    design: Design
    moments: list[TargetMoments]  # lean
    train: DescentStart
    valid: Quadratic
    valid_rows: TargetRows

    @classmethod
    def of(cls, problem: FoldProblem) -> "DescentFold":
        """The losses of a fold."""
        design, train, valid = problem.design, problem.rows, problem.held_out
        groups = group_targets(np.concatenate((train.y, valid.y)))
        of_train = collect_moments(design, train, groups, lean=True)
        columns = WeightColumns.of(of_train, design.is_rule)
        train_loss, valid_loss = (
            Quadratic.of(find_moments(design, rows, groups), of_train, columns) for rows in (train, valid)
        )
        return cls(design, of_train, DescentStart(train_loss, columns), valid_loss, valid)

    def trace(self, tau: float, max_terms: int, max_steps: int) -> list[float]:
        """The validation loss at each of the checks on the way of a descent, until it has ended."""
        descent = self.train.descend(tau, max_terms)
        valid = self.valid.take(descent.columns) if max_terms else self.valid
        return descent.trace(valid, list_checks(max_steps))

    def find_row_errors(self, tau: float, max_terms: int, n_steps: int) -> NDArray[np.float64]:
        """What each row adds to the validation error."""
        model = self.find_model(tau, max_terms, n_steps)
        predicted = model.offset + self.design.take(model.terms).predict(self.valid_rows.matrix, model.weights)
        return find_row_errors(self.valid_rows, predicted) / model.weights.shape[1]

    def find_model(self, tau: float, max_terms: int, n_steps: int) -> TermWeights:
        """The weights to which a descent has led after so many steps."""
        return descend_on(self.train, self.moments, len(self.design), tau, max_terms, n_steps)


def descend_on(  # a descent is these three numbers
    slope: DescentStart, moments: list[TargetMoments], n_terms: int, tau: float, max_terms: int, n_steps: int
) -> TermWeights:
    """The weights to which so many steps down a loss lead."""
    descent = slope.descend(tau, max_terms)
    descent.advance(n_steps)
    weights = slope.spread(descent, n_terms)
    terms = np.flatnonzero(weights.any(axis=1))
    return TermWeights(terms, weights[terms], find_offset(weights, moments))


@dataclass(frozen=True)
class ChosenDescent:
    """How to descend for a limit on the number of terms, and the validation error to expect."""

    max_terms: int  # 0: no limit
    tau: float
    n_steps: int
    error: float
    errors: NDArray[np.float64]  # of the folds, or of the rows of a single one

    @classmethod
    def of(
        cls, folds: list[DescentFold], max_terms: int, tau: float, n_steps: int, losses: list[float]
    ) -> "ChosenDescent":
        """With the folds' losses."""
        errors = TO_ERROR * np.array(losses)
        parts = folds[0].find_row_errors(tau, max_terms, n_steps) if len(folds) == 1 else errors
        return cls(max_terms, tau, n_steps, float(errors.mean()), parts)


class ThresholdLoss(NamedTuple):
    """What a threshold leads to: the loss is a mean over the folds."""

    loss: float
    tau: float
    n_steps: int
    of_folds: list[float]

    @classmethod
    def of(cls, folds: list[DescentFold], tau: float, max_terms: int, max_steps: int) -> "ThresholdLoss":
        traces = map_side_by_side(lambda fold: fold.trace(tau, max_terms, max_steps), folds)
        length = max(map(len, traces))
        losses = np.array([trace + [trace[-1]] * (length - len(trace)) for trace in traces])
        at = int(losses.mean(axis=0).argmin())
        return cls(losses[:, at].mean(), tau, int(list_checks(max_steps)[at]), losses[:, at].tolist())


def choose_descent(folds: list[DescentFold], max_terms: int, max_steps: int, every_tau: bool = False) -> ChosenDescent:
    """The threshold and the number of steps with the lowest validation loss, a mean over the folds.

    With a limit on terms the search starts from tau = 1 (one weight at a time), without one from 0 (all weights) and
    the middle; it goes on to the better neighbour as long as that is clearly better. 0.1 is no neighbour of 0: what it
    leads to is the same, at many times the cost.
    """
    first = TAUS if every_tau else FIRST_TAUS_LIMITED if max_terms else FIRST_TAUS
    tried = {tau: ThresholdLoss.of(folds, tau, max_terms, max_steps) for tau in first}
    best, last = min(tried.values()), np.inf
    while best.tau > 0.0 and best.loss < (1 - IMPROVEMENT) * last:
        last, at = best.loss, TAUS.index(best.tau)
        beside = (tau for tau in TAUS[max(at - 1, 0) : at + 2] if tau not in tried)
        tried |= {tau: ThresholdLoss.of(folds, tau, max_terms, max_steps) for tau in beside}
        best = min(tried.values())
    return ChosenDescent.of(folds, max_terms, best.tau, best.n_steps, best.of_folds)


def choose_nothing(folds: list[DescentFold]) -> ChosenDescent:
    """The model without any term."""
    return ChosenDescent.of(folds, 1, 1.0, 0, [fold.valid.constant / 2 for fold in folds])


@dataclass(frozen=True)
class ValidatedDescents:
    """How to descend for each limit on the number of terms."""

    choices: list[ChosenDescent]
    folds: list[DescentFold]

    def find_path(self, whole: Problem) -> WeightPath:
        """The weights to which each choice leads on all rows."""
        return find_path(whole.design, whole.rows, self.choices)

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights:
        """The weights to which the choice of a step leads on the rows of a fold."""
        choice = self.choices[origin[1]]
        return self.folds[fold].find_model(choice.tau, choice.max_terms, choice.n_steps)


def find_path(design: Design, rows: TargetRows, choices: list[ChosenDescent]) -> WeightPath:
    """The weights to which each choice leads on these rows.

    Targets come centred and divided by their standard deviation: twice that, as in the source, changes nothing.
    """
    groups = group_targets(rows.y)
    moments = collect_moments(design, rows, groups, lean=True)
    columns = WeightColumns.of(moments, design.is_rule)
    slope = DescentStart(Quadratic.of(find_moments(design, rows, groups), moments, columns), columns)
    steps = []
    for k, choice in enumerate(choices):
        own = descend_on(slope, moments, len(design), choice.tau, choice.max_terms, choice.n_steps)
        steps.append(Step.judged(own.terms, own.weights, own.offset, choice.errors, choice.error, (DESCENT, k)))
    return WeightPath.of(steps, max(choice.n_steps for choice in choices))
