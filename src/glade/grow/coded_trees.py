"""A tree in codes, as it grew in the buffers of its grower; and the way to a stored tree."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow.node_table import NodeTable, SplitKind

OF_SPLITS = "kind", "input", "below", "above", "missing_left", "missing_seen", "gain", "left", "set_start", "set_end"


class CodedTree(NamedTuple):
    """One tree in codes. A node that a best-first growth found a split for but did not divide has no left child."""

    nodes: NDArray[np.void]  # of `layout.NODE`
    value: NDArray[np.float64]
    pool: NDArray[np.int32]  # the categories that nominal splits refer to


def keep_signs(tree: CodedTree, signs: NDArray[np.int8]) -> None:
    """Clip values that were set after growth, so that they change with the inputs as the signs of growth say."""
    from glade.grow._bounds import keep_order

    keep_order(tree.nodes, signs, tree.value, np.empty((len(tree.nodes), 2, signs.shape[1])))


def to_node_table(tree: CodedTree, inputs: CodedInputs, targets: EncodedTargets) -> NodeTable:
    """Return the stored tree: nodes that were divided, in order, with cuts in the inputs' own values.

    The splits of a node's twins become further splits of the node, in the order in which they were made.

    Parameters
    ----------
    tree
        As it grew; nothing of it is kept.
    inputs, targets
        What it was grown on.
    """
    nodes, twin_of = tree.nodes, tree.nodes["twin_of"]
    is_own = twin_of == np.arange(len(nodes))
    number = (np.cumsum(is_own) - 1).astype(np.int32)  # of a node among those that are no twins
    divided = np.flatnonzero(nodes["left"] >= 0)
    divided = divided[np.argsort(twin_of[divided], kind="stable")]
    splits = {name: nodes[name][divided] for name in OF_SPLITS}
    node, left = number[twin_of[divided]], number[splits["left"]]
    split = np.full(number[-1] + 1, -1, np.int32)
    split[node[::-1]] = np.arange(len(divided))[::-1]  # the first of several
    unit = targets.impurity_unit / nodes["weight"][0]
    set_edges, categories = _gather_sets(splits, tree.pool)
    return NodeTable(
        split=split,
        depth=_count_depth(nodes["depth"][is_own], node, left),
        weight=nodes["weight"][is_own],
        rows=(nodes["end"] - nodes["start"])[is_own],
        risk=nodes["impurity"][is_own] * unit,
        value=targets.decode(tree.value[is_own]),
        split_node=node,
        split_kind=splits["kind"],
        split_input=splits["input"],
        split_cut=_find_cuts(splits, inputs),
        split_missing_left=splits["missing_left"] != 0,
        split_missing_seen=splits["missing_seen"] != 0,
        split_gain=splits["gain"] * unit,
        split_left=left,
        set_start=set_edges[:-1],
        set_end=set_edges[1:],
        categories=categories,
    )


def _count_depth(depth: NDArray[np.int32], node: NDArray[Any], left: NDArray[Any]) -> NDArray[np.int32]:
    """Return how many splits lead to each node: more than growth counts where a split has several ways."""
    while (depth[left + 1] != depth[node] + 1).any():  # a chain is counted from its top, a split further each time
        depth[left] = depth[left + 1] = depth[node] + 1
    return depth


def _find_cuts(splits: dict[str, NDArray[Any]], inputs: CodedInputs) -> NDArray[np.float64]:
    """Return the cuts of numeric splits, zero for other ones."""
    cut, numeric = np.zeros(len(splits["kind"])), np.flatnonzero(splits["kind"] == SplitKind.NUMERIC)
    tested, below, above = (splits[name][numeric] for name in ("input", "below", "above"))
    cut[numeric] = inputs.find_cuts(tested, below, above)
    return cut


def _gather_sets(
    splits: dict[str, NDArray[Any]], pool: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where each split's categories begin, with one more place for the end, and the categories of all splits."""
    start = splits["set_start"]
    length = np.where(splits["kind"] == SplitKind.NOMINAL, splits["set_end"] - start, 0)
    edges = np.append(0, np.cumsum(length))
    return edges, pool[np.repeat(start - edges[:-1], length) + np.arange(edges[-1])]
