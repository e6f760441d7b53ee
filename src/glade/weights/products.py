"""Products of centred terms, one with another, over the rows in which some targets are known.

With thousands of terms each matrix of them is 50 MB, and there may be one for every target of every fold: unless one
matrix serves all targets and is needed as a whole, products are found when they are asked for.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glade.rules.coverage import WORD, Bits, add_covered, count_common, sum_covered

Floats = NDArray[np.float64]
BLOCK = 256  # rows of a matrix that change at a time


class Products(Protocol):
    """What solvers ask for."""

    @property
    def diagonal(self) -> Floats:
        """Of each term with itself."""

    def row(self, term: int) -> Floats:
        """Of one term with every term."""

    def take(self, terms: NDArray[np.int64]) -> Floats:
        """Of these terms with one another."""

    def whole(self) -> Floats:
        """Of all terms with one another."""

    def multiply(self, weights: Floats) -> Floats:
        """The whole matrix times weights (terms x targets)."""


@dataclass(frozen=True)
class StoredProducts:
    """All of them."""

    gram: Floats

    @property
    def diagonal(self) -> Floats:
        return np.diag(self.gram)

    def row(self, term: int) -> Floats:
        return self.gram[term]

    def take(self, terms: NDArray[np.int64]) -> Floats:
        return self.gram[np.ix_(terms, terms)]

    def whole(self) -> Floats:
        return self.gram

    def multiply(self, weights: Floats) -> Floats:
        return self.gram @ weights


@dataclass(frozen=True)
class CountedProducts:
    """Found from the rows, which count once: those of two rules are counts of the rows that they share.

    Parameters
    ----------
    bits
        Rules x words: the rows that each rule covers.
    known
        A bit for each row that counts.
    with_floats
        Terms x soft rules and linear terms: their products, not centred.
    total, mean
        Of each term.
    """

    bits: Bits
    known: Bits
    with_floats: Floats
    total: Floats
    mean: Floats

    @property
    def diagonal(self) -> Floats:
        n_rules = len(self.bits)
        return np.append(self.total[:n_rules], np.diag(self.with_floats[n_rules:])) - self.mean * self.total

    def row(self, term: int) -> Floats:
        from glade.weights._lasso import count_shared

        n_rules = len(self.bits)
        if term >= n_rules:
            return self.with_floats[:, term - n_rules] - self.mean[term] * self.total
        products = np.empty(len(self.total))
        count_shared(self.bits, self.bits[term] & self.known, products[:n_rules])
        products[n_rules:] = self.with_floats[term]
        return products - self.mean[term] * self.total

    def take(self, terms: NDArray[np.int64]) -> Floats:
        n_rules, is_rule = len(self.bits), terms < len(self.bits)
        rules, floats = np.flatnonzero(is_rule), np.flatnonzero(~is_rule)
        counts = np.empty((len(rules), len(rules)))
        count_common(self.bits[terms[rules]] & self.known, counts)
        with_floats = self.with_floats[np.ix_(terms, terms[floats] - n_rules)]
        products = np.empty((len(terms), len(terms)))
        products[np.ix_(rules, rules)] = counts
        products[:, floats], products[floats] = with_floats, with_floats.T
        return products - np.outer(self.mean[terms], self.total[terms])

    def whole(self) -> Floats:
        """The matrix is made in place: it is the largest thing in memory."""
        n_rules = len(self.bits)
        products = np.empty((len(self.total), len(self.total)))
        count_common(self.bits & self.known, products)
        products[:, n_rules:], products[n_rules:] = self.with_floats, self.with_floats.T
        for first in range(0, len(products), BLOCK):
            part = slice(first, first + BLOCK)
            products[part] -= np.outer(self.mean[part], self.total)
        return products

    def multiply(self, weights: Floats) -> Floats:
        """By the rows, so that the matrix is not made."""
        n_rules, n_rows = len(self.bits), self.known.shape[-1] * WORD
        covered = np.zeros((n_rows, weights.shape[1]))
        add_covered(self.bits & self.known, weights[:n_rules], covered)
        of_rules = sum_covered(self.bits & self.known, covered) + self.with_floats[:n_rules] @ weights[n_rules:]
        product = np.vstack((of_rules, self.with_floats.T @ weights))
        return np.asarray(product - np.outer(self.mean, self.total @ weights))


@dataclass(frozen=True)
class WeighedProducts:
    """Found from few rows that have weights.

    Parameters
    ----------
    values
        Rows x terms.
    weights
        Of the rows; zero for those that do not count.
    total, mean
        Of each term.
    """

    values: Floats
    weights: Floats
    total: Floats
    mean: Floats

    @property
    def diagonal(self) -> Floats:
        return self.weights @ (self.values * self.values) - self.mean * self.total

    def row(self, term: int) -> Floats:
        return (self.weights * self.values[:, term]) @ self.values - self.mean[term] * self.total

    def take(self, terms: NDArray[np.int64]) -> Floats:
        values = self.values[:, terms]
        return (values * self.weights[:, None]).T @ values - np.outer(self.mean[terms], self.total[terms])

    def whole(self) -> Floats:
        return self.take(np.arange(self.values.shape[1]))

    def multiply(self, weights: Floats) -> Floats:
        product = self.values.T @ (self.weights[:, None] * (self.values @ weights))
        return np.asarray(product - np.outer(self.mean, self.total @ weights))
