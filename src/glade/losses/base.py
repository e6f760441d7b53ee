"""What every loss offers: value, gradient, curvature, start, null value, and a dual bound where it has one."""

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np

from glade.losses.links import Floats, Link

LEAST_CURVATURE = 1e-5  # of a row that is predicted with certainty
NEWTON_CURVATURE = 1e-150  # below, a leaf is predicted with certainty and there is nothing to correct


class Loss(ABC):
    """The loss of one target, a function of its scores.

    Arrays are scores x rows, or scores x anything; `y` has the shape of the scores: a number, ones and zeros for the
    classes that have a score. A subclass says what differs: the value, the gradient, the curvature, the start.

    Parameters
    ----------
    link
        How scores become values.

    Attributes
    ----------
    name : str
        By which files and constructors know the loss.
    is_quadratic : bool
        Whether the loss is half the squared error: then sums of products (moments) of a table are all that a solver
        needs, and one Newton step is the solution.
    overlap : float
        What the largest second derivative along one score must be multiplied by for the curvature along any direction
        to be no larger.
    """

    name: ClassVar[str]
    is_quadratic: ClassVar[bool] = False
    overlap: ClassVar[float] = 1.0

    def __init__(self, link: Link):
        self.link = link

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self.link))

    def __repr__(self) -> str:
        return f"<{self.name} loss of {self.n_scores} score{'' if self.n_scores == 1 else 's'}>"

    @classmethod
    @abstractmethod
    def of(cls, n_classes: int | None) -> Self:
        """The loss of a target with so many classes; None stands for a numeric target.

        Raises
        ------
        ValueError
            If there is no such loss of such a target.
        """

    @property
    def n_scores(self) -> int:
        """How many scores the target has."""
        return self.link.n_scores

    @abstractmethod
    def value(self, y: Floats, scores: Floats) -> Floats:
        """The loss of each row."""

    @abstractmethod
    def gradient(self, y: Floats, scores: Floats) -> Floats:
        """The derivative of each row's loss along each score."""

    @abstractmethod
    def curvature(self, scores: Floats) -> Floats:
        """The second derivative of a row's loss along each score."""

    @abstractmethod
    def start(self, mean: Floats, least: float) -> Floats:
        """The constant scores of least loss for targets of this mean; no class counts as rarer than `least`."""

    def bound_curvature(self, scores: Floats) -> Floats:
        """For each row an upper bound of the second derivative of its loss along any direction, a little above zero."""
        return self.overlap * np.maximum(self.curvature(scores).max(axis=0), LEAST_CURVATURE)

    def newton_step(self, slope: Floats, curvature: Floats) -> Floats:
        """The addition to each score that is best by sums of negative gradients and of curvatures over some rows."""
        return np.divide(slope, curvature, out=np.zeros_like(slope), where=curvature > NEWTON_CURVATURE)

    def null(self, y: Floats, share: Floats, start: Floats) -> float:
        """The loss that counts as an error of 1: that of constant scores, by what share of all each row counts."""
        constant = np.repeat(start[:, None], y.shape[1], axis=1)
        return max(float((share * self.value(y, constant)).sum()), 1e-300)

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """Each row's part of the dual objective at so much of the gradient: minus the conjugate of its loss there.

        A solver that stops by the duality gap needs it.
        """
        raise NotImplementedError(f"the {self.name} loss has no dual bound")
