"""Conditions, predictions and trees in words, in the user's names and units.

A value missing in training or unseen there is said where it matters: "or missing" stands on the side that takes it,
for inputs that had missing values in training.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable

MAX_LISTED = 8
PLAIN = set(" .-+/%_:#°µ²³")


def word_number(value: float) -> str:
    """The shortest decimal that reads back as the same number.

    >>> [word_number(x) for x in (2.0, 0.1, 1e-7, 1234567.0, float("inf"))]
    ['2', '0.1', '1e-07', '1234567', 'inf']
    """
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def word_label(label: object) -> str:
    """A category; quoted if it could be mistaken for words around it."""
    text = show_name(label)
    plain = text != "''" and all(c.isalnum() or c in PLAIN for c in text) and text == text.strip()
    return text if plain and text != "missing" else f'"{text}"'


def word_set(labels: Sequence[object]) -> str:
    """Categories in braces, the first few of many."""
    shown = [word_label(label) for label in labels[:MAX_LISTED]]
    if len(labels) > MAX_LISTED:
        shown.append(f"… {len(labels) - MAX_LISTED} more")
    return "{" + ", ".join(shown) + "}"


def _word_membership(name: str, inside: Sequence[object], outside: Sequence[object]) -> str:
    """`name in inside`, or `name not in outside` where that is shorter."""
    if len(inside) <= len(outside) or not outside:
        return f"{name} = {word_label(inside[0])}" if len(inside) == 1 else f"{name} in {word_set(inside)}"
    return f"{name} != {word_label(outside[0])}" if len(outside) == 1 else f"{name} not in {word_set(outside)}"


def word_condition(tree: NodeTable, split: int, schema: Schema, left: bool) -> str:
    """What a row must fulfil to go left (or right) at a split."""
    j = int(tree.split_input[split])
    name, labels = show_name(schema.names[j]), schema.labels[j]
    takes_missing = bool(tree.split_missing_left[split]) == left
    cut = float(tree.split_cut[split])
    if np.isinf(cut):
        return f"{name} is {'known' if left else 'missing'}"
    if np.isnan(cut):
        assert labels is not None
        named = set(tree.set_of(split).tolist())
        inside = [label for k, label in enumerate(labels) if (k in named) != takes_missing]
        outside = [label for k, label in enumerate(labels) if (k in named) == takes_missing]
        text = _word_membership(name, inside, outside) if inside else f"{name} is missing"
        takes_missing = takes_missing and bool(inside)
    elif labels is not None:
        position = int(np.floor(cut))
        text = f"{name} <= {word_label(labels[position])}" if left else f"{name} > {word_label(labels[position])}"
    else:
        text = f"{name} {'<=' if left else '>'} {word_number(cut)}"
    return f"{text} or missing" if takes_missing and schema.has_missing[j] else text


def round_to(value: float, spread: float) -> str:
    """A prediction with the digits its target's spread makes meaningful: a tenth of a standard deviation or finer."""
    if not np.isfinite(spread) or spread <= 0:
        return f"{value:.6g}"
    decimals = int(np.clip(1 - np.floor(np.log10(spread)), 0, 12))
    if abs(value) >= 1e15 or (value != 0 and abs(value) < 1e-9):
        return f"{value:.4g}"
    return f"{value:.{decimals}f}"


def word_predictions(values: NDArray[np.float64], targets: TargetSchema, spread: NDArray[np.float64]) -> list[str]:
    """One node's predictions, a text per target: a number, or the likeliest class with its share."""
    words = []
    for t, classes in enumerate(targets.classes):
        value = values[targets.channels_of(t)]
        if classes is None:
            words.append(round_to(float(value[0]), float(spread[t])))
        else:
            words.append(f"{word_label(classes[int(value.argmax())])} {value.max():.0%}")
    return words


def tree_to_text(
    tree: NodeTable, schema: Schema, targets: TargetSchema, spread: NDArray[np.float64], max_depth: int = 10
) -> str:
    """The tree as an indented table: conditions on the left, rows and the leaves' predictions on the right."""
    lines: list[tuple[str, str, list[str]]] = []
    below = _count_below(tree)
    stack: list[tuple[int, int, str]] = [(0, 0, "all rows")]
    while stack:
        node, depth, words = stack.pop()
        split = int(tree.split[node])
        rows = f"{int(tree.rows[node]):,}"
        indent = "  " * depth
        if split < 0:
            lines.append((indent + words, rows, word_predictions(tree.value[node], targets, spread)))
            continue
        lines.append((indent + words, rows, []))
        if depth >= max_depth:
            lines.append((f"{indent}  … {below[node]:,} more nodes", "", []))
            continue
        left = int(tree.split_left[split])
        for child, is_left in ((left + 1, False), (left, True)):
            stack.append((child, depth + 1, word_condition(tree, split, schema, is_left)))
    header = ("", "rows", [show_name(name) for name in targets.names])
    leaves = "leaf" if tree.n_leaves == 1 else "leaves"
    title = f"tree of {tree.n_leaves:,} {leaves}, depth {int(tree.depth.max())}"
    numeric = [classes is None for classes in targets.classes]
    table = [[words, rows, *cells, *[""] * (len(numeric) - len(cells))] for words, rows, cells in [header, *lines]]
    return "\n".join([title, *align_columns(table, [False, True, *numeric])])


def _count_below(tree: NodeTable) -> NDArray[np.int64]:
    """The number of nodes below each node."""
    below = np.zeros(tree.n_nodes, np.int64)
    for splits in reversed(tree.splits_by_level()):
        left = tree.split_left[splits]
        below[tree.split_node[splits]] = 2 + below[left] + below[left + 1]
    return below
