"""The source's counts, 5,575 leaves and 4,377 subtrees, under other readings of how its tree is grown and pruned."""

import heapq

import numpy as np
from numpy.typing import NDArray

from glade.grow.node_table import NodeTable
from glade.models.tree import TreeRegressor
from studies.cart.cars import Cars

SAME_ALPHA = 9  # decimals of a logarithm


def explain_counts(cars: Cars, tree: TreeRegressor) -> str:
    """How many leaves and subtrees the full tree has if it is read otherwise."""
    X, y = cars
    leaf = tree.apply(X)
    order = np.argsort(leaf, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(leaf[order])) + 1)
    divisible = sum(np.ptp(y[rows]) == 0 and len(np.unique(X[rows], axis=0)) > 1 for rows in groups)
    printed, usual = (count_alphas(tree.tree_, X, y, plus) for plus in (1, -1))
    return (
        f"Of the counts of the full tree: without a test whether a node is pure it would have"
        f" {len(np.unique(X, axis=0)):,} leaves, with pure nodes divided once more {len(groups) + divisible:,}; ties"
        " between equally good splits change a few. By the printed denominator, leaves + 1, which the pruning cannot"
        f" mean (its alphas do not rise), {printed[0]:,} alphas differ, {printed[1]:,} by more than rounding; by leaves"
        f" - 1, {usual[0]:,} and {usual[1]:,}. None of these is the published number."
    )


def count_alphas(tree: NodeTable, X: NDArray[np.float64], y: NDArray[np.float64], plus: int) -> tuple[int, int]:
    """Cut the weakest link until nothing is left: how many alphas differ, and how many by more than rounding.

    A link is as weak as the error it takes away, over its leaves `plus` 1 or -1.
    """
    left = np.full(tree.n_nodes, -1)
    split = tree.split >= 0
    left[split] = tree.split_left[tree.split[split]]
    parent = np.full(tree.n_nodes, -1)
    parent[left[split]] = parent[left[split] + 1] = np.flatnonzero(split)
    order = _list_from_root(left)
    own, below, leaves = _sum_errors(tree, X, y, left, order)
    alive, version = split.copy(), np.zeros(tree.n_nodes, np.int64)

    def weigh(node: int) -> tuple[float, int, int]:
        return (own[node] - below[node]) / (leaves[node] + plus), node, int(version[node])

    heap = [weigh(node) for node in order if split[node]]
    heapq.heapify(heap)
    alphas = []
    while heap:
        alpha, node, seen = heapq.heappop(heap)
        if not alive[node] or seen != version[node]:
            continue
        alphas.append(alpha)
        inside = [node]
        while inside:
            here = inside.pop()
            if alive[here]:
                alive[here] = False
                inside += [left[here], left[here] + 1]
        fewer, more = leaves[node] - 1, own[node] - below[node]
        above = parent[node]
        while above >= 0:
            leaves[above] -= fewer
            below[above] += more
            version[above] += 1
            heapq.heappush(heap, weigh(above))
            above = parent[above]
        leaves[node], below[node] = 1, own[node]
    found = np.array(alphas)
    return len(np.unique(found)), len(np.unique(np.round(np.log(np.maximum(found, 1e-12)), SAME_ALPHA)))


def _list_from_root(left: NDArray[np.int64]) -> list[int]:
    """All nodes, each before its children."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if left[node] >= 0:
            waiting += [int(left[node]), int(left[node]) + 1]
    return order


def _sum_errors(
    tree: NodeTable, X: NDArray[np.float64], y: NDArray[np.float64], left: NDArray[np.int64], order: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Of each node the squared error as a leaf, the sum of its leaves' errors, and their number."""
    sums = np.zeros((3, tree.n_nodes))  # of ones, values and squares
    at, centred = tree.route(X), y - y.mean()
    for k, values in enumerate((np.ones(len(y)), centred, centred**2)):
        np.add.at(sums[k], at, values)
    below, leaves = np.zeros(tree.n_nodes), np.ones(tree.n_nodes)
    for node in reversed(order):
        child = left[node]
        if child >= 0:
            sums[:, node] = sums[:, child] + sums[:, child + 1]
            leaves[node] = leaves[child] + leaves[child + 1]
    own = sums[2] - sums[1] ** 2 / sums[0]
    for node in reversed(order):
        child = left[node]
        below[node] = own[node] if child < 0 else below[child] + below[child + 1]
    return own, below, leaves
