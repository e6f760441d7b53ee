"""The error among rows of one kind: by the values of any input."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.report.numbers import exact, show_names, word_amount

Floats = NDArray[np.float64]
MAX_GROUPS = 8
MAX_NUMBERS = 40_000
PARTS = 4  # of the rows, by a number


def describe_subgroups(
    matrix: Floats, schema: Schema, order: list[int], losses: Floats, said: Floats, truth: Floats
) -> list[dict[str, Any]]:
    """For each of these inputs, its groups of rows: how many, what was lost, what was predicted and what was true.

    `losses` are of the rows, as are `said` and `truth`: numbers, or the probability of a class and whether it was so.
    """
    facts = []
    for j in order:
        groups = group_rows(matrix[:, j], None if schema.labels[j] is None else show_names(schema.labels[j]))
        if len(groups) > 1:
            told = [_measure(words, rows, losses, said, truth) for words, rows in groups]
            facts.append({"input": j, "groups": told})
    return facts


def _measure(words: str, rows: NDArray[np.bool_], losses: Floats, said: Floats, truth: Floats) -> list[Any]:
    own = losses[rows]
    error = find_error(own) if len(own) > 1 else np.nan
    return [words, int(rows.sum()), *exact(np.array([own.mean(), error, said[rows].mean(), truth[rows].mean()]))]


def find_error(losses: Floats) -> float:
    """The standard error of a mean; of shares (losses of 0 and 1) that of Agresti and Coull, which is never zero.

    >>> round(find_error(np.zeros(29)), 3), round(find_error(np.array([2.0, 4.0])), 3)
    (0.042, 1.0)
    """
    n = len(losses)
    if not np.isin(losses, (0.0, 1.0)).all():
        return float(losses.std(ddof=1) / np.sqrt(n))
    share = (losses.sum() + 2.0) / (n + 4.0)
    return float(np.sqrt(share * (1.0 - share) / (n + 4.0)))


def group_rows(column: Floats, labels: list[str] | None) -> list[tuple[str, NDArray[np.bool_]]]:
    """Rows by the commonest labels of an input, or by quarters of its numbers; those of missing values are a group."""
    is_known = ~np.isnan(column)
    groups = _by_number(column, is_known) if labels is None else _by_label(column, is_known, labels)
    if not is_known.all():
        groups.append(("missing", ~is_known))
    return groups


def _by_label(column: Floats, is_known: NDArray[np.bool_], labels: list[str]) -> list[tuple[str, NDArray[np.bool_]]]:
    counts = np.bincount(column[is_known].astype(np.int64), minlength=len(labels))
    common = [int(k) for k in np.argsort(-counts, kind="stable")[:MAX_GROUPS] if counts[k]]
    groups = [(labels[k], column == k) for k in common]
    others = is_known & ~np.isin(column, common)
    return [*groups, ("all others", others)] if others.any() else groups


def _by_number(column: Floats, is_known: NDArray[np.bool_]) -> list[tuple[str, NDArray[np.bool_]]]:
    known = column[is_known]
    if not len(known):
        return []
    values = np.unique(known)
    if len(values) <= MAX_GROUPS:
        return [(word_amount(value), column == value) for value in values]
    cuts = np.unique(np.quantile(known, np.arange(1, PARTS) / PARTS, method="lower"))
    edges = [-np.inf, *cuts[cuts < values[-1]].tolist(), np.inf]
    groups = []
    for low, high in pairwise(edges):
        words = f"up to {word_amount(high)}" if low == -np.inf else f"above {word_amount(low)}"
        if np.isfinite(low) and np.isfinite(high):
            words = f"{word_amount(low)} to {word_amount(high)}"
        groups.append((words, is_known & (column > low) & (column <= high)))
    return [(words, rows) for words, rows in groups if rows.any()]
