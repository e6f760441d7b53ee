"""Synthetic rows, for comparing models where there are no targets.

Each input is drawn by itself, as often missing as in training; or near a row that there is. A model of others wants
rows as its user has them, so there each cell of a synthetic row is taken from some row of the table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Column, Table

MARGINAL, UNIFORM = "marginal", "uniform"
DRAWN_BY_INPUT = (MARGINAL, UNIFORM)
NEAR = "near"
MOST_VALUES = 1000  # kept of an input; of more, as many quantiles


@dataclass(frozen=True)
class Marginals:
    """The distribution of each input: its values and how often they occur.

    The values of input j are values[start[j] : start[j + 1]], ascending; up_to has, for each, the share of the known
    rows up to it.
    """

    start: NDArray[np.int64]
    values: NDArray[np.float64]
    up_to: NDArray[np.float64]
    missing: NDArray[np.float64]  # per input: the share of rows that lack it
    is_label: NDArray[np.bool_]  # per input: values are positions of labels

    @classmethod
    def of(cls, table: Table, weights: NDArray[np.float64]) -> "Marginals":
        """Those of a training table."""
        parts = [_summarise(values, weights) for values in table.values]
        missing = [float(weights[np.isnan(values)].sum() / weights.sum()) for values in table.values]
        return cls(
            start=np.cumsum([0, *(len(values) for values, _ in parts)]),
            values=np.concatenate([values for values, _ in parts]),
            up_to=np.concatenate([up_to for _, up_to in parts]),
            missing=np.array(missing),
            is_label=np.array([labels is not None for labels in table.labels]),
        )

    def draw(self, n_rows: int, how: str, rng: np.random.Generator) -> NDArray[np.float64]:
        """So many rows, encoded: from the distribution of each input, or uniform over its range or its labels."""
        matrix = np.full((n_rows, len(self.missing)), np.nan)
        for j, share in enumerate(self.missing):
            own = slice(int(self.start[j]), int(self.start[j + 1]))
            values, up_to = self.values[own], self.up_to[own]
            place, is_missing = rng.random(n_rows), rng.random(n_rows) < share
            if len(values) == 0:
                continue
            if how == UNIFORM and not self.is_label[j]:
                low, high = values[0] / 2, values[-1] / 2  # halves: the range itself may not be a double
                drawn = (low + place * (high - low)) * 2
            elif how == UNIFORM:
                drawn = values[(place * len(values)).astype(int)]
            else:
                drawn = values[np.minimum(np.searchsorted(up_to, place, side="right"), len(values) - 1)]
            matrix[:, j] = np.where(is_missing, np.nan, drawn)
        return matrix


def _summarise(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Distinct values (or quantiles) and the share of weight up to each."""
    known = ~np.isnan(values)
    distinct, place = np.unique(values[known], return_inverse=True)
    up_to = np.cumsum(np.bincount(place, weights[known], len(distinct))) / (weights[known].sum() or 1.0)
    if len(distinct) <= MOST_VALUES:
        return distinct, up_to
    middles = (np.arange(MOST_VALUES) + 0.5) / MOST_VALUES
    quantiles = distinct[np.searchsorted(up_to, middles)]
    quantiles[[0, -1]] = distinct[[0, -1]]
    return quantiles, (np.arange(MOST_VALUES) + 1.0) / MOST_VALUES


def pick_cells(table: Table, n_rows: int, how: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows x inputs: from which row of the table each cell of so many synthetic rows is taken.

    "marginal": from any row. "uniform": from the row nearest to a value drawn uniformly from the input's range, or with
    a label drawn so. "near": all cells from the same row, but for one of them (on average), which is from any row.
    """
    picked = np.empty((n_rows, table.n_inputs), np.int64)
    own_row = rng.integers(table.n_rows, size=n_rows)
    for j, column in enumerate(table.columns):
        if how == MARGINAL:
            picked[:, j] = rng.integers(table.n_rows, size=n_rows)
        elif how == UNIFORM:
            picked[:, j] = _pick_uniform(column, n_rows, rng)
        else:
            is_other = rng.random(n_rows) < 1.0 / table.n_inputs
            picked[:, j] = np.where(is_other, rng.integers(table.n_rows, size=n_rows), own_row)
    return picked


def _pick_uniform(column: Column, n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    order = np.argsort(column.values, kind="stable")  # NaN last
    n_known = int((~np.isnan(column.values)).sum())
    picked = order[rng.integers(n_known, len(order), n_rows)] if n_known < len(order) else np.zeros(n_rows, np.int64)
    known = rng.random(n_rows) < n_known / len(order)
    place, values = rng.random(n_rows), column.values[order[:n_known]]
    if n_known and column.labels is not None:
        values, first = np.unique(values, return_index=True)
        picked[known] = order[first[(place * len(values)).astype(int)]][known]
    elif n_known:
        low, high = values[0] / 2, values[-1] / 2
        wanted = (low + place * (high - low)) * 2
        above = np.searchsorted(values, wanted).clip(1 if n_known > 1 else 0, n_known - 1)
        below = np.maximum(above - 1, 0)
        nearer = np.where(values[above] - wanted < wanted - values[below], above, below)
        picked[known] = order[nearer][known]
    return picked
