"""Links: how the scores of a target, which terms or trees add up to, become its values.

The value of a numeric target is a number; those of a nominal one are the probabilities of its classes. Arrays are
scores (or values) x anything. Of two classes there is a single score, that of the second class less that of the first.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]

LEAST_SHARE = 1e-15  # a probability is never less, nor the rest of one
LARGEST_EXPONENT = 700.0  # beyond, the exponential or its inverse is not a normal number


class Link(ABC):
    """The way from scores to values.

    Parameters
    ----------
    n_values
        How many values a target has: 1 for a number, else one for each class.

    Attributes
    ----------
    name : str
        By which the page of a report knows the link.
    is_additive : bool
        Whether a value is a linear function of the scores (until it is clipped), so that a term changes it by the same
        amount wherever it applies.
    scale, origin : float
        A solver's column, in the unit of the values, becomes a score as scale * column + origin.
    """

    name: ClassVar[str]
    is_additive: ClassVar[bool] = False
    scale: ClassVar[float] = 1.0
    origin: ClassVar[float] = 0.0

    def __init__(self, n_values: int):
        self.n_values = n_values

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self.n_values))

    @property
    def n_scores(self) -> int:
        """How many scores a target has."""
        return self.n_values

    @abstractmethod
    def inverse(self, scores: Floats) -> Floats:
        """The values that belong to scores."""

    def expand(self, scores: Floats) -> Floats:
        """A score for each value: of two classes the first has that of the second with the other sign."""
        return scores

    def find_changes(self, effects: Floats) -> Floats:
        """Returns what an addition to the scores adds to the values where none is clipped, if the link is additive."""
        raise NotImplementedError(f"the link {self.name!r} is not additive")

    def find_place(self, scores: Floats) -> Floats:
        """Returns the values before any is clipped, if the link is additive."""
        raise NotImplementedError(f"the link {self.name!r} is not additive")


class Identity(Link):
    """The score is the value."""

    name = "identity"
    is_additive = True

    def inverse(self, scores: Floats) -> Floats:
        return scores

    def find_changes(self, effects: Floats) -> Floats:
        return effects

    def find_place(self, scores: Floats) -> Floats:
        return scores


class Shares(Identity):
    """Scores are probabilities of classes but for errors: they are clipped and made to add up to 1."""

    name = "shares"

    def inverse(self, scores: Floats) -> Floats:
        return normalise(np.clip(scores, 0.0, 1.0))


class PairLink(Link):
    """The values of two classes from the one score of the second."""

    @property
    def n_scores(self) -> int:
        return 1

    def expand(self, scores: Floats) -> Floats:
        return np.concatenate((-scores, scores))


class PairShares(PairLink):
    """The score is the difference of two probabilities but for errors: it is clipped to lie between -1 and 1."""

    name = "pair_shares"
    is_additive = True
    scale = 2.0
    origin = -1.0

    def inverse(self, scores: Floats) -> Floats:
        return normalise(np.clip(self.find_place(scores), 0.0, 1.0))

    def find_changes(self, effects: Floats) -> Floats:
        return self.expand(effects) / 2.0

    def find_place(self, scores: Floats) -> Floats:
        return 0.5 + self.expand(scores) / 2.0


class Logit(PairLink):
    """The score is the log-odds of the second of two classes."""

    name = "logit"

    def inverse(self, scores: Floats) -> Floats:
        return keep_possible(expit(self.expand(scores)))


class Log(Link):
    """The score is the logarithm of the value, which is positive."""

    name = "log"

    def inverse(self, scores: Floats) -> Floats:
        return np.exp(np.clip(scores, -LARGEST_EXPONENT, LARGEST_EXPONENT))


class Softmax(Link):
    """Scores are logarithms of probabilities of classes, up to a constant that they have in common."""

    name = "softmax"

    def inverse(self, scores: Floats) -> Floats:
        return keep_possible(softmax(scores))


def keep_possible(shares: Floats) -> Floats:
    """Probabilities of which none is exactly 0 or 1, where scores are beyond what floats can tell.

    >>> keep_possible(np.array([0.0, 0.5, 1.0])).tolist()
    [1e-15, 0.5, 0.999999999999999]
    """
    return np.clip(shares, LEAST_SHARE, 1.0 - LEAST_SHARE) if len(shares) > 1 else shares


def softmax(scores: Floats) -> Floats:
    """Exponentials along the first axis, divided by their sum. SciPy's function takes three times as long on few rows.

    >>> softmax(np.log([[1.0], [3.0]])).ravel().round(9).tolist()
    [0.25, 0.75]
    """
    shares = np.exp(scores - scores.max(axis=0))
    shares /= shares.sum(axis=0)
    return np.asarray(shares)


def log_sum(scores: Floats) -> Floats:
    """The logarithm of the sum of exponentials along the first axis."""
    most = scores.max(axis=0)
    return np.asarray(most + np.log(np.exp(scores - most).sum(axis=0)))


def normalise(shares: Floats) -> Floats:
    """Shares divided by their sum along the first axis; where all are zero they become equal."""
    total = shares.sum(axis=0)
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), 1.0 / len(shares))
