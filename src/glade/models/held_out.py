"""What a fit says of rows that its trees and weights have not seen: kept from the folds by which it chooses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.folds import Fold
from glade.rules.path import Step, TermWeights
from glade.rules.scores import Scores
from glade.weights.problem import FoldProblem
from glade.weights.solver import Judged


@dataclass(frozen=True)
class HeldOut:
    """Predictions of the training rows, each by models of folds that had no part of the row.

    Parameters
    ----------
    values
        Rows (of the table as it was given) x channels: numbers, and probabilities of classes. NaN in rows that no fold
        has held out; the mean where several have.
    """

    values: NDArray[np.float64]


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

    def predict(self, step: Step, n_rows: int) -> NDArray[np.float64]:
        """Training rows x channels: what the folds' models of one step of the path say of the rows they hold out."""
        assert step.origin is not None
        models = [self.judged.find_fold_model(step.origin, k) for k in range(len(self.splits))]
        total, n_times = np.zeros((n_rows, int(self.scores.targets.start[-1]))), np.zeros(n_rows)
        for (train, test), problem, model in zip(self.splits, self.problems, models, strict=True):
            is_unseen = ~np.isin(test, train)  # a table of one row has a fold that holds out what it has seen
            if model is None or not is_unseen.any():
                continue
            values = self._predict_fold(problem, model)
            np.add.at(total, test[is_unseen], values[is_unseen])
            np.add.at(n_times, test[is_unseen], 1.0)
        total[n_times == 0] = np.nan
        return total / np.maximum(n_times, 1.0)[:, None]

    def _predict_fold(self, problem: FoldProblem, model: TermWeights) -> NDArray[np.float64]:
        """Rows held out x channels."""
        return self.scores.values(self.scores.offset(problem.predict_held_out(model)))


def place_rows(values: NDArray[np.float64], rows: NDArray[np.intp], n_given: int) -> NDArray[np.float64]:
    """Values of training rows at their places in the table as it was given; NaN in the rows that were not used."""
    placed = np.full((n_given, values.shape[1]), np.nan)
    placed[rows] = values
    return placed
