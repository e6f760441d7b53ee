"""Coded rows with columns of targets, and sums of them by the codes of an input: for searches written in NumPy.

Of the columns those of one target vary by 1 altogether, so that numbers and classes count alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class CodedRows:
    """Coded rows with the columns of the targets, NaN where unknown.

    Parameters
    ----------
    inputs
        Coded.
    y
        Rows x columns.
    target
        Of each column the number of its target, ascending.
    weights
        Of the rows.
    """

    inputs: CodedInputs
    y: Floats
    target: Places
    weights: Floats

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """Inputs x rows; one more than the last code where a value is missing."""
        columns = self.inputs.columns
        own = [columns.narrow[k] if k >= 0 else columns.wide[-1 - k] for k in columns.place]
        return np.array([row.astype(np.int32) for row in own], np.int32).reshape(len(own), len(self.y))

    @cached_property
    def start(self) -> Places:
        """Of each target its first column."""
        return np.flatnonzero(np.diff(self.target, prepend=-1))

    @cached_property
    def parts(self) -> Floats:
        """What a row of weight 1 adds to sums: the columns, then of each target whether it is known, and its square."""
        known = ~np.isnan(self.y)
        y = np.where(known, self.y, 0.0)
        return np.hstack((y, known[:, self.start], np.add.reduceat(y * y, self.start, axis=1)))

    def sum_by_code(self, j: int, rows: Places, values: Floats) -> Floats:
        """Codes of an input x columns: the sums of the values (all rows x columns) of some rows; gaps come last."""
        from glade.data._sums import sum_by_code

        sums = np.zeros((int(self.inputs.columns.n_codes[j]) + 1, values.shape[1]))
        sum_by_code(self.codes[j], rows, values, sums)
        return sums

    def split_sums(self, sums: Floats) -> tuple[Floats, Floats]:
        """Of sums (anything x parts): the weight of the rows by target, and the squares about their mean."""
        n_targets = int(self.target[-1]) + 1
        total, weight, square = np.split(sums, [len(self.target), len(self.target) + n_targets], axis=-1)
        of_mean = np.add.reduceat(total * total, self.start, axis=-1) / np.maximum(weight, 1e-300)
        return weight, np.maximum(square - np.where(weight > 0, of_mean, 0.0), 0.0)

    def find_means(self, rows: Places, default: Floats) -> Floats:
        """The weighted means of the columns over some rows; the default where a target is known in none of them."""
        y, weights = self.y[rows], self.weights[rows, None] * ~np.isnan(self.y[rows])
        total = weights.sum(axis=0)
        mean = (weights * np.nan_to_num(y)).sum(axis=0) / np.maximum(total, 1e-300)
        return np.where(total > 0, mean, default)


def name_columns(places: Sequence[slice]) -> Places:
    """Of each column the number of its target."""
    return np.concatenate([np.full(at.stop - at.start, t) for t, at in enumerate(places)])
