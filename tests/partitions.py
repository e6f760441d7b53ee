"""Two trees side by side, as nested sets of training rows: are they the same, and if not, was it a tie?"""

from dataclasses import dataclass

import numpy as np


@dataclass
class RowTree:
    """Each node's rows (ascending) and its two children, None for a leaf. The root is node 0."""

    rows: list
    children: list

    @property
    def leaves(self):
        """The rows of each leaf."""
        leaves, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            if self.children[node] is None:
                leaves.append(self.rows[node])
            else:
                waiting += self.children[node]
        return leaves


def _rows_of_nodes(decision_path):
    path = decision_path.tocsc()
    path.sort_indices()
    return np.split(path.indices, path.indptr[1:-1])


def of_glade(model, X):
    """A fitted glade tree and its training rows."""
    tree = model.tree_
    children = [None if s < 0 else (int(tree.split_left[s]), int(tree.split_left[s]) + 1) for s in tree.split]
    return RowTree(_rows_of_nodes(model.decision_path(X)), children)


def of_sklearn(model, X, criterion):
    """A fitted scikit-learn tree and its training rows.

    Its sums are not centred, so the impurity of equal values can come out just above zero and it divides them on: such
    pure nodes are leaves here.
    """
    tree, rows = model.tree_, _rows_of_nodes(model.decision_path(X))
    children = [
        None if left < 0 or (impurity < 1e-9 and criterion.is_pure(rows[k])) else (int(left), int(right))
        for k, (left, right, impurity) in enumerate(
            zip(tree.children_left, tree.children_right, tree.impurity / tree.impurity[0], strict=True)
        )
    ]
    return RowTree(rows, children)


def of_reference(root):
    """A tree of `tests.reference.tree`."""
    rows, children, waiting = [root.rows], [None], [(root, 0)]
    while waiting:
        node, k = waiting.pop()
        if node.parts:
            children[k] = (len(rows), len(rows) + 1)
            for part in node.parts:
                waiting.append((part, len(rows)))
                rows.append(part.rows)
                children.append(None)
    return RowTree(rows, children)


def _pair_children(a, b, i, j):
    """The children of node i of a and node j of b that hold the same rows, whichever is left; None if none do."""
    (a1, a2), (b1, b2) = a.children[i], b.children[j]
    if np.array_equal(a.rows[a1], b.rows[b1]):
        return (a1, b1), (a2, b2)
    if np.array_equal(a.rows[a1], b.rows[b2]):
        return (a1, b2), (a2, b1)
    return None


def _gain(tree, node, criterion):
    rows = tree.rows[node]
    return criterion.gain(rows, np.isin(rows, tree.rows[tree.children[node][0]]))


def _is_tie(gain, other, impurity):
    """Equal gains, to nine digits; the second term is the rounding of sums that are not centred (scikit-learn's)."""
    return abs(gain - other) <= 1e-9 * max(gain, other) + 1e-13 * impurity


def _describe(a, b, i, j, criterion):
    gains = [_gain(t, k, criterion) if t.children[k] is not None else None for t, k in ((a, i), (b, j))]
    return f"a node of {len(a.rows[i])} rows: gains {gains} of {criterion.sum(a.rows[i])}"


def count_ties(a, b, criterion):
    """The number of nodes at which two trees, grown without a limit on leaves, part because of equal gains.

    0: the trees are the same. Any other difference fails.
    """
    ties, waiting = 0, [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        if a.children[i] is None and b.children[j] is None:
            continue
        assert None not in (a.children[i], b.children[j]), "one stops at " + _describe(a, b, i, j, criterion)
        pairs = _pair_children(a, b, i, j)
        if pairs is not None:
            waiting += pairs
            continue
        tied = _is_tie(_gain(a, i, criterion), _gain(b, j, criterion), criterion.sum(a.rows[i]))
        assert tied, "different tests at " + _describe(a, b, i, j, criterion)
        ties += 1
    return ties


def count_ties_best_first(a, b, criterion):
    """`count_ties` for trees with limited leaves: 1 if they part at a tie, of two tests or of two nodes to expand next.

    Where no node has two different tests, each tree must have expanded the best node first, judged by what both trees
    together know: a node that it left a leaf, and the other one did not, was never clearly the best.
    """
    gains_a, gains_b, waiting, expanded_by_one = {}, {}, [(0, 0)], False
    while waiting:
        i, j = waiting.pop()
        gain = [_gain(t, k, criterion) for t, k in ((a, i), (b, j)) if t.children[k] is not None]
        if not gain:
            continue
        gains_a[i], gains_b[j] = gain[0], gain[-1]
        if len(gain) == 1:
            expanded_by_one = True
            continue
        pairs = _pair_children(a, b, i, j)
        if pairs is None:
            assert _is_tie(*gain, criterion.sum(a.rows[i])), "different tests at " + _describe(a, b, i, j, criterion)
            return 1
        waiting += pairs
    if not expanded_by_one:
        return 0
    assert len(a.leaves) == len(b.leaves)
    for tree, gains in ((a, gains_a), (b, gains_b)):
        _check_best_first(tree, gains, criterion)
    return 1


def _check_best_first(tree, gains, criterion):
    """Expand the tree again, always a node of the highest gain: one that the tree did expand, as long as there are any.

    `gains` knows those of the nodes that the other tree expanded; the others are looked up. Of equal nodes, those come
    last whose expansion shows a better node that the tree left alone.
    """

    def gain_of(node):
        if node not in gains:
            gains[node] = -1.0 if tree.children[node] is None else _gain(tree, node, criterion)
        return gains[node]

    def best_left_alone(node):
        return max((gain_of(child) for child in tree.children[node] if tree.children[child] is None), default=-1.0)

    frontier = [0]
    for _ in range(len(tree.leaves) - 1):
        highest = max(map(gain_of, frontier))
        tied = [node for node in frontier if _is_tie(highest, gain_of(node), criterion.sum(tree.rows[node]))]
        expanded = [node for node in tied if tree.children[node] is not None]
        assert expanded, f"a node of gain {highest} was passed over for a worse one"
        node = min(expanded, key=best_left_alone)
        frontier.remove(node)
        frontier += tree.children[node]
