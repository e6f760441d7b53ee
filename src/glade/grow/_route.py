"""Rows down a stored tree, and training rows down a tree in codes."""

import numpy as np

from glade.core._compile import inlined, kernel
from glade.data._gaps import find_gap
from glade.grow._search import code_at


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


@kernel
def route_codes(columns, tree, n_splits, pool, leaves):
    """leaves[i] = the leaf of training row i in a tree just grown: the same as in the stored tree.

    The splits' codes are moved apart to where the stored tree cuts: `split_above` follows `split_below`.
    """
    for s in range(n_splits):
        j = tree.split_input[s]
        if columns.nominal[j]:
            continue
        if tree.split_above[s] >= columns.n_codes[j]:
            tree.split_below[s] = columns.n_codes[j] - 1
        else:
            gap = find_gap(columns, j, tree.split_below[s], tree.split_above[s])
            tree.split_below[s] = gap - columns.start[j]
            tree.split_above[s] = tree.split_below[s] + 1
    for i in range(leaves.shape[0]):
        node = np.int32(0)
        while tree.split[node] >= 0 and tree.split_left[tree.split[node]] >= 0:
            s = tree.split[node]
            j, missing_left = tree.split_input[s], tree.split_missing[s] & 1 == 1
            code = code_at(columns, columns.place[j], i)
            if code == columns.n_codes[j]:
                goes_left = missing_left
            elif columns.nominal[j]:
                goes_left = is_in_set(pool, tree.set_start[s], tree.set_end[s], code) != missing_left
            else:
                goes_left = code <= tree.split_below[s]
            node = tree.split_left[s] if goes_left else tree.split_left[s] + np.int32(1)
        leaves[i] = node
