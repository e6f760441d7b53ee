"""Soft rules in words: the hard rule's conditions, and where each switches on and off."""

import numpy as np

from glade.rules.soft import LEVELS, SoftRules
from glade.rules.wording import round_to, word_condition


def word_soft_rule(soft: SoftRules, i: int) -> str:
    """All conditions of a rule, those that are soft with the values at which it is 10, 50 and 90 % on."""
    rules = soft.rules
    words = []
    for k in range(int(rules.start[i]), int(rules.start[i + 1])):
        text = word_condition(rules.conditions, k, rules.schema)
        if soft.curves.is_soft[k]:
            text = f"({text})" if text.endswith(" or missing") else text
            text += f" softly ({_word_switches(soft, k, i)})"
        elif text.endswith(" or missing"):
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
            shares = "/".join(f"{level:.0%}".rstrip("%") for level, _ in passed)
            values = ", ".join(round_to(x, spread) for _, x in passed)
            parts.append(f"{shares}% {name} at {values}")
    most = 1.0 / (1.0 + np.exp(-soft.most_on(i)))
    return "; ".join(parts) or f"at most {most:.0%} on"
