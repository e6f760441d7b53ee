"""Huber's loss: squared for small errors, linear for large ones, so that no faulty reading counts for much."""

from typing import Self

import numpy as np

from glade.losses.base import Loss
from glade.losses.links import Floats, Identity, Link
from glade.losses.location import find_zero

THRESHOLD = 1.0  # where the loss becomes linear, in units of the target's own spread without its tails


class Huber(Loss):
    """error^2 / 2 up to a threshold, and from there on a line of the slope that it has reached.

    Parameters
    ----------
    link
        The identity.
    threshold
        In the unit of the targets that the loss is given.
    """

    name = "huber"
    is_of_difference = True

    def __init__(self, link: Link, threshold: float = THRESHOLD):
        super().__init__(link)
        self.threshold = threshold

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is not None:
            raise ValueError("Huber's loss is that of a numeric target")
        return cls(Identity(1))

    def in_unit(self, unit: float) -> Self:
        return type(self)(self.link, self.threshold * unit)

    def value(self, y: Floats, scores: Floats) -> Floats:
        slope = self.gradient(y, scores)
        return np.asarray((slope * (scores - y - slope / 2)).sum(axis=0))

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return np.clip(scores - y, -self.threshold, self.threshold)

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        """That of the parabola which touches the loss here and is nowhere below it."""
        return self.threshold / np.maximum(np.abs(scores - y), self.threshold)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return find_zero(self.gradient, y, share)

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        slope = length * -self.gradient(y, scores)
        return np.asarray((slope * (y - slope / 2)).sum(axis=0))
