"""Soft rules: rules whose numeric conditions switch on by degrees.

A soft rule is s(x) = hard part * 1 / (1 + exp(-g(x))), g a sum over its numeric inputs of linear * z + square * z^2,
z the input standardised. Its nominal and ordinal conditions stay hard, and so does what a missing value means: it
switches the rule off, or counts as the value at which the rule is most on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import require
from glade.data.schema_checks import is_kind
from glade.data.table import NUMERIC, Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import StoredPart, TermBlock, Uses
from glade.rules.coverage import cover, unpack
from glade.rules.hard import count_named, describe_conditions, list_conditions, list_uses, word_conditions
from glade.rules.rule_set import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.1, 0.5, 0.9)  # of being switched on


@dataclass(frozen=True)
class Curves:
    """How each condition of some rules acts, one after another; where it stays hard only `is_soft` has a meaning."""

    is_soft: NDArray[np.bool_]
    centre: NDArray[np.float64]
    spread: NDArray[np.float64]  # z = (x - centre) / spread
    low: NDArray[np.float64]  # the range of training values: beyond, an input counts as at its end
    high: NDArray[np.float64]
    linear: NDArray[np.float64]
    square: NDArray[np.float64]

    def take(self, which: NDArray[Any]) -> "Curves":
        """Of these conditions (positions or a mask)."""
        return Curves(*(getattr(self, f.name)[which] for f in fields(self)))

    def height(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the input adds to g at these values, one for each condition."""
        z = (np.clip(x, self.low, self.high) - self.centre) / self.spread
        return z * (self.linear + self.square * z)


class PackedCurves(NamedTuple):
    """Soft conditions, as the kernel takes them."""

    input: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    centre: NDArray[np.float64]
    spread: NDArray[np.float64]
    linear: NDArray[np.float64]
    square: NDArray[np.float64]
    missing: NDArray[np.float64]


@dataclass(frozen=True)
class SoftRules(TermBlock):
    """Rules with their curves.

    Parameters
    ----------
    rules
        The hard rules that they come from.
    curves
        For each condition of these.
    constant
        Per rule: g where all z are 0.
    scale
        Per rule: what the values are multiplied by, so that they vary as much as the hard rule's.
    """

    rules: RuleSet
    curves: Curves
    constant: NDArray[np.float64]
    scale: NDArray[np.float64]
    kind: ClassVar[str] = "soft rule"
    stored_as: ClassVar[str] = "soft"
    covers_rows: ClassVar[bool] = True
    note: ClassVar[str] = "a soft rule adds so much where it is wholly on, elsewhere its share of that"

    @classmethod
    def none(cls, rules: RuleSet) -> "SoftRules":
        """No rules, of the same inputs and targets as these."""
        nothing = rules.take(np.zeros(0, np.int64))
        empty = np.zeros(0)
        return cls(nothing, Curves(empty.astype(bool), *[empty] * 6), empty, empty)

    @classmethod
    def join(cls, parts: Sequence["SoftRules"]) -> "SoftRules":
        """All of them, in order; of the same inputs and targets."""
        curves = Curves(*(np.concatenate([getattr(p.curves, f.name) for p in parts]) for f in fields(Curves)))
        constant, scale = (np.concatenate([getattr(p, name) for p in parts]) for name in ("constant", "scale"))
        return cls(RuleSet.join([part.rules for part in parts]), curves, constant, scale)

    def replaced_by(self, others: "SoftRules") -> "SoftRules":
        """The same rules in the same order, those that are among the others (by their nodes) as they are there."""
        place_of = dict(zip(others.rules.keys.tolist(), range(len(self), len(self) + len(others)), strict=True))
        places = [place_of.get(key, k) for k, key in enumerate(self.rules.keys.tolist())]
        return SoftRules.join([self, others]).take(np.array(places, np.int64))

    def __len__(self) -> int:
        return len(self.rules)

    def take(self, which: NDArray[np.int64]) -> "SoftRules":
        """These rules, in this order."""
        curves = self.curves.take(self.rules.places_of(which))
        return SoftRules(self.rules.take(which), curves, self.constant[which], self.scale[which])

    def values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x rules."""
        from glade.rules._subsets import fill_soft_values

        values = np.empty((len(self), len(matrix)))
        hard_part = unpack(cover(self._hard_part, matrix), len(matrix))
        fill_soft_values(
            np.ascontiguousarray(matrix.T), self._packed, self._start, self.constant, self.scale, hard_part,
            np.empty(len(matrix)), values,
        )  # fmt: skip
        return values.T

    @property
    def unit(self) -> NDArray[np.float64]:
        return self.scale

    @property
    def most(self) -> NDArray[np.float64]:
        return self.scale

    @property
    def n_conditions(self) -> NDArray[np.int64]:
        return self.rules.n_conditions

    @property
    def n_named(self) -> NDArray[np.int64]:
        return count_named(self.rules)

    @property
    def keys(self) -> NDArray[np.int64]:
        return self.rules.keys

    @property
    def uses(self) -> Uses:
        return list_uses(self.rules)

    def list_conditions(self) -> list[list[dict[str, Any]]]:
        return list_conditions(self.rules)

    def describe(self, k: int) -> dict[str, Any]:
        """The hard conditions, and for each soft one its input, range, curve and what missing counts as."""
        start, end, packed = self._start[k], self._start[k + 1], self._packed
        columns = np.array(packed[1:], float).reshape(len(packed) - 1, -1)[:, start:end].T
        curves = [
            [int(j), *(x if np.isfinite(x) else None for x in own)]
            for j, own in zip(packed.input[start:end], columns.tolist(), strict=True)
        ]
        hard = describe_conditions(self._hard_part, k)
        return {"if": hard, "curves": curves, "constant": float(self.constant[k]), "scale": float(self.scale[k])}

    def describe_words(self, k: int) -> dict[str, Any]:
        from glade.rules.soft_wording import word_soft_rule

        return {"words": word_soft_rule(self, k), "says": word_conditions(self.rules, k)}

    def store(self) -> dict[str, Any]:
        from glade.rules.stored import store_rules

        curves = {f.name: getattr(self.curves, f.name) for f in fields(Curves)}
        return {"rules": store_rules(self.rules), "curves": curves, "constant": self.constant, "scale": self.scale}

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> "SoftRules":
        from glade.rules.stored import read_rules

        rules, curves = read_rules(part.part("rules"), schema, targets), part.part("curves")
        is_soft = curves.array("is_soft", np.bool_, len(rules.conditions))
        names = [f.name for f in fields(Curves)][1:]
        columns = {name: curves.numbers(name, len(is_soft)) for name in names}
        require(is_kind(schema, rules.conditions.input[is_soft], NUMERIC).all(), "a soft condition is not on a number")
        require((columns["spread"] > 0).all(), "a curve has no width")
        require((columns["low"] <= columns["high"]).all(), "a curve ends before it starts")
        constant, scale = (part.numbers(name, len(rules)) for name in ("constant", "scale"))
        require((scale > 0).all(), "a soft rule does not vary")
        soft = cls(rules, Curves(is_soft, **columns), constant, scale)
        soft._check_heights()
        return soft

    def _check_heights(self) -> None:
        """However far on or off a soft rule is, how far is a number."""
        curves, rule = self.curves, self.uses.term
        with np.errstate(over="ignore", invalid="ignore"):
            ends = [np.abs((edge - curves.centre) / curves.spread) for edge in (curves.low, curves.high)]
            z = np.maximum(*ends)
            height = np.where(curves.is_soft, z * (np.abs(curves.linear) + np.abs(curves.square) * z), 0.0)
            most = np.abs(self.constant) + np.bincount(rule, height, len(self))
        require(np.isfinite(most).all(), "a curve leads beyond what a number can be")

    @cached_property
    def _hard_part(self) -> RuleSet:
        return self.rules.keep_conditions(~self.curves.is_soft)

    @cached_property
    def _start(self) -> NDArray[np.int64]:
        """Rule i has the soft conditions start[i] .. start[i + 1] - 1."""
        return np.append(0, np.cumsum(self.curves.is_soft))[self.rules.start]

    @cached_property
    def _packed(self) -> PackedCurves:
        curves, conditions = self.curves.take(self.curves.is_soft), self.rules.conditions.take(self.curves.is_soft)
        missing = np.where(conditions.missing, self._most[self.curves.is_soft], -np.inf)
        inputs = conditions.input.astype(np.int32)
        return PackedCurves(
            inputs, curves.low, curves.high, curves.centre, curves.spread, curves.linear, curves.square, missing
        )

    @cached_property
    def _most(self) -> NDArray[np.float64]:
        """For each condition the most that its input adds to g, within the rule's interval; 0 where it stays hard."""
        curves, conditions = self.curves, self.rules.conditions
        low, high = (np.clip(edge, curves.low, curves.high) for edge in (conditions.low, conditions.high))
        bend = np.where(curves.square < 0, -curves.linear / np.where(curves.square < 0, 2 * curves.square, 1.0), 0.0)
        # A bend may lie beyond the largest double, outside the interval; a hard condition's range may be no double.
        with np.errstate(over="ignore", invalid="ignore"):
            top = np.clip(bend * curves.spread + curves.centre, low, high)
            most = np.maximum.reduce([curves.height(x) for x in (low, high, top)]) if len(low) else np.zeros(0)
        return np.where(curves.is_soft, most, 0.0)

    def most_of(self, k: int) -> float:
        """The most that condition k adds to g."""
        return float(self._most[k])

    def most_on(self, i: int) -> float:
        """g of rule i where each input is where the rule is most on."""
        return float(self.constant[i] + self._most[self.rules.start[i] : self.rules.start[i + 1]].sum())

    def switches(self, k: int, i: int) -> "Switches":
        """Where condition k of rule i switches, its other inputs being where the rule is most on."""
        curves = self.curves
        others = self.most_on(i) - float(self._most[k])
        return Switches(*(_cross(curves, k, np.log(level / (1 - level)) - others) for level in LEVELS))

    @cached_property
    def words(self) -> list[str]:
        """Each rule in words, with where it switches on and off."""
        from glade.rules.soft_wording import word_soft_rule

        return [word_soft_rule(self, i) for i in range(len(self))]

    def __str__(self) -> str:
        return "\n".join(self.words)

    def __repr__(self) -> str:
        return f"<SoftRules: {len(self):,} soft rules>"

    def with_values(
        self, value: NDArray[np.float64], rows: NDArray[np.float64], share: NDArray[np.float64]
    ) -> "SoftRules":
        """The same, with what they say of the targets and how many rows they cover."""
        return replace(self, rules=replace(self.rules, value=value, rows=rows, share=share))

    def to_frame(self) -> Any:
        """A pandas dataframe with a row for each rule and soft condition: where it switches on and off, and the curve.

        `on_10`, `on_50` and `on_90` are the values of the input at which the rule, its other inputs being where it is
        most on, passes 10, 50 and 90 % on the way up, `off_90`, `off_50` and `off_10` those on the way down; NaN where
        it does not.
        """
        import pandas as pd

        ways = [("on", LEVELS), ("off", LEVELS[::-1])]
        columns = [f"{way}_{round(100 * level)}" for way, levels in ways for level in levels]
        rows = []
        for i in range(len(self)):
            for k in range(int(self.rules.start[i]), int(self.rules.start[i + 1])):
                if not self.curves.is_soft[k]:
                    continue
                on, off = zip(*self.switches(k, i), strict=True)
                name = self.rules.schema.names[int(self.rules.conditions.input[k])]
                curve = self.curves.linear[k], self.curves.square[k]
                rows.append([i, self.rules.words[i], name, *on, *off[::-1], *curve])
        return pd.DataFrame(rows, columns=["rule", "words", "input", *columns, "linear", "square"])

    def plot(self, i: int = 0, ax: Any = None) -> "Axes":
        """Rule i along each of its soft inputs, hard and soft, the other inputs being where it is most on.

        Parameters
        ----------
        i
            The rule's place.
        ax : Matplotlib axes or list of them, optional
            One for each soft input.
        """
        from glade.rules.soft_plot import plot_soft_rule

        return plot_soft_rule(self, i, ax)


class Switches(NamedTuple):
    """For each level the values of the input at which a rule passes it on the way up and on the way down, or NaN."""

    tenth: tuple[float, float]
    half: tuple[float, float]
    nine_tenths: tuple[float, float]


def _cross(curves: Curves, k: int, level: float) -> tuple[float, float]:
    """Where linear z + square z^2 passes a level upwards and downwards, in the input's unit and training range."""
    linear, square = float(curves.linear[k]), float(curves.square[k])
    roots = [level / linear] if square == 0 and linear != 0 else []
    inside = linear * linear + 4 * square * level
    if square != 0 and inside > 0:
        larger = linear + math.copysign(math.sqrt(inside), linear)  # the sum that does not cancel
        roots = [-larger / (2 * square), 2 * level / larger]
    up = down = np.nan
    for z in roots:
        x = z * float(curves.spread[k]) + float(curves.centre[k])  # beyond the largest double, it is outside the range
        if curves.low[k] <= x <= curves.high[k]:
            if linear + 2 * square * z > 0:
                up = float(x)
            else:
                down = float(x)
    return up, down
