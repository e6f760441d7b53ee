"""Products of terms over weighted rows, found for the terms that are asked for."""

import numpy as np
from numpy.typing import NDArray

from glade.weights.term_columns import Floats, TermColumns


class WeightedProducts:
    """Products of centred terms; `share` says what each place counts."""

    def __init__(self, columns: TermColumns, share: Floats):
        self._columns, self.share = columns, share
        self.total = max(float(share.sum()), 1e-300)
        self._entered = np.zeros(0, np.int64)  # ascending
        self._mean = np.zeros(0)
        self._gram = np.zeros((0, 0))

    def take(self, terms: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Of some terms (ascending): their products with one another, and their means."""
        is_new = ~np.isin(terms, self._entered)
        if is_new.any():
            self._enter(terms[is_new])
        places = np.searchsorted(self._entered, terms)
        mean = self._mean[places]
        return self._gram[np.ix_(places, places)] - self.total * np.outer(mean, mean), mean

    def _enter(self, terms: NDArray[np.int64]) -> None:
        entered = np.union1d(self._entered, terms)
        old, new = np.searchsorted(entered, self._entered), np.searchsorted(entered, terms)
        gram, mean = np.empty((len(entered), len(entered))), np.empty(len(entered))
        gram[np.ix_(old, old)], mean[old] = self._gram, self._mean
        products = self._columns.weigh_products(terms, entered, self.share)
        gram[new], gram[:, new] = products, products.T
        mean[new] = self._columns.sum_up(self.share[None], terms)[0] / self.total
        self._entered, self._gram, self._mean = entered, gram, mean
