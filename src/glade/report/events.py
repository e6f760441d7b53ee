"""Of each target with two classes, the one that is asked for."""

from typing import Any

import numpy as np

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
