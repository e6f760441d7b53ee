"""Half the squared error: of numbers, and of zeros and ones that stand for classes."""

from typing import Self

import numpy as np

from glade.losses.base import Loss
from glade.losses.links import Floats, Identity, PairShares, Shares


class Squared(Loss):
    """(score - y)^2 / 2, added up over scores.

    Of classes the scores are about probabilities. Targets of a solver come in units of their standard deviation, so
    that the null value is a half.
    """

    name = "squared"
    is_quadratic = True
    is_of_difference = True

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is None:
            return cls(Identity(1))
        return cls(PairShares(2) if n_classes == 2 else Shares(n_classes))

    def value(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray(((y - scores) ** 2).sum(axis=0) / 2)

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return scores - y

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        return np.ones_like(scores)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return y @ share

    def null(self, y: Floats, share: Floats, start: Floats) -> float:
        return 0.5

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        slope = length * (y - scores)
        return np.asarray((slope * (y - slope / 2)).sum(axis=0))
