"""Products of rows, one with another: what ridge weights are found from where there are fewer rows than terms."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from glade.rules.coverage import WORD, Bits, add_covered, count_common, sum_covered, unpack
from glade.rules.design import TargetRows
from glade.weights.centred import CentredSums
from glade.weights.cholesky import solve_penalised

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ColumnsByKind:
    """The columns of a design over some rows: hard rules as bits, all else as floats.

    Parameters
    ----------
    bits
        Rules x words.
    floats
        Rows x soft rules and linear terms.
    """

    bits: Bits
    floats: Floats

    def add_up(self, of_rows: Floats) -> Floats:
        """Terms x targets: the sums, over the rows, of each term's values times what the rows have."""
        return np.vstack((sum_covered(self.bits, of_rows), self.floats.T @ of_rows))

    def predict_by_rules(self, weights: Floats) -> Floats:
        """Rows x targets: the sums of the weights of the hard rules that cover a row."""
        sums = np.zeros((len(self.floats), weights.shape[1]))
        add_covered(self.bits, weights, sums)
        return sums

    def count_shared(self, rows: NDArray[np.intp]) -> Floats:
        """Rows x rows: how many hard rules cover both."""
        of_rows = np.packbits(unpack(self.bits, len(self.floats)).T[rows], axis=1, bitorder="little")
        of_rows = np.pad(of_rows, ((0, 0), (0, -of_rows.shape[1] % (WORD // 8))))
        counts = np.empty((len(rows), len(rows)))
        count_common(np.ascontiguousarray(of_rows).view(np.uint64), counts)
        return counts


@dataclass(frozen=True)
class RowSystem:
    """The ridge weights of all terms as a function of the penalty, by the products of the known rows' centred values.

    Parameters
    ----------
    columns
        The terms over all rows.
    rows
        The places of those in which the targets are known.
    root
        The root of what each of these counts.
    products
        Of these with one another.
    y
        Their targets, centred and times the root.
    mean
        Of each term.
    """

    columns: ColumnsByKind
    rows: NDArray[np.intp]
    root: Floats
    products: Floats
    y: Floats
    mean: Floats

    @classmethod
    def of(cls, columns: ColumnsByKind, rows: TargetRows, group: CentredSums, known: NDArray[np.bool_]) -> Self:
        """For the targets of a group."""
        places, n_rules = np.flatnonzero(known), len(columns.bits)
        root = np.sqrt(rows.counts[known])
        of_rules, floats = group.mean[:n_rules], columns.floats[known] - group.mean[n_rules:]
        about = columns.predict_by_rules(of_rules[:, None])[known, 0]
        products = columns.count_shared(places)
        products -= about[:, None]
        products -= about - of_rules @ of_rules
        products += floats @ floats.T
        products *= root[:, None]
        products *= root
        y = (rows.y[np.ix_(known, group.targets)] - group.y_mean) * root[:, None]
        return cls(columns, places, root, products, y, group.mean)

    def find_weights(self, penalty: float) -> Floats:
        """Terms x targets."""
        return self.to_terms(solve_penalised(self.products, self.y, penalty))

    def to_terms(self, of_rows: Floats) -> Floats:
        """Terms x targets: the sums of the rows' values, centred and times the root, times what each row has."""
        own = self.root[:, None] * of_rows
        of_rows = np.zeros((len(self.columns.floats), own.shape[1]))
        of_rows[self.rows] = own
        return self.columns.add_up(of_rows) - np.outer(self.mean, own.sum(axis=0))
