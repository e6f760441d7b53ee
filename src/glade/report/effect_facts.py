"""How predictions move with one input: partial dependence over some rows, all other inputs as they are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.kinds import RULES, TREE
from glade.data.table import Schema
from glade.explain.dependence import average_predictions
from glade.grow.node_table import SplitKind
from glade.report.numbers import rounded

MAX_INPUTS = 8
MAX_ROWS = 300
MAX_POINTS = 60
MAX_LABELS = 30
MAX_NUMBERS = 20_000
MAX_BAND_ROWS = 60
BAND = (0.1, 0.9)  # of the rows
EDGE = 0.01  # of the rows, at each end of the scale, that a picture leaves out
N_BARS = 24


def describe_effects(model: Any, matrix: NDArray[np.float64], importance: NDArray[np.float64]) -> list[dict[str, Any]]:
    """For the most important inputs: values of the input, the mean prediction (points x channels) at each, and a band.

    The band holds the predictions of eight in ten rows: where it widens, the input acts together with others.
    """
    n_channels = int(model.target_schema_.start[-1])
    n_inputs = max(1, min(MAX_INPUTS, MAX_NUMBERS // (3 * MAX_POINTS * n_channels)))
    main = [int(j) for j in np.argsort(-importance, kind="stable")[:n_inputs] if importance[j] > 0]
    rows = matrix[np.sort(np.random.default_rng(0).permutation(len(matrix))[:MAX_ROWS])]
    band = np.linspace(0, len(rows) - 1, min(len(rows), MAX_BAND_ROWS)).astype(int)  # a table may be sorted
    facts = []
    for j in main:
        points = choose_points(model, model.schema_, matrix, j)
        if len(points) > 1:
            means = average_predictions(model, rows, j, points)
            low, high = find_band(model, rows[band], j, points)
            own = {"input": j, "x": rounded(points, 8), "y": rounded(means, 5), "low": low, "high": high}
            facts.append(own | {"bars": _count_bars(matrix[:, j], points, model.schema_.labels[j] is not None)})
    return facts


def find_band(model: Any, rows: NDArray[np.float64], j: int, points: NDArray[np.float64]) -> tuple[Any, Any]:
    """Points x channels: between which predictions eight in ten of the rows lie, with the input at the point."""
    changed = np.repeat(rows, len(points), axis=0)
    changed[:, j] = np.tile(points, len(rows))
    values = model.predict_values(changed).reshape(len(rows), len(points), -1)
    low, high = np.quantile(values, BAND, axis=0)
    return rounded(low, 4), rounded(high, 4)


def _count_bars(column: NDArray[np.float64], points: NDArray[np.float64], is_label: bool) -> list[int]:
    """How many rows are at each label, or in each part of the scale."""
    if is_label:
        return [int((column == point).sum()) for point in points]
    counts: list[int] = np.histogram(column[~np.isnan(column)], N_BARS, (points[0], points[-1]))[0].tolist()
    return counts


def choose_points(model: Any, schema: Schema, matrix: NDArray[np.float64], j: int) -> NDArray[np.float64]:
    """The commonest labels of a nominal input; of a number both sides of every cut, so that the steps are exact.

    A few far values do not stretch the scale: it goes from the first hundredth of the rows to the last, or further
    where that is a single value. A model of many cuts, or of none that can be told, is looked at on a grid of
    quantiles.
    """
    known = matrix[~np.isnan(matrix[:, j]), j]
    if not len(known):
        return known
    if schema.labels[j] is not None:
        codes, counts = np.unique(known, return_counts=True)
        return np.sort(codes[np.argsort(-counts, kind="stable")[:MAX_LABELS]])
    low, high = find_scale(known)
    cuts = np.unique(list_cuts(model, j))
    cuts = cuts[(cuts > low) & (cuts < high)]
    if 0 < len(cuts) <= MAX_POINTS // 2 - 1:
        return np.unique(np.concatenate(([low], cuts, np.nextafter(cuts, np.inf), [high])))
    inside = known[(known >= low) & (known <= high)]
    return np.unique(np.quantile(inside, np.linspace(0, 1, MAX_POINTS // 2), method="nearest"))


def find_scale(known: NDArray[np.float64]) -> tuple[float, float]:
    """From the first hundredth of the known values to the last; all of them where that is a single value."""
    low, high = np.quantile(known, [EDGE, 1 - EDGE], method="nearest")
    return (float(low), float(high)) if low < high else (float(known.min()), float(known.max()))


def list_cuts(model: Any, j: int) -> NDArray[np.float64]:
    """Where a model of one tree or of rules may change along an input."""
    if model.kind == RULES:
        cuts = [block.list_cuts(j) for block in model.model_.terms.design.blocks]
        known = [own for own in cuts if own is not None]
        return np.concatenate(known) if len(known) == len(cuts) else np.zeros(0)  # else it acts by degrees
    if model.kind == TREE:
        tree = model.said_tree_
        return tree.split_cut[(tree.split_input == j) & tree.is_kind(SplitKind.NUMERIC)]
    return np.zeros(0)
