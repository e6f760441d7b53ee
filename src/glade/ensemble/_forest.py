"""Rows down all trees of a forest.

A node is two words of eight bytes, so that one cache line holds four::

    words[2 k]      the cut of a numeric split; for a nominal one, its set: first place | number of places << 32
    words[2 k + 1]  left child | input << 31 | missing goes left << 62 | nominal << 63

Places are counted from the tree's first node and first category. The right child follows the left one. A leaf is its
own left child and sends all that comes there. Eight rows go down a tree in step, so that their waits for memory
overlap; one that has arrived makes room for the next.
"""

import numpy as np

from glade.core._compile import kernel, part
from glade.data._channels import take_away
from glade.grow._route import is_in_set

LINK_BITS = 31
LINK_MASK = (1 << LINK_BITS) - 1
SET_BITS = 32
SET_MASK = (1 << SET_BITS) - 1
MISSING_LEFT = 62
NOMINAL = 63
ROWS_IN_STEP = 8
ROWS_AT_ONCE = 1024  # whose leaves are found before their values are asked for: these waits overlap, too


@part
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
def descend(is_plain, matrix, first, n, cuts, words, node_base, categories, set_base, row, node, leaves):
    """leaves[i] = the leaf of row first + i, for i < n, counted from the tree's root.

    Parameters
    ----------
    is_plain
        No value is missing and no split is nominal: a comparison says all.
    row, node
        Room for the rows that are on their way, and where these are.
    """
    moving = min(ROWS_IN_STEP, n)
    for k in range(moving):
        row[k], node[k] = k, 0
    following = moving
    while moving > 0:
        k = 0
        while k < moving:
            at = 2 * (node_base + node[k])
            link = words[at + 1]
            x = matrix[first + row[k], (link >> LINK_BITS) & LINK_MASK]
            right = x > cuts[at] if is_plain else goes_right(cuts[at], words[at], link, x, categories, set_base)
            to = (link & LINK_MASK) + np.int64(right)
            if to != node[k]:
                node[k] = to
                k += 1
                continue
            leaves[row[k]] = to
            if following < n:
                row[k], node[k] = following, 0
                following += 1
                k += 1
            else:
                moving -= 1
                row[k], node[k] = row[moving], node[moving]


@kernel
def add_leaf_values(
    is_plain, matrix, cuts, words, categories, node_start, set_start, value, centre, row, node, leaves, out
):
    """out[i] += the leaf values of row i less the centre, tree after tree.

    All rows pass a tree before the next: it stays in cache.
    """
    n_rows, n_channels = out.shape
    for t in range(node_start.shape[0] - 1):
        for first in range(0, n_rows, ROWS_AT_ONCE):
            n = min(ROWS_AT_ONCE, n_rows - first)
            descend(is_plain, matrix, first, n, cuts, words, node_start[t], categories, set_start[t], row, node, leaves)
            for i in range(n):
                leaf = node_start[t] + leaves[i]
                for c in range(n_channels):
                    out[first + i, c] += take_away(value[leaf, c], centre[c])


@kernel
def find_leaves(is_plain, matrix, cuts, words, categories, node_start, set_start, row, node, leaves, out):
    """out[i, t] = the leaf of row i in tree t."""
    n_rows = out.shape[0]
    for t in range(node_start.shape[0] - 1):
        for first in range(0, n_rows, ROWS_AT_ONCE):
            n = min(ROWS_AT_ONCE, n_rows - first)
            descend(is_plain, matrix, first, n, cuts, words, node_start[t], categories, set_start[t], row, node, leaves)
            for i in range(n):
                out[first + i, t] = leaves[i]
