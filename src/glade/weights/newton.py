"""The lasso for any loss: Newton's method, each step a weighted quadratic problem of the terms in use.

Also for squared errors where rows have weights or targets are missing in places: then one step is the solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.losses.targets import TargetLosses
from glade.rules.design import TargetRows
from glade.weights.block_descent import PASSES, ROUNDING, GroupPenalty, GroupProblem, find_mixture
from glade.weights.term_columns import Floats, TermColumns
from glade.weights.weighted_products import WeightedProducts

MAX_ROUNDS = 50  # of further terms
MAX_STEPS = 40
MAX_REFIT_STEPS = 12  # the end of these is judged on held-out rows like any other weights
STALE = 0.2  # relative change of the rows' curvature that asks for new products
SLOW = 0.1  # of the last step's promise: with more left than that, smaller changes count
ENOUGH = 0.1  # of a step's promised decrease must come true
REFIT_TOLERANCE = 1e-4  # of the loss without terms
SHORTEST = 1e-6  # of a step
PRECISION = 10  # by which steps are taken more precisely while the gap is too large


@dataclass
class State:
    """Weights (scores x terms), an offset, and the scores of the rows."""

    weights: Floats
    offset: Floats
    predicted: Floats


class NewtonLasso:
    """Weights on their way along the path of penalties."""

    def __init__(self, columns: TermColumns, rows: TargetRows, losses: TargetLosses):
        self._columns, self._losses = columns, losses
        self._y = columns.place(np.nan_to_num(rows.y, nan=0.0))
        self._share = columns.place(losses.share_rows(rows.y, rows.counts).T)
        self.n_rows = float(columns.n_rows)
        offset = losses.start(self._y, self._share, columns.n_rows)
        predicted = np.repeat(offset[:, None], columns.n_places, axis=1)
        self._state = State(np.zeros((losses.n_scores, len(columns))), offset, predicted)
        self._groups = losses.group(self._share)
        self._group_of = self._find_group_of_scores()
        self._products: list[WeightedProducts] = []
        self._least_loss = self._loss(predicted)
        self.start_gradient = columns.sum_up(self._find_slope())
        self.n_passes = 0

    @property
    def weights(self) -> Floats:
        return self._state.weights

    @property
    def offset(self) -> Floats:
        return self._state.offset

    def descend(self, penalty: GroupPenalty, tolerance: float) -> None:
        """Go on to the best weights, to a duality gap of so much of the loss without terms."""
        most_gap = least = max(tolerance, ROUNDING) * self._least_loss
        for n_rounds in range(MAX_ROUNDS):
            weights = self._state.weights
            excess = penalty.scale(self._columns.sum_up(self._find_slope()), weights)
            is_in = penalty.find_in(weights)
            is_new = ~is_in & (excess > 1)
            if (n_rounds or not is_new.any()) and self._find_gap(penalty, excess) <= most_gap:
                break
            least /= 1 if n_rounds == 0 or is_new.any() else PRECISION
            self._descend_on(np.flatnonzero(is_in | is_new), penalty, least)

    def _find_gap(self, penalty: GroupPenalty, excess: Floats) -> float:
        """The duality gap: at most so far is the objective above its least value."""
        predicted, length = self._state.predicted, 1 / max(1.0, float(excess.max(initial=0.0)))
        bounds = self._share * self._losses.dual(self._y, predicted, length)
        ridge = float(penalty.l2 @ np.einsum("cj,cj->j", self.weights, self.weights)) / 2
        return self._loss(predicted) + penalty.cost(self.weights) - float(bounds.sum()) + length**2 * ridge

    def refit(self, terms: NDArray[np.int64], ridges: Sequence[float]) -> list[tuple[Floats, Floats]]:
        """Weights and offset with no penalty but a small one on squares (in rows), for some terms."""
        before, products, found = self._state, self._products, []
        for ridge in ridges:
            penalty = GroupPenalty.ridge(ridge / self.n_rows, len(self._columns))
            self._descend_on(terms, penalty, REFIT_TOLERANCE * self._least_loss, MAX_REFIT_STEPS)
            found.append((self._state.weights[:, terms], self._state.offset))
        self._state, self._products = before, products
        return found

    def _find_group_of_scores(self) -> NDArray[np.int64]:
        group_of = np.empty(self._losses.n_scores, np.int64)
        for g, targets in enumerate(self._groups):
            for t in targets:
                group_of[self._losses.places[t]] = g
        return group_of

    def _loss(self, predicted: Floats) -> float:
        return float((self._share * self._losses.value(self._y, predicted)).sum())

    def _find_slope(self) -> Floats:
        """Scores x places: the negative gradient at the predictions."""
        slope = -self._losses.gradient(self._y, self._state.predicted)
        for share, own in zip(self._share, self._losses.places, strict=True):
            slope[own] *= share
        return slope

    def _descend_on(
        self, terms: NDArray[np.int64], penalty: GroupPenalty, least: float, max_steps: int = MAX_STEPS
    ) -> None:
        """Newton steps over some terms, until one promises a decrease of no more than `least`."""
        penalty, last, is_slow, trail = penalty.take(terms), np.inf, False, [self._state]
        for _ in range(max_steps):
            self._renew_products(STALE * (SLOW if is_slow else 1))
            weights, offset, promise = self._find_step(terms, penalty, least)
            if promise <= 0.0:
                break
            length = self._go(terms, weights, offset, promise, penalty)
            if length == 0.0 or promise <= least:
                break
            is_slow = promise > SLOW * last or length < 1.0
            last = promise
            trail.append(self._state)
            if len(trail) == PASSES:
                self._go_further(terms, trail, penalty)
                trail = [self._state]

    def _go_further(self, terms: NDArray[np.int64], trail: list[State], penalty: GroupPenalty) -> None:
        """Extrapolate the last steps, if that lowers the objective (of several classes, the steps are small ones)."""
        parts = find_mixture(np.array([np.append(s.weights[:, terms], s.offset) for s in trail]))
        fields = ([getattr(s, name) for s in trail[1:]] for name in ("weights", "offset", "predicted"))
        further = State(*(sum(part * x for part, x in zip(parts, of, strict=True)) for of in fields))
        costs = (self._loss(s.predicted) + penalty.cost(s.weights[:, terms]) for s in (further, self._state))
        if next(costs) < next(costs):
            self._state = further

    def _renew_products(self, stale: float) -> None:
        """Of the terms, weighted by the rows' curvature; old ones are kept while they are nearly right."""
        curve = self._share * self._losses.bound_curvature(self._y, self._state.predicted)
        for g, targets in enumerate(self._groups):
            now = curve[targets[0]]
            if g == len(self._products):
                self._products = [*self._products, WeightedProducts(self._columns, now)]
            elif np.abs(now - self._products[g].share).sum() > stale * now.sum():
                renewed = WeightedProducts(self._columns, now)
                self._products = [*self._products[:g], renewed, *self._products[g + 1 :]]

    def _find_step(self, terms: NDArray[np.int64], penalty: GroupPenalty, least: float) -> tuple[Floats, Floats, float]:
        """Where a quadratic model of the loss has its least value: changes of weights, of offset, and the decrease."""
        weights, slope = self._state.weights[:, terms], self._find_slope()
        gradient, rest = self._columns.sum_up(slope, terms), slope.sum(axis=1)
        gram, mean = (np.array(part) for part in zip(*(p.take(terms) for p in self._products), strict=True))
        total = np.array([p.total for p in self._products])[self._group_of]
        centred = gradient - mean[self._group_of] * rest[:, None]
        bent = np.array([weights[c] @ gram[g] for c, g in enumerate(self._group_of)]).reshape(weights.shape)
        share = np.array([self._products[g].share for g in self._group_of])
        own = np.divide(slope**2, share, out=np.zeros_like(slope), where=share > 0).sum() - (rest**2 / total).sum()
        square = float((weights * (bent + 2 * centred)).sum() + own)
        problem = GroupProblem(gram, self._group_of, centred + bent, square, penalty)
        found, n_passes = problem.solve(weights, least / 2)
        self.n_passes = max(self.n_passes, n_passes)
        change = found - weights
        of_offset = rest / total - (mean[self._group_of] * change).sum(axis=1)
        gain = float((gradient * change).sum() + rest @ of_offset)
        return change, of_offset, gain - penalty.cost(found) + penalty.cost(weights)

    def _go(
        self, terms: NDArray[np.int64], change: Floats, of_offset: Floats, promise: float, penalty: GroupPenalty
    ) -> float:
        """Take as much of a step as lowers the objective; returns its length."""
        before = self._state
        weights, moved = before.weights[:, terms], self._columns.predict(terms, change) + of_offset[:, None]
        cost, length = self._loss(before.predicted) + penalty.cost(weights), 1.0
        while length > SHORTEST:
            predicted = before.predicted + length * moved
            after = self._loss(predicted) + penalty.cost(weights + length * change)
            if after <= cost - ENOUGH * length * promise or (after <= cost and promise < 1e-9 * cost):
                all_weights = before.weights.copy()
                all_weights[:, terms] += length * change
                self._state = State(all_weights, before.offset + length * of_offset, predicted)
                return length
            length /= 2
        return 0.0
