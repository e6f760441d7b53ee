"""What the rules of a list say, and every row that none of them covers: lists of each length, from means over rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.rules.coverage import cover, unpack
from glade.rules.design import TargetRows
from glade.rules.hard import BlockOfRules
from glade.rules.listed import ListedRules
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.problem import FoldProblem, Problem, find_row_errors

COVERING = "covering"  # the only way to these models

Floats = NDArray[np.float64]


def find_lists(problem: Problem) -> list[TermWeights]:
    """Return the lists of the first 0, 1, 2 ... rules.

    A rule says the mean of the rows it is for: in an ordered list those that no earlier rule covers, else all that it
    covers. A row that no rule of the list covers gets the mean of such rows.

    Parameters
    ----------
    problem
        Its design is one block of listed or voting rules.
    """
    block, rows = problem.design.blocks[-1], problem.rows
    assert isinstance(block, BlockOfRules)
    covers = unpack(cover(block.rules, rows.matrix), len(rows.matrix)).T
    is_for = block.values(rows.matrix) if isinstance(block, ListedRules) else covers
    overall = _find_mean(rows, np.ones(len(rows.y)), np.zeros(rows.y.shape[1]))
    says = np.array([_find_mean(rows, own, overall) for own in is_for.T]).reshape(-1, len(overall))
    lists, is_left = [], np.ones(len(rows.y), bool)
    for k in range(len(block) + 1):
        default = _find_mean(rows, is_left, overall)
        lists.append(TermWeights(np.arange(k), says[:k] - default, default))
        is_left &= ~covers[:, k] if k < len(block) else True
    return lists


def _find_mean(rows: TargetRows, counts: NDArray[Any], default: Floats) -> Floats:
    """The means of the columns over rows that count so much; the default where a target is known in none of them."""
    weights = (rows.counts * counts)[:, None] * ~np.isnan(rows.y)
    total = weights.sum(axis=0)
    mean = (weights * np.nan_to_num(rows.y)).sum(axis=0) / np.maximum(total, 1e-300)
    return np.where(total > 0, mean, default)


@dataclass(frozen=True)
class ValidatedLists:
    """Lists of all lengths, of each fold, with their errors for the rows that the fold holds out.

    Parameters
    ----------
    lists
        Of each fold.
    errors
        Of each fold, by length.
    """

    lists: Sequence[Sequence[TermWeights]]
    errors: Sequence[Floats]

    @classmethod
    def of(cls, folds: Sequence[FoldProblem], n_targets: int) -> "ValidatedLists":
        """Of problems that each have a list of their own."""
        lists, errors = [], []
        for fold in folds:
            lists.append(find_lists(fold))
            row_errors = [find_row_errors(fold.held_out, fold.predict_held_out(own)).mean() for own in lists[-1]]
            errors.append(np.array(row_errors) / n_targets)
        return cls(lists, errors)

    def find_path(self, whole: Problem) -> WeightPath:
        """The lists of all rows, from short to long, with the errors of the folds' lists of the same length."""
        steps = [
            Step.judged(own.terms, own.weights, own.offset, self._judge(k), origin=(COVERING, k))
            for k, own in enumerate(find_lists(whole))
        ]
        return WeightPath.of(steps)

    def _judge(self, length: int) -> Floats:
        """The errors of lists of a length in the folds; a shorter list is the longest that a fold has."""
        return np.array([own[min(length, len(own) - 1)] for own in self.errors])

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The list of a fold of the length of this origin."""
        own = self.lists[fold]
        return own[min(origin[1], len(own) - 1)]
