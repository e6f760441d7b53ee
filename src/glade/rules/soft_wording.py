"""Soft rules in words: the hard rule's conditions, and where each switches on and off."""

import numpy as np

from glade.rules.soft import LEVELS, SoftRules
from glade.rules.wording import GAP_WORDS, round_to, word_condition

N_POINTS = 200  # of a curve


def word_soft_rule(soft: SoftRules, i: int) -> str:
    """All conditions of a rule, those that are soft with the values at which it is 10, 50 and 90 % on."""
    rules = soft.rules
    words = []
    for k in range(int(rules.start[i]), int(rules.start[i + 1])):
        text = word_condition(rules.conditions, k, rules.schema)
        if soft.curves.is_soft[k]:
            text = f"({text})" if text.endswith(GAP_WORDS) else text
            text += f" softly ({_word_switches(soft, k, i)})"
        elif text.endswith(GAP_WORDS):
            text = f"({text})"
        words.append(text)
    return " and ".join(words)


def _word_switches(soft: SoftRules, k: int, i: int) -> str:
    curves = soft.curves
    if curves.linear[k] == 0 and curves.square[k] == 0:
        return "left out"
    on, off = zip(*soft.switches(k, i), strict=True)
    spread = float(curves.spread[k]) / 10
    parts = []
    for name, points, levels in (("on", on, LEVELS), ("off", off[::-1], LEVELS[::-1])):
        passed = [(level, x) for level, x in zip(levels, points, strict=True) if not np.isnan(x)]
        if passed:
            shares = "/".join(str(round(100 * level)) for level, _ in passed)
            values = ", ".join(round_to(x, spread) for _, x in passed)
            parts.append(f"{shares}% {name} at {values}")
    return "; ".join(parts) or _word_range(soft, k, i)


def _word_range(soft: SoftRules, k: int, i: int) -> str:
    """How far the rule is on at least and at most, along an input that switches it neither on nor off."""
    own = soft.curves.take(np.array([k]))
    along = own.height(np.linspace(own.low[0], own.high[0], N_POINTS)) - soft.most_of(k) + soft.most_on(i)
    least, most = (1.0 / (1.0 + np.exp(-g)) for g in (along.min(), along.max()))
    return f"{least:.0%} to {most:.0%} on"
