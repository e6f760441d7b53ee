"""The stored form of what a model knows of its inputs and targets, and checks of all that refers to them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.core.plain_values import NUMPY, NUMPY_NAMES, NotPlainError, to_json
from glade.data.decisions import NEVER, Decision
from glade.data.schema_checks import check_edges as check_edges
from glade.data.schema_checks import check_inputs as check_inputs
from glade.data.schema_checks import check_sets as check_sets
from glade.data.schema_checks import is_kind as is_kind
from glade.data.table import NOMINAL, NUMERIC, ORDINAL, Labels, Schema
from glade.data.targets import TargetSchema, is_wide_text, to_object_array
from glade.models.saved.parts import FilePart, require
from glade.models.saved.values import are_all, are_distinct, from_json

OBJECT = "object"


def store_schema(schema: Schema) -> dict[str, Any]:
    """The inputs."""
    all_unused = schema.unused or ((),) * len(schema.names)
    return {
        "names": list(schema.names),
        "kinds": list(schema.kinds),
        "labels": [_store_labels(name, labels) for name, labels in zip(schema.names, schema.labels, strict=True)],
        "has_missing": list(schema.has_missing),
        "unused": [_store_labels(name, unused) for name, unused in zip(schema.names, all_unused, strict=True)],
    }


def read_schema(part: FilePart) -> Schema:
    """The inputs, at least one."""
    names = _read_names(part)
    kinds, has_missing = part.value("kinds", list), part.value("has_missing", list)
    labels = [None if own is None else _read_labels(own) for own in part.value("labels", list)]
    unused = [_read_labels(own) for own in part.value("unused", list)]
    require({len(column) for column in (kinds, has_missing, labels, unused)} == {len(names)}, "inputs lack a kind")
    require(all(kind in (NUMERIC, ORDINAL, NOMINAL) for kind in kinds), "an input is of no known kind")
    has_labels = [own is not None for own in labels]
    require(has_labels == [kind != NUMERIC for kind in kinds], "an input lacks labels, or has some and is numeric")
    require(all(type(flag) is bool for flag in has_missing), "it is not known which inputs had missing values")
    return Schema(names, tuple(kinds), tuple(labels), tuple(has_missing), tuple(unused))


def store_targets(targets: TargetSchema) -> dict[str, Any]:
    """The targets: a nominal one's classes with the type of their array."""
    classes = []
    for name, own in zip(targets.names, targets.classes, strict=True):
        kind = None if own is None else OBJECT if own.dtype == object else NUMPY_NAMES.get(own.dtype.type)
        if own is not None and kind is None:
            raise InputError(f"the classes of target {quote_name(name)} are {own.dtype}, which no model file can hold")
        classes.append(None if own is None else [kind, _store_labels(name, tuple(own.tolist()))])
    decisions = [_store_decision(own) for own in targets.decisions]
    return {"names": list(targets.names), "classes": classes, **({"decisions": decisions} if decisions else {})}


def _store_decision(own: Decision) -> list[Any]:
    stored = [own.event, own.threshold, None if own.weights is None else list(own.weights)]
    return stored if own.costs is None else [*stored, [list(row) for row in own.costs]]


def read_target_schema(part: FilePart) -> TargetSchema:
    """The targets, at least one."""
    names = _read_names(part)
    classes = part.value("classes", list)
    require(len(classes) == len(names), "it is not known which targets have classes")
    pairs = [None if own is None else _read_kind_and_labels(own) for own in classes]
    is_wide = is_wide_text([None if own is None else own[1] for own in pairs])
    found = tuple(None if own is None else _to_classes(*own, is_wide) for own in pairs)
    stored = part.value("decisions", list) if "decisions" in part else None
    if stored is None:  # of glade 0.1
        return TargetSchema(names, found)
    require(len(stored) == len(names), "it is not known how probabilities become classes")
    return TargetSchema(names, found, tuple(map(_read_decision, stored, found)))


def _read_decision(stored: Any, classes: NDArray[Any] | None) -> Decision:
    """How the probabilities of a target become a class; where it has two, one of them is asked for."""
    require(isinstance(stored, list) and len(stored) in (3, 4), "how probabilities become a class cannot be read")
    event, threshold, weights, costs = (*stored, None)[:4]
    n_classes = 0 if classes is None else len(classes)
    require((event in (0, 1) and type(event) is int) if n_classes == 2 else event is None, "an event is no class")
    is_threshold = threshold is None or (type(threshold) is float and 0 <= threshold <= NEVER and event is not None)
    require(is_threshold, "a threshold is no probability")
    if costs is not None:
        return Decision(costs=_read_costs(costs, n_classes, weights))
    if weights is None:
        return Decision(event, threshold)
    are_weights = isinstance(weights, list) and len(weights) == n_classes and n_classes != 2
    require(are_weights and all(type(own) is float and 0 <= own < np.inf for own in weights), "classes have no weights")
    return Decision(event, threshold, tuple(weights))


def _read_costs(stored: Any, n_classes: int, weights: Any) -> tuple[tuple[float, ...], ...]:
    """What it costs to say each class where each is true."""
    require(n_classes > 2 and weights is None, "costs are not for these classes")
    is_square = isinstance(stored, list) and len(stored) == n_classes
    require(is_square and all(isinstance(row, list) and len(row) == n_classes for row in stored), "costs are no matrix")
    all_costs = [own for row in stored for own in row]
    require(all(type(own) is float and 0 <= own < np.inf for own in all_costs), "a cost is no number from 0 on")
    return tuple(map(tuple, stored))


def _read_kind_and_labels(stored: Any) -> tuple[str, Labels]:
    require(isinstance(stored, list) and len(stored) == 2, "the classes of a target cannot be read")
    kind, labels = stored[0], _read_labels(stored[1])
    is_known = isinstance(kind, str) and kind in (OBJECT, *NUMPY)
    require(labels and is_known, "a target has no classes, or of no known type")
    require(kind == OBJECT or are_all(labels, kind), f"the classes of a target are not all {kind}")
    return kind, labels


def _to_classes(kind: str, labels: Labels, is_wide: bool) -> NDArray[Any]:
    """Of the type that they had, but for text that would be too wide, which glade 0.1 kept so."""
    if kind == OBJECT or (is_wide and NUMPY[kind] is np.str_):
        return to_object_array(labels)
    try:
        classes = np.array(labels, dtype=NUMPY[kind])
    except OverflowError:
        classes = np.empty(0)
    require(classes.tolist() == list(labels), f"the classes of a target are not all {kind}")
    return classes


def _store_labels(name: str, labels: Labels | None) -> Any:
    try:
        return None if labels is None else to_json(list(labels))
    except NotPlainError as fault:
        raise InputError(
            f"{quote_name(name)} has a category {fault}, which no model file can hold: make its categories"
            " text or numbers, and fit again"
        ) from None


def _read_labels(stored: Any) -> Labels:
    require(isinstance(stored, list), "labels are no list")
    labels = tuple(from_json(stored))
    try:
        is_label_each = are_distinct(labels)
    except TypeError:  # a list among them
        is_label_each = False
    require(is_label_each, "a label stands twice, or is none")
    return labels


def _read_names(part: FilePart) -> tuple[str, ...]:
    names = part.value("names", list)
    require(names and all(type(name) is str for name in names), "names are no text")
    require(are_distinct(names), "a name stands twice")
    return tuple(names)
