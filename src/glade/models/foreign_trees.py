"""Fitted trees of scikit-learn, XGBoost and LightGBM, read as plain arrays; none of these libraries is imported.

Each tree tests whether a number is at most a cut. Libraries that round numbers to float32 first have cuts that say the
same of the numbers as they are.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError

LEAF = -1
BOUNDLESS = 1e300  # a cut of LightGBM that no number is above
NEXT_TO_ZERO = float(np.float32(1e-35))  # numbers no larger than this are zero for LightGBM


class ForeignTree(NamedTuple):
    """One tree: for each node the places of its children (-1 for a leaf), its input, its cut, where missing goes."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    input: NDArray[np.int64]
    cut: NDArray[np.float64]  # infinity: every number goes left
    missing_left: NDArray[np.bool_]


def is_foreign(model: Any) -> bool:
    """Whether a model is of a library whose trees are read here."""
    return _find_reader(model) is not None


def read_trees(model: Any) -> list[ForeignTree]:
    """Return the trees of a fitted model.

    Parameters
    ----------
    model
        A tree or a forest of scikit-learn, XGBoost or LightGBM.
    """
    reader = _find_reader(model)
    if reader is None:
        raise InputError(
            f"a {type(model).__name__} has no trees that glade can read: give a fitted tree or forest of scikit-learn,"
            " XGBoost or LightGBM"
        )
    return reader(model)


def _find_reader(model: Any) -> Callable[[Any], list[ForeignTree]] | None:
    library = type(model).__module__.partition(".")[0]
    if library == "sklearn":
        is_histogram = type(model).__name__.startswith("HistGradientBoosting")
        has_trees = is_histogram or hasattr(model, "tree_") or hasattr(model, "estimators_")
        return (_read_histogram if is_histogram else _read_sklearn) if has_trees else None
    return {"xgboost": _read_xgboost, "lightgbm": _read_lightgbm}.get(library)


def at_most(edge: NDArray[np.float32]) -> NDArray[np.float64]:
    """The largest numbers that float32 rounds to these or to less.

    >>> cut = at_most(np.array([0.1], np.float32))
    >>> bool(np.float32(cut[0]) == np.float32(0.1)), bool(np.float32(np.nextafter(cut[0], 1)) > np.float32(0.1))
    (True, True)
    """
    following = np.nextafter(edge, np.float32(np.inf))
    middle = (edge.astype(float) + following.astype(float)) / 2
    is_even = edge.view(np.int32) % 2 == 0  # halves are rounded to the even one
    return np.where(is_even, middle, np.nextafter(middle, -np.inf))


def _read_sklearn(model: Any) -> list[ForeignTree]:
    """Trees, forests, boosted trees and bags of trees: they compare float32 numbers with float64 cuts."""
    if hasattr(model, "tree_"):
        return [_read_sklearn_tree(model.tree_)]
    trees: list[ForeignTree] = []
    of_inputs = getattr(model, "estimators_features_", None)
    for k, part in enumerate(np.ravel(np.array(model.estimators_, dtype=object))):
        own = _read_sklearn(part) if is_foreign(part) else []
        if not own:
            raise InputError(f"a {type(model).__name__} of {type(part).__name__} has parts that are no trees")
        inputs = None if of_inputs is None else np.asarray(of_inputs[k])
        trees += own if inputs is None else [tree._replace(input=inputs[np.maximum(tree.input, 0)]) for tree in own]
    return trees


def _read_sklearn_tree(tree: Any) -> ForeignTree:
    rounded = tree.threshold.astype(np.float32)
    below = np.where(rounded > tree.threshold, np.nextafter(rounded, np.float32(-np.inf)), rounded)
    missing_left = np.asarray(getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))).astype(bool)
    left, right = (np.asarray(own, np.int64) for own in (tree.children_left, tree.children_right))
    return ForeignTree(left, right, np.asarray(tree.feature, np.int64), at_most(below), missing_left)


def _read_histogram(model: Any) -> list[ForeignTree]:
    """HistGradientBoosting compares the numbers as they are."""
    trees = []
    for predictor in (own for step in model._predictors for own in step):
        nodes = predictor.nodes
        if nodes["is_categorical"].any():
            raise InputError("the model has splits on categories, which glade cannot read: fit it to numbers")
        is_leaf = nodes["is_leaf"].astype(bool)
        left, right = (np.where(is_leaf, LEAF, nodes[name].astype(np.int64)) for name in ("left", "right"))
        inputs, cut = nodes["feature_idx"].astype(np.int64), nodes["num_threshold"].astype(float)
        trees.append(ForeignTree(left, right, inputs, cut, nodes["missing_go_to_left"].astype(bool)))
    return trees


def _read_xgboost(model: Any) -> list[ForeignTree]:
    """XGBoost asks whether a float32 number is less than a float32 cut."""
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    learner = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]
    learner = learner.get("gbtree", learner)
    if "model" not in learner:
        raise InputError("a linear booster has no trees: fit one with booster='gbtree'")
    trees = []
    for own in learner["model"]["trees"]:
        if any(own.get("split_type", [])):
            raise InputError("the model has splits on categories, which glade cannot read: fit it to numbers")
        left, right, inputs = (
            np.array(own[name], np.int64) for name in ("left_children", "right_children", "split_indices")
        )
        edges = np.array(own["split_conditions"], np.float32)
        cut = at_most(np.nextafter(edges, np.float32(-np.inf)))
        trees.append(ForeignTree(left, right, inputs, cut, np.array(own["default_left"], bool)))
    return trees


def _read_lightgbm(model: Any) -> list[ForeignTree]:
    """LightGBM compares the numbers as they are; where it saw no gaps, a missing value is a zero."""
    booster = getattr(model, "booster_", model)
    return [_read_lightgbm_tree(own["tree_structure"]) for own in booster.dump_model()["tree_info"]]


def _read_lightgbm_tree(root: dict[str, Any]) -> ForeignTree:
    nodes, rows = [root], list[tuple[int, int, int, float, bool]]()
    for node in nodes:  # which grows
        if "split_feature" not in node:
            rows.append((LEAF, LEAF, 0, 0.0, False))
            continue
        if node["decision_type"] != "<=":
            raise InputError("the model has splits on categories, which glade cannot read: fit it to numbers")
        if node["missing_type"] == "Zero":
            raise InputError("the model takes zeros for missing values: fit it with zero_as_missing=False")
        cut = _correct_cut(float(node["threshold"]))
        missing_left = bool(node["default_left"]) if node["missing_type"] == "NaN" else cut >= 0.0
        rows.append((len(nodes), len(nodes) + 1, int(node["split_feature"]), cut, missing_left))
        nodes += [node["left_child"], node["right_child"]]
    left, right, inputs, cuts, missing = (np.array(own) for own in zip(*rows, strict=True))
    return ForeignTree(left, right, inputs, cuts, missing)


def _correct_cut(cut: float) -> float:
    """A cut of LightGBM, which takes numbers next to zero for zero, and huge cuts for ones that no number is above."""
    if -NEXT_TO_ZERO <= cut < NEXT_TO_ZERO:
        return NEXT_TO_ZERO if cut >= 0 else float(np.nextafter(-NEXT_TO_ZERO, -1))
    return cut if cut < BOUNDLESS else np.inf


def order_nodes(tree: ForeignTree) -> list[int]:
    """The nodes, parents first, the two children of a node side by side.

    Parameters
    ----------
    tree
        In which nodes have any order.
    """
    order: list[int] = [0]
    for node in order:  # which grows
        if tree.left[node] != LEAF:
            order += [int(tree.left[node]), int(tree.right[node])]
    return order


def count_inputs(trees: Sequence[ForeignTree]) -> int:
    """The number of inputs that trees need at least.

    Parameters
    ----------
    trees
        Of one model.
    """
    return 1 + max((int(tree.input[tree.left != LEAF].max(initial=-1)) for tree in trees), default=-1)
