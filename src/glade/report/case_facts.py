"""What the panel of one case needs: a real typical row, and where the values of each input lie."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.report.numbers import exact

Floats = NDArray[np.float64]
QUANTILES = 21  # of a number, for sliders that go by rows, not by amounts
MAX_ROWS = 400


def find_typical(matrix: Floats, schema: Schema, used: list[int]) -> int:
    """The row that is nearest to the others on the inputs that matter: a real one, which means and medians are not.

    Numbers differ by their distance as a share of the middle nine tenths of the rows, categories by one, and a missing
    value differs from all others.
    """
    rows = np.sort(np.random.default_rng(0).permutation(len(matrix))[:MAX_ROWS])
    total = np.zeros((len(rows), len(rows)))
    for j in used:
        own = matrix[rows, j]
        differ = (own[:, None] != own[None, :]).astype(float)
        if schema.labels[j] is None and (~np.isnan(own)).any():
            low, high = np.nanquantile(own, [0.05, 0.95])
            distance = np.abs(own[:, None] - own[None, :]) / (high - low or 1.0)
            differ = np.where(np.isnan(distance), differ, np.minimum(distance, 1.0))
        total += np.where(np.isnan(own)[:, None] & np.isnan(own)[None, :], 0.0, differ)
    return int(rows[total.sum(axis=1).argmin()])


def list_quantiles(column: Floats) -> list[float]:
    """Values of a number at even shares of the rows, the least and the most among them."""
    known = column[~np.isnan(column)]
    if not len(known):
        return []
    shares = np.linspace(0, 1, QUANTILES)
    quantiles: list[float] = exact(np.quantile(known, shares, method="nearest"))
    return quantiles


def describe_typical(matrix: Floats, schema: Schema, importance: Floats, with_rows: bool) -> dict[str, Any]:
    """The typical row and its place; without rows, the middle of each input by itself, which may be no real row."""
    order = np.argsort(-importance, kind="stable")
    used = [int(j) for j in order if importance[j] > 0] or [int(j) for j in order[:1]]
    if with_rows:
        place = find_typical(matrix, schema, used)
        return {"place": place, "x": exact(matrix[place])}
    middle = [_find_middle(matrix[:, j], schema.labels[j] is not None) for j in range(matrix.shape[1])]
    return {"place": None, "x": exact(np.array(middle))}


def _find_middle(column: Floats, is_label: bool) -> float:
    known = column[~np.isnan(column)]
    if not len(known):
        return np.nan
    if is_label:
        return float(np.bincount(known.astype(np.int64)).argmax())
    return float(np.quantile(known, 0.5, method="nearest"))
