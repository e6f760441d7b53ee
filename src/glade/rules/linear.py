"""Linear terms: each numeric input as it is, its tails drawn in, on the scale of a typical rule."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import measure
from glade.core.errors import require
from glade.core.names import show_name
from glade.data.decimals import shortest_between
from glade.data.schema_checks import check_inputs, is_kind
from glade.data.table import NUMERIC, Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import Floats, Places, StoredPart, TermBlock, Uses, widen

if TYPE_CHECKING:
    from glade.rules.design import TargetRows

TAIL = 0.025  # of the rows, at either end, are drawn in to this quantile
REACH = 0.4  # of that fraction: how far an end may move to become a short decimal
BEYOND = 0.05  # of a whole range: how far beyond it an end may be, to be a short decimal
INPUTS_AT_ONCE = 500
SPREAD = 0.4  # the standard deviation of a rule that covers a fifth of the rows
HINGES_AT = (0.25, 0.5, 0.75)  # of the rows lie below a cut on one side of which a term counts
CLIPPED, WHOLE, HINGES = "clipped", "whole", "hinges"
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
    def of(
        cls,
        matrix: NDArray[np.float64],
        schema: Schema,
        nice: bool = False,
        forms: Sequence[str] = (CLIPPED,),
        of_inputs: Places | None = None,
    ) -> "LinearTerms":
        """A term of each form for each numeric input that varies, unless its range or an effect of a unit is no double.

        With `nice`, ranges end at short decimals near those of the others. Inputs are all that are numeric, or those
        given.
        """
        inputs, rows = [], []
        for j in find_numeric(schema) if of_inputs is None else of_inputs:
            known = np.sort(matrix[~np.isnan(matrix[:, j]), j])
            with np.errstate(over="ignore"):
                width = known[-1] - known[0] if len(known) else 0.0
            if not 0.0 < width < math.inf:
                continue
            for low, high in dict.fromkeys(ends for form in forms for ends in _list_ranges(known, form, nice)):
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

    def joined_with(self, others: "LinearTerms") -> "LinearTerms":
        """These terms and others of the same table."""
        parts: dict[str, Any] = {
            name: np.append(getattr(self, name), getattr(others, name)) for name in ("input", *COLUMNS)
        }
        return replace(self, **parts)

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


def find_numeric(schema: Schema) -> Places:
    """The places of the numeric inputs."""
    return np.flatnonzero([kind == NUMERIC for kind in schema.kinds])


def find_linear_terms(rows: "TargetRows", schema: Schema, nice: bool, forms: Sequence[str], room: int) -> LinearTerms:
    """The linear terms of a table, of as many inputs as there is room for: those that go with the targets most.

    Terms of the whole range come first, hinges have what room is left.

    Parameters
    ----------
    rows
        The encoded inputs and the columns of the targets.
    schema
        Of the inputs.
    nice, forms
        As `LinearTerms.of` takes them.
    room
        The most terms.
    """
    matrix, inputs = rows.matrix, find_numeric(schema)
    plain = tuple(form for form in forms if form != HINGES)
    n_hinges = 2 * len(HINGES_AT) if HINGES in forms else 0
    if len(inputs) * (len(plain) + n_hinges) <= room:
        return LinearTerms.of(matrix, schema, nice, forms)
    order = inputs[np.argsort(-_measure_strength(rows, inputs), kind="stable")]
    chosen = np.sort(order[: room // max(len(plain), 1)])
    found = LinearTerms.of(matrix, schema, nice, plain, chosen)
    if not n_hinges:
        return found
    hinged = np.sort(order[: max(0, room - len(found)) // n_hinges])
    return found.joined_with(LinearTerms.of(matrix, schema, nice, (HINGES,), hinged))


def _measure_strength(rows: "TargetRows", inputs: Places) -> Floats:
    """Of each input how much of the targets' variance it explains alone, on a straight line without its tails."""
    counts = np.where(np.isnan(rows.y), 0.0, rows.counts[:, None])
    mean = (counts * np.nan_to_num(rows.y)).sum(axis=0) / np.maximum(counts.sum(axis=0), 1e-300)
    y, strength = counts * np.nan_to_num(rows.y - mean), np.zeros(len(inputs))
    for first in range(0, len(inputs), INPUTS_AT_ONCE):
        part = slice(first, first + INPUTS_AT_ONCE)
        x = rows.matrix[:, inputs[part]]
        known, ordered = ~np.isnan(x), np.sort(x, axis=0)  # missing values come last
        n_known = known.sum(axis=0)
        places = [(np.rint(share * (n_known - 1)).astype(int)).clip(0) for share in (TAIL, 1.0 - TAIL)]
        low, high = (np.take_along_axis(ordered, place[None], axis=0)[0] for place in places)
        clipped = np.where(known, np.clip(x, low, high) - low, 0.0)
        clipped /= np.where(high > low, high - low, np.inf)
        centred = np.where(known, clipped - clipped.sum(axis=0) / np.maximum(n_known, 1), 0.0)
        square = (centred * centred).sum(axis=0)
        strength[part] = ((centred.T @ y) ** 2).sum(axis=1) / np.where(square > 0, square, np.inf)
    return strength


def _list_ranges(known: NDArray[np.float64], form: str, nice: bool) -> list[tuple[float, float]]:
    """Between which values the terms of a form count: all of them, none beyond the tails, or all on one side of a cut.

    Parameters
    ----------
    known
        The values of an input, ascending.
    form
        Of the terms.
    nice
        Let ranges end at short decimals.
    """
    least, most = float(known[0]), float(known[-1])
    if nice and form != CLIPPED:
        least, most = _widen(least, most)
    if form == WHOLE:
        return [(least, most)]
    if form == HINGES:
        cuts = [_take_quantile(known, share, nice) for share in HINGES_AT]
        return [ends for cut in cuts if least < cut < most for ends in ((least, cut), (cut, most))]
    low, high = (_take_quantile(known, share, nice) for share in (TAIL, 1.0 - TAIL))
    low, high = (low, high) if low < high else (_take_quantile(known, s, False) for s in (TAIL, 1.0 - TAIL))
    return [(low, high)] if low < high else []


def _widen(least: float, most: float) -> tuple[float, float]:
    """The range, or where that is a double, one of short decimals around it."""
    spare = BEYOND * (most - least)
    if not math.isfinite(least - spare) or not math.isfinite(most + spare):
        return least, most
    below = shortest_between(np.array([least - spare]), np.array([np.nextafter(least, math.inf)]), np.array([least]))
    above = shortest_between(np.array([most]), np.array([most + spare]), np.array([most]))
    return float(below[0]), float(above[0])


def _take_quantile(known: NDArray[np.float64], share: float, nice: bool) -> float:
    """A value of ascending ones, or the shortest decimal in reach of it: between the quantiles beside it."""
    reach = REACH * min(share, 1.0 - share)
    places = np.array([share - reach, share, share + reach]) * (len(known) - 1)
    least, found, most = known[np.rint(places).astype(int)]
    if not nice or not least < most:
        return float(found)
    return float(shortest_between(np.array([least]), np.array([most]), np.array([found]))[0])
