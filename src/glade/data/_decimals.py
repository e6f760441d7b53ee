"""Short decimals between two numbers."""

import numpy as np

from glade.core._compile import inlined, kernel

MAX_DIGITS = 17
EXACT_POWER = 22  # 10**22 is the largest power of ten that a double holds exactly
POWERS = np.array([float(10**k) for k in range(EXACT_POWER + 1)])


@inlined
def is_nearer(below, above, near):
    """Whether the one above is the nearer of two."""
    return near - below > above - near


@kernel
def find_short_decimals(low, high, near, cuts):
    """cuts[i] = the decimal v with the fewest digits such that low[i] <= v < high[i], close to near[i].

    NaN where that takes a power of ten that is no double.
    """
    for i in range(near.shape[0]):
        x = near[i]
        cut = x if low[i] <= x < high[i] else low[i]  # where no short decimal separates the two
        magnitude = int(np.floor(np.log10(abs(x)))) if x != 0.0 else 0
        for digits in range(1, MAX_DIGITS):
            exponent = magnitude - digits + 1
            if abs(exponent) > EXACT_POWER:
                cut = np.nan
                break
            power = POWERS[abs(exponent)]
            scaled = x * power if exponent < 0 else x / power
            below = np.floor(scaled) / power if exponent < 0 else np.floor(scaled) * power
            above = np.ceil(scaled) / power if exponent < 0 else np.ceil(scaled) * power
            fits_below, fits_above = low[i] <= below < high[i], low[i] <= above < high[i]
            if fits_below or fits_above:
                cut = above if fits_above and (not fits_below or is_nearer(below, above, x)) else below
                break
        cuts[i] = cut if cut != 0.0 else 0.0  # no negative zero
