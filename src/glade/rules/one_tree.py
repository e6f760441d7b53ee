"""One tree as small models that are ready made: the rules of its leaves at the sizes it had while it grew."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glade.grow.node_table import NodeTable
from glade.rules.rule_set import RuleSet

Terms = NDArray[np.int64]


def find_supports(
    rules: RuleSet, term_of: Terms, trees: Sequence[NodeTable], sizes: Sequence[int]
) -> tuple[Terms, ...]:
    """The small models of the last tree that has some of these rules.

    Parameters
    ----------
    rules
        Of trees that were grown best split first.
    term_of
        Of each rule: the term that covers the same rows, -1 for none.
    trees
        That the rules come from, by number.
    sizes
        Numbers of terms, ascending.
    """
    if len(rules) == 0:
        return ()
    tree, own = trees[rules.tree[-1]], rules.tree == rules.tree[-1]
    of_node = np.full(tree.n_nodes, -1)
    of_node[rules.node[own]] = term_of[own]
    return tuple(list_supports(tree, of_node, sizes))


def list_supports(tree: NodeTable, term_of: Terms, sizes: Sequence[int]) -> list[Terms]:
    """For each size, as far as the tree has split so often: its leaves of then as terms, without the largest leaf.

    What the largest would say is the offset. The children of a split are stored when it is made, so their places tell
    the order of splits.

    Parameters
    ----------
    tree
        Grown best split first.
    term_of
        Of each node: the term that covers the same rows, -1 for none.
    sizes
        Numbers of terms, ascending.
    """
    leaves, supports = {0}, []
    for n_splits, split in enumerate(np.argsort(tree.split_left).tolist(), 1):
        left = int(tree.split_left[split])
        leaves = leaves - {int(tree.split_node[split])} | {left, left + 1}
        if n_splits in sizes:
            terms = term_of[sorted(leaves - {max(leaves, key=lambda node: tree.weight[node])})]
            supports.append(np.unique(terms[terms >= 0]))
    return supports
