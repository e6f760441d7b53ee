"""The archetype: of all trees in a multi-tree, the one most like a given model, by what both say of many rows.

The rows need no targets; they are synthetic, or kept from training. The model is the fused multi-tree itself, or any
other one. Which split of a node is best is decided from the leaves up, for the rows that come to that node (Ferri,
Hernández-Orallo and Ramírez-Quintana, 2002). Agreement adds up over branches, so with a limit on leaves the best tree
is found exactly, among all trees of the multi-tree with branches cut back or not.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.data.decisions import Decision
from glade.ensemble.multitree import MultiTree
from glade.ensemble.records import NodePredictions
from glade.grow.node_table import NodeTable

SIMILARITIES = ("kappa", "theta", "q")
SAME = 1e-12  # trees whose similarity differs by less are equal


@dataclass(frozen=True)
class Archetype:
    """A tree of a multi-tree, and how similar it is to the model on the rows it was chosen by."""

    tree: NodeTable
    similarity: float


def find_archetype(
    multitree: MultiTree,
    matrix: NDArray[np.float64],
    values: NDArray[np.float64],
    similarity: str = "kappa",
    max_leaves: int | None = None,
    weights: NDArray[np.float64] | None = None,
    node_values: NDArray[np.float64] | None = None,
) -> Archetype:
    """The tree most like a model.

    Parameters
    ----------
    multitree
        Where to look for it.
    matrix
        Rows, encoded.
    values
        What the model says of them, rows x channels: numbers, and shares of classes.
    similarity
        "kappa", "theta" or "q"; for numeric targets each is 1 - relative squared difference.
    max_leaves
        Cut branches back so that no more leaves are left; the similarity is then theta.
    weights
        How much each row counts; all alike by default.
    node_values
        What each node says as a leaf, nodes x channels; its values by default. Classes are said as the schema decides.
    """
    weights = np.ones(len(matrix)) if weights is None else weights
    predictions = compare_nodes(multitree, matrix, values, weights, node_values)
    return choose_tree(multitree, predictions, similarity, max_leaves, float(weights.sum()))


def choose_tree(
    multitree: MultiTree,
    predictions: NodePredictions,
    similarity: str,
    max_leaves: int | None = None,
    weight: float = 1.0,
) -> Archetype:
    """The tree most like a model, by what the model says at each node.

    Parameters
    ----------
    multitree
        Where to look for it.
    predictions
        Of the model, at each node.
    similarity
        "kappa", "theta" or "q".
    max_leaves
        Cut branches back so that no more leaves are left; the similarity is then theta.
    weight
        Of all rows.
    """
    if max_leaves is not None:
        return _choose_within(multitree, predictions, max_leaves, weight)
    return _choose(multitree, predictions, similarity)


def compare_nodes(
    multitree: MultiTree,
    matrix: NDArray[np.float64],
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    node_values: NDArray[np.float64] | None = None,
) -> NodePredictions:
    """Send the rows down, and note at each node what the model says of them, and what the node does."""
    from glade.ensemble._fuse import tally_nodes

    schema, nodes = multitree.schema, multitree.nodes
    node_values = nodes.value if node_values is None else node_values
    channels = [schema.channels_of(t) for t in range(schema.n_targets)]
    classes = np.array([0 if own is None else len(own) for own in schema.classes], np.int64)
    parts = [
        _describe(values[:, at], weights, schema.decision_of(t) if classes[t] else None)
        for t, at in enumerate(channels)
    ]
    amount = np.column_stack([part.amount for part in parts]) * weights[:, None]
    tally, stack = np.zeros((nodes.n_nodes, amount.shape[1])), np.empty(nodes.n_nodes, np.int32)
    first_split = read_only(multitree.first_split)
    tally_nodes(read_only(matrix), first_split, multitree.splits, read_only(amount), stack, tally)
    tally_at = np.cumsum([0, *(part.amount.shape[1] for part in parts)])
    predicted = np.empty((nodes.n_nodes, len(parts)))
    for t, (at, part) in enumerate(zip(channels, parts, strict=True)):
        own = node_values[:, at]
        if classes[t]:
            predicted[:, t] = schema.decision_of(t).pick(own)
        else:
            number, total, square = tally[:, tally_at[t] : tally_at[t + 1]].T
            value = (own[:, 0] - part.middle) / part.unit
            predicted[:, t] = np.maximum(square - 2.0 * value * total + number * value**2, 0.0)
    summary_at = np.append(0, np.cumsum(np.where(classes > 0, classes**2, 1)))
    return NodePredictions(classes, tally, tally_at, predicted, np.array([part.whole for part in parts]), summary_at)


class _Description(NamedTuple):
    """What a model says of rows, for one target: sums of it tell how well a node agrees.

    Of a number: one, its distance from the mean, and the square of that; of classes: a one for the class that is said.
    """

    amount: NDArray[np.float64]
    whole: float = 1.0  # the sum of squares about the mean, 1 where it is zero
    middle: float = 0.0  # the mean
    unit: float = 1.0  # of distances: squares of huge numbers must not overflow


def _describe(values: NDArray[np.float64], weights: NDArray[np.float64], decision: Decision | None) -> _Description:
    if decision is not None:
        return _Description(np.eye(values.shape[1])[decision.pick(values)])
    middle = values[0, 0] + float(np.average(values[:, 0] - values[0, 0], weights=weights))
    unit = float(np.abs(values[:, 0] - middle).max()) or 1.0
    number = (values[:, 0] - middle) / unit
    whole = float(np.sum(weights * number**2)) or 1.0
    return _Description(np.column_stack((np.ones(len(number)), number, number**2)), whole, middle, unit)


def _choose(multitree: MultiTree, predictions: NodePredictions, similarity: str) -> Archetype:
    from glade.ensemble import _archetype as kernel

    tree, width = multitree.nodes, int(predictions.summary_at[-1])
    n_levels = int(tree.depth.max()) + 2
    chosen = np.full(tree.n_nodes, -1, np.int32)
    kind = {"theta": kernel.THETA, "kappa": kernel.KAPPA, "q": kernel.Q}[similarity]
    similar = kernel.choose_splits(
        read_only(multitree.first_split), read_only(tree.split_left), predictions, kind,
        np.empty((n_levels, 3), np.int64), np.empty((n_levels, width)), np.empty((n_levels, width)),
        np.empty((n_levels, 2)), np.empty((n_levels, 2), np.int64), chosen,
    )  # fmt: skip
    return Archetype(tree.with_splits(chosen), float(similar))


def node_scores(predictions: NodePredictions, weight: float) -> NDArray[np.float64]:
    """Per node: what it adds to theta, mean over targets, as a leaf. Scores of leaves add up to the tree's, less one
    for each numeric target.
    """
    score, node = np.zeros(len(predictions.predicted)), np.arange(len(predictions.predicted))
    for t, n_classes in enumerate(predictions.classes):
        if n_classes == 0:
            score -= predictions.predicted[:, t] / predictions.whole[t]
        else:
            score += predictions.tally[node, predictions.tally_at[t] + predictions.predicted[:, t].astype(int)] / weight
    return score / len(predictions.classes)


def _choose_within(multitree: MultiTree, predictions: NodePredictions, max_leaves: int, weight: float) -> Archetype:
    """The best tree of at most so many leaves, by the best trees of 1, 2, ... leaves of its branches."""
    from glade.ensemble._archetype import choose_within

    tree = multitree.nodes
    room = _count_room(multitree, max_leaves)
    start = np.cumsum(room) - room
    n_places = int(room.sum())
    best, split, leaves_left = np.empty(n_places), np.empty(n_places, np.int32), np.empty(n_places, np.int32)
    choose_within(
        read_only(tree.split_node), read_only(tree.split_left), node_scores(predictions, weight), room, start, best,
        split, leaves_left,
    )  # fmt: skip
    of_root = best[: room[0]]
    n_leaves = int(np.flatnonzero(of_root >= of_root.max() - SAME)[0]) + 1  # of equal trees the smallest
    chosen = np.full(tree.n_nodes, -1, np.int32)
    waiting = [(0, n_leaves)]
    while waiting:
        node, n = waiting.pop()
        at = start[node] + n - 1
        chosen[node] = split[at]
        if split[at] >= 0:
            left, n_left = int(tree.split_left[split[at]]), int(leaves_left[at])
            waiting += [(left, n_left), (left + 1, n - n_left)]
    similarity = float(of_root[n_leaves - 1] + np.mean(predictions.classes == 0))
    return Archetype(tree.with_splits(chosen), similarity)


def _count_room(multitree: MultiTree, max_leaves: int) -> NDArray[np.int64]:
    """Per node: the most leaves that a tree below it can have, or the limit."""
    tree = multitree.nodes
    room = np.ones(tree.n_nodes, np.int64)
    for splits in reversed(tree.splits_by_level()):
        left = tree.split_left[splits]
        np.maximum.at(room, tree.split_node[splits], np.minimum(room[left] + room[left + 1], max_leaves))
    return room
