"""The terms of a design over some rows: rules as bits, soft rules and linear terms as floats, and sums over them.

Arrays over rows are channels x places: a place for each bit of the words, zero beyond the last row.
"""

from copy import copy

import numpy as np
from numpy.typing import NDArray

from glade.rules.coverage import WORD, unpack
from glade.rules.design import Design

CHUNK_CELLS = 4_000_000  # floats of a chunk

Floats = NDArray[np.float64]


class TermColumns:
    """A column for each term: the rules, then those that are floats."""

    def __init__(self, design: Design, matrix: Floats):
        self.bits = design.hard.bits(matrix)
        self.n_rows, self.n_rules = len(matrix), len(design.rules)
        self.n_places = -(-self.n_rows // WORD) * WORD
        self.floats = np.zeros((len(design) - self.n_rules, self.n_places))
        self.floats[:, : self.n_rows] = design.values_not_bits(matrix).T

    def __len__(self) -> int:
        return self.n_rules + len(self.floats)

    def take(self, terms: NDArray[np.int64]) -> "TermColumns":
        """The columns of some terms (ascending)."""
        part = copy(self)
        n_chosen = part.n_rules = int(np.searchsorted(terms, self.n_rules))
        part.bits, part.floats = self.bits[terms[:n_chosen]], self.floats[terms[n_chosen:] - self.n_rules]
        return part

    def place(self, values: Floats) -> Floats:
        """Values, rows x channels, as channels x places."""
        placed = np.zeros((values.shape[1], self.n_places))
        placed[:, : self.n_rows] = values.T
        return placed

    def sum_up(self, values: Floats, terms: NDArray[np.int64] | None = None) -> Floats:
        """Channels x terms: each term's products with the values, added up; of all terms or of some (ascending)."""
        from glade.weights._lasso import sum_covered

        bits, floats = self.bits, self.floats
        if terms is not None:
            n_chosen = int(np.searchsorted(terms, self.n_rules))
            bits, floats = bits[terms[:n_chosen]], floats[terms[n_chosen:] - self.n_rules]
        sums = np.zeros((len(values), len(bits) + len(floats)))
        by_rule = np.zeros((len(values), len(bits)))
        sum_covered(bits, values, np.empty((8, 256)), by_rule)
        sums[:, : len(bits)] = by_rule
        sums[:, len(bits) :] = values @ floats.T
        return sums

    def multiply(self, terms: NDArray[np.int64]) -> Floats:
        """Some terms' products with every term, added up over the rows."""
        from glade.weights._lasso import count_shared

        products, is_rule = np.empty((len(terms), len(self))), terms < self.n_rules
        for k in np.flatnonzero(is_rule):
            count_shared(self.bits, self.bits[terms[k]], products[k, : self.n_rules])
        covered = unpack(self.bits[terms[is_rule]], self.n_rows).astype(float)
        products[is_rule, self.n_rules :] = covered @ self.floats[:, : self.n_rows].T
        products[~is_rule] = self.sum_up(self.floats[terms[~is_rule] - self.n_rules])
        return products

    def predict(self, terms: NDArray[np.int64], weights: Floats) -> Floats:
        """Channels x places: the weighted sum of some terms (ascending); weights are channels x terms."""
        from glade.weights._lasso import add_covered

        n_chosen = int(np.searchsorted(terms, self.n_rules))
        out = weights[:, n_chosen:] @ self.floats[terms[n_chosen:] - self.n_rules]
        add_covered(self.bits, terms[:n_chosen], np.ascontiguousarray(weights[:, :n_chosen]), out)
        return out

    def weigh_products(self, rows: NDArray[np.int64], columns: NDArray[np.int64], share: Floats) -> Floats:
        """Terms x other terms (both ascending): their products, added up over places by their share."""
        products = np.zeros((len(rows), len(columns)))
        size = max(WORD, CHUNK_CELLS // max(len(rows) + len(columns), 1) // WORD * WORD)
        for first in range(0, self.n_places, size):
            chunk = slice(first, min(first + size, self.n_places))
            products += (self._values(rows, chunk) * share[chunk]) @ self._values(columns, chunk).T
        return products

    def _values(self, terms: NDArray[np.int64], places: slice) -> Floats:
        n_chosen = int(np.searchsorted(terms, self.n_rules))
        words = np.ascontiguousarray(self.bits[terms[:n_chosen], places.start // WORD : places.stop // WORD])
        floats = self.floats[terms[n_chosen:] - self.n_rules, places]
        return np.concatenate((unpack(words, places.stop - places.start), floats))
