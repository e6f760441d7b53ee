"""Multi-trees: one structure that shares the parts of very many trees.

A node with several splits stands for a choice (an OR-node), a split for both of its branches (an AND-node). Choosing
one split at every node that is reached gives one ordinary tree, a *solution*. The first tree is grown greedily; then
splits that were not taken are expanded, one after another, and their branches grown greedily too.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets, TargetSchema
from glade.grow.alternatives import AlternativeGrower
from glade.grow.grower import GrowthSettings
from glade.grow.node_table import NodeTable
from glade.grow.packed import Packed, pack_splits

RANDOM, GAIN, LOSS, SHALLOW = "random", "gain", "loss", "shallow"
URGENCY_DECIMALS = 10  # of a gain as a share of the root's impurity
WAKE = (RANDOM, GAIN, LOSS, SHALLOW)

# What came with one growth, by urgency: minus the urgency of the next one, its number, its place in the two arrays.
_Batch = tuple[float, int, int, NDArray[np.float64], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class MultiTree:
    """A multi-tree as it is stored: nodes of which some have several splits, in the order they were grown."""

    nodes: NodeTable
    schema: TargetSchema
    words: NDArray[np.int64] = field(init=False)  # the splits, packed

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", pack_splits(self.nodes))

    @cached_property
    def first_split(self) -> NDArray[np.int32]:
        """Per node the place of its first split, which the others follow; one more for the end."""
        return np.searchsorted(self.nodes.split_node, np.arange(self.nodes.n_nodes + 1)).astype(np.int32)

    @property
    def splits(self) -> Packed:
        """What the kernels take: the splits of node k are first_split[k] .. first_split[k + 1] - 1."""
        return Packed.of(self.words, self.nodes.categories)

    @cached_property
    def n_solutions(self) -> int:
        """How many ordinary trees there are in it: a sum over the splits of a node, a product over their branches."""
        counts = self.nodes.is_leaf.astype(int).tolist()
        for node, left in self._upwards():
            counts[node] += counts[left] * counts[left + 1]
        return int(counts[0])

    def first(self) -> NodeTable:
        """The tree that was grown first."""
        return self.nodes.with_splits(self.nodes.split)

    def smallest(self) -> NodeTable:
        """The solution with the fewest leaves; of several, the one grown earlier."""
        leaves = np.where(self.nodes.is_leaf, 1, self.nodes.n_nodes + 1).tolist()
        chosen = self.nodes.split.copy()
        for s, (node, left) in zip(range(len(self.nodes.split_node) - 1, -1, -1), self._upwards(), strict=True):
            n_leaves = leaves[left] + leaves[left + 1]
            if n_leaves <= leaves[node]:
                leaves[node], chosen[node] = n_leaves, s
        return self.nodes.with_splits(chosen)

    def _upwards(self) -> Iterator[tuple[int, int]]:
        """The node and the left branch of each split, from the last to the first: branches before what they hang on."""
        return zip(self.nodes.split_node[::-1].tolist(), self.nodes.split_left[::-1].tolist(), strict=True)

    def node_weights(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Per node the product of the shares of the splits above it."""
        weight = np.ones(self.nodes.n_nodes)
        for splits in self.nodes.splits_by_level():
            for side in (0, 1):
                weight[self.nodes.split_left[splits] + side] = weight[self.nodes.split_node[splits]] * share[splits]
        return weight

    @cached_property
    def even_shares(self) -> NDArray[np.float64]:
        """Per split: 1 over the number of splits that its node has."""
        return 1.0 / np.diff(self.first_split)[self.nodes.split_node]

    @cached_property
    def gain_shares(self) -> NDArray[np.float64]:
        """Per split: its share of the gains of its node's splits; even ones where nothing is gained."""
        gain, node = self.nodes.split_gain, self.nodes.split_node
        total = np.bincount(node, gain, self.nodes.n_nodes)[node]
        return np.divide(gain, total, out=self.even_shares.copy(), where=total > 0)


class MultiTreeGrower:
    """Grows a multi-tree, as long as one likes.

    Parameters
    ----------
    inputs, targets, settings
        As of a `Grower`.
    wake
        Which split is expanded next: any ("random"), the one that gains most ("gain"), the one that gains least less
        than the split its node has ("loss"), the one nearest to the root ("shallow").
    seed
        For "random".
    max_nodes
        No split is expanded whose branches would make more nodes; the first tree is always grown.
    """

    def __init__(
        self,
        inputs: CodedInputs,
        targets: EncodedTargets,
        settings: GrowthSettings,
        wake: str,
        seed: int,
        max_nodes: int | None,
    ):
        self._grower = AlternativeGrower(inputs, targets, settings)
        self._schema = targets.schema
        self._wake, self._max_nodes = wake, max_nodes
        self._rng = np.random.default_rng(seed)
        self._n_noted = 0
        self._waiting: list[int] = []  # to be drawn from
        self._batches: list[_Batch] = []  # a heap: the most urgent on top, of equal ones the earliest
        self._note_alternatives()
        self.n_woken = 0

    def grow(self, n: int) -> None:
        """Wake n more splits, or as many as there are, or as the nodes allow. Interrupted, it keeps what is whole."""
        while n > 0 and (self._waiting or self._batches):
            mark = self._grower.mark()
            try:
                has_grown = self._grower.expand(self._pick())
            except BaseException:
                self._grower.undo(mark)
                raise
            if self._max_nodes is not None and self._grower.n_nodes > self._max_nodes:
                self._grower.undo(mark)
                return
            self._note_alternatives()
            self.n_woken += has_grown
            n -= has_grown

    def _note_alternatives(self) -> None:
        """Let the alternatives that have come with the last growth wait for their turn."""
        kept, begin = self._grower.alternatives, self._n_noted
        self._n_noted = len(kept)
        if self._wake == RANDOM:
            self._waiting.extend(range(begin, self._n_noted))
        elif self._n_noted > begin:
            urgency = self._judge(kept["node"][begin:], kept["gain"][begin:])
            order = np.argsort(-urgency, kind="stable")
            self._push(urgency[order], begin + order, 0)

    def _push(self, urgency: NDArray[np.float64], alternatives: NDArray[np.int64], at: int) -> None:
        heapq.heappush(self._batches, (-float(urgency[at]), int(alternatives[at]), at, urgency, alternatives))

    def _judge(self, node: NDArray[np.int32], gain: NDArray[np.float64]) -> NDArray[np.float64]:
        """How urgent it is to wake splits of nodes that have just been grown; the highest first, equal ones in turn.

        What differs by rounding is equal: a row of weight two and two such rows wake the same splits.
        """
        less = self._grower.latest_gain[node] if self._wake == LOSS else 0.0
        urgency = (gain - less) / (self._grower.impurity or 1.0)
        if self._wake == SHALLOW:
            urgency = urgency / 2 - self._grower.depth[node]
        return np.round(urgency, URGENCY_DECIMALS)

    def _pick(self) -> int:
        """Take the next alternative out of those that wait."""
        if self._wake == RANDOM:
            at = int(self._rng.integers(len(self._waiting)))
            self._waiting[at], self._waiting[-1] = self._waiting[-1], self._waiting[at]
            return self._waiting.pop()
        _, picked, at, urgency, alternatives = heapq.heappop(self._batches)
        if at + 1 < len(urgency):
            self._push(urgency, alternatives, at + 1)
        return picked

    def to_multitree(self) -> MultiTree:
        """What has been grown so far."""
        return MultiTree(self._grower.to_node_table(), self._schema)
