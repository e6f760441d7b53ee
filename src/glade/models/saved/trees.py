"""The stored form of trees: the columns of a `NodeTable`, and how many splits each of its trees has.

A tree of n splits has 2 n + 1 nodes, and so has a multi-tree, so nothing else says where a tree ends; which splits a
node has follows from which node a split has. Places are counted from each tree's own first. A file that passes holds
proper trees: every node but the root has one parent, which comes before it, so that every way down ends.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NOMINAL, Schema
from glade.data.targets import TargetSchema
from glade.ensemble.curve import ErrorCurve
from glade.ensemble.forest import Forest, choose_links
from glade.grow.node_table import NodeTable, SplitKind
from glade.grow.validation import AlphaChoice
from glade.losses.links import Link, Log
from glade.models.saved.parts import FilePart, require
from glade.models.saved.schemas import check_edges, check_inputs, check_sets, is_kind

MOST_SHARE = 1.0 + 1e-6  # of rows: with room for rounding
OF_NODES = {"depth": np.int32, "weight": np.float64, "rows": np.int64, "risk": np.float64}
OF_SPLITS = {
    "split_node": np.int32,
    "split_input": np.int32,
    "split_missing_left": np.bool_,
    "split_missing_seen": np.bool_,
    "split_gain": np.float64,
    "split_left": np.int32,
}


def store_trees(trees: NodeTable) -> dict[str, Any]:
    """The trees of a table."""
    n_splits = (np.diff(trees.roots, append=trees.n_nodes) - 1) // 2
    root = np.repeat(trees.roots.astype(np.int32), n_splits)
    columns = ("value", "split_kind", "split_cut", "categories", *OF_NODES, *OF_SPLITS)
    return {
        "n_splits": n_splits,
        "set_length": trees.set_end - trees.set_start,
        **{name: getattr(trees, name) for name in columns},
        "split_node": trees.split_node - root,
        "split_left": trees.split_left - root,
    }


def read_tree(part: FilePart, schema: Schema, targets: TargetSchema, many_splits: bool = False) -> NodeTable:
    """A single tree for these targets, whose values of classes are shares."""
    tree = read_trees(part, schema, int(targets.start[-1]), many_splits)
    require(tree.n_trees == 1, "a tree is not one tree")
    check_shares(tree, targets)
    return tree


def read_trees(part: FilePart, schema: Schema, n_channels: int, many_splits: bool = False) -> NodeTable:
    """The trees, whose splits fit the inputs; of a multi-tree a node may have many, which follow one another."""
    n_total = len(part.array("split_node", np.int32, None))
    n_splits = part.lengths("n_splits", None, n_total)
    n_nodes = 2 * n_splits + 1
    of_nodes = {name: part.array(name, kind, int(n_nodes.sum())) for name, kind in OF_NODES.items()}
    of_splits = {name: part.array(name, kind, n_total) for name, kind in OF_SPLITS.items()}
    of_splits["split_kind"], of_splits["split_cut"] = _read_kinds(part, n_total)
    categories = part.array("categories", np.int32, None)
    set_length = part.lengths("set_length", n_total, len(categories))
    parents = _check_shape(n_splits, of_splits["split_node"], of_splits["split_left"], of_nodes["depth"])
    if many_splits:
        require((np.diff(parents) >= 0).all(), "the splits of a node do not follow one another")
    else:
        require(len(np.unique(parents)) == len(parents), "a node is split twice")
    _check_splits(schema, of_splits, set_length, categories)
    _check_amounts(of_nodes, of_splits["split_gain"])
    set_end, roots = np.cumsum(set_length), np.cumsum(n_nodes) - n_nodes
    split = np.full(int(n_nodes.sum()), -1, np.int32)
    split[parents[::-1]] = np.arange(n_total - 1, -1, -1, dtype=np.int32)  # the first of several
    of_splits["split_node"] = parents.astype(np.int32)
    of_splits["split_left"] = of_splits["split_left"] + np.repeat(roots.astype(np.int32), n_splits)
    return NodeTable(
        split=split,
        value=part.numbers("value", int(n_nodes.sum()), n_channels),
        **of_nodes,
        **of_splits,
        set_start=set_end - set_length,
        set_end=set_end,
        categories=categories,
        roots=roots,
    )


def _read_kinds(part: FilePart, n_splits: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The kinds of the splits, and their cuts.

    Files of format 1 name no kinds: there a nominal split has NaN for a cut, and the test "is missing" infinity.
    """
    if "split_kind" in part:
        return part.array("split_kind", np.uint8, n_splits), part.numbers("split_cut", n_splits)
    cut, kind = part.array("split_cut", np.float64, n_splits), np.full(n_splits, SplitKind.NUMERIC, np.uint8)
    kind[np.isnan(cut)] = SplitKind.NOMINAL
    kind[cut == np.inf] = SplitKind.IS_MISSING
    return kind, np.where(kind == SplitKind.NUMERIC, cut, 0.0)


def _check_shape(
    n_splits: NDArray[np.int64], node: NDArray[np.int32], left: NDArray[np.int32], depth: NDArray[np.int32]
) -> NDArray[Any]:
    """Every node but a root has one parent, one level above it; the two children of a split follow it.

    Returns the node of each split, counted over all trees.
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
    inputs, cut, kind = columns["split_input"], columns["split_cut"], columns["split_kind"]
    check_inputs(schema, inputs)
    is_set, is_cut = is_kind(schema, inputs, NOMINAL), kind == SplitKind.NUMERIC
    is_known = is_cut | (kind == SplitKind.NOMINAL) | (kind == SplitKind.IS_MISSING)
    require((is_known & (is_set == (kind == SplitKind.NOMINAL))).all(), "a split is of the wrong kind")
    require((np.isfinite(cut) & (is_cut | (cut == 0.0))).all(), "a split has no cut, or one where there is none")
    check_edges(schema, inputs[is_cut], cut[is_cut])
    check_sets(schema, inputs, set_length, categories)
    require((set_length[is_set] > 0).all(), "a nominal split names no category")


def _check_amounts(of_nodes: dict[str, NDArray[Any]], gain: NDArray[np.float64]) -> None:
    weight = of_nodes["weight"]
    require(((weight > 0) & np.isfinite(weight)).all(), "a node has no weight")
    require((of_nodes["rows"] >= 0).all(), "a node has less than no rows")
    require(np.isfinite(of_nodes["risk"]).all() and np.isfinite(gain).all(), "a node's risk is no number")


def store_forest(forest: Forest) -> dict[str, Any]:
    """A forest without its packed nodes, which follow from the trees."""
    content = {"trees": store_trees(forest.nodes), "memory": float(forest.learning_rate), "start": forest.start}
    if forest.links == choose_links(forest.schema, forest.learning_rate):
        return content
    return {**content, "links": [link.name for link in forest.links]}


def read_forest(part: FilePart, schema: Schema, targets: TargetSchema) -> Forest:
    """A forest for these targets."""
    n_channels = int(targets.start[-1])
    learning_rate = part.value("memory", float)
    require(0.0 <= learning_rate <= 1.0, "a forest's learning rate is not between 0 and 1")
    trees, start = read_trees(part.part("trees"), schema, n_channels), part.numbers("start", n_channels)
    if learning_rate == 0:
        check_shares(trees, targets)
    with np.errstate(over="ignore"):
        of_trees = np.maximum.reduceat(np.abs(trees.value), trees.roots) if trees.n_trees else start
        most = np.abs(start) + np.atleast_2d(of_trees).sum(axis=0)
    require(np.isfinite(most).all(), "the values of trees add up to more than a number can be")
    return Forest.of([trees], targets, learning_rate, start, _read_links(part, targets, learning_rate))


def _read_links(part: FilePart, targets: TargetSchema, learning_rate: float) -> tuple[Link, ...]:
    """How sums of trees become values: of counts their logarithm is summed."""
    usual = choose_links(targets, learning_rate)
    if "links" not in part:
        return usual
    names = part.value("links", list)
    require(len(names) == len(usual), "a target has no link")
    links = []
    for name, own, classes in zip(names, usual, targets.classes, strict=True):
        is_log = name == Log.name and classes is None and learning_rate > 0
        require(is_log or name == own.name, "a target has a link that it cannot have")
        links.append(Log(1) if is_log else own)
    return tuple(links)


def check_shares(trees: NodeTable, targets: TargetSchema) -> None:
    """The values of classes are shares of rows."""
    is_class = np.repeat([classes is not None for classes in targets.classes], np.diff(targets.start))
    shares = trees.value[:, is_class]
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


def read_curve(part: FilePart, names: tuple[str, ...]) -> ErrorCurve:
    """Errors by the number of trees, for targets of these names; NaN where no row could judge."""
    error = part.array("error", np.float64, None)
    return ErrorCurve(error, part.array("per_target", np.float64, len(error), len(names)), names)


def store_choice(choice: AlphaChoice) -> dict[str, Any]:
    """How the price of a leaf was chosen."""
    columns = {name: getattr(choice, name) for name in ("alphas", "mean", "standard_error")}
    return {"alpha": float(choice.alpha), **columns}


def read_choice(part: FilePart) -> AlphaChoice:
    """How the price of a leaf was chosen."""
    alphas = part.numbers("alphas", None)
    mean, error = (part.array(name, np.float64, len(alphas)) for name in ("mean", "standard_error"))
    return AlphaChoice(part.value("alpha", float), alphas, mean, error)
