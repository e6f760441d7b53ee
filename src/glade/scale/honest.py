"""The error of a model on rows that it was not fitted to: over all rows, where a sample has told it first."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.models.errors import Metric
from glade.rules.path import Step, WeightPath
from glade.scale.passes import Models, Sums, add_sums

Floats = NDArray[np.float64]
MEASURED = ("counts", "square", "size", "wrong", "surprise", "brier", "total", "spread")


def choose_sums(
    sums: Sums, sets: Sequence[Models], path: WeightPath, steps: Sequence[Step], max_rules: int | str | None
) -> Sums:
    """Targets x one: what the rows say that each fold holds out, predicted by its model of the size others choose.

    Parameters
    ----------
    sums
        What the last pass has added up.
    sets
        The models.
    path
        All of them from small to large, as the folds judge them.
    steps
        In the order of the models of a fold: those that may be moved, then a large one.
    max_rules
        The size that was asked for.
    """
    places = {step.origin: m for m, step in enumerate(steps)}
    n_folds = 1 + max(own.fold for own in sets)
    of_folds = []
    for fold in range(n_folds):
        place = places[path.choose_without(fold, n_folds, max_rules).origin]
        own = [k for k, one in enumerate(sets) if one.fold == fold]
        n_small = len(sets[own[0]].offset) - 1
        k, m = (own[0], 1 + place) if place < n_small else (own[1], 0)
        of_folds.append({name: _take_model(sums[f"{name} {k}"], m) for name in MEASURED})
    return reduce(add_sums, of_folds)


def _take_model(of_models: Floats, m: int) -> Floats:
    return of_models if of_models.ndim == 1 else of_models[:, m]


def correct_metrics(of_sample: Sequence[Metric], n_judged: float, sums: Sums, targets: TargetSchema) -> list[Metric]:
    """The metrics of all rows where sums tell them, else those of the sample; with standard errors to match.

    A standard error falls with the root of the number of rows: that of the sample tells the other.

    Parameters
    ----------
    of_sample
        Those of the rows of the sample, each predicted by a model without it.
    n_judged
        How much these rows count.
    sums
        Over all rows.
    targets
        What is predicted.
    """
    found = []
    for own in of_sample:
        classes = targets.classes[own.target]
        values = _measure_numbers(sums, own.target) if classes is None else _measure_classes(sums, own.target)
        if own.name in values:
            shrinks = np.sqrt(min(1.0, n_judged / max(float(sums["counts"][own.target]), 1e-300)))
            own = own._replace(value=values[own.name], standard_error=own.standard_error * shrinks)
        found.append(own)
    return found


def _measure_numbers(sums: Sums, t: int) -> dict[str, float]:
    count = max(float(sums["counts"][t]), 1e-300)
    variance = float(sums["spread"][t]) / count - (float(sums["total"][t]) / count) ** 2
    square = float(sums["square"][t]) / count
    values = {"rmse": float(np.sqrt(square)), "mae": float(sums["size"][t]) / count}
    return values | ({"r2": 1.0 - square / variance} if variance > 0 else {})


def _measure_classes(sums: Sums, t: int) -> dict[str, float]:
    count = max(float(sums["counts"][t]), 1e-300)
    return {
        name: float(sums[of][t]) / count
        for name, of in (("error", "wrong"), ("log_loss", "surprise"), ("brier", "brier"))
    }
