"""From trees in codes, as they were grown, to the columns in which they are stored."""

from glade.core._compile import kernel
from glade.grow.layout import MISSING_SIDE_UNSEEN


@kernel
def store_trees(growth, n_nodes, n_splits, unit, nodes, splits, following):
    """Fill the columns of the nodes of all trees and of their splits, which are put in the order of their nodes.

    Places are counted from each tree's own first.

    Parameters
    ----------
    n_nodes, n_splits
        Of each tree in the growth. A split without a left child was not expanded and is not stored.
    unit
        Turns an impurity per unit of weight into what users see.
    nodes, splits
        Filled (see `NodeColumns` and `SplitColumns`).
    following
        A buffer of a number for each node.
    """
    root, first = 0, 0
    for t in range(n_nodes.shape[0]):
        whole = growth.weight[root]
        for k in range(root, root + n_nodes[t]):
            nodes.depth[k], nodes.weight[k] = growth.depth[k], growth.weight[k]
            nodes.rows[k] = growth.end[k] - growth.start[k]
            nodes.risk[k] = growth.impurity[k] / whole * unit
            following[k] = 0
        for s in range(root, root + n_splits[t]):
            if growth.split_left[s] >= 0:
                following[root + growth.split_node[s]] += 1
        place = 0
        for k in range(root, root + n_nodes[t]):
            n_own = following[k]
            nodes.split[k] = place if n_own > 0 else -1
            following[k] = place
            place += n_own
        for s in range(root, root + n_splits[t]):
            if growth.split_left[s] < 0:
                continue
            k = growth.split_node[s]
            at = first + following[root + k]
            following[root + k] += 1
            splits.place[at], splits.node[at], splits.left[at] = s, k, growth.split_left[s]
            splits.input[at] = growth.split_input[s]
            splits.below[at], splits.above[at] = growth.split_below[s], growth.split_above[s]
            splits.missing_left[at] = growth.split_missing[s] % MISSING_SIDE_UNSEEN == 1
            splits.missing_seen[at] = growth.split_missing[s] < MISSING_SIDE_UNSEEN
            splits.gain[at] = growth.split_gain[s] / whole * unit
        root += n_nodes[t]
        first += place
