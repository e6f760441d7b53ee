"""Models from small to large, and the choice of one of them: the same for every solver."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

AUTO = "auto"


@dataclass(frozen=True)
class Step:
    """One model of a path: weights of some terms, in units of the targets given to the solver."""

    terms: NDArray[np.int64]  # positions in the design, ascending
    weights: NDArray[np.float64]  # terms x targets
    offset: NDArray[np.float64]
    error: float  # on rows the weights have not seen: squared error over variance, mean over targets
    standard_error: float
    n_groups: int | None = None  # of the terms, where some count as one

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
    ) -> "Step":
        """With the errors of folds."""
        deviation = errors.std(ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else 0.0
        return cls(terms, weights, offset, float(errors.mean()), float(deviation))


@dataclass(frozen=True)
class WeightPath:
    """Steps by number of terms, each better than every smaller one by validation error; the first has no term."""

    steps: tuple[Step, ...]
    n_iterations: int = 0  # the most that a solver took for one of them

    @classmethod
    def of(cls, steps: list[Step], n_iterations: int = 0) -> "WeightPath":
        """Of any steps, those that no smaller one equals."""
        kept: list[Step] = []
        for step in sorted(steps, key=lambda s: (s.size, s.error)):
            if not kept or step.error < kept[-1].error:
                kept.append(step)
        return cls(tuple(kept), n_iterations)

    def grouped(self, group: NDArray[np.int64]) -> "WeightPath":
        """The same, terms of one group counted as one."""
        steps = [replace(step, n_groups=len(np.unique(group[step.terms]))) for step in self.steps]
        return WeightPath.of(steps, self.n_iterations)

    def to_frame(self) -> Any:
        """A pandas dataframe: terms, validation error, its standard error."""
        import pandas as pd

        rows = [(s.size, s.error, s.standard_error) for s in self.steps]
        return pd.DataFrame(rows, columns=["rules", "error", "standard_error"])

    def choose(self, max_rules: int | str | None) -> Step:
        """The best step of at most so many terms; "auto": the smallest within a standard error of the best."""
        best = self.steps[-1]
        if max_rules is None:
            return best
        if max_rules == AUTO:
            return next(s for s in self.steps if s.error <= best.error + best.standard_error)
        least = self.steps[0].size
        if int(max_rules) < least:
            rules = "1 rule" if least == 1 else f"{least:,} rules"
            raise ValueError(f"the smallest model of this fit has {rules}: ask for at least so many")
        return next(s for s in reversed(self.steps) if s.size <= int(max_rules))
