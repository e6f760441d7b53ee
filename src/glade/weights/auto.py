"""Ridge weights by each target's own loss: of all terms, of few that imitate these, or of few that explain the targets.

"Dense first, then imitate": on noisy targets the dense model is a better guide to which terms matter than the targets
themselves, because its predictions have less noise. A model for people imitates the mean of the small models that are
found in this way, which is steadier still: another seed, or other rows, change it less than the dense one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from glade.core.progress import count_steps
from glade.core.threads import map_side_by_side
from glade.losses.quantile import Quantile
from glade.losses.registry import LOSSES
from glade.losses.targets import TargetLosses
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.blend import find_shares, mix
from glade.weights.centred import CentredSums
from glade.weights.greedy import (
    CHOSEN,
    READY,
    SELECTION_PENALTY,
    SIZES,
    Groups,
    ValidatedSupports,
    choose_selection_penalty,
    judge_supports,
    list_sizes,
    weigh_supports,
)
from glade.weights.lengths import TOLERANCE, Limit, ValidatedLengths
from glade.weights.problem import FoldProblem, Problem
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.ridge import PENALTIES, DenseRidge, RidgeWeights, ValidatedRidge, choose_penalties
from glade.weights.solver import Needs, Solver

SMOOTH = frozenset(LOSSES) - {Quantile.name}  # the losses with a curvature, which tells how far to go
NOTHING, DENSE = ("nothing", 0), ("dense", 0)  # the origins of the models without terms, and of all terms
MIXED = ("mixed", 0)  # the origin of the mixture of these and of some sizes
MIXED_SIZES = (2, 5, 10, 20, 50, 100, 200)  # of models that take part in it
LEAST_AVERAGED, LARGEST_AVERAGED = 5, 20  # terms of the small models whose mean a model for people imitates
CLEARLY = 0.95  # of the error of chosen terms: a ready-made model must have less


class SquaresSolver(Solver):
    """Ridge weights of all terms, of few, or of both; numbers have squared errors, classes their deviance."""

    dense: ClassVar[bool]  # gives all terms ridge weights
    small: ClassVar[bool]  # chooses few terms

    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> "ValidatedSquares":
        are_columns = len(whole.design.rules) == 0  # such as trees: several of them may count as one term
        is_limited = max_terms is not None and not are_columns
        largest = max(1, max_terms or 0) if is_limited else max(SIZES[-1], max_terms or 0)
        dense, mixed = self.dense and len(whole.design) > 0, max_terms is None and not are_columns
        return ValidatedSquares(folds, losses, dense, self.small, largest, whole.limits, mixed)


class Auto(SquaresSolver):
    """Ridge weights for all terms, and few terms chosen such that they imitate these, judged together.

    The few terms are chosen by what all terms together say, which is less noisy than the targets.
    """

    name, dense, small = "auto", True, True
    needs = Needs(losses=SMOOTH, weighs_all=True)


class Greedy(SquaresSolver):
    """Few terms, chosen one by one with swaps to explain the targets, with ridge weights for those chosen.

    Examples
    --------
    >>> from glade import Greedy, RuleEnsembleRegressor
    >>> RuleEnsembleRegressor(weights=Greedy()).weights
    Greedy()
    """

    name, dense, small = "greedy", False, True
    needs = Needs(losses=SMOOTH)


class Ridge(SquaresSolver):
    """Ridge weights for all terms: each is shrunk, and none is left out.

    Examples
    --------
    >>> from glade import Ridge, RuleEnsembleRegressor
    >>> RuleEnsembleRegressor(weights=Ridge(), max_rules=None).weights
    Ridge()
    """

    name, dense, small = "ridge", True, False
    needs = Needs(losses=SMOOTH, weighs_all=True, chooses_terms=False)


class ValidatedSquares:
    """What folds say of ridge weights: gives the path of any whole whose folds they are.

    Parameters
    ----------
    folds
        The problems that judge the models on rows held out.
    losses
        Of the targets.
    dense
        Give all terms ridge weights.
    small
        Choose few terms: such that they imitate the dense model, or without one, explain the targets; or those that
        the problem has ready made, where they do better.
    largest
        The most terms that are chosen: as many as are asked for, and no more, since large sizes take most of the time.
    limits
        On the conditions of a rule, between which the folds choose.
    mixed
        Mix the dense model, small ones and none, where there are both: the largest model of the path.
    """

    def __init__(
        self,
        folds: Sequence[FoldProblem],
        losses: TargetLosses,
        dense: bool = True,
        small: bool = True,
        largest: int = SIZES[-1],
        limits: Sequence[Limit] = (None,),
        mixed: bool = False,
    ):
        self._losses, self._dense, self._small, self._largest = losses, dense, small, largest
        all_sums = map_side_by_side(lambda problem: _try(problem, losses), folds)
        self._starts, self._of_nothing = [sums.start for sums in all_sums], judge_nothing(all_sums)
        self._models: list[RidgeWeights] = []
        goals, self._penalty = [[] if dense else sums.find_goals() for sums in all_sums], SELECTION_PENALTY
        if dense:
            models = self._judge_dense(all_sums)
            if small:
                pairs = zip(models, all_sums, strict=True)
                goals = map_side_by_side(lambda pair: _imitate(self._weigh(pair[0]), pair[1]), pairs)
        self._first: ValidatedLengths | None = None
        if small:
            if dense and folds[0].readable is not None:
                self._of_sizes = self._judge_means(all_sums, goals, limits)
            if self._first is None:
                self._of_sizes = ValidatedLengths(all_sums, goals, largest, self._penalty, limits)
            n_sizes = len(list_sizes(largest))
            self._of_supports = judge_supports(all_sums, [problem.supports[:n_sizes] for problem in folds])
        self._members: list[Origin] = []
        if dense and small and mixed:
            self._mix(all_sums)

    def _judge_dense(self, all_sums: Sequence[FoldSums]) -> list[ValidatedRidge]:
        """Validate models of all terms, and choose their penalties."""
        models = map_side_by_side(ValidatedRidge, all_sums)
        count_steps(len(all_sums))
        self._chosen, of_dense = choose_penalties(models)
        count_steps(2 * len(all_sums))
        self._models = [model.found for model in models]
        self._of_dense = of_dense.mean(axis=1) if len(models) > 1 else self._judge_rows(models[0], all_sums[0])
        self._penalty = choose_selection_penalty(float(of_dense.mean()))
        return models

    def _judge_means(
        self, all_sums: Sequence[FoldSums], goals: Sequence[Groups], limits: Sequence[Limit]
    ) -> ValidatedLengths:
        """Small models that imitate the mean of those that imitate the goals, where that costs next to nothing."""
        first = ValidatedLengths(all_sums, goals, LARGEST_AVERAGED, self._penalty, limits)
        means = [
            imitate_mean([first.find_fold_model(k, fold) for k in range(len(first))], sums) or goal
            for fold, (sums, goal) in enumerate(zip(all_sums, goals, strict=True))
        ]
        found = ValidatedLengths(all_sums, means, self._largest, self._penalty, limits)
        least = max(min(LEAST_AVERAGED, len(found)) - 1, 0)  # there are no sizes where a fold has no terms
        at = range(least, min(len(first), len(found)))
        if not at or np.mean([found.find_error(k) / first.find_error(k) for k in at]) <= 1.0 + TOLERANCE:
            self._first = first
        return found

    def _mix(self, all_sums: Sequence[FoldSums]) -> None:
        """Find the shares of the models that are mixed, and the errors of the mixture."""
        sizes = list_sizes(self._largest)[: len(self._of_sizes)]
        self._members = [NOTHING, DENSE, *((CHOSEN, k) for k, size in enumerate(sizes) if size in MIXED_SIZES)]
        models = [[self.find_fold_model(own, k) for own in self._members] for k in range(len(all_sums))]
        self._shares = find_shares(all_sums, models)
        mixtures = [mix(own, self._shares) for own in models]
        predicted = [sums.problem.predict_held_out(own) for sums, own in zip(all_sums, mixtures, strict=True)]
        self._of_mixture = _judge(all_sums, predicted)

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights:
        """The model that a fold has in the place of a step of this origin."""
        way, k = origin
        if origin == NOTHING:
            start = self._starts[fold]
            return TermWeights(np.zeros(0, np.int64), np.zeros((0, len(start))), start)
        if origin == DENSE:
            return self._models[fold].at(self._penalties)
        if origin == MIXED:
            return mix([self.find_fold_model(own, fold) for own in self._members], self._shares)
        judged: ValidatedLengths | ValidatedSupports = self._of_sizes if way == CHOSEN else self._of_supports
        return judged.find_fold_model(k, fold)

    def find_path(self, whole: Problem) -> WeightPath:
        """The models from small to large."""
        final = ProblemSums.of(whole, self._losses)
        steps = [choose_nothing(final, self._of_nothing)]
        if self._dense:
            dense = self._weigh(DenseRidge(final))
            steps.append(Step.judged(dense.terms, dense.weights, dense.offset, self._of_dense, origin=DENSE))
        if self._small:
            goal = _imitate(dense, final) if self._dense else final.find_goals()
            if self._first is not None:
                goal = imitate_mean(self._first.find_steps(final, goal), final) or goal
            chosen = self._of_sizes.find_steps(final, goal)
            ready = weigh_supports(final, whole.supports, self._of_supports, READY)
            steps += chosen + [step for step in ready if is_clearly_better(step, chosen)]
        if self._members:
            steps.append(self._find_mixture({step.origin: step for step in steps if step.origin is not None}))
        return WeightPath.of([step for step in steps if np.isin(whole.kept, step.terms).all()])

    def _find_mixture(self, steps: dict[Origin, Step]) -> Step:
        """The models of the whole in the shares that the folds have found; a size that is not there has none."""
        shares = self._shares * [own in steps for own in self._members]
        models = [steps.get(own, steps[DENSE]) for own in self._members]
        found = mix(models, shares / shares.sum() if shares.any() else np.eye(len(shares))[self._members.index(DENSE)])
        return replace(
            Step.judged(found.terms, found.weights, found.offset, self._of_mixture, origin=MIXED), is_mixture=True
        )

    @property
    def _penalties(self) -> NDArray[np.float64]:
        """For each column of y the one that the folds have chosen for its target."""
        return np.asarray(np.array(PENALTIES)[self._losses.spread(self._chosen)])

    def _weigh(self, model: DenseRidge) -> TermWeights:
        """All terms, each target with the penalty that the folds have chosen for it."""
        return model.at(self._penalties)

    def _judge_rows(self, model: DenseRidge, sums: FoldSums) -> NDArray[np.float64]:
        """What each row held out adds to the error of a dense model."""
        return sums.find_row_errors(sums.problem.predict_held_out(self._weigh(model)))


def _imitate(dense: TermWeights, sums: ProblemSums) -> list[CentredSums]:
    """The sums of a problem with the scores of a model of all terms as a goal."""
    weights = dense.weights * sums.find_goal_units()
    return [group.imitating(weights) for group in sums.groups]


def imitate_mean(models: Sequence[TermWeights], sums: ProblemSums) -> list[CentredSums]:
    """The sums of a problem with the mean of some models as a goal, but for the smallest; none if all are small.

    Parameters
    ----------
    models
        Of any terms of the sums.
    sums
        The rows that the sums are over.
    """
    large = [model for model in models if len(model.terms) >= LEAST_AVERAGED]
    if not large:
        return []
    n_terms, n_columns = len(sums.problem.design), len(large[0].offset)
    weights = np.zeros((n_terms, n_columns))
    for model in large:
        weights[model.terms] += model.weights / len(large)
    return _imitate(TermWeights(np.arange(n_terms), weights, np.zeros(n_columns)), sums)


def _try(problem: FoldProblem, losses: TargetLosses) -> FoldSums:
    sums = FoldSums.of(problem, losses)
    count_steps(3)
    return sums


def is_clearly_better(step: Step, others: Sequence[Step]) -> bool:
    """Whether it beats all others of at most its size by more than chance would have it."""
    return all(step.error < CLEARLY * other.error for other in others if other.size <= step.size)


def judge_nothing(all_sums: Sequence[FoldSums]) -> NDArray[np.float64]:
    """The error of each fold without any term; of a single one, of each of its rows."""
    return _judge(all_sums, [np.tile(sums.start, (len(sums.held_out.y), 1)) for sums in all_sums])


def _judge(all_sums: Sequence[FoldSums], predicted: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The error of each fold, by what is predicted for its rows held out; of a single one, of each of its rows."""
    if len(all_sums) == 1:
        return all_sums[0].find_row_errors(predicted[0])
    return np.array([sums.errors(own).mean() for sums, own in zip(all_sums, predicted, strict=True)])


def choose_nothing(final: ProblemSums, errors: NDArray[np.float64]) -> Step:
    """The model without any term."""
    n_columns = final.problem.rows.y.shape[1]
    return Step.judged(np.zeros(0, np.int64), np.zeros((0, n_columns)), final.start, errors, origin=NOTHING)
