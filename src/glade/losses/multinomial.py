"""The multinomial loss of several classes: minus the logarithm of the probability of the class that is there."""

from typing import Self

import numpy as np
from scipy.special import entr

from glade.losses.base import Loss
from glade.losses.links import Floats, Softmax, log_sum, softmax


class Multinomial(Loss):
    """log(sum of exp(scores)) less the score of the class that is there.

    The same added to all scores changes nothing: one of the classes is told by the others.
    """

    name = "multinomial"
    overlap = 2.0  # the second derivatives are diag(p) - p p', whose rows add up to at most twice p (1 - p)

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is None:
            raise ValueError("the multinomial loss is that of a nominal target")
        return cls(Softmax(n_classes))

    def value(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray(log_sum(scores) - (y * scores).sum(axis=0))

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return softmax(scores) - y

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        share = softmax(scores)
        return share * (1 - share)

    def hessian(self, y: Floats, scores: Floats) -> Floats:
        share = softmax(scores)
        return np.asarray(np.eye(len(share))[:, :, None] * share - share[:, None] * share)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return np.log(np.clip(y @ share, least, 1 - least))

    def newton_step(self, slope: Floats, curvature: Floats) -> Floats:
        return (1.0 - 1.0 / self.n_scores) * super().newton_step(slope, curvature)

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """The entropy of the probabilities drawn towards the truth."""
        between = (1 - length) * y + length * softmax(scores)
        return np.asarray(entr(between).sum(axis=0))
