"""The logistic loss of two classes: minus the logarithm of the probability of the class that is there."""

from typing import Self

import numpy as np
from scipy.special import entr, expit

from glade.losses.base import Loss
from glade.losses.links import Floats, Logit


class Logistic(Loss):
    """log(1 + exp(score)) - y * score, y being one for rows of the second class."""

    name = "logistic"

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes != 2:
            raise ValueError("the logistic loss is that of a target with two classes")
        return cls(Logit(2))

    def value(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray(np.logaddexp(0.0, scores[0]) - (y * scores)[0])

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return expit(scores) - y

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        share = expit(scores)
        return share * (1 - share)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        mean = np.clip(y @ share, least, 1 - least)
        return np.log(mean / (1 - mean))

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """The entropy of the probabilities drawn towards the truth."""
        between = (1 - length) * y + length * expit(scores)
        return np.asarray((entr(between) + entr(1 - between)).sum(axis=0))
