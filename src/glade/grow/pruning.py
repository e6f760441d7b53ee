"""Minimal cost-complexity pruning for any mix of targets.

A subtree costs its risk plus alpha times its leaves. For each alpha there is a smallest cheapest subtree; as alpha
rises these are nested. Everything here follows from two numbers per node: the alpha from which it is a leaf (if it is
there at all), and the alpha from which an ancestor is one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.grow.node_table import NodeTable

SAME_STEP = 1e-12  # alphas that differ by less (relative) are one step


@dataclass(frozen=True)
class PruningPath:
    """The nested subtrees: from alpha[k] on the tree has leaves[k] leaves and this risk. The first alpha is 0."""

    alpha: NDArray[np.float64]
    risk: NDArray[np.float64]
    leaves: NDArray[np.int64]


@dataclass(frozen=True)
class Prunable:
    """A tree with the alphas at which its nodes become leaves and vanish."""

    tree: NodeTable
    leaf_from: NDArray[np.float64]  # 0 for a leaf of the full tree
    gone_from: NDArray[np.float64]  # infinity for the root

    @classmethod
    def of(cls, tree: NodeTable) -> "Prunable":
        leaf_from = _find_alphas(tree)
        gone_from = np.full(tree.n_nodes, np.inf)
        for splits in tree.splits_by_level():
            nodes = tree.split_node[splits]
            for side in (0, 1):
                gone_from[tree.split_left[splits] + side] = np.minimum(gone_from[nodes], leaf_from[nodes])
        return cls(tree, leaf_from, gone_from)

    def path(self) -> PruningPath:
        events = np.unique(self.leaf_from[~self.tree.is_leaf & (self.leaf_from < self.gone_from)])
        steps = np.append(0.0, events)
        steps = steps[np.append(True, np.diff(steps) > SAME_STEP * steps[1:])]
        at = steps * (1 + 2 * SAME_STEP)
        return PruningPath(steps, self.sum_over_leaves(self.tree.risk, at), self._count_leaves(at))

    def _count_leaves(self, alphas: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.rint(self.sum_over_leaves(np.ones(self.tree.n_nodes), alphas)).astype(np.int64)

    def sum_over_leaves(self, amount: NDArray[np.float64], alphas: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each alpha (ascending), the sum of a per-node amount over the leaves of the tree pruned there.

        A node is a leaf for one interval of alphas: its amount is added where the interval begins and taken away where
        it ends, for all alphas at once.
        """
        begin = np.where(self.tree.is_leaf, 0, np.searchsorted(alphas, self.leaf_from))
        end = np.searchsorted(alphas, self.gone_from)
        lives = begin < end
        change = np.bincount(begin[lives], amount[lives], len(alphas) + 1)
        change -= np.bincount(end[lives], amount[lives], len(alphas) + 1)
        return np.cumsum(change[:-1])

    def pruned(self, alpha: float) -> NodeTable:
        """The smallest subtree among the cheapest at this alpha."""
        return self.tree.cut_back(self.leaf_from <= alpha * (1 + 2 * SAME_STEP))


def _find_alphas(tree: NodeTable) -> NDArray[np.float64]:
    from glade.grow._prune import find_alphas

    n = tree.n_nodes
    child = np.full(n, -1, np.int32)
    child[tree.split_node] = tree.split_left
    alpha = np.zeros(n)
    find_alphas(
        child, tree.risk, alpha, np.empty(n, np.int32), np.empty(n), np.empty(n, np.int64),
        np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.int32), np.empty(128, np.int32),
    )  # fmt: skip
    return alpha
