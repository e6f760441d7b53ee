"""Blocks of a table in partitions as a fitted model sees them: encoded inputs, targets, weights, folds."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.core.notices import silence_warnings
from glade.data.columns import NOMINAL, NUMERIC, Column, read_numbers
from glade.data.frames import list_targets
from glade.data.outliers import FAR
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.scale.draws import draw_folds, number_groups
from glade.scale.parts import Partition
from glade.scale.roles import Roles

Floats = NDArray[np.float64]


class TableRows(NamedTuple):
    """Some rows of a table."""

    numbers: NDArray[np.int64]  # in the whole table
    matrix: Floats  # rows x inputs, encoded
    targets: list[Column]  # the values of nominal ones are the positions of the model's classes
    weights: Floats
    fold: NDArray[np.int64]  # empty where there are no folds
    n_pulled: int  # values of targets that were pulled in


@dataclass(frozen=True)
class Range:
    """The values of a target between which no fault is suspected, and how far beyond a value is taken for one."""

    low: float
    high: float

    def pull_in(self, values: Floats) -> tuple[Floats, int]:
        """Move values that are very far from all others to the nearest of these."""
        reach = FAR * (self.high - self.low)
        is_far = (values < self.low - reach) | (values > self.high + reach)
        return np.where(is_far, np.clip(values, self.low, self.high), values), int(is_far.sum())


@dataclass(frozen=True)
class Reader:
    """Reads blocks of rows for a model.

    Parameters
    ----------
    roles
        Which columns are what.
    schema, targets
        Of the model.
    seed, n_folds
        Of the folds; no folds where there are none.
    ranges
        For each target the values that are not moved; None where none is.
    """

    roles: Roles
    schema: Schema
    targets: TargetSchema
    seed: int = 0
    n_folds: int = 0
    ranges: tuple[Range | None, ...] = ()

    def read(self, part: Partition) -> Any:
        """The blocks of a part, in order."""
        for first, block in part.read(self.roles.columns):
            yield self.take_of(part, block, np.arange(first, first + len(block)))

    def take_of(self, part: Partition, block: Any, numbers: NDArray[np.int64]) -> TableRows:
        """The rows of a block, whose faults are told with its part."""
        try:
            with silence_warnings():
                return self.take(block, numbers)
        except (ValueError, TypeError) as fault:
            raise InputError(f"{part}, in the rows from number {numbers[0]:,} on: {fault}") from None

    def take(self, block: Any, numbers: NDArray[np.int64]) -> TableRows:
        """The rows of positive weight of a block."""
        weights = self._read_weights(block)
        columns = [self._read_target(t, block[name]) for t, name in enumerate(self.roles.targets)]
        n_pulled = 0
        for t, own in enumerate(self.ranges):
            if own is not None:
                values, n_moved = own.pull_in(columns[t].values)
                columns[t] = Column(columns[t].name, NUMERIC, values)
                n_pulled += n_moved
        matrix = self.schema.encode(block[list(self.roles.inputs)])
        fold = np.zeros(0, np.int64)
        if self.n_folds:
            group = self.roles.group
            fold = draw_folds(self.seed, self.n_folds, numbers if group is None else number_groups(block[group]))
        rows = TableRows(numbers, matrix, columns, weights, fold, n_pulled)
        return rows if (weights > 0).all() else _take(rows, weights > 0)

    def _read_weights(self, block: Any) -> Floats:
        name = self.roles.weight
        if name is None:
            return np.ones(len(block))
        weights = read_numbers(list_targets(block[name])[0]).copy()
        if np.isnan(weights).any() or (weights < 0).any():
            raise InputError(f"the weights in {quote_name(name)} must be numbers of at least 0")
        return weights

    def _read_target(self, t: int, column: Any) -> Column:
        name, classes = self.targets.names[t], self.targets.classes[t]
        if classes is None:
            return Column(name, NUMERIC, read_numbers(list_targets(column)[0]))
        return Column(name, NOMINAL, _match_classes(column, classes), tuple(classes.tolist()))


def _match_classes(column: Any, classes: NDArray[Any]) -> Floats:
    """The positions of the classes of a column of pandas; NaN for none, and for one that the sample does not have."""
    import pandas as pd

    codes = pd.Categorical(column.astype(object), categories=pd.Index(classes.tolist(), dtype=object)).codes
    return np.where(codes < 0, np.nan, codes)


def _take(rows: TableRows, kept: NDArray[np.bool_]) -> TableRows:
    fold = rows.fold[kept] if len(rows.fold) else rows.fold
    columns = [column.take(kept) for column in rows.targets]
    return TableRows(rows.numbers[kept], rows.matrix[kept], columns, rows.weights[kept], fold, rows.n_pulled)
