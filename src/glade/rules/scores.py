"""Targets as columns of numbers for a solver of weights, and the way back from sums of terms to predictions.

The sums are scores. Each target has a loss, whose link says what its scores are: of a numeric target the score is the
prediction; of a nominal one there is a score for each class, about its probability or its log-odds up to a constant. Of
two classes only the second has a score: its own less that of the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.columns import Column
from glade.data.targets import TargetSchema, standardise
from glade.losses.base import Loss
from glade.losses.location import measure_location
from glade.losses.targets import TargetLosses

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """How targets become columns, and scores become values of channels: numbers, and probabilities of classes.

    Parameters
    ----------
    targets
        What is predicted.
    losses
        Of the targets; they have a column for each of their scores.
    mean, unit
        Per column: column = (target - mean) / unit.
    spread
        Per channel: the standard deviation, of a class that of its zeros and ones.
    """

    targets: TargetSchema
    losses: TargetLosses
    mean: Floats
    unit: Floats
    spread: Floats

    @property
    def is_additive(self) -> bool:
        """Whether terms add to the predictions what they add to the scores, as long as none is clipped."""
        return all(loss.link.is_additive for loss in self.losses.losses)

    def of_values(self, values: Floats) -> Floats:
        """Values of channels, as a tree has them, in the units of the columns, up to a constant; unknown ones are 0."""
        parts = [
            values[:, self._channels_with_scores(t)] / self.unit[columns]
            for t, columns in enumerate(self.losses.places)
        ]
        return np.nan_to_num(np.hstack(parts), nan=0.0)

    def scale(self, columns: Sequence[Column]) -> Floats:
        """Other rows of the same targets as rows x columns, NaN where unknown; the positions of classes are these."""
        y = np.empty((len(columns[0].values), len(self.mean)))
        for t, (column, loss, at) in enumerate(zip(columns, self.losses.losses, self.losses.places, strict=True)):
            own = column.values[:, None]
            if self.targets.classes[t] is not None:
                end = len(self.targets.classes[t])  # type: ignore[arg-type]
                own = np.where(np.isnan(own), np.nan, own == np.arange(end - loss.n_scores, end))
            elif not (loss.is_quadratic or loss.is_of_difference):  # an amount, as a multiple of its mean
                own = own / np.exp(self.mean[at])
            is_moved = loss.is_quadratic or loss.is_of_difference
            y[:, at] = (own - self.mean[at]) / self.unit[at] if is_moved else own
        return y

    def take_scored(self, of_channels: NDArray[Any] | None) -> NDArray[Any] | None:
        """Of anything x channels the channels that have a score, side by side like columns; None if there are none."""
        if of_channels is None:
            return None
        return np.hstack([of_channels[:, self._channels_with_scores(t)] for t in range(len(self.losses))])

    @property
    def of_many_classes(self) -> tuple[slice, ...]:
        """The columns of each target of more than two classes."""
        own = zip(self.losses.losses, self.losses.places, strict=True)
        return tuple(at for loss, at in own if loss.link.n_values > 2)

    def effects(self, weights: Floats) -> Floats:
        """Weights (terms x columns) as what they add to the scores (terms x channels)."""
        return self._to_channels(weights * self.unit)

    def offset(self, offset: Floats) -> Floats:
        """A solver's offset (columns) as the scores of a row that no term touches."""
        return self._to_channels(offset * self.unit + self.mean, is_place=True)

    def _to_channels(self, scaled: Floats, is_place: bool = False) -> Floats:
        """Anything x columns, in the unit of the values, as scores: anything x channels."""
        scores = np.zeros((*scaled.shape[:-1], int(self.targets.start[-1])))
        for t, (loss, columns) in enumerate(zip(self.losses.losses, self.losses.places, strict=True)):
            link = loss.link
            own = link.scale * scaled[..., columns]
            scores[..., self._channels_with_scores(t)] = own + link.origin if is_place else own
        return scores

    def _channels_with_scores(self, target: int) -> slice:
        """The last channels of a target, as many as it has scores."""
        end = int(self.targets.start[target + 1])
        return slice(end - self.losses.losses[target].n_scores, end)

    def changes(self, effect: Floats) -> Floats:
        """Where links are additive: what an addition to the scores adds to the values, if none is clipped."""
        return self._map(effect, lambda loss, own: loss.link.find_changes(own))

    def values(self, scores: Floats) -> Floats:
        """Scores (rows x channels) as numbers and probabilities of classes."""
        return self._map(scores, lambda loss, own: loss.link.inverse(own))

    def expand(self, scores: Floats) -> Floats:
        """Scores with one for each channel: of two classes the first has that of the second with the other sign."""
        return self._map(scores, lambda loss, own: loss.link.expand(own))

    def _map(self, scores: Floats, find: Any) -> Floats:
        """A function of each target's loss and scores (scores x rows), side by side: rows x channels."""
        out = np.empty_like(scores)
        for t, loss in enumerate(self.losses.losses):
            own = scores[:, self._channels_with_scores(t)]
            out[:, self.targets.channels_of(t)] = find(loss, own.T).T
        return out


def scale_targets(
    columns: Sequence[Column], weights: Floats, losses: Sequence[Loss], importance: Floats
) -> tuple[Scores, Floats]:
    """Rows x columns, NaN where unknown, and the way back.

    Where a target's loss is quadratic, its columns have mean 0 and a total variance of its importance. Else the loss is
    weighted, and the columns are numbers in a unit of their own, or zeros and ones of the classes.

    Parameters
    ----------
    columns
        Target columns as read.
    weights
        Of the rows.
    losses
        Of the targets.
    importance
        How much each target counts.
    """
    targets = TargetSchema.of(list(columns))
    relative = importance / importance.mean()
    side_by_side = TargetLosses.of(
        losses, [1.0 if loss.is_quadratic else own for loss, own in zip(losses, relative, strict=True)]
    )
    y = np.empty((len(weights), side_by_side.n_scores))
    mean, unit, spread = np.zeros(y.shape[1]), np.ones(y.shape[1]), np.ones(int(targets.start[-1]))
    for t, (column, loss, at) in enumerate(zip(columns, losses, side_by_side.places, strict=True)):
        scale = _scale_number if column.labels is None else _scale_classes
        y[:, at], own_mean, own_unit, spread[targets.channels_of(t)] = scale(column, weights, loss)
        root = float(np.sqrt(relative[t])) if loss.is_quadratic else 1.0
        y[:, at] *= root
        mean[at], unit[at] = own_mean, own_unit / (root or 1.0)
    return Scores(targets, side_by_side, mean, unit, spread), y


def _scale_number(column: Column, weights: Floats, loss: Loss) -> tuple[Floats, Any, Any, Any]:
    """The column of a number, what a score of zero and one more stand for, and its standard deviation.

    Losses of differences other than squares are for targets with tails: their middle and spread do not heed these. The
    other losses are those of amounts; divided by their mean, a row says about as much as one of squared errors, and the
    logarithm of the mean is put back.
    """
    standard, mean, spread = standardise(column, weights)
    if loss.is_quadratic:
        return standard[:, None], mean, spread, spread
    if loss.is_of_difference:
        middle, spread = measure_location(column.values, weights)
        return ((column.values - middle) / spread)[:, None], middle, spread, spread
    return (column.values / mean)[:, None], np.log(mean), 1.0, spread


def _scale_classes(column: Column, weights: Floats, loss: Loss) -> tuple[Floats, Any, Any, Floats]:
    """Zeros and ones for the classes with a score, their mean and unit, and the deviations of all classes."""
    known = ~np.isnan(column.values)
    labels = np.arange(len(column.labels or ()))
    of_class = (column.values[:, None] == labels).astype(float)
    shares = np.average(of_class[known], axis=0, weights=weights[known])
    deviation = np.sqrt(shares * (1.0 - shares))
    spread = np.where(deviation > 0, deviation, 1.0)
    y = np.where(known[:, None], of_class[:, -loss.n_scores :], np.nan)
    if not loss.is_quadratic:
        return y, 0.0, 1.0, spread
    mean = shares[-loss.n_scores :]
    unit = float(np.sqrt((deviation[-loss.n_scores :] ** 2).sum())) or 1.0
    return (y - mean) / unit, mean, unit, spread
