"""Trees as the kernel leaves them, in codes, one after another in the same memory; and the way to stored trees."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow.layout import Growth
from glade.grow.node_table import NodeTable, SplitKind, gather_sets


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


class NodeColumns(NamedTuple):
    """The columns of stored nodes that follow from the growth alone."""

    split: NDArray[np.int32]
    depth: NDArray[np.int32]
    weight: NDArray[np.float64]
    rows: NDArray[np.int64]
    risk: NDArray[np.float64]

    @classmethod
    def of(cls, n: int) -> "NodeColumns":
        """Return buffers for so many nodes."""
        return cls(
            split=np.empty(n, np.int32),
            depth=np.empty(n, np.int32),
            weight=np.empty(n),
            rows=np.empty(n, np.int64),
            risk=np.empty(n),
        )


class SplitColumns(NamedTuple):
    """The columns of stored splits, where each is in the growth, and the codes between which it cuts."""

    place: NDArray[np.int32]
    node: NDArray[np.int32]
    input: NDArray[np.int32]
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    left: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    missing_seen: NDArray[np.bool_]
    gain: NDArray[np.float64]

    @classmethod
    def of(cls, n: int) -> "SplitColumns":
        """Return buffers for so many splits."""
        return cls(
            place=np.empty(n, np.int32),
            node=np.empty(n, np.int32),
            input=np.empty(n, np.int32),
            below=np.empty(n, np.int32),
            above=np.empty(n, np.int32),
            left=np.empty(n, np.int32),
            missing_left=np.empty(n, np.bool_),
            missing_seen=np.empty(n, np.bool_),
            gain=np.empty(n),
        )


def to_node_tables(
    growth: Growth,
    n_nodes: Sequence[int],
    n_splits: Sequence[int],
    pool: NDArray[np.int32],
    inputs: CodedInputs,
    targets: EncodedTargets,
) -> list[NodeTable]:
    """Return the stored trees: the splits that were expanded, in node order, with cuts in the inputs' own values.

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
    from glade.grow._store import store_trees

    roots = np.cumsum([0, *n_nodes])  # one more for the end
    first_splits = (roots - np.arange(len(roots))) // 2  # a tree of n splits has 2 n + 1 nodes
    n, n_kept = int(roots[-1]), int(first_splits[-1])
    nodes, splits = NodeColumns.of(n), SplitColumns.of(n_kept)
    counts = np.array(n_nodes), np.array(n_splits)
    store_trees(growth, *counts, targets.impurity_unit, nodes, splits, np.empty(n, np.int32))
    kind, cut = _find_cuts(splits, inputs)
    set_edges, categories = _gather_sets(growth, splits, kind, pool if inputs.has_nominal else pool[:0])
    first_categories = set_edges[first_splits]
    own_first = np.repeat(first_categories[:-1], np.diff(first_splits))  # per split
    of_nodes: dict[str, NDArray[Any]] = {**nodes._asdict(), "value": targets.decode(growth.value[:n])}
    of_splits: dict[str, NDArray[Any]] = {
        "split_node": splits.node,
        "split_kind": kind,
        "split_input": splits.input,
        "split_cut": cut,
        "split_missing_left": splits.missing_left,
        "split_missing_seen": splits.missing_seen,
        "split_gain": splits.gain,
        "split_left": splits.left,
        "set_start": set_edges[:-1] - own_first,
        "set_end": set_edges[1:] - own_first,
    }
    edges = (pairwise(edge.tolist()) for edge in (roots, first_splits, first_categories))
    return [
        NodeTable(
            **{name: column[i:j] for name, column in of_nodes.items()},
            **{name: column[k:m] for name, column in of_splits.items()},
            categories=categories[u:v],
        )
        for (i, j), (k, m), (u, v) in zip(*edges, strict=True)
    ]


def _find_cuts(splits: SplitColumns, inputs: CodedInputs) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the kinds of splits, and the cuts of numeric ones."""
    columns, tested = inputs.columns, splits.input
    is_nominal, is_missing = columns.nominal[tested] == 1, splits.above >= columns.n_codes[tested]
    numeric = np.flatnonzero(~(is_nominal | is_missing))
    kind, cut = np.full(len(tested), SplitKind.IS_MISSING, np.uint8), np.zeros(len(tested))
    kind[numeric], kind[is_nominal] = SplitKind.NUMERIC, SplitKind.NOMINAL
    cut[numeric] = inputs.find_cuts(tested[numeric], splits.below[numeric], splits.above[numeric])
    return kind, cut


def _gather_sets(
    growth: Growth, splits: SplitColumns, kind: NDArray[np.uint8], pool: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where each split's categories begin, with one more for the end, and these, for all trees."""
    if len(pool) == 0:
        return np.zeros(len(kind) + 1, np.int64), pool
    is_nominal = kind == SplitKind.NOMINAL
    start, end = (np.where(is_nominal, edge[splits.place], 0) for edge in (growth.set_start, growth.set_end))
    _, new_end, places = gather_sets(start, end)
    return np.append(0, new_end), pool[places]
