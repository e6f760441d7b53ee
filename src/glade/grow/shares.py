"""Shares of classes in trees that keep signs."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable

ENOUGH = 3  # classes: the share of one of two follows from that of the other


def keep_shares_of_classes(tree: NodeTable, targets: TargetSchema, signs: NDArray[np.int8]) -> NodeTable:
    """Return a tree grown with signs whose shares of classes keep them and add up to 1.

    Parameters
    ----------
    tree
        As it was grown, the share of each class within bounds of its own. What its nodes risk stays that.
    targets
        What the channels stand for.
    signs
        Inputs x channels.
    """
    from glade.grow._shares import keep_shares

    value = tree.value
    for t in range(targets.n_targets):
        at = targets.channels_of(t)
        own = np.ascontiguousarray(signs[:, at])
        if own.shape[1] < ENOUGH or not own.any():
            continue
        shares = value[:, at].copy(order="C")
        room = np.empty((len(shares), 2, shares.shape[1]))
        keep_shares(tree.split_node, tree.split_left, tree.split_input, own, shares, room)
        value = value.copy()
        value[:, at] = shares
    return tree if value is tree.value else replace(tree, value=value)
