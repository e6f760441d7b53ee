"""Moves the weights of models from where a sample has them to where all rows want them.

A solver has found weights on a sample, with a penalty of whatever kind: there the slope of the loss is what the penalty
asks for. Over all rows the same weights have a slightly other slope. Newton steps bring it back to what it was on the
sample, with the curvature of the sample: each leaves some hundredths of the way, and takes one pass over all rows.
Where terms say nearly the same, no slope tells how to share their effect, and weights stay near those of the sample.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from glade.losses.targets import TargetLosses
from glade.rules.design import TargetRows
from glade.scale.parts import BLOCK_ROWS
from glade.scale.passes import Floats, Models, Sums, add_slopes, add_sums

CURVATURE_ROWS = 30_000  # of the sample, from which the curvature is taken
LEAST = 1e-6  # of the prior, for offsets: those of classes are told up to a constant
PRIOR_ROWS = 10.0  # of the sample: what its weights count for beside all rows


class Slopes(NamedTuple):
    """Mean slopes of the loss over some rows."""

    weights: Floats  # terms x models x scores
    offset: Floats  # models x scores

    @classmethod
    def of(cls, sums: Sums, losses: TargetLosses, suffix: str = "") -> "Slopes":
        """From sums; a target that is known nowhere has none."""
        counts: Floats = losses.spread(np.maximum(sums[f"counts{suffix}"], 1e-300)).astype(np.float64)
        return cls(sums[f"slope{suffix}"] / counts, sums[f"offset{suffix}"] / counts)


class Curvature:
    """Finds, for a set of models, the change of weights that changes slopes by so much.

    Parameters
    ----------
    models
        With the weights of the sample.
    rows
        The rows of the sample that they were found on.
    losses
        Of the targets.
    """

    def __init__(self, models: Models, rows: TargetRows, losses: TargetLosses):
        self._prior = PRIOR_ROWS / max(len(rows.y), 1)
        self._models, self._losses, self.sample = models, losses, _find_sample_slopes(models, rows, losses)
        step = max(1, len(rows.y) // CURVATURE_ROWS)
        some = slice(None, None, step)
        self._values = np.column_stack((models.design.values(rows.matrix[some]), np.ones(len(rows.y[some]))))
        self._y, self._counts = (
            np.nan_to_num(rows.y[some].T, nan=0.0),
            losses.share_rows(rows.y[some], rows.counts[some]),
        )
        self._predicted = models.predict(self._values[:, :-1])
        self._products: dict[bytes, Floats] = {}
        self._uses = models.uses

    def move(self, models: Models, now: Slopes) -> Models:
        """The models after a Newton step towards the slopes of the sample."""
        weights, offset = models.weights.copy(), models.offset.copy()
        for m in range(len(offset)):
            terms = np.flatnonzero(self._uses[:, m])
            for t, at in enumerate(self._losses.places):
                of_weights = (now.weights - self.sample.weights)[terms, m, at]
                away = (models.weights - self._models.weights)[terms, m, at]
                step = self._solve(m, t, terms, of_weights, away, (now.offset - self.sample.offset)[m, at])
                weights[terms, m, at] -= step[:-1]
                offset[m, at] -= step[-1]
        return models._replace(weights=weights, offset=offset)

    def _solve(
        self, m: int, t: int, terms: NDArray[np.int64], of_weights: Floats, away: Floats, of_offset: Floats
    ) -> Floats:
        """Terms (and the offset) x scores of a target: the step that changes its slopes by the excess.

        Parameters
        ----------
        m, t
            The numbers of the model and of the target.
        terms
            Those of the model.
        of_weights, of_offset
            How far slopes are above those of the sample.
        away
            How far weights are from those of the sample.
        """
        places = np.append(terms, len(self._uses))
        bent = self._bend(m, t)
        values, n_scores = self._values[:, places], len(bent)
        prior = self._prior * float(np.einsum("aar->", bent)) / n_scores
        n = len(places)
        if self._losses.losses[t].is_quadratic:
            whole = self._find_products(t)[np.ix_(places, places)] + prior * np.diag([1.0] * len(terms) + [0.0])
            return np.asarray(solve(whole, np.vstack((of_weights + prior * away, of_offset)), assume_a="sym"))
        products = np.empty((n_scores, n, n_scores, n))
        for a in range(n_scores):
            for b in range(a + 1):
                products[a, :, b] = (values * bent[a, b][:, None]).T @ values
                products[b, :, a] = products[a, :, b].T
        whole = products.reshape(n_scores * n, -1)
        whole[np.diag_indices(len(whole))] += prior * np.tile([1.0] * len(terms) + [LEAST], n_scores)
        excess = np.vstack((of_weights + prior * away, of_offset)).T.reshape(-1)
        return np.asarray(solve(whole, excess, assume_a="sym").reshape(n_scores, n).T)

    def _bend(self, m: int, t: int) -> Floats:
        """Scores x scores x rows: the second derivatives of a target's loss, times what a row counts."""
        loss, at = self._losses.losses[t], self._losses.places[t]
        return np.asarray(
            loss.hessian(self._y[at], self._predicted[at, m]) * (self._losses.weights[t] * self._counts[t])
        )

    def _find_products(self, t: int) -> Floats:
        """Of all terms over the rows where a target is known; targets known in the same rows share them."""
        key = self._counts[t].tobytes()
        if key not in self._products:
            self._products[key] = (self._values * self._counts[t][:, None]).T @ self._values
        return self._products[key]


def _find_sample_slopes(models: Models, rows: TargetRows, losses: TargetLosses) -> Slopes:
    """The mean slopes over the sample."""
    sums: Sums = {}
    for first in range(0, len(rows.y), BLOCK_ROWS):
        some = rows.take(np.arange(first, min(first + BLOCK_ROWS, len(rows.y))))
        counts = np.array([some.counts * ~np.isnan(some.y[:, at.start]) for at in losses.places])
        values = models.design.values(some.matrix)
        found = add_slopes(losses, models, values, np.nan_to_num(some.y.T, nan=0.0), counts)
        sums = found if not sums else add_sums(sums, found)
    return Slopes.of(sums, losses)
