"""The one form of rules: columns of conditions, at most one condition for each rule and input.

A condition on a numeric (or ordinal) input is an interval, `low < x <= high`; one on a nominal input is a set of
categories. Each says whether a missing value, or a category that training never saw, fulfils it too. A rule covers the
rows that fulfil all of its conditions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.coverage import PackedConditions, pack_conditions

PER_RULE = ("value", "rows", "share", "tree", "node")


@dataclass(frozen=True)
class Conditions:
    """Conditions of any rules, one after another."""

    input: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    missing: NDArray[np.bool_]  # whether a missing value fulfils the condition
    categories: NDArray[np.object_]  # a tuple of category codes, ascending; None for an interval

    def __len__(self) -> int:
        return len(self.input)

    @property
    def is_set(self) -> NDArray[np.bool_]:
        """Whether each is a set of categories, and no interval."""
        return np.asarray(self.categories != np.array(None, object))

    @property
    def n_categories(self) -> NDArray[np.int64]:
        """How many categories each has; 0 for an interval."""
        found = np.zeros(len(self), np.int64)
        sets = np.flatnonzero(self.is_set)
        found[sets] = [len(own) for own in self.categories[sets].tolist()]
        return found

    def take(self, which: NDArray[Any]) -> "Conditions":
        """These conditions (positions or a mask), in this order."""
        return Conditions(*(getattr(self, f.name)[which] for f in fields(self)))

    @classmethod
    def join(cls, parts: list["Conditions"]) -> "Conditions":
        """All of them, in order."""
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls)))


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules with what each of them says of the targets.

    Indexing with a number gives a `RuleSet` of one rule, with a slice, a mask or positions one of several.
    """

    schema: Schema
    targets: TargetSchema
    conditions: Conditions
    start: NDArray[np.int64]  # rule i has the conditions start[i] .. start[i + 1] - 1
    value: NDArray[np.float64]  # rules x channels: the prediction of a tree's node, or what a weighted rule adds
    rows: NDArray[np.float64]  # the weight of the training rows that each covers
    share: NDArray[np.float64]  # of all training rows, by weight
    tree: NDArray[np.int32]  # where each comes from
    node: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles hold the rules, not what is kept to cover rows faster."""
        return {name: value for name, value in vars(self).items() if name != "packed"}

    @cached_property
    def packed(self) -> tuple[PackedConditions, NDArray[np.int64]]:
        """The different conditions as the kernel takes them, and for each condition the place of its kind."""
        return pack_conditions(self)

    def __getitem__(self, which: Any) -> "RuleSet":
        if isinstance(which, (int, np.integer)):
            if not -len(self) <= which < len(self):
                raise IndexError(f"rule {which} of {len(self)}")
            which = [int(which) % len(self)]
        return self.take(np.arange(len(self))[which])

    def __iter__(self) -> Iterator["RuleSet"]:
        return (self[i] for i in range(len(self)))

    def __str__(self) -> str:
        return "\n".join(self.words)

    def __repr__(self) -> str:
        return f"<RuleSet of {len(self):,} rules>"

    @property
    def n_conditions(self) -> NDArray[np.int64]:
        """Per rule."""
        return np.diff(self.start)

    @property
    def keys(self) -> NDArray[np.int64]:
        """Per rule: a number for the node that it comes from."""
        return (self.tree.astype(np.int64) << 32) + self.node

    @cached_property
    def words(self) -> list[str]:
        """Each rule in words, in the user's names and units."""
        from glade.rules.wording import word_rule

        return [word_rule(self, i) for i in range(len(self))]

    def take(self, rules: NDArray[np.int64]) -> "RuleSet":
        """These rules, in this order."""
        start = np.append(0, np.cumsum(self.n_conditions[rules]))
        per_rule = {name: getattr(self, name)[rules] for name in PER_RULE}
        return replace(self, conditions=self.conditions.take(self.places_of(rules)), start=start, **per_rule)

    def places_of(self, rules: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of these rules' conditions, one rule after another."""
        length = self.n_conditions[rules]
        before = np.cumsum(length) - length
        return np.repeat(self.start[:-1][rules] - before, length) + np.arange(length.sum())

    def keep_conditions(self, kept: NDArray[np.bool_]) -> "RuleSet":
        """The same rules with these of their conditions only."""
        before = np.append(0, np.cumsum(kept))
        return replace(self, conditions=self.conditions.take(kept), start=before[self.start])

    @classmethod
    def join(cls, parts: Sequence["RuleSet"]) -> "RuleSet":
        """All of them, in order; of the same inputs and targets."""
        lengths = np.concatenate([np.zeros(1, np.int64), *(part.n_conditions for part in parts)])
        per_rule: dict[str, Any] = {name: np.concatenate([getattr(p, name) for p in parts]) for name in PER_RULE}
        conditions = Conditions.join([part.conditions for part in parts])
        return replace(parts[0], conditions=conditions, start=np.cumsum(lengths), **per_rule)

    def covers(self, X: Any) -> NDArray[np.bool_]:
        """Rows x rules: whether the rule covers the row."""
        from glade.rules.coverage import cover, unpack

        self.schema.check_columns(X)
        matrix = self.schema.encode(X)
        return unpack(cover(self, matrix), len(matrix)).T

    def to_frame(self) -> Any:
        """A pandas dataframe with a row for each rule: its words, how many rows it covers, what it says."""
        import pandas as pd

        frame = pd.DataFrame({"rule": self.words, "conditions": self.n_conditions, "rows": self.rows})
        frame["share"] = self.share
        frame[self.targets.columns_beside(frame.columns)] = self.value
        return frame
