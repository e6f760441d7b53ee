"""A growing choice of terms for which the ridge solution is kept up to date: each change costs its size times terms.

Notation, for the chosen terms S and penalty k: P = inverse of (gram[S, S] + k I), Z = P gram[S], weights = P cross[S].
For every term j, chosen or not, `left_over[j]` = gram[j, j] + k - gram[j, S] Z[:, j] and `slope[j]` = cross[j] -
gram[j, S] weights. Adding j to S lowers the penalised squared error by slope[j]^2 / left_over[j].
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dger

from glade.weights.centred import CentredSums

NONE_KEPT = np.zeros(0, np.int64)


class Support:
    """The chosen terms as one group of targets sees them."""

    def __init__(self, sums: CentredSums, penalty: float, capacity: int):
        self._gram = sums.products
        n_terms, n_targets = sums.cross.shape
        self._room = np.zeros((capacity, n_terms))
        self.size = 0
        self.inverse = np.zeros((0, 0))
        self.weights = np.zeros((0, n_targets))
        self.left_over = sums.products.diagonal + penalty
        self.slope = sums.cross.copy()

    @property
    def products(self) -> NDArray[np.float64]:
        """Z."""
        return self._room[: self.size]

    def add(self, term: int, chosen: Sequence[int]) -> None:
        """Choose one more term."""
        own = self.products[:, term].copy()
        rest = self.left_over[term]
        with_all = self._gram.row(term)
        row = with_all - with_all[list(chosen)] @ self.products
        step = self.slope[term] / rest
        self.slope -= np.outer(row, step)
        self.left_over -= row * row / rest
        self.weights = np.vstack((self.weights - np.outer(own, step), step))
        corner = np.append(-own, 1.0) / rest
        self.inverse = np.pad(self.inverse + np.outer(own, own) / rest, ((0, 1), (0, 1)))
        self.inverse[-1] = self.inverse[:, -1] = corner
        _subtract_outer(self.products, own, row / rest)
        self._room[self.size] = row / rest
        self.size += 1

    def remove(self, place: int) -> None:
        """Give up the term at this place."""
        pivot, row, step = self.inverse[place, place], self.products[place].copy(), self.weights[place]
        self.left_over += row * row / pivot
        self.slope += np.outer(row, step) / pivot
        share = np.delete(self.inverse[:, place], place) / pivot
        others = np.delete(self.inverse[place], place)
        self.weights = np.delete(self.weights, place, axis=0) - np.outer(share, step)
        self._room[place : self.size - 1] = self._room[place + 1 : self.size]
        self.size -= 1
        _subtract_outer(self.products, share, row)
        kept = np.delete(np.delete(self.inverse, place, axis=0), place, axis=1)
        self.inverse = kept - np.outer(share, others)

    def gains(self) -> NDArray[np.float64]:
        """For each term, by how much adding it lowers the error."""
        return (self.slope * self.slope).sum(axis=1) / self.left_over

    def losses(self) -> NDArray[np.float64]:
        """For each chosen term, by how much removing it raises the error."""
        return (self.weights * self.weights).sum(axis=1) / np.diag(self.inverse)

    def gains_without_each(self) -> NDArray[np.float64]:
        """Chosen terms x terms: by how much adding the second lowers the error once the first is removed."""
        pivot = np.diag(self.inverse)[:, None]
        share = self.products / pivot
        square = 2 * share
        square *= self.weights @ self.slope.T
        square += (self.slope * self.slope).sum(axis=1)
        rest = self.products * share
        rest += self.left_over
        share *= share
        share *= (self.weights * self.weights).sum(axis=1)[:, None]
        square += share
        square /= rest
        return square


def _subtract_outer(matrix: NDArray[np.float64], column: NDArray[np.float64], row: NDArray[np.float64]) -> None:
    """matrix -= the outer product, in place and in one pass."""
    if matrix.size:
        dger(-1.0, row, column, a=matrix.T, overwrite_a=1, overwrite_x=0, overwrite_y=0)


class Selection:
    """Forward selection of at most `capacity` terms with swaps, for all groups of targets together.

    A term's gain counts times what it is worth: all the same, or less for one that is longer to read.
    """

    def __init__(
        self,
        groups: Sequence[CentredSums],
        penalty: float,
        capacity: int,
        kept: NDArray[np.int64] = NONE_KEPT,
        worth: NDArray[np.float64] | None = None,
    ):
        self._worth = np.ones(len(groups[0].mean)) if worth is None else worth
        self._supports = [Support(group, penalty, max(capacity, len(kept))) for group in groups]
        self.chosen: list[int] = []
        self._n_kept = len(kept)
        for term in kept.tolist():
            self._add(term)

    def grow(self) -> bool:
        """Choose the term that lowers the error most; whether there was one."""
        gains = np.sum([support.gains() for support in self._supports], axis=0) * self._worth
        gains[self.chosen] = -np.inf
        best = int(gains.argmax()) if len(gains) else -1
        if best < 0 or not gains[best] > 0:
            return False
        self._add(best)
        return True

    def swap(self, least_gain: float) -> bool:
        """Replace one term by another where that lowers the error most; whether it did by a share of it all."""
        losses = np.sum([support.losses() for support in self._supports], axis=0)
        whole = losses.sum()
        losses *= self._worth[self.chosen]
        losses[: self._n_kept] = np.inf
        gains = np.sum([support.gains_without_each() for support in self._supports], axis=0) * self._worth
        gains[:, self.chosen] = -np.inf
        gains = gains - losses[:, None]
        place, best = np.unravel_index(gains.argmax(), gains.shape)
        if not gains[place, best] > least_gain * whole:
            return False
        for support in self._supports:
            support.remove(int(place))
        del self.chosen[place]
        self._add(int(best))
        return True

    def _add(self, term: int) -> None:
        for support in self._supports:
            support.add(term, self.chosen)
        self.chosen.append(term)
