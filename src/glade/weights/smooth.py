"""Ridge weights for any smooth loss: of numbers of events, of classes, of numbers with outliers.

The squares of the weights are penalised in units of rows, as for squared errors: the penalty is multiplied by the
curvature that the loss has without terms. The descent (L-BFGS) goes along directions in which the loss without terms
is as steep as its penalty makes it, so that a dozen steps are enough; there the matrix of the terms' products is
factored once for a penalty, whatever the number of targets and classes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.linalg.lapack import dtrtri

from glade.losses.base import LEAST_CURVATURE, Loss
from glade.losses.links import Floats
from glade.weights.row_products import RowSystem
from glade.weights.term_columns import TermColumns

TOLERANCE = 1e-4  # of the loss without terms: the gain of a step that ends a descent
MAX_STEPS = 100
MEMORY = 12  # steps of which a descent remembers the curvature
JITTER = 1e-9  # of the mean diagonal: what keeps products of rows that are alike from being singular


class Features(Protocol):
    """Columns about their means, in which a descent looks for coordinates (scores x columns)."""

    def forward(self, coordinates: Floats) -> Floats:
        """Scores x places."""

    def back(self, slope: Floats) -> Floats:
        """Scores x columns: the columns' products with slopes (scores x places), added up."""

    def to_weights(self, coordinates: Floats) -> Floats:
        """Terms x scores."""


@dataclass(frozen=True)
class TermFeatures:
    """The terms themselves."""

    columns: TermColumns
    mean: Floats

    @cached_property
    def _every(self) -> NDArray[np.int64]:
        return np.arange(len(self.columns))

    def forward(self, coordinates: Floats) -> Floats:
        return self.columns.predict(self._every, coordinates) - (coordinates @ self.mean)[:, None]

    def back(self, slope: Floats) -> Floats:
        return self.columns.sum_up(slope) - np.outer(slope.sum(axis=1), self.mean)

    def to_weights(self, coordinates: Floats) -> Floats:
        return coordinates.T


class RowFeatures:
    """Where there are fewer rows than terms: columns whose products over the rows are those of the terms.

    Parameters
    ----------
    system
        The products of the rows, one with another.
    """

    def __init__(self, system: RowSystem):
        products = system.products.copy()
        np.einsum("ii->i", products)[:] += JITTER * (np.trace(products) / max(len(products), 1)) + 1e-300
        self._root = cholesky(products, lower=True, check_finite=False) if len(products) else products
        self._unit = 1.0 / np.where(system.root > 0, system.root, np.inf)  # of each row
        self._system = replace(system, products=np.empty((0, 0)))  # large, and the root stands for them

    def multiply(self) -> Floats:
        """Columns x columns: their products, by what the rows count."""
        return np.asarray(self._root.T @ self._root)

    def forward(self, coordinates: Floats) -> Floats:
        return np.asarray(coordinates @ self._root.T * self._unit)

    def back(self, slope: Floats) -> Floats:
        return np.asarray(slope * self._unit @ self._root)

    def to_weights(self, coordinates: Floats) -> Floats:
        of_rows = solve_triangular(self._root, coordinates.T, trans=1, lower=True, check_finite=False)
        return self._system.to_terms(of_rows)


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
class Found:
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
        Gives the columns' products, added up over the rows by what these count: columns x columns.
    """

    def __init__(self, features: Features, find_products: Callable[[], Floats]):
        self._features, self._find_products = features, find_products
        self._factors: dict[float, tuple[Floats, Floats]] = {}

    def fit(self, target: SmoothTarget, penalty: float, start: Found | None = None) -> Found:
        """The place of least loss and penalty (in rows), looked for from another one if that is given."""
        upper, directions = self._factor(penalty)
        descent = _Descent(self._features, directions, target, penalty)
        x = np.zeros((len(target.start), len(upper) + 1))
        x[:, :-1] = 0.0 if start is None else start.coordinates @ upper.T * np.sqrt(target.curvature)
        x[:, -1] = (target.start if start is None else start.middle) / descent.unit_of_offset
        return descent.run(x.ravel())

    def _factor(self, penalty: float) -> tuple[Floats, Floats]:
        """The root of products and penalty, upper half, and its inverse; those of the last penalty are kept."""
        if penalty not in self._factors:
            penalised = self._find_products().copy()
            np.einsum("ii->i", penalised)[:] += penalty
            upper = cholesky(penalised, overwrite_a=True, check_finite=False) if len(penalised) else penalised
            self._factors = {penalty: (upper, dtrtri(upper)[0] if len(upper) else upper)}
        return self._factors[penalty]


class _Descent:
    """The loss of one target as a function of places along the directions, and of an offset for each score.

    Along each direction the columns' products and the penalty add up to 1.
    """

    def __init__(self, features: Features, directions: Floats, target: SmoothTarget, penalty: float):
        self._features, self._directions, self._target = features, directions, target
        self._unit = 1.0 / np.sqrt(target.curvature)
        self.unit_of_offset = self._unit / np.sqrt(target.total)
        self._penalty = penalty * target.curvature

    def run(self, x: Floats) -> Found:
        """From this place to the lowest one."""
        from scipy.optimize import minimize

        value, gradient = self._evaluate(x)
        unit, least = float(np.linalg.norm(gradient)), TOLERANCE * self._target.null
        if unit * unit <= least:
            return self._split(x)

        def evaluate(scaled: Floats) -> tuple[float, Floats]:
            """In units in which the first step, along the gradient, is of length 1."""
            own, slope = self._evaluate(scaled * unit)
            return (own - value) / unit**2, slope / unit

        options = {"maxiter": MAX_STEPS, "maxcor": MEMORY, "ftol": least / unit**2, "gtol": 0.0}
        found = minimize(evaluate, x / unit, jac=True, method="L-BFGS-B", options=options)
        return self._split(found.x * unit)

    def _split(self, x: Floats) -> Found:
        places = x.reshape(len(self._target.start), -1)
        return Found(self._unit * (places[:, :-1] @ self._directions.T), places[:, -1] * self.unit_of_offset)

    def _evaluate(self, x: Floats) -> tuple[float, Floats]:
        at = self._split(x)
        scores = self._features.forward(at.coordinates) + at.middle[:, None]
        slope = self._target.slope(scores)
        along = self._features.back(slope) + self._penalty * at.coordinates
        gradient = np.column_stack((self._unit * (along @ self._directions), slope.sum(axis=1) * self.unit_of_offset))
        value = self._target.value(scores) + self._penalty / 2 * float((at.coordinates * at.coordinates).sum())
        return value, gradient.ravel()
