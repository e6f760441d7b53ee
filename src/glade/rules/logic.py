"""Logic rules: two rules as one term, "this or that", or "this unless that".

Two rules as two terms add up where both hold; as one term they do not.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import require
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import Floats, Places, StoredPart, TermBlock, Uses
from glade.rules.coverage import cover, unpack
from glade.rules.hard import count_named, describe_conditions, list_conditions, list_uses, word_conditions
from glade.rules.rule_set import RuleSet


@dataclass(frozen=True)
class LogicRules(TermBlock):
    """Terms of two rules each: 1 where the first or the second covers, or where the first does and the second not.

    Parameters
    ----------
    rules
        The two of each term, one after another.
    is_union
        Of each term whether it is "or", else "unless".
    """

    rules: RuleSet
    is_union: NDArray[np.bool_]
    kind: ClassVar[str] = "logic rule"
    stored_as: ClassVar[str] = "logic"
    covers_rows: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.is_union)

    def take(self, which: Places) -> Self:
        which = np.arange(len(self))[which]
        both = np.column_stack((2 * which, 2 * which + 1)).ravel()
        return replace(self, rules=self.rules.take(both), is_union=self.is_union[which])

    def values(self, matrix: Floats) -> Floats:
        first, second = np.split(unpack(cover(self.rules, matrix), len(matrix)).reshape(len(self), 2, -1), 2, axis=1)
        found = np.where(self.is_union[:, None], first[:, 0] | second[:, 0], first[:, 0] & ~second[:, 0])
        return found.T.astype(float)

    @property
    def words(self) -> list[str]:
        words, n = self.rules.words, self.rules.n_conditions
        told = [f"({own})" if k > 1 else own for own, k in zip(words, n, strict=True)]
        link = ["or" if is_union else "unless" for is_union in self.is_union]
        return [f"{a} {own} {b}" for a, own, b in zip(told[::2], link, told[1::2], strict=True)]

    @property
    def most(self) -> Floats:
        return np.ones(len(self))

    @property
    def n_conditions(self) -> Places:
        return self.rules.n_conditions.reshape(-1, 2).sum(axis=1)

    @property
    def n_named(self) -> Places:
        return count_named(self.rules).reshape(-1, 2).max(axis=1, initial=0)

    @property
    def uses(self) -> Uses:
        own = list_uses(self.rules)
        pairs = np.unique(np.column_stack((own.term // 2, own.input)), axis=0)
        return Uses(pairs[:, 0], pairs[:, 1])

    def list_conditions(self) -> list[list[dict[str, Any]]]:
        own = list_conditions(self.rules)
        return [a + b for a, b in zip(own[::2], own[1::2], strict=True)]

    def list_cuts(self, j: int) -> Floats:
        on_input = self.rules.conditions.input == j
        return np.concatenate((self.rules.conditions.low[on_input], self.rules.conditions.high[on_input]))

    def describe(self, k: int) -> dict[str, Any]:
        other = "or" if self.is_union[k] else "unless"
        return {"if": describe_conditions(self.rules, 2 * k), other: [describe_conditions(self.rules, 2 * k + 1)]}

    def describe_words(self, k: int) -> dict[str, Any]:
        link = "or" if self.is_union[k] else "unless"
        first, second = (" and ".join(word_conditions(self.rules, i)) for i in (2 * k, 2 * k + 1))
        return {"words": self.words[k], "says": [f"{first}, {link} {second}"]}

    def store(self) -> dict[str, Any]:
        from glade.rules.stored import store_rules

        return {**store_rules(self.rules), "is_union": self.is_union}

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> Self:
        from glade.rules.stored import read_rules

        rules, is_union = read_rules(part, schema, targets), part.array("is_union", np.bool_, None)
        require(len(rules) == 2 * len(is_union), "a logic rule has not two rules")
        require((rules.n_conditions > 0).all(), "a part of a logic rule has no condition")
        return cls(rules, is_union)
