"""The stored tree: flat arrays of nodes and of splits, for every kind of tree.

Nodes come parents first, so a pass from the last to the first sees children before parents; the two children of a split
are neighbours. A numeric split sends `x <= cut` left. A nominal split names a set of categories: a row in the set takes
the side that a missing value does not take, so a category the node never saw goes with the missing ones. The cut
infinity is the test "x is missing".
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only


def check_cuts(
    cut: NDArray[np.float64], tested: NDArray[np.int32], set_start: NDArray[np.int64], set_end: NDArray[np.int64]
) -> None:
    """Raise an error where a split has no cut: only one that names categories, a nominal one, has NaN for a cut."""
    lacks_cut = np.isnan(cut)
    if lacks_cut.any() and (lacks_cut & (set_end <= set_start)).any():
        split = int((lacks_cut & (set_end <= set_start)).argmax())
        raise RuntimeError(
            f"split {split} of a tree, on input {int(tested[split])}, has neither a cut nor categories: this is a fault"
            " of glade, not of the table; please report it"
        )


@dataclass(frozen=True)
class NodeTable:
    """A tree; or a multi-tree, in which a node may have several splits: they follow one another, `split` is the first.

    `risk` is a node's impurity times its share of the training weight, `split_gain` the risk that a split takes away.
    """

    split: NDArray[np.int32]  # per node: its split, -1 for a leaf
    depth: NDArray[np.int32]
    weight: NDArray[np.float64]
    rows: NDArray[np.int64]
    risk: NDArray[np.float64]
    value: NDArray[np.float64]  # nodes x channels, in the user's units
    split_node: NDArray[np.int32]
    split_input: NDArray[np.int32]
    split_cut: NDArray[np.float64]
    split_missing_left: NDArray[np.bool_]
    split_missing_seen: NDArray[np.bool_]
    split_gain: NDArray[np.float64]
    split_left: NDArray[np.int32]
    set_start: NDArray[np.int64]
    set_end: NDArray[np.int64]
    categories: NDArray[np.int32]

    def __post_init__(self) -> None:
        check_cuts(self.split_cut, self.split_input, self.set_start, self.set_end)

    @property
    def n_nodes(self) -> int:
        return len(self.split)

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        return self.split < 0

    @property
    def parent(self) -> NDArray[np.int32]:
        """Per node; -1 for the root."""
        parent = np.full(self.n_nodes, -1, np.int32)
        parent[self.split_left] = self.split_node
        parent[self.split_left + 1] = self.split_node
        return parent

    @classmethod
    def of(cls, parts: dict[str, NDArray[Any]]) -> "NodeTable":
        """The tree of all these arrays by their names: of small trees in forests the constructor would take longer."""
        tree = object.__new__(cls)
        tree.__dict__.update(parts)
        return tree

    def with_value(self, value: NDArray[np.float64]) -> "NodeTable":
        """The tree with other values."""
        return NodeTable.of({**vars(self), "value": value})

    def splits_by_level(self) -> list[NDArray[np.int64]]:
        """The splits of each depth, from the root down: for passes over the tree that are array operations."""
        depth = self.depth[self.split_node]
        order = np.argsort(depth, kind="stable")
        return np.split(order, np.cumsum(np.bincount(depth))[:-1]) if len(order) else []

    def sum_up(self, amount: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add the leaves' amounts (along the first axis) up to the root, in place."""
        for splits in reversed(self.splits_by_level()):
            left = self.split_left[splits]
            amount[self.split_node[splits]] = amount[left] + amount[left + 1]
        return amount

    def set_of(self, split: int) -> NDArray[np.int32]:
        """The categories of a nominal split."""
        return self.categories[self.set_start[split] : self.set_end[split]]

    def route(self, matrix: NDArray[np.float64]) -> NDArray[np.int32]:
        """The leaf of each row of an encoded table (see `Schema.encode`)."""
        from glade.grow._route import route_rows

        leaves = np.empty(len(matrix), np.int32)
        arrays: tuple[NDArray[Any], ...] = (
            matrix, self.split, self.split_input, self.split_cut, self.split_missing_left, self.split_left,
            self.set_start, self.set_end, self.categories,
        )  # fmt: skip
        route_rows(*map(read_only, arrays), leaves)
        return leaves

    def cut_back(self, to_leaf: NDArray[np.bool_]) -> "NodeTable":
        """A copy in which the marked nodes are leaves and all below them is gone."""
        keep = np.zeros(self.n_nodes, bool)
        keep[0] = True
        alive = np.zeros(len(self.split_node), bool)
        for splits in self.splits_by_level():
            nodes = self.split_node[splits]
            alive[splits] = keep[nodes] & ~to_leaf[nodes]
            for side in (0, 1):
                keep[self.split_left[splits] + side] = alive[splits]
        return self._select(keep, np.flatnonzero(alive))

    def with_splits(self, chosen: NDArray[np.int32]) -> "NodeTable":
        """A plain tree: of each node that can be reached only the chosen split, none (-1) for a leaf.

        Parameters
        ----------
        chosen
            Per node: one of its splits, or -1.
        """
        keep = np.zeros(self.n_nodes, bool)
        nodes, splits = np.zeros(1, np.int32), []
        while len(nodes):
            keep[nodes] = True
            splits.append(chosen[nodes][chosen[nodes] >= 0])
            nodes = np.concatenate((self.split_left[splits[-1]], self.split_left[splits[-1]] + 1))
        return self._select(keep, np.sort(np.concatenate(splits)))

    def _select(self, keep: NDArray[np.bool_], splits: NDArray[np.int64]) -> "NodeTable":
        new_id = np.cumsum(keep).astype(np.int32) - 1
        split = np.full(int(keep.sum()), -1, np.int32)
        split[new_id[self.split_node[splits]]] = np.arange(len(splits), dtype=np.int32)
        length = (self.set_end - self.set_start)[splits]
        end = np.cumsum(length)
        of_set = np.repeat(self.set_start[splits] - (end - length), length) + np.arange(length.sum())
        of_nodes = {f: getattr(self, f)[keep] for f in ("depth", "weight", "rows", "risk", "value")}
        of_splits = {f.name: getattr(self, f.name)[splits] for f in fields(self) if f.name.startswith("split_")}
        of_splits["split_node"] = new_id[of_splits["split_node"]]
        of_splits["split_left"] = new_id[of_splits["split_left"]]
        sets = {"set_start": end - length, "set_end": end, "categories": self.categories[of_set]}
        return replace(self, split=split, **sets, **of_nodes, **of_splits)
