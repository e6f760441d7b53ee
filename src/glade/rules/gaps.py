"""What missing values do in a list of rules: said once for each input below the list, not in every rule.

A rule says something of missing values only where it does not do what the line says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import join_words, show_name
from glade.data.table import NOMINAL, Schema
from glade.rules.rule_set import Conditions, RuleSet

Flags = NDArray[np.bool_]

Way = str | int  # what a missing value counts as: the code of a category, or one of these
LOW, HIGH, NEVER, OTHER = "low", "high", "never", "other"
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
    counts_as: dict[int, Way]

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
        names: dict[tuple[str, str], list[str]] = {said: [] for said in SAID.values()}
        for j, way in self.counts_as.items():
            names.setdefault(self._say(j, way), []).append(show_name(self.schema.names[j]))
        parts = []
        for (of_one, of_several), own in names.items():
            if own:
                said = f"is missing it {of_one}" if len(own) == 1 else f"are missing they {of_several}"
                parts.append(f"where {join_words(own)} {said}")
        return "; ".join(parts)

    def _say(self, j: int, way: Way) -> tuple[str, str]:
        """What a missing value does, of one input and of several."""
        if isinstance(way, str):
            return SAID[way]
        from glade.rules.wording import word_label

        label = word_label((self.schema.labels[j] or ())[way])
        return f"counts as {label}", f"count as {label}"


def is_about_gaps(conditions: Conditions, schema: Schema) -> Flags:
    """Of each condition whether it asks only if the input is known."""
    is_set, n_inside = conditions.is_set, conditions.n_categories
    is_all_or_none = is_set & ((n_inside == 0) | (n_inside == _count_labels(conditions, schema)))
    no_cut = (conditions.low == -np.inf) & (conditions.high == np.inf) & ~is_set
    return np.asarray(is_all_or_none | no_cut | (conditions.low == np.inf))


def settle_gaps(rules: RuleSet, sides: NDArray[np.int64]) -> RuleSet:
    """The same rules, in which a missing number or rank counts as low or as high, a category as one of the others.

    A rule and its opposite then say the same of missing values, and neither has to name them.

    Parameters
    ----------
    rules
        Of trees, each split of which has its own answer.
    sides
        Of each input: 1 if missing values count as high, 0 if as low; of a nominal one the category.
    """
    conditions, schema = rules.conditions, rules.schema
    change = np.array(schema.has_missing)[conditions.input] & ~is_about_gaps(conditions, schema)
    of_condition = sides[conditions.input]
    settled = np.where(of_condition > 0, _expect(conditions, HIGH, schema), _expect(conditions, LOW, schema))
    of_sets = zip(conditions.categories.tolist(), of_condition.tolist(), settled.tolist(), strict=True)
    settled = np.array([way if own is None else side in own for own, side, way in of_sets], bool)
    return replace(rules, conditions=replace(conditions, missing=np.where(change, settled, conditions.missing)))


def find_sides(matrix: NDArray[np.float64], y: NDArray[np.float64], schema: Schema) -> NDArray[np.int64]:
    """Of each input whether rows that lack it are more like those of high values: by the means of the targets.

    Of a nominal input it is the commonest category.

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
    sides = np.zeros(matrix.shape[1], np.int64)
    for j in np.flatnonzero(schema.has_missing):
        x = matrix[:, j]
        is_missing = np.isnan(x)
        if is_missing.all() or not is_missing.any():
            continue
        if schema.kinds[j] == NOMINAL:
            sides[j] = np.bincount(x[~is_missing].astype(np.int64)).argmax()
            continue
        above = x > np.median(x[~is_missing])
        of_gaps, of_high, of_low = (
            filled[rows].sum(axis=0) / np.maximum(known[rows].sum(axis=0), 1)
            for rows in (is_missing, above, ~is_missing & ~above)
        )
        sides[j] = ((of_gaps - of_high) ** 2).sum() < ((of_gaps - of_low) ** 2).sum()
    return sides


def _find_usual(conditions: Conditions, j: int, schema: Schema) -> Way:
    """What a missing value of an input does in most conditions."""
    own = conditions.take(np.flatnonzero(conditions.input == j))
    if schema.kinds[j] == NOMINAL:
        ways: Sequence[Way] = (OTHER, NEVER, _find_likest(own, len(schema.labels[j] or ())))
    else:
        ways = (LOW, HIGH, NEVER)
    return max(ways, key=lambda way: int((_expect(own, way, schema) == own.missing).sum()))


def _find_likest(conditions: Conditions, n_labels: int) -> int:
    """The category that most often fulfils the conditions that a missing value fulfils, and no others."""
    count = np.zeros(n_labels, np.int64)
    for inside, missing in zip(conditions.categories.tolist(), conditions.missing.tolist(), strict=True):
        count[list(inside or ())] += 1 if missing else -1
    return int(count.argmax())


def _expect(conditions: Conditions, way: Way, schema: Schema) -> Flags:
    """Whether a missing value that counts as this fulfils each condition."""
    if isinstance(way, int):
        return np.array([way in own for own in conditions.categories.tolist()], bool)
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
