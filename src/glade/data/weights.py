"""Row weights, class weights and target weights."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.columns import Column


def read_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Row weights as floats. Only ratios matter: they are scaled by a power of two, equal ones become 1."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = _to_numbers(sample_weight, "sample_weight")
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must have one dimension, but its shape is {weights.shape}")
    if len(weights) != n_rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one weight for each row of X")
    _check_weights(weights, lambda row: f"sample_weight of row {row}")
    if not (weights > 0).any():
        raise ValueError("Sample weights must contain at least one non-zero number: all rows have weight zero")
    if (weights[weights > 0] == weights.max()).all():
        return (weights > 0).astype(float)
    whole = bool((weights == np.floor(weights)).all()) and weights.max() < 2**53
    return weights if whole else np.ldexp(weights, -int(np.frexp(weights.max())[1]))


def read_class_weights(
    class_weight: Any, targets: list[Column], weights: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    """What an error in each class of each target costs.

    Parameters
    ----------
    class_weight
        "balanced", a mapping from classes to weights, or a list of these, one for each target.
    targets
        Nominal columns.
    weights
        Row weights: a balanced class has its share of the whole weight.
    """
    if isinstance(class_weight, str) or (len(targets) == 1 and not isinstance(class_weight, list)):
        class_weight = [class_weight] * len(targets)
    if not isinstance(class_weight, list) or len(class_weight) != len(targets):
        raise ValueError(
            f"class_weight must be 'balanced' or a list of {len(targets)} mappings, one for each target; got"
            f" {class_weight!r}"
        )
    found = []
    for column, given in zip(targets, class_weight, strict=True):
        known = ~np.isnan(column.values)
        codes = column.values[known].astype(np.int64)
        mass = np.bincount(codes, weights[known], len(column.labels or ())).astype(float)
        found.append(_weigh_classes(given, column, mass))
        if not (found[-1] > 0).any():
            raise ValueError(f"class_weight leaves no class of target {quote_name(column.name)} that counts")
    return found


def _weigh_classes(class_weight: Any, target: Column, mass: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each class of a target, whose rows have this mass."""
    classes = target.labels or ()
    if isinstance(class_weight, str) and class_weight == "balanced":
        return mass.sum() / (len(mass) * mass)
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight must be 'balanced' or a mapping from classes to weights, got {class_weight!r}")
    strange = [key for key in class_weight if key not in classes]
    plain = [label for label in classes if label not in class_weight]
    if strange and plain:  # a slip, most likely; a class that a sample lacks is none
        raise ValueError(
            f"class_weight names {list_names(strange)}, which is no class of target {quote_name(target.name)}, and"
            f" leaves out {list_names(plain)}"
        )
    weights = _to_numbers([class_weight.get(label, 1.0) for label in classes], "class_weight")
    _check_weights(weights, lambda k: f"class_weight of class {quote_name(classes[k])}")
    return weights


def read_target_weights(target_weights: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    """How much each target counts: None, a sequence in the targets' order, or a mapping by name (others count 1)."""
    if target_weights is None:
        return np.ones(len(names))
    if isinstance(target_weights, Mapping):
        unknown = [name for name in target_weights if name not in names]
        if unknown:
            raise ValueError(
                f"target_weights names {list_names(unknown)}, which is no target; the targets: {list_names(names)}"
            )
        target_weights = [target_weights.get(name, 1.0) for name in names]
    weights = _to_numbers(target_weights, "target_weights")
    if weights.shape != (len(names),):
        raise ValueError(f"target_weights has shape {weights.shape}, but there are {len(names)} target(s)")
    _check_weights(weights, lambda t: f"target_weights of target {quote_name(names[t])}")
    if not (weights > 0).any():
        raise ValueError("target_weights must not all be zero")
    return weights


def _to_numbers(weights: Any, what: str) -> NDArray[np.float64]:
    """An array of floats; text and complex numbers are no weights."""
    try:
        array = np.asarray(weights)
        if array.dtype.kind not in "USc":
            return np.array(
                weights, dtype=np.float64, order="C"
            )  # a copy, contiguous: the one form kernels are compiled for
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must hold numbers only: {error}") from None
    raise ValueError(f"{what} must hold numbers only, but is of type {array.dtype}")


def _check_weights(weights: NDArray[np.float64], name_of: Callable[[int], str]) -> None:
    """Weights are finite and at least zero; the first that is not is named."""
    for is_bad, what in ((np.isnan(weights), "NaN"), (np.isinf(weights), "infinite"), (weights < 0, "negative")):
        if is_bad.any():
            raise ValueError(f"{name_of(int(is_bad.argmax()))} is {what}: weights are finite and at least zero")
