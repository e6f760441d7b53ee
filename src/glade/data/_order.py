"""Ordering by code. A key packs a code and a place: the code in the upper 32 bits, the place in the lower."""

import numpy as np

from glade.core._compile import inlined, part

PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1
RANK_MAX = 32  # up to here, comparing all pairs beats sorting: no branch to mispredict, four comparisons at a time
MAX_DIGIT_BITS = 11


@inlined
def rank_sort(keys, n, scratch):
    """The result is in scratch."""
    for i in range(n):
        rank = 0
        for k in range(n):
            rank += keys[k] < keys[i]
        scratch[rank] = keys[i]


@part
def radix_sort(keys, n, lowest, highest, scratch, counts):
    """Stable, least significant digit first; codes are ranks, so few digits do. Whether the result is in scratch."""
    digit_bits = 5
    while digit_bits < MAX_DIGIT_BITS and (1 << digit_bits) < n:
        digit_bits += 1
    span = highest - lowest
    bits = 1
    while span >> bits:
        bits += 1
    n_digits = (bits + digit_bits - 1) // digit_bits
    digit_bits = (bits + n_digits - 1) // n_digits
    size = 1 << digit_bits
    offset = np.int64(lowest) << PLACE_BITS
    source, target = keys, scratch
    for d in range(n_digits):
        shift = PLACE_BITS + d * digit_bits
        for b in range(size + 1):
            counts[b] = 0
        for i in range(n):
            counts[(((source[i] - offset) >> shift) & (size - 1)) + 1] += 1
        for b in range(size):
            counts[b + 1] += counts[b]
        for i in range(n):
            b = ((source[i] - offset) >> shift) & (size - 1)
            target[counts[b]] = source[i]
            counts[b] += 1
        source, target = target, source
    return n_digits % 2 == 1


@inlined
def sort_keys(keys, n, lowest, highest, scratch, counts):
    """Put keys[:n], whose codes lie between lowest and highest, in ascending order."""
    is_in_scratch = True
    if n <= RANK_MAX:
        rank_sort(keys, n, scratch)
    else:
        is_in_scratch = radix_sort(keys, n, np.int64(lowest), np.int64(highest), scratch, counts)
    for i in range(n if is_in_scratch else 0):
        keys[i] = scratch[i]


@inlined
def sort_places_by(score, keys, n, scratch):
    """Order keys[:n] by the score of their place, equal scores by code (merge sort, bottom up)."""
    source, target = keys, scratch
    swapped = False
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            left, right = start, min(start + width, n)
            left_end, right_end = right, min(start + 2 * width, n)
            for k in range(start, right_end):
                take_right = left >= left_end
                if not take_right and right < right_end:
                    a, b = source[left], source[right]
                    score_a, score_b = score[a & PLACE_MASK], score[b & PLACE_MASK]
                    take_right = score_b < score_a or (score_b == score_a and b < a)
                if take_right:
                    target[k] = source[right]
                    right += 1
                else:
                    target[k] = source[left]
                    left += 1
        source, target = target, source
        swapped = not swapped
        width *= 2
    if swapped:
        for i in range(n):
            keys[i] = scratch[i]
