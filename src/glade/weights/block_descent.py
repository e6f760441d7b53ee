"""A small quadratic loss with a group penalty: block coordinate descent, extrapolated, to a given duality gap."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.weights.term_columns import Floats

PASSES = 6  # between extrapolations
MAX_ROUNDS = 2_000
LEAST_FACTOR = 1e-4
ROUNDING = 1e-14  # of the loss: no gap is smaller
DAMPING = 1e-12  # of the extrapolation's small system, relative


@dataclass(frozen=True)
class GroupPenalty:
    """For each term l1 * |w| + l2 * |w|^2 / 2, w its weights for all channels."""

    l1: Floats
    l2: Floats

    @classmethod
    def of(cls, strength: float, l1_ratio: float, factor: Floats) -> "GroupPenalty":
        """A factor of zero counts as a very small one, for which a duality gap exists."""
        factor = np.maximum(factor, LEAST_FACTOR)
        return cls(strength * l1_ratio * factor, strength * (1 - l1_ratio) * factor)

    def take(self, terms: NDArray[np.int64]) -> "GroupPenalty":
        return GroupPenalty(self.l1[terms], self.l2[terms])

    def cost(self, weights: Floats) -> float:
        """Of weights, channels x terms."""
        square = np.einsum("cj,cj->j", weights, weights)
        return float(self.l1 @ np.sqrt(square) + self.l2 @ square / 2)

    def scale(self, gradient: Floats, weights: Floats) -> Floats:
        """By how much each term's gradient exceeds what the penalty allows: 1 at a weight that is not zero."""
        return np.asarray(np.linalg.norm(gradient - self.l2 * weights, axis=0) / self.l1)

    def find_gap(self, weights: Floats, slope: Floats, gradient: Floats, square: float) -> float:
        """The duality gap: at most so far is the loss above its least value.

        The loss is square / 2 - slope' weights + weights' gram weights / 2, gradient is slope - gram weights.
        """
        explained = float((slope * weights).sum())
        ridge = float(self.l2 @ np.einsum("cj,cj->j", weights, weights))
        residual = max(square - explained - float((gradient * weights).sum()), 0.0) + ridge
        share = 1 / max(1.0, float(self.scale(gradient, weights).max(initial=0.0)))
        l1_cost = float(self.l1 @ np.linalg.norm(weights, axis=0))
        return residual / 2 + l1_cost - share * (square - explained) + share**2 * residual / 2


@dataclass
class GroupProblem:
    """Products of terms, one matrix for each group of channels; slopes, channels x terms, at weights of zero."""

    gram: Floats  # groups x terms x terms
    group: NDArray[np.int64]  # of each channel
    slope: Floats
    square: float  # twice the loss at weights of zero
    penalty: GroupPenalty

    def find_gradient(self, weights: Floats) -> Floats:
        gradient = self.slope.copy()
        for g in range(len(self.gram)):
            own = self.group == g
            gradient[own] -= weights[own] @ self.gram[g]
        return gradient

    def cost(self, weights: Floats, gradient: Floats) -> float:
        """The objective without its constant."""
        return self.penalty.cost(weights) - float((weights * (self.slope + gradient)).sum()) / 2

    def solve(self, weights: Floats, most_gap: float) -> tuple[Floats, int]:
        """The best weights, from a start, and the number of passes over the terms."""
        from glade.kernels.lasso import descend_groups

        if not self.penalty.l1.any():
            return self._solve_directly(), 1
        weights, gradient = weights.copy(), self.find_gradient(weights)
        most_gap = max(most_gap, ROUNDING * self.square)
        kept = np.empty((2, PASSES, *weights.shape))
        for n_rounds in range(1, MAX_ROUNDS + 1):
            descend_groups(
                self.gram, self.group, self.penalty.l1, self.penalty.l2, PASSES, weights, gradient, *kept
            )  # fmt: skip
            if self.penalty.find_gap(weights, self.slope, gradient, self.square) <= most_gap:
                break
            further = _extrapolate(*kept)
            if further is not None and self.cost(*further) < self.cost(weights, gradient):
                weights, gradient = (np.ascontiguousarray(part) for part in further)
        return weights, n_rounds * PASSES

    def _solve_directly(self) -> Floats:
        """The weights where no l1 penalty stands in the way."""
        weights = np.empty_like(self.slope)
        for g, gram in enumerate(self.gram):
            own = self.group == g
            ridge = np.diag(self.penalty.l2 + DAMPING * max(float(np.trace(gram)), 1e-300))
            weights[own] = np.linalg.solve(gram + ridge, self.slope[own].T).T
        return weights


def _extrapolate(weights: Floats, gradient: Floats) -> tuple[Floats, Floats] | None:
    """Anderson's extrapolation of a sequence of weights; the gradients, linear in them, go along."""
    changes = np.diff(weights.reshape(len(weights), -1), axis=0)
    products = changes @ changes.T
    size = float(np.trace(products))
    if not size > 0:
        return None
    products += DAMPING * size * np.eye(len(products))
    parts = np.linalg.solve(products, np.ones(len(products)))
    total = parts.sum()
    if not np.isfinite(total) or total == 0:
        return None
    parts /= total
    return np.tensordot(parts, weights[1:], 1), np.tensordot(parts, gradient[1:], 1)
