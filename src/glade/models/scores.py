"""Targets as columns of numbers for a solver of weights, and the way back from sums of terms to predictions.

The sums are scores. Of a numeric target the score is the prediction. Of a nominal one there is a score for each class:
with squared errors about its probability, with the logistic loss its log-odds, up to a constant. Of two classes only
the second has a score: its own less that of the first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glade.data.columns import Column
from glade.data.targets import TargetSchema, standardise


@dataclass(frozen=True)
class Scores:
    """How targets become columns, and scores become values of channels: numbers, and probabilities of classes.

    Parameters
    ----------
    targets
        What is predicted.
    is_logistic
        Whether scores of classes are log-odds.
    mean, unit
        Per column: column = (target - mean) / unit.
    spread
        Per channel: the standard deviation, of a class that of its zeros and ones.
    """

    targets: TargetSchema
    is_logistic: bool
    mean: NDArray[np.float64]
    unit: NDArray[np.float64]
    spread: NDArray[np.float64]

    @property
    def columns(self) -> list[slice]:
        """The columns of each target."""
        return list_columns(self.targets, self.is_logistic)

    def of_values(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of channels, as a tree has them, in the units of the columns, up to a constant; unknown ones are 0."""
        parts = []
        for t, columns in enumerate(self.columns):
            width = columns.stop - columns.start
            parts.append(values[:, self.targets.channels_of(t)][:, -width:] / self.unit[columns])
        return np.nan_to_num(np.hstack(parts), nan=0.0)

    def effects(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights (terms x columns) as what they add to the scores (terms x channels)."""
        return self._to_scores(weights * self.unit)

    def _to_scores(self, scaled: NDArray[np.float64]) -> NDArray[np.float64]:
        scores = np.zeros((*scaled.shape[:-1], int(self.targets.start[-1])))
        for t, columns in enumerate(self.columns):
            at = self.targets.channels_of(t)
            if not self._is_pair(t):
                scores[..., at] = scaled[..., columns]
            elif self.is_logistic:
                scores[..., at.start + 1] = scaled[..., columns.start + 1] - scaled[..., columns.start]
            else:
                scores[..., at.start + 1] = 2.0 * scaled[..., columns.start]
        return scores

    def offset(self, offset: NDArray[np.float64]) -> NDArray[np.float64]:
        """A solver's offset (columns) as the scores of a row that no term touches."""
        scores = self._to_scores(offset * self.unit + self.mean)
        if not self.is_logistic:
            scores[[self.targets.start[t] + 1 for t in range(self.targets.n_targets) if self._is_pair(t)]] -= 1.0
        return scores

    def changes(self, effect: NDArray[np.float64]) -> NDArray[np.float64]:
        """With squared errors: what an addition to the scores adds to the values of channels, if none is clipped."""
        changes = effect.copy()
        for t in range(self.targets.n_targets):
            if self._is_pair(t):
                second = int(self.targets.start[t]) + 1
                changes[..., second] = effect[..., second] / 2.0
                changes[..., second - 1] = -changes[..., second]
        return changes

    def values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores (rows x channels) as numbers and probabilities of classes."""
        values = scores.copy()
        for t, classes in enumerate(self.targets.classes):
            if classes is None:
                continue
            at = self.targets.channels_of(t)
            if self.is_logistic:
                values[:, at] = special.softmax(scores[:, at], axis=1)
                continue
            shares = scores[:, at]
            if self._is_pair(t):
                shares = 0.5 + np.column_stack((-shares[:, 1], shares[:, 1])) / 2.0
            values[:, at] = _normalise(np.clip(shares, 0.0, 1.0))
        return values

    def _is_pair(self, target: int) -> bool:
        classes = self.targets.classes[target]
        return classes is not None and len(classes) == 2


def list_columns(targets: TargetSchema, is_logistic: bool) -> list[slice]:
    """For each target its columns: one for a number, one for each class; for two classes and squared errors one."""
    widths = [
        1 if classes is None or (len(classes) == 2 and not is_logistic) else len(classes) for classes in targets.classes
    ]
    ends = np.cumsum(widths)
    return [slice(int(end - width), int(end)) for width, end in zip(widths, ends, strict=True)]


def scale_targets(
    columns: list[Column], weights: NDArray[np.float64], importance: NDArray[np.float64], is_logistic: bool
) -> tuple[Scores, NDArray[np.float64]]:
    """Rows x columns, NaN where unknown, and the way back.

    With squared errors a target's columns have mean 0 and a total variance of its importance; for the logistic loss the
    columns of a class are zeros and ones.

    Parameters
    ----------
    columns
        Target columns as read.
    weights
        Of the rows.
    importance
        How much each target counts.
    is_logistic
        Whether classes are to have log-odds.
    """
    targets = TargetSchema.of(columns)
    places = list_columns(targets, is_logistic)
    y = np.empty((len(weights), places[-1].stop))
    mean, unit, spread = np.zeros(y.shape[1]), np.ones(y.shape[1]), np.ones(int(targets.start[-1]))
    root = np.sqrt(importance / importance.mean())
    for t, (column, at) in enumerate(zip(columns, places, strict=True)):
        channels = targets.channels_of(t)
        if column.labels is None:
            y[:, at.start], mean[at], spread[channels] = standardise(column, weights)
            unit[at] = spread[channels]
        else:
            y[:, at], mean[at], unit[at], spread[channels] = _scale_classes(column, weights, at, is_logistic)
        if column.labels is None or not is_logistic:
            y[:, at] *= root[t]
            unit[at] /= root[t] or 1.0
    return Scores(targets, is_logistic, mean, unit, spread), y


def _scale_classes(
    column: Column, weights: NDArray[np.float64], at: slice, is_logistic: bool
) -> tuple[NDArray[np.float64], Any, Any, NDArray[np.float64]]:
    """Zeros and ones for the last classes, so many as there are columns; their mean, unit, and spread of all."""
    known = ~np.isnan(column.values)
    labels = np.arange(len(column.labels or ()))
    of_class = (column.values[:, None] == labels).astype(float)
    shares = np.average(of_class[known], axis=0, weights=weights[known])
    deviation = np.sqrt(shares * (1.0 - shares))
    spread = np.where(deviation > 0, deviation, 1.0)
    width = at.stop - at.start
    y = np.where(known[:, None], of_class[:, -width:], np.nan)
    if is_logistic:
        return y, 0.0, 1.0, spread
    mean = shares[-width:]
    unit = float(np.sqrt((deviation[-width:] ** 2).sum())) or 1.0
    return (y - mean) / unit, mean, unit, spread


def _normalise(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows that add up to 1; where all is zero, all alike."""
    total = shares.sum(axis=1, keepdims=True)
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), 1.0 / shares.shape[1])
