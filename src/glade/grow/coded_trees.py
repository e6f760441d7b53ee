"""Trees in codes, as they grew, one after another in the same buffers; and the way to stored trees.

All trees in the buffers become columns by the same few array operations: for small trees that takes a tenth of the time
that one tree after another would.
"""

from collections.abc import Sequence
from itertools import pairwise
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


def to_node_tables(
    nodes: NDArray[np.void],
    value: NDArray[np.float64],
    n_nodes: Sequence[int],
    pool: NDArray[np.int32],
    inputs: CodedInputs,
    targets: EncodedTargets,
) -> list[NodeTable]:
    """Return the stored trees: nodes that were divided, in order, with cuts in the inputs' own values.

    The splits of a node's twins become further splits of the node, in the order in which they were made.

    Parameters
    ----------
    nodes, value
        Of all trees: those of each follow those of the one before.
    n_nodes
        Of each tree.
    pool
        The categories of nominal splits.
    inputs, targets
        What the trees were grown on.
    """
    first = np.cumsum([0, *n_nodes])  # of each tree; one more for the end
    first_of = np.repeat(first[:-1], n_nodes)
    twin_of = nodes["twin_of"] + first_of
    is_own = twin_of == np.arange(len(nodes))
    number = (np.cumsum(is_own) - 1).astype(np.int32)  # of a node among those that are no twins
    roots = np.append(number[first[:-1]], number[-1] + 1)
    has_twins = not is_own.all()
    own, divided = nodes[is_own] if has_twins else nodes, np.flatnonzero(nodes["left"] >= 0)
    if has_twins:
        divided = divided[np.argsort(twin_of[divided], kind="stable")]
    root_of = np.repeat(roots[:-1], np.diff(roots)).astype(np.int32)
    split_node = number[twin_of[divided]]
    splits = {name: nodes[name][divided] for name in OF_SPLITS}
    tree_root = root_of[split_node]
    split_edges = np.searchsorted(split_node, roots)
    split = np.full(len(own), -1, np.int32)
    local = np.arange(len(divided)) - np.repeat(split_edges[:-1], np.diff(split_edges))
    split[split_node[::-1]] = local[::-1]  # the first of several
    unit = targets.impurity_unit / np.repeat(own["weight"][roots[:-1]], np.diff(roots))
    set_edges, categories = _gather_sets(splits, pool)
    of_tree = np.repeat(set_edges[split_edges[:-1]], np.diff(split_edges))
    left = number[splits["left"] + first_of[divided]]
    of_nodes: dict[str, NDArray[Any]] = {
        "split": split,
        "depth": _count_depth(own["depth"], split_node, left),
        "weight": own["weight"].copy(),
        "rows": own["end"] - own["start"],
        "risk": own["impurity"] * unit,
        "value": targets.decode(value[is_own] if has_twins else value),
    }
    of_splits: dict[str, NDArray[Any]] = {
        "split_node": split_node - tree_root,
        "split_kind": splits["kind"],
        "split_input": splits["input"],
        "split_cut": _find_cuts(splits, inputs),
        "split_missing_left": splits["missing_left"] != 0,
        "split_missing_seen": splits["missing_seen"] != 0,
        "split_gain": splits["gain"] * unit[split_node],
        "split_left": left - tree_root,
        "set_start": set_edges[:-1] - of_tree,
        "set_end": set_edges[1:] - of_tree,
    }
    edges = (pairwise(edge.tolist()) for edge in (roots, split_edges, set_edges[split_edges]))
    return [
        NodeTable(
            **{name: column[i:j] for name, column in of_nodes.items()},
            **{name: column[k:m] for name, column in of_splits.items()},
            categories=categories[u:v],
        )
        for (i, j), (k, m), (u, v) in zip(*edges, strict=True)
    ]


def _count_depth(grown: NDArray[np.int32], node: NDArray[Any], left: NDArray[Any]) -> NDArray[np.int32]:
    """Return how many splits lead to each node: more than growth counts where a split has several ways."""
    depth = grown.copy()
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
