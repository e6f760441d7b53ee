"""What was observed of the training rows that a rule covers, and of all others, beside what the rule adds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.columns import Column
from glade.rules.coverage import sum_covered
from glade.rules.design import Design

Floats = NDArray[np.float64]
COVERED = 0.5  # of a soft rule: how far it is on where it is said to cover a row


@dataclass(frozen=True)
class Observed:
    """Means over training rows, terms x channels: of numbers, and of the zeros and ones of classes.

    Parameters
    ----------
    inside, outside
        Of the rows that a rule covers, and of all others; NaN where there are none, and for terms that are no rules.
    error
        The standard error of the mean inside.
    """

    inside: Floats
    outside: Floats
    error: Floats

    @classmethod
    def of(cls, design: Design, matrix: Floats, columns: Sequence[Column], weights: Floats) -> "Observed":
        """Of the rows of an encoded table whose targets are these columns."""
        y, known = _to_channels(columns)
        with np.errstate(over="ignore"):
            parts = np.hstack((known, y, y * y)) * weights[:, None]
        inside = np.zeros((len(design), parts.shape[1]))
        n_hard = len(design.hard)
        for rows in design.chunks_of_bits(len(matrix)):
            if n_hard:
                inside[:n_hard] += sum_covered(design.hard.bits(matrix, rows), parts[rows])
            is_on = design.values_not_bits(matrix[rows]) >= COVERED * design.unit[n_hard:]
            with np.errstate(invalid="ignore"):  # squares that are infinite tell no error
                inside[n_hard:] += is_on.T.astype(float) @ parts[rows]
        with np.errstate(invalid="ignore", over="ignore"):
            others = parts.sum(axis=0) - inside
        count, total, square = np.split(inside, 3, axis=1)
        rest, rest_total, _ = np.split(others, 3, axis=1)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            mean = np.where(count > 0, total / count, np.nan)
            beyond = np.where(rest > 1e-9 * (count + rest), rest_total / rest, np.nan)
            error = np.sqrt(np.maximum(square / count - mean**2, 0.0) / count)
        for own in (mean, beyond, error):
            own[~design.is_rule] = np.nan
            own[np.isinf(own)] = np.nan
        return cls(mean, beyond, error)

    def take(self, terms: NDArray[np.int64]) -> "Observed":
        """Of these terms."""
        return Observed(self.inside[terms], self.outside[terms], self.error[terms])


def _to_channels(columns: Sequence[Column]) -> tuple[Floats, Floats]:
    """Rows x channels: numbers, or zeros and ones of classes, 0 where unknown; and ones where known."""
    values, known = [], []
    for column in columns:
        there = ~np.isnan(column.values)
        if column.labels is None:
            own = np.where(there, column.values, 0.0)[:, None]
        else:
            own = (column.values[:, None] == np.arange(len(column.labels))).astype(float)
        values.append(own)
        known.append(np.repeat(there[:, None].astype(float), own.shape[1], axis=1))
    return np.hstack(values), np.hstack(known)
