"""Row weights and target weights."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_name


def read_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Row weights as floats. Only ratios matter: they are scaled by a power of two, equal ones become 1."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must have one dimension, but its shape is {weights.shape}")
    if len(weights) != n_rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one weight for each row of X")
    for is_bad, what in ((np.isnan(weights), "NaN"), (np.isinf(weights), "infinite"), (weights < 0, "negative")):
        if is_bad.any():
            raise ValueError(
                f"sample_weight of row {int(is_bad.argmax())} is {what}: weights are finite and at least zero"
            )
    if not (weights > 0).any():
        raise ValueError("Sample weights must contain at least one non-zero number: all rows have weight zero")
    if (weights[weights > 0] == weights.max()).all():
        return (weights > 0).astype(float)
    whole = bool((weights == np.floor(weights)).all()) and weights.max() < 2**53
    return weights if whole else np.ldexp(weights, -int(np.frexp(weights.max())[1]))


def read_target_weights(target_weights: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    """How much each target counts: None, a sequence in the targets' order, or a mapping by name (others count 1)."""
    if target_weights is None:
        return np.ones(len(names))
    if isinstance(target_weights, Mapping):
        unknown = [show_name(name) for name in target_weights if name not in names]
        if unknown:
            raise ValueError(
                f"target_weights names {', '.join(unknown)}, which is no target; targets: {', '.join(names)}"
            )
        weights = np.array([target_weights.get(name, 1.0) for name in names], dtype=float)
    else:
        weights = np.asarray(target_weights, dtype=float)
    if weights.shape != (len(names),):
        raise ValueError(f"target_weights has shape {weights.shape}, but there are {len(names)} targets")
    if not np.isfinite(weights).all() or (weights < 0).any() or not (weights > 0).any():
        raise ValueError("target_weights must be finite, at least zero, and not all zero")
    return weights
