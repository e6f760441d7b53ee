"""A small quadratic loss with a group penalty: block coordinate descent, extrapolated, to a given duality gap."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.weights.cholesky import solve_definite
from glade.weights.term_columns import Floats

PASSES = 6  # between extrapolations
MAX_ROUNDS = 2_000
LEAST_FACTOR = 1e-4
ROUNDING = 1e-14  # of the loss: no gap is smaller
DAMPING = 1e-12  # of a system without a penalty, relative


@dataclass(frozen=True)
class GroupPenalty:
    """For each group l1 * |w| + l2 * |w|^2 / 2, w the weights of its terms for all channels.

    A group is one term, or two that are each other's `partner`, with the same l1 and l2; the partner of one alone is
    itself.
    """

    l1: Floats
    l2: Floats
    partner: NDArray[np.int64]

    @classmethod
    def of(cls, strength: float, l1_ratio: float, factor: Floats, partner: NDArray[np.int64]) -> "GroupPenalty":
        """A factor of zero counts as a very small one, for which a duality gap exists."""
        factor = np.maximum(factor, LEAST_FACTOR)
        return cls(strength * l1_ratio * factor, strength * (1 - l1_ratio) * factor, partner)

    @classmethod
    def ridge(cls, l2: float, n_terms: int) -> "GroupPenalty":
        return cls(np.zeros(n_terms), np.full(n_terms, l2), np.arange(n_terms))

    def take(self, terms: NDArray[np.int64]) -> "GroupPenalty":
        """Of these terms, ascending; without its partner a term is alone."""
        own = np.arange(len(terms))
        place = np.minimum(np.searchsorted(terms, self.partner[terms]), max(len(terms) - 1, 0))
        return GroupPenalty(self.l1[terms], self.l2[terms], np.where(terms[place] == self.partner[terms], place, own))

    def cost(self, weights: Floats) -> float:
        """Of weights, channels x terms."""
        square = np.einsum("cj,cj->j", weights, weights)
        length = measure_groups(weights, self.partner)
        share = np.where(self.partner == np.arange(len(square)), 1.0, 0.5)  # partners have one length
        return float(self.l1 @ (share * length) + self.l2 @ square / 2)

    def scale(self, gradient: Floats, weights: Floats) -> Floats:
        """By how much each group's gradient exceeds what the penalty allows: 1 at weights that are not zero."""
        return np.asarray(measure_groups(gradient - self.l2 * weights, self.partner) / self.l1)

    def find_in(self, weights: Floats) -> NDArray[np.bool_]:
        """Terms of groups that have weights."""
        is_in = np.asarray(weights.any(axis=0))
        return is_in | is_in[self.partner]

    def find_gap(self, weights: Floats, slope: Floats, gradient: Floats, square: float) -> float:
        """The duality gap: at most so far is the loss above its least value.

        The loss is square / 2 - slope' weights + weights' gram weights / 2, gradient is slope - gram weights.
        """
        from glade.weights._lasso import find_gap

        return float(find_gap(weights, slope, gradient, square, self.partner, self.l1, self.l2))


def measure_groups(weights: Floats, partner: NDArray[np.int64]) -> Floats:
    """For each term the length of the weights (channels x terms) of its group."""
    square = np.einsum("cj,cj->j", weights, weights)
    return np.asarray(np.sqrt(square + np.where(partner == np.arange(len(square)), 0.0, square[partner])))


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

    def solve(self, weights: Floats, most_gap: float) -> tuple[Floats, int]:
        """The best weights, from a start, and the number of passes over the terms."""
        from glade.weights._lasso import descend_groups

        if not self.penalty.l1.any():
            return self.solve_ridge(), 1
        weights, gradient = weights.copy(), self.find_gradient(weights)
        n_rounds = descend_groups(
            self.gram, self.group, self.slope, self.square, self.penalty.partner, self.penalty.l1, self.penalty.l2,
            max(most_gap, ROUNDING * self.square), MAX_ROUNDS, np.empty((2, PASSES, *weights.shape)),
            np.empty((PASSES - 1, PASSES - 1)), np.empty(PASSES - 1), weights, gradient,
        )  # fmt: skip
        return weights, n_rounds * PASSES

    def solve_ridge(self) -> Floats:
        """The weights where no l1 penalty stands in the way."""
        weights = np.empty_like(self.slope)
        for g, gram in enumerate(self.gram):
            own = self.group == g
            penalised = gram.copy()
            penalised.flat[:: len(gram) + 1] += self.penalty.l2 + DAMPING * max(float(np.trace(gram)), 1e-300)
            weights[own] = solve_definite(penalised, self.slope[own].T).T
        return weights


def find_mixture(points: Floats) -> Floats:
    """Anderson's extrapolation of a sequence: what each point but the first counts, one altogether."""
    from glade.weights._lasso import DAMPING, solve_small

    changes = np.diff(points, axis=0)
    system, parts = changes @ changes.T, np.empty(len(changes))
    system[np.diag_indices_from(system)] += DAMPING * np.trace(system) + 1e-300
    solve_small(system, parts)
    return parts / parts.sum()
