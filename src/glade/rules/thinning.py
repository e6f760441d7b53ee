"""Fewer candidates: which rules to let go where there are too many."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.grow.node_table import NodeTable
from glade.rules.rule_set import RuleSet

NONE = np.zeros(0, np.int64)


def thin(
    rules: RuleSet, trees: Sequence[NodeTable], room: int, n_rows: int, seed: int, needed: NDArray[np.int64] = NONE
) -> NDArray[np.int64]:
    """The places of at most `room` rules.

    With more rows than room, inner nodes go first, those of the trees with most leaves before others: a tree's leaves
    can express all that its inner nodes can, in half as many rules. What is still too many is drawn at random.

    Parameters
    ----------
    rules
        The candidates; `rules.tree` numbers the trees, `rules.node` their nodes.
    trees
        Those that the rules come from.
    room
        How many rules may stay.
    n_rows
        How many rows the table has. With fewer of them than room, rows are what limits a model.
    seed
        For the draw.
    needed
        The places of rules that stay in any case.
    """
    kept, is_needed = np.arange(len(rules)), np.zeros(len(rules), bool)
    is_needed[needed] = True
    if n_rows > room:
        inner = _order_inner_nodes(rules, trees)
        kept = np.delete(kept, inner[~is_needed[inner]][: max(0, len(rules) - room)])
    if len(kept) > room:
        others = kept[~is_needed[kept]]
        drawn = np.random.default_rng(seed).choice(others, max(0, room - len(needed)), replace=False)
        kept = np.sort(np.append(drawn, needed))
    return kept


def _order_inner_nodes(rules: RuleSet, trees: Sequence[NodeTable]) -> NDArray[Any]:
    """The places of rules that are not of leaves, those of large trees first."""
    first = np.cumsum([0, *(tree.n_nodes for tree in trees)])
    place = first[rules.tree] + rules.node
    n_given = max(0, int(place.max(initial=-1)) + 1 - int(first[-1]))  # rules of no tree, which are behind all nodes
    is_leaf = np.concatenate([*(tree.is_leaf for tree in trees), np.ones(n_given, bool)])[place]
    inner = np.flatnonzero(~is_leaf)
    size = np.array([tree.n_leaves for tree in trees])[rules.tree[inner]]
    return inner[np.argsort(-size, kind="stable")]
