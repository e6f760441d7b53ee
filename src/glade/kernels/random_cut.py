"""Candidates for extremely randomised trees: one cut of each input, drawn between its extremes in the node.

A numeric input's values are its own. A category's value is a hash that is new at each node, so that a cut gives a
random set of categories. All that is drawn for an input comes from the node's salt and can be computed again: the
winner's categories are listed without having been kept.
"""

import numpy as np

from glade.kernels.compile import inlined, part
from glade.kernels.layout import MISSING_SIDE_UNSEEN
from glade.kernels.order import PLACE_BITS, sort_keys
from glade.kernels.search import NO_GAIN, code_at, scan_complete, scan_cuts

TO_UNIT = 1.0 / (1 << 53)


@inlined
def mix_bits(z):
    """splitmix64's finish: every bit of the argument changes about half of the result's."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def draw_unit(salt, k):
    """The k-th of the numbers from 0 to 1 that belong to a salt."""
    return np.float64(mix_bits(salt + np.uint64(k + 1) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)) * TO_UNIT


@inlined
def salt_of(work, j):
    """The salt of input j at the node at hand."""
    return mix_bits(work.random[1] + np.uint64(j + 1) * np.uint64(0xD1342543DE82EF95))


@part
def draw_cut(columns, j, rows, salt):
    """A place between the extremes of an input in the node; the lowest and highest code known there, -1 if none is.

    For a nominal input the place is among the values of its categories, for a numeric one it is the code below the cut.
    """
    place, missing_code, nominal = columns.place[j], columns.n_codes[j], columns.nominal[j]
    first, last, lowest, highest = missing_code, np.int32(-1), 1.0, 0.0
    for i in range(rows.shape[0]):
        code = code_at(columns, place, rows[i])
        if code != missing_code:
            first, last = min(first, code), max(last, code)
            if nominal:
                value = draw_unit(salt, code + 1)
                lowest, highest = min(lowest, value), max(highest, value)
    u = draw_unit(salt, 0)
    if nominal:
        return lowest + u * (highest - lowest), first, last
    below, end, start = first, last - 1, columns.start[j]
    value = columns.low[start + first] * (1.0 - u) + columns.high[start + last] * u if first < last else 0.0
    while below < end:  # the last code whose lowest value is not above the place drawn
        k = (below + end + 1) // 2
        if columns.low[start + k] <= value:
            below = k
        else:
            end = k - 1
    return np.float64(below), first, last


@part
def sum_two_sides(columns, j, rows, cut, salt, layout, work):
    """Sum the moment rows on either side of the cut into work.table[0] and [1], the missing ones into work.missing."""
    place, missing_code, nominal = columns.place[j], columns.n_codes[j], columns.nominal[j]
    table, moments = work.table, work.moments
    for c in range(layout.length):
        table[0, c] = 0.0
        table[1, c] = 0.0
        work.missing[c] = 0.0
    for i in range(rows.shape[0]):
        code = code_at(columns, place, rows[i])
        if code == missing_code:
            for c in range(layout.length):
                work.missing[c] += moments[i, c]
        else:
            side = np.int64((draw_unit(salt, code + 1) if nominal else np.float64(code)) > cut)
            for c in range(layout.length):
                table[side, c] += moments[i, c]


@part
def find_random_candidate(columns, channels, layout, j, rows, limits, noise, work, found):
    """`find_candidate` with one cut instead of all. Gives whether the input has but one value in the node."""
    found.gain[j] = NO_GAIN
    nominal, salt, keys = columns.nominal[j], salt_of(work, j), work.keys
    cut, first, last = draw_cut(columns, j, rows, salt)
    n = np.int64(2 if first < last else (1 if last >= 0 else 0))  # sides that have rows
    sum_two_sides(columns, j, rows, cut, salt, layout, work)
    keys[0], keys[1] = 0, (1 << PLACE_BITS) | 1
    some_missing, missing_left = work.missing[layout.rows_at] > 0.0, False
    if not some_missing and n < 2:
        return True
    if layout.plain and not some_missing:
        gain, n_left, weight_left = scan_complete(
            keys, n, work.table, layout, work.total, limits.min_rows_leaf, limits.min_weight_leaf, work.left
        )
    else:
        gain, n_left, weight_left, missing_left = scan_cuts(
            keys, n, work.table, channels, layout, limits, 0.0 if nominal else noise, work
        )
    if gain >= 0.0:
        found.gain[j] = gain
        found.weight_left[j] = weight_left
        if nominal:
            found.below[j] = n_left
        else:
            found.below[j] = columns.n_codes[j] - 1 if n_left == n else np.int32(cut)
            found.above[j] = found.below[j] + 1
        if some_missing:
            found.missing[j] = 1 if missing_left else 0
        else:
            larger_left = 2.0 * weight_left >= work.total[layout.weight_at]
            found.missing[j] = (1 if larger_left else 0) + MISSING_SIDE_UNSEEN
    return False


@part
def list_random_categories(columns, j, rows, n_left, missing_left, work):
    """The categories on the side that missing rows do not take, ascending, into work.keys. Gives how many."""
    place, missing_code, salt = columns.place[j], columns.n_codes[j], salt_of(work, j)
    cut, first, last = draw_cut(columns, j, rows, salt)
    n = 0
    for i in range(rows.shape[0]):
        code = code_at(columns, place, rows[i])
        if code == missing_code or work.group_of_code[code] >= 0:
            continue
        goes_left = n_left == 2 or draw_unit(salt, code + 1) <= cut
        if goes_left != missing_left:
            work.group_of_code[code] = 1
            work.keys[n] = np.int64(code) << PLACE_BITS
            n += 1
    for i in range(n):
        work.group_of_code[work.keys[i] >> PLACE_BITS] = -1
    ordered = sort_keys(work.keys, n, first, last, work.scratch, work.counts)
    for i in range(n):
        work.keys[i] = ordered[i]
    return n
