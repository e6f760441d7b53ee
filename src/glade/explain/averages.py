"""A model's prediction averaged over rows while some inputs are held at a point: partial dependence, exactly.

A rule's average is the share of the rows that fulfil its other conditions, or zero where the point breaks one of its
own: a sum over rules, not over rows x points. Leaves of trees are rules too, and are counted all at once.
Soft rules alone are asked for every row at every point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.core.blas import one_blas_thread
from glade.explain.credits import CreditedForest
from glade.rules.blocks import mark_inputs, widen
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
        pairs = np.zeros((self.rows.shape[1],) * 2, bool)
        for block in self.weighted.design.blocks:
            looks_at = block.uses.mark(len(block), self.rows.shape[1]).astype(np.float32)
            if looks_at.sum(axis=1).max(initial=0.0) > 1 or block.covers_rows:
                pairs |= looks_at.T @ looks_at > 0
        return pairs

    @one_blas_thread()
    def at(self, inputs: Sequence[int], points: NDArray[np.float64]) -> NDArray[np.float64]:
        design, effect = self.weighted.design, self.weighted.effect
        is_held, moves = mark_inputs(inputs, self.rows.shape[1]), np.zeros(len(design), bool)
        parts = []
        for block, first in zip(design.blocks, design.start, strict=False):
            uses = block.uses
            touched = np.unique(uses.term[is_held[uses.input]])
            moves[first + touched] = True
            if len(touched):
                parts.append((block.take(touched).average(self.rows, inputs), effect[first + touched]))
        still = self.weighted.offset + (self._mean * ~moves) @ effect
        out = np.tile(still, (len(points), 1))
        size = max(1, CHUNK_CELLS // max(int(moves.sum()), self.rows.shape[1]))
        for k in range(0, len(points), size):
            for find, own in parts:
                out[k : k + size] += find(points[k : k + size]) @ own
        return out


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
        is_held = mark_inputs(inputs, self.rows.shape[1])
        nodes, roots = forest.packed.nodes, read_only(self.credited.root)
        stack = np.empty((int(forest.nodes.depth.max(initial=0)) + 2, 3), np.int64)
        arrived, settled = np.zeros(forest.n_nodes), np.empty(forest.n_nodes, bool)
        count_arrivals(read_only(self.rows), ~is_held, nodes, roots, rows, stack, arrived)
        value = self.credited.value.copy()
        settle(is_held, nodes, arrived / len(self.rows), value, settled)
        out = np.zeros((len(points), len(self.credited.start)))
        matrix = widen(points, inputs, self.rows.shape[1])
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
