"""A model's prediction averaged over rows while some inputs are held at a point: partial dependence, exactly.

A rule's average is the share of the rows that fulfil its other conditions, or zero where the point breaks one of its
own: a sum over rules, not over rows x points. Leaves of trees are rules too, and are counted all at once.
Soft rules alone are asked for every row at every point.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.core.blas import one_blas_thread
from glade.explain.credits import CreditedForest
from glade.rules.coverage import cover, unpack
from glade.rules.rule_set import RuleSet
from glade.rules.weighted import WeightedTerms

CHUNK_CELLS = 4_000_000


class Averages(Protocol):
    """A model, and the rows it is averaged over."""

    def at(self, inputs: Sequence[int], points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points x channels: the mean over all rows, with these inputs as the points (x inputs) have them."""
        ...

    @property
    def together(self) -> NDArray[np.bool_]:
        """Inputs x inputs: whether some term looks at both. Where none does, the two do not interact."""
        ...


@dataclass(frozen=True)
class TermAverages:
    """Of weighted terms."""

    weighted: WeightedTerms
    rows: NDArray[np.float64]

    @cached_property
    def _mean(self) -> NDArray[np.float64]:
        """Per term: its mean over the rows."""
        design = self.weighted.design
        total = np.zeros(len(design))
        for part in design.chunks(len(self.rows)):
            total += design.values(self.rows[part]).sum(axis=0)
        return total / len(self.rows)

    @cached_property
    def together(self) -> NDArray[np.bool_]:
        design = self.weighted.design
        pairs = np.zeros((self.rows.shape[1],) * 2, bool)
        for rules in (design.rules, design.soft.rules):
            looks_at = np.zeros((len(rules), self.rows.shape[1]), np.float32)
            looks_at[_rule_of(rules), rules.conditions.input] = 1.0
            pairs |= looks_at.T @ looks_at > 0
        return pairs

    @one_blas_thread()
    def at(self, inputs: Sequence[int], points: NDArray[np.float64]) -> NDArray[np.float64]:
        design, effect = self.weighted.design, self.weighted.effect
        is_held = _mark(inputs, self.rows.shape[1])
        touched, softly = (_find_touched(rules, is_held) for rules in (design.rules, design.soft.rules))
        moved = np.flatnonzero(is_held[design.linear.input])
        moves = np.zeros(len(design), bool)
        moves[touched] = moves[len(design.rules) + softly] = moves[design.n_rules + moved] = True
        still = self.weighted.offset + (self._mean * ~moves) @ effect
        rules, linear = design.rules.take(touched), design.linear.take(moved)
        weight = self._share_of_others(rules, is_held)[:, None] * effect[touched]
        own = _keep_conditions(rules, is_held[rules.conditions.input])
        out = np.empty((len(points), effect.shape[1]))
        size = max(1, CHUNK_CELLS // max(len(own), self.rows.shape[1]))
        for first in range(0, len(points), size):
            part = slice(first, first + size)
            matrix = _widen(points[part], inputs, self.rows.shape[1])
            out[part] = still + unpack(cover(own, matrix), len(matrix)).T @ weight
            out[part] += linear.values(matrix) @ effect[design.n_rules + moved]
        if len(softly):
            out += self._average_soft(softly, inputs, points) @ effect[len(design.rules) + softly]
        return out

    def _average_soft(
        self, terms: NDArray[np.int64], inputs: Sequence[int], points: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Points x soft rules, by every row at every point: their inputs do not come apart."""
        soft, changed = self.weighted.design.soft.take(terms), self.rows.copy()
        means = np.empty((len(points), len(terms)))
        for k, point in enumerate(points):
            changed[:, list(inputs)] = point
            means[k] = soft.values(changed).mean(axis=0)
        return means

    def _share_of_others(self, rules: RuleSet, is_held: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Per rule: the share of the rows that fulfil its conditions on all other inputs."""
        others = _keep_conditions(rules, ~is_held[rules.conditions.input])
        return np.bitwise_count(cover(others, self.rows)).sum(axis=1) / len(self.rows)


def _rule_of(rules: RuleSet) -> NDArray[np.int64]:
    """Per condition: its rule."""
    return np.repeat(np.arange(len(rules)), rules.n_conditions)


def _find_touched(rules: RuleSet, is_held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The rules with a condition on an input that is held."""
    return np.unique(_rule_of(rules)[is_held[rules.conditions.input]])


def _keep_conditions(rules: RuleSet, kept: NDArray[np.bool_]) -> RuleSet:
    """The same rules, with these of their conditions."""
    length = np.bincount(_rule_of(rules)[kept], minlength=len(rules))
    return replace(rules, conditions=rules.conditions.take(kept), start=np.append(0, np.cumsum(length)))


def _mark(inputs: Sequence[int], n_inputs: int) -> NDArray[np.bool_]:
    marked = np.zeros(n_inputs, bool)
    marked[list(inputs)] = True
    return marked


def _widen(points: NDArray[np.float64], inputs: Sequence[int], n_inputs: int) -> NDArray[np.float64]:
    """Rows of a whole table; what is not held is not looked at."""
    matrix = np.full((len(points), n_inputs), np.nan)
    matrix[:, list(inputs)] = points
    return matrix


@dataclass(frozen=True)
class ForestAverages:
    """Of one forest."""

    credited: CreditedForest
    rows: NDArray[np.float64]

    @cached_property
    def together(self) -> NDArray[np.bool_]:
        pairs = np.zeros((self.rows.shape[1], self.rows.shape[1]), bool)
        parent, split_by = self.credited.parent, self.credited.split_by
        nodes = self.credited.forest.nodes
        here, own = nodes.split_node, nodes.split_input
        pairs[own, own] = True
        while len(here):
            below_root = split_by[here] >= 0
            here, own = here[below_root], own[below_root]
            pairs[own, split_by[here]] = pairs[split_by[here], own] = True
            here = parent[here]
        return pairs

    def at(self, inputs: Sequence[int], points: NDArray[np.float64]) -> NDArray[np.float64]:
        from glade.explain._average import add_averages, count_arrivals, settle

        forest, rows = self.credited.forest, np.arange(len(self.rows))
        is_held = _mark(inputs, self.rows.shape[1])
        nodes, roots = forest.packed.nodes, read_only(self.credited.root)
        stack = np.empty((int(forest.nodes.depth.max(initial=0)) + 2, 3), np.int64)
        arrived, settled = np.zeros(forest.n_nodes), np.empty(forest.n_nodes, bool)
        count_arrivals(read_only(self.rows), ~is_held, nodes, roots, rows, stack, arrived)
        value = self.credited.value.copy()
        settle(is_held, nodes, arrived / len(self.rows), value, settled)
        out = np.zeros((len(points), len(self.credited.start)))
        matrix = _widen(points, inputs, self.rows.shape[1])
        add_averages(read_only(matrix), is_held, nodes, roots, value, settled, np.arange(len(points)), stack, out)
        return out + self.credited.start


@dataclass(frozen=True)
class SideBySide:
    """Of forests for parts of the targets."""

    parts: Sequence[ForestAverages]

    def at(self, inputs: Sequence[int], points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate([part.at(inputs, points) for part in self.parts], axis=1)

    @property
    def together(self) -> NDArray[np.bool_]:
        return np.logical_or.reduce([part.together for part in self.parts])
