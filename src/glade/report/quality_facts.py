"""How good a model is, target by target: made from all rows of the table when a page is written."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.decisions import Decision
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.report.class_quality import measure_classes
from glade.report.honest import Judged
from glade.report.number_quality import measure_numbers
from glade.report.subgroup_facts import describe_subgroups
from glade.report.table_facts import ReadRows
from glade.report.verdicts import judge

Floats = NDArray[np.float64]
MAX_TARGETS = 60
MAX_NUMBERS = 30_000  # of subgroups, over all targets
NUMBERS_OF_INPUT = 30  # of one target, about
MIN_INPUTS, MAX_INPUTS = 4, 40


def describe_quality(
    judged: Judged, rows: ReadRows, schema: Schema, targets: TargetSchema, events: list[int | None], order: list[int]
) -> dict[str, Any] | None:
    """What is known of each target; None where the table holds none of them. `order`: inputs that matter first."""
    if rows.targets is None:
        return None
    n_shown = min(MAX_TARGETS, targets.n_targets)
    n_inputs = int(np.clip(MAX_NUMBERS // (NUMBERS_OF_INPUT * n_shown), MIN_INPUTS, MAX_INPUTS))
    told: list[dict[str, Any] | None] = []
    for t in range(n_shown):
        values, truth = judged.values[:, targets.channels_of(t)], rows.targets[t]
        known = _find_known(values, truth, targets.classes[t] is not None)
        if not known.any():
            told.append(None)
            continue
        decision = None if targets.classes[t] is None else targets.decision_of(t)
        own = _describe_target(values[known], truth[known], decision, events[t])
        losses, said, true = _lose(values[known], truth[known], decision, events[t])
        own["groups"] = describe_subgroups(rows.matrix[known], schema, order[:n_inputs], losses, said, true)
        told.append(own)
    return {"how": judged.how, "isUnseen": judged.is_unseen, "targets": told}


def describe_drawn(values: Floats | None, rows: ReadRows, targets: TargetSchema) -> list[dict[str, Any] | None] | None:
    """Of the one tree of a multi-tree that is drawn: the share that it explains of each target, and its error."""
    if values is None or rows.targets is None:
        return None
    told: list[dict[str, Any] | None] = []
    for t, classes in enumerate(targets.classes[:MAX_TARGETS]):
        own, truth, is_class = values[:, targets.channels_of(t)], rows.targets[t], classes is not None
        known = _find_known(own, truth, is_class)
        if not known.any():
            told.append(None)
            continue
        own, truth = own[known], truth[known]
        error = (
            (targets.decision_of(t).pick(own) != truth).mean()
            if is_class
            else np.sqrt(((own[:, 0] - truth) ** 2).mean())
        )
        told.append({"verdict": judge(own, truth, is_class), "error": float(error)})
    return told


def _find_known(values: Floats, truth: Floats, is_class: bool) -> NDArray[np.bool_]:
    """The rows whose target is known, and predicted."""
    known = ~np.isnan(truth) & ~np.isnan(values).any(axis=1)
    return known & (truth >= 0) if is_class else known


def _describe_target(values: Floats, truth: Floats, decision: Decision | None, event: int | None) -> dict[str, Any]:
    verdict = judge(values, truth, decision is not None)
    if decision is None:
        return {"verdict": verdict, **measure_numbers(values[:, 0], truth)}
    return {"verdict": verdict, **measure_classes(values, truth, event, decision)}


def _lose(values: Floats, truth: Floats, decision: Decision | None, event: int | None) -> tuple[Floats, Floats, Floats]:
    """What each row costs (1 for a wrong class, the square of what a number is off), what was said, what was true.

    `decision`: how probabilities become a class; None for numbers.
    """
    if decision is None:
        return (truth - values[:, 0]) ** 2, values[:, 0], truth
    wrong = (decision.pick(values) != truth).astype(float)
    if event is None:
        return wrong, 1.0 - values.max(axis=1), wrong
    return wrong, values[:, event], (truth == event).astype(float)
