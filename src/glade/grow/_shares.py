"""Shares of three and more classes of which some may only rise, or only fall, with an input, and which add up to 1.

Growth clips the share of each class to bounds of its own (`_bounds.py`). Here all nodes of a grown tree are visited
once more, from the root on: their shares become the nearest ones within their bounds that add up to 1. The middle
between those of two children adds up to 1 as well and lies within the bounds of both, so there always are such shares.
"""

from glade.core._compile import kernel, part

HALVINGS = 60  # of the range in which the shift of all shares is looked for


@part
def add_up(shares, bounds, out):
    """Shift all shares by the same amount, clipped to bounds, so that they add up to 1: the nearest such shares."""
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        shift, total = (low + high) / 2, 0.0
        for c in range(shares.shape[0]):
            total += min(max(shares[c] + shift, bounds[0, c]), bounds[1, c])
        if total < 1.0:
            low = shift
        else:
            high = shift
    for c in range(shares.shape[0]):
        out[c] = min(max(shares[c] + high, bounds[0, c]), bounds[1, c])


@kernel
def keep_shares(split_node, split_left, split_input, signs, value, bounds):
    """Change the shares of all nodes of a tree so that they keep the signs, and add up to 1.

    Parameters
    ----------
    split_node, split_left, split_input
        Of each split, in the order of the nodes: children come after their parent.
    signs
        Inputs x classes.
    value
        Nodes x classes; it is changed.
    bounds
        Room: nodes x 2 x classes.
    """
    n_classes = signs.shape[1]
    for c in range(n_classes):
        bounds[0, 0, c], bounds[0, 1, c] = 0.0, 1.0
    for k in range(split_node.shape[0]):
        own, left = bounds[split_node[k]], split_left[k]
        for side in range(2):
            add_up(value[left + side], own, value[left + side])
        for c in range(n_classes):
            sign, middle = signs[split_input[k], c], (value[left, c] + value[left + 1, c]) / 2
            for side in range(2):
                bounds[left + side, 0, c], bounds[left + side, 1, c] = own[0, c], own[1, c]
            if sign != 0:
                lower = left if sign > 0 else left + 1
                bounds[lower, 1, c] = bounds[2 * left + 1 - lower, 0, c] = middle
        for side in range(2):
            add_up(value[left + side], bounds[left + side], value[left + side])
