"""What was observed of the rows that a rule covers, and of all others, and which rules cover the same rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.report.numbers import rounded
from glade.report.table_facts import ReadRows
from glade.rules.model import RuleModel

Floats = NDArray[np.float64]
MAX_NUMBERS = 24_000
COVERED = 0.5  # of a soft rule: how far it is on where it is said to cover a row
ALIKE = 0.6  # rows of both rules, as a share of the rows of either: beyond, they say nearly the same
MAX_COMPARED_ROWS = 4_000
MAX_ALIKE = 400


def describe_observed(
    model: RuleModel, rows: ReadRows, keys: list[tuple[int, int]], events: list[int | None]
) -> dict[str, Any] | None:
    """For each listed term its rows in this table; for each target what they are on average, and all others.

    `keys` are the terms as (place of a step on the path, place in that step).
    """
    covered = cover_rows(model, rows.matrix, keys)
    if covered is None:
        return None
    found: dict[str, Any] = {"rows": [None if own is None else int(own.sum()) for own in covered]}
    found["alike"] = list_alike(covered)
    width = 2 * int(model.targets.start[-1])
    if rows.targets is None or width * len(keys) > MAX_NUMBERS:
        return found
    values = [_to_channels(rows.targets[t], model.targets, t) for t in range(model.targets.n_targets)]
    found["values"] = [None if own is None else _observe(values, own) for own in covered]
    return found


def cover_rows(model: RuleModel, matrix: Floats, keys: list[tuple[int, int]]) -> list[NDArray[np.bool_] | None] | None:
    """The rows that each listed term covers, None for a linear term."""
    by_step: dict[int, list[tuple[int, int]]] = {}
    for k, (place, term) in enumerate(keys):
        by_step.setdefault(place, []).append((k, term))
    covered: list[NDArray[np.bool_] | None] = [None] * len(keys)
    for place, own in by_step.items():
        design = model.at(place).terms.design
        chosen = np.array([term for _, term in own])
        is_rule, unit = design.is_rule[chosen], design.unit[chosen]
        rules = np.flatnonzero(is_rule)
        if not len(rules):
            continue
        taken = chosen[rules]
        order = np.argsort(taken, kind="stable")
        part = design.take(taken[order])
        degrees = part.values(matrix) / unit[rules][order]
        for column, r in enumerate(rules[order]):
            covered[own[int(r)][0]] = degrees[:, column] >= COVERED
    return covered


def _to_channels(truth: Floats, targets: TargetSchema, t: int) -> Floats:
    """Rows x channels of one target: its numbers, or ones for its class; NaN where it is unknown."""
    classes = targets.classes[t]
    if classes is None:
        return truth[:, None]
    own = (truth[:, None] == np.arange(len(classes))).astype(float)
    own[np.isnan(truth)] = np.nan
    return own


def _observe(values: list[Floats], covered: NDArray[np.bool_]) -> list[list[float | None]]:
    """Per channel: the mean inside, and outside."""
    both = [[_mean(own[covered]), _mean(own[~covered])] for own in values]
    inside, outside = (np.concatenate([pair[side] for pair in both]) for side in (0, 1))
    return [rounded(inside, 6), rounded(outside, 6)]


def _mean(values: Floats) -> Floats:
    known = ~np.isnan(values[:, 0])
    return values[known].mean(axis=0) if known.any() else np.full(values.shape[1], np.nan)


def list_alike(covered: list[NDArray[np.bool_] | None]) -> list[list[float]]:
    """Pairs of terms that cover nearly the same rows: both places, and their common share, the most alike first."""
    places = [k for k, own in enumerate(covered) if own is not None]
    if len(places) < 2:
        return []
    rows = np.random.default_rng(0).permutation(len(covered[places[0]]))[:MAX_COMPARED_ROWS]  # type: ignore[arg-type]
    table = np.array([covered[k][rows] for k in places], np.float32)  # type: ignore[index]
    common, size = table @ table.T, table.sum(axis=1)
    share = common / np.maximum(size[:, None] + size - common, 1.0)
    first, second = np.nonzero(np.triu(share >= ALIKE, 1))
    order = np.argsort(-share[first, second], kind="stable")[:MAX_ALIKE]
    pairs = zip(first[order].tolist(), second[order].tolist(), strict=True)
    return [[places[a], places[b], round(float(share[a, b]), 4)] for a, b in pairs]
