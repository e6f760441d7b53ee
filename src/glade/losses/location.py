"""Where numbers lie and how far they spread, told such that a few of them do not matter; and weighted quantiles."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from glade.losses.links import Floats

HALVINGS = 200  # of an interval: more than a double has
NORMAL = 1.4826  # times the median distance from the median is the standard deviation of normal numbers


def find_zero(gradient: Callable[[Floats, Floats], Floats], y: Floats, share: Floats) -> Floats:
    """The constant score at which gradients, which rise with the score, add up to zero; between the targets' ends."""
    counts = share > 0
    y, share = y[:, counts], share[counts]
    if not y.shape[1]:
        return np.zeros(len(y))
    low, high = float(y.min()), float(y.max())
    for _ in range(HALVINGS):
        middle = low + (high - low) / 2
        if middle in (low, high):
            break
        is_above = float((gradient(y, np.full_like(y, middle)) @ share).sum()) > 0
        low, high = (low, middle) if is_above else (middle, high)
    return np.array([low + (high - low) / 2])


def find_quantile(values: Floats, weights: Floats, level: float) -> float:
    """The least value up to which at least this share of the weight lies."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(total, level * total[-1])]])


def measure_location(values: NDArray[np.float64], weights: Floats) -> tuple[float, float]:
    """The median of numbers, and their spread: the median distance from it, in standard deviations of normal ones.

    Where half of them are the same, the spread is their standard deviation; of constant ones it is said to be 1.
    """
    known = ~np.isnan(values)
    values, weights = values[known], weights[known]
    middle = find_quantile(values, weights, 0.5)
    distance = np.abs(values - middle)
    spread = NORMAL * find_quantile(distance, weights, 0.5)
    if spread == 0.0:
        largest = float(distance.max()) or 1.0
        spread = largest * float(np.sqrt(np.average((distance / largest) ** 2, weights=weights)))
    return middle, spread or 1.0
