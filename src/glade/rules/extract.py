"""Stored trees to rules: the conditions on the way to a node, merged so that each input has one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NOMINAL, Schema
from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest
from glade.grow.node_table import NodeTable
from glade.rules.rule_set import Conditions, RuleSet

LEAVES, NODES = "leaves", "nodes"


def extract_rules(trees: Sequence[NodeTable], schema: Schema, targets: TargetSchema, rules_from: str) -> RuleSet:
    """A rule for each leaf, or for each node but the root, of each tree. A tree of one leaf gives none.

    Parameters
    ----------
    trees
        Grown on tables with this schema.
    schema, targets
        What the inputs and targets are.
    rules_from
        "leaves" or "nodes".
    """
    parts = [_extract(tree, schema, rules_from) for tree in trees]
    nodes = [np.flatnonzero(_is_wanted(tree, rules_from)) for tree in trees]
    lengths = np.concatenate([np.zeros(1, np.int64), *(length for _, length in parts)])
    shares = [tree.weight[n] / tree.weight[0] for tree, n in zip(trees, nodes, strict=True)]
    return RuleSet(
        schema=schema,
        targets=targets,
        conditions=Conditions.join([conditions for conditions, _ in parts]),
        start=np.cumsum(lengths),
        value=np.concatenate([tree.value[n] for tree, n in zip(trees, nodes, strict=True)]),
        rows=np.concatenate([tree.weight[n] for tree, n in zip(trees, nodes, strict=True)]),
        share=np.concatenate(shares),
        tree=np.repeat(np.arange(len(trees), dtype=np.int32), [len(n) for n in nodes]),
        node=np.concatenate(nodes).astype(np.int32),
    )


def extract_forest_rules(forests: Sequence[Forest], schema: Schema, targets: TargetSchema, rules_from: str) -> RuleSet:
    """The rules of all trees of forests, each for the next of the targets.

    A rule's value is NaN for the targets that its forest is not for. In a forest with memory it is what the node adds.
    """
    parts, n_trees, channel = [], 0, 0
    for forest in forests:
        rules = extract_rules(forest.trees, schema, targets, rules_from)
        value = np.full((len(rules), int(targets.start[-1])), np.nan)
        value[:, channel : channel + rules.value.shape[1]] = rules.value * (forest.memory or 1.0)
        parts.append(replace(rules, value=value, tree=rules.tree + np.int32(n_trees)))
        n_trees, channel = n_trees + len(forest.trees), channel + rules.value.shape[1]
    return RuleSet.join(parts)


def _is_wanted(tree: NodeTable, rules_from: str) -> NDArray[np.bool_]:
    wanted = tree.is_leaf if rules_from == LEAVES else np.ones(tree.n_nodes, bool)
    return wanted & (np.arange(tree.n_nodes) > 0)


def _extract(tree: NodeTable, schema: Schema, rules_from: str) -> tuple[Conditions, NDArray[np.int64]]:
    """The merged conditions of a tree's rules, and how many each rule has."""
    nodes = np.flatnonzero(_is_wanted(tree, rules_from))
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
        paths.append((rule, split, here == tree.split_left[split]))
        here = tree.split_node[split].astype(np.int64)
        rule, here = rule[here > 0], here[here > 0]
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
    cut, takes_missing = tree.split_cut[split], tree.split_missing_left[split] == is_left
    inputs = tree.split_input[split[first]]
    is_interval = ~np.isnan(cut)
    categories = np.full(len(first), None, object)
    ends = np.append(first[1:], len(split))
    for k in np.flatnonzero([schema.kinds[j] == NOMINAL for j in inputs]):
        inside = np.ones(len(schema.labels[inputs[k]] or ()), bool)
        for i in range(first[k], ends[k]):
            named = np.zeros(len(inside), bool)
            named[tree.set_of(split[i])] = True
            inside &= named != takes_missing[i]
        categories[k] = tuple(np.flatnonzero(inside).tolist())
    is_set = np.array([c is not None for c in categories])
    low = np.maximum.reduceat(np.where(is_interval & ~is_left, cut, -np.inf), first)
    high = np.minimum.reduceat(np.where(is_interval & is_left, cut, np.inf), first)
    return Conditions(
        input=inputs,
        low=np.where(is_set, -np.inf, low),
        high=np.where(is_set, np.inf, high),
        missing=np.logical_and.reduceat(takes_missing, first),
        categories=categories,
    )
