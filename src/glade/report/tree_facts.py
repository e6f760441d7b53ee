"""A tree as the page needs it to draw it and to send rows down."""

from typing import Any

import numpy as np

from glade.data.table import Schema
from glade.grow.node_table import NodeTable, SplitKind
from glade.report.numbers import exact
from glade.rules.extract import merge_splits
from glade.rules.wording import word_condition

MAX_NUMBERS = 40_000  # of node values
MAX_NODES = 4_000


def describe_tree(tree: NodeTable, schema: Schema) -> dict[str, Any]:
    """Nodes with their values, and splits; a tree that is too large for a page is cut back to a depth that is not."""
    whole = tree.n_nodes
    tree = cut_to_fit(tree)
    sides = np.repeat(np.arange(len(tree.split_node)), 2)
    conditions = merge_splits(tree, schema, sides, np.arange(len(sides)) % 2 == 0, np.arange(len(sides)))
    words = [word_condition(conditions, k, schema) for k in range(len(sides))]
    return {
        "nodes": whole,
        "leaves": tree.n_leaves,
        "depth": int(tree.depth.max()),
        "split": tree.split.tolist(),
        "rows": exact(tree.rows.astype(float)),
        "value": exact(tree.value),
        "splits": [own | {"words": words[2 * s : 2 * s + 2]} for s, own in enumerate(describe_splits(tree))],
        "whole": tree.n_nodes == whole,
    }


def cut_to_fit(tree: NodeTable) -> NodeTable:
    """The deepest tree with all nodes to some depth that fits."""
    most = min(MAX_NODES, MAX_NUMBERS // tree.value.shape[1])
    if tree.n_nodes <= most:
        return tree
    nodes_to = np.cumsum(np.bincount(tree.depth))
    return tree.cut_back(tree.depth >= max(0, int(np.searchsorted(nodes_to, most, side="right")) - 1))


def describe_splits(tree: NodeTable) -> list[dict[str, Any]]:
    """Which way a row goes at each split."""
    return [_describe_split(tree, s) for s in range(len(tree.split_node))]


def _describe_split(tree: NodeTable, s: int) -> dict[str, Any]:
    kind = tree.split_kind[s]
    return {
        "input": int(tree.split_input[s]),
        "cut": exact(tree.split_cut[s : s + 1])[0] if kind == SplitKind.NUMERIC else None,
        "missingLeft": bool(tree.split_missing_left[s]),
        "set": tree.set_of(s).tolist() if kind == SplitKind.NOMINAL else None,
        "left": int(tree.split_left[s]),
    }
