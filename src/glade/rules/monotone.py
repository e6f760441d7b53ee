"""Which signs the weights of terms may have, for a sum of terms to change with an input only as is asked.

A term whose value only rises, or only falls, with an input has the sign that is asked for, or the other. A rule with an
interval of the input rises and falls: it is no candidate. Where all terms of a sum are so, the sum is.

Of more than two classes only differences of scores count. The probability of a class rises with an input if its score
rises at least as fast as that of every other class: its weight is then the largest of the classes', that of a class
whose probability falls the smallest. Such weights may be shifted, all classes alike, so that the largest are not below
zero and the others not above it: then each has bounds of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.constraints import Signs
from glade.rules.design import Design
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import RuleSet

Floats = NDArray[np.float64]

NEITHER = 2  # a term both rises and falls with an input, or must do both


def find_rule_signs(rules: RuleSet, signs: Signs) -> Signs:
    """Rules x columns: the sign that a weight must have, 0 for any, `NEITHER` where it must be zero.

    Parameters
    ----------
    rules
        The rules.
    signs
        Inputs x columns: 1 where a column may only rise with the input, -1 where it may only fall, else 0.
    """
    conditions = rules.conditions
    rule = np.repeat(np.arange(len(rules)), rules.n_conditions)
    has_low, has_high = np.isfinite(conditions.low), np.isfinite(conditions.high)
    direction = has_low.astype(np.int8) - has_high.astype(np.int8)  # of an input that must be known, or missing: 0
    wanted = signs[conditions.input] * direction[:, None]
    wanted[has_low & has_high] = NEITHER * np.abs(signs[conditions.input[has_low & has_high]])
    found = np.zeros((len(rules), signs.shape[1]), np.int8)
    for value in (1, -1, NEITHER):
        of_value = np.zeros(found.shape, bool)
        np.logical_or.at(of_value, rule, wanted == value)
        found = np.where(of_value, np.where((found == 0) | (found == value), value, NEITHER), found)
    return found.astype(np.int8)


def keep_monotone(rules: RuleSet, signs: Signs, of_classes: Sequence[slice] = ()) -> RuleSet:
    """The rules that may have a weight for some column.

    Parameters
    ----------
    rules
        The rules.
    signs
        Inputs x columns.
    of_classes
        The columns of each target of more than two classes.
    """
    found = _spread_neither(find_rule_signs(rules, signs), of_classes)
    return rules.take(np.flatnonzero((found != NEITHER).any(axis=1)))


def _spread_neither(found: Signs, of_classes: Sequence[slice]) -> Signs:
    """A term that may not change one class may not change the others either."""
    for at in of_classes:
        found[(found[:, at] == NEITHER).any(axis=1), at] = NEITHER
    return found


@dataclass(frozen=True)
class WeightLimits:
    """What the weights of terms must be for a model to keep signs.

    Parameters
    ----------
    signs
        Terms x columns: the sign that a weight must have, 0 for any, `NEITHER` where it must be zero. In the columns of
        more than two classes: 1 where it must be the largest of the classes, -1 the smallest, 0 where it lies between.
    of_classes
        The columns of each such target.
    """

    signs: Signs
    of_classes: tuple[slice, ...]

    @classmethod
    def of(cls, design: Design, signs: Signs, of_classes: Sequence[slice] = ()) -> "WeightLimits":
        """Of the terms of a design, by the signs of inputs x columns."""
        found = np.zeros((len(design), signs.shape[1]), np.int8)
        found[: len(design.rules)] = find_rule_signs(design.rules, signs)
        for block, first in zip(design.blocks, design.start, strict=False):
            if isinstance(block, LinearTerms):
                found[first : first + len(block)] = signs[block.input] * np.sign(block.scale).astype(np.int8)[:, None]
        return cls(_spread_neither(found, of_classes), tuple(of_classes))

    def shift(self, weights: Floats) -> Floats:
        """The same model, with zero between the classes' weights that must be the largest, or smallest, and the others.

        Where both are asked for, zero is between these two.
        """
        shifted = weights.copy()
        for at in self.of_classes:
            signs, own = self.signs[:, at], weights[:, at]
            bound = (np.abs(signs) == 1).any(axis=1)
            above = np.where(signs == 1, own, np.inf).min(axis=1)
            below = np.where(signs == -1, own, -np.inf).max(axis=1)
            rest = np.where(signs == 0, own, np.nan)[bound]
            if len(rest):
                has_rest = ~np.isnan(rest).all(axis=1)
                most, least = np.full(len(rest), -np.inf), np.full(len(rest), np.inf)
                most[has_rest], least[has_rest] = np.nanmax(rest[has_rest], 1), np.nanmin(rest[has_rest], 1)
                high = np.where(np.isfinite(above[bound]), above[bound], least)
                low = np.where(np.isfinite(below[bound]), below[bound], most)
                ends = np.where(np.isfinite(low), low, high), np.where(np.isfinite(high), high, low)
                shifted[bound, at] -= ((ends[0] + ends[1]) / 2)[:, None]
        return shifted

    def allow(self, weights: Floats) -> bool:
        """Whether a model with these weights keeps the signs."""
        signs, ends = self.signs, np.zeros_like(weights)
        low, high = np.where(signs == 1, ends, -np.inf), np.where(signs == -1, ends, np.inf)
        for at in self.of_classes:
            own, asked = weights[:, at], signs[:, at]
            low[:, at] = np.where(asked == 1, own.max(axis=1, keepdims=True), -np.inf)
            high[:, at] = np.where(asked == -1, own.min(axis=1, keepdims=True), np.inf)
            same = own[:, :1]
            is_none = asked == NEITHER
            low[:, at], high[:, at] = np.where(is_none, same, low[:, at]), np.where(is_none, same, high[:, at])
        others = np.ones(signs.shape[1], bool)
        for at in self.of_classes:
            others[at] = False
        is_zero = (signs == NEITHER) & others
        return bool(((low <= weights) & (weights <= high)).all() and not weights[is_zero].any())

    def find_free(self) -> tuple[NDArray[np.intp], Floats, Floats]:
        """For each weight (terms x columns) the number of what can be chosen, -1 for none; the ends of each of these.

        Classes that must all have the largest weight share one, and so do those with the smallest. Where there are
        both, the others stay at zero, which is between them.
        """
        free = np.arange(self.signs.size, dtype=np.intp).reshape(self.signs.shape)
        low = np.where(self.signs == 1, 0.0, -np.inf)
        high = np.where(self.signs == -1, 0.0, np.inf)
        free[self.signs == NEITHER] = -1
        for at in self.of_classes:
            signs, own = self.signs[:, at], free[:, at]
            rises, falls = (signs == 1).any(axis=1), (signs == -1).any(axis=1)
            for sign in (1, -1):
                is_own = signs == sign
                first = np.where(is_own.any(axis=1), own[np.arange(len(own)), is_own.argmax(axis=1)], -1)
                own[is_own] = np.broadcast_to(first[:, None], own.shape)[is_own]
            own[(rises & falls)[:, None] & (signs == 0)] = -1
            high[:, at] = np.where((rises & ~falls)[:, None] & (signs == 0), 0.0, high[:, at])
            low[:, at] = np.where((falls & ~rises)[:, None] & (signs == 0), 0.0, low[:, at])
        kept = np.unique(free[free >= 0])
        place = np.full(self.signs.size + 1, -1, np.intp)  # the last one is for -1
        place[kept] = np.arange(len(kept))
        return place[free], low.ravel()[kept], high.ravel()[kept]
