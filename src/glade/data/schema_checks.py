"""Checks of stored trees and rules against what a model knows of its inputs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import require
from glade.data.table import NOMINAL, ORDINAL, Schema


def count_labels(schema: Schema) -> NDArray[np.int64]:
    """Per input; none for a numeric one."""
    return np.array([len(labels or ()) for labels in schema.labels], np.int64)


def check_inputs(schema: Schema, inputs: NDArray[Any]) -> None:
    """Each is the number of an input."""
    require(((inputs >= 0) & (inputs < len(schema.names))).all(), "an input is named that there is not")


def is_kind(schema: Schema, inputs: NDArray[Any], kind: str) -> NDArray[np.bool_]:
    """Which of these inputs are of a kind."""
    return np.array([own == kind for own in schema.kinds])[inputs]


def check_edges(schema: Schema, inputs: NDArray[Any], edges: NDArray[np.float64]) -> None:
    """Where conditions cut these inputs: for an ordinal one, at one of its labels, or nowhere (infinity)."""
    ordinal = is_kind(schema, inputs, ORDINAL) & np.isfinite(edges)
    in_range = (edges >= 0) & (edges < count_labels(schema)[inputs])
    require(in_range[ordinal].all(), "an ordinal input is cut outside its labels")


def check_sets(schema: Schema, inputs: NDArray[Any], length: NDArray[np.int64], categories: NDArray[np.int32]) -> None:
    """Sets of so many categories of these inputs, one after another: codes of labels there are, ascending."""
    require((length[~is_kind(schema, inputs, NOMINAL)] == 0).all(), "an input that is not nominal has categories")
    limit = np.repeat(count_labels(schema)[inputs], length)
    require(((categories >= 0) & (categories < limit)).all(), "a category is named that there is not")
    starts_set = np.zeros(len(categories) + 1, bool)
    starts_set[np.cumsum(length) - length] = True
    ascends = np.diff(categories, prepend=-1) > 0
    require((ascends | starts_set[:-1]).all(), "categories do not ascend")
