"""Weights found on some rows and judged on others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import TargetRows, collect_moments, group_targets
from glade.weights.centred import CentredSums, HeldOutProducts
from glade.weights.problem import Problem, find_row_errors


@dataclass(frozen=True)
class Trial:
    """A problem with squared errors, its sums of products, and which columns of y belong to each target.

    A target's columns have a total variance of 1, so that predicting their means is an error of about 1.
    """

    problem: Problem
    targets: Sequence[slice]
    groups: list[CentredSums]

    @classmethod
    def of(cls, problem: Problem, targets: Sequence[slice]) -> Self:
        known_together = group_targets(np.concatenate([rows.y for rows in (problem.rows, problem.held_out) if rows]))
        moments = collect_moments(problem.design, problem.rows, known_together)
        return cls(problem, targets, [CentredSums.of(part) for part in moments])

    @property
    def held_out(self) -> TargetRows:
        if self.problem.held_out is None:
            raise ValueError("the problem has no rows to judge by")
        return self.problem.held_out

    def hold_out(self, terms: NDArray[np.int64]) -> list[HeldOutProducts]:
        """What the rows held out say of some terms, for each group of targets."""
        partition = [group.targets for group in self.groups]
        moments = collect_moments(self.problem.design.take(terms), self.held_out, partition)
        return [
            HeldOutProducts.of(part.rows, group.take(terms)) for part, group in zip(moments, self.groups, strict=True)
        ]

    def errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Per target: the mean squared error of predictions for the rows held out, where it is known."""
        rows = self.held_out
        weights = rows.counts
        known = ~np.isnan(rows.y)
        square = np.where(known, (predicted - np.where(known, rows.y, 0.0)) ** 2, 0.0)
        return self.add_up((weights @ square) / np.maximum(weights @ known, 1e-300))

    def find_row_errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row held out its part in the mean error over the targets."""
        return find_row_errors(self.held_out, predicted) / len(self.targets)

    def add_up(self, errors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Errors (anything x columns of y) for each target."""
        return np.add.reduceat(errors, [columns.start for columns in self.targets], axis=-1)

    def spread(self, of_targets: NDArray[Any]) -> NDArray[Any]:
        """What each target has, for each of its columns of y."""
        return np.repeat(of_targets, [columns.stop - columns.start for columns in self.targets])
