"""Rows down all trees of a forest.

A node is two words of eight bytes, so that one cache line holds four::

    words[2 k]      the cut of a numeric split; for a nominal one, its set: first place | number of places << 32
    words[2 k + 1]  left child | input << 31 | missing goes left << 62 | nominal << 63

Places are counted from the tree's first node and first category. The right child follows the left one. A leaf is its
own left child and sends all that comes there, so that a row which has arrived stays while others go on: sixteen rows go
down a tree in step, and their waits for memory overlap.
"""

import numpy as np

from glade.kernels.compile import inlined, kernel, part
from glade.kernels.route import is_in_set

LINK_BITS = 31
LINK_MASK = (1 << LINK_BITS) - 1
SET_BITS = 32
SET_MASK = (1 << SET_BITS) - 1
MISSING_LEFT = 62
NOMINAL = 63
ROWS_IN_STEP = 16


@inlined
def goes_right(cut, set_word, link, x, categories, base):
    """Whether a row whose input is x goes right at a node."""
    missing_left = (link >> MISSING_LEFT) & 1 == 1
    if link < 0:  # the highest bit: nominal
        if np.isnan(x):
            return not missing_left
        start = base + (set_word & SET_MASK)
        return is_in_set(categories, start, start + (set_word >> SET_BITS), np.int32(x)) == missing_left
    return (x > cut) | (np.isnan(x) & (not missing_left))


@part
def descend(matrix, first, n, cuts, words, node_base, categories, set_base, nodes):
    """nodes[k] = the leaf of row first + k, for k < n, counted from the tree's root."""
    for k in range(n):
        nodes[k] = 0
    moving = True
    while moving:
        moving = False
        for k in range(n):
            at = 2 * (node_base + nodes[k])
            link = words[at + 1]
            x = matrix[first + k, (link >> LINK_BITS) & LINK_MASK]
            to = (link & LINK_MASK) + np.int64(goes_right(cuts[at], words[at], link, x, categories, set_base))
            moving |= to != nodes[k]
            nodes[k] = to


@kernel
def add_leaf_values(matrix, cuts, words, categories, node_start, set_start, value, nodes, out):
    """out[i] += the leaf values of row i, tree after tree. All rows pass a tree before the next: it stays in cache."""
    n_rows, n_channels = out.shape
    for t in range(node_start.shape[0] - 1):
        for first in range(0, n_rows, ROWS_IN_STEP):
            n = min(ROWS_IN_STEP, n_rows - first)
            descend(matrix, first, n, cuts, words, node_start[t], categories, set_start[t], nodes)
            for k in range(n):
                leaf = node_start[t] + nodes[k]
                for c in range(n_channels):
                    out[first + k, c] += value[leaf, c]


@kernel
def find_leaves(matrix, cuts, words, categories, node_start, set_start, nodes, leaves):
    """leaves[i, t] = the leaf of row i in tree t."""
    n_rows = leaves.shape[0]
    for t in range(node_start.shape[0] - 1):
        for first in range(0, n_rows, ROWS_IN_STEP):
            n = min(ROWS_IN_STEP, n_rows - first)
            descend(matrix, first, n, cuts, words, node_start[t], categories, set_start[t], nodes)
            for k in range(n):
                leaves[first + k, t] = nodes[k]
