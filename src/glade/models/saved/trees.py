"""The stored form of trees: the columns of all `NodeTable`s of a forest in a row, and how many splits each tree has.

A tree of n splits has 2 n + 1 nodes, and so has a multi-tree, so nothing else says where a tree ends; which splits a
node has follows from which node a split has. A file that passes holds proper trees: every node but the root has one
parent, which comes before it, so that every way down ends.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NOMINAL, Schema
from glade.data.targets import TargetSchema
from glade.ensemble.curve import ErrorCurve
from glade.ensemble.forest import Forest, TreeRow
from glade.grow.node_table import NodeTable
from glade.grow.validation import AlphaChoice
from glade.models.saved.parts import Part, join_arrays, require
from glade.models.saved.schemas import check_edges, check_inputs, check_sets, is_kind

MOST_SHARE = 1.0 + 1e-6  # of rows: with room for rounding
OF_NODES = {"depth": np.int32, "weight": np.float64, "rows": np.int64, "risk": np.float64}
OF_SPLITS = {
    "split_node": np.int32,
    "split_input": np.int32,
    "split_cut": np.float64,
    "split_missing_left": np.bool_,
    "split_missing_seen": np.bool_,
    "split_gain": np.float64,
    "split_left": np.int32,
}


def store_trees(trees: Sequence[NodeTable], n_channels: int) -> dict[str, Any]:
    """Trees whose values have so many channels."""
    columns = {**OF_NODES, **OF_SPLITS, "categories": np.int32}
    values = [tree.value for tree in trees]
    return {
        "n_splits": np.array([len(tree.split_node) for tree in trees], np.int64),
        "set_length": join_arrays([tree.set_end - tree.set_start for tree in trees], np.int64),
        "value": np.concatenate(values) if values else np.empty((0, n_channels)),
        **{name: join_arrays([getattr(t, name) for t in trees], kind) for name, kind in columns.items()},
    }


def read_tree(part: Part, schema: Schema, targets: TargetSchema, many_splits: bool = False) -> NodeTable:
    """A single tree for these targets, whose values of classes are shares."""
    found = read_trees(part, schema, int(targets.start[-1]), many_splits)
    require(len(found) == 1, "a tree is not one tree")
    check_shares(found, targets)
    return found[0]  # type: ignore[no-any-return]


def read_trees(part: Part, schema: Schema, n_channels: int, many_splits: bool = False) -> TreeRow:
    """The trees, whose splits fit the inputs; of a multi-tree a node may have many, which follow one another."""
    n_total = len(part.array("split_node", np.int32, None))
    n_splits = part.lengths("n_splits", None, n_total)
    n_nodes = 2 * n_splits + 1
    of_nodes = {name: part.array(name, kind, int(n_nodes.sum())) for name, kind in OF_NODES.items()}
    of_nodes["value"] = part.numbers("value", int(n_nodes.sum()), n_channels)
    of_splits = {name: part.array(name, kind, n_total) for name, kind in OF_SPLITS.items()}
    categories = part.array("categories", np.int32, None)
    set_length = part.lengths("set_length", n_total, len(categories))
    parents = _check_shape(n_splits, of_splits["split_node"], of_splits["split_left"], of_nodes["depth"])
    if many_splits:
        require((np.diff(parents) >= 0).all(), "the splits of a node do not follow one another")
    else:
        require(len(np.unique(parents)) == len(parents), "a node is split twice")
    _check_splits(schema, of_splits, set_length, categories)
    _check_amounts(of_nodes, of_splits["split_gain"])
    return TreeRow(n_splits, of_nodes, of_splits, set_length, categories)


def _check_shape(
    n_splits: NDArray[np.int64], node: NDArray[np.int32], left: NDArray[np.int32], depth: NDArray[np.int32]
) -> NDArray[Any]:
    """Every node but a root has one parent, one level above it; the two children of a split follow it.

    Gives the node of each split, counted over all trees.
    """
    n_nodes = 2 * n_splits + 1
    root = np.cumsum(n_nodes) - n_nodes
    first = np.repeat(root, n_splits)  # each split's tree starts here
    in_order = (node >= 0) & (node < left) & (left < np.repeat(n_nodes, n_splits) - 1)
    require(in_order.all(), "a node does not come after its parent")
    parents = first + node
    children = np.concatenate((first + left, first + left + 1))
    n_parents = np.bincount(children, minlength=len(depth))
    n_parents[root] += 1
    require((n_parents == 1).all(), "a node has several parents, or none")
    below = depth[children].astype(np.int64) - 1
    require((depth[root] == 0).all() and (below == np.tile(depth[parents], 2)).all(), "a node's depth is wrong")
    return parents


def _check_splits(
    schema: Schema, columns: dict[str, NDArray[Any]], set_length: NDArray[np.int64], categories: NDArray[np.int32]
) -> None:
    inputs, cut = columns["split_input"], columns["split_cut"]
    check_inputs(schema, inputs)
    is_set = is_kind(schema, inputs, NOMINAL)
    require((np.isnan(cut) == is_set).all() and (cut != -np.inf).all(), "a split has no cut, or is of the wrong kind")
    check_edges(schema, inputs, cut)
    check_sets(schema, inputs, set_length, categories)
    require((set_length[is_set] > 0).all(), "a nominal split names no category")


def _check_amounts(of_nodes: dict[str, NDArray[Any]], gain: NDArray[np.float64]) -> None:
    weight = of_nodes["weight"]
    require(((weight > 0) & np.isfinite(weight)).all(), "a node has no weight")
    require((of_nodes["rows"] >= 0).all(), "a node has less than no rows")
    require(np.isfinite(of_nodes["risk"]).all() and np.isfinite(gain).all(), "a node's risk is no number")


def store_forest(forest: Forest) -> dict[str, Any]:
    """A forest without its packed nodes, which follow from the trees."""
    trees = store_trees(forest.trees, len(forest.start))
    return {"trees": trees, "memory": float(forest.memory), "start": forest.start}


def read_forest(part: Part, schema: Schema, targets: TargetSchema) -> Forest:
    """A forest for these targets."""
    n_channels = int(targets.start[-1])
    memory = part.value("memory", float)
    require(0.0 <= memory <= 1.0, "a forest's memory is not between 0 and 1")
    trees, start = read_trees(part.part("trees"), schema, n_channels), part.numbers("start", n_channels)
    if memory == 0:
        check_shares(trees, targets)
    with np.errstate(over="ignore"):
        of_trees = np.maximum.reduceat(np.abs(trees.of_nodes["value"]), trees.node_start[:-1]) if len(trees) else start
        most = np.abs(start) + np.atleast_2d(of_trees).sum(axis=0)
    require(np.isfinite(most).all(), "the values of trees add up to more than a number can be")
    return Forest.of(trees, targets, memory, start)


def check_shares(trees: TreeRow, targets: TargetSchema) -> None:
    """The values of classes are shares of rows."""
    is_class = np.repeat([classes is not None for classes in targets.classes], np.diff(targets.start))
    shares = trees.of_nodes["value"][:, is_class]
    require(((shares >= 0) & (shares <= MOST_SHARE)).all(), "a share of a class is not between 0 and 1")


def check_fusion(tree: NodeTable) -> None:
    """What the leaves of a multi-tree say can be added up, and its splits can count by what they gain."""
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(np.abs(tree.value).sum(axis=0)).all() and np.isfinite(tree.split_gain.sum())
    require(is_finite, "the values of leaves add up to more than a number can be")
    require((tree.split_gain >= 0).all(), "a split gains less than nothing")


def store_curve(curve: ErrorCurve) -> dict[str, Any]:
    """Errors by the number of trees."""
    return {"error": curve.error, "per_target": curve.per_target}


def read_curve(part: Part, names: tuple[str, ...]) -> ErrorCurve:
    """Errors by the number of trees, for targets of these names; NaN where no row could judge."""
    error = part.array("error", np.float64, None)
    return ErrorCurve(error, part.array("per_target", np.float64, len(error), len(names)), names)


def store_choice(choice: AlphaChoice) -> dict[str, Any]:
    """How the price of a leaf was chosen."""
    columns = {name: getattr(choice, name) for name in ("alphas", "mean", "standard_error")}
    return {"alpha": float(choice.alpha), **columns}


def read_choice(part: Part) -> AlphaChoice:
    """How the price of a leaf was chosen."""
    alphas = part.numbers("alphas", None)
    mean, error = (part.array(name, np.float64, len(alphas)) for name in ("mean", "standard_error"))
    return AlphaChoice(part.value("alpha", float), alphas, mean, error)
