"""Rows down all trees of a forest, whose values are added up."""

from glade.core._compile import kernel
from glade.data._channels import take_away
from glade.grow._route import ROWS_AT_ONCE, descend


@kernel
def add_leaf_values(is_plain, matrix, nodes, roots, value, centre, row, node, leaves, out):
    """out[i] += the leaf values of row i less the centre, tree after tree.

    All rows pass a tree before the next: it stays in cache.
    """
    n_rows, n_channels = out.shape
    for t in range(roots.shape[0]):
        for first in range(0, n_rows, ROWS_AT_ONCE):
            n = min(ROWS_AT_ONCE, n_rows - first)
            descend(
                is_plain, matrix, first, n, roots[t], nodes.cuts, nodes.words, nodes.categories, row, node, leaves
            )  # fmt: skip
            for i in range(n):
                for c in range(n_channels):
                    out[first + i, c] += take_away(value[leaves[i], c], centre[c])
