"""How much each input did for each target in a tree."""

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.nansum(np.where(shares > 0, shares * np.log2(shares), 0.0), axis=1)


def target_units(value: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
    """For each target its largest absolute value: squares of huge values must not overflow."""
    largest = [np.abs(value[:, targets.channels_of(t)]).max(initial=0.0) for t in range(targets.n_targets)]
    return np.array([unit or 1.0 for unit in largest])


def target_gains(
    tree: NodeTable,
    targets: TargetSchema,
    n_inputs: int,
    entropy: bool,
    units: NDArray[np.float64],
    weights: NDArray[np.float64] | float = 1.0,
) -> NDArray[np.float64]:
    """Inputs x targets: the impurity that splits on the input took from a target, in squares of these units.

    Splits count by their weights.
    """
    parent, left = tree.split_node, tree.split_left
    w_left, w_right = tree.weight[left], tree.weight[left + 1]
    importance = np.zeros((n_inputs, targets.n_targets))
    for t, classes in enumerate(targets.classes):
        value = tree.value[:, targets.channels_of(t)]
        if classes is not None and entropy:
            bits = _entropy(value) * tree.weight
            gain = np.maximum(bits[parent] - bits[left] - bits[left + 1], 0.0)
        else:
            square = np.sum(((value[left] - value[left + 1]) / units[t]) ** 2, axis=1)
            gain = square * w_left * w_right / tree.weight[parent]
        importance[:, t] = np.bincount(tree.split_input, gain * weights, n_inputs)
    return importance


def to_shares(importance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns that add up to 1; one of zeros stays so."""
    total = importance.sum(axis=0)
    return np.divide(importance, total, out=np.zeros_like(importance), where=total > 0)


def share_importance(tree: NodeTable, targets: TargetSchema, n_inputs: int, entropy: bool) -> NDArray[np.float64]:
    """Inputs x targets: the share of the impurity the tree took from a target that splits on the input took.

    A column of zeros where the tree says nothing of a target.
    """
    return to_shares(target_gains(tree, targets, n_inputs, entropy, target_units(tree.value, targets)))
