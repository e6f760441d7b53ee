"""What it costs to say one class where another is true."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.columns import Column

WHAT = "cost_matrix"
USUAL = 1.0  # what an error costs that a dictionary leaves out


def read_cost_matrices(cost_matrix: Any, targets: Sequence[Column]) -> list[NDArray[np.float64] | None]:
    """Return a matrix for each target, true classes x predicted classes; None for numbers and where none is given.

    Parameters
    ----------
    cost_matrix
        One for the only nominal target: rows of numbers in the order of the classes, or a dictionary {true class:
        {predicted class: cost}}. For several targets a dictionary {target: one of these}.
    targets
        Columns as read.
    """
    own = [column for column in targets if column.labels is not None]
    names = [column.name for column in own]
    by_target = cost_matrix
    if (
        not isinstance(cost_matrix, Mapping)
        or not all(key in names for key in cost_matrix)
        or _is_of_classes(own, cost_matrix)
    ):
        if not own:
            raise ValueError(f"{WHAT} is for nominal targets, and there are none: leave it out")
        if len(own) != 1:
            raise ValueError(
                f"{WHAT} must be a dictionary {{target: matrix}} for the nominal targets {list_names(names)}, got"
                f" {cost_matrix!r}"
            )
        by_target = {names[0]: cost_matrix}
    if not by_target:
        raise ValueError(f"{WHAT} holds no costs: give them, or leave it out")
    return [_read_matrix(by_target[c.name], c) if c.name in by_target and c in own else None for c in targets]


def _is_of_classes(own: Sequence[Column], given: Mapping[Any, Any]) -> bool:
    """Whether the names are classes of the only nominal target, which may be called as one of its classes is."""
    rows = [row for row in given.values() if isinstance(row, Mapping)]
    said = [cost for row in rows for cost in row.values()]
    return len(own) == 1 and len(rows) > 0 and not any(isinstance(cost, Mapping) for cost in said)


def _read_matrix(given: Any, target: Column) -> NDArray[np.float64]:
    classes, name = target.labels or (), f"{WHAT} of target {quote_name(target.name)}"
    if isinstance(given, Mapping):
        matrix = _from_labels(given, target, name)
    else:
        matrix = _from_rows(_sort_frame(given, list(classes), name), name)
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"{name} has shape {matrix.shape}, but must have a row and a column for each of the classes"
            f" {list_names(list(map(str, classes)))}"
        )
    for is_bad, what in (
        (~np.isfinite(matrix), "is not finite"),
        (matrix < 0, "is negative"),
        ((matrix != 0) & np.eye(len(classes), dtype=bool), "is a right prediction, which costs 0"),
    ):
        if is_bad.any():
            i, j = np.argwhere(is_bad)[0]
            place = f"true class {quote_name(str(classes[i]))}, predicted {quote_name(str(classes[j]))}"
            raise ValueError(f"{name}, {place}: {matrix[i, j]:g} {what}; errors cost a number from 0 on")
    if len(classes) > 1 and not matrix.any():
        raise ValueError(f"{name} says that no error costs anything: give one of them a cost above 0")
    return matrix


def _sort_frame(given: Any, classes: list[Any], name: str) -> Any:
    """Rows and columns of a dataframe that are called as the classes are, in the order of these; all else as it is."""
    if not hasattr(given, "columns"):
        return given
    columns = list(given.columns)
    if not hasattr(given, "loc"):  # a library whose rows have no names
        if columns != list(map(str, classes)) and set(columns) == set(map(str, classes)):
            raise ValueError(f"{name} has the columns {list_names(columns)}: sort them as {list_names(classes)}")
        return given
    rows, order = list(given.index), list(range(len(given)))
    if rows == columns == order and set(rows) != set(classes):  # not called anything
        return given
    if sorted(map(repr, rows)) != sorted(map(repr, classes)) or sorted(map(repr, columns)) != sorted(
        map(repr, classes)
    ):
        raise ValueError(
            f"{name} is a dataframe with the rows {list_names(rows)} and the columns {list_names(columns)}, but both"
            f" must be the classes {list_names(classes)}"
        )
    return given.loc[classes, classes]


def _from_rows(given: Any, name: str) -> NDArray[np.float64]:
    if np.ma.is_masked(given) or getattr(getattr(given, "dtype", None), "kind", "") == "c":
        raise ValueError(f"{name} must hold numbers only, and neither complex nor masked ones")
    try:
        return np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only, in rows of the same length: {error}") from None


def _from_labels(given: Mapping[Any, Any], target: Column, name: str) -> NDArray[np.float64]:
    """A row of costs for each true class; an error that is left out costs 1."""
    classes = list(target.labels or ())
    odd = [true for true, row in given.items() if not isinstance(row, Mapping)]
    if odd:
        raise ValueError(
            f"{name} must be {{true class: {{predicted class: cost}}}}, but {odd[0]!r} has {given[odd[0]]!r}"
        )
    named = [*given, *(said for row in given.values() for said in row)]
    strange = list(dict.fromkeys(str(label) for label in named if label not in classes))
    plain = [str(label) for label in classes if label not in named]
    if strange and plain:  # a slip, most likely; a class that a sample lacks is none
        kind = type(classes[0]).__name__
        hint = f": give them as values of the type {kind}" if set(strange) & set(plain) else ""
        raise ValueError(
            f"{name} names {list_names(strange)}, which is no class of it, and leaves out {list_names(plain)}{hint}"
        )
    matrix = USUAL * (1.0 - np.eye(len(classes)))
    for true, row in given.items():
        for said, cost in row.items():
            if true in classes and said in classes:
                matrix[classes.index(true), classes.index(said)] = _read_cost(cost, name)
    return matrix


def _read_cost(cost: Any, name: str) -> float:
    try:
        return float(cost)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers only, got {cost!r}") from None
