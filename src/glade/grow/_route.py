"""Rows down a stored tree, and training rows down a tree in codes."""

import numpy as np

from glade.core._compile import inlined, kernel
from glade.data._gaps import find_gap
from glade.grow.layout import IS_MISSING, NOMINAL, NUMERIC


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
def takes_left(x, s, cut, missing_left, set_start, set_end, categories):
    """Whether a row whose input is x takes the left branch of split s."""
    if np.isnan(x):
        goes_left = missing_left[s]
    elif np.isnan(cut[s]):
        goes_left = is_in_set(categories, set_start[s], set_end[s], np.int32(x)) != missing_left[s]
    else:
        goes_left = x <= cut[s]
    return goes_left


@kernel
def route_rows(matrix, split, split_input, cut, missing_left, left, set_start, set_end, categories, leaves):
    """leaves[i] = the leaf of row i. Nominal inputs are given as category codes; NaN is missing or unseen."""
    for i in range(matrix.shape[0]):
        node = np.int32(0)
        while split[node] >= 0:
            s = split[node]
            x = matrix[i, split_input[s]]
            goes_left = takes_left(x, s, cut, missing_left, set_start, set_end, categories)
            node = left[s] if goes_left else left[s] + np.int32(1)
        leaves[i] = node


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
