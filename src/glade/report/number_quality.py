"""How good the predictions of numbers are: predicted beside actual, and how far they are off."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.report.numbers import rounded

Floats = NDArray[np.float64]
CELLS = 48  # to each side of the picture
BARS = 25
SHARES = (0.5, 0.8, 0.9)  # of the predictions, for which it is said how far they are off at most
FAR = 0.005  # of the rows at each end of the range that may lie outside the picture's bars


def measure_numbers(values: Floats, truth: Floats) -> dict[str, Any]:
    """What honest predictions say beside the true numbers."""
    off = truth - values
    spread = truth - truth.mean()
    squares = float((spread**2).sum())
    return {
        "rows": len(truth),
        "rmse": float(np.sqrt(np.mean(off**2))),
        "mae": float(np.abs(off).mean()),
        "guessRmse": float(np.sqrt(np.mean(spread**2))),
        "guessMae": float(np.abs(truth - np.median(truth)).mean()),
        "r2": float(1.0 - (off**2).sum() / squares) if squares > 0 else None,
        "bias": float(-off.mean()),
        "within": [[share, float(np.quantile(np.abs(off), share))] for share in SHARES],
        "cells": count_cells(values, truth),
        "off": count_bars(off),
    }


def count_cells(values: Floats, truth: Floats) -> dict[str, Any] | None:
    """How many rows lie in each cell of a square whose sides are predicted (x) and actual (y) values."""
    low = float(min(values.min(), truth.min()))
    high = float(max(values.max(), truth.max()))
    with np.errstate(over="ignore"):
        if not 0 < high - low < np.inf:
            return None
    size = (high - low) / CELLS
    x, y = (np.minimum(((own - low) / size).astype(np.int64), CELLS - 1) for own in (values, truth))
    cells, counts = np.unique(x * CELLS + y, return_counts=True)
    listed = [[int(cell) // CELLS, int(cell) % CELLS, int(n)] for cell, n in zip(cells, counts, strict=True)]
    return {"low": low, "high": high, "n": CELLS, "cells": listed}


def count_bars(off: Floats) -> dict[str, Any] | None:
    """How many predictions are off by how much: bars around zero; the few that are off by more are in the last ones."""
    most = float(max(np.abs(np.quantile(off, [FAR, 1 - FAR], method="nearest"))))
    if not 0 < most < np.inf:
        return None
    counts = np.histogram(np.clip(off, -most, most), BARS, (-most, most))[0]
    return {"most": rounded(np.array([most]), 6)[0], "bars": counts.tolist()}
