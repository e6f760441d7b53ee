"""The Poisson loss of counts: half the deviance, of a mean whose logarithm is the score."""

from typing import Self

import numpy as np
from scipy.special import entr

from glade.losses.base import Loss
from glade.losses.links import Floats, Log


class Poisson(Loss):
    """exp(score) - y * score, plus what makes it zero where exp(score) is y.

    It is that of any amounts that are not negative, times any constant: only the logarithm of the mean moves then.
    """

    name = "poisson"

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is not None:
            raise ValueError("the Poisson loss is that of a numeric target")
        return cls(Log(1))

    def value(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray((self.link.inverse(scores) - y * scores - y - entr(y)).sum(axis=0))

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return self.link.inverse(scores) - y

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        return self.link.inverse(scores)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return np.log(np.maximum(y @ share, least))

    def newton_step(self, slope: Floats, curvature: Floats) -> Floats:
        """Upwards the best addition, which is shorter than Newton's step; downwards that step, which is never long."""
        step = super().newton_step(slope, curvature)
        return np.where(step > 0, np.log1p(np.maximum(step, 0.0)), step)

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """Of means drawn towards the counts."""
        between = (1 - length) * y + length * self.link.inverse(scores)
        return np.asarray((between + entr(between) - y - entr(y)).sum(axis=0))
