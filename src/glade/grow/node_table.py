"""Stored trees: flat arrays of nodes and of splits, for one tree or many, and for every kind of tree.

The nodes of a tree come parents first, so a pass from the last to the first sees children before parents; the two
children of a split are neighbours. Trees of one table follow one another, and every place in it (of a node, a split or
a category) is counted over the whole table.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

OF_NODES = ("split", "depth", "weight", "rows", "risk", "value")
OF_SPLITS = (
    "split_node", "split_kind", "split_input", "split_cut", "split_missing_left", "split_missing_seen", "split_gain",
    "split_left", "set_start", "set_end",
)  # fmt: skip
MANY_NODES = 50_000  # are joined before more trees come, which can then take the memory that they had


class SplitKind(IntEnum):
    """What a split asks of its input. A missing value takes the side that `split_missing_left` names."""

    NUMERIC = 1  # a value takes the left branch if it is not above the cut
    NOMINAL = 2  # a category of the split's set takes the side that a missing value does not take, any other one that
    IS_MISSING = 3  # every value that is not missing takes the left branch


@dataclass(frozen=True, eq=False)
class NodeTable:
    """One tree or many; or a multi-tree, in which a node may have several splits, which follow one another.

    A tree of n splits has 2 n + 1 nodes. The categories of the splits follow one another in the order of the splits.
    `risk` is a node's impurity times its share of the training weight, `split_gain` the risk that a split takes away.
    A category that a node never saw is not in its split's set, so it goes where missing values go.
    """

    split: NDArray[np.int32]  # per node: its split, the first of several; -1 for a leaf
    depth: NDArray[np.int32]
    weight: NDArray[np.float64]
    rows: NDArray[np.int64]
    risk: NDArray[np.float64]
    value: NDArray[np.float64]  # nodes x channels, in the user's units
    split_node: NDArray[np.int32]
    split_kind: NDArray[np.uint8]  # a `SplitKind`
    split_input: NDArray[np.int32]
    split_cut: NDArray[np.float64]  # of a numeric split; zero for other ones
    split_missing_left: NDArray[np.bool_]
    split_missing_seen: NDArray[np.bool_]  # whether some training row of the node had no value
    split_gain: NDArray[np.float64]
    split_left: NDArray[np.int32]
    set_start: NDArray[np.int64]
    set_end: NDArray[np.int64]
    categories: NDArray[np.int32]  # of each set, ascending
    roots: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))  # the first node of each tree

    def __post_init__(self) -> None:
        has_sets = self.set_end > self.set_start
        sound = np.isfinite(self.split_cut) & (has_sets == self.is_kind(SplitKind.NOMINAL))
        if not sound.all():
            split = int(sound.argmin())
            raise RuntimeError(
                f"split {split} of a tree, on input {int(self.split_input[split])}, has neither a cut nor categories:"
                " this is a fault of glade, not of the table; please report it"
            )

    @property
    def n_nodes(self) -> int:
        return len(self.split)

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @property
    def n_trees(self) -> int:
        return len(self.roots)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        return self.split < 0

    @property
    def trees(self) -> "TreeSequence":
        """The trees of the table, one by one."""
        return TreeSequence([self])

    @property
    def parent(self) -> NDArray[np.int32]:
        """Per node; -1 for a root."""
        parent = np.full(self.n_nodes, -1, np.int32)
        parent[self.split_left] = self.split_node
        parent[self.split_left + 1] = self.split_node
        return parent

    def is_kind(self, kind: SplitKind) -> NDArray[np.bool_]:
        """Which splits are of a kind."""
        return self.split_kind == int(kind)

    @classmethod
    def stack(cls, tables: Iterable["NodeTable"]) -> "NodeTable":
        """Return one table of the trees of all these tables, of which there is at least one."""
        waiting: dict[str, list[NDArray[Any]]] = {column.name: [] for column in fields(cls)}
        joined: dict[str, NDArray[Any]] = {}
        sizes: list[tuple[int, ...]] = []
        n_waiting = n_joined = 0  # nodes
        for table in tables:
            for name, parts in waiting.items():
                parts.append(getattr(table, name))
            sizes.append((table.n_nodes, len(table.split_node), len(table.categories), table.n_trees))
            n_waiting += table.n_nodes
            if n_waiting > max(MANY_NODES, n_joined // 16):
                _join(waiting, joined)
                n_waiting, n_joined = 0, n_joined + n_waiting
        if len(sizes) == 1:
            return table
        _join(waiting, joined)
        _count_on(joined, np.array(sizes))
        return cls(**joined)

    def tree(self, k: int) -> "NodeTable":
        """Return a tree of this table as a table of its own; the columns that hold no places are not copied."""
        if self.n_trees == 1:
            return self
        root = int(self.roots[k])
        end = int(self.roots[k + 1]) if k + 1 < self.n_trees else self.n_nodes
        nodes, splits = slice(root, end), slice((root - k) // 2, (end - k - 1) // 2)
        columns = {name: getattr(self, name)[nodes] for name in OF_NODES}
        columns |= {name: getattr(self, name)[splits] for name in OF_SPLITS}
        set_start, set_end = columns["set_start"], columns["set_end"]
        sets = slice(int(set_start[0]), int(set_end[-1])) if len(set_start) else slice(0, 0)
        columns["split"] = np.where(columns["split"] < 0, np.int32(-1), columns["split"] - splits.start)
        for name, first in (
            ("split_node", root),
            ("split_left", root),
            ("set_start", sets.start),
            ("set_end", sets.start),
        ):
            columns[name] = columns[name] - first
        return NodeTable(**columns, categories=self.categories[sets])

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
        """Return the leaf of each row of an encoded table (see `Schema.encode`), for a table of one tree.

        The tree is packed for it each time; whoever asks often holds a `PackedTrees`.
        """
        from glade.grow.packed import PackedTrees

        return PackedTrees.of(self).find_leaves(matrix)[:, 0]

    def list_ways(self, leaves: NDArray[Any]) -> sparse.csr_array:
        """Return rows x nodes, with 1 for each node on the way from a root to a row's leaves (rows x trees)."""
        parent, node = self.parent, leaves.ravel()
        row = np.repeat(np.arange(len(leaves)), leaves.shape[1])
        rows, nodes = [row[:0]], [node[:0]]
        while len(node):
            rows.append(row)
            nodes.append(node)
            node = parent[node]
            row, node = row[node >= 0], node[node >= 0]
        row, node = np.concatenate(rows), np.concatenate(nodes)
        return sparse.csr_array((np.ones(len(row), np.int8), (row, node)), shape=(len(leaves), self.n_nodes))

    def cut_back(self, to_leaf: NDArray[np.bool_]) -> "NodeTable":
        """A copy in which the marked nodes are leaves and all below them is gone."""
        keep = np.zeros(self.n_nodes, bool)
        keep[self.roots] = True
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
        nodes, splits = self.roots, []
        while len(nodes):
            keep[nodes] = True
            splits.append(chosen[nodes][chosen[nodes] >= 0])
            nodes = np.concatenate((self.split_left[splits[-1]], self.split_left[splits[-1]] + 1))
        return self._select(keep, np.sort(np.concatenate(splits)))

    def _select(self, keep: NDArray[np.bool_], splits: NDArray[np.int64]) -> "NodeTable":
        new_id = np.cumsum(keep).astype(np.int32) - 1
        split = np.full(int(keep.sum()), -1, np.int32)
        split[new_id[self.split_node[splits]]] = np.arange(len(splits), dtype=np.int32)
        columns = {name: getattr(self, name)[keep] for name in OF_NODES} | {"split": split}
        columns |= {name: getattr(self, name)[splits] for name in OF_SPLITS}
        for name in ("split_node", "split_left"):
            columns[name] = new_id[columns[name]]
        columns["set_start"], columns["set_end"], places = gather_sets(columns["set_start"], columns["set_end"])
        return replace(self, **columns, categories=self.categories[places], roots=new_id[self.roots].astype(np.int64))


class TreeSequence(Sequence[NodeTable]):
    """The trees of some tables, each cut out when it is asked for.

    Parameters
    ----------
    tables
        The trees of the first table come first.
    """

    def __init__(self, tables: Sequence[NodeTable]):
        self._tables = tables
        self._first = [0, *accumulate(table.n_trees for table in tables)]

    def __len__(self) -> int:
        return self._first[-1]

    @overload
    def __getitem__(self, which: int) -> NodeTable: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[NodeTable, ...]: ...
    def __getitem__(self, which: int | slice) -> NodeTable | tuple[NodeTable, ...]:
        if isinstance(which, slice):
            return tuple(self[k] for k in range(len(self))[which])
        k = range(len(self))[which]
        table = bisect_right(self._first, k) - 1
        return self._tables[table].tree(k - self._first[table])


def gather_sets(
    start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where sets of categories start and end if they follow one another, and the place from which each comes.

    >>> [places.tolist() for places in gather_sets(np.array([7, 2, 0]), np.array([9, 2, 1]))]
    [[0, 2, 2], [2, 2, 3], [7, 8, 0]]
    """
    length = end - start
    new_end = np.cumsum(length)
    places = np.repeat(end - new_end, length) + np.arange(length.sum())
    return new_end - length, new_end, places


def _join(waiting: dict[str, list[NDArray[Any]]], joined: dict[str, NDArray[Any]]) -> None:
    """Put the parts of columns that wait at the end of what is joined already, and empty their lists.

    A large array grows where it is, or the operating system moves it without a copy.
    """
    for name, parts in waiting.items():
        if not parts:
            continue
        more = np.concatenate(parts)
        parts.clear()
        if name in joined:
            n = len(joined[name])
            joined[name].resize((n + len(more), *more.shape[1:]), refcheck=False)
            joined[name][n:] = more
        else:
            joined[name] = more


def _count_on(joined: dict[str, NDArray[Any]], sizes: NDArray[np.int64]) -> None:
    """Let the places in joined columns count over the whole, in place.

    Parameters
    ----------
    joined
        The columns of some tables, one after another.
    sizes
        Tables x 4: how many nodes, splits, categories and trees each has.
    """
    n_nodes, n_splits, n_categories, n_trees = sizes.T
    first_node, first_split, first_category = (np.cumsum(n) - n for n in (n_nodes, n_splits, n_categories))
    split = joined["split"]
    np.add(split, np.repeat(first_split.astype(np.int32), n_nodes), out=split, where=split >= 0)
    for name in ("split_node", "split_left"):
        joined[name] += np.repeat(first_node.astype(np.int32), n_splits)
    if len(joined["categories"]):
        for name in ("set_start", "set_end"):
            joined[name] += np.repeat(first_category, n_splits)
    joined["roots"] += np.repeat(first_node, n_trees)
