"""Values to codes."""

import numpy as np

from glade.kernels.compile import inlined, kernel


@inlined
def ordered_bits(bits):
    """A float's bits (as int64), changed so that they ascend with the float: even steps are then logarithmic ones."""
    return bits if bits >= 0 else np.int64(-0x8000000000000000) - bits


@inlined
def cell_of(bits, origin, shift):
    """The grid cell of a float: unsigned, for the distance from a negative to a positive float exceeds an int64."""
    return np.int64((np.uint64(ordered_bits(bits)) - np.uint64(origin)) >> np.uint64(shift))


@kernel
def assign_codes(values, bits, lowest, lowest_bits, starts, codes):
    """codes[i] = the last k with lowest[k] <= values[i]; for NaN, the number of k. `lowest` starts at the least value.

    A binary search from scratch is all mispredicted branches. A grid over the floats' bits leads to the right place
    first: starts[g] counts the entries of `lowest` in the cells before cell g; it comes in as zeros.
    """
    n_codes, n_cells = lowest.shape[0], starts.shape[0] - 1
    origin, shift = ordered_bits(lowest_bits[0]), 0
    span = np.uint64(ordered_bits(lowest_bits[n_codes - 1])) - np.uint64(origin)
    while span >> np.uint64(shift) >= np.uint64(n_cells):
        shift += 1
    for k in range(n_codes):
        starts[cell_of(lowest_bits[k], origin, shift) + 1] += 1
    for g in range(n_cells):
        starts[g + 1] += starts[g]
    for i in range(values.shape[0]):
        if np.isnan(values[i]):
            codes[i] = n_codes
            continue
        g = min(cell_of(bits[i], origin, shift), n_cells - 1)
        k, end = max(starts[g] - 1, 0), starts[g + 1]  # the code is in k .. end - 1
        while end - k > 1:
            middle = (k + end) // 2
            if lowest[middle] <= values[i]:
                k = middle
            else:
                end = middle
        codes[i] = k
