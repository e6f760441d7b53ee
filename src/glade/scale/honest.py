"""The error of a model on rows that it was not fitted to, in the user's terms."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.rules.path import Step, WeightPath, find_standard_error
from glade.rules.scores import Scores
from glade.scale.passes import EVERY_ROW, Models, Sums, add_sums

Floats = NDArray[np.float64]


def tell_errors(
    sums: Sums, sets: Sequence[Models], path: WeightPath, steps: Sequence[Step], scores: Scores, max_rules: Any
) -> Any:
    """The errors of the folds' models, each of the size that the other folds choose, on the rows they hold out.

    Parameters
    ----------
    sums
        What the last pass has added up.
    sets
        The models.
    path
        All of them from small to large, as the folds judge them.
    steps
        In the order of the models of a fold.
    scores
        Of the targets.
    max_rules
        The size that was asked for.
    """
    places = {step.origin: m for m, step in enumerate(steps)}
    n_folds = 1 + max(own.fold for own in sets)
    of_folds = []
    for fold in range(n_folds):
        place = places[path.choose_without(fold, n_folds, max_rules).origin]
        for k, own in enumerate(sets):
            if own.fold != fold or own.fold == EVERY_ROW:
                continue
            n_small = len(own.offset) - 1
            if own.is_large != (place >= len(steps) - sum(s.is_large and s.fold == fold for s in sets)):
                continue
            m = 0 if own.is_large else 1 + min(place, n_small - 1)
            names = ("wrong", "surprise", "total", "square")
            of_folds.append({name: sums[f"{name} {k}"][:, m] for name in names} | {"counts": sums[f"counts {k}"]})
    return frame_errors(of_folds, scores.targets)


def frame_errors(of_folds: Sequence[Sums], targets: TargetSchema) -> Any:
    """A row for each target and metric: the value over all rows held out, and its standard error from the folds."""
    import pandas as pd

    rows = []
    for t, (name, classes) in enumerate(zip(targets.names, targets.classes, strict=True)):
        find = _measure_numbers if classes is None else _measure_classes
        whole = reduce(add_sums, of_folds)
        values, parts = find(whole, t), [find(own, t) for own in of_folds]
        for metric, value in values.items():
            spread = find_standard_error(np.array([own[metric] for own in parts]))
            rows.append((name, metric, value, spread if len(parts) > 1 else np.nan, int(whole["counts"][t])))
    return pd.DataFrame(rows, columns=["target", "metric", "value", "standard_error", "rows"])


def _measure_numbers(sums: Sums, t: int) -> dict[str, float]:
    count = max(float(sums["counts"][t]), 1e-300)
    variance = float(sums["square"][t]) / count - (float(sums["total"][t]) / count) ** 2
    square = float(sums["wrong"][t]) / count
    return {"rmse": float(np.sqrt(square)), "r2": 1.0 - square / variance if variance > 0 else np.nan}


def _measure_classes(sums: Sums, t: int) -> dict[str, float]:
    count = max(float(sums["counts"][t]), 1e-300)
    return {"accuracy": 1.0 - float(sums["wrong"][t]) / count, "log_loss": float(sums["surprise"][t]) / count}
