"""Weights found on some rows and judged on others."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.coverage import pack
from glade.rules.design import TargetMoments, TargetRows, collect_moments, find_moments, group_targets
from glade.weights.centred import CentredSums, HeldOutProducts, find_offset
from glade.weights.problem import FoldProblem, Problem
from glade.weights.products import CountedProducts, Products, WeighedProducts
from glade.weights.row_products import ColumnsByKind
from glade.weights.smooth import SmoothTarget
from glade.weights.term_columns import TermColumns


@dataclass(frozen=True)
class ProblemSums:
    """A problem, its sums of products, and the losses of its targets.

    The columns of a target with squared errors have a total variance of 1, so that predicting their means is an error
    of about 1; other losses are divided by that of the best constant.
    """

    problem: Problem
    losses: TargetLosses
    groups: list[CentredSums]

    @classmethod
    def of(cls, problem: Problem, losses: TargetLosses) -> Self:
        known_together = group_targets(problem.all_y)
        rows, has_many_rows = problem.rows, len(problem.rows.y) >= len(problem.design)
        sums = cls(problem, losses, [])
        if has_many_rows and (len(known_together) == 1 or rows.weights is not None):
            sums.groups.extend(map(CentredSums.of, find_moments(problem.design, rows, known_together)))
            return sums
        for part in find_moments(problem.design, rows, known_together, lean=True):
            sums.groups.append(CentredSums.of(part, sums._find_products(part)))
        return sums

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

    @cached_property
    def term_columns(self) -> TermColumns:
        """The terms as a descent wants them."""
        return TermColumns(self.problem.design, self.problem.rows.matrix)

    @cached_property
    def squared(self) -> list[CentredSums]:
        """The sums of targets of which some have squared errors: the solution for these is found from them alone."""
        of_curved = [np.arange(self.losses.n_scores)[self.losses.places[t]] for t in self.losses.curved]
        curved = np.concatenate([*of_curved, np.zeros(0, np.int64)])
        return [group for group in self.groups if not np.isin(group.targets, curved).all()]

    def find_group(self, target: int) -> CentredSums:
        """The sums of the group that a target belongs to."""
        first = self.losses.places[target].start
        return next(group for group in self.groups if first in group.targets)

    def make_smooth_target(self, target: int, rows: NDArray[np.bool_] | None = None) -> SmoothTarget:
        """A target over the places of the columns, or over some rows."""
        own, at = self.problem.rows, self.losses.places[target]
        y = np.nan_to_num(own.y[:, at], nan=0.0)
        counts = np.where(np.isnan(own.y[:, at.start]), 0.0, own.counts)
        loss, n_known = self.losses.losses[target], int((counts > 0).sum())
        if rows is not None:
            return SmoothTarget(loss, np.ascontiguousarray(y[rows].T), counts[rows], n_known)
        return SmoothTarget(loss, self.term_columns.place(y), self.term_columns.place(counts[:, None])[0], n_known)

    @cached_property
    def start(self) -> NDArray[np.float64]:
        """The offset without any term."""
        offset = find_offset(np.zeros((len(self.problem.design), self.problem.rows.y.shape[1])), self.groups)
        for t in self.losses.curved:
            offset[self.losses.places[t]] = self.make_smooth_target(t).start
        return offset

    def find_goal_units(self) -> NDArray[np.float64]:
        """For each column of y what a score is multiplied by, for its square to be a relative error of the target."""
        units = np.ones(self.losses.n_scores)
        for t in self.losses.curved:
            target = self.make_smooth_target(t)
            square = self.losses.weights[t] * target.curvature * target.total / (2.0 * target.null)
            square *= target.null > 1e-12 * target.total  # of a single class there is nothing to say
            units[self.losses.places[t]] = np.sqrt(square)
        return units

    def find_goals(self) -> list[CentredSums]:
        """The sums with the targets themselves to be explained: of curved losses, with the first Newton step."""
        if not self.losses.curved:
            return self.groups
        units, crosses = self.find_goal_units(), [group.cross.copy() for group in self.groups]
        for t in self.losses.curved:
            target, at = self.make_smooth_target(t), self.losses.places[t]
            slope = -target.slope(np.repeat(target.start[:, None], target.y.shape[1], axis=1)) / target.curvature
            for group, cross in zip(self.groups, crosses, strict=True):
                if at.start in group.targets:
                    own = self.term_columns.sum_up(slope) - np.outer(slope.sum(axis=1), group.mean)
                    cross[:, np.isin(group.targets, np.arange(at.start, at.stop))] = own.T * units[at]
        return [replace(group, cross=cross) for group, cross in zip(self.groups, crosses, strict=True)]

    def lean(self, goal: Sequence[CentredSums], share: float) -> Self:
        """The same, but targets with squared errors are in part what a model of all terms says of them.

        Parameters
        ----------
        goal
            The sums with the predictions of that model as targets.
        share
            Which part.
        """
        curved = [self.losses.places[t] for t in self.losses.curved]
        is_curved = np.zeros(self.losses.n_scores, bool)
        for place in curved:
            is_curved[place] = True
        leaning = copy(self)  # with all that has been found
        vars(leaning).pop("squared", None)
        vars(leaning)["groups"] = [
            replace(own, cross=own.cross + np.where(is_curved[own.targets], 0.0, share) * (other.cross - own.cross))
            for own, other in zip(self.groups, goal, strict=True)
        ]
        return leaning


@dataclass(frozen=True)
class FoldSums(ProblemSums):
    """The sums of a fold, which holds rows out."""

    problem: FoldProblem

    @property
    def held_out(self) -> TargetRows:
        """The rows to judge by."""
        return self.problem.held_out

    def hold_out(self, terms: NDArray[np.int64]) -> list[HeldOutProducts]:
        """What the rows held out say of some terms, for each group of targets with squared errors."""
        partition = [group.targets for group in self.squared]
        moments = collect_moments(self.problem.design.take(terms), self.held_out, partition)
        return [
            HeldOutProducts.of(part.rows, group.take_means(terms))
            for part, group in zip(moments, self.squared, strict=True)
        ]

    @cached_property
    def null(self) -> NDArray[np.float64]:
        """Of each target the loss that counts as an error of 1, over the rows of the fold and those held out."""
        counts = np.concatenate((self.problem.rows.counts, self.held_out.counts))
        return self.losses.find_null(self.problem.all_y, counts)

    def errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Per target: the relative error of predictions for the rows held out, where it is known."""
        return self._find_losses(predicted).sum(axis=1)

    def find_error(self, target: int, scores: NDArray[np.float64]) -> float:
        """The same for the scores (rows held out x scores) of one target."""
        rows, at = self.held_out, self.losses.places[target]
        counts = np.where(np.isnan(rows.y[:, at.start]), 0.0, rows.counts)
        value = self.losses.losses[target].value(np.nan_to_num(rows.y[:, at].T, nan=0.0), scores.T)
        relative = self.losses.weights[target] / self.null[target]
        return float(counts @ value) / max(float(counts.sum()), 1e-300) * relative

    def find_row_errors(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row held out its part in the mean error over the targets."""
        return len(predicted) * self._find_losses(predicted).sum(axis=0) / len(self.losses)

    def _find_losses(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Targets x rows held out: the part of each row in the error of the target."""
        rows = self.held_out
        value = self.losses.value(np.nan_to_num(rows.y.T, nan=0.0), predicted.T)
        return self.losses.share_rows(rows.y, rows.counts) * value / self.null[:, None]
