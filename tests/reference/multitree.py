"""The multi-tree's twin: every one of its trees written out, and the source's procedures by recursion.

A tree is a leaf's node number, or (split, left tree, right tree).
"""

import itertools

import numpy as np

from tests.reference.forest import goes_left


class Slow:
    """A stored multi-tree, read split by split.

    Parameters
    ----------
    nodes
        Its `NodeTable`.
    schema
        Its targets.
    """

    def __init__(self, nodes, schema):
        self.nodes, self.schema = nodes, schema

    def splits_of(self, node):
        return np.flatnonzero(self.nodes.split_node == node)

    def branches(self, s):
        return int(self.nodes.split_left[s]), int(self.nodes.split_left[s]) + 1

    def side(self, s, x):
        """The branch that a row takes."""
        return self.branches(s)[0 if goes_left(self.nodes, s, x) else 1]

    def solutions(self, node=0):
        """All trees below a node."""
        if len(self.splits_of(node)) == 0:
            yield node
        for s in self.splits_of(node):
            left, right = self.branches(s)
            for pair in itertools.product(self.solutions(left), self.solutions(right)):
                yield (int(s), *pair)

    def leaf_of(self, tree, x):
        while not isinstance(tree, int):
            s, left, right = tree
            tree = left if self.side(s, x) == self.branches(s)[0] else right
        return tree

    def local_weight(self, tree, share):
        """The product of the shares of all splits of a tree: what fusing at every node gives the tree."""
        if isinstance(tree, int):
            return 1.0
        s, left, right = tree
        return share[s] * self.local_weight(left, share) * self.local_weight(right, share)

    def fuse(self, x, join, leaf_value, node=0):
        """Values from the leaves up: `join` puts the list of a node's splits' values together."""
        splits = self.splits_of(node)
        if len(splits) == 0:
            return leaf_value(node)
        return join(splits, [self.fuse(x, join, leaf_value, self.side(s, x)) for s in splits])

    def leaves(self, tree):
        return 1 if isinstance(tree, int) else self.leaves(tree[1]) + self.leaves(tree[2])

    def archetype(self, node, rows, similarity):
        """The source's procedure: (tree, what it says of the rows that come to the node, leaf by leaf).

        `similarity(rows, leaves)` gives (similarity, agreement) of saying `leaves[i]` of row rows[i][0].
        """
        if len(self.splits_of(node)) == 0:
            return node, [node] * len(rows)
        best = None
        for s in self.splits_of(node):
            left, right = self.branches(s)
            goes_left = np.array([self.side(s, x) == left for _, x in rows], bool)
            parts = [
                self.archetype(branch, [row for row, own in zip(rows, mine, strict=True) if own], similarity)
                for branch, mine in ((left, goes_left), (right, ~goes_left))
            ]
            predicted = np.empty(len(rows), int)
            predicted[goes_left], predicted[~goes_left] = parts[0][1], parts[1][1]
            tree = (int(s), parts[0][0], parts[1][0])
            key = (*(round(v, 10) for v in similarity([i for i, _ in rows], predicted)), -self.leaves(tree))
            if best is None or key > best[0]:
                best = (key, tree, predicted.tolist())
        return best[1], best[2]

    def cut_back(self, tree, node=0):
        """A tree and all that can be made of it by making leaves of its nodes."""
        yield node
        if not isinstance(tree, int):
            s, left, right = tree
            a, b = self.branches(s)
            for pair in itertools.product(self.cut_back(left, a), self.cut_back(right, b)):
                yield (s, *pair)


def theta(matrix):
    return np.trace(matrix) / matrix.sum()


def kappa(matrix):
    """Agreement beyond chance; the source's (theta - theta2) / (theta - 1) is a misprint."""
    by_chance = np.sum(matrix.sum(axis=0) * matrix.sum(axis=1)) / matrix.sum() ** 2
    if by_chance > 1 - 1e-12:
        return 1.0 if theta(matrix) > 1 - 1e-12 else 0.0
    return (theta(matrix) - by_chance) / (1 - by_chance)


def q(matrix):
    """By exact whole numbers."""
    agree = differ = 1
    for i, j in np.ndindex(matrix.shape):
        if i == j:
            agree *= int(matrix[i, j])
        else:
            differ *= int(matrix[i, j])
    return (agree - differ) / (agree + differ) if agree + differ else 0.0


SIMILARITIES = {"theta": theta, "kappa": kappa, "q": q}


def contingency(one, other, n_classes):
    """How often one labelling says i where the other says j."""
    matrix = np.zeros((n_classes, n_classes))
    np.add.at(matrix, (one, other), 1)
    return matrix
