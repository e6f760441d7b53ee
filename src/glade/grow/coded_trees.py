"""Trees as the kernel leaves them, in codes, one after another in the same memory; and the way to stored trees.

All trees in the memory are turned into node tables by the same few array operations: for small trees that takes a tenth
of the time that one tree after another would.
"""

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import make_together
from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow.layout import Growth
from glade.grow.node_table import NodeTable, check_cuts

FIELDS = [field.name for field in fields(NodeTable)]


class CodedTree(NamedTuple):
    """One tree in codes. Its splits include those of a best-first growth that were not expanded (no left child)."""

    growth: Growth  # begins with this tree; what follows is not its own
    n_nodes: int
    n_splits: int
    pool: NDArray[np.int32]  # the categories that its nominal splits refer to


def make_growth(n_nodes: int, width: int) -> Growth:
    """Room for so many nodes; memory that is never written costs nothing."""
    return Growth(
        start=np.empty(n_nodes, np.int64),
        end=np.empty(n_nodes, np.int64),
        depth=np.empty(n_nodes, np.int32),
        split=np.empty(n_nodes, np.int32),
        weight=np.empty(n_nodes),
        impurity=np.empty(n_nodes),
        value=np.empty((n_nodes, width)),
        gain=np.empty(n_nodes),
        constant=np.empty(n_nodes, np.uint64),
        frontier=np.empty(n_nodes, np.int32),
        slot=np.empty(n_nodes, np.int32),
        split_node=np.empty(n_nodes, np.int32),
        split_input=np.empty(n_nodes, np.int32),
        split_below=np.empty(n_nodes, np.int32),
        split_above=np.empty(n_nodes, np.int32),
        split_missing=np.empty(n_nodes, np.uint8),
        split_left=np.empty(n_nodes, np.int32),
        split_gain=np.empty(n_nodes),
        set_start=np.empty(n_nodes, np.int64),
        set_end=np.empty(n_nodes, np.int64),
    )


def to_node_tables(
    growth: Growth,
    n_nodes: Sequence[int],
    n_splits: Sequence[int],
    pool: NDArray[np.int32],
    inputs: CodedInputs,
    targets: EncodedTargets,
) -> list[NodeTable]:
    """Keep the splits that were expanded, in node order, and say their cuts in the inputs' own values.

    Parameters
    ----------
    growth
        The trees: the nodes of each follow those of the one before, its splits begin where its nodes do.
    n_nodes, n_splits
        Of each tree.
    pool
        The categories of nominal splits.
    inputs, targets
        What they were grown on.
    """
    from glade.grow._store import store_nodes, store_splits

    at = _Places.of(growth, n_nodes, n_splits)
    n, k = len(at.first_split), len(at.splits)
    depth, weight, rows, risk, node, tested, cut, missing_left, missing_seen, gain, left = make_together(
        (n, np.int32), (n, np.float64), (n, np.int64), (n, np.float64),
        (k, np.int32), (k, np.int32), (k, np.float64), (k, np.bool_), (k, np.bool_), (k, np.float64), (k, np.int32),
    )  # fmt: skip
    below, above = make_together((k, np.int32), (k, np.int32))
    store_nodes(growth, at.node_edges, targets.impurity_unit, depth, weight, rows, risk)
    store_splits(
        growth, at.node_edges, at.splits, at.split_edges, targets.impurity_unit, node, tested, missing_left,
        missing_seen, gain, left, below, above,
    )  # fmt: skip
    inputs.find_cuts(tested, below, above, cut)
    sets, categories, categories_from = _keep_sets(growth, at, pool if inputs.has_nominal else pool[:0])
    check_cuts(cut, tested, *sets)
    of_nodes: tuple[NDArray[Any], ...] = (at.first_split, depth, weight, rows, risk, targets.decode(growth.value[:n]))
    of_splits: tuple[NDArray[Any], ...] = (node, tested, cut, missing_left, missing_seen, gain, left, *sets)
    edges = (pairwise(edge.tolist()) for edge in (at.node_edges, at.split_edges, categories_from))
    return [
        NodeTable.of(
            dict(zip(FIELDS, [a[i:j] for a in of_nodes] + [a[k:m] for a in of_splits] + [categories[u:v]], strict=True))
        )
        for (i, j), (k, m), (u, v) in zip(*edges, strict=True)
    ]


def _keep_sets(
    growth: Growth, at: "_Places", pool: NDArray[np.int32]
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int32], NDArray[np.int64]]:
    """Where each split's categories begin and end among its tree's; all trees' categories; where each tree's begin."""
    if len(pool) == 0:
        none = np.zeros(len(at.splits), np.int64)
        return (none, none), pool, np.zeros(len(at.split_edges), np.int64)
    length = growth.set_end[at.splits] - growth.set_start[at.splits]
    edges = np.append(0, np.cumsum(length))
    of_pool = np.repeat(growth.set_start[at.splits] - edges[:-1], length) + np.arange(edges[-1])
    tree_edges = edges[at.split_edges]
    base = np.repeat(tree_edges[:-1], np.diff(at.split_edges))
    return (edges[:-1] - base, edges[1:] - base), pool[of_pool], tree_edges


class _Places(NamedTuple):
    """Where trees that share a memory have their nodes, and the splits to be kept."""

    node_edges: NDArray[np.int64]  # per tree its first node; one more for the end
    splits: NDArray[np.int64]  # those that were expanded, in node order
    split_edges: NDArray[np.int64]  # per tree its first among these; one more for the end
    first_split: NDArray[np.int32]  # per node, counted from its tree's first; -1 for a leaf

    @classmethod
    def of(cls, growth: Growth, n_nodes: Sequence[int], n_splits: Sequence[int]) -> "_Places":
        from glade.grow._store import order_splits

        edges, split_edges = np.cumsum([0, *n_nodes]), np.zeros(len(n_nodes) + 1, np.int64)
        splits, first_split, room = (np.empty(edges[-1], dtype) for dtype in (np.int64, np.int32, np.int32))
        n_kept = order_splits(
            growth.split_node, growth.split_left, np.array(n_nodes), np.array(n_splits), splits, split_edges,
            first_split, room,
        )  # fmt: skip
        return cls(edges, splits[:n_kept], split_edges, first_split)
