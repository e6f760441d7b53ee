"""FIRE's loss as a quadratic function of one weight a rule, from moments alone.

A rule acts along a fixed direction in the space of the targets, a linear term has a weight for each target. Terms are
centred, which is to set the free offset to its best value whatever the weights are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Moments, TargetMoments
from glade.weights.centred import centre_targets


@dataclass(frozen=True)
class WeightColumns:
    """Weights to find: each belongs to a term and acts along a direction."""

    term: NDArray[np.int64]
    direction: NDArray[np.float64]  # columns x targets

    @classmethod
    def of(cls, groups: list[TargetMoments], is_rule: NDArray[np.bool_]) -> "WeightColumns":
        """A column for each rule, along its covered rows' means; one for each other term and target."""
        n_targets = sum(len(g.targets) for g in groups)
        rules, others = np.flatnonzero(is_rule), np.flatnonzero(~is_rule)
        means = np.empty((len(rules), n_targets))
        for g in groups:
            covered = g.rows.total[rules, None]
            y_mean = g.y_mean
            means[:, g.targets] = np.where(covered > 0, g.rows.cross[rules] / np.maximum(covered, 1e-300) - y_mean, 0)
        largest = np.take_along_axis(means, np.abs(means).argmax(axis=1)[:, None], axis=1)
        directions = means / np.where(largest == 0.0, 1.0, largest)
        linear = np.tile(np.eye(n_targets), (len(others), 1))
        term = np.concatenate((rules, np.repeat(others, n_targets)))
        return cls(term, np.concatenate((directions, linear)))

    def take(self, columns: NDArray[np.int64]) -> "WeightColumns":
        return WeightColumns(self.term[columns], self.direction[columns])

    def spread(self, weights: NDArray[np.float64], n_terms: int) -> NDArray[np.float64]:
        """Terms x targets: what each term adds."""
        out = np.zeros((n_terms, self.direction.shape[1]))
        np.add.at(out, self.term, weights[:, None] * self.direction)
        return out


@dataclass(frozen=True)
class Quadratic:
    """The loss, mean over targets of (yhat - y)^2 / 2, as w' gram w / 2 - slope' w + constant / 2."""

    gram: NDArray[np.float64]
    slope: NDArray[np.float64]
    constant: float

    @classmethod
    def of(cls, rows: Iterable[TargetMoments], centres: Iterable[TargetMoments], columns: WeightColumns) -> "Quadratic":
        """The loss over some rows, terms and targets centred at the means of others; these may be lean."""
        n_columns, n_targets = columns.direction.shape
        gram, slope, constant = np.zeros((n_columns, n_columns)), np.zeros(n_columns), 0.0
        for part, centre in zip(rows, centres, strict=True):
            own = WeightColumns(columns.term, columns.direction[:, part.targets])
            cross, square = centre_targets(part.rows, centre.rows.mean, centre.rows.y_mean)
            gram += _find_gram(part.rows, centre.rows, own, 1 / n_targets)
            slope += (own.direction * cross[columns.term]).sum(axis=1)
            constant += float(square.sum())
        return cls(gram, slope / n_targets, constant / n_targets)

    def loss(self, weights: NDArray[np.float64]) -> float:
        from glade.weights._descend import quadratic_loss

        return float(quadratic_loss(self.gram, self.slope, weights)) + self.constant / 2

    def gradient(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The negative one. The matrix is symmetric, and half of it is read."""
        from scipy.linalg.blas import dsymv

        return self.slope - dsymv(1.0, self.gram.T, weights) if len(weights) else self.slope

    @cached_property
    def step(self) -> float:
        """One over the largest eigenvalue (from above, to a hundredth): the largest step that cannot overshoot."""
        x, norm = np.abs(self.gram).sum(axis=1), 0.0
        for _ in range(50):
            y = self.gram @ x
            norm = float(np.linalg.norm(y))
            if norm == 0.0:
                return 0.0
            last, x = x, y / norm
            if x @ last >= (1 - 1e-6) * np.linalg.norm(last):
                break
        return 1.0 / (1.01 * norm) if norm else 0.0

    @cached_property
    def deviation(self) -> NDArray[np.float64]:
        """Of what each column adds for a weight of 1, over rows and targets."""
        return np.sqrt(np.maximum(np.diagonal(self.gram), 0.0))

    @cached_property
    def _eigen(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.linalg.eigh(self.gram)

    def descend(self, step: float, n_steps: int) -> NDArray[np.float64]:
        """Where so many steps from nothing lead when all weights move, in closed form.

        Along an eigenvector each step leaves 1 - step * eigenvalue of the way to the lowest point.
        """
        eigenvalues, vectors = self._eigen
        shrunk = np.clip(step * eigenvalues, 1e-14, 1 - 1e-14)
        covered = -np.expm1(n_steps * np.log1p(-shrunk))
        return vectors @ (covered * step / shrunk * (self.slope @ vectors))

    def take(self, columns: NDArray[np.int64]) -> "Quadratic":
        return Quadratic(self.gram[np.ix_(columns, columns)], self.slope[columns], self.constant)


def _find_gram(rows: Moments, centre: Moments, columns: WeightColumns, share: float) -> NDArray[np.float64]:
    """Mean products of the columns' terms about other rows' means, times how alike the columns' directions are."""
    from glade.weights._descend import multiply_by_centred

    gram = columns.direction @ columns.direction.T
    multiply_by_centred(rows.gram, rows.count, rows.mean, centre.mean, columns.term, share, gram)
    return gram
