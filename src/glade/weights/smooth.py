"""Ridge weights for any smooth loss: of numbers of events, of classes, of numbers with outliers.

The squares of the weights are penalised in units of rows, as for squared errors: the penalty is multiplied by the
curvature that the loss has without terms. The descent takes conjugate gradients, each divided by the curvature that the
loss without terms and its penalty have, so that a dozen steps are enough: the matrix of the terms' products is factored
once for a penalty, whatever the number of targets and classes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glade.losses.base import LEAST_CURVATURE, Loss
from glade.losses.links import Floats
from glade.weights.cholesky import factor_roughly
from glade.weights.row_products import RowSystem
from glade.weights.term_columns import TermColumns

TOLERANCE = 1e-4  # of the loss without terms: the gain of a step that ends a descent
MAX_STEPS = 100
LEVEL = 0.1  # of the slope along a direction: with no more left of it, a step is long enough
SHORTEST = 0.1  # of the way between two lengths: how near to one of them the next is
MAX_LENGTHS = 30  # that are tried


class Features(Protocol):
    """What a descent looks for: coordinates (scores x columns) that stand for weights of terms."""

    @property
    def n_columns(self) -> int:
        """How many coordinates a score has."""

    def weigh(self, coordinates: Floats) -> Floats:
        """Scores x columns: times a gradient and added up, this is how much the loss rises along the coordinates."""

    def forward(self, weighed: Floats) -> Floats:
        """Scores x places: what coordinates that are weighed add to the scores; nothing on average."""

    def back(self, slope: Floats) -> Floats:
        """Scores x columns: the gradient of the loss whose slopes (scores x places) these are."""

    def to_weights(self, coordinates: Floats) -> Floats:
        """Terms x scores."""


@dataclass(frozen=True)
class TermFeatures:
    """The weights of the terms themselves, whose products with one another are those of the terms."""

    columns: TermColumns
    mean: Floats

    @cached_property
    def _every(self) -> NDArray[np.int64]:
        return np.arange(len(self.columns))

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    def weigh(self, coordinates: Floats) -> Floats:
        return coordinates

    def forward(self, weighed: Floats) -> Floats:
        return self.columns.predict(self._every, weighed) - (weighed @ self.mean)[:, None]

    def back(self, slope: Floats) -> Floats:
        return self.columns.sum_up(slope) - np.outer(slope.sum(axis=1), self.mean)

    def to_weights(self, coordinates: Floats) -> Floats:
        return coordinates.T


class RowFeatures:
    """Where there are fewer rows than terms: how often each row's values, centred, are in the weights of the terms.

    Gradients are told in the same way. Hence products of rows stand for all sums over terms.

    Parameters
    ----------
    system
        The products of the rows, one with another.
    """

    def __init__(self, system: RowSystem):
        self._system = system
        self._unit = 1.0 / np.where(system.root > 0, system.root, np.inf)  # of each row

    @property
    def n_columns(self) -> int:
        return len(self._system.products)

    def find_products(self) -> Floats:
        """Of the rows, one with another."""
        return self._system.products

    def weigh(self, coordinates: Floats) -> Floats:
        return coordinates @ self._system.products

    def forward(self, weighed: Floats) -> Floats:
        return weighed * self._unit

    def back(self, slope: Floats) -> Floats:
        return slope * self._unit

    def to_weights(self, coordinates: Floats) -> Floats:
        return self._system.to_terms(coordinates.T)


@dataclass(frozen=True)
class SmoothTarget:
    """One target over the places of some features.

    Parameters
    ----------
    loss
        Of the target.
    y
        Scores x places.
    counts
        What each place counts; zero where the target is not known.
    n_rows
        How many rows there are: an absent class counts as half a row.
    """

    loss: Loss
    y: Floats
    counts: Floats
    n_rows: int

    @cached_property
    def total(self) -> float:
        """What all places count."""
        return max(float(self.counts.sum()), 1e-300)

    @cached_property
    def start(self) -> Floats:
        """The scores of least loss without terms."""
        return self.loss.start(self.y, self.counts / self.total, 0.5 / max(self.n_rows, 1))

    @cached_property
    def curvature(self) -> float:
        """Of the loss without terms, the mean over rows and scores."""
        scores = np.repeat(self.start[:, None], self.y.shape[1], axis=1)
        return max(float((self.loss.curvature(self.y, scores) @ self.counts).mean() / self.total), LEAST_CURVATURE)

    @cached_property
    def null(self) -> float:
        """The loss without terms."""
        return max(self.value(np.repeat(self.start[:, None], self.y.shape[1], axis=1)), 1e-300)

    def value(self, scores: Floats) -> float:
        """The loss of all places, added up."""
        return float(self.counts @ self.loss.value(self.y, scores))

    def slope(self, scores: Floats) -> Floats:
        """The gradient at each place."""
        return self.counts * self.loss.gradient(self.y, scores)


@dataclass(frozen=True)
class DescentEnd:
    """Where a descent ended."""

    coordinates: Floats  # scores x columns
    middle: Floats  # the scores where every column is at its mean


class SmoothRidge:
    """Finds weights for some features; what does not depend on the target is found once for each penalty.

    Parameters
    ----------
    features
        The columns.
    find_products
        Returns the products, added up over the rows by what these count, of the columns, or of the rows whose multiples
        are the coordinates: columns x columns.
    """

    def __init__(self, features: Features, find_products: Callable[[], Floats]):
        self._features, self._find_products = features, find_products
        self._solvers: dict[float, Callable[[Floats], Floats]] = {}

    def fit(self, target: SmoothTarget, penalty: float, start: DescentEnd | None = None) -> DescentEnd:
        """The place of least loss and penalty (in rows), looked for from another one if that is given."""
        if penalty not in self._solvers:  # that of the last penalty is kept
            self._solvers = {penalty: factor_roughly(self._find_products(), penalty)}
        x = np.zeros((len(target.start), self._features.n_columns + 1))
        x[:, :-1] = 0.0 if start is None else start.coordinates
        x[:, -1] = target.start if start is None else start.middle
        return _Descent(self._features, self._solvers[penalty], target, penalty).run(x)


@dataclass(frozen=True)
class _Vector:
    """A place or a direction, and what follows from it.

    Parameters
    ----------
    at
        Scores x columns, and one more column for the offsets.
    weighed
        What the sum of products with a gradient is taken from.
    scores
        What it adds to the scores of the places.
    """

    at: Floats
    weighed: Floats
    scores: Floats

    def plus(self, other: "_Vector", share: float) -> "_Vector":
        """The sum of this one and a share of the other."""
        return _Vector(
            self.at + share * other.at, self.weighed + share * other.weighed, self.scores + share * other.scores
        )

    def multiply(self, gradient: Floats) -> float:
        """How much the loss rises along this way where the gradient is this one."""
        return float((self.weighed * gradient).sum())

    def multiply_columns(self, other: "_Vector") -> float:
        """The sum over the terms of products of weights."""
        return float((self.weighed[:, :-1] * other.at[:, :-1]).sum())


class _Descent:
    """The loss of one target and its penalty, as a function of coordinates and of an offset for each score.

    Parameters
    ----------
    features
        The columns.
    solve
        Divides by the products and the penalty, which but for a factor are the curvature of the loss without terms.
    target
        Whose loss it is.
    penalty
        In rows.
    """

    def __init__(self, features: Features, solve: Callable[[Floats], Floats], target: SmoothTarget, penalty: float):
        self._features, self._solve, self._target = features, solve, target
        self._penalty = penalty * target.curvature

    def run(self, at: Floats) -> DescentEnd:
        """From this place to the lowest one, along conjugate directions (Hestenes and Stiefel)."""
        place, least = self._follow(at), TOLERANCE * self._target.null
        slope = self._target.slope(place.scores)
        gradient = self._find_gradient(place, slope)
        direction = self._find_steepest(gradient)
        length = 1.0
        if -direction.multiply(gradient) > least:
            for _ in range(MAX_STEPS):
                length, slope, gain = self._find_length(place, direction, slope, length)
                place, before = place.plus(direction, length), gradient
                if gain <= least:
                    break
                gradient = self._find_gradient(place, slope)
                steepest = self._find_steepest(gradient)
                bend = direction.multiply(gradient - before)
                share = -steepest.multiply(gradient - before) / bend if bend > 0 else 0.0
                direction = steepest.plus(direction, max(0.0, share))
        return DescentEnd(place.at[:, :-1], place.at[:, -1])

    def _follow(self, at: Floats) -> _Vector:
        weighed = np.column_stack((self._features.weigh(at[:, :-1]), at[:, -1]))
        return _Vector(at, weighed, self._features.forward(weighed[:, :-1]) + at[:, -1:])

    def _find_gradient(self, place: _Vector, slope: Floats) -> Floats:
        of_columns = self._features.back(slope) + self._penalty * place.at[:, :-1]
        return np.column_stack((of_columns, slope.sum(axis=1)))

    def _find_steepest(self, gradient: Floats) -> _Vector:
        """The way down, divided by the curvature without terms."""
        of_columns, of_offset = self._solve(gradient[:, :-1].T).T, gradient[:, -1] / self._target.total
        return self._follow(np.column_stack((of_columns, of_offset)) / -self._target.curvature)

    def _find_length(
        self, place: _Vector, direction: _Vector, slope: Floats, length: float
    ) -> tuple[float, Floats, float]:
        """How far down a direction leads, or nearly; the slopes of the places there, and what is gained.

        `length` is tried first: that of the step before. The next is where the line through two rises of the loss
        along the direction is zero.
        """
        middle, bend = (self._penalty * own.multiply_columns(direction) for own in (place, direction))
        first = of_low = float((slope * direction.scores).sum()) + middle
        low, high, of_high = 0.0, np.inf, np.inf
        for _ in range(MAX_LENGTHS if first < 0 else 0):
            own = self._target.slope(place.scores + length * direction.scores)
            rise = float((own * direction.scores).sum()) + middle + length * bend
            if abs(rise) <= LEVEL * abs(first):
                return length, own, -length * (first + rise) / 2
            if rise < 0:
                low, of_low, slope = length, rise, own
            else:  # too far, or beyond all numbers
                high, of_high = length, rise if np.isfinite(rise) else np.inf
            if np.isfinite(high):
                part = of_low / (of_low - of_high)
                length = low + min(max(part, SHORTEST), 1 - SHORTEST) * (high - low)
            else:
                further = first / (first - rise) if rise > first else np.inf
                length *= min(max(further, 1 + SHORTEST), 1 / SHORTEST)
        return low, slope, -low * (first + of_low) / 2
