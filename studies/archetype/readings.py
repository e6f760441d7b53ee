"""What the source's first trees would be if they were grown otherwise: a plain C4.5 tree in three readings.

Of nominal inputs only, with one branch for each value; slow and obvious, since it is to tell what the printed
accuracies leave open. `python -m studies.archetype.readings` prints the table by itself.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from glade.core.layout import align_markdown
from glade.core.notices import silence_warnings
from studies.archetype.published import OF_FIRST
from studies.archetype.runs import N_FOLDS, SETS, load_sets
from studies.figures import Settings, Table

Codes = NDArray[np.int64]
RATIO, GAIN, DKM = "gain ratio", "gain", "dkm"


class Reading(NamedTuple):
    """How a tree is grown, and what it says where a node has not seen the value of a row."""

    words: str
    among_average: bool = False  # C4.5: only inputs that gain at least as much as the average input
    two_of_two: bool = False  # C4.5: at least two branches have two rows
    unseen_is_wrong: bool = False
    criterion: str = RATIO
    fewest_rows: int = 2  # a node of fewer is a leaf
    purest: float = 1.0  # a node with such a share of one class is a leaf


READINGS = (
    Reading("gain ratio alone"),
    Reading("inputs of at least average gain", among_average=True),
    Reading("two branches of two rows", two_of_two=True),
    Reading("a value not seen at a node is an error", unseen_is_wrong=True),
    Reading("information gain", criterion=GAIN),
    Reading("DKM", criterion=DKM),
    Reading("a node of fewer than 10 rows is a leaf", fewest_rows=10),
    Reading("a node with 85 % of one class is a leaf", purest=0.85),
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
    is_pure = node.classes.max() >= reading.purest * len(y)
    tried = [(j, *_judge(X[:, j], y, n_classes, reading)) for j in inputs if _can_split(X[:, j], reading)]
    if is_pure or len(y) < reading.fewest_rows or not tried or max(gain for _, gain, _ in tried) <= 1e-12:
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


def _judge(column: Codes, y: Codes, n_classes: int, reading: Reading) -> tuple[float, float]:
    """The gain of a division by the values of an input, and what it is chosen by: by default the gain ratio."""
    table = np.zeros((int(column.max()) + 1, n_classes))
    np.add.at(table, (column, y), 1.0)
    table = table[table.sum(axis=1) > 0]
    share = table.sum(axis=1) / table.sum()
    impurity = _dkm if reading.criterion == DKM else _entropy
    gain = impurity(table.sum(axis=0)) - float(share @ [impurity(row) for row in table])
    return gain, gain / _entropy(share) if reading.criterion == RATIO else gain


def _entropy(counts: NDArray[np.float64]) -> float:
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def _dkm(counts: NDArray[np.float64]) -> float:
    """Twice the root of p (1 - p), of the likeliest class (Dietterich, Kearns and Mansour, 1996)."""
    p = counts.max() / counts.sum()
    return float(2 * np.sqrt(p * (1 - p)))


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


@click.command()
def main() -> None:
    """Print the table of all readings."""
    with silence_warnings():  # classes of two rows
        table = tabulate_readings(load_sets(Settings()), N_FOLDS)
    click.echo("\n".join(align_markdown([table.header, *table.rows], [False, *[True] * (len(table.header) - 1)])))


if __name__ == "__main__":
    main()
