"""From trees as they were grown, many in the same memory, to trees as they are stored."""

from glade.core._compile import kernel
from glade.grow.layout import MISSING_SIDE_UNSEEN


@kernel
def order_splits(split_node, split_left, n_nodes, n_splits, splits, split_edges, first_split, following):
    """List the splits that were expanded, by tree and node; give how many.

    Parameters
    ----------
    split_node, split_left
        Of all trees: the splits of each begin where its nodes do. One without a left child was not expanded.
    n_nodes, n_splits
        Of each tree.
    splits
        Filled: the places of the splits to be kept, in order.
    split_edges
        Filled from its second place on: where each tree's end in that list.
    first_split
        Filled for each node: its first, counted from its tree's first; -1 for a leaf.
    following
        Room for a number for each node.
    """
    at, found = 0, 0
    for t in range(n_nodes.shape[0]):
        end, place = at + n_nodes[t], 0
        for k in range(at, end):
            following[k] = 0
        for s in range(at, at + n_splits[t]):
            if split_left[s] >= 0:
                following[at + split_node[s]] += 1
        for k in range(at, end):
            n_own = following[k]
            first_split[k] = place if n_own > 0 else -1
            following[k] = place
            place += n_own
        for s in range(at, at + n_splits[t]):
            if split_left[s] >= 0:
                k = at + split_node[s]
                splits[found + following[k]] = s
                following[k] += 1
        at, found = end, found + place
        split_edges[t + 1] = found
    return found


@kernel
def store_nodes(growth, node_edges, unit, depth, weight, rows, risk):
    """Fill what is stored of all trees' nodes; `unit` turns an impurity per unit of weight into what users see."""
    for t in range(node_edges.shape[0] - 1):
        whole = growth.weight[node_edges[t]]
        for k in range(node_edges[t], node_edges[t + 1]):
            depth[k], weight[k], rows[k] = growth.depth[k], growth.weight[k], growth.end[k] - growth.start[k]
            risk[k] = growth.impurity[k] / whole * unit


@kernel
def store_splits(
    growth, node_edges, splits, split_edges, unit, node, tested, missing_left, missing_seen, gain, left, below, above
):
    """Fill what is stored of the splits to be kept, of all trees, and between which codes each of them cuts."""
    for t in range(node_edges.shape[0] - 1):
        whole = growth.weight[node_edges[t]]
        for k in range(split_edges[t], split_edges[t + 1]):
            s = splits[k]
            node[k], tested[k], left[k] = growth.split_node[s], growth.split_input[s], growth.split_left[s]
            below[k], above[k] = growth.split_below[s], growth.split_above[s]
            missing_left[k] = growth.split_missing[s] % MISSING_SIDE_UNSEEN == 1
            missing_seen[k] = growth.split_missing[s] < MISSING_SIDE_UNSEEN
            gain[k] = growth.split_gain[s] / whole * unit
