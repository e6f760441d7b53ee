"""What a fit says of rows that its trees and weights have not seen: kept from the folds by which it chooses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from glade.data.folds import Fold
from glade.models.errors import KeepsMetrics
from glade.rules.path import TermWeights, WeightPath
from glade.rules.scores import Scores
from glade.weights.problem import FoldProblem
from glade.weights.solver import ValidatedModels

NEVER = -1  # in the place of a fold: no fold has held the row out


@dataclass(frozen=True)
class HeldOutPredictions:
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


class Gathered:
    """Predictions of the rows that folds hold out, as the folds give them one after another.

    Parameters
    ----------
    n_rows, n_channels
        Of the training rows that are used.
    """

    def __init__(self, n_rows: int, n_channels: int):
        self._total, self._n_times = np.zeros((n_rows, n_channels)), np.zeros(n_rows)
        self._fold = np.full(n_rows, NEVER)

    def add(self, number: int, fold: Fold, values: NDArray[np.float64]) -> None:
        """What a fold's model says of the rows that it holds out; a table of one row holds out what it has seen."""
        train, test = fold
        is_unseen = ~np.isin(test, train)
        np.add.at(self._total, test[is_unseen], values[is_unseen])
        np.add.at(self._n_times, test[is_unseen], 1.0)
        self._fold[test[is_unseen]] = number

    def finish(self) -> HeldOutPredictions:
        """The mean of what was said of each row."""
        self._total[self._n_times == 0] = np.nan
        return HeldOutPredictions(self._total / np.maximum(self._n_times, 1.0)[:, None], self._fold)


class KeepsHeldOut(KeepsMetrics):
    """A model that keeps the predictions which the models of its folds made of rows that they had no part of."""

    held_out_: HeldOutPredictions
    _no_held_out = "this model has no out-of-fold predictions"

    @property
    def oof_prediction_(self) -> Any:
        """The predictions of the training rows by models of folds that had no part of them, at the chosen size.

        They have the form of `predict` for numbers, of `predict_proba` for classes, and are a dataframe for mixed
        targets; NaN in rows that no fold has held out. They come from the folds by which the fit chooses its penalty
        and its size, or how far to prune. The size of a fold's model is the one that the other folds choose, so that a
        row has no part in that choice. A model of another size of the same path, one that was fitted without folds, and
        one from a file without them, has none.
        """
        check_is_fitted(self)
        if "held_out_" not in vars(self):
            raise AttributeError(self._no_held_out)
        return self._present(self.held_out_.values)


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

    judged: ValidatedModels
    problems: Sequence[FoldProblem]
    splits: Sequence[Fold]
    scores: Scores

    def predict(self, path: WeightPath, max_rules: int | str | None, n_rows: int) -> HeldOutPredictions:
        """What each fold's model says of the rows it holds out, of the size that the other folds choose.

        The rows of a fold have thus no part in the choice either, as if there were folds within folds.
        """
        gathered = Gathered(n_rows, int(self.scores.targets.start[-1]))
        for k, (split, problem) in enumerate(zip(self.splits, self.problems, strict=True)):
            step = path.choose_without(k, len(self.splits), max_rules)
            assert step.origin is not None
            model = self.judged.find_fold_model(step.origin, k)
            if model is not None:
                gathered.add(k, split, self._predict_fold(problem, model))
        return gathered.finish()

    def _predict_fold(self, problem: FoldProblem, model: TermWeights) -> NDArray[np.float64]:
        """Rows held out x channels."""
        return self.scores.values(self.scores.offset(problem.predict_held_out(model)))
