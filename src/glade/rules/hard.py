"""Hard rules as terms: 1 for the rows that a rule covers, else 0; and the leaves of whole trees, which count as one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import Floats, Places, StoredPart, TermBlock, Uses, mark_inputs, widen
from glade.rules.coverage import WORD, Bits, cover, unpack
from glade.rules.gaps import names_categories
from glade.rules.rule_set import Conditions, RuleSet

ALL = slice(None)
MAX_LISTED = 40  # categories of a condition that a page writes out


@dataclass(frozen=True)
class BlockOfRules(TermBlock):
    """Terms each of which is about one rule, a conjunction of conditions.

    Parameters
    ----------
    rules
        Their conditions.
    """

    rules: RuleSet
    covers_rows: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def words(self) -> list[str]:
        return self.rules.words

    @property
    def most(self) -> Floats:
        return np.ones(len(self))

    @property
    def n_conditions(self) -> Places:
        return self.rules.n_conditions

    @property
    def n_named(self) -> Places:
        return count_named(self.rules)

    @property
    def uses(self) -> Uses:
        return list_uses(self.rules)

    def list_conditions(self) -> list[list[dict[str, Any]]]:
        return list_conditions(self.rules)

    def list_cuts(self, j: int) -> Floats:
        on_input = self.rules.conditions.input == j
        return np.concatenate((self.rules.conditions.low[on_input], self.rules.conditions.high[on_input]))

    def describe_words(self, k: int) -> dict[str, Any]:
        return {"words": self.rules[k].words[0], "says": word_conditions(self.rules, k)}


@dataclass(frozen=True)
class HardRules(BlockOfRules):
    """Rules of which a row fulfils all conditions or not; kept as bits, 64 rows a word.

    Parameters
    ----------
    rules
        Their conditions.
    remembered
        Tables of a fit (the very arrays) with the bits of the rules there, so that these are found once.
    """

    remembered: tuple[tuple[Floats, Bits], ...] = field(default=(), repr=False, compare=False)
    kind: ClassVar[str] = "rule"
    stored_as: ClassVar[str] = "rules"

    def take(self, which: Places) -> Self:
        return type(self)(self.rules.take(which), tuple((table, bits[which]) for table, bits in self.remembered))

    def remember(self, matrix: Floats, bits: Bits | None = None) -> Self:
        """The same rules, which know the rows of this table that they cover; the bits may have been found."""
        own = cover(self.rules, matrix) if bits is None else bits
        return replace(self, remembered=(*self.remembered, (matrix, own)))

    def forget(self) -> Self:
        """The same rules without what they remember of tables."""
        return replace(self, remembered=())

    def bits(self, matrix: Floats, rows: slice = ALL) -> Bits:
        """Rules x words: the rows (whole words of them) that each rule covers."""
        for table, bits in self.remembered:
            if table is matrix:
                first, end, _ = rows.indices(len(matrix))
                return np.ascontiguousarray(bits[:, first // WORD : -(-end // WORD)])
        return cover(self.rules, matrix[rows])

    def values(self, matrix: Floats, rows: slice = ALL) -> Floats:
        n_rows = len(range(*rows.indices(len(matrix))))
        return unpack(self.bits(matrix, rows), n_rows).T  # type: ignore[return-value]  # zeros and ones

    @property
    def keys(self) -> Places:
        return self.rules.keys

    def describe(self, k: int) -> dict[str, Any]:
        return {"if": describe_conditions(self.rules, k)}

    def average(self, rows: Floats, inputs: Sequence[int]) -> Callable[[Floats], Floats]:
        """The share of the rows that fulfil a rule's other conditions, where the point fulfils its own."""
        is_held = mark_inputs(inputs, rows.shape[1])[self.rules.conditions.input]
        others, own = (self.rules.keep_conditions(kept) for kept in (~is_held, is_held))
        share = np.bitwise_count(cover(others, rows)).sum(axis=1) / len(rows)

        def find(points: Floats) -> Floats:
            return unpack(cover(own, widen(points, inputs, rows.shape[1])), len(points)).T * share

        return find

    def store(self) -> dict[str, Any]:
        from glade.rules.stored import store_rules

        return store_rules(self.rules)

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> Self:
        from glade.rules.stored import read_rules

        return cls(read_rules(part, schema, targets))


class WholeTrees(HardRules):
    """The leaves of trees, tree by tree: those of one tree have one weight from a solver and count as one term."""

    @property
    def group(self) -> Places:
        _, first, tree = np.unique(self.rules.tree, return_index=True, return_inverse=True)
        return first[tree]

    @property
    def is_tied(self) -> bool:
        return True


def list_uses(rules: RuleSet) -> Uses:
    """Which rules have a condition on which inputs."""
    rule = np.repeat(np.arange(len(rules)), rules.n_conditions)
    return Uses(rule, rules.conditions.input.astype(np.int64))


def count_named(rules: RuleSet) -> Places:
    """Of each rule how many categories the condition names that names most."""
    most = np.zeros(len(rules), np.int64)
    rule = np.repeat(np.arange(len(rules)), rules.n_conditions)
    np.maximum.at(most, rule, names_categories(rules.conditions, rules.schema))
    return most


def list_conditions(rules: RuleSet) -> list[list[dict[str, Any]]]:
    """The conditions of each rule: input, low, high, categories, missing; None where a condition has no such part."""
    own = [_tell_condition(rules.conditions, k, rules.schema) for k in range(len(rules.conditions))]
    return [own[first:end] for first, end in zip(rules.start[:-1], rules.start[1:], strict=True)]


def _tell_condition(conditions: Conditions, k: int, schema: Schema) -> dict[str, Any]:
    j = int(conditions.input[k])
    low, high, categories = float(conditions.low[k]), float(conditions.high[k]), conditions.categories[k]
    labels = schema.labels[j]
    inside = None if categories is None or labels is None else [labels[c] for c in categories]
    if labels is not None and inside is None:  # ranked labels from above one to another
        codes = np.arange(len(labels))
        inside = [labels[c] for c in codes[(codes > low) & (codes <= high)]]
    is_interval = inside is None
    return {
        "input": schema.names[j],
        "low": low if is_interval and np.isfinite(low) else None,
        "high": high if is_interval and np.isfinite(high) else None,
        "categories": [] if low == np.inf else inside,  # none of them: the input is missing
        "missing": bool(conditions.missing[k]),
    }


def describe_conditions(rules: RuleSet, i: int) -> list[list[Any]]:
    """Each condition of a rule: its input, bounds, whether missing fulfils it, its categories or None."""
    return [describe_condition(rules.conditions, k) for k in range(int(rules.start[i]), int(rules.start[i + 1]))]


def describe_condition(conditions: Conditions, k: int) -> list[Any]:
    """One condition; that an input be missing is a set of no categories, whatever the input's kind."""
    categories = conditions.categories[k]
    low, high = float(conditions.low[k]), float(conditions.high[k])
    inside = [] if low == np.inf else None if categories is None else list(categories)
    edges = [edge if np.isfinite(edge) else None for edge in (low, high)]
    return [int(conditions.input[k]), *edges, int(conditions.missing[k]), inside]


def word_conditions(rules: RuleSet, i: int) -> list[str]:
    """Each condition of a rule in words, with more categories than a line of text has."""
    from glade.rules.wording import word_condition

    places = range(int(rules.start[i]), int(rules.start[i + 1]))
    return [word_condition(rules.conditions, k, rules.schema, MAX_LISTED) for k in places]
