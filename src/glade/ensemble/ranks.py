"""The best steps of nodes for losses that go by the order of the targets: a quantile of the residuals in each node."""

import numpy as np
from numpy.typing import NDArray


def find_node_quantiles(
    nodes: NDArray[np.void],
    leaves: NDArray[np.integer],
    residual: NDArray[np.float64],
    weights: NDArray[np.float64],
    level: float,
) -> NDArray[np.float64]:
    """For each node of a tree the least residual up to which so much of the weight of its rows lies; 0 without rows.

    Parameters
    ----------
    nodes
        Of `layout.NODE`.
    leaves, residual, weights
        Of each row.
    level
        The share.
    """
    parent = np.full(len(nodes), -1)
    divided = np.flatnonzero(nodes["left"] >= 0)
    for child in (0, 1):
        parent[nodes["left"][divided] + child] = divided
    found, node, depth = np.zeros(len(nodes)), leaves.astype(np.int64), nodes["depth"].astype(np.int64)
    order = np.argsort(residual, kind="stable")
    node, residual, weights = node[order], residual[order], weights[order]
    for d in range(int(depth.max(initial=0)), -1, -1):  # rows go up to the root, a level at a time
        here = np.flatnonzero(depth[node] == d)
        by_node = here[np.argsort(node[here], kind="stable")]
        own, first = np.unique(node[by_node], return_index=True)
        total = np.cumsum(weights[by_node])
        before = np.where(first > 0, total[first - 1], 0.0)
        last = np.append(first[1:], len(by_node)) - 1
        wanted = before + level * (total[last] - before)
        found[own] = residual[by_node[np.clip(np.searchsorted(total, wanted), first, last)]]
        node[here] = parent[node[here]] if d else node[here]
    return found
