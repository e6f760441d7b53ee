"""Whole trees as terms: all leaves of a tree share one weight, which counts for every target alike.

A solver is given a problem of one target: a row for each row and target that is known there, and in the column of a
tree what it says of that target. The weights that it finds become weights of the leaves, so that a model of trees is
one of rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.blocks import TermBlock
from glade.rules.coverage import cover, unpack
from glade.rules.design import Design, TargetRows
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.rules.scores import Scores
from glade.weights.linked import SquaredColumns, judge_linked
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Solver, ValidatedModels

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TreeColumns(TermBlock):
    """A column for each tree, and for each linear term and target; over rows that end with the number of a target.

    Parameters
    ----------
    leaves
        The rules of all leaves, tree by tree, and linear terms.
    value
        Leaves x targets: what a leaf says.
    centre
        Targets x all columns: the means over the rows that weights are found on, so that each target starts from its
        own.
    kept
        The columns there are, of all.
    """

    leaves: Design
    value: Floats
    centre: Floats
    kept: NDArray[np.int64]
    kind: ClassVar[str] = "tree"

    @classmethod
    def of(cls, leaves: Design, value: Floats, rows: TargetRows) -> "TreeColumns":
        """Of all trees and linear terms, centred on these rows."""
        n_targets = value.shape[1]
        n_columns = count_trees(leaves) + n_targets * len(leaves.linear)
        columns = cls(leaves, value, np.zeros((n_targets, n_columns)), np.arange(n_columns))
        design, stacked = columns.as_design(), stack_targets(rows, np.zeros(n_targets))
        weights = stacked.counts
        total, weight = np.zeros((n_targets, n_columns)), np.zeros(n_targets)
        for part in design.chunks(len(weights)):
            target = stacked.matrix[part, -1].astype(int)
            np.add.at(total, target, columns.values(stacked.matrix[part]) * weights[part, None])
            np.add.at(weight, target, weights[part])
        return replace(columns, centre=total / np.maximum(weight, 1e-300)[:, None])

    def __len__(self) -> int:
        return len(self.kept)

    def take(self, which: NDArray[Any]) -> "TreeColumns":
        """These columns."""
        return replace(self, kept=self.kept[which])

    def as_design(self) -> Design:
        """Terms for a solver, none of them a rule."""
        return Design.of(self.leaves.rules.take(np.zeros(0, np.int64)), self)

    @cached_property
    def tree(self) -> NDArray[np.int64]:
        """Of each leaf: its tree's column."""
        return np.unique(self.leaves.rules.tree, return_inverse=True)[1]

    def values(self, matrix: Floats) -> Floats:
        """Rows x columns. Each row of the table comes once for every target: its leaves are looked up once."""
        rows, target = matrix[:, :-1], matrix[:, -1].astype(int)
        is_new = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))[: len(rows)]
        once, place = rows[is_new], np.cumsum(is_new) - 1
        covered = unpack(cover(self.leaves.rules, once), len(once)).T
        leaf = np.nonzero(covered)[1].reshape(len(once), count_trees(self.leaves))  # a row is in one leaf of each tree
        linear = self.leaves.linear.values(once)
        own = (target[:, None] == np.arange(self.value.shape[1])).astype(float)
        of_linear = (linear[place][:, :, None] * own[:, None, :]).reshape(len(rows), linear.shape[1] * own.shape[1])
        of_trees = self.value[leaf[place], target[:, None]]
        return (np.hstack((of_trees, of_linear)) - self.centre[target])[:, self.kept]


def count_trees(leaves: Design) -> int:
    """Of more than one leaf: others give no rule."""
    return len(np.unique(leaves.rules.tree))


def stack_targets(rows: TargetRows, mean: Floats) -> TargetRows:
    """A row for each row and target that is known: the inputs and the target's number; y less the target's mean."""
    row, target = np.nonzero(~np.isnan(rows.y))
    y = rows.y[row, target] - mean[target]
    weights = None if rows.weights is None else rows.weights[row]
    return TargetRows(np.column_stack((rows.matrix[row], target)), y[:, None], weights)


OwnProblem = TypeVar("OwnProblem", bound=Problem)


@dataclass(frozen=True)
class TiedProblem(Generic[OwnProblem]):
    """A problem of leaves, and the one of trees that a solver is given."""

    columns: TreeColumns
    y_mean: Floats
    problem: OwnProblem

    @classmethod
    def of(cls, leaves: OwnProblem, value: Floats) -> "TiedProblem[OwnProblem]":
        """Leaves tied to trees.

        Parameters
        ----------
        leaves
            The leaves of trees as rules, tree by tree, and linear terms.
        value
            Leaves x targets: what a leaf says, in the units of y.
        """
        rows = leaves.rows
        known = ~np.isnan(rows.y)
        y_mean = rows.counts @ np.where(known, rows.y, 0.0) / np.maximum(rows.counts @ known, 1e-300)
        columns = TreeColumns.of(leaves.design, value, rows)
        changed: dict[str, Any] = {"design": columns.as_design(), "rows": stack_targets(rows, y_mean), "supports": ()}
        if isinstance(leaves, FoldProblem):
            changed["held_out"] = stack_targets(leaves.held_out, y_mean)
        return cls(columns, y_mean, replace(leaves, **changed))

    def untie(self, path: WeightPath) -> WeightPath:
        """The models of trees as models of leaves, each of which adds how far it is from its tree's mean."""
        steps, judged = (tuple(map(self._untie_step, some)) for some in (path.steps, path.judged))
        return replace(path, steps=steps, judged=judged)

    def _untie_step(self, step: Step) -> Step:
        own = self.untie_weights(step)
        return replace(step, terms=own.terms, weights=own.weights, offset=own.offset)

    def untie_weights(self, step: TermWeights) -> TermWeights:
        """A model of trees as one of leaves."""
        columns, n_targets = self.columns, len(self.y_mean)
        n_trees, n_linear = count_trees(columns.leaves), len(columns.leaves.linear)
        of_column = np.zeros(n_trees + n_linear * n_targets)
        of_column[step.terms] = step.weights[:, 0]
        of_leaves = of_column[columns.tree][:, None] * (columns.value - columns.centre.T[columns.tree])
        of_linear = of_column[n_trees:].reshape(n_linear, n_targets)
        terms = np.flatnonzero(np.append(of_column[columns.tree] != 0.0, of_linear.any(axis=1)))
        weights = np.vstack((of_leaves, of_linear))
        offset = self.y_mean + step.offset[0] - columns.centre[:, n_trees:] @ of_column[n_trees:]
        return TermWeights(terms, weights[terms], offset)


@dataclass(frozen=True)
class ValidatedTrees:
    """What the folds of trees have said of a solver's models."""

    judged: ValidatedModels
    scores: Scores
    unit: Floats  # of the columns
    folds: Sequence[TiedProblem[FoldProblem]]

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model of leaves that a fold has in the place of a step of this origin."""
        found = self.judged.find_fold_model(origin, fold)
        return None if found is None else self.folds[fold].untie_weights(found)

    def find_path(self, whole: Problem) -> WeightPath:
        """The models of the leaves of a whole problem."""
        tied = tie_leaves(whole, self.scores, self.unit)
        return tied.untie(self.judged.find_path(tied.problem))


def tie_leaves(leaves: OwnProblem, scores: Scores, unit: Floats) -> TiedProblem[OwnProblem]:
    """The problem of whole trees, by what their leaves say in the units of the columns."""
    return TiedProblem.of(leaves, scores.of_values(leaves.design.rules.value) / unit)


def judge_trees(
    solver: Solver, whole: Problem, folds: Sequence[FoldProblem], scores: Scores, max_terms: int | None
) -> ValidatedModels:
    """Let a solver judge the weights of whole trees, by squared errors; classes get a link."""

    def judge(whole: Problem, folds: Sequence[FoldProblem], columns: SquaredColumns) -> ValidatedTrees:
        tied = [tie_leaves(fold, scores, columns.unit) for fold in folds]
        parts, first = [own.problem for own in tied], tie_leaves(whole, scores, columns.unit).problem
        return ValidatedTrees(
            solver.judge(first, parts, TargetLosses.of_numbers(1), max_terms), scores, columns.unit, tied
        )

    return judge_linked(judge, whole, folds, scores.losses)
