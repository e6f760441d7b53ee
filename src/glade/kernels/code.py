"""Values to codes."""

import numpy as np

from glade.kernels.compile import inlined, kernel

SIGN = np.uint64(1 << 63)
INFINITE = np.uint64(0x7FF << 52)  # the bits of a float without its sign are above that for NaN only
DIGIT_BITS, N_DIGITS = 11, 6
DIGIT_MASK = np.uint64((1 << DIGIT_BITS) - 1)


@inlined
def ordered_bits(bits):
    """A float's bits (as int64), changed so that they ascend with the float: even steps are then logarithmic ones."""
    return bits if bits >= 0 else np.int64(-0x8000000000000000) - bits


@inlined
def cell_of(bits, origin, shift):
    """The grid cell of a float: unsigned, for the distance from a negative to a positive float exceeds an int64."""
    return np.int64((np.uint64(ordered_bits(bits)) - np.uint64(origin)) >> np.uint64(shift))


@kernel
def sort_values(bits, counts, scratch, ordered):
    """Fill `ordered` with the bits of floats, ascending, NaN left out; give how many they are.

    A radix sort that counts all digits at once: it costs the same whatever the values, and a digit that all have in
    common takes no pass (whole numbers, and those that were floats of 32 bits, share the low ones). `counts`, digits x
    their values, comes in as zeros.
    """
    n = 0
    for i in range(bits.shape[0]):
        word = bits[i]
        if word & ~SIGN <= INFINITE:
            key = ~word if word & SIGN else word | SIGN  # ascends with the float
            scratch[n] = key
            n += 1
            for d in range(N_DIGITS):
                counts[d, (key >> np.uint64(d * DIGIT_BITS)) & DIGIT_MASK] += np.uint32(1)
    source, target = scratch, ordered
    for d in range(N_DIGITS):
        shift = np.uint64(d * DIGIT_BITS)
        if n == 0 or counts[d, (source[0] >> shift) & DIGIT_MASK] == n:
            continue
        before = np.uint32(0)
        for digit in range(counts.shape[1]):
            before, counts[d, digit] = before + counts[d, digit], before
        for i in range(n):
            digit = (source[i] >> shift) & DIGIT_MASK
            target[counts[d, digit]] = source[i]
            counts[d, digit] += np.uint32(1)
        source, target = target, source
    for i in range(n):
        key = source[i]
        ordered[i] = key ^ SIGN if key & SIGN else ~key
    return n


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
