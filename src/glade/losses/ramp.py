"""The ramp loss of classes: squared between the values of two classes, constant beyond them."""

from typing import Self

import numpy as np

from glade.losses.base import Loss
from glade.losses.links import Floats, Link, PairShares, Shares
from glade.losses.squared import Squared


class Ramp(Loss):
    """(clip(score, low, high) - y)^2 / 2, y being low or high: nothing is gained beyond a row's class.

    A row that is wholly on the wrong side costs the same however far it is, so that a faulty label counts for little.
    The loss is not convex: what a solver of convex problems finds with it depends on where it starts.

    Parameters
    ----------
    link
        That of squared errors.
    low, high
        Of each score what stands for not being of the class, and for being of it.
    """

    name = "ramp"

    def __init__(self, link: Link, low: tuple[float, ...], high: tuple[float, ...]):
        super().__init__(link)
        self.low, self.high = low, high

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is None:
            raise ValueError("the ramp loss is that of a nominal target")
        n_scores = 1 if n_classes == 2 else n_classes
        return cls(PairShares(2) if n_classes == 2 else Shares(n_classes), (0.0,) * n_scores, (1.0,) * n_scores)

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        return np.array(self.low)[:, None], np.array(self.high)[:, None]

    def _is_lost(self, y: Floats, scores: Floats) -> Floats:
        """Which scores are beyond the wrong end."""
        low, high = self._ends
        return np.where(y > (low + high) / 2, scores <= low, scores >= high)

    def value(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray(((np.clip(scores, *self._ends) - y) ** 2).sum(axis=0) / 2)

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return np.where(self._is_lost(y, scores), 0.0, np.clip(scores, *self._ends) - y)

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        """That of the parabola within, also beyond the right end, where a step back would cost something again."""
        return np.where(self._is_lost(y, scores), 0.0, 1.0)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return y @ share

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """Of the convex loss that touches this one here: rows that are lost count for nothing."""
        slope = -length * self.gradient(y, scores)
        lost = np.where(self._is_lost(y, scores), (np.clip(scores, *self._ends) - y) ** 2 / 2, 0.0)
        return np.asarray((slope * (y - slope / 2) + lost).sum(axis=0))


def to_ramp(loss: Loss, mean: Floats, unit: Floats) -> Loss:
    """The ramp loss in place of the squared errors of classes; other losses as they are.

    Parameters
    ----------
    loss
        Of one target.
    mean, unit
        Of each of its columns, which are (zeros and ones - mean) / unit.
    """
    if not isinstance(loss, Squared) or loss.link.n_values == 1:
        return loss
    low, high = (tuple(((end - mean) / unit).tolist()) for end in (0.0, 1.0))
    return Ramp(loss.link, low, high)
