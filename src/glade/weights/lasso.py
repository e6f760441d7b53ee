"""Lasso weights: all models along a path of penalties, judged on rows that had no part in them.

A term's weights for all targets are one group: a term is in or out for all of them. So are those of a rule and its
soft form, which are in or out together. Columns are centred (the offset is free) and keep their own scale, so that a
rule of few rows pays more for the same effect.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions

from glade.core.threads import map_side_by_side
from glade.losses.ramp import Ramp, to_ramp
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.block_descent import LEAST_FACTOR, GroupPenalty, measure_groups
from glade.weights.counted_lasso import CountedLasso
from glade.weights.greedy import CHOSEN, ValidatedSupports, find_greedy_steps, judge_sizes
from glade.weights.linked import SquaredColumns, judge_linked
from glade.weights.newton import NewtonLasso
from glade.weights.problem import FoldProblem, Problem
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.solver import Needs, Solver, ValidatedModels
from glade.weights.term_columns import Floats, TermColumns

DEVIANCE = "deviance"
N_PENALTIES, N_CLASS_PENALTIES = 60, 40  # a step for classes costs many times as much
LEAST_PENALTY = 1e-3  # of the least penalty at which no term is in
TOLERANCE, CLASS_TOLERANCE = 1e-4, 1e-3  # of the loss without terms; steps towards classes are dearer
RIDGES, CLASS_RIDGES = (100.0, 10.0, 1.0), (10.0,)  # in rows: of weights fitted again to the terms of a step
LARGEST_IMITATION = 100  # terms; beyond, the lasso's own models are as good
REFIT_PATIENCE = 5  # steps in which fitting again does not help
RISE = 1.01  # times the lowest validation error: clearly risen
NOTHING, PENALISED = ("nothing", 0), "penalised"  # the origin of the model without terms; the way of the lasso's own
FIRST_LOOK, PATIENCE = 5, 20  # steps after the lowest error: to stop if it has clearly risen, and in any case

FindFactors = Callable[[Design], Floats]


class Lasso(Solver):
    """The lasso's path: weights shrunk by a penalty until only some terms have any, the same terms for all targets.

    Numbers have squared errors, classes the logistic or multinomial loss.

    Parameters
    ----------
    l1_ratio : float
        1 is the lasso; less is an elastic net, which shrinks the squares of weights as well.
    loss : {"deviance", "ramp"}
        What weights for classes lower: the logistic or multinomial deviance, or RuleFit's ramp, the squared error
        clipped at both classes, which hardly heeds faulty labels. Scores are then linked to probabilities on the folds.

    Examples
    --------
    >>> from glade import Lasso, RuleFitRegressor
    >>> RuleFitRegressor(weights=Lasso(l1_ratio=0.5)).weights
    Lasso(l1_ratio=0.5)
    """

    name = "lasso"
    needs = Needs(losses=None, one_split=True, has_room=True, pulls_in_outliers=False)
    _parameter_constraints = {
        "l1_ratio": [Interval(Real, 0.0, 1.0, closed="right")],
        "loss": [StrOptions({DEVIANCE, Ramp.name})],
    }

    def __init__(self, l1_ratio: float = 1.0, loss: str = DEVIANCE):
        self.l1_ratio = l1_ratio
        self.loss = loss

    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> ValidatedModels:
        if self.loss == Ramp.name and any(loss.link.n_values > 1 for loss in losses.losses):
            return judge_linked(self._judge_ramps, whole, folds, losses)
        return judge_path(whole, folds, losses, PathSettings.of(losses, self.l1_ratio))

    def _judge_ramps(self, whole: Problem, folds: Sequence[FoldProblem], columns: SquaredColumns) -> ValidatedModels:
        """Of columns of squared errors, those of classes clipped."""
        squared = columns.squared
        parts = [(columns.mean[at], columns.unit[at]) for at in squared.places]
        ramps = [to_ramp(loss, *part) for loss, part in zip(squared.losses, parts, strict=True)]
        own = TargetLosses.of(ramps)
        return judge_path(whole, folds, own, PathSettings.of(own, self.l1_ratio))


@dataclass(frozen=True)
class Weights:
    """A model: weights (scores x terms) and an offset."""

    terms: NDArray[np.int64]
    weights: Floats
    offset: Floats


class LassoPath:
    """One problem on its way along the path."""

    def __init__(
        self, problem: Problem, losses: TargetLosses, l1_ratio: float, find_factors: FindFactors | None = None
    ):
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


class HeldOutRows:
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


def knows_targets(fold: FoldProblem) -> bool:
    """Whether some row that it judges by has a target: without one it says nothing."""
    return not np.isnan(fold.held_out.y).all()


class Validation:
    """The errors of the models along the path: steps x ways to fit the weights x folds."""

    def __init__(self, paths: list[LassoPath], held_out: list[HeldOutRows], ridges: Sequence[float]):
        self._paths, self._held_out, self._ridges = paths, held_out, ridges
        self._size = np.array([rows.size for rows in held_out])
        self._errors: list[Floats] = []
        self._of_rows: list[list[Floats]] = []  # steps x ways, where there is one fold: what each row adds
        self._last_helped = 0
        self.models: list[
            list[Weights]
        ] = []  # steps x folds: of the best way, since all would be hundreds of megabytes
        self.of_best_step: list[Weights] = []  # of each fold the lasso's own weights there
        self.starts = [path.model for path in paths]  # without any term
        self.of_nothing = self._judge_start()

    def _judge_start(self) -> tuple[float, Floats]:
        """The error of the models before the first step, which have no term; its parts as `find_errors` has them."""
        judged = [rows.judge(path.model) for path, rows in zip(self._paths, self._held_out, strict=True)]
        errors = np.array([error for error, _ in judged])
        return float(self._average(errors)), judged[0][1] if len(judged) == 1 else errors

    def add(self, strength: float, tolerance: float) -> None:
        """Go on by one step in every fold."""
        ridges = self._ridges if len(self._errors) - self._last_helped <= REFIT_PATIENCE else ()

        def go(place: tuple[LassoPath, HeldOutRows]) -> tuple[list[Weights], list[tuple[float, Floats]]]:
            path, rows = place
            plain = path.descend(strength, tolerance)
            models = [plain, *path.refit(plain, ridges)]
            return models, [rows.judge(model) for model in models]

        found = map_side_by_side(go, zip(self._paths, self._held_out, strict=True))
        errors = np.array([[error for error, _ in judged] for _, judged in found]).T
        self._errors.append(errors)
        self._of_rows.append([own for _, own in found[0][1]] if len(found) == 1 else [])
        average = self._average(errors)
        if average.min() < average[0]:
            self._last_helped = len(self._errors)
        self.models.append([models[average.argmin()] for models, _ in found])
        if self.best_step == len(self._errors) - 1:
            self.of_best_step = [models[0] for models, _ in found]

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


@dataclass(frozen=True)
class PathSettings:
    """How a path of penalties goes.

    Parameters
    ----------
    n_penalties, least_penalty
        How many penalties, and the last as a share of the first.
    tolerance
        How far, as a share of the loss without terms, a model's objective may be above the lowest.
    ridges
        In rows: of the weights that are fitted again to the terms of a step.
    l1_ratio
        1 is the lasso, less (but more than 0) an elastic net.
    imitate
        Where all losses are quadratic, add small models of terms that the best lasso has, chosen to imitate it: the
        first terms on the path are there because they are like many others, and make poor small models.
    """

    n_penalties: int
    tolerance: float
    ridges: tuple[float, ...]
    l1_ratio: float = 1.0
    least_penalty: float = LEAST_PENALTY
    imitate: bool = True

    @classmethod
    def of(cls, losses: TargetLosses, l1_ratio: float = 1.0) -> "PathSettings":
        """Those that suit these losses: a step for classes costs many times as much."""
        if losses.is_quadratic:
            return cls(N_PENALTIES, TOLERANCE, RIDGES, l1_ratio)
        return cls(N_CLASS_PENALTIES, CLASS_TOLERANCE, CLASS_RIDGES, l1_ratio, imitate=False)


def judge_path(
    whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, settings: PathSettings
) -> "ValidatedLasso":
    """Go along the path of penalties in every fold, until the error on the rows held out has clearly risen.

    Minimises, for each penalty lambda, the sum over targets of their mean losses (of numbers and classes together each
    in units of its loss without terms), plus lambda * factor * (l1_ratio |w|
    + (1 - l1_ratio) |w|^2 / 2) for each term's weights w.

    Parameters
    ----------
    whole
        The terms and rows from which the penalties are taken.
    folds
        Their terms may be others than those of `whole`.
    losses
        Of the targets.
    settings
        How the path goes.
    """
    judging = [k for k, fold in enumerate(folds) if knows_targets(fold)] or list(range(len(folds)))
    folds = [folds[k] for k in judging]
    null = losses.find_null(whole.rows.y, whole.rows.counts)
    balanced = losses.balance(null)
    paths = [LassoPath(fold, balanced, settings.l1_ratio) for fold in folds]
    first = LassoPath(whole, balanced, settings.l1_ratio)
    strengths = list_penalties(first, paths, settings)
    held_out = [HeldOutRows(fold.design, fold.held_out, losses, null) for fold in folds]
    validation = Validation(paths, held_out, settings.ridges)
    for strength in strengths:
        validation.add(strength, settings.tolerance)
        if validation.has_risen:
            break
    judged = ValidatedLasso(balanced, settings, strengths, validation, judging, first=(whole, first))
    if settings.imitate and losses.is_quadratic:
        judged.judge_small(folds)
    return judged


def list_penalties(whole: LassoPath, folds: Sequence[LassoPath], settings: PathSettings) -> Floats:
    """From the least at which no term is in, neither of the whole nor of any fold, to a share of it."""
    largest = whole.find_largest_penalty()
    last = largest * settings.least_penalty
    strengths = np.geomspace(largest, last, settings.n_penalties) if largest > 0 else np.ones(1)
    strengths[0] = max(strengths[0], *(path.find_largest_penalty() for path in folds))
    return np.asarray(strengths)


class ValidatedLasso:
    """What folds say of a path of penalties: returns the models from none to the one of lowest validation error."""

    def __init__(
        self,
        losses: TargetLosses,
        settings: PathSettings,
        strengths: Floats,
        validation: Validation,
        judging: Sequence[int],
        first: tuple[Problem, LassoPath] | None = None,
    ):
        self._places = {fold: place for place, fold in enumerate(judging)}  # of the folds that judge anything
        self._losses, self._settings = losses, settings
        self._strengths, self._validation = strengths, validation
        self._first = first  # a whole whose path has not begun yet
        self._of_sizes: ValidatedSupports | None = None
        self._imitated: list[NDArray[np.int64]] = []  # for each fold the terms that small models choose from

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model that a fold has in the place of a step of this origin; None for a fold that knows no target."""
        if fold not in self._places:
            return None
        (way, k), validation, at = origin, self._validation, self._places[fold]
        if way == CHOSEN and self._of_sizes is not None:
            small = self._of_sizes.find_fold_model(k, at)
            return replace(small, terms=self._imitated[at][small.terms])
        own = validation.models[k][at] if way == PENALISED else validation.starts[at]
        return TermWeights(own.terms, own.weights.T, own.offset)

    def judge_small(self, folds: Sequence[FoldProblem]) -> None:
        """Judge small models that imitate the best lasso of each fold."""
        all_sums, goals = [], []
        for fold, model in zip(folds, self._validation.of_best_step, strict=True):
            self._imitated.append(model.terms)
            sums = FoldSums.of(replace(fold, design=fold.design.take(model.terms)), self._losses)
            all_sums.append(sums)
            goals.append([group.imitating(model.weights.T) for group in sums.groups])
        self._of_sizes = judge_sizes(all_sums, goals, LARGEST_IMITATION)

    def find_path(self, whole: Problem) -> WeightPath:
        """The models from none to large.

        The terms of another whole than the first may enter at a larger penalty than all that the folds have judged:
        the model without terms is on the path for its own sake.
        """
        validation, settings, final = self._validation, self._settings, self._take_path(whole)
        steps = [self._make_step(final.model, *validation.of_nothing, NOTHING)]
        for k, strength in enumerate(self._strengths[: validation.best_step + 1]):
            way, error = validation.find_best(k)
            model = final.descend(strength, settings.tolerance)
            model = final.refit(model, [settings.ridges[way - 1]])[0] if way else model
            steps.append(self._make_step(model, error, validation.find_errors(k, way), (PENALISED, k)))
        if self._of_sizes is not None:
            steps += self._imitate(whole, final.model, self._of_sizes)
        return WeightPath.of(steps, final.fit.n_passes)

    def _take_path(self, whole: Problem) -> LassoPath:
        """A path that has not begun yet: each is gone once."""
        first, self._first = self._first, None
        return first[1] if first and first[0] is whole else LassoPath(whole, self._losses, self._settings.l1_ratio)

    def _make_step(self, model: Weights, error: float, errors: Floats, origin: Origin) -> Step:
        return Step.judged(model.terms, model.weights.T, model.offset, errors, error, origin)

    def _imitate(self, whole: Problem, model: Weights, of_sizes: ValidatedSupports) -> list[Step]:
        """Small models of terms that a lasso has, chosen to imitate it."""
        sums = ProblemSums.of(replace(whole, design=whole.design.take(model.terms)), self._losses)
        goal = [group.imitating(model.weights.T) for group in sums.groups]
        small = find_greedy_steps(sums, goal, of_sizes, LARGEST_IMITATION)
        return [replace(step, terms=model.terms[step.terms]) for step in small]
