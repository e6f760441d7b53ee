"""What a fit says of rows that its trees and weights have not seen: kept from the folds by which it chooses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from glade.data.folds import Fold
from glade.rules.path import TermWeights, WeightPath
from glade.rules.scores import Scores
from glade.weights.problem import FoldProblem
from glade.weights.solver import Judged

NEVER = -1  # in the place of a fold: no fold has held the row out


@dataclass(frozen=True)
class HeldOut:
    """Predictions of the training rows, each by models of folds that had no part of the row.

    Parameters
    ----------
    values
        Rows (of the table as it was given) x channels: numbers, and probabilities of classes. NaN in rows that no fold
        has held out; the mean where several have.
    fold
        Of each row the number of the fold that has held it out, the last of several; -1 for none.
    comes_back
        Of each term of the model the fraction of the folds whose models have it too; None where that is not known.
    """

    values: NDArray[np.float64]
    fold: NDArray[np.int64]
    comes_back: NDArray[np.float64] | None = None

    def place(self, rows: NDArray[np.intp], n_given: int) -> Self:
        """The same for the table as it was given, whose rows that were not used no fold has held out."""
        values, fold = np.full((n_given, self.values.shape[1]), np.nan), np.full(n_given, NEVER)
        values[rows], fold[rows] = self.values, self.fold
        return type(self)(values, fold, self.comes_back)


@dataclass(frozen=True)
class FoldsOfFit:
    """The folds by which a fit has chosen its model, and what the solver has found in them.

    Parameters
    ----------
    judged
        What the folds have said.
    problems
        The folds as the solver had them.
    splits
        The rows of each fold.
    scores
        Of the targets.
    """

    judged: Judged
    problems: Sequence[FoldProblem]
    splits: Sequence[Fold]
    scores: Scores

    def predict(self, path: WeightPath, max_rules: int | str | None, n_rows: int) -> HeldOut:
        """What each fold's model says of the rows it holds out, of the size that the other folds choose.

        The rows of a fold have thus no part in the choice either, as if there were folds within folds.
        """
        total, n_times = np.zeros((n_rows, int(self.scores.targets.start[-1]))), np.zeros(n_rows)
        held_out_by = np.full(n_rows, NEVER)
        for k, ((train, test), problem) in enumerate(zip(self.splits, self.problems, strict=True)):
            step = path.choose_without(k, len(self.splits), max_rules)
            assert step.origin is not None
            model = self.judged.find_fold_model(step.origin, k)
            is_unseen = ~np.isin(test, train)  # a table of one row has a fold that holds out what it has seen
            if model is None or not is_unseen.any():
                continue
            values = self._predict_fold(problem, model)
            np.add.at(total, test[is_unseen], values[is_unseen])
            np.add.at(n_times, test[is_unseen], 1.0)
            held_out_by[test[is_unseen]] = k
        total[n_times == 0] = np.nan
        return HeldOut(total / np.maximum(n_times, 1.0)[:, None], held_out_by)

    def _predict_fold(self, problem: FoldProblem, model: TermWeights) -> NDArray[np.float64]:
        """Rows held out x channels."""
        return self.scores.values(self.scores.offset(problem.predict_held_out(model)))
