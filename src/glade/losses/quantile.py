"""The loss of a quantile: errors above and below it count by the shares of rows that are to lie there."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from glade.losses.base import Loss
from glade.losses.links import Floats, Identity, Link
from glade.losses.location import find_zero

WIDTH = 0.02  # of the smoothed corner, in units of the target's own spread without its tails
MEDIAN = 0.5


class Quantile(Loss):
    """level * (y - score) below the target, (1 - level) * (score - y) above it, the corner made smooth.

    The corner is a parabola whose second derivative is 1 / width: the loss is the largest of
    v * (score - y) - width * v^2 / 2 over all slopes v from -level to 1 - level.

    Parameters
    ----------
    link
        The identity.
    level
        The share of the rows that are to lie below the score.
    width
        Of the corner, in the unit of the targets that the loss is given.
    """

    name = "quantile"
    is_of_difference = True

    def __init__(self, link: Link, level: float = MEDIAN, width: float = WIDTH):
        super().__init__(link)
        self.level, self.width = level, width

    @classmethod
    def of(cls, n_classes: int | None) -> Self:
        if n_classes is not None:
            raise ValueError("the loss of a quantile is that of a numeric target")
        return cls(Identity(1))

    @property
    def settings(self) -> dict[str, float]:
        return {"level": self.level}

    def with_settings(self, settings: Mapping[str, float]) -> Self:
        level = settings.get("level", self.level)
        if set(settings) - {"level"} or not 0.0 < level < 1.0:
            raise ValueError(f"a quantile has a level between 0 and 1, but was given {dict(settings)}")
        return type(self)(self.link, level, self.width)

    def in_unit(self, unit: float) -> Self:
        return type(self)(self.link, self.level, self.width * unit)

    def value(self, y: Floats, scores: Floats) -> Floats:
        slope = self.gradient(y, scores)
        return np.asarray((slope * (scores - y - self.width * slope / 2)).sum(axis=0))

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        return np.clip((scores - y) / self.width, -self.level, 1 - self.level)

    def curvature(self, y: Floats, scores: Floats) -> Floats:
        """That of the parabola which touches the loss here and is nowhere below it."""
        from_middle = scores - y - self.width * (MEDIAN - self.level)  # about which the loss is as steep on both sides
        return MEDIAN / np.maximum(np.abs(from_middle), MEDIAN * self.width)

    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        return find_zero(self.gradient, y, share)

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        slope = length * self.gradient(y, scores)
        return np.asarray((-slope * (y + self.width * slope / 2)).sum(axis=0))
