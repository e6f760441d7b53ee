"""What is told of targets in a frame of terms: one column a number, the event of two classes, every one of more."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.rules.observed import Observed

Floats = NDArray[np.float64]
POINTS = " (points)"  # of probability, a hundredth each: the unit of classes
ADDED_TO = {"logit": "log_odds", "softmax": "log_odds", "log": "score"}  # what scores are called, by the link


def list_told(targets: TargetSchema) -> list[tuple[int, int]]:
    """Return target and channel of each column: of a number, of the event of two classes, of every one of more."""
    told = []
    for t, event in enumerate(targets.events):
        at = targets.channels_of(t)
        told += [(t, c) for c in range(at.start, at.stop) if event is None or c == at.start + event]
    return told


def observe_whole(observed: Observed | None, n_channels: int) -> dict[str, Floats]:
    """Return what was observed, after a first row for the offset, of which nothing is."""
    if observed is None:
        return {}
    none = np.full((1, n_channels), np.nan)
    own = {"inside": observed.inside, "inside_error": observed.error, "outside": observed.outside}
    return {name: np.vstack((none, values)) for name, values in own.items()}


def add_told(
    frame: Any, targets: TargetSchema, parts: Mapping[str, Floats], scores: Floats | None, links: Sequence[str] = ()
) -> Any:
    """Return a frame with a row for each term with the columns of all targets added.

    Parameters
    ----------
    frame
        The columns before them.
    targets
        What the channels stand for.
    parts
        Rows x channels of each part, such as "inside"; that without a name is what is added to predictions.
    scores
        What is added to the scores of the channels.
    links
        Of the targets, by name.
    """
    import pandas as pd

    names, told = targets.columns_beside([*frame.columns, "importance"]), {}
    for t, c in list_told(targets):
        is_class = targets.classes[t] is not None
        unit, mark = (100.0, POINTS) if is_class else (1.0, "")
        for part, values in parts.items():
            told[f"{names[c]}{f' {part}' if part else ''}{mark}"] = unit * values[:, c]
        if scores is not None and links[t] in ADDED_TO:
            told[f"{names[c]} {ADDED_TO[links[t]]}"] = scores[:, c]
    return pd.concat([frame, pd.DataFrame(told, index=frame.index)], axis=1)  # at once: many targets have many columns
