"""The lasso for squared errors over rows that count once: the products of rules are counts of shared rows.

Products are found for the terms that enter only, once each; all else is independent of the number of rows.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.weights.block_descent import ROUNDING, GroupPenalty, GroupProblem
from glade.weights.term_columns import Floats, TermColumns

MAX_ROUNDS = 100


class CountedLasso:
    """Weights (channels x terms) on their way along the path of penalties."""

    def __init__(self, columns: TermColumns, y: Floats):
        self._columns = columns
        n = columns.n_rows
        self._y_mean = y.sum(axis=1) / n
        self._mean = columns.sum_up(columns.place(np.ones((n, 1))))[0] / n
        self._slope = columns.sum_up(y) / n - np.outer(self._y_mean, self._mean)
        self._square = float((y * y).sum() / n - (self._y_mean**2).sum())
        self._products = np.empty((0, len(columns)))  # centred, over rows; a row for each term that entered
        self._gram = np.empty((0, 0))  # their products with one another
        self._entered = np.zeros(0, np.int64)
        self._place = np.full(len(columns), -1)
        self.weights = np.zeros_like(self._slope)
        self._gradient = self._slope.copy()
        self.n_passes = 0

    @property
    def start_gradient(self) -> Floats:
        """Channels x terms, at weights of zero."""
        return self._slope

    @property
    def offset(self) -> Floats:
        return self._y_mean - self.weights @ self._mean

    @property
    def n_rows(self) -> float:
        return float(self._columns.n_rows)

    def descend(self, penalty: GroupPenalty, tolerance: float) -> None:
        """Go on to the best weights, to a duality gap of so much of the loss without terms."""
        most_gap = max(tolerance / 2, ROUNDING) * self._square
        for _ in range(MAX_ROUNDS):
            excess = penalty.scale(self._gradient, self.weights)
            terms = np.flatnonzero(penalty.find_in(self.weights) | (excess > 1))
            problem = self._pose(terms, penalty.take(terms))
            self.weights[:, terms], n_passes = problem.solve(self.weights[:, terms], most_gap / 2)
            n_entered = len(self._entered)
            self._gradient = self._slope - self.weights[:, self._entered] @ self._products[:n_entered]
            self.n_passes = max(self.n_passes, n_passes)
            if penalty.find_gap(self.weights, self._slope, self._gradient, self._square) <= most_gap:
                break

    def refit(self, terms: NDArray[np.int64], ridges: Sequence[float]) -> list[tuple[Floats, Floats]]:
        """Weights and offset with no penalty but a small one on squares (in rows), for some terms."""
        problem, found = self._pose(terms, GroupPenalty.ridge(0.0, len(terms))), []
        for ridge in ridges:
            weights = replace(problem, penalty=GroupPenalty.ridge(ridge / self.n_rows, len(terms))).solve_ridge()
            found.append((weights, self._y_mean - weights @ self._mean[terms]))
        return found

    def _pose(self, terms: NDArray[np.int64], penalty: GroupPenalty) -> GroupProblem:
        """The problem of these terms alone."""
        self._enter(terms[self._place[terms] < 0])
        places = self._place[terms]
        gram = self._gram[np.ix_(places, places)]
        group = np.zeros(len(self._slope), np.int64)
        return GroupProblem(gram[None], group, self._slope[:, terms], self._square, penalty)

    def _enter(self, terms: NDArray[np.int64]) -> None:
        """Find the products of terms that were not needed so far."""
        before = len(self._entered)
        self._entered = np.concatenate((self._entered, terms))
        after = len(self._entered)
        if after > len(self._products):
            self._make_room(max(32, 2 * after))
        self._place[terms] = np.arange(before, after)
        if len(terms):
            products = self._columns.multiply(terms) / self._columns.n_rows
            self._products[before:after] = products - np.outer(self._mean[terms], self._mean)
            self._gram[before:after, :after] = self._products[before:after, self._entered]
            self._gram[:before, before:after] = self._gram[before:after, :before].T

    def _make_room(self, n_places: int) -> None:
        before = len(self._products)
        products, gram = np.empty((n_places, self._products.shape[1])), np.empty((n_places, n_places))
        products[:before], gram[:before, :before] = self._products, self._gram
        self._products, self._gram = products, gram
