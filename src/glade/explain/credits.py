"""Forests whose nodes carry what they add to the prediction: each split credits its input with the change of value."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.ensemble.forest import Forest, to_votes
from glade.ensemble.smoothing import mix_shares


@dataclass(frozen=True)
class CreditedForest:
    """A forest with what its nodes add to the prediction. Nodes are numbered through all trees."""

    forest: Forest
    start: NDArray[np.float64]
    root: NDArray[np.int64]  # per tree
    value: NDArray[np.float64]  # nodes x channels, less the centre of independent trees, times what a tree counts
    parent: NDArray[np.int32]  # -1 for a root
    split_by: NDArray[np.int64]  # the input of the split above; -1 for a root

    @classmethod
    def of(cls, forest: Forest, voting: str) -> "CreditedForest":
        nodes = forest.nodes
        value = to_votes(nodes.value, forest.schema) if voting == "majority" else nodes.value
        value = mix_shares(value, forest.schema, forest.mixed)
        split_by = np.full(nodes.n_nodes, -1, np.int64)
        split_by[nodes.split_left] = split_by[nodes.split_left + 1] = nodes.split_input
        counts = forest.learning_rate if forest.learning_rate > 0 else 1.0 / max(nodes.n_trees, 1)
        value = (value - forest.centre) * counts
        return cls(forest, forest.start + forest.centre, nodes.roots, value, nodes.parent, split_by)

    @property
    def offset(self) -> NDArray[np.float64]:
        """Per channel: the start of the sum (of independent trees, their centre) and the roots' values."""
        return self.start + self.value[self.root].sum(axis=0)

    def credits(self, matrix: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Rows x inputs x channels."""
        leaves = self.forest.apply(matrix, n_threads)
        n_rows, n_inputs = matrix.shape
        cells = np.zeros((n_rows * n_inputs, self.value.shape[1]))
        for own_leaves, first in zip(leaves.T, self.root, strict=True):
            self._walk_up(own_leaves + first, np.arange(n_rows) * n_inputs, cells)
        return cells.reshape(n_rows, n_inputs, self.value.shape[1])

    def _walk_up(self, node: NDArray[Any], row_start: NDArray[np.int64], cells: NDArray[np.float64]) -> None:
        """From the leaves of one tree to its root, all rows a level at a time: no two of them meet in a cell."""
        while True:
            up = self.parent[node]
            if (up < 0).any():
                on_the_way = up >= 0
                node, up, row_start = node[on_the_way], up[on_the_way], row_start[on_the_way]
            if not len(node):
                return
            cells[row_start + self.split_by[node]] += self.value[node] - self.value[up]
            node = up
