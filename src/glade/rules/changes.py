"""What terms change in the predictions of the rows that they cover, on average."""

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, TargetRows
from glade.rules.linear import LinearTerms
from glade.rules.path import WeightPath
from glade.rules.scores import Scores

MAX_SAMPLE = 2_000  # rows over which the average change of a probability is taken


def find_average_changes(
    path: WeightPath, design: Design, rows: TargetRows, scores: Scores, seed: int
) -> list[NDArray[np.float64]]:
    """For each step, terms x channels: what a term changes in the predictions of the rows it covers, on average."""
    effects = [scores.effects(step.weights) for step in path.steps]
    if scores.is_additive:
        return [scores.changes(effect) for effect in effects]
    n_rows = len(rows.matrix)
    sample = np.random.default_rng(seed).permutation(n_rows)[:MAX_SAMPLE]
    values = design.values(rows.matrix[sample])
    changes, ends, whole = [], _find_ends(design), design.whole
    for step, effect in zip(path.steps, effects, strict=True):
        own = values[:, step.terms]
        total = scores.offset(step.offset) + own @ effect
        now = scores.values(total)
        start = scores.offset(step.offset)
        change = scores.values(start + effect) - scores.values(start[None])  # of terms that no row of the sample has
        for k in np.flatnonzero(own.any(axis=0)):
            if step.terms[k] in ends:  # along a line: from one end of the range to the other
                rest = total - own[:, k, None] * effect[k]
                low, high = (scores.values(rest + end * effect[k]) for end in ends[step.terms[k]])
                change[k] = (high - low).mean(axis=0) / (whole[step.terms[k]] or 1.0)
                continue
            there = own[:, k] != 0.0
            part = own[there, k, None]
            without = scores.values(total[there] - part * effect[k])
            change[k] = ((now[there] - without) * part).sum(axis=0) / (part * part).sum()
        changes.append(change)
    return changes


def _find_ends(design: Design) -> dict[int, tuple[float, float]]:
    """Of each linear term its values at both ends of its range, by its place."""
    own = design.linear
    low, high = ((end - own.centre) * own.scale for end in (own.low, own.high))
    places = design.places_of(LinearTerms).tolist()
    return dict(zip(places, zip(low.tolist(), high.tolist(), strict=True), strict=True))
