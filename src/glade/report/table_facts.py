"""What a table holds: its columns and how their values are spread."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_name
from glade.data.columns import Column
from glade.data.table import Schema
from glade.data.targets import TargetSchema, match_classes
from glade.report.case_facts import list_quantiles
from glade.report.numbers import exact, show_names

N_BARS = 16
N_COMMON = 8  # categories with a bar of their own


@dataclass(frozen=True)
class ReadRows:
    """A table as a model reads it: encoded inputs, and per target numbers or places of classes (NaN unknown, -1 new).

    `targets` is None where the table has none of them.
    """

    matrix: NDArray[np.float64]
    targets: list[NDArray[np.float64]] | None

    @classmethod
    def of(cls, model: Any, X: Any, y: Any) -> "ReadRows":
        matrix = model.encode(X)
        if y is None:
            return cls(matrix, None)
        truth = zip(read_truth(model, y), model.target_schema_.classes, strict=True)
        return cls(matrix, [c.values if classes is None else match_classes(c, classes) for c, classes in truth])


def read_truth(model: Any, y: Any) -> list[Column]:
    """The targets of a table; a value may be missing, whatever the model's fit would have said of it."""
    truth: list[Column] = model.read_truth(y, len(y), missing="ignore")
    return truth


def describe_inputs(schema: Schema, matrix: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Each input: name, kind, labels, how its values are spread; of a number also its quantiles."""
    facts = []
    for j, (name, kind, labels) in enumerate(zip(schema.names, schema.kinds, schema.labels, strict=True)):
        values = matrix[:, j]
        own = _spread_numbers(values) if labels is None else _spread_labels(values, labels)
        own |= {"name": show_name(name), "kind": kind, "missing": int(np.isnan(values).sum())}
        own["quantiles"] = list_quantiles(values) if labels is None else None
        own["labels"] = None if labels is None else show_names(labels)
        facts.append(own)
    return facts


def describe_targets(targets: TargetSchema, spread: NDArray[np.float64], rows: ReadRows) -> list[dict[str, Any]]:
    """Each target: name, classes, where its channels start, its spread, how its values are spread in the table."""
    facts = []
    for t, (name, classes) in enumerate(zip(targets.names, targets.classes, strict=True)):
        at = targets.channels_of(t)
        own: dict[str, Any] = {"name": show_name(name), "start": at.start, "spread": exact(spread[at])}
        own["classes"] = None if classes is None else show_names(classes)
        if rows.targets is not None:
            values = rows.targets[t]
            own |= _spread_numbers(values) if classes is None else _spread_labels(values, classes)
            own["missing"] = int(np.isnan(values).sum())
        facts.append(own)
    return facts


def _spread_numbers(values: NDArray[np.float64]) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    if not len(known):
        return {"typical": None, "low": None, "high": None, "bars": []}
    low, high = float(known.min()), float(known.max())
    with np.errstate(over="ignore"):
        is_plain = 0 < high - low < np.inf
    bars = np.histogram(known, N_BARS, (low, high))[0].tolist() if is_plain else [len(known)]
    typical = float(np.quantile(known, 0.5, method="nearest"))
    return {"typical": typical, "low": low, "high": high, "bars": bars}


def _spread_labels(values: NDArray[np.float64], labels: Any) -> dict[str, Any]:
    known = values[~np.isnan(values) & (values >= 0)].astype(np.int64)
    counts = np.bincount(known, minlength=len(labels))
    common = np.argsort(-counts, kind="stable")[:N_COMMON]
    typical = int(common[0]) if len(known) else None
    return {"typical": typical, "common": [[int(k), int(counts[k])] for k in common if counts[k]]}
