"""How long rules may be: terms are chosen under several limits on conditions, and rows held out choose the limit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design
from glade.rules.path import Step, TermWeights, find_standard_error
from glade.weights.centred import CentredSums
from glade.weights.greedy import (
    CHOSEN,
    Groups,
    ValidatedSupports,
    judge_supports,
    list_sizes,
    select_terms,
    weigh_supports,
)
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.products import Floats, Products
from glade.weights.support import NONE_KEPT

AnyTrial = TypeVar("AnyTrial", bound=ProblemSums)
Limit = int | None  # on the conditions of a rule; None: as long as they come

SHORT_ENOUGH = 3  # conditions, unless more are clearly better
LIMITS: tuple[Limit, ...] = (1, 2, SHORT_ENOUGH, None)
LARGEST_LIMITED = 50  # terms; nobody reads more, and there rules are as long as they come
MOST_NAMED = 6  # categories of a set: a person reads no longer ones
PRICE = 0.5  # a gain counts times the number of conditions to the power of minus this
CONDITIONS_A_NAME = 0.5  # what each category beyond the first adds to that number
IMITATED = 0.8  # of what the weights of few terms explain: the rest are the targets themselves
TOLERANCE = 0.02  # of the error: what shorter rules, or steadier ones, may cost


@dataclass(frozen=True)
class SomeProducts:
    """The products of some terms, for those who choose among these only."""

    products: Products
    terms: NDArray[np.int64]

    @property
    def diagonal(self) -> Floats:
        return self.products.diagonal[self.terms]

    def row(self, term: int) -> Floats:
        return self.products.row(int(self.terms[term]))[self.terms]

    def take(self, terms: NDArray[np.int64]) -> Floats:
        return self.products.take(self.terms[terms])

    def whole(self) -> Floats:
        return self.take(np.arange(len(self.terms)))

    def multiply(self, weights: Floats) -> Floats:
        return self.whole() @ weights


def find_short(design: Design, limit: Limit) -> NDArray[np.bool_]:
    """Which terms have at most so many conditions, and no set of many categories."""
    return np.asarray((design.n_named <= MOST_NAMED) & (design.n_conditions <= (np.inf if limit is None else limit)))


def find_worth(design: Design) -> Floats:
    """What the gain of each term counts: less for a rule that is longer to read."""
    length = np.maximum(design.n_conditions, 1) + CONDITIONS_A_NAME * np.maximum(design.n_named - 1, 0)
    return np.asarray(length**-PRICE)


def select_among(
    groups: Groups,
    is_wanted: NDArray[np.bool_],
    sizes: Sequence[int],
    penalty: float,
    kept: NDArray[np.int64] = NONE_KEPT,
    worth: NDArray[np.float64] | None = None,
) -> list[NDArray[np.int64]]:
    """The same as `select_terms`, among some terms only."""
    if is_wanted.all():
        return select_terms(groups, sizes, penalty, kept, worth)
    terms = np.flatnonzero(is_wanted)
    if len(terms) == 0 or not sizes:
        return []
    few: list[CentredSums] = [
        replace(group, mean=group.mean[terms], products=SomeProducts(group.products, terms), cross=group.cross[terms])
        for group in groups
    ]
    own_worth = None if worth is None else worth[terms]
    return [terms[own] for own in select_terms(few, sizes, penalty, np.searchsorted(terms, kept), own_worth)]


def lean(sums: AnyTrial, goal: Groups) -> AnyTrial:
    """The sums by which few terms that a person is to read get their weights: steadier than by the targets alone."""
    return sums if sums.problem.readable is None else sums.lean(goal, IMITATED)


class ValidatedLengths:
    """What folds say of small models under each limit, and the limit that is chosen for each size."""

    def __init__(
        self,
        folds: Sequence[FoldSums],
        goals: Sequence[Groups],
        largest: int,
        penalty: float,
        limits: Sequence[Limit] = (None,),
    ):
        self._penalty, self._limits = penalty, limits
        self._sizes = list_sizes(largest)
        self._any = len(limits) == 1  # the user has set the limit, and nothing is chosen
        self._judged = [self._judge(folds, goals, limit) for limit in limits]
        self._chosen = [self._choose(k) for k in range(max(map(len, self._judged)))]

    def __len__(self) -> int:
        return len(self._chosen)

    def find_fold_model(self, k: int, fold: int) -> TermWeights:
        """The model of this size that a fold has judged."""
        return self._judged[self._chosen[k]].find_fold_model(k, fold)

    def find_error(self, k: int) -> float:
        """The mean over the folds of this size, under the limit that is chosen for it; never quite 0."""
        return max(float(self._judged[self._chosen[k]].find_errors(k).mean()), 1e-12)

    def find_steps(self, whole: ProblemSums, goal: Groups) -> list[Step]:
        """A step for each size: terms chosen to meet the goal under the limit of the size, refitted to the targets."""
        steps: list[Step] = []
        for place in sorted(set(self._chosen)):
            own = [k for k, chosen in enumerate(self._chosen) if chosen == place]
            sizes = self._sizes[: own[-1] + 1]
            supports = self._select(goal, whole, self._limits[place], sizes)
            found = weigh_supports(lean(whole, goal), supports, self._judged[place], CHOSEN)
            steps += [found[k] for k in own if k < len(found)]
        return steps

    def _judge(self, folds: Sequence[FoldSums], goals: Sequence[Groups], limit: Limit) -> ValidatedSupports:
        sizes = [size for size in self._sizes if limit is None or size <= LARGEST_LIMITED]
        supports = [self._select(goal, fold, limit, sizes) for fold, goal in zip(folds, goals, strict=True)]
        return judge_supports([lean(fold, goal) for fold, goal in zip(folds, goals, strict=True)], supports)

    def _select(self, goal: Groups, sums: ProblemSums, limit: Limit, sizes: Sequence[int]) -> list[NDArray[np.int64]]:
        """The terms for each size under a limit."""
        problem = sums.problem
        is_wanted = np.ones(len(problem.design), bool) if self._any else find_short(problem.design, limit)
        worth = None
        if problem.readable is not None:
            is_wanted &= problem.readable
            worth = find_worth(problem.design)
        is_wanted[problem.kept] = True
        return select_among(goal, is_wanted, sizes, self._penalty, problem.kept, worth)

    def _choose(self, k: int) -> int:
        """The place of the limit that is chosen for this size."""
        known = [place for place, own in enumerate(self._judged) if k < len(own)]
        errors = [self._judged[place].find_errors(k) for place in known]
        return known[choose_limit([self._limits[place] for place in known], errors)]


def choose_limit(limits: Sequence[Limit], errors: Sequence[Floats]) -> int:
    """The place of the least limit that costs next to nothing.

    Without a limit a model must be better than under one by more than the standard error of their difference.

    Parameters
    ----------
    limits
        Ascending.
    errors
        Under each limit those of the folds, or of the rows of a single one.
    """
    means = [float(own.mean()) for own in errors]
    best = int(np.argmin(means))
    if limits[best] is None and best > 0:
        limited = int(np.argmin(means[:best]))
        behind = errors[limited] - errors[best]
        best = best if behind.mean() > find_standard_error(behind) else limited
    return next(place for place, mean in enumerate(means) if mean <= (1.0 + TOLERANCE) * means[best])
