"""Weights found on some rows and judged on others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.coverage import pack
from glade.rules.design import TargetMoments, TargetRows, collect_moments, find_moments, group_targets
from glade.weights.centred import CentredSums, HeldOutProducts
from glade.weights.problem import FoldProblem, Problem, find_row_errors
from glade.weights.products import CountedProducts, Products, WeighedProducts
from glade.weights.row_products import ColumnsByKind


@dataclass(frozen=True)
class Trial:
    """A problem with squared errors, its sums of products, and the losses of its targets.

    A target's columns have a total variance of 1, so that predicting their means is an error of about 1.
    """

    problem: Problem
    losses: TargetLosses
    groups: list[CentredSums]

    @classmethod
    def of(cls, problem: Problem, losses: TargetLosses) -> Self:
        known_together = group_targets(problem.all_y)
        rows, has_many_rows = problem.rows, len(problem.rows.y) >= len(problem.design)
        trial = cls(problem, losses, [])
        if has_many_rows and (len(known_together) == 1 or rows.weights is not None):
            trial.groups.extend(map(CentredSums.of, find_moments(problem.design, rows, known_together)))
            return trial
        for part in find_moments(problem.design, rows, known_together, lean=True):
            trial.groups.append(CentredSums.of(part, trial._find_products(part)))
        return trial

    def _find_products(self, part: TargetMoments) -> Products:
        """Those of the rows in which a group of targets is known, found when they are asked for."""
        rows = self.problem.rows
        known = ~np.isnan(rows.y[:, part.targets[0]])
        if rows.weights is None:
            return CountedProducts(self.columns.bits, pack(known), part.rows.gram, part.rows.total, part.mean)
        return WeighedProducts(self.values, np.where(known, rows.weights, 0.0), part.rows.total, part.mean)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Rows x terms; only to be asked for where there are fewer rows than terms."""
        return self.problem.design.values(self.problem.rows.matrix)

    @cached_property
    def columns(self) -> ColumnsByKind:
        """The same with the hard rules as bits."""
        matrix, design = self.problem.rows.matrix, self.problem.design
        return ColumnsByKind(design.hard.bits(matrix), design.values_not_bits(matrix))


@dataclass(frozen=True)
class FoldTrial(Trial):
    """The trial of a fold, which holds rows out."""

    problem: FoldProblem

    @property
    def held_out(self) -> TargetRows:
        """The rows to judge by."""
        return self.problem.held_out

    def hold_out(self, terms: NDArray[np.int64]) -> list[HeldOutProducts]:
        """What the rows held out say of some terms, for each group of targets."""
        partition = [group.targets for group in self.groups]
        moments = collect_moments(self.problem.design.take(terms), self.held_out, partition)
        return [
            HeldOutProducts.of(part.rows, group.take_means(terms))
            for part, group in zip(moments, self.groups, strict=True)
        ]

    def errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Per target: the mean squared error of predictions for the rows held out, where it is known."""
        rows = self.held_out
        weights = rows.counts
        known = ~np.isnan(rows.y)
        square = np.where(known, (predicted - np.where(known, rows.y, 0.0)) ** 2, 0.0)
        return self.losses.add_up((weights @ square) / np.maximum(weights @ known, 1e-300))

    def find_row_errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row held out its part in the mean error over the targets."""
        return find_row_errors(self.held_out, predicted) / len(self.losses)
