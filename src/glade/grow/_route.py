"""Rows down stored trees, and training rows down a tree in codes.

What a row meets at a node (of a multi-tree: at a split) is packed in two words of eight bytes, so that one cache line
holds four::

    words[2 k]      the cut of a numeric split; for a nominal one, its set: first place | number of places << 32
    words[2 k + 1]  left child | input << 31 | missing goes left << 62 | nominal << 63

Nodes and categories are counted over all trees. The right child follows the left one. The test "is missing" has a cut
that no value is above. So has a leaf, which is its own left child and sends missing values there, too.
"""

import numpy as np

from glade.core._compile import inlined, kernel, part
from glade.data._gaps import find_gap
from glade.grow.layout import IS_MISSING, NOMINAL, NUMERIC

LINK_BITS = 31
LINK_MASK = (1 << LINK_BITS) - 1
SET_BITS = 32
SET_MASK = (1 << SET_BITS) - 1
MISSING_LEFT = 62
NOMINAL_BIT = 63
ROWS_IN_STEP = 8
ROWS_AT_ONCE = 1024  # whose leaves are found before their values are asked for: these waits overlap, too


@kernel
def is_in_set(categories, start, end, code):
    """Whether a category is among categories[start:end], which ascend."""
    while start < end:
        middle = (start + end) // 2
        if categories[middle] == code:
            return True
        if categories[middle] < code:
            start = middle + 1
        else:
            end = middle
    return False


@inlined
def left_of(link):
    """The left child in a link."""
    return link & LINK_MASK


@inlined
def input_of(link):
    """The input that is tested, in a link."""
    return (link >> LINK_BITS) & LINK_MASK


@part
def goes_right(cut, set_word, link, x, categories):
    """Whether a row whose input is x goes right: the one place that says so for values."""
    missing_left = (link >> MISSING_LEFT) & 1 == 1
    if link < 0:  # the highest bit: nominal
        if np.isnan(x):
            return not missing_left
        start = set_word & SET_MASK
        return is_in_set(categories, start, start + (set_word >> SET_BITS), np.int32(x)) == missing_left
    return (x > cut) | (np.isnan(x) & (not missing_left))


@inlined
def child_of(matrix, i, k, packed):
    """The node that row i comes to from place k, a node or the split of a multi-tree."""
    link = packed.words[2 * k + 1]
    x = matrix[i, input_of(link)]
    right = goes_right(packed.cuts[2 * k], packed.words[2 * k], link, x, packed.categories)
    return left_of(link) + np.int64(right)


@part
def descend(is_plain, matrix, first, n, root, cuts, words, categories, row, node, leaves):
    """leaves[i] = the leaf of row first + i, for i < n.

    Eight rows go down a tree in step, so that their waits for memory overlap; one that has arrived is followed by the
    next.

    Parameters
    ----------
    is_plain
        No value is missing and no split is nominal: a comparison says all.
    row, node
        Buffers for the rows that are on their way, and where these are.
    """
    moving = min(ROWS_IN_STEP, n)
    for k in range(moving):
        row[k], node[k] = k, root
    following = moving
    while moving > 0:
        k = 0
        while k < moving:
            at = 2 * node[k]
            link = words[at + 1]
            x = matrix[first + row[k], input_of(link)]
            right = x > cuts[at] if is_plain else goes_right(cuts[at], words[at], link, x, categories)
            to = left_of(link) + np.int64(right)
            if to != node[k]:
                node[k] = to
                k += 1
                continue
            leaves[row[k]] = to
            if following < n:
                row[k], node[k] = following, root
                following += 1
                k += 1
            else:
                moving -= 1
                row[k], node[k] = row[moving], node[moving]


@kernel
def find_leaves(is_plain, matrix, nodes, roots, row, node, leaves, out):
    """out[i, t] = the leaf of row i in tree t, counted from the tree's root."""
    n_rows = out.shape[0]
    for t in range(roots.shape[0]):
        for first in range(0, n_rows, ROWS_AT_ONCE):
            n = min(ROWS_AT_ONCE, n_rows - first)
            descend(
                is_plain, matrix, first, n, roots[t], nodes.cuts, nodes.words, nodes.categories, row, node, leaves
            )  # fmt: skip
            for i in range(n):
                out[first + i, t] = leaves[i] - roots[t]


@inlined
def code_at(columns, place, row):
    """Return the code of an input (given by its place) in a row."""
    return np.int32(columns.narrow[place, row]) if place >= 0 else columns.wide[-1 - place, row]


@kernel
def route_codes(columns, nodes, pool, leaves):
    """leaves[i] = the leaf of training row i in a tree just grown: the same as in the stored tree.

    The splits' codes are moved apart to where the stored tree cuts: `above` follows `below`.
    """
    for k in range(nodes.shape[0]):
        node = nodes[k]
        if node.left >= 0 and node.kind == NUMERIC:
            j = node.input
            node.below = find_gap(columns, j, node.below, node.above) - columns.start[j]
            node.above = node.below + 1
    for i in range(leaves.shape[0]):
        k = np.int32(0)
        while nodes[k].left >= 0:
            node = nodes[k]
            code = code_at(columns, columns.place[node.input], i)
            if code == columns.n_codes[node.input]:
                goes_left = node.missing_left != 0
            elif node.kind == NOMINAL:
                goes_left = is_in_set(pool, node.set_start, node.set_end, code) != (node.missing_left != 0)
            else:
                goes_left = node.kind == IS_MISSING or code <= node.below
            k = node.left if goes_left else node.left + np.int32(1)
        leaves[i] = k
