"""Which signs the weights of terms may have, for a sum of terms to change with an input only as is asked.

A term whose value only rises, or only falls, with an input has the sign that is asked for, or the other. A rule with an
interval of the input rises and falls: it is no candidate. Where all terms of a sum are so, the sum is.
"""

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


def keep_monotone(rules: RuleSet, signs: Signs) -> RuleSet:
    """The rules that may have a weight for some column."""
    return rules.take(np.flatnonzero((find_rule_signs(rules, signs) != NEITHER).any(axis=1)))


def find_bounds(design: Design, signs: Signs) -> tuple[Floats, Floats]:
    """Terms x columns: the least and the greatest weight."""
    found = np.zeros((len(design), signs.shape[1]), np.int8)
    found[: len(design.rules)] = find_rule_signs(design.rules, signs)
    for block, first in zip(design.blocks, design.start, strict=False):
        if isinstance(block, LinearTerms):
            found[first : first + len(block)] = signs[block.input] * np.sign(block.scale).astype(np.int8)[:, None]
    low = np.where((found == 1) | (found == NEITHER), 0.0, -np.inf)
    high = np.where((found == -1) | (found == NEITHER), 0.0, np.inf)
    return low, high
