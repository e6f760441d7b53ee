"""Linear terms: each numeric input as it is, its tails drawn in, on the scale of a typical rule."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import measure
from glade.core.names import show_name
from glade.data.table import NUMERIC, Schema

TAIL = 0.025  # of the rows, at either end, are drawn in to this quantile
SPREAD = 0.4  # the standard deviation of a rule that covers a fifth of the rows
TINY = 1e-150  # an effect for each unit of an input that spreads less may be beyond the largest double


@dataclass(frozen=True)
class LinearTerms:
    """Terms (clip(x, low, high) - centre) * scale; zero where the input is missing."""

    schema: Schema
    input: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, matrix: NDArray[np.float64], schema: Schema) -> "LinearTerms":
        """A term for each numeric input that varies, unless its range or an effect of a unit is no double."""
        inputs, rows = [], []
        for j in np.flatnonzero([kind == NUMERIC for kind in schema.kinds]):
            known = matrix[~np.isnan(matrix[:, j]), j]
            low, high = np.quantile(known, [TAIL, 1 - TAIL], method="nearest").tolist() if len(known) else (0.0, 0.0)
            if not 0.0 < high - low < math.inf:
                continue
            centre, spread = measure(np.clip(known, low, high))
            if spread > TINY:
                inputs.append(j)
                rows.append((low, high, centre, SPREAD / spread))
        table = np.array(rows).reshape(len(rows), 4).T
        return cls(schema, np.array(inputs, np.int64), *table)

    @classmethod
    def none(cls, schema: Schema) -> "LinearTerms":
        """No terms at all."""
        return cls(schema, np.zeros(0, np.int64), *np.zeros((4, 0)))

    def __len__(self) -> int:
        return len(self.input)

    def take(self, which: NDArray[Any]) -> "LinearTerms":
        """These terms (positions or a mask)."""
        per_term = ("input", "low", "high", "centre", "scale")
        return replace(self, **{name: getattr(self, name)[which] for name in per_term})

    def values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms."""
        x = matrix[:, self.input]
        return np.where(np.isnan(x), 0.0, (np.clip(x, self.low, self.high) - self.centre) * self.scale)

    @property
    def words(self) -> list[str]:
        """Each term's input, and between which values it counts."""
        from glade.rules.wording import word_number

        return [
            f"{show_name(self.schema.names[j])} (linear from {word_number(low)} to {word_number(high)})"
            for j, low, high in zip(self.input, self.low, self.high, strict=True)
        ]
