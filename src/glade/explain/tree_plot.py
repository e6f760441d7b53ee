"""A picture of a tree: of each node what leads to it, how many rows it has, and what these rows say."""

import textwrap
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_plainly
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.explain.drawing import CLASSES, NEUTRAL, UP
from glade.grow.node_table import NodeTable
from glade.rules.wording import list_nodes, word_predictions

MAX_TARGETS = 3  # that are drawn in each node
WIDTH, APART = 2.1, 0.5  # inches: of a box, and between two levels
LINE, STRIP, SPACE = 0.17, 0.26, 0.2  # inches: a line of text, a target, between two boxes
LETTERS, LINES = 30, 2  # of what leads to a node


class Box(NamedTuple):
    """Where a node is drawn, and what stands in it."""

    depth: int
    y: float
    words: str
    rows: str


def draw_tree(
    tree: NodeTable,
    schema: Schema,
    targets: TargetSchema,
    spread: NDArray[np.float64],
    max_depth: int,
    ax: Any = None,
) -> Any:
    """Draw a tree from left to right; returns the axes.

    Parameters
    ----------
    tree
        The tree.
    schema, targets
        What its inputs and targets are.
    spread
        Per target, by which digits are chosen.
    max_depth
        The depth of the deepest nodes that are drawn.
    ax : Matplotlib axes, optional
        Where to draw; by default in a new figure that has room for all nodes.
    """
    import matplotlib.pyplot as plt

    boxes = _lay_out(list_nodes(tree, schema, targets, spread, max_depth), tree)
    n_shown = min(targets.n_targets, MAX_TARGETS)
    height = (LINES + 1) * LINE + n_shown * STRIP
    n_levels = 1 + max(box.depth for box in boxes.values())
    n_rows = 1 + max(box.y for box in boxes.values())
    size = (n_levels * (WIDTH + APART), n_rows * (height + SPACE) + 0.5)
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.set_xlim(-0.05, size[0])
    ax.set_ylim(size[1] - 0.5, -0.15)
    ax.axis("off")
    scales = _find_scales(tree, targets, [*boxes])
    for node, box in boxes.items():
        left, top = box.depth * (WIDTH + APART), box.y * (height + SPACE)
        if tree.split[node] >= 0:
            _draw_branches(ax, boxes, int(tree.split_left[tree.split[node]]), (left, top), height)
        _draw_box(ax, box, (left, top), height)
        says = word_predictions(tree.value[node], targets, spread)
        for t in range(n_shown):
            below = top + (LINES + 1) * LINE + t * STRIP
            _draw_target(ax, (left, below), tree.value[node][targets.channels_of(t)], scales[t], _say(targets, t, says))
    _add_legend(ax, targets)
    return ax


def _lay_out(lines: list[tuple[int, int, str, str, list[str]]], tree: NodeTable) -> dict[int, Box]:
    """Places of nodes: those at the ends one below another, all others beside the middle of their children."""
    boxes: dict[int, Box] = {}
    n_ends = 0
    more = {node: words for node, _, words, rows, _ in lines if not rows}  # below what is drawn
    for node, depth, words, rows, _ in lines:
        if not rows:
            continue
        is_end = tree.split[node] < 0 or node in more
        boxes[node] = Box(depth, n_ends, words, f"{rows} rows" + (f" ({more[node]})" if node in more else ""))
        n_ends += is_end
    for node in reversed(boxes):  # children come later than their parents
        split = int(tree.split[node])
        if split >= 0 and node not in more:
            left = int(tree.split_left[split])
            boxes[node] = boxes[node]._replace(y=(boxes[left].y + boxes[left + 1].y) / 2)
    return boxes


def _find_scales(tree: NodeTable, targets: TargetSchema, nodes: list[int]) -> list[tuple[float, float] | None]:
    """Of each number the least and the largest value of the nodes; of classes none."""
    scales: list[tuple[float, float] | None] = []
    for t, classes in enumerate(targets.classes):
        own = tree.value[nodes][:, targets.channels_of(t)]
        scales.append((float(own.min()), float(own.max())) if classes is None else None)
    return scales


def _say(targets: TargetSchema, t: int, says: list[str]) -> str:
    """What a node predicts for a target, named where there are several."""
    return says[t] if targets.n_targets == 1 else f"{targets.names[t]}: {says[t]}"


def _draw_branches(ax: Any, boxes: dict[int, Box], left: int, corner: tuple[float, float], height: float) -> None:
    """Lines from a node to its two children, where these are drawn."""
    x, y = corner[0] + WIDTH, corner[1] + LINE
    for child in (left, left + 1):
        if child in boxes:
            end = boxes[child].y * (height + SPACE) + LINE
            middle = x + APART / 2
            ax.plot([x, middle, middle, x + APART], [y, y, end, end], color=NEUTRAL, linewidth=1, zorder=1)


def _draw_box(ax: Any, box: Box, corner: tuple[float, float], height: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, top = corner
    style = "round,pad=0.02,rounding_size=0.06"
    ax.add_patch(FancyBboxPatch(corner, WIDTH, height, boxstyle=style, facecolor="#f4f6f3", edgecolor="#c9d2cc"))
    words = textwrap.wrap(box.words, LETTERS, max_lines=LINES, placeholder=" …")
    for k, (text, weight) in enumerate([*((own, "bold") for own in words), (box.rows, "normal")]):
        ax.text(left + 0.08, top + (k + 0.75) * LINE, show_plainly(text), fontsize=7, weight=weight, clip_on=True)


def _draw_target(
    ax: Any, corner: tuple[float, float], value: NDArray[np.float64], scale: tuple[float, float] | None, says: str
) -> None:
    """What the rows of a node say of a target: a number on the scale of all nodes, or shares of classes."""
    left, top = corner[0] + 0.08, corner[1]
    long, thick = WIDTH - 0.16, 0.06
    ax.text(left, top + 0.13, show_plainly(textwrap.shorten(says, 36, placeholder=" …")), fontsize=6.5, clip_on=True)
    if scale is None:
        ends = np.concatenate(([0.0], np.cumsum(value / max(value.sum(), 1e-300)))) * long
        for k, (start, end) in enumerate(pairwise(ends)):
            ax.barh(top + 0.19, end - start, thick, left=left + start, color=CLASSES[k % len(CLASSES)], zorder=3)
        return
    low, high = scale
    place = (float(value[0]) - low) / (high - low) if high > low else 0.5
    ax.plot([left, left + long], [top + 0.19] * 2, color="#c9d2cc", linewidth=1.5, zorder=2)
    ax.plot([left + place * long], [top + 0.19], "o", color=UP, markersize=4, zorder=3)


def _add_legend(ax: Any, targets: TargetSchema) -> None:
    """Which colour is which class, for a single nominal target."""
    from matplotlib.patches import Patch

    classes = targets.classes[0]
    if targets.n_targets == 1 and classes is not None:
        labels = [show_plainly(str(label)) for label in classes[: len(CLASSES)].tolist()]
        patches = [Patch(color=colour, label=label) for colour, label in zip(CLASSES, labels, strict=False)]
        ax.legend(handles=patches, fontsize=7, loc="lower left", ncols=min(4, len(patches)), frameon=False)
