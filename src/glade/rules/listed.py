"""Rules of which one row has one prediction: the first of a list that covers it, or the mean of all that do."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from glade.core.errors import require
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import Floats, Places, StoredPart
from glade.rules.coverage import cover, unpack
from glade.rules.hard import BlockOfRules, describe_conditions

ELSE = "else"  # before a rule that gets what those before it leave, and where no rule covers a row


@dataclass(frozen=True)
class ListedRules(BlockOfRules):
    """Rules in order: a term is 1 for the rows that its rule is the first of the block to cover, else 0."""

    kind: ClassVar[str] = "listed rule"
    stored_as: ClassVar[str] = "listed"
    note: ClassVar[str] = (
        "the first rule of the list that covers a row says what is predicted; a missing value fulfils no condition"
    )
    is_in_order: ClassVar[bool] = True

    def take(self, which: Places) -> Self:
        return replace(self, rules=self.rules.take(which))

    @property
    def words(self) -> list[str]:
        """A rule after the first takes what those before it leave."""
        return [f"{ELSE} {own}" if k else own for k, own in enumerate(super().words)]

    def values(self, matrix: Floats) -> Floats:
        covers = unpack(cover(self.rules, matrix), len(matrix)).T
        covers[:, 1:] &= ~np.logical_or.accumulate(covers, axis=1)[:, :-1]
        return covers.astype(float)

    def describe(self, k: int) -> dict[str, Any]:
        """The conditions of the rule, and those of the rules before it, whose rows it does not get."""
        before = [describe_conditions(self.rules, i) for i in range(k)]
        return {"if": describe_conditions(self.rules, k), "unless": before, "place": k}

    def describe_words(self, k: int) -> dict[str, Any]:
        return {**super().describe_words(k), "words": self.words[k]}

    def store(self) -> dict[str, Any]:
        from glade.rules.stored import store_rules

        return store_rules(self.rules)

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> Self:
        from glade.rules.stored import read_rules

        return cls(read_rules(part, schema, targets))


@dataclass(frozen=True)
class VotingRules(BlockOfRules):
    """Rules with votes: a term is its rule's part of the votes of all rules that cover a row, 0 where it does not.

    Parameters
    ----------
    rules
        Their conditions.
    votes
        Of each rule, positive.
    """

    votes: Floats
    kind: ClassVar[str] = "voting rule"
    stored_as: ClassVar[str] = "voting"
    note: ClassVar[str] = (
        "where several rules cover a row, it gets their mean, and counts for each by its part; a missing value fulfils"
        " no condition"
    )
    is_in_order: ClassVar[bool] = True

    def take(self, which: Places) -> Self:
        return replace(self, rules=self.rules.take(which), votes=self.votes[which])

    def values(self, matrix: Floats) -> Floats:
        votes = unpack(cover(self.rules, matrix), len(matrix)).T * self.votes
        total = votes.sum(axis=1, keepdims=True)
        return np.divide(votes, total, out=votes, where=total > 0)

    def describe(self, k: int) -> dict[str, Any]:
        """The conditions and the vote of the rule, which tells nothing without those of the others."""
        return {"if": describe_conditions(self.rules, k), "vote": float(self.votes[k]), "place": k}

    def store(self) -> dict[str, Any]:
        from glade.rules.stored import store_rules

        return {**store_rules(self.rules), "votes": self.votes}

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> Self:
        from glade.rules.stored import read_rules

        rules = read_rules(part, schema, targets)
        votes = part.numbers("votes", len(rules))
        require(((votes > 0) & (votes <= 1)).all(), "the vote of a rule is not above 0 and at most 1")
        return cls(rules, votes)
