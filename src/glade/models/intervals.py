"""Intervals about predictions, from the residuals of rows that were predicted by models without them (conformal).

A residual is divided by how far off predictions of its size are, where that makes the intervals better: they are then
wider where predictions are worse. An interval covers as large a share of new rows of the same kind as is asked for,
whatever the residuals are distributed like.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from glade.core.names import quote_name
from glade.data.table import Column
from glade.models.base import TabularEstimator

Floats = NDArray[np.float64]

MAX_LEVELS = 1_000  # sizes of residuals that are kept
ROWS_PER_BIN, MAX_BINS = 50, 12  # of predictions of about the same size
DIFFER = 3.0  # standard errors by which the means of neighbouring bins must differ, or they are one bin
LEAST_SPREAD = 0.1  # of the mean over all rows, in any bin
HELPS = 0.99  # of the interval score without: the score with local spreads must be lower
JUDGED_AT = 0.1  # the share of rows outside at which the two are compared


@dataclass(frozen=True)
class Spread:
    """How far off predictions of some size are, on average; between the places given, on straight lines."""

    at: Floats  # predictions, ascending
    size: Floats

    @classmethod
    def same(cls) -> "Spread":
        """The same for all predictions."""
        return cls(np.zeros(1), np.ones(1))

    @classmethod
    def of(cls, predicted: Floats, distance: Floats, weights: Floats) -> "Spread":
        """From rows whose distances from the truth are known: their means in bins of predictions.

        Neighbouring bins that differ by no more than chance are joined. The predictions of a fit are closer together
        than those of its folds, so that many of them may meet a single bin, and what that has by chance.
        """
        order = np.argsort(predicted, kind="stable")
        n_bins = int(np.clip(len(order) // ROWS_PER_BIN, 1, MAX_BINS))
        parts = _join_alike(np.array_split(order, n_bins), distance, weights)
        at = np.array([np.average(predicted[part], weights=weights[part]) for part in parts])
        size = np.array([np.average(distance[part], weights=weights[part]) for part in parts])
        least = LEAST_SPREAD * float(np.average(distance, weights=weights))
        at, first = np.unique(at, return_index=True)
        return cls(at, np.maximum(size[first], least) if least > 0 else np.ones(len(at)))

    def find(self, predicted: Floats) -> Floats:
        """For each prediction."""
        return np.interp(predicted, self.at, self.size)


def _join_alike(parts: list[NDArray[np.intp]], distance: Floats, weights: Floats) -> list[NDArray[np.intp]]:
    """Join neighbouring sets of rows, the most alike first, until the mean distances of all neighbours differ."""
    parts = list(parts)
    while len(parts) > 1:
        mean, error = np.array([_find_mean(distance[part], weights[part]) for part in parts]).T
        between = np.hypot(error[1:], error[:-1])
        apart = np.abs(np.diff(mean)) / np.where(between > 0, between, 1e-300)
        k = int(np.argmin(apart))
        if apart[k] > DIFFER:
            break
        parts[k : k + 2] = [np.concatenate(parts[k : k + 2])]
    return parts


def _find_mean(values: Floats, weights: Floats) -> tuple[float, float]:
    """The weighted mean, and its standard error."""
    share = weights / weights.sum()
    mean = float(share @ values)
    return mean, float(np.sqrt((share * share) @ (values - mean) ** 2))


@dataclass(frozen=True)
class Residuals:
    """Sizes of the residuals of one target, over the local spread, and what share of new rows has smaller ones.

    Parameters
    ----------
    size
        Ascending, at most `MAX_LEVELS` of them.
    share
        Of each: a new row lies within it at least as often.
    spread
        By which sizes are multiplied.
    """

    size: Floats
    share: Floats
    spread: Spread

    @classmethod
    def of(cls, truth: Floats, predicted: Floats, weights: Floats, seed: int) -> "Residuals":
        """Of rows that are predicted by models without them; NaN where a prediction or the truth is unknown."""
        known = ~np.isnan(truth) & ~np.isnan(predicted)
        truth, predicted, weights = truth[known], predicted[known], weights[known]
        distance = np.abs(truth - predicted)
        spread = _choose_spread(predicted, distance, weights, seed)
        return cls(*_rank(distance / spread.find(predicted), weights), spread)

    def find_half_width(self, predicted: Floats, coverage: float) -> Floats | None:
        """Of the intervals about predictions; None if there are too few rows for such a coverage."""
        place = int(np.searchsorted(self.share, coverage - 1e-12))
        return None if place == len(self.size) else self.size[place] * self.spread.find(predicted)

    @property
    def largest_coverage(self) -> float:
        """Beyond, there are too few rows."""
        return float(self.share[-1]) if len(self.share) else 0.0


def _rank(size: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Ascending sizes, some of them if they are many, and the share of new rows that lies within each.

    A new row is one more: n rows make n + 1 places for it, all as likely.
    """
    order = np.argsort(size, kind="stable")
    share = np.cumsum(weights[order]) / (weights.sum() + weights.mean()) if len(order) else np.zeros(0)
    n_kept = min(len(order), MAX_LEVELS)
    kept = np.array([ceil((k + 1) * len(order) / n_kept) - 1 for k in range(n_kept)], np.int64)
    return size[order][kept], share[kept]


def _choose_spread(predicted: Floats, distance: Floats, weights: Floats, seed: int) -> Spread:
    """That by bins of predictions, if it makes better intervals: each half of the rows judges that of the other."""
    if len(predicted) < 4 * ROWS_PER_BIN:
        return Spread.same()
    half = np.random.default_rng(seed).permutation(len(predicted)) % 2
    scores = np.zeros(2)
    for side in (0, 1):
        own, other = half == side, half != side
        for way in (0, 1):
            rows = predicted[own], distance[own], weights[own]
            spread = Spread.of(*rows) if way else Spread.same()
            size, share = _rank(distance[own] / spread.find(predicted[own]), weights[own])
            place = min(int(np.searchsorted(share, 1 - JUDGED_AT)), len(size) - 1)
            width = size[place] * spread.find(predicted[other])
            beyond = np.maximum(distance[other] - width, 0.0)  # the interval score of Gneiting and Raftery
            scores[way] += np.average(2 * width + 2 / JUDGED_AT * beyond, weights=weights[other])
    return Spread.of(predicted, distance, weights) if scores[1] < HELPS * scores[0] else Spread.same()


def measure_residuals(truth: list[Column], predicted: Floats, weights: Floats, seed: int) -> tuple[Residuals, ...]:
    """For each of some numeric targets its residuals; rows x targets of predictions by models without the row."""
    return tuple(Residuals.of(column.values, predicted[:, t], weights, seed) for t, column in enumerate(truth))


class PredictsIntervals(TabularEstimator):
    """A regressor that keeps the residuals of rows which it has predicted without them."""

    residuals_: tuple[Residuals, ...]
    _no_residuals = "this model has no predictions of rows that it was fitted without"

    def predict_interval(self, X: Any, coverage: float = 0.9) -> Floats:
        """Return intervals in which the true values lie for about so large a share of rows like those of training.

        They come from the residuals of training rows that were predicted by models without the row (of forests, by the
        trees that were grown without it), and are wider where predictions of that size are worse.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.
        coverage : float, default=0.9
            The share of rows whose true values are to lie in their intervals.

        Returns
        -------
        ndarray of shape (rows, 2) or (rows, targets, 2)
            The lower and the upper end of each interval; with several targets those of each target.
        """
        check_is_fitted(self)
        if not 0.0 < coverage < 1.0:
            raise ValueError(f"coverage must be between 0 and 1, but is {coverage!r}")
        if "residuals_" not in vars(self):
            raise AttributeError(self._no_residuals)
        values = self._channel_values(X)
        ends = np.empty((*values.shape, 2))
        for t, (residuals, name) in enumerate(zip(self.residuals_, self.target_schema_.names, strict=True)):
            width = residuals.find_half_width(values[:, t], coverage)
            if width is None:
                raise ValueError(
                    f"coverage={coverage:g} needs more rows of target {quote_name(name)} than this model was fitted to:"
                    f" at most {residuals.largest_coverage:.3g} is possible"
                )
            ends[:, t, 0], ends[:, t, 1] = values[:, t] - width, values[:, t] + width
        if self._predicts_amounts:
            ends[..., 0] = np.maximum(ends[..., 0], 0.0)
        return ends[:, 0] if self.n_outputs_ == 1 else ends

    @property
    def _predicts_amounts(self) -> bool:
        """Whether no target can be below zero."""
        return getattr(self, "loss", None) == "poisson"
