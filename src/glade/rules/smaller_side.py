"""Rules of one condition told from the side with fewer rows: what every row gets is then what most rows get."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.rules.coverage import sum_covered
from glade.rules.design import Design, TargetRows
from glade.rules.gaps import is_about_gaps
from glade.rules.hard import HardRules
from glade.rules.path import Step, WeightPath
from glade.rules.rule_set import Conditions, RuleSet

Doubles = NDArray[np.float64]

HALF = 0.5


def tell_smaller_sides(design: Design, rows: TargetRows, path: WeightPath) -> tuple[Design, WeightPath]:
    """The same models, in which a rule of one condition that covers more than half of the rows is its opposite.

    The opposite has the weight with the other sign, and the offset has the weight: every prediction stays.

    Parameters
    ----------
    design
        The terms; hard rules come first.
    rows
        The training rows.
    path
        Models of these terms.
    """
    rules = design.rules
    single = np.flatnonzero((rules.n_conditions == 1) & np.isin(np.arange(len(rules)), _list_used(path)))
    single = single[_has_opposite(rules.conditions.take(rules.start[:-1][single]), rules.schema)]
    turned = single[_find_share(design, rows, single) > HALF]
    if len(turned) == 0:
        return design, path
    conditions = _turn(rules.conditions, rules.start[:-1][turned], rules.schema)
    again = HardRules(_count_other_rows(replace(rules, conditions=conditions), turned))
    return design.with_block(again), replace(path, steps=tuple(_turn_step(step, turned) for step in path.steps))


def turn_wide(rules: RuleSet, share: Doubles) -> RuleSet:
    """The rules, those of one condition that cover more than half of the rows turned to their opposites.

    Parameters
    ----------
    rules
        Of any length.
    share
        Of the rows, that each covers.
    """
    single = np.flatnonzero((rules.n_conditions == 1) & (share > HALF))
    single = single[_has_opposite(rules.conditions.take(rules.start[:-1][single]), rules.schema)]
    return replace(rules, conditions=_turn(rules.conditions, rules.start[:-1][single], rules.schema))


def _list_used(path: WeightPath) -> NDArray[np.int64]:
    return np.unique(np.concatenate([step.terms for step in path.steps]))


def find_exceptions(design: Design, rows: TargetRows) -> NDArray[np.bool_]:
    """Of each term whether it can be told as an exception: not of a rule on most rows that has no short opposite.

    What is outside of an interval, or of a rule of several conditions, takes several rules to say.

    Parameters
    ----------
    design
        The terms; hard rules come first.
    rows
        The training rows.
    """
    rules, found = design.rules, np.ones(len(design), bool)
    if len(rules) == 0:
        return found
    first = rules.conditions.take(rules.start[:-1])
    can_turn = (rules.n_conditions == 1) & _has_opposite(first, rules.schema)
    found[: len(rules)] = can_turn | (_find_share(design, rows, np.arange(len(rules))) <= HALF)
    return found


def _find_share(design: Design, rows: TargetRows, which: NDArray[np.int64]) -> Doubles:
    """The fraction of the rows, by weight, that hard rules cover."""
    bits = design.hard.take(which).bits(rows.matrix)
    return np.asarray(sum_covered(bits, rows.counts[:, None])[:, 0] / rows.counts.sum())


def _has_opposite(conditions: Conditions, schema: Schema) -> NDArray[np.bool_]:
    """Whether what does not fulfil a condition fulfils one condition."""
    one_end = np.isinf(conditions.low) != np.isinf(conditions.high)
    return np.asarray(conditions.is_set | one_end | is_about_gaps(conditions, schema))


def _turn(conditions: Conditions, places: NDArray[np.int64], schema: Schema) -> Conditions:
    """The conditions with the opposites of some."""
    low, high, missing = conditions.low.copy(), conditions.high.copy(), conditions.missing.copy()
    categories = conditions.categories.copy()
    own_low, own_high = conditions.low[places], conditions.high[places]
    low[places] = np.where(np.isinf(own_high), -np.inf, own_high)
    high[places] = np.where(np.isinf(own_low), np.inf, own_low)
    low[places[(own_low == -np.inf) & (own_high == np.inf)]] = np.inf  # any value: the opposite has none
    low[places[own_low == np.inf]] = -np.inf
    missing[places] = ~missing[places]
    for k in places.tolist():
        own = categories[k]
        if own is not None:
            inside = set(own)
            n_labels = len(schema.labels[int(conditions.input[k])] or ())
            categories[k] = tuple(c for c in range(n_labels) if c not in inside)
            low[k], high[k] = conditions.low[k], conditions.high[k]
    return replace(conditions, low=low, high=high, missing=missing, categories=categories)


def _count_other_rows(rules: RuleSet, turned: NDArray[np.int64]) -> RuleSet:
    """The rules with the number of rows of the other side, as far as their trees have told it."""
    rows, share = rules.rows.copy(), rules.share.copy()
    whole = np.divide(rows[turned], share[turned], out=np.zeros(len(turned)), where=share[turned] > 0)
    rows[turned], share[turned] = whole - rows[turned], 1.0 - share[turned]
    return replace(rules, rows=rows, share=share)


def _turn_step(step: Step, turned: NDArray[np.int64]) -> Step:
    """The step with the other signs of these terms' weights."""
    own = np.isin(step.terms, turned)
    sign = np.where(own, -1.0, 1.0)[:, None]
    return replace(step, weights=step.weights * sign, offset=step.offset + step.weights[own].sum(axis=0))
