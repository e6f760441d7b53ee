"""Lasso weights: all models along a path of penalties, judged on rows that had no part in them.

A term's weights for all targets are one group: a term is in or out for all of them. So are those of a rule and its
soft form, which are in or out together. Columns are centred (the offset is free) and keep their own scale, so that a
rule of few rows pays more for the same effect.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.weights.block_descent import LEAST_FACTOR, GroupPenalty, measure_groups
from glade.weights.centred import CentredSums
from glade.weights.counted_lasso import CountedLasso
from glade.weights.greedy import JudgedSupports, find_greedy_steps, judge_sizes
from glade.weights.newton import NewtonLasso
from glade.weights.path import Step, WeightPath
from glade.weights.problem import Problem
from glade.weights.term_columns import Floats, TermColumns
from glade.weights.trial import Trial

N_PENALTIES, N_CLASS_PENALTIES = 60, 40  # a step for classes costs many times as much
LEAST_PENALTY = 1e-3  # of the least penalty at which no term is in
TOLERANCE, CLASS_TOLERANCE = 1e-4, 1e-3  # of the loss without terms; steps towards classes are dearer
RIDGES, CLASS_RIDGES = (100.0, 10.0, 1.0), (10.0,)  # in rows: of weights fitted again to the terms of a step
LARGEST_IMITATION = 100  # terms; beyond, the lasso's own models are as good
REFIT_PATIENCE = 5  # steps in which fitting again does not help
RISE = 1.01  # times the lowest validation error: clearly risen
FIRST_LOOK, PATIENCE = 5, 20  # steps after the lowest error: to stop if it has clearly risen, and in any case

FindFactors = Callable[[Design], Floats]


@dataclass(frozen=True)
class Weights:
    """A model: weights (scores x terms) and an offset."""

    terms: NDArray[np.int64]
    weights: Floats
    offset: Floats


class Track:
    """One problem on its way along the path."""

    def __init__(self, problem: Problem, losses: TargetLosses, l1_ratio: float, find_factors: FindFactors | None):
        columns, rows = TermColumns(problem.design, problem.rows.matrix), problem.rows
        self._l1_ratio = l1_ratio
        self._partner = find_partners(problem.design)
        factor = np.ones(len(columns)) if find_factors is None else find_factors(problem.design)
        is_alone = self._partner == np.arange(len(columns))
        self._factor = np.where(is_alone, 1.0, np.sqrt(2.0)) * np.maximum(factor, factor[self._partner])
        self.fit: CountedLasso | NewtonLasso
        if losses.is_quadratic and rows.weights is None and not np.isnan(rows.y).any():
            self.fit = CountedLasso(columns, columns.place(rows.y))
        else:
            self.fit = NewtonLasso(columns, rows, losses)

    def find_largest_penalty(self) -> float:
        """The least penalty at which no term is in (but those without one)."""
        norm, has_penalty = measure_groups(self.fit.start_gradient, self._partner), self._factor > LEAST_FACTOR
        return float((norm[has_penalty] / self._factor[has_penalty]).max(initial=0.0)) / self._l1_ratio

    def descend(self, strength: float, tolerance: float) -> Weights:
        self.fit.descend(GroupPenalty.of(strength, self._l1_ratio, self._factor, self._partner), tolerance)
        return self.model

    @property
    def model(self) -> Weights:
        """The model at the last penalty."""
        terms = np.flatnonzero(self.fit.weights.any(axis=0))
        return Weights(terms, self.fit.weights[:, terms], self.fit.offset)

    def refit(self, found: Weights, ridges: Sequence[float]) -> list[Weights]:
        """The same terms, their weights without the lasso's penalty."""
        return [Weights(found.terms, *again) for again in self.fit.refit(found.terms, ridges)]


def find_partners(design: Design) -> NDArray[np.int64]:
    """Of each term the other form, hard or soft, of its rule; itself where there is none."""
    partner, is_second = np.arange(len(design)), design.group != np.arange(len(design))
    partner[is_second] = design.group[is_second]
    partner[design.group[is_second]] = np.flatnonzero(is_second)
    return partner


class Judge:
    """Rows that had no part in the terms and weights."""

    def __init__(self, design: Design, rows: TargetRows, losses: TargetLosses, null: Floats):
        self._losses, self._null = losses, null
        self._columns = TermColumns(design, rows.matrix)
        self._y = self._columns.place(np.nan_to_num(rows.y, nan=0.0))
        self._share = self._columns.place(losses.share_rows(rows.y, rows.counts).T)
        self._n_known = max(int(self._share.any(axis=1).sum()), 1)
        self.size = float(rows.counts @ ~np.isnan(rows.y).all(axis=1))

    def judge(self, model: Weights) -> tuple[float, Floats]:
        """The error, and what each row adds to it, of which it is the mean.

        Squared error over variance, deviance over that without terms: mean over the targets known in some row.
        """
        predicted = self._columns.predict(model.terms, model.weights) + model.offset[:, None]
        losses = self._share * self._losses.value(self._y, predicted) / self._null[:, None]
        n = self._columns.n_rows
        return float(losses.sum() / self._n_known), losses.sum(axis=0)[:n] * (n / self._n_known)


def knows_targets(fold: Problem) -> bool:
    """Whether some row that it judges by has a target: without one it says nothing."""
    return not np.isnan((fold.held_out or fold.rows).y).all()


def find_null_losses(rows: TargetRows, losses: TargetLosses) -> Floats:
    """For each target the loss that counts as an error of 1: half a variance, the entropy of the classes."""
    y, share = np.nan_to_num(rows.y.T, nan=0.0), losses.share_rows(rows.y, rows.counts)
    return losses.null(y, share, losses.start(y, share, len(rows.y)))


class Validation:
    """The errors of the models along the path: steps x ways to fit the weights x folds."""

    def __init__(self, tracks: list[Track], judges: list[Judge], ridges: Sequence[float]):
        self._tracks, self._judges, self._ridges = tracks, judges, ridges
        self._size = np.array([judge.size for judge in judges])
        self._errors: list[Floats] = []
        self._of_rows: list[list[Floats]] = []  # steps x ways, where there is one fold: what each row adds
        self._last_helped = 0
        self.models: list[list[Weights]] = []  # the lasso's own, steps x folds
        self.of_nothing = self._judge_start()

    def _judge_start(self) -> tuple[float, Floats]:
        """The error of the models before the first step, which have no term; its parts as `find_errors` has them."""
        judged = [judge.judge(track.model) for track, judge in zip(self._tracks, self._judges, strict=True)]
        errors = np.array([error for error, _ in judged])
        return float(self._average(errors)), judged[0][1] if len(judged) == 1 else errors

    def add(self, strength: float, tolerance: float) -> None:
        """Go on by one step in every fold."""
        ridges = self._ridges if len(self._errors) - self._last_helped <= REFIT_PATIENCE else ()
        errors = np.empty((1 + len(ridges), len(self._tracks)))
        of_rows: list[Floats] = []
        self.models.append([])
        for f, (track, judge) in enumerate(zip(self._tracks, self._judges, strict=True)):
            plain = track.descend(strength, tolerance)
            self.models[-1].append(plain)
            for way, model in enumerate((plain, *track.refit(plain, ridges))):
                errors[way, f], own = judge.judge(model)
                if len(self._tracks) == 1:
                    of_rows.append(own)
        self._errors.append(errors)
        self._of_rows.append(of_rows)
        average = self._average(errors)
        if average.min() < average[0]:
            self._last_helped = len(self._errors)

    def _average(self, errors: Floats) -> Floats:
        """Over the folds' rows."""
        return np.asarray(errors @ self._size / max(self._size.sum(), 1e-300))

    def find_best(self, step: int) -> tuple[int, float]:
        """Of a step: the way to fit weights with the lowest error, and the error."""
        errors = self._average(self._errors[step])
        way = int(np.argmin(errors))
        return way, float(errors[way])

    def find_errors(self, step: int, way: int) -> Floats:
        """Of each fold; of a single one, of each of its rows."""
        return self._of_rows[step][way] if self._of_rows[step] else self._errors[step][way]

    @property
    def best_step(self) -> int:
        return int(np.argmin([self.find_best(k)[1] for k in range(len(self._errors))]))

    @property
    def has_risen(self) -> bool:
        """Whether the lowest error of the lasso's own weights lies clearly behind."""
        errors = [float(self._average(e)[0]) for e in self._errors]
        lowest, last = int(np.argmin(errors)), len(errors) - 1
        is_higher = errors[last] > RISE * errors[lowest]
        return last - lowest >= PATIENCE or (last - lowest >= FIRST_LOOK and is_higher)


class JudgedLasso:
    """What folds say of a path of penalties: gives the models from none to the one of lowest validation error.

    Minimises, for each penalty lambda, the mean squared error over 2 (the mean of -log probability of nominal targets),
    added up over targets, plus lambda * factor * (l1_ratio |w| + (1 - l1_ratio) |w|^2 / 2) for each term's weights w.

    Parameters
    ----------
    whole
        The terms and rows from which the penalties are taken.
    folds
        Terms, rows, and rows to judge by; their terms may be others than those of `whole`.
    losses
        Of the targets, whose scores the columns of y are.
    l1_ratio
        1 is the lasso, less (but more than 0) an elastic net.
    penalty_factor
        Gives the factor of each term of a design; 0 is a term without a penalty.
    n_penalties, least_penalty
        How many penalties (without a number, 60; where there are classes 40), and the last as a share of the first.
    tolerance
        How far, as a share of the loss without terms, a model's objective may be above the lowest; without one, 1e-4
        for numbers and 1e-3 where there are classes.
    imitate
        For numbers, add small models of terms that the best lasso has, chosen to imitate it: the first terms on the
        path are there because they are like many others, and make poor small models.
    """

    def __init__(
        self,
        whole: Problem,
        folds: Sequence[Problem],
        losses: TargetLosses,
        *,
        l1_ratio: float = 1.0,
        penalty_factor: FindFactors | None = None,
        n_penalties: int | None = None,
        least_penalty: float = LEAST_PENALTY,
        tolerance: float | None = None,
        imitate: bool = True,
    ):
        if not folds:
            raise ValueError("folds must hold at least one problem")
        folds = [fold for fold in folds if knows_targets(fold)] or folds
        self._losses = losses
        if tolerance is None:
            tolerance = TOLERANCE if losses.is_quadratic else CLASS_TOLERANCE
        if n_penalties is None:
            n_penalties = N_PENALTIES if losses.is_quadratic else N_CLASS_PENALTIES
        self._tolerance, self._l1_ratio, self._find_factors = tolerance, l1_ratio, penalty_factor
        null = find_null_losses(whole.rows, losses)
        tracks = [self._make_track(fold) for fold in folds]
        self._first: tuple[Problem, Track] | None = (whole, self._make_track(whole))
        largest = self._first[1].find_largest_penalty()
        strengths = np.geomspace(largest, largest * least_penalty, n_penalties) if largest > 0 else np.ones(1)
        strengths[0] = max(strengths[0], *(track.find_largest_penalty() for track in tracks))  # no term in any fold
        self._strengths = strengths
        judges = [Judge(fold.design, fold.held_out or fold.rows, losses, null) for fold in folds]
        self._ridges = RIDGES if losses.is_quadratic else CLASS_RIDGES
        self._validation = validation = Validation(tracks, judges, self._ridges)
        for strength in strengths:
            validation.add(strength, tolerance)
            if validation.has_risen:
                break
        self._of_sizes: JudgedSupports | None = None
        if imitate and losses.is_quadratic:
            parts = [self._imitate(*pair) for pair in zip(folds, validation.models[validation.best_step], strict=True)]
            trials, goals = [trial for trial, _ in parts], [goal for _, goal in parts]
            self._of_sizes = judge_sizes(trials, goals, LARGEST_IMITATION)

    def _make_track(self, problem: Problem) -> Track:
        return Track(problem, self._losses, self._l1_ratio, self._find_factors)

    def find_path(self, whole: Problem) -> WeightPath:
        """The models from none to large.

        The terms of another whole than the first may enter at a larger penalty than all that the folds have judged:
        the model without terms is on the path for its own sake.
        """
        final = self._first[1] if self._first is not None and self._first[0] is whole else self._make_track(whole)
        self._first = None  # a track goes its way once
        validation = self._validation
        steps = [self._make_step(final.model, *validation.of_nothing)]
        for k, strength in enumerate(self._strengths[: validation.best_step + 1]):
            way, error = validation.find_best(k)
            model = final.descend(strength, self._tolerance)
            model = final.refit(model, [self._ridges[way - 1]])[0] if way else model
            steps.append(self._make_step(model, error, validation.find_errors(k, way)))
        if self._of_sizes is not None:
            small = find_greedy_steps(*self._imitate(whole, final.model), self._of_sizes, LARGEST_IMITATION)
            steps += [replace(step, terms=final.model.terms[step.terms]) for step in small]
        return WeightPath.of(steps, final.fit.n_passes)

    def _make_step(self, model: Weights, error: float, errors: Floats) -> Step:
        return Step.judged(model.terms, model.weights.T, model.offset, errors, error)

    def _imitate(self, problem: Problem, model: Weights) -> tuple[Trial, list[CentredSums]]:
        """A trial of the terms of a lasso model alone, and the model's predictions as a goal."""
        own = replace(problem, design=problem.design.take(model.terms))
        trial = Trial.of(own, self._losses)
        return trial, [group.imitating(model.weights.T) for group in trial.groups]


def find_lasso_path(whole: Problem, folds: Sequence[Problem], losses: TargetLosses, **how: Any) -> WeightPath:
    """The path of a whole problem by its folds; `how` are the further parameters of `JudgedLasso`."""
    return JudgedLasso(whole, folds, losses, **how).find_path(whole)
