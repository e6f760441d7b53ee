"""Which way a prediction may change with an input: signs as users give them, for each input and channel."""

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
        mapping from their names to one of these.
    inputs
        The inputs.
    targets
        The targets. The sign of a target of two classes is that of the second one.
    """
    if monotonic_cst is None:
        return None
    signs = np.zeros((len(inputs.names), int(targets.start[-1])), np.int8)
    of_targets = dict.fromkeys(targets.names, monotonic_cst)
    if _is_by_target(monotonic_cst):
        _refuse_unknown(monotonic_cst, targets.names, "target")
        of_targets = dict(monotonic_cst)
    for t, target in enumerate(targets.names):
        if target in of_targets:
            _fill(signs[:, targets.channels_of(t)], _read_of_inputs(of_targets[target], inputs), target)
    return signs if signs.any() else None


def take_targets(signs: Signs | None, targets: TargetSchema, part: slice) -> Signs | None:
    """Return the signs of some of the targets."""
    if signs is None:
        return None
    first, last, _ = part.indices(targets.n_targets)
    own = signs[:, targets.start[first] : targets.start[last]]
    return np.ascontiguousarray(own) if own.any() else None


def _is_by_target(monotonic_cst: Any) -> bool:
    """Whether signs are given for each target by itself."""
    values = list(monotonic_cst.values()) if isinstance(monotonic_cst, Mapping) else []
    return any(isinstance(value, (Mapping, list, tuple, np.ndarray)) for value in values)


def _refuse_unknown(given: Mapping[Any, Any], names: tuple[str, ...], what: str) -> None:
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(
            f"monotonic_cst names {list_names(unknown)}, which is no {what}; these are {list_names(names)}"
        )


def _read_of_inputs(given: Any, inputs: Schema) -> Signs:
    """Return one sign for each input."""
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


def _fill(channels: Signs, signs: Signs, target: str) -> None:
    """Fill inputs x channels of one target."""
    n_channels = channels.shape[1]
    if n_channels == 1:
        channels[:, 0] = signs
    elif n_channels == 2:
        channels[:, 0], channels[:, 1] = -signs, signs
    elif signs.any():
        raise ValueError(
            f"monotonic_cst is for numbers and for two classes, but target {quote_name(target)} has {n_channels}"
            " classes: which of them is to rise? Leave it out, or fit a model of one class against the others"
        )
