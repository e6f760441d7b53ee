"""The stored forest: its trees, and all their nodes packed for prediction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from glade.core.threads import map_in_order
from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable, read_only

MIN_ROWS_A_THREAD = 256


@dataclass(frozen=True)
class PackedNodes:
    """The nodes of all trees in a row, as the kernels walk them (`kernels/forest.py` has the picture)."""

    words: NDArray[np.int64]
    categories: NDArray[np.int32]
    node_start: NDArray[np.int64]  # per tree: its first node; one more for the end
    set_start: NDArray[np.int64]  # per tree: its first category

    @classmethod
    def of(cls, trees: Sequence[NodeTable]) -> "PackedNodes":
        node_start = np.cumsum([0, *(tree.n_nodes for tree in trees)])
        set_start = np.cumsum([0, *(len(tree.categories) for tree in trees)])
        words = np.empty((node_start[-1], 2), np.int64)
        for tree, start in zip(trees, node_start[:-1], strict=True):
            _pack_tree(tree, words[start : start + tree.n_nodes])
        categories = np.concatenate([np.empty(0, np.int32), *(tree.categories for tree in trees)])
        return cls(words.reshape(-1), categories, node_start, set_start)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What a kernel takes, after the rows."""
        words = read_only(self.words)
        rest = (read_only(a) for a in (self.categories, self.node_start, self.set_start))
        return (words.view(np.float64), words, *rest)


def _pack_tree(tree: NodeTable, words: NDArray[np.int64]) -> None:
    from glade.kernels import forest as kernel

    cuts, links = words.view(np.float64)[:, 0], words[:, 1]
    cuts[:] = np.inf
    links[:] = np.arange(tree.n_nodes) | (1 << kernel.MISSING_LEFT)
    at = tree.split_node
    cuts[at] = tree.split_cut
    nominal = np.isnan(tree.split_cut)
    sets = tree.set_start | ((tree.set_end - tree.set_start) << kernel.SET_BITS)
    words[at[nominal], 0] = sets[nominal]
    links[at] = (
        tree.split_left.astype(np.int64)
        | (tree.split_input.astype(np.int64) << kernel.LINK_BITS)
        | (tree.split_missing_left.astype(np.int64) << kernel.MISSING_LEFT)
        | (nominal.astype(np.int64) << kernel.NOMINAL)
    )


def to_votes(value: NDArray[np.float64], schema: TargetSchema) -> NDArray[np.float64]:
    """Node values in which each nominal target's likeliest class has all the weight."""
    votes = value.copy()
    for t, classes in enumerate(schema.classes):
        if classes is not None:
            shares = votes[:, schema.channels_of(t)]
            likeliest = shares.argmax(axis=1)
            shares[:] = 0.0
            shares[np.arange(len(shares)), likeliest] = 1.0
    return votes


def to_probabilities(scores: NDArray[np.float64], schema: TargetSchema) -> NDArray[np.float64]:
    """Channel values in which the scores of each nominal target's classes have become probabilities, in place."""
    for t, classes in enumerate(schema.classes):
        if classes is not None:
            at = schema.channels_of(t)
            scores[:, at] = special.softmax(scores[:, at], axis=1)
    return scores


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees for the same targets.

    Parameters
    ----------
    trees
        Their values are views of `value`, which holds those of all nodes of all trees.
    schema
        The targets.
    memory
        nu: 0 for independent trees, whose mean is the prediction; else the prediction is `start` + nu * their sum, in
        which the channels of a nominal target are scores (logarithms of probabilities, up to a constant).
    start
        What the sum starts from.
    """

    trees: tuple[NodeTable, ...]
    schema: TargetSchema
    memory: float
    start: NDArray[np.float64]
    value: NDArray[np.float64]
    packed: PackedNodes

    @classmethod
    def of(
        cls,
        trees: Sequence[NodeTable],
        schema: TargetSchema,
        memory: float = 0.0,
        start: NDArray[np.float64] | None = None,
    ) -> "Forest":
        """Pack the trees.

        Values move tree by tree, and a list of trees is changed as they do, so that they are held but once.
        """
        packed = PackedNodes.of(trees)
        trees = trees if isinstance(trees, list) else list(trees)
        value = np.empty((packed.node_start[-1], int(schema.start[-1])))
        for t, (first, last) in enumerate(pairwise(packed.node_start)):
            value[first:last] = trees[t].value
            trees[t] = replace(trees[t], value=value[first:last])
        return cls(tuple(trees), schema, memory, np.zeros(value.shape[1]) if start is None else start, value, packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return Forest.of, (self.trees, self.schema, self.memory, self.start)  # packing again holds values once

    @property
    def n_nodes(self) -> int:
        return len(self.value)

    @property
    def n_leaves(self) -> int:
        return sum(tree.n_leaves for tree in self.trees)

    def predict(self, matrix: NDArray[np.float64], voting: str = "distribution", n_threads: int = 1) -> NDArray[Any]:
        """Rows x channels, for an encoded table (see `Schema.encode`): means, and probabilities of classes."""
        value = to_votes(self.value, self.schema) if voting == "majority" else self.value
        total = np.zeros((len(matrix), self.value.shape[1]))
        self._in_parts(_add_values, matrix, n_threads, (value,), total)
        if self.memory == 0:
            total /= max(len(self.trees), 1)
            return total
        total *= self.memory
        total += self.start
        return to_probabilities(total, self.schema)

    def apply(self, matrix: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.int32]:
        """Rows x trees: the leaf each row comes to in each tree."""
        leaves = np.empty((len(matrix), len(self.trees)), np.int32)
        self._in_parts(_find_leaves, matrix, n_threads, (), leaves)
        return leaves

    def _in_parts(self, kernel: Any, matrix: NDArray[Any], n_threads: int, more: tuple[Any, ...], out: Any) -> None:
        """Run a kernel over contiguous parts of the rows, one for each thread."""
        n_parts = max(1, min(n_threads, len(matrix) // MIN_ROWS_A_THREAD))
        edges = np.linspace(0, len(matrix), n_parts + 1).astype(int)
        arrays = (*self.packed.arrays, *map(read_only, more))

        def work(part: int) -> None:
            rows = slice(edges[part], edges[part + 1])
            kernel(read_only(matrix[rows]), *arrays, out[rows])

        for _ in map_in_order(lambda: work, range(n_parts), n_parts):
            pass

    def decision_path(self, matrix: NDArray[np.float64]) -> tuple[sparse.csr_array, NDArray[np.int64]]:
        """Rows x nodes of all trees, 1 for each node on the row's way; and where each tree's nodes start."""
        leaves = self.apply(matrix)
        rows, nodes = [], []
        for t, tree in enumerate(self.trees):
            parent, row, node = tree.parent, np.arange(len(matrix)), leaves[:, t]
            while len(row):
                rows.append(row)
                nodes.append(node + self.packed.node_start[t])
                node = parent[node]
                row, node = row[node >= 0], node[node >= 0]
        row, node = (np.concatenate([np.empty(0, np.int64), *parts]) for parts in (rows, nodes))
        shape = (len(matrix), self.n_nodes)
        return sparse.csr_array((np.ones(len(row), np.int8), (row, node)), shape=shape), self.packed.node_start


def _add_values(matrix: NDArray[Any], *arrays: NDArray[Any]) -> None:
    from glade.kernels.forest import ROWS_IN_STEP, add_leaf_values

    *given, out = arrays
    add_leaf_values(matrix, *given, np.empty(ROWS_IN_STEP, np.int64), out)


def _find_leaves(matrix: NDArray[Any], *arrays: NDArray[Any]) -> None:
    from glade.kernels.forest import ROWS_IN_STEP, find_leaves

    *given, leaves = arrays
    find_leaves(matrix, *given, np.empty(ROWS_IN_STEP, np.int64), leaves)
