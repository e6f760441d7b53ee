"""Which way a prediction may change with an input: signs as users give them, for each input and channel.

A sign of a class is that of its probability. Scores of more than two classes, of which only differences count, keep it
where the class's own score rises with the input at least as fast as every other (`to_score_signs`).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.columns import NOMINAL
from glade.data.table import Schema
from glade.data.targets import TargetSchema

Signs = NDArray[np.int8]


def read_signs(monotonic_cst: Any, inputs: Schema, targets: TargetSchema) -> Signs | None:
    """Return inputs x channels: 1 where a channel may only rise with the input, -1 where it may only fall, else 0.

    Parameters
    ----------
    monotonic_cst
        None; one sign for each input, or a mapping from inputs' names to signs; or, for some of several targets, a
        mapping from their names to one of these. For a nominal target it may be a mapping from some of its classes to
        one of these, which says whose probability rises.
    inputs
        The inputs.
    targets
        The targets. The sign of a target of two classes is that of the second one, unless a class is named.
    """
    if monotonic_cst is None:
        return None
    signs = np.zeros((len(inputs.names), int(targets.start[-1])), np.int8)
    of_targets = dict.fromkeys(targets.names, monotonic_cst)
    if _holds_several(monotonic_cst) and not _is_of_classes(monotonic_cst, targets):
        _refuse_unknown(monotonic_cst, targets.names, _name_kinds(targets))
        of_targets = dict(monotonic_cst)
    for t, target in enumerate(targets.names):
        if target in of_targets:
            signs[:, targets.channels_of(t)] = _read_target(of_targets[target], inputs, target, targets.classes[t])
    return signs if signs.any() else None


def take_targets(signs: Signs | None, targets: TargetSchema, part: slice) -> Signs | None:
    """Return the signs of some of the targets."""
    if signs is None:
        return None
    first, last, _ = part.indices(targets.n_targets)
    own = signs[:, targets.start[first] : targets.start[last]]
    return np.ascontiguousarray(own) if own.any() else None


def find_open_targets(signs: Signs, targets: TargetSchema) -> list[str]:
    """Return the targets of more than two classes of which an input has signs for several, or not for one alone.

    The scores of boosted trees, each bounded by itself, can be held to a single class for each input.
    """
    of_many = [t for t, classes in enumerate(targets.classes) if classes is not None and len(classes) > 2]
    return [targets.names[t] for t in of_many if (np.count_nonzero(signs[:, targets.channels_of(t)], axis=1) > 1).any()]


def to_score_signs(signs: Signs, targets: TargetSchema) -> Signs:
    """Return signs of scores, inputs x channels, that keep those of probabilities: other classes go the other way.

    That costs nothing: the same may be added to the scores of all classes. An input has one class with a sign at most
    (`find_open_targets`).
    """
    found = signs.copy()
    for t, classes in enumerate(targets.classes):
        if classes is not None and len(classes) > 2:
            own = signs[:, targets.channels_of(t)]
            found[:, targets.channels_of(t)] = np.where(own != 0, own, -own.sum(axis=1, keepdims=True))
    return found


def _holds_several(given: Any) -> bool:
    """Whether signs are given for each of some targets, or classes, by itself."""
    values = list(given.values()) if isinstance(given, Mapping) else []
    return any(isinstance(value, (Mapping, list, tuple, np.ndarray)) or _has_index(value) for value in values)


def _has_index(given: Any) -> bool:
    """Whether it is a series of pandas."""
    return hasattr(given, "iloc")


def _is_of_classes(given: Mapping[Any, Any], targets: TargetSchema) -> bool:
    """Whether the names are those of classes of the only target."""
    classes = targets.classes[0]
    return targets.n_targets == 1 and classes is not None and set(given) <= set(classes.tolist())


def _name_kinds(targets: TargetSchema) -> str:
    """What several signs may be given for."""
    classes = targets.classes[0]
    if targets.n_targets > 1 or classes is None:
        return "target"
    return f"class (these are {list_names(classes.tolist())}) and no target"


def _refuse_unknown(given: Mapping[Any, Any], names: tuple[str, ...], what: str) -> None:
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(
            f"monotonic_cst names {list_names(unknown)}, which is no {what}; these are {list_names(names)}"
        )


def _read_of_inputs(given: Any, inputs: Schema) -> Signs:
    """Return one sign for each input."""
    if _has_index(given) and list(given.index) != list(range(len(given))):
        given = dict(given)  # its index says which sign is whose
    if np.ma.is_masked(given) or getattr(getattr(given, "dtype", None), "kind", "") == "c":
        raise ValueError(f"monotonic_cst must hold the numbers -1, 0 and 1, but is {given!r}")
    if isinstance(given, Mapping):
        _refuse_unknown(given, inputs.names, "input")
        given = [given.get(name, 0) for name in inputs.names]
    try:
        signs = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"monotonic_cst must hold the numbers -1, 0 and 1, but is {given!r}") from None
    if signs.shape != (len(inputs.names),):
        raise ValueError(
            f"monotonic_cst has shape {signs.shape}, but there are {len(inputs.names)} inputs: give a number for each,"
            " or a dictionary from the names of some of them to numbers"
        )
    for name, kind, sign in zip(inputs.names, inputs.kinds, signs, strict=True):
        if sign not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst is {sign:g} for input {quote_name(name)}, but must be -1, 0 or 1")
        if sign != 0 and kind == NOMINAL:
            raise ValueError(
                f"monotonic_cst is {sign:g} for input {quote_name(name)}, which is nominal and has no order: give it as"
                " numbers or as an ordered category, or leave it out of monotonic_cst"
            )
    return signs.astype(np.int8)


def _read_target(given: Any, inputs: Schema, target: str, classes: NDArray[Any] | None) -> Signs:
    """Return inputs x channels of one target."""
    n_channels = 1 if classes is None else len(classes)
    signs = np.zeros((len(inputs.names), n_channels), np.int8)
    if classes is not None and _holds_several(given):
        labels = classes.tolist()
        unknown = [label for label in given if label not in labels]
        if unknown:
            raise ValueError(
                f"monotonic_cst names {list_names(unknown)}, which is no class of target {quote_name(target)}: its"
                f" classes are {list_names(labels)}"
            )
        for label, own in given.items():
            signs[:, labels.index(label)] = _read_of_inputs(own, inputs)
        if n_channels == 2:
            _follow_other(signs, inputs, target)
        return signs
    own = _read_of_inputs(given, inputs)
    if n_channels == 2:
        signs[:, 0], signs[:, 1] = -own, own
    elif n_channels == 1:
        signs[:, 0] = own
    elif own.any():
        raise ValueError(
            f"target {quote_name(target)} of monotonic_cst has {n_channels} classes: which of them is to rise? Give"
            " {class: signs} for some of them"
        )
    return signs


def _follow_other(signs: Signs, inputs: Schema, target: str) -> None:
    """Let the probability of one of two classes fall where that of the other rises."""
    against = np.flatnonzero((signs[:, 0] * signs[:, 1]) > 0)
    if len(against):
        raise ValueError(
            f"monotonic_cst lets both classes of target {quote_name(target)} go the same way with input"
            f" {quote_name(inputs.names[against[0]])}: name one of them"
        )
    rising = np.sign(signs[:, 1] - signs[:, 0])
    signs[:, 0], signs[:, 1] = -rising, rising
