"""What missing values do in a list of rules: said once for each input below the list, not in every rule.

A rule says something of missing values only where it does not do what the line says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import join_words, show_name
from glade.data.table import NOMINAL, Schema
from glade.rules.rule_set import Conditions, RuleSet

Flags = NDArray[np.bool_]

LOW, HIGH, NEVER, OTHER = "low", "high", "never", "other"  # what a missing value counts as
SAID = {
    LOW: ("counts as low", "count as low"),
    HIGH: ("counts as high", "count as high"),
    NEVER: ("fulfils no condition", "fulfil no condition"),
    OTHER: ("counts as none of the categories named", "count as none of the categories named"),
}


@dataclass(frozen=True)
class Gaps:
    """For each input with gaps that some rule has a condition on, what a missing value does in most of them.

    Parameters
    ----------
    schema
        Of the inputs.
    counts_as
        By the number of the input.
    """

    schema: Schema
    counts_as: dict[int, str]

    @classmethod
    def of(cls, rules: Sequence[RuleSet], schema: Schema) -> "Gaps":
        """Those of all rules of a model."""
        conditions = Conditions.join([part.conditions for part in rules])
        asked = conditions.take(np.flatnonzero(~is_about_gaps(conditions, schema)))
        return cls(
            schema,
            {
                j: _find_usual(asked, j, schema)
                for j in np.flatnonzero(schema.has_missing).tolist()
                if (asked.input == j).any()
            },
        )

    def is_usual(self, conditions: Conditions, k: int) -> bool:
        """Whether a missing value does in this condition what the line below the list says."""
        way = self.counts_as.get(int(conditions.input[k]))
        one = conditions.take(np.array([k]))
        return way is None or bool(_expect(one, way, self.schema)[0] == conditions.missing[k])

    @property
    def note(self) -> str:
        """The line; empty where no rule has a condition on an input with gaps."""
        parts = []
        for way, (of_one, of_several) in SAID.items():
            names = [show_name(self.schema.names[j]) for j, own in self.counts_as.items() if own == way]
            if names:
                said = f"is missing it {of_one}" if len(names) == 1 else f"are missing they {of_several}"
                parts.append(f"where {join_words(names)} {said}")
        return "; ".join(parts)


def is_about_gaps(conditions: Conditions, schema: Schema) -> Flags:
    """Of each condition whether it asks only if the input is known."""
    is_set, n_inside = conditions.is_set, conditions.n_categories
    is_all_or_none = is_set & ((n_inside == 0) | (n_inside == _count_labels(conditions, schema)))
    no_cut = (conditions.low == -np.inf) & (conditions.high == np.inf) & ~is_set
    return np.asarray(is_all_or_none | no_cut | (conditions.low == np.inf))


def settle_gaps(rules: RuleSet, counts_as_high: Flags) -> RuleSet:
    """The same rules, in which a missing number or rank counts as low or as high, a category as none of those named.

    Parameters
    ----------
    rules
        Of trees, each split of which has its own answer.
    counts_as_high
        Of each input.
    """
    conditions, schema = rules.conditions, rules.schema
    change = np.array(schema.has_missing)[conditions.input] & ~is_about_gaps(conditions, schema)
    is_high, is_set = counts_as_high[conditions.input], np.array([kind == NOMINAL for kind in schema.kinds])
    settled = np.where(is_high, _expect(conditions, HIGH, schema), _expect(conditions, LOW, schema))
    settled = np.where(is_set[conditions.input], _expect(conditions, OTHER, schema), settled)
    return replace(rules, conditions=replace(conditions, missing=np.where(change, settled, conditions.missing)))


def find_sides(matrix: NDArray[np.float64], y: NDArray[np.float64], schema: Schema) -> Flags:
    """Of each input whether rows that lack it are more like those of high values: by the means of the targets.

    Parameters
    ----------
    matrix
        Rows x inputs, encoded.
    y
        Rows x columns of the targets; NaN where unknown.
    schema
        What the inputs are.
    """
    known, filled = ~np.isnan(y), np.nan_to_num(y)
    is_high = np.zeros(matrix.shape[1], bool)
    for j in np.flatnonzero(schema.has_missing):
        x = matrix[:, j]
        is_missing = np.isnan(x)
        if schema.kinds[j] == NOMINAL or is_missing.all() or not is_missing.any():
            continue
        above = x > np.median(x[~is_missing])
        of_gaps, of_high, of_low = (
            filled[rows].sum(axis=0) / np.maximum(known[rows].sum(axis=0), 1)
            for rows in (is_missing, above, ~is_missing & ~above)
        )
        is_high[j] = bool(((of_gaps - of_high) ** 2).sum() < ((of_gaps - of_low) ** 2).sum())
    return is_high


def _find_usual(conditions: Conditions, j: int, schema: Schema) -> str:
    """What a missing value of an input does in most conditions."""
    own = conditions.take(np.flatnonzero(conditions.input == j))
    ways: Iterable[str] = (OTHER, NEVER) if schema.kinds[j] == NOMINAL else (LOW, HIGH, NEVER)
    return max(ways, key=lambda way: int((_expect(own, way, schema) == own.missing).sum()))


def _expect(conditions: Conditions, way: str, schema: Schema) -> Flags:
    """Whether a missing value that counts as this fulfils each condition."""
    if way == LOW:
        return np.asarray(conditions.low == -np.inf)
    if way == HIGH:
        return np.asarray(conditions.high == np.inf)
    if way == NEVER:
        return np.zeros(len(conditions), bool)
    return np.asarray(names_outside(conditions.n_categories, _count_labels(conditions, schema)))


def names_outside(n_inside: Any, n_labels: Any) -> Any:
    """Whether a set is told by the categories outside it, which are fewer: of one set, or of each of many."""
    return n_inside > n_labels - n_inside


def _count_labels(conditions: Conditions, schema: Schema) -> NDArray[np.int64]:
    """How many categories the input of each condition has."""
    return np.array([len(labels or ()) for labels in schema.labels], np.int64)[conditions.input]


def names_categories(conditions: Conditions, schema: Schema) -> NDArray[np.int64]:
    """Of each condition how many categories its words name; 0 for intervals, and where only gaps are asked for."""
    n_inside = conditions.n_categories
    return np.where(conditions.is_set, np.minimum(n_inside, _count_labels(conditions, schema) - n_inside), 0)
