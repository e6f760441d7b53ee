"""Sums rows of a node (see `layout`), and their histograms: what they come to for each code of an input."""

import numpy as np

from glade.core._compile import inlined, part
from glade.data._order import PLACE_BITS
from glade.data.criteria import SQUARES
from glade.grow._criteria import measure_classes


@inlined
def code_of(narrow, wide, place, row):
    """Return the code of an input, given by its place, in a row."""
    return np.int32(narrow[place, row]) if place >= 0 else wide[-1 - place, row]


@inlined
def add_row(total, b, rows, i, length):
    """total[b] += rows[i]."""
    if length == 2:
        total[b, 0] += rows[i, 0]
        total[b, 1] += rows[i, 1]
    else:
        for c in range(length):
            total[b, c] += rows[i, c]


@part
def sum_channels(goals, rows, g, shift, cells, value):
    """Fill a group's part of the sums rows with its channels less the shift, and `value` with what these add up to.

    Returns the weight of the rows that know the target. What is shifted goes through memory, so that the compiler does
    not add up the shift and the mean before it subtracts both: digits of values with a large offset would be lost.
    """
    y, weights, known, weight = goals.y, goals.weight, goals.known, 0.0
    for i in range(rows.shape[0]):
        r = rows[i]
        w = weights[r] if known.shape[0] == 0 or known[r, g] else 0.0
        weight += w
        for c in range(goals.groups[g].first, goals.groups[g].last):
            shifted = y[r, c] - shift[c]
            cells[i, c] = shifted
            value[c] += w * shifted
    return weight


@part
def centre_channels(goals, rows, g, value, cells):
    """Centre a group's part of the sums rows, where its channels stand less the shift; return its impurity."""
    weights, known, scale, impurity = goals.weight, goals.known, goals.scale, 0.0
    for i in range(rows.shape[0]):
        w = weights[rows[i]] if known.shape[0] == 0 or known[rows[i], g] else 0.0
        for c in range(goals.groups[g].first, goals.groups[g].last):
            centred = (cells[i, c] - value[c]) * scale[c]
            impurity += w * centred * centred
            cells[i, c] = w * centred
        cells[i, goals.groups[g].weight_at] = w
    return impurity


@part
def copy_channels(goals, rows, g, cells):
    """Fill a group's part of the sums rows with its channels as they are, of which its criterion is made."""
    group, known = goals.groups[g], goals.known
    for i in range(rows.shape[0]):
        r = rows[i]
        w = goals.weight[r] if known.shape[0] == 0 or known[r, g] else 0.0
        for c in range(group.first, group.last):
            cells[i, c] = w * goals.y[r, c]
        cells[i, group.weight_at] = w


@part
def fill_weights(weights, rows, total_at, rows_at, cells):
    """Fill the sums rows' weight and number of rows; return the weight of all."""
    total = 0.0
    for i in range(rows.shape[0]):
        w = weights[rows[i]]
        total += w
        cells[i, rows_at] = 1.0
        cells[i, total_at] = w
    return total


@part
def gather_sums(goals, rows, settings, parent_value, shift, cells, value):
    """Fill the sums rows, the sum of all of them, and the node's value; return its impurity.

    Numbers are summed as differences from the node's first row: the mean of 1e9 + tiny keeps its tiny part, and the
    mean of equal values is that value. A target that no row here knows keeps its parent's value.
    """
    total, groups, impurity = cells[settings.total], goals.groups, 0.0
    for c in range(settings.length):
        total[c] = 0.0
    for c in range(value.shape[0]):
        value[c] = 0.0
        shift[c] = goals.shifted[c] * goals.y[rows[0], c]
    for g in range(groups.shape[0]):
        group = groups[g]
        weight = sum_channels(goals, rows, g, shift, cells, value)
        if group.kind != SQUARES:  # summed as the classes are: of one class alone, its weight is the whole
            weight = 0.0
            for c in range(group.first, group.last):
                weight += value[c]
        total[group.weight_at] = weight
        for c in range(group.first, group.last):
            if group.kind != SQUARES:
                total[c] = value[c]
            value[c] /= max(weight, 1e-300)
        if group.kind == SQUARES:
            impurity += centre_channels(goals, rows, g, value, cells)
        else:
            copy_channels(goals, rows, g, cells)
            impurity += group.factor * measure_classes(group.kind, cells, settings.total, -1, group.first, group.last)
        for c in range(group.first, group.last):
            value[c] = value[c] + shift[c] if weight > 0.0 else parent_value[c]
    if groups[0].weight_at != settings.total_at or settings.rows_at != settings.total_at:
        total[settings.rows_at] = rows.shape[0]
        total[settings.total_at] = fill_weights(goals.weight, rows, settings.total_at, settings.rows_at, cells)
    return impurity


@part
def sum_by_code(narrow, wide, place, rows, cells, first, length, table):
    """Add each row's sums to the row of the table that its code has, counted from `first`."""
    for i in range(rows.shape[0]):
        add_row(table, first + code_of(narrow, wide, place, rows[i]), cells, i, length)


@inlined
def list_codes(cells, first, missing_code, rows_at, keys):
    """List the codes that occur as keys: a code, and the cell of its sums. Return how many there are."""
    n = 0
    for b in range(missing_code):
        keys[n] = (np.int64(b) << PLACE_BITS) | (first + b)
        n += cells[first + b, rows_at] > 0.0
    return n
