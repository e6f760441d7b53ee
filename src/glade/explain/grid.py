"""The points of an input at which a model is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.data.table import NUMERIC, Schema


@dataclass(frozen=True)
class Axis:
    """Points of one input, the missing value last where there is one.

    Parameters
    ----------
    name
        Of the input.
    codes
        The points as the model sees them: numbers, positions of labels, NaN for missing.
    labels
        What the positions stand for; None for numbers.
    """

    name: str
    codes: NDArray[np.float64]
    labels: tuple[Any, ...] | None

    @classmethod
    def of(cls, schema: Schema, j: int, values: NDArray[np.float64], n_points: int, limit: int | None) -> "Axis":
        """Points for input j: values of it spread evenly over the rows, or its categories.

        Parameters
        ----------
        schema, j
            The input.
        values
            Its encoded values in the rows.
        n_points
            Numbers of which there are more are thinned out to so many quantiles.
        limit
            The most categories, the commonest first; None for all.
        """
        known = values[~np.isnan(values)]
        labels = schema.labels[j]
        if schema.kinds[j] == NUMERIC:
            codes = np.unique(known)
            if len(codes) > n_points:
                codes = np.unique(np.quantile(known, np.linspace(0, 1, n_points), method="nearest"))
        else:
            codes = np.arange(float(len(labels or ())))
            if limit is not None and len(codes) > limit:
                count = np.bincount(known.astype(np.int64), minlength=len(codes))
                codes = np.sort(np.argsort(-count, kind="stable")[:limit]).astype(float)
        if schema.has_missing[j] or len(known) < len(values):
            codes = np.append(codes, np.nan)
        return cls(schema.names[j], codes, labels)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def has_missing(self) -> bool:
        return bool(np.isnan(self.codes[-1:]).any())

    @property
    def n_known(self) -> int:
        """Points that are not missing."""
        return len(self) - self.has_missing

    @property
    def values(self) -> NDArray[Any]:
        """The points in the user's terms: numbers, NaN for missing; or labels, None for missing."""
        if self.labels is None:
            return self.codes
        shown = [None if np.isnan(code) else self.labels[int(code)] for code in self.codes]
        return np.array([*shown, None], dtype=object)[:-1]


def find_inputs(schema: Schema, inputs: Any) -> list[int]:
    """The positions of inputs given by name or by position."""
    given = [inputs] if isinstance(inputs, (str, int, np.integer)) else list(inputs)
    return [_find_input(schema.names, one) for one in given]


def _find_input(names: Sequence[str], given: Any) -> int:
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool) and -len(names) <= given < len(names):
        return int(given) % len(names)
    if str(given) in names:
        return names.index(str(given))
    raise InputError(f"the model has no input {quote_name(given)}: its inputs are {list_names(names)}")
