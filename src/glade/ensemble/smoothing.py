"""Shares of classes drawn towards others, so that few rows are not taken for certainty; no class changes its place."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable

Floats = NDArray[np.float64]
BY_DEFAULT = "m"
ROWS = 1.0  # by which leaves are smoothed by default: with so many, none that has rows of its own changes its class
SHY = 1.0 - 1e-9  # of the way to where two classes would be as likely


def read_smoothing(smoothing: Any) -> float:
    """Return how many rows of the shares of all rows a leaf is given; 0 for exact shares."""
    return 0.0 if smoothing is None else ROWS if smoothing == BY_DEFAULT else float(smoothing)


def smooth_leaves(tree: NodeTable, targets: TargetSchema, smoothing: Any, evenly: bool = False) -> Floats:
    """Return nodes x channels with the shares of classes as if each node had some more rows like those of the root.

    The likeliest class of a node stays it: where that would change, it is drawn only nearly to where both are alike.

    Parameters
    ----------
    tree
        One tree.
    targets
        What the channels stand for.
    smoothing
        "m", the number of rows, or None.
    evenly
        Draw all leaves as far, towards equal shares, so that none changes its place among the others.
    """
    n_rows, value = read_smoothing(smoothing), tree.value
    if evenly and n_rows:
        return mix_shares(value, targets, n_rows / (n_rows + float(tree.weight[0])))
    if n_rows == 0.0 or all(classes is None for classes in targets.classes):
        return value
    value = value.copy()
    part = (n_rows / (n_rows + tree.weight))[:, None]  # a row of weight 2 counts as two rows
    for t, classes in enumerate(targets.classes):
        if classes is not None:
            at = targets.channels_of(t)
            value[:, at] = _draw_towards(value[:, at], value[0, at], part)
    return value


def _draw_towards(shares: Floats, prior: Floats, part: Floats) -> Floats:
    most = shares.max(axis=1, keepdims=True)
    is_most = shares >= most
    together = (is_most * prior).sum(axis=1, keepdims=True) / is_most.sum(axis=1, keepdims=True)
    goal = np.where(is_most, together, prior)  # classes that are alike stay so
    with np.errstate(invalid="ignore", divide="ignore"):
        limit = np.where(is_most, np.inf, (most - shares) / ((goal - shares) - (together - most)))
    limit[~(limit > 0)] = np.inf  # what falls behind anyway
    part = np.minimum(part, SHY * limit.min(axis=1, keepdims=True))
    return shares + part * (goal - shares)


def mix_shares(values: Floats, targets: TargetSchema, part: float) -> Floats:
    """Return channel values with shares of classes drawn by this part towards equal ones, which changes no order.

    Parameters
    ----------
    values
        Anything x channels.
    targets
        What the channels stand for.
    part
        How far, of the whole way.
    """
    if part == 0.0:
        return values
    values = values.copy()
    for t, classes in enumerate(targets.classes):
        if classes is not None:
            at = targets.channels_of(t)
            values[:, at] = (1.0 - part) * values[:, at] + part / len(classes)
    return values
