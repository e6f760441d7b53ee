"""Numbers that people can read and that lose nothing when read back."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context

import numpy as np
from numpy.typing import NDArray

MAX_DIGITS = 17
EXACT_POWER = 22  # 10**22 is the largest power of ten that a double holds exactly

Doubles = NDArray[np.float64]


def _round_to_digits(x: Doubles, digits: int) -> tuple[Doubles, Doubles]:
    """The decimals with so many significant digits next below and above x, each the nearest double to its decimal."""
    with np.errstate(divide="ignore"):
        exponent = np.where(x == 0, 0, np.floor(np.log10(np.abs(x)))).astype(int) - digits + 1
    fast = np.abs(exponent) <= EXACT_POWER
    power = 10.0 ** np.where(fast, np.abs(exponent), 0)
    scaled = np.where(exponent < 0, x * power, x / power)
    below, above = (np.where(exponent < 0, n / power, n * power) for n in (np.floor(scaled), np.ceil(scaled)))
    for i in np.flatnonzero(~fast):
        for pair, rounding in ((below, ROUND_FLOOR), (above, ROUND_CEILING)):
            pair[i] = float(Context(prec=digits, rounding=rounding).create_decimal_from_float(float(x[i])))
    return below, above


def shortest_between(low: Doubles, high: Doubles, near: Doubles) -> Doubles:
    """For each pair low < high, the decimal v with the fewest digits such that low <= v < high, close to `near`.

    >>> shortest_between(np.array([2.0, 10432.0, 1.2]), np.array([3.0, 10781.0, 1.3]), np.array([2.5, 10606.5, 1.25]))
    array([2.00e+00, 1.06e+04, 1.20e+00])
    """
    cut = np.where((low <= near) & (near < high), near, low)  # where no short decimal separates the two
    open_ = np.arange(len(cut))
    for digits in range(1, MAX_DIGITS):
        if len(open_) == 0:
            break
        below, above = _round_to_digits(near[open_], digits)
        inside_below = (low[open_] <= below) & (below < high[open_])
        inside_above = (low[open_] <= above) & (above < high[open_])
        with np.errstate(over="ignore"):
            take_above = inside_above & ~(inside_below & (near[open_] - below <= above - near[open_]))
        found = inside_below | inside_above
        cut[open_[found]] = np.where(take_above, above, below)[found]
        open_ = open_[~found]
    return cut + 0.0  # no negative zero
