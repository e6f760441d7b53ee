"""Sums of products about means: what ridge and greedy weights are found from, and how well they do on other rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Moments, TargetMoments
from glade.weights.products import Products, StoredProducts


@dataclass(frozen=True)
class CentredSums:
    """Terms and the targets that are known in the same rows, about their means over these rows."""

    targets: NDArray[np.int64]
    weight: float
    mean: NDArray[np.float64]  # of the terms
    y_mean: NDArray[np.float64]
    products: Products  # terms x terms
    cross: NDArray[np.float64]  # terms x targets

    @classmethod
    def of(cls, moments: TargetMoments, products: Products | None = None) -> "CentredSums":
        """From moments, and products where these do not hold those of all terms."""
        rows = moments.rows
        mean, y_mean = rows.mean, rows.y_mean
        if products is None:
            gram = np.outer(mean, rows.total)
            np.subtract(rows.gram, gram, out=gram)  # in place: with 2,500 terms each array is 50 MB
            products = StoredProducts(gram)
        return cls(moments.targets, rows.weight, mean, y_mean, products, rows.cross - np.outer(mean, rows.y_total))

    def take(self, terms: NDArray[Any]) -> "CentredSums":
        """Of these terms."""
        products = StoredProducts(self.products.take(terms))
        return CentredSums(self.targets, self.weight, self.mean[terms], self.y_mean, products, self.cross[terms])

    def take_means(self, terms: NDArray[Any]) -> "Means":
        """Of these terms, without any product."""
        return Means(self.targets, self.mean[terms], self.y_mean)

    def imitating(self, weights: NDArray[np.float64]) -> "CentredSums":
        """The same with other targets: what these weights (terms x all targets) predict."""
        return replace(self, cross=self.products.multiply(weights[:, self.targets]))


class KnownTogether(Protocol):
    """Targets known in the same rows, and the means over these."""

    @property
    def targets(self) -> NDArray[np.int64]: ...
    @property
    def mean(self) -> NDArray[np.float64]: ...
    @property
    def y_mean(self) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class Means:
    """Of terms and of the targets that are known in the same rows."""

    targets: NDArray[np.int64]
    mean: NDArray[np.float64]
    y_mean: NDArray[np.float64]


@dataclass(frozen=True)
class HeldOutProducts:
    """Mean products over rows held out, about the means of the rows that weights are found on."""

    targets: NDArray[np.int64]
    gram: NDArray[np.float64]
    cross: NDArray[np.float64]
    square: NDArray[np.float64]  # of each target with itself

    @classmethod
    def of(cls, rows: Moments, about: KnownTogether) -> "HeldOutProducts":
        mean = about.mean
        gram = rows.gram / rows.count - np.outer(mean, rows.mean) - np.outer(rows.mean - mean, mean)
        return cls(about.targets, gram, *centre_targets(rows, mean, about.y_mean))

    def errors(self, terms: NDArray[Any], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean squared error of each target; weights are (any models) x terms x targets."""
        gram, cross = self.gram[np.ix_(terms, terms)], self.cross[terms]
        return self.square + np.einsum("...it,...it->...t", weights, gram @ weights - 2 * cross)


def centre_targets(
    rows: Moments, mean: NDArray[np.float64], y_mean: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean products about other rows' means: of terms with targets, of each target with itself."""
    cross = rows.cross / rows.count - np.outer(mean, rows.y_mean) - np.outer(rows.mean - mean, y_mean)
    square = rows.y_square / rows.count - y_mean * rows.y_mean - (rows.y_mean - y_mean) * y_mean
    return cross, square


def find_offset(weights: NDArray[np.float64], groups: Sequence[KnownTogether]) -> NDArray[np.float64]:
    """What the prediction must start from for its mean to be that of the targets; for any number of models at once."""
    offset = np.zeros((*weights.shape[:-2], weights.shape[-1]))
    for group in groups:
        offset[..., group.targets] = group.y_mean - group.mean @ weights[..., group.targets]
    return offset
