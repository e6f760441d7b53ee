"""Which inputs act together: the strongest pairs, and of the first few the mean prediction over both."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.explain.h_statistic import measure
from glade.report.effect_facts import find_scale, list_cuts
from glade.report.numbers import exact, rounded

Floats = NDArray[np.float64]
MAX_INPUTS, MAX_ROWS = 6, 100  # a pair's effect needs rows x rows predictions of some models
MAX_PAIRS = 10
MAX_MAPS, MAX_MAP_ROWS = 3, 60
MAX_CELLS = 8  # of a number along an axis
MAX_LABELS = 10
MAX_NUMBERS = 12_000  # of maps
LEAST = 0.001  # of what the predictions vary: a pair below is left out


def describe_interactions(model: Any, matrix: Floats, importance: Floats) -> dict[str, Any]:
    """The pairs of the most important inputs, by how much they do that neither does alone, and maps of the first.

    Per pair and target: the square of the interaction as a share of what the predictions vary; `glade.interactions`
    calls its root the strength. Both are measured on the scale on which the model adds up.
    """
    targets = model.target_schema_
    order = [int(j) for j in np.argsort(-importance, kind="stable")[:MAX_INPUTS] if importance[j] > 0]
    rows = matrix[np.sort(np.random.default_rng(0).permutation(len(matrix))[:MAX_ROWS])]
    explainer, pairs = model.make_explainer(), list(combinations(sorted(order), 2))
    found = measure(explainer.averages(rows), rows, sorted(order), pairs, targets)
    of_pairs, whole = found.pairs.interaction, np.broadcast_to(found.whole, found.pairs.interaction.shape)
    shares = np.divide(of_pairs, whole, out=np.zeros(of_pairs.shape), where=whole > 0)
    strongest = np.argsort(-shares.max(axis=1, initial=0.0), kind="stable")
    kept = [int(k) for k in strongest[:MAX_PAIRS] if shares[k].max() >= LEAST]
    adds_scores = explainer.adds_scores and any(classes is not None for classes in targets.classes)
    return {
        "rows": len(rows),
        "inputs": len(order),
        "addsScores": bool(adds_scores),
        "pairs": [{"inputs": list(pairs[k]), "shares": exact(shares[k])} for k in kept],
        "maps": _draw_maps(model, matrix, [pairs[k] for k in kept]),
    }


def _draw_maps(model: Any, matrix: Floats, pairs: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """The mean prediction over both inputs of the first pairs, as many as there is room for."""
    n_channels = int(model.target_schema_.start[-1])
    n_maps = min(MAX_MAPS, MAX_NUMBERS // (MAX_CELLS**2 * n_channels))
    return [_draw_map(model, matrix, pair) for pair in pairs[:n_maps]]


def _draw_map(model: Any, matrix: Floats, pair: tuple[int, int]) -> dict[str, Any]:
    """Cells of both inputs: how many rows are there, and the mean prediction with both inputs as they are there."""
    axes = [divide(model, matrix, j) for j in pair]
    rows = matrix[np.sort(np.random.default_rng(1).permutation(len(matrix))[:MAX_MAP_ROWS])]
    points = np.stack(np.meshgrid(*(axis["points"] for axis in axes), indexing="ij"), axis=-1).reshape(-1, 2)
    changed = np.repeat(rows, len(points), axis=0)
    changed[:, pair] = np.tile(points, (len(rows), 1))
    means = model.predict_values(changed).reshape(len(rows), len(points), -1).mean(axis=0)
    places = [axis["places"].astype(np.int64) for axis in axes]
    known = (places[0] >= 0) & (places[1] >= 0)
    shape = [len(axis["points"]) for axis in axes]
    counts = np.zeros(shape, np.int64)
    np.add.at(counts, (places[0][known], places[1][known]), 1)
    told = [
        {"input": j, "edges": rounded(a["edges"], 8), "points": exact(a["points"])}
        for j, a in zip(pair, axes, strict=True)
    ]
    return {"axes": told, "rows": counts.tolist(), "values": rounded(means.reshape(*shape, -1), 5)}


def divide(model: Any, matrix: Floats, j: int) -> dict[str, Floats]:
    """Cells along an input: a point in each, their edges (none of labels), and the place of each row (-1 for none).

    The cells of a number end where the model cuts it, if it does so in a few places; else they hold alike many rows.
    """
    column = matrix[:, j]
    known = column[~np.isnan(column)]
    if model.schema_.labels[j] is not None:
        codes, counts = np.unique(known, return_counts=True)
        points = np.sort(codes[np.argsort(-counts, kind="stable")[:MAX_LABELS]])
        place = np.searchsorted(points, np.where(np.isnan(column), -1.0, column))
        is_shown = np.isin(column, points)
        return {"points": points, "edges": np.zeros(0), "places": np.where(is_shown, place, -1)}
    low, high = find_scale(known)
    cuts = np.unique(list_cuts(model, j))
    cuts = cuts[(cuts >= low) & (cuts < high)]
    if not 0 < len(cuts) < MAX_CELLS:
        inside = known[(known >= low) & (known <= high)]
        cuts = np.unique(np.quantile(inside, np.linspace(0, 1, MAX_CELLS + 1)[1:-1], method="nearest"))
        cuts = cuts[(cuts >= low) & (cuts < high)]
    edges = np.concatenate(([low], cuts, [high])) if len(cuts) and cuts[0] > low else np.concatenate((cuts, [high]))
    place = np.searchsorted(edges[1:-1], column, side="left")  # a value at a cut is on its lower side
    is_shown = (column >= edges[0]) & (column <= high)
    points = np.array([_middle(column[is_shown & (place == k)], edges[k : k + 2]) for k in range(len(edges) - 1)])
    return {"points": points, "edges": edges, "places": np.where(is_shown, place, -1)}


def _middle(values: Floats, edges: Floats) -> float:
    """A value of the rows in a cell; of an empty cell its middle."""
    return float(np.quantile(values, 0.5, method="nearest")) if len(values) else float(edges.mean())
