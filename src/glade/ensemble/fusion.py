"""What the many trees of a multi-tree say together.

Predictions are put together at every node that has several splits, from the leaves to the root. Which leaves a row
comes to is found once for all trees that share them; for all ways but votes, what comes to the root is a sum (or the
highest) over those leaves, each with a weight that is known beforehand.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.core.threads import run_in_parts
from glade.data.targets import TargetSchema
from glade.ensemble.multitree import MultiTree
from glade.losses.links import softmax

MEAN, SUM, HIGHEST, PRODUCT, VOTE, BY_GAIN = "mean", "sum", "max", "product", "vote", "gain"
FUSIONS_OF_NUMBERS = (MEAN, SUM, BY_GAIN)
FUSIONS = (MEAN, SUM, HIGHEST, PRODUCT, VOTE, BY_GAIN)


def fuse(
    tree: MultiTree, matrix: NDArray[np.float64], fusion: str, n_threads: int = 1, m: float | None = None
) -> NDArray[np.float64]:
    """Rows x channels, for an encoded table: the fused means of numbers and shares of classes.

    Parameters
    ----------
    tree
        The multi-tree.
    matrix
        The rows (see `Schema.encode`).
    fusion
        "mean": of a node's splits, each counts alike. "gain": each counts by what it gains. "sum": each leaf that a row
        comes to counts alike. "max", "product": of the leaves' class shares, with one row more of each class (Laplace).
        "vote": each split has one vote for its likeliest class.
    m
        Take m-estimates of the leaves' class shares (`estimate_shares`), also for "max" and "product".
    """
    value = tree.nodes.value if m is None else estimate_shares(tree, m)
    if fusion == VOTE:
        return _in_parts(_fuse_votes, tree, matrix, value, n_threads)
    if fusion == HIGHEST:
        highest = _in_parts(_take_highest, tree, matrix, smooth_shares(tree) if m is None else value, n_threads)
        return _to_shares(highest, tree.schema)
    if fusion == PRODUCT:
        share = (
            smooth_shares(tree) if m is None else np.maximum(value, np.finfo(float).tiny)
        )  # m may be next to nothing
        logs = _in_parts(_add_up, tree, matrix, np.log(share), n_threads)
        for t in range(tree.schema.n_targets):
            at = tree.schema.channels_of(t)
            logs[:, at] = softmax(logs[:, at].T).T
        return logs
    centre = tree.schema.find_centre(tree.nodes.value.min(axis=0), tree.nodes.value.max(axis=0))
    value = value - centre
    if fusion == SUM:
        total = _in_parts(_add_up, tree, matrix, np.column_stack((value, np.ones(len(value)))), n_threads)
        return np.ascontiguousarray(total[:, :-1] / total[:, -1:] + centre)
    weight = tree.node_weights(tree.gain_shares if fusion == BY_GAIN else tree.even_shares)
    return _in_parts(_add_up, tree, matrix, value * weight[:, None], n_threads) + centre


def smooth_shares(tree: MultiTree) -> NDArray[np.float64]:
    """The class shares of all nodes if each had one row more of each class: a small pure leaf is not quite sure."""
    value, weight = tree.nodes.value.copy(), tree.nodes.weight[:, None]
    for t in range(tree.schema.n_targets):
        at = tree.schema.channels_of(t)
        value[:, at] = (value[:, at] * weight + 1.0) / (weight + (at.stop - at.start))
    return value


def estimate_shares(tree: MultiTree, m: float) -> NDArray[np.float64]:
    """The m-estimates: the class shares of all nodes if each had m more rows like those of the root; numbers stay.

    Parameters
    ----------
    tree
        The multi-tree.
    m
        How many rows.
    """
    value, weight = tree.nodes.value.copy(), tree.nodes.weight[:, None]
    for t, classes in enumerate(tree.schema.classes):
        if classes is not None:
            at = tree.schema.channels_of(t)
            value[:, at] = (value[:, at] * weight + m * value[0, at]) / (weight + m)
    return value


def _to_shares(amounts: NDArray[np.float64], schema: TargetSchema) -> NDArray[np.float64]:
    for t in range(schema.n_targets):
        at = schema.channels_of(t)
        amounts[:, at] /= amounts[:, at].sum(axis=1, keepdims=True)
    return amounts


def _in_parts(
    kernel: Any, tree: MultiTree, matrix: NDArray[np.float64], value: NDArray[np.float64], n_threads: int
) -> NDArray[np.float64]:
    """Run a kernel over contiguous parts of the rows, one for each thread."""
    out, value = np.zeros((len(matrix), value.shape[1])), read_only(np.ascontiguousarray(value))

    def work(rows: slice) -> None:
        kernel(tree, read_only(matrix[rows]), value, out[rows])

    run_in_parts(work, len(matrix), n_threads)
    return out


def _add_up(
    tree: MultiTree, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any], takes_highest: bool = False
) -> None:
    from glade.ensemble._fuse import fuse_leaves

    first, stack = read_only(tree.first_split), np.empty(tree.nodes.n_nodes, np.int32)
    fuse_leaves(matrix, first, tree.splits, value, takes_highest, stack, out)


def _take_highest(tree: MultiTree, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any]) -> None:
    _add_up(tree, matrix, value, out, takes_highest=True)


def _fuse_votes(tree: MultiTree, matrix: NDArray[Any], value: NDArray[Any], out: NDArray[Any]) -> None:
    from glade.ensemble._fuse import fuse_votes

    first, n_nodes = read_only(tree.first_split), tree.nodes.n_nodes
    places, parents = np.empty(n_nodes, np.int32), np.empty(n_nodes, np.int32)
    shares = np.empty((n_nodes, out.shape[1]))
    fuse_votes(matrix, first, tree.splits, value, tree.schema.start, places, parents, shares, out)
