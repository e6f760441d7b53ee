"""Models from small to large, and the choice of one of them: the same for every solver."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design
from glade.rules.error_path import ErrorPath

AUTO = "auto"
MOST_READ = 50  # terms of a model that is chosen for a person

Origin = tuple[str, int]  # how a solver came to a model: by which way, and which of the models that this way gives


@dataclass(frozen=True)
class TermWeights:
    """A model: weights of some terms, in units of the targets given to the solver."""

    terms: NDArray[np.int64]  # positions in the design, ascending
    weights: NDArray[np.float64]  # terms x targets
    offset: NDArray[np.float64]


@dataclass(frozen=True)
class Step(TermWeights):
    """One model of a path, with its error."""

    error: float  # on rows the weights have not seen: squared error over variance, mean over targets
    standard_error: float
    n_groups: int | None = None  # of the terms, where some count as one
    errors: NDArray[np.float64] | None = None  # of the folds, or of the rows of a single one, until steps are compared
    difference_error: float | None = (
        None  # the standard error of how far it is behind the best readable step; None: not known
    )
    origin: Origin | None = None  # by which the folds know the models they have in its place
    is_mixture: bool = False  # of several models: it stays on the path, since only chance lets one of these beat it

    @property
    def size(self) -> int:
        """How many terms it counts as."""
        return len(self.terms) if self.n_groups is None else self.n_groups

    @classmethod
    def judged(
        cls,
        terms: NDArray[np.int64],
        weights: NDArray[np.float64],
        offset: NDArray[np.float64],
        errors: NDArray[np.float64],
        error: float | None = None,
        origin: Origin | None = None,
    ) -> "Step":
        """With the errors of folds, or of the rows of a single one; without an error of its own, their mean."""
        own = float(errors.mean()) if error is None else error
        return cls(terms, weights, offset, own, find_standard_error(errors), errors=errors, origin=origin)

    def compare(self, best: "Step") -> "Step":
        """The same, with the standard error of its difference to the best step in place of all errors.

        Folds (and rows) differ in how hard they are for every model: what counts is how much the difference varies.
        """
        if self.errors is None or best.errors is None:
            return self
        return replace(self, errors=None, difference_error=find_standard_error(self.errors - best.errors))

    def without(self, fold: int) -> "Step":
        """The same as the other folds judge it."""
        if self.errors is None:
            return self
        errors = np.delete(self.errors, fold)
        error = self.error + float(errors.mean() - self.errors.mean())
        return replace(self, error=error, errors=errors, standard_error=find_standard_error(errors))


def find_standard_error(values: NDArray[np.float64]) -> float:
    """Of their mean; 0 for a single value, which says nothing of it.

    >>> find_standard_error(np.array([1.0, 3.0])), find_standard_error(np.array([1.0]))
    (1.0, 0.0)
    """
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


@dataclass(frozen=True)
class WeightPath:
    """Steps by number of terms, each better than every smaller one by validation error; the first has no term."""

    steps: tuple[Step, ...]
    n_iterations: int = 0  # the most that a solver took for one of them
    judged: tuple[Step, ...] = ()  # all that were compared, with the errors of the folds, as long as a fit goes on

    @classmethod
    def of(cls, steps: list[Step], n_iterations: int = 0) -> "WeightPath":
        """Of any steps, those that no smaller one equals."""
        kept = _drop_worse(steps)
        best = kept[_find_best_readable(kept)]
        return cls(tuple(step.compare(best) for step in kept), n_iterations, tuple(steps))

    def grouped(self, group: NDArray[np.int64]) -> "WeightPath":
        """The same, terms of one group counted as one."""
        steps, judged = (
            [replace(step, n_groups=len(np.unique(group[step.terms]))) for step in some]
            for some in (self.steps, self.judged)
        )
        return WeightPath(tuple(_drop_worse(steps)), self.n_iterations, tuple(judged))

    def choose_without(self, fold: int, n_folds: int, max_rules: int | str | None) -> Step:
        """The step that the other folds choose; where they do not know better, the one that all choose."""
        can_tell = n_folds > 1 and all(step.errors is not None and len(step.errors) == n_folds for step in self.judged)
        if not can_tell or not self.judged:
            return self.choose(max_rules)
        return WeightPath.of([step.without(fold) for step in self.judged]).choose(max_rules)

    def describe(self, design: Design) -> ErrorPath:
        """What the steps, whose terms are those of a design, cost and promise."""
        return ErrorPath(
            terms=np.array([step.size for step in self.steps]),
            conditions=np.array([design.count_conditions(step.terms) for step in self.steps]),
            error=np.array([step.error for step in self.steps]),
            standard_error=np.array([step.standard_error for step in self.steps]),
        )

    def choose(self, max_rules: int | str | None) -> Step:
        """The best step of at most so many terms; "auto": the smallest not clearly worse than the best readable one."""
        return self.steps[self.find_place(max_rules)]

    def find_place(self, max_rules: int | str | None) -> int:
        """The place of that step on the path."""
        last = len(self.steps) - 1
        if max_rules is None:
            return last
        if max_rules == AUTO:
            best = _find_best_readable(self.steps)
            good = [k for k in range(best) if self._is_good_enough(self.steps[k], self.steps[best])]
            return min(good, default=best)
        n_small = sum(step.size <= int(max_rules) for step in self.steps)
        if n_small == 0:
            least = self.steps[0].size
            rules = "1 rule" if least == 1 else f"{least:,} rules"
            raise ValueError(f"the smallest model of this fit has {rules}: ask for at least so many")
        return n_small - 1

    def _is_good_enough(self, step: Step, best: Step) -> bool:
        """Whether it is behind the best one by no more than the standard error of their difference.

        Files of glade 0.1 do not hold that; there the standard error of the best step's own error takes its place.
        """
        unsure = best.standard_error if step.difference_error is None else step.difference_error
        return step.error <= best.error + unsure


def _find_best_readable(steps: Sequence[Step]) -> int:
    """The place of the best step that a person may read; of the best of all where none with a term is so small."""
    return max((k for k, step in enumerate(steps) if 0 < step.size <= MOST_READ), default=len(steps) - 1)


def _drop_worse(steps: Sequence[Step]) -> list[Step]:
    """By size, those that no smaller one equals, and a mixture; the last is the best of all."""
    kept: list[Step] = []
    for step in sorted(steps, key=lambda s: (s.size, s.error)):
        if not kept or step.error < kept[-1].error or step.is_mixture:
            if kept and kept[-1].size == step.size:  # a mixture takes the place of a model with as many terms
                kept.pop()
            kept.append(step)
    return kept
