"""Sums by code that a large node holds for its children (see `layout.HeldSums`).

The smaller child's rows are summed; what it has not of its parent's sums, the larger child has. So less than half of
the rows are summed, and the larger child's need not even be gathered.
"""

import numpy as np

from glade.kernels.compile import inlined, part
from glade.kernels.search import list_codes, sum_by_code
from glade.kernels.vector import add_fours, take_away_rows

LEAST_IMPURITY = 1e-3  # of the node whose rows were summed last: with less left, rounding would show


@part
def sum_groups(codes, wide, start, rows, moments, layout, table, keys, missing, sums, base):
    """Fill the slot that begins at row `base` with the sums of all groups. `wide` is not used."""
    for g in range(codes.shape[0]):
        n_codes = start[g + 1] - start[g]
        sum_by_code(codes[g], wide, True, np.int32(n_codes - 1), rows, moments, layout, table, keys, missing)
        for b in range(n_codes):
            for c in range(layout.length):
                sums[base + start[g] + b, c] = table[b, c]


@inlined
def add_row(total, b, rows, i, length):
    """total[b] += rows[i]."""
    if length == 2:
        total[b, 0] += rows[i, 0]
        total[b, 1] += rows[i, 1]
    else:
        add_fours(total, b * length, rows, i * length, length)


@part
def take_sums(sums, first, n_cells, stride, radix, missing_code, layout, table, keys, missing):
    """The sums by code of one input, as `sum_by_code` gives them. Gives the number of keys, and whether the sums are in
    `table`: those of an input alone in its group stay where they are, from row `first` on."""
    if n_cells == radix:
        return list_codes(sums, first, missing_code, layout, keys, missing), False
    for b in range(missing_code + 1):
        for c in range(layout.length):
            table[b, c] = 0.0
    cell = np.int64(first)
    for _ in range(n_cells // (stride * radix)):
        for b in range(radix):
            for _ in range(stride):
                add_row(table, b, sums, cell, layout.length)
                cell += 1
    return list_codes(table, 0, missing_code, layout, keys, missing), True


@part
def set_means_apart(
    sums, first, n_cells, stride, radix, missing_code, below, missing_left, larger_left, whole, layout, apart
):
    """How far the means of a divided node's smaller (row 0) and larger child (row 1) are from its own.

    By its sums of a group: those of its rows that go to the larger child. Gives the larger child's weight.
    """
    for c in range(layout.length):
        apart[0, c], apart[1, c] = 0.0, 0.0
    for i in range(n_cells):
        code = i // stride % radix
        goes_left = missing_left if code == missing_code else code <= below
        if goes_left == larger_left:
            add_row(apart, 1, sums, first + i, layout.length)
    weight = apart[1, layout.weight_at]
    for c in range(layout.length):
        total = apart[1, c] if c < layout.n_channels else 0.0
        apart[0, c], apart[1, c] = -total / (whole - weight), total / weight
    return weight


@part
def share_classes(y, weights, numeric, rows, weight, n_channels, value):
    """Set the classes' shares of the weight: counted, so that a class that no row has has none."""
    for c in range(n_channels):
        if not numeric[c]:
            total = 0.0
            for i in range(rows.shape[0]):
                total += weights[rows[i]] * y[rows[i], c]
            value[c] = total / weight


@part
def take_away_sums(sums, base, other_base, n_rows, layout, apart):
    """Leave in the slot at `base` what the slot at `other_base` has not, centred anew."""
    if layout.length > 2:
        take_away_rows(sums, base, other_base, n_rows, layout.length, layout.weight_at, apart[1], apart[0])
        return
    for i in range(n_rows):
        a, b = base + i, other_base + i
        left = sums[a, 1] - sums[b, 1]
        sums[a, 0] -= sums[b, 0] + sums[b, 1] * apart[0, 0] + left * apart[1, 0]
        sums[a, 1] = left
