"""Stored trees to rules: the conditions on the way to a node, merged so that each input has one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NOMINAL, Schema
from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest
from glade.grow.node_table import NodeTable, SplitKind
from glade.rules.rule_set import Conditions, RuleSet

LEAVES, NODES, TREES = "leaves", "nodes", "trees"


def extract_rules(trees: Sequence[NodeTable], schema: Schema, targets: TargetSchema, rules_from: str) -> RuleSet:
    """Return a rule for each leaf, or for each node but the root, of each tree. A tree of one leaf has none.

    Parameters
    ----------
    trees
        Tables of one tree or many, grown on tables with this schema.
    schema, targets
        What the inputs and targets are.
    rules_from
        "leaves" or "nodes"; "trees" gives the leaves, too.
    """
    forest = NodeTable.stack(trees)
    root = forest.roots
    wanted = np.ones(forest.n_nodes, bool) if rules_from == NODES else forest.is_leaf.copy()
    wanted[root] = False
    nodes = np.flatnonzero(wanted)
    tree = np.searchsorted(root, nodes, side="right") - 1
    conditions, length = _merge_paths(forest, schema, nodes)
    return RuleSet(
        schema=schema,
        targets=targets,
        conditions=conditions,
        start=np.append(0, np.cumsum(length)),
        value=forest.value[nodes],
        rows=forest.weight[nodes],
        share=forest.weight[nodes] / forest.weight[root[tree]],
        tree=tree.astype(np.int32),
        node=(nodes - root[tree]).astype(np.int32),
    )


def extract_forest_rules(forests: Sequence[Forest], schema: Schema, targets: TargetSchema, rules_from: str) -> RuleSet:
    """The rules of all trees of forests, each for the next of the targets.

    A rule's value is NaN for the targets that its forest is not for. In a boosted forest it is what the node adds.
    """
    parts, n_trees, channel = [], 0, 0
    for forest in forests:
        rules = extract_rules([forest.nodes], schema, targets, rules_from)
        value = np.full((len(rules), int(targets.start[-1])), np.nan)
        value[:, channel : channel + rules.value.shape[1]] = rules.value * (forest.learning_rate or 1.0)
        parts.append(replace(rules, value=value, tree=rules.tree + np.int32(n_trees)))
        n_trees, channel = n_trees + forest.nodes.n_trees, channel + rules.value.shape[1]
    return RuleSet.join(parts)


def _merge_paths(tree: NodeTable, schema: Schema, nodes: NDArray[np.int64]) -> tuple[Conditions, NDArray[np.int64]]:
    """The merged conditions on the way to each of the nodes, and how many each has."""
    rule, split, is_left = _list_paths(tree, nodes)
    order = np.lexsort((tree.depth[tree.split_node[split]], tree.split_input[split], rule))
    rule, split, is_left = rule[order], split[order], is_left[order]  # a rule's splits on an input, from the root down
    inputs, depth = tree.split_input[split], tree.depth[tree.split_node[split]]
    first = np.flatnonzero(np.append(True, (np.diff(rule) != 0) | (np.diff(inputs) != 0))[: len(rule)])
    merged = merge_splits(tree, schema, split, is_left, first)
    reading_order = np.lexsort((depth[first], rule[first]))
    return merged.take(reading_order), np.bincount(rule[first], minlength=len(nodes)).astype(np.int64)


def _list_paths(
    tree: NodeTable, nodes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """For each split on the way to each of the nodes: the node's position, the split, and whether the way goes left."""
    split_above = np.full(tree.n_nodes, -1, np.int64)
    for side in (0, 1):
        split_above[tree.split_left + side] = np.arange(len(tree.split_left))
    rule, here = np.arange(len(nodes)), nodes
    paths = [(rule[:0], rule[:0], np.zeros(0, bool))]
    while len(here):
        split = split_above[here]
        rule, here, split = rule[split >= 0], here[split >= 0], split[split >= 0]
        paths.append((rule, split, here == tree.split_left[split]))
        here = tree.split_node[split].astype(np.int64)
    rules, splits, sides = zip(*paths, strict=True)
    return np.concatenate(rules), np.concatenate(splits), np.concatenate(sides)


def merge_splits(
    tree: NodeTable,
    schema: Schema,
    split: NDArray[np.int64],
    is_left: NDArray[np.bool_],
    first: NDArray[np.int64],
) -> Conditions:
    """One condition for each run of splits on the same input; runs start at `first`.

    A nominal split names categories of the side that a missing value does not take.
    """
    if len(first) == 0:
        empty = np.zeros(0)
        return Conditions(empty.astype(np.int32), empty, empty, empty.astype(bool), empty.astype(object))
    takes_missing = tree.split_missing_left[split] == is_left
    inputs = tree.split_input[split[first]]
    is_set = np.array([kind == NOMINAL for kind in schema.kinds])[inputs]
    is_cut = tree.is_kind(SplitKind.NUMERIC)[split]
    below = np.where(is_cut, tree.split_cut[split], np.inf)  # no value is above all: then the right side has none
    above = np.where(tree.is_kind(SplitKind.NOMINAL)[split] | is_left, -np.inf, below)
    return Conditions(
        input=inputs,
        low=np.maximum.reduceat(above, first),
        high=np.minimum.reduceat(np.where(is_left, below, np.inf), first),
        missing=np.logical_and.reduceat(takes_missing, first),
        categories=_intersect_sets(tree, schema, split, takes_missing, first, is_set),
    )


def _intersect_sets(
    tree: NodeTable,
    schema: Schema,
    split: NDArray[np.int64],
    takes_missing: NDArray[np.bool_],
    first: NDArray[np.int64],
    is_set: NDArray[np.bool_],
) -> NDArray[np.object_]:
    """The categories that all splits of a run let through, None where the input is not nominal.

    Sets are whole numbers with a bit for each category: many ways share their splits, and many rules a set.
    """
    named = cache(lambda i: sum(1 << c for c in tree.set_of(i).tolist()))
    list_bits = cache(lambda bits: tuple(c for c in range(bits.bit_length()) if bits >> c & 1))
    n_labels = [len(labels or ()) for labels in schema.labels]
    inputs, splits, is_outside = tree.split_input[split].tolist(), split.tolist(), takes_missing.tolist()
    ends = np.append(first[1:], len(split))
    categories = np.full(len(first), None, object)
    for k in np.flatnonzero(is_set).tolist():
        inside = (1 << n_labels[inputs[first[k]]]) - 1
        for i in range(first[k], ends[k]):
            inside &= ~named(splits[i]) if is_outside[i] else named(splits[i])
        categories[k] = list_bits(inside)
    return categories
