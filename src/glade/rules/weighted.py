"""Terms with weights: what a fitted rule ensemble is."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.rules.coverage import sum_covered
from glade.rules.design import Design
from glade.rules.observed import Observed
from glade.rules.rule_set import RuleSet
from glade.rules.soft import SoftRules


@dataclass(frozen=True)
class MeasuredTerms:
    """Terms with what the training rows say of them.

    Parameters
    ----------
    design
        The terms: rules first, then soft rules, then linear ones.
    rows, share
        The weight of the training rows that a rule covers, and its share of all; the sum and mean of other values.
    deviation
        The standard deviation of each term's values over the training rows.
    observed
        The means of the targets inside and outside; None in files of older versions.
    """

    design: Design
    rows: NDArray[np.float64]
    share: NDArray[np.float64]
    deviation: NDArray[np.float64]
    observed: Observed | None = None

    @classmethod
    def of(cls, design: Design, matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> "MeasuredTerms":
        """Measured on the rows of an encoded table."""
        n_rules = len(design.rules)
        covered, (total, square) = np.zeros((n_rules, 1)), np.zeros((2, len(design) - n_rules))
        for part in design.chunks_of_bits(len(matrix)):
            covered += sum_covered(design.hard.bits(matrix, part), weights[part, None])
            values = design.values_not_bits(matrix[part])
            total += weights[part] @ values
            square += weights[part] @ (values * values)
        total, square = (np.append(covered, of_others) for of_others in (total, square))
        whole = weights.sum()
        return cls(design, total, total / whole, np.sqrt(np.maximum(square / whole - (total / whole) ** 2, 0.0)))

    def __len__(self) -> int:
        return len(self.design)

    def take(self, terms: NDArray[np.int64]) -> "MeasuredTerms":
        """These terms, rules first."""
        observed = None if self.observed is None else self.observed.take(terms)
        columns = self.rows[terms], self.share[terms], self.deviation[terms]
        return MeasuredTerms(self.design.take(terms), *columns, observed)


@dataclass(frozen=True)
class WeightedTerms:
    """score = offset + the effects of the terms. Of a numeric target the score is the prediction, in the user's unit.

    Parameters
    ----------
    measured
        The terms.
    effect
        Terms x channels: what a covered row's score gets, or another term adds for each unit of its value.
    offset
        The score of a row that no term touches.
    change
        Terms x channels: what the prediction gets, on average over the covered training rows. Of a numeric target that
        is the effect, of a class a change of its probability.
    typical
        Per channel: the prediction for a row that no term touches.
    spread
        Per channel: the standard deviation of the target, or of a class's zeros and ones.
    """

    measured: MeasuredTerms
    effect: NDArray[np.float64]
    offset: NDArray[np.float64]
    change: NDArray[np.float64]
    typical: NDArray[np.float64]
    spread: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.measured)

    @property
    def design(self) -> Design:
        """The terms alone."""
        return self.measured.design

    @property
    def share(self) -> NDArray[np.float64]:
        """Of the training rows, that each rule covers."""
        return self.measured.share

    def predict(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of the rows (x channels) of an encoded table."""
        return self.offset + self.design.predict(matrix, self.effect)

    @cached_property
    def importance(self) -> NDArray[np.float64]:
        """Terms x targets: |change| * deviation, in the target's own standard deviation."""
        start = self.design.rules.targets.start
        unit = np.maximum.reduceat(self.spread, start[:-1])  # divided by first: squares of tiny or huge units are none
        shares = np.repeat(unit, np.diff(start))
        square = np.add.reduceat((self.change / shares) ** 2, start[:-1], axis=1)
        square /= np.add.reduceat((self.spread / shares) ** 2, start[:-1])
        return np.sqrt(square) * self.measured.deviation[:, None]

    def by_importance(self) -> "WeightedTerms":
        """The same terms, of each kind the most important first, but for kinds whose order means something."""
        block_of, is_in_order = self.design.block_of, np.array([block.is_in_order for block in self.design.blocks])
        order = np.lexsort((np.where(is_in_order[block_of], 0.0, -self.importance.mean(axis=1)), block_of))
        effect, change = self.effect[order], self.change[order]
        return replace(self, measured=self.measured.take(order), effect=effect, change=change)

    @cached_property
    def rules(self) -> RuleSet:
        """The rules, with what they change for values."""
        n = len(self.design.rules)
        measured = self.measured
        return replace(self.design.rules, value=self.change[:n], rows=measured.rows[:n], share=measured.share[:n])

    @cached_property
    def soft_rules(self) -> SoftRules:
        """The soft rules, with what they change where they are wholly on for values."""
        soft, own = self.design.soft, self.design.places_of(SoftRules)
        rows, share = self.measured.rows[own] / soft.scale, self.measured.share[own] / soft.scale
        return soft.with_values(self.change[own] * soft.scale[:, None], rows, share)

    def local_importance(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Terms x targets: |change| * the mean distance of the terms' values in these rows from their mean."""
        distance = np.zeros(len(self))
        for rows in self.design.chunks(len(matrix)):
            distance += np.abs(self.design.values(matrix[rows]) - self.share).sum(axis=0)
        deviation = self.measured.deviation * len(matrix)
        return self.importance * np.divide(distance, deviation, out=np.zeros(len(self)), where=deviation > 0)[:, None]

    def input_importance(self, importance: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Inputs x targets: a term's importance, its overall one if none is given, is shared equally by its inputs."""
        importance = self.importance if importance is None else importance
        design = self.design
        of_input = np.zeros((len(design.rules.schema.names), importance.shape[1]))
        for block, first, end in zip(design.blocks, design.start, design.start[1:], strict=False):
            uses = block.uses
            n_inputs = np.maximum(np.bincount(uses.term, minlength=len(block)), 1)
            np.add.at(of_input, uses.input, (importance[first:end] / n_inputs[:, None])[uses.term])
        return of_input
