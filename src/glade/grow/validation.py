"""The error of every pruned subtree on rows that did not grow the tree, and the choice of one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable
from glade.grow.pruning import Prunable


@dataclass(frozen=True)
class ValidationRows:
    """Rows to judge by: encoded inputs, target values (numbers or class positions, NaN unknown), weights."""

    matrix: NDArray[np.float64]
    targets: list[NDArray[np.float64]]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class AlphaChoice:
    """The cross-validated errors along the pruning path, and the alpha chosen from them."""

    alpha: float
    alphas: NDArray[np.float64]
    mean: NDArray[np.float64]
    standard_error: NDArray[np.float64]


def _node_losses(
    tree: NodeTable,
    leaves: NDArray[np.int32],
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    value: NDArray[np.float64],
    spread: float | None,
) -> NDArray[np.float64]:
    """For each node, the loss of its rows if it were a leaf: squared error over variance, or weight of wrong classes.

    A class position outside the known ones (a class unseen in training) is always wrong.
    """
    n = tree.n_nodes
    if spread is not None:
        origin, unit = value[0, 0], spread or 1.0
        z, v = (y - origin) / unit, (value[:, 0] - origin) / unit
        powers = [np.bincount(leaves, weights * z**k, n).astype(float) for k in range(3)]
        sums = tree.sum_up(np.stack(powers, axis=1))
        return np.maximum(sums[:, 2] - 2 * v * sums[:, 1] + v * v * sums[:, 0], 0.0)
    n_classes = value.shape[1]
    seen = (y >= 0) & (y < n_classes)
    flat = leaves[seen].astype(np.int64) * n_classes + y[seen].astype(np.int64)
    counts = np.bincount(flat, weights[seen], n * n_classes).astype(float).reshape(n, n_classes)
    whole = np.bincount(leaves, weights, n).astype(float)
    return tree.sum_up(whole) - tree.sum_up(counts)[np.arange(n), value.argmax(axis=1)]


def validation_losses(
    prunable: Prunable,
    alphas: NDArray[np.float64],
    rows: ValidationRows,
    schema: TargetSchema,
    spread: NDArray[np.float64],
    target_weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """For each alpha (ascending) the mean loss of the tree pruned there, averaged over targets."""
    tree = prunable.tree
    leaves = tree.route(rows.matrix)
    at = alphas * (1 + 1e-11)
    total = np.zeros(len(alphas))
    for t, y in enumerate(rows.targets):
        known = ~np.isnan(y)
        weight = rows.weights[known].sum()
        if weight == 0 or target_weights[t] == 0:
            continue
        of_nodes = _node_losses(
            tree, leaves[known], y[known], rows.weights[known], tree.value[:, schema.channels_of(t)],
            float(spread[t]) if schema.classes[t] is None else None,
        )  # fmt: skip
        total += target_weights[t] * prunable.sum_over_leaves(of_nodes, at) / weight
    return total / target_weights.sum()


def choose_alpha(alphas: NDArray[np.float64], losses: NDArray[np.float64], rule: str) -> AlphaChoice:
    """From folds x alphas: the alpha of least mean loss, or the largest within one standard error of it ("1se")."""
    mean = losses.mean(axis=0)
    error = losses.std(axis=0, ddof=1) / np.sqrt(len(losses)) if len(losses) > 1 else np.zeros(len(mean))
    best = int(np.flatnonzero(mean <= mean.min() * (1 + 1e-12))[-1])
    if rule == "1se":
        best = int(np.flatnonzero(mean <= mean[best] + error[best])[-1])
    return AlphaChoice(float(alphas[best]), alphas, mean, error)
