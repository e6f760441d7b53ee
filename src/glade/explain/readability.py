"""How much a person has to read in a model of rules, and what in it is not worth reading."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NUMERIC
from glade.rules.gaps import Gaps, names_categories
from glade.rules.model import RuleModel
from glade.rules.rule_set import RuleSet
from glade.rules.weighted import WeightedTerms
from glade.rules.wording import GAP_WORDS, word_condition

SAY_GAPS = (*GAP_WORDS, " is missing", " is known")
IDLE_NUMBER = 0.01  # of the target's standard deviation
IDLE_CLASS = 0.005  # of a probability
HALF = 0.5


@dataclass(frozen=True)
class Readability:
    """What a person reads in a model.

    Attributes
    ----------
    terms : int
        Rules and linear terms.
    conditions : int
        The conditions of all rules; an interval or a set counts as one.
    longest : int
        The conditions of the longest rule.
    digits : float
        The significant digits of a cut, on average; NaN where there is no cut.
    most_digits : int
        Those of the cut that has most.
    gaps_in_words : float
        The fraction of the conditions that speak of missing values; 0 where there is no condition.
    categories_named : int
        The categories of all sets, of the side that is named.
    most_categories : int
        Those of the set that names most.
    wrong_side : int
        Rules of one condition that cover more than half of the rows.
    far_offset : bool
        Whether the offset of a number is further than its standard deviation from its mean.
    idle_terms : int
        Terms that change the prediction of a covered row by less than 1 % of each target's standard deviation, or by
        less than half a percentage point.
    """

    terms: int
    conditions: int
    longest: int
    digits: float
    most_digits: int
    gaps_in_words: float
    categories_named: int
    most_categories: int
    wrong_side: int
    far_offset: bool
    idle_terms: int

    @classmethod
    def of(cls, model: RuleModel) -> "Readability":
        """Measure the chosen model of a path.

        Parameters
        ----------
        model : RuleModel
            The attribute `model_` of a fitted rule ensemble.

        Returns
        -------
        Readability
            The figures.
        """
        terms, design = model.terms, model.terms.design
        parts = [rules for rules in (design.rules, design.soft.rules) if len(rules)]
        digits = [count_digits(cut) for rules in parts for cut in _list_cuts(rules)]
        gaps = Gaps.of([design.rules], design.rules.schema)
        words = [
            word_condition(p.conditions, k, p.schema, gaps=gaps if p is design.rules else None)
            for p in parts
            for k in range(len(p.conditions))
        ]
        named = [n for rules in parts for n in _count_named(rules)]
        lengths = [int(n) for rules in parts for n in rules.n_conditions]
        return cls(
            terms=len(np.unique(design.group)),
            conditions=design.count_conditions(np.arange(len(design))),
            longest=max(lengths, default=0),
            digits=float(np.mean(digits)) if digits else float("nan"),
            most_digits=max(digits, default=0),
            gaps_in_words=sum(text.endswith(SAY_GAPS) for text in words) / max(len(words), 1),
            categories_named=sum(named),
            most_categories=max(named, default=0),
            wrong_side=int(((terms.rules.n_conditions == 1) & (terms.rules.share > HALF)).sum()),
            far_offset=_is_far(model),
            idle_terms=int(find_idle_terms(terms).sum()),
        )


def count_digits(value: float) -> int:
    """The significant digits of the shortest decimal that reads back as the number; zeros at its end count for nothing.

    >>> [count_digits(x) for x in (0.5, 413.0, 1200.0, 0.009969, -6.6994, 0.0)]
    [1, 3, 2, 4, 5, 1]
    """
    return len(Decimal(repr(float(value))).normalize().as_tuple().digits)


def find_idle_terms(terms: WeightedTerms) -> NDArray[np.bool_]:
    """Of each term whether it changes no prediction by an amount that a person would care for.

    Parameters
    ----------
    terms
        Of a model.
    """
    targets = terms.design.rules.targets
    least = np.full(terms.change.shape[1], IDLE_CLASS)
    for t, classes in enumerate(targets.classes):
        if classes is None:
            least[targets.channels_of(t)] = IDLE_NUMBER * terms.spread[targets.channels_of(t)]
    is_small = np.abs(terms.change) * terms.design.most[:, None] < least
    return np.asarray(is_small.all(axis=1))


def _list_cuts(rules: RuleSet) -> list[float]:
    """The finite cuts of conditions on numbers."""
    is_number = np.array([kind == NUMERIC for kind in rules.schema.kinds])[rules.conditions.input]
    own = rules.conditions.take(np.flatnonzero(is_number))
    return [float(cut) for cut in (*own.low, *own.high) if np.isfinite(cut)]


def _count_named(rules: RuleSet) -> list[int]:
    """Of each condition on a set of categories: how many it names, inside or outside."""
    named = names_categories(rules.conditions, rules.schema)
    return [int(n) for n in named if n]


def _is_far(model: RuleModel) -> bool:
    """Whether the offset of a numeric target is a value that hardly a row has."""
    scores, targets = model.scores, model.targets
    mean = scores.values(scores.offset(np.zeros(len(scores.mean)))[None])[0]
    is_far = np.abs(model.terms.typical - mean) > model.terms.spread
    return any(is_far[targets.channels_of(t)].any() for t, own in enumerate(targets.classes) if own is None)
