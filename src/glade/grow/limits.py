"""Limits as users give them, in rows and inputs."""

from numbers import Integral

import numpy as np


def count_inputs(max_features: int | float | str | None, n_inputs: int) -> int:
    """How many inputs a node tries: a number, a share, or a named function of the number of inputs.

    >>> [count_inputs(m, 16) for m in (None, 3, 0.5, "sqrt", "log2", "log2+1", "third")]
    [16, 3, 8, 4, 4, 5, 5]
    """
    named = {
        "sqrt": np.sqrt(n_inputs),
        "log2": np.log2(n_inputs),
        "log2+1": np.log2(n_inputs) + 1,
        "third": n_inputs / 3,
    }
    if max_features is None:
        return n_inputs
    if isinstance(max_features, str):
        wanted = named[max_features]
    else:
        wanted = max_features if isinstance(max_features, Integral) else max_features * n_inputs
    return int(np.clip(int(wanted), 1, n_inputs))


def count_rows(limit: int | float, n_rows: int) -> int:
    """A limit in rows: a number, or a share of all rows, rounded up."""
    return int(limit) if isinstance(limit, Integral) else int(np.ceil(limit * n_rows))
