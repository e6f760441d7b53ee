"""Of each target with two classes, the one that is asked for; of all classes, how a probability becomes one of them."""

from typing import Any

import numpy as np

from glade.data.decisions import FALSE_ALARM, MISS
from glade.report.numbers import rounded
from glade.report.table_facts import ReadRows


def find_events(model: Any, rows: ReadRows) -> list[int | None]:
    """The place of the event's class for each target of two classes: that of the model, else the rarer one.

    None for targets of other kinds.
    """
    asked = getattr(model, "event_", None)
    events: list[int | None] = []
    for t, classes in enumerate(model.target_schema_.classes):
        if classes is None or len(classes) != 2:
            events.append(None)
            continue
        label = asked.get(model.target_schema_.names[t]) if isinstance(asked, dict) else asked
        if label is not None and label in classes:
            events.append(int(np.flatnonzero(classes == label)[0]))
            continue
        truth = np.zeros(0) if rows.targets is None else rows.targets[t]
        counts = [int((truth == k).sum()) for k in range(2)]
        events.append(0 if 0 < counts[0] < counts[1] else 1)
    return events


def describe_decision(model: Any, target: int) -> dict[str, Any]:
    """How `predict` picks a class of a target: nothing where it is the most probable one, else what it goes by.

    `threshold` is that of the event of two classes, `errorCosts` what a false alarm and a miss cost where the model was
    told so; `weights` (a number for each class) and `costs` (true x said) are those of more classes.
    """
    decision = model.target_schema_.decision_of(target)
    told: dict[str, Any] = {}
    if decision.threshold is not None:
        told["threshold"] = decision.threshold
        given, ways = getattr(model, "costs", None), ("class_weight", "cost_matrix")
        if given is not None:
            told["errorCosts"] = [float(given[FALSE_ALARM]), float(given[MISS])]
        elif decision.threshold < 1 and any(getattr(model, way, None) is not None for way in ways):
            told["errorCosts"] = [1.0, rounded(np.array([1 / decision.threshold - 1]), 6)[0]]
    if decision.weights is not None:
        told["weights"] = list(decision.weights)
    if decision.costs is not None:
        told["costs"] = [list(row) for row in decision.costs]
    return told
