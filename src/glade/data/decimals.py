"""Numbers that people can read and that lose nothing when read back."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def shortest_between(low: Doubles, high: Doubles, near: Doubles) -> Doubles:
    """For each pair low < high, the decimal v with the fewest digits such that low <= v < high, close to `near`.

    >>> shortest_between(np.array([2.0, 10432.0, 1.2]), np.array([3.0, 10781.0, 1.3]), np.array([2.5, 10606.5, 1.25]))
    array([2.00e+00, 1.06e+04, 1.20e+00])
    """
    from glade.data._decimals import find_short_decimals

    cuts = np.empty(len(near))
    find_short_decimals(low, high, near, cuts)
    for i in np.flatnonzero(np.isnan(cuts)):
        cuts[i] = _shortest_by_decimals(float(low[i]), float(high[i]), float(near[i]))
    return cuts


def _shortest_by_decimals(low: float, high: float, near: float) -> float:
    """The same for one pair of any size, by slow decimal numbers."""
    from glade.data._decimals import MAX_DIGITS

    for digits in range(1, MAX_DIGITS):
        contexts = (Context(prec=digits, rounding=rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))
        below, above = (float(context.create_decimal_from_float(near)) for context in contexts)
        fits = [v for v in (below, above) if low <= v < high]
        if fits:
            return min(fits, key=lambda v: abs(v - near))
    return near if low <= near < high else low
