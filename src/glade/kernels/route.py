"""Rows down a stored tree."""

import numpy as np

from glade.kernels.compile import inlined, kernel


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
