"""What the source's first trees would be if they were grown otherwise: a plain C4.5 tree in three readings.

Of nominal inputs only, with one branch for each value; slow and obvious, since it is to tell what the printed
accuracies leave open.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from studies.archetype.published import OF_FIRST
from studies.archetype.runs import SETS
from studies.figures import Table

Codes = NDArray[np.int64]


class Reading(NamedTuple):
    """How a tree is grown, and what it says where a node has not seen the value of a row."""

    words: str
    among_average: bool = False  # C4.5: only inputs that gain at least as much as the average input
    two_of_two: bool = False  # C4.5: at least two branches have two rows
    unseen_is_wrong: bool = False


READINGS = (
    Reading("gain ratio alone"),
    Reading("inputs of at least average gain", among_average=True),
    Reading("two branches of two rows", two_of_two=True),
    Reading("a value not seen at a node is an error", unseen_is_wrong=True),
)
ERROR = -1


class Node:
    """A node with the classes of its rows, and a child for each value of an input if it is split."""

    def __init__(self, classes: NDArray[np.float64]):
        self.classes = classes
        self.input = -1
        self.children: dict[int, Node] = {}

    def predict(self, row: Codes, reading: Reading) -> int:
        """The class of a row."""
        child = self.children.get(int(row[self.input])) if self.children else None
        if child is not None:
            return child.predict(row, reading)
        return ERROR if self.children and reading.unseen_is_wrong else int(self.classes.argmax())


def grow(X: Codes, y: Codes, inputs: list[int], n_classes: int, reading: Reading) -> Node:
    """A tree on inputs and classes as codes; an input is used once on each way from the root."""
    node = Node(np.bincount(y, minlength=n_classes).astype(float))
    tried = [(j, *_judge(X[:, j], y, n_classes)) for j in inputs if _can_split(X[:, j], reading)]
    if np.count_nonzero(node.classes) < 2 or not tried or max(gain for _, gain, _ in tried) <= 1e-12:
        return node
    least = float(np.mean([gain for _, gain, _ in tried])) - 1e-12 if reading.among_average else -1.0
    node.input = max((each for each in tried if each[1] >= least), key=lambda each: each[2])[0]
    others = [j for j in inputs if j != node.input]
    for value in np.unique(X[:, node.input]):
        rows = X[:, node.input] == value
        node.children[int(value)] = grow(X[rows], y[rows], others, n_classes, reading)
    return node


def _can_split(column: Codes, reading: Reading) -> bool:
    counts = np.unique(column, return_counts=True)[1]
    return len(counts) > 1 and (not reading.two_of_two or bool(np.count_nonzero(counts >= 2) > 1))


def _judge(column: Codes, y: Codes, n_classes: int) -> tuple[float, float]:
    """The gain of a division by the values of an input, and the gain ratio."""
    table = np.zeros((int(column.max()) + 1, n_classes))
    np.add.at(table, (column, y), 1.0)
    table = table[table.sum(axis=1) > 0]
    share = table.sum(axis=1) / table.sum()
    gain = _entropy(table.sum(axis=0)) - float(share @ [_entropy(row) for row in table])
    return gain, gain / _entropy(share)


def _entropy(counts: NDArray[np.float64]) -> float:
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def tabulate_readings(data: dict[str, tuple[Any, Any]], n_folds: int) -> Table:
    """Accuracies in cross-validation, on the sets whose inputs are all nominal, beside the printed ones."""
    rows = []
    for name, (X, y) in data.items():
        if all(str(kind) == "category" for kind in X.dtypes):
            codes = np.column_stack([X[column].cat.codes.to_numpy(np.int64) + 1 for column in X])
            classes = np.unique(np.asarray(y, dtype=str), return_inverse=True)[1]
            printed = OF_FIRST[list(SETS).index(name)]
            rows.append((name, f"{printed:.1f}", *(f"{a:.1f}" for a in _cross_validate(codes, classes, n_folds))))
    title = "First trees of nominal inputs if they are grown otherwise: accuracies of a plain C4.5 tree (percent)"
    return Table(title, ("", "published", *(reading.words for reading in READINGS)), tuple(rows))


def _cross_validate(X: Codes, y: Codes, n_folds: int) -> Iterable[float]:
    folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(X, y))
    for reading in READINGS:
        right = 0
        for train, test in folds:
            tree = grow(X[train], y[train], list(range(X.shape[1])), int(y.max()) + 1, reading)
            right += sum(tree.predict(row, reading) == label for row, label in zip(X[test], y[test], strict=True))
        yield 100 * right / len(y)
