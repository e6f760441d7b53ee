"""What every loss offers: value, gradient, curvature, start, null value, and a dual bound where it has one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
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
    is_of_difference : bool
        Whether the loss is one of the difference between score and target: then the targets may be moved and scaled.
    overlap : float
        What the largest second derivative along one score must be multiplied by for the curvature along any direction
        to be no larger.
    """

    name: ClassVar[str]
    is_quadratic: ClassVar[bool] = False
    is_of_difference: ClassVar[bool] = False
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
    def curvature(self, y: Floats, scores: Floats) -> Floats:
        """The second derivative of a row's loss along each score.

        Where the loss is partly linear, it is that of a parabola which touches the loss and is nowhere below it.
        """

    @abstractmethod
    def start(self, y: Floats, share: Floats, least: float) -> Floats:
        """The constant scores of least loss, by what share of all each row counts.

        No class counts as rarer than `least`, and no amount as smaller.
        """

    @property
    def settings(self) -> dict[str, float]:
        """What distinguishes this loss from others of its name."""
        return {}

    def with_settings(self, settings: Mapping[str, float]) -> Self:
        """The loss with what `settings` gives.

        Raises
        ------
        ValueError
            If it has no such settings.
        """
        if settings:
            raise ValueError(f"the {self.name} loss has no settings, but was given {', '.join(settings)}")
        return self

    def in_unit(self, unit: float) -> Self:
        """The loss for targets whose spread is this, where it is one of differences; its own are about 1."""
        return self

    def bound_curvature(self, y: Floats, scores: Floats) -> Floats:
        """For each row an upper bound of the second derivative of its loss along any direction, a little above zero."""
        return self.overlap * np.maximum(self.curvature(y, scores).max(axis=0), LEAST_CURVATURE)

    def hessian(self, y: Floats, scores: Floats) -> Floats:
        """Scores x scores x rows: the second derivatives of each row's loss. Here scores do not act together."""
        own = self.curvature(y, scores)
        return np.asarray(np.eye(len(own))[:, :, None] * own)

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
