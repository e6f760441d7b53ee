"""Linear terms: each numeric input as it is, its tails drawn in, on the scale of a typical rule."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import measure
from glade.core.errors import require
from glade.core.names import show_name
from glade.data.decimals import shortest_between
from glade.data.schema_checks import check_inputs, is_kind
from glade.data.table import NUMERIC, Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import Floats, StoredPart, TermBlock, Uses, widen

TAIL = 0.025  # of the rows, at either end, are drawn in to this quantile
REACH = 0.4  # of that fraction: how far an end may move to become a short decimal
SPREAD = 0.4  # the standard deviation of a rule that covers a fifth of the rows
COLUMNS = ("low", "high", "centre", "scale")
TINY = 1e-150  # an effect for each unit of an input that spreads less may be beyond the largest double


@dataclass(frozen=True)
class LinearTerms(TermBlock):
    """Terms (clip(x, low, high) - centre) * scale; zero where the input is missing."""

    schema: Schema
    input: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]
    kind: ClassVar[str] = "linear term"
    stored_as: ClassVar[str] = "linear"
    note: ClassVar[str] = "a linear term adds so much more at the upper end of its range than at the lower"

    @classmethod
    def of(cls, matrix: NDArray[np.float64], schema: Schema, nice: bool = False) -> "LinearTerms":
        """A term for each numeric input that varies, unless its range or an effect of a unit is no double.

        With `nice`, ranges end at short decimals near those of the others.
        """
        inputs, rows = [], []
        for j in np.flatnonzero([kind == NUMERIC for kind in schema.kinds]):
            known = matrix[~np.isnan(matrix[:, j]), j]
            low, high = np.quantile(known, [TAIL, 1 - TAIL], method="nearest").tolist() if len(known) else (0.0, 0.0)
            if not 0.0 < high - low < math.inf:
                continue
            low, high = _find_nice_ends(known, low, high) if nice else (low, high)
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
        return replace(self, **{name: getattr(self, name)[which] for name in ("input", *COLUMNS)})

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

    @property
    def unit(self) -> NDArray[np.float64]:
        return self.scale

    @property
    def whole(self) -> NDArray[np.float64]:
        return (self.high - self.low) * self.scale

    @property
    def most(self) -> NDArray[np.float64]:
        far = np.maximum(np.abs(self.low - self.centre), np.abs(self.high - self.centre))
        return far * np.abs(self.scale)

    @property
    def uses(self) -> Uses:
        return Uses(np.arange(len(self)), self.input)

    def list_cuts(self, j: int) -> NDArray[np.float64]:
        return np.concatenate((self.low[self.input == j], self.high[self.input == j]))

    def describe(self, k: int) -> dict[str, Any]:
        return {"linear": [int(self.input[k]), *(float(getattr(self, name)[k]) for name in COLUMNS)]}

    def describe_words(self, k: int) -> dict[str, Any]:
        name = show_name(self.schema.names[int(self.input[k])])
        return {"words": f"{name} (linear from {self.low[k]:.4g} to {self.high[k]:.4g})"}

    def average(self, rows: Floats, inputs: Sequence[int]) -> Callable[[Floats], Floats]:
        """The values at the points themselves."""
        return lambda points: self.values(widen(points, inputs, rows.shape[1]))

    def store(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("input", *COLUMNS)}

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> "LinearTerms":
        inputs = part.array("input", np.int64, None)
        check_inputs(schema, inputs)
        require(is_kind(schema, inputs, NUMERIC).all(), "a linear term is of an input that is not numeric")
        columns = {name: part.numbers(name, len(inputs)) for name in COLUMNS}
        require((columns["low"] <= columns["high"]).all(), "a linear term ends before it starts")
        return cls(schema, inputs, **columns)


def _find_nice_ends(known: NDArray[np.float64], low: float, high: float) -> tuple[float, float]:
    """The shortest decimals between the quantiles beside the tails' own; the ends as they are where these are one."""
    ends = np.array([low, high])
    outer, inner = (
        np.quantile(known, [TAIL * factor, 1 - TAIL * factor], method="nearest") for factor in (1 - REACH, 1 + REACH)
    )
    least, most = np.minimum(outer, inner), np.maximum(outer, inner)
    found = np.where(least < most, shortest_between(least, np.where(least < most, most, most + 1.0), ends), ends)
    return (float(found[0]), float(found[1])) if found[0] < found[1] else (low, high)
