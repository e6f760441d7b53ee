"""Terms with weights: what a fitted rule ensemble is."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design
from glade.rules.rule_set import RuleSet


@dataclass(frozen=True)
class WeightedTerms:
    """prediction = offset + the effects of the terms, in the user's units.

    Parameters
    ----------
    design
        The terms: rules first, then linear ones.
    effect
        Terms x channels: what a covered row gets, or a linear term adds for each unit of its value.
    offset
        What every row gets.
    rows, share
        The weight of the training rows that a rule covers, and its share of all; the mean of a linear term's values.
    deviation
        The standard deviation of each term's values over the training rows.
    spread
        Per channel: the target's standard deviation, the unit in which importances are compared.
    """

    design: Design
    effect: NDArray[np.float64]
    offset: NDArray[np.float64]
    rows: NDArray[np.float64]
    share: NDArray[np.float64]
    deviation: NDArray[np.float64]
    spread: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.design)

    def predict(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x channels of an encoded table."""
        return self.offset + self.design.predict(matrix, self.effect)

    @property
    def importance(self) -> NDArray[np.float64]:
        """Terms x channels: |effect| * deviation, in the channel's own standard deviation."""
        return np.abs(self.effect) * self.deviation[:, None] / self.spread

    def by_importance(self) -> "WeightedTerms":
        """The same terms, the most important rules and then linear terms first."""
        order = np.lexsort((-self.importance.mean(axis=1), np.arange(len(self)) >= len(self.design.rules)))
        per_term = {name: getattr(self, name)[order] for name in ("effect", "rows", "share", "deviation")}
        return replace(self, design=self.design.take(order), **per_term)

    @cached_property
    def rules(self) -> RuleSet:
        """The rules, with their effects for values."""
        n = len(self.design.rules)
        return replace(self.design.rules, value=self.effect[:n], rows=self.rows[:n], share=self.share[:n])

    def input_importance(self) -> NDArray[np.float64]:
        """Inputs x channels: a term's importance is shared equally by its inputs."""
        conditions, n_rules = self.design.rules.conditions, len(self.design.rules)
        of_input = np.zeros((len(self.design.rules.schema.names), self.effect.shape[1]))
        length = self.design.rules.n_conditions
        part = np.repeat(self.importance[:n_rules] / np.maximum(length, 1)[:, None], length, axis=0)
        np.add.at(of_input, conditions.input, part)
        np.add.at(of_input, self.design.linear.input, self.importance[n_rules:])
        return of_input
