"""What a pass over all rows adds up for models of terms: slopes of the loss, and errors on rows held out.

Arrays of a model's scores are scores x models x rows. Model 0 of each design has no term.
"""

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.design import Design
from glade.rules.scores import Scores
from glade.scale.parts import Partition
from glade.scale.reading import Reader, TableRows

Floats = NDArray[np.float64]
EVERY_ROW = -1  # the number of the fold whose models have seen all rows
OF_NUMBERS = ("square", "size", "total", "spread")
OF_CLASSES = ("wrong", "surprise", "brier")
LEAST_SHARE = 1e-15  # of a class: the logarithm of nothing is no number
Sums = dict[str, Floats]


class Models(NamedTuple):
    """Models of some terms that were found on the rows outside one fold."""

    fold: int
    design: Design  # the terms of all models
    weights: Floats  # terms x models x scores; zero where a model does not have the term
    offset: Floats  # models x scores
    terms: NDArray[np.int64]  # their places in the design of all candidates
    is_large: bool = False  # one model of so many terms that it is judged and not moved

    @property
    def uses(self) -> NDArray[np.bool_]:
        """Terms x models."""
        return np.asarray(self.weights.any(axis=2))

    def predict(self, values: Floats) -> Floats:
        """Scores x models x rows, from rows x terms."""
        flat = values @ self.weights.reshape(len(self.weights), self.offset.size)
        return np.asarray((flat.reshape(len(values), *self.offset.shape) + self.offset).transpose(2, 1, 0))

    def predict_rows(self, matrix: Floats) -> Floats:
        """The same from an encoded table."""
        if not self.is_large:
            return self.predict(self.design.values(matrix))
        return np.asarray((self.design.predict(matrix, self.weights[:, 0]) + self.offset[0]).T[:, None])

    def only_first(self) -> "Models":
        """The model without terms."""
        none = np.zeros(0, np.int64)
        return self._replace(design=self.design.take(none), weights=self.weights[none, :1], offset=self.offset[:1])


def add_sums(left: Sums, right: Sums) -> Sums:
    """The sums over two sets of rows."""
    return {name: own + right[name] for name, own in left.items()}


@dataclass(frozen=True)
class AddSlopes:
    """For each set of models: the sums, over the rows they may see, of the slope of the loss along each weight.

    Parameters
    ----------
    reader
        Reads the rows.
    scores
        Of the targets.
    models
        Of all rows, and of each fold.
    """

    reader: Reader
    scores: Scores
    models: tuple[Models, ...]

    def __call__(self, part: Partition) -> Sums:
        """Over a part."""
        return reduce(add_sums, map(self.of_rows, self.reader.read(part)))

    def of_rows(self, rows: TableRows) -> Sums:
        """Over some rows."""
        y, shares = self._prepare(rows)
        sums: Sums = {"pulled": np.array(float(rows.n_pulled))}
        for k, own in enumerate(self.models):
            if own.is_large:
                continue
            values = own.design.values(rows.matrix)
            found = add_slopes(self.scores.losses, own, values, y, shares * (rows.fold != own.fold))
            sums |= {f"{name} {k}": of_model for name, of_model in found.items()}
            if own.fold == EVERY_ROW:
                sums["total"], sums["square"] = rows.weights @ values, rows.weights @ (values * values)
                sums["weight"] = np.array(rows.weights.sum())
        return sums

    def _prepare(self, rows: TableRows) -> tuple[Floats, Floats]:
        """Scores x rows of targets, zero where unknown; targets x rows of what rows count for them."""
        y = self.scores.scale(rows.targets)
        known = np.array([~np.isnan(column.values) for column in rows.targets])
        return np.nan_to_num(y.T, nan=0.0), known * rows.weights


def add_slopes(losses: TargetLosses, models: Models, values: Floats, y: Floats, counts: Floats) -> Sums:
    """The sums, over some rows, of the slopes of the loss along weights and offsets, and of what rows count.

    Parameters
    ----------
    losses
        Of the targets.
    models
        Of the terms whose values are given.
    values
        Rows x terms.
    y
        Scores x rows.
    counts
        Targets x rows.
    """
    predicted = models.predict(values)
    n_models = predicted.shape[1]
    slope = losses.gradient(np.tile(y, n_models), predicted.reshape(len(y), -1)).reshape(predicted.shape)
    for at, own in zip(losses.places, counts, strict=True):
        slope[at] *= own
    along = np.moveaxis(np.tensordot(values, slope, (0, 2)), 1, 2)  # terms x models x scores
    return {"slope": along, "offset": slope.sum(axis=2).T, "counts": counts.sum(axis=1)}


@dataclass(frozen=True)
class AddErrors(AddSlopes):
    """For each set of models: their losses over the rows held out, and what can be said of their predictions there.

    Of the models of all rows, the one without terms is judged on the rows it was found on: its loss counts as 1.
    """

    def of_rows(self, rows: TableRows) -> Sums:
        y, shares = self._prepare(rows)
        sums: Sums = {}
        for k, own in enumerate(self.models):
            is_whole = own.fold == EVERY_ROW
            if is_whole and own.is_large:
                continue
            is_judged = np.ones(len(rows.fold), bool) if is_whole else rows.fold == own.fold
            some, counts = own.only_first() if is_whole else own, shares[:, is_judged]
            predicted = some.predict_rows(rows.matrix[is_judged])
            n_models = predicted.shape[1]
            tiled = np.tile(y[:, is_judged], n_models)
            value = self.scores.losses.value(tiled, predicted.reshape(len(y), -1)).reshape(len(counts), n_models, -1)
            found = {"loss": np.einsum("tmr,tr->tm", value, counts), "counts": counts.sum(axis=1)}
            if not is_whole:
                found |= self._measure(rows, is_judged, predicted, counts)
            sums |= {f"{name} {k}": of_model for name, of_model in found.items()}
        return sums

    def _measure(self, rows: TableRows, is_judged: NDArray[np.bool_], predicted: Floats, counts: Floats) -> Sums:
        """Targets x models: what predictions are off, in several ways; and how far numbers are spread.

        The sums of numbers are about the middle of the training rows, so that they keep their digits.
        """
        schema, n_models = self.scores.targets, predicted.shape[1]
        middle = self.scores.values(self.scores.offset(np.zeros((1, len(predicted)))))[0]
        sums = {name: np.zeros((len(counts), n_models)) for name in OF_NUMBERS + OF_CLASSES}
        for m in range(n_models):
            values = self.scores.values(self.scores.offset(predicted[:, m].T))
            for t, column in enumerate(rows.targets):
                known, at = counts[t] > 0, schema.channels_of(t)
                truth, own, weights = column.values[is_judged][known], values[known, at], counts[t, known]
                if schema.classes[t] is None:
                    found = _measure_numbers(truth - own[:, 0], truth - middle[at.start])
                else:
                    found = _measure_classes(truth.astype(np.int64), own, schema.decision_of(t).pick(own))
                for name, of_rows in found.items():
                    sums[name][t, m] = weights @ of_rows
        return sums


def _measure_numbers(off: Floats, apart: Floats) -> Sums:
    """Of each row, by what its prediction is off and how far it is from the middle."""
    return dict(zip(OF_NUMBERS, (off * off, np.abs(off), apart, apart * apart), strict=True))


def _measure_classes(truth: NDArray[np.int64], shares: Floats, named: NDArray[np.intp]) -> Sums:
    """Of each row, by its class, the probabilities that were said and the class that was named."""
    there = shares[np.arange(len(shares)), truth]
    square = (shares * shares).sum(axis=1) - 2 * there + 1
    half = 0.5 if shares.shape[1] == 2 else 1.0  # of two classes the square of one probability
    wrong = (named != truth).astype(np.float64)
    return dict(zip(OF_CLASSES, (wrong, -np.log(np.maximum(there, LEAST_SHARE)), half * square), strict=True))
