"""When two rules count as the same, and how many of two lists do.

The definition is that of SIRUS (Bénard, Biau, Da Veiga and Scornet, 2021): conditions agree in input, direction and set
of categories, and cuts lie in the same tenth of the training values. What a missing value does has no part in it.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NUMERIC, Schema
from glade.rules.design import Design
from glade.rules.hard import BlockOfRules
from glade.rules.logic import LogicRules
from glade.rules.rule_set import RuleSet

TENTHS = np.arange(1, 10) / 10
LARGE = 1e300  # the distance of two such values may be no double


@dataclass(frozen=True)
class Tenths:
    """The nine values between the tenths of each numeric input of a table, by the input's name."""

    edges: dict[str, NDArray[np.float64]]

    @classmethod
    def of(cls, matrix: NDArray[np.float64], schema: Schema) -> "Tenths":
        """Find the tenths of the rows of an encoded table.

        Parameters
        ----------
        matrix
            Rows x inputs, NaN where a value is missing.
        schema
            What the inputs are.
        """
        edges = {}
        for j in np.flatnonzero([kind == NUMERIC for kind in schema.kinds]):
            known = matrix[~np.isnan(matrix[:, j]), j]
            edges[schema.names[j]] = _find_tenths(known) if len(known) else np.zeros(0)
        return cls(edges)

    def place(self, name: str, cut: float) -> int | None:
        """The tenth in which a cut lies, from 0 to 9; None where there is no cut."""
        return int(np.searchsorted(self.edges[name], cut)) if np.isfinite(cut) else None


def _find_tenths(known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Halves are taken where the distance of two values is no double."""
    half = 0.5 if np.abs(known).max() > LARGE else 1.0
    return np.asarray(np.quantile(half * known, TENTHS) / half)


def identify_rules(rules: RuleSet, tenths: Tenths) -> list[Hashable]:
    """Return for each rule a key that equals those of the same rules, also of models of other rows.

    Parameters
    ----------
    rules
        Of a model.
    tenths
        Of the table that all models are compared by.
    """
    keys = [_identify_condition(rules, k, tenths) for k in range(len(rules.conditions))]
    return [frozenset(keys[first:end]) for first, end in zip(rules.start[:-1], rules.start[1:], strict=True)]


def _identify_condition(rules: RuleSet, k: int, tenths: Tenths) -> Hashable:
    conditions, schema = rules.conditions, rules.schema
    j = int(conditions.input[k])
    name, labels, categories = schema.names[j], schema.labels[j], conditions.categories[k]
    low, high = float(conditions.low[k]), float(conditions.high[k])
    if low == np.inf:
        return name, "missing"
    if categories is not None and labels is not None:
        return name, frozenset(labels[c] for c in categories)
    if labels is not None:  # ranked labels: from above one up to another
        return name, *(labels[int(np.floor(edge))] if np.isfinite(edge) else None for edge in (low, high))
    return name, tenths.place(name, low), tenths.place(name, high)


def identify_terms(design: Design, tenths: Tenths) -> list[Hashable]:
    """Return such a key for each term; a linear term is its input, a soft rule the rule that it softens.

    Parameters
    ----------
    design
        The terms of a model.
    tenths
        Of the table that all models are compared by.
    """
    plain = [block.rules for block in design.blocks if isinstance(block, BlockOfRules)]
    keys = [key for rules in plain for key in identify_rules(rules, tenths)]
    logic = design.find(LogicRules)
    if logic is not None:
        own = identify_rules(logic.rules, tenths)
        keys += [
            frozenset(("or", key) for key in pair) if is_union else ("unless", *pair)
            for is_union, pair in zip(logic.is_union, zip(own[::2], own[1::2], strict=True), strict=True)
        ]
    keys += identify_rules(design.soft.rules, tenths)
    keys += [("linear", design.linear.schema.names[j]) for j in design.linear.input]
    return keys


def find_dice(first: Iterable[Hashable], second: Iterable[Hashable]) -> float:
    """Twice the number of common keys over the sum of both numbers (Dice and Sørensen); 1 for two empty lists.

    >>> find_dice("abc", "bcd"), find_dice([], [])
    (0.6666666666666666, 1.0)
    """
    one, other = set(first), set(second)
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 1.0
