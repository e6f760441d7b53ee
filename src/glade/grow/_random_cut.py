"""Candidates for extremely randomised trees: one cut of each input, drawn between its extremes in the node.

A numeric input's values are its own. A category's value is a hash that is new at each node, so that a cut gives a
random set of categories. All that is drawn for an input comes from the node's salt and can be computed again: the
winner's categories are listed without having been kept.
"""

import numpy as np

from glade.core._compile import inlined, part
from glade.core._vector import add_fours
from glade.data._order import PLACE_BITS, sort_keys
from glade.grow._draws import draw_unit, salt_of
from glade.grow._search import NO_GAIN, column_of, scan_cuts
from glade.grow.layout import MISSING_SIDE_UNSEEN

LOOKED_UP_MAX_ROWS = 32  # up to here, looking up each row's value beats finding the code of the cut
ALL_KNOWN_LEFT = 2  # in the place of a nominal candidate's number of categories: the test "is missing"


@part
def read_codes(narrow, wide, is_narrow, missing_code, rows, codes):
    """codes[i] = the code of row i; gives the lowest and highest known one (-1 if none is) and how many are missing."""
    first, last, n_missing = missing_code, np.int32(-1), 0
    for i in range(rows.shape[0]):
        code = np.int32(narrow[rows[i]]) if is_narrow else wide[rows[i]]
        codes[i] = code
        is_missing = code == missing_code
        n_missing += is_missing
        first = min(first, code)
        last = max(last, np.int32(-1) if is_missing else code)
    return first, last, n_missing


@inlined
def draw_value(columns, j, first, last, salt):
    """A place drawn between the lowest value of the first code and the highest of the last."""
    start, u = columns.start[j], draw_unit(salt, 0)
    return columns.low[start + first] * (1.0 - u) + columns.high[start + last] * u


@part
def find_code_below(low, start, first, last, value):
    """The code below a cut at this value, so that the first code is on its left and the last on its right."""
    below, end = np.int64(first), np.int64(last) - 1
    while below < end:  # the last code whose lowest value is not above the place drawn
        k = (below + end + 1) // 2
        if low[start + k] <= value:
            below = k
        else:
            end = k - 1
    return np.int32(below)


@part
def mark_sides(low, start, first, last, missing_code, value, codes, n):
    """Give the rows left of a cut at this value the first code, and those right of it the last."""
    for i in range(n):
        code = codes[i]
        if code != missing_code:
            is_left = (code == first) | ((low[start + code] <= value) & (code != last))
            codes[i] = first if is_left else last


@part
def draw_category(codes, n, missing_code, salt):
    """A place drawn between the extremes of the categories' values."""
    u = draw_unit(salt, 0)
    lowest, highest = 1.0, 0.0
    for i in range(n):
        if codes[i] != missing_code:
            value = draw_unit(salt, codes[i] + 1)
            lowest, highest = min(lowest, value), max(highest, value)
    return lowest + u * (highest - lowest)


@inlined
def goes_left(nominal, salt, code, cut):
    """Whether a row with this code is on the left of a cut."""
    return draw_unit(salt, code + 1) <= cut if nominal else code <= cut


@part
def score_complete(codes, n, nominal, salt, cut, layout, total, moments, min_rows_leaf, min_weight_leaf, places, left):
    """The gain of a cut of a plain node without missing rows, and the weight on its left.

    Plain moments sum to zero over the node: those of the smaller side say all.
    """
    n_left, n_right = 0, 0
    for i in range(n):
        is_left = goes_left(nominal, salt, codes[i], cut)
        places[n_left] = i  # written on both sides: no branch to mispredict
        codes[n_right] = i
        n_left += is_left
        n_right += not is_left
    side, size = (places, n_left) if n_left < n_right else (codes, n_right)
    vectors = layout.length // 4 * 4
    for c in range(layout.length):
        left[c] = 0.0
    for i in range(size):
        add_fours(left, 0, moments, side[i] * layout.length, vectors)
        for c in range(vectors, layout.length):
            left[c] += moments[side[i], c]
    whole, w = total[layout.weight_at], left[layout.weight_at]
    square = 0.0
    for c in range(layout.n_channels):
        square += left[c] * left[c]
    gain = square * (whole / (w * (whole - w)))
    if min(n_left, n_right) < min_rows_leaf or min(w, whole - w) < min_weight_leaf:
        gain = NO_GAIN
    return gain, w if n_left < n_right else whole - w


@part
def sum_two_sides(codes, n, missing_code, nominal, salt, cut, moments, table, missing):
    """Sum the moment rows on either side of the cut into table[0] and [1], those of missing rows into `missing`."""
    for c in range(missing.shape[0]):
        table[0, c] = 0.0
        table[1, c] = 0.0
        missing[c] = 0.0
    for i in range(n):
        if codes[i] == missing_code:
            for c in range(missing.shape[0]):
                missing[c] += moments[i, c]
        else:
            side = 0 if goes_left(nominal, salt, codes[i], cut) else 1
            for c in range(missing.shape[0]):
                table[side, c] += moments[i, c]


@inlined
def find_random_candidate(columns, channels, layout, j, rows, limits, noise, work, found):
    """`find_candidate` with one cut instead of all. Gives whether the input has but one value in the node."""
    found.gain[j] = NO_GAIN
    nominal, salt, codes, size = columns.nominal[j], salt_of(work.random, j), work.scratch, rows.shape[0]
    narrow, wide, is_narrow = column_of(columns, j)
    missing_code = columns.n_codes[j]
    first, last, n_missing = read_codes(narrow, wide, is_narrow, missing_code, rows, codes)
    is_constant = first >= last and (n_missing == 0 or last < 0)
    gain, weight_left, cut, n_sides, n_left, missing_left = NO_GAIN, 0.0, np.float64(last), 1, 1, False
    if first < last:
        n_sides = 2
        if nominal:
            cut = draw_category(codes, size, missing_code, salt)
        else:
            value, start = draw_value(columns, j, first, last, salt), columns.start[j]
            if size <= LOOKED_UP_MAX_ROWS:
                mark_sides(columns.low, start, first, last, missing_code, value, codes, size)
                cut = np.float64(first)
            else:
                cut = np.float64(find_code_below(columns.low, start, first, last, value))
    if is_constant:
        pass
    elif layout.plain and n_missing == 0:
        gain, weight_left = score_complete(
            codes, size, nominal, salt, cut, layout, work.total, work.moments, limits.min_rows_leaf,
            limits.min_weight_leaf, work.keys, work.left,
        )  # fmt: skip
    else:
        sum_two_sides(
            codes, size, missing_code, nominal and n_sides == 2, salt, cut, work.moments, work.table, work.missing
        )
        work.keys[0], work.keys[1] = 0, (1 << PLACE_BITS) | 1
        gain, n_left, weight_left, missing_left = scan_cuts(
            work.keys, n_sides, work.table, channels, layout, limits, 0.0 if nominal else noise, work
        )
    if gain >= 0.0:
        is_missing_test = n_missing > 0 and n_left == n_sides
        found.gain[j] = gain
        found.weight_left[j] = weight_left
        if nominal:
            found.below[j] = ALL_KNOWN_LEFT if is_missing_test else 1
        else:
            found.below[j] = first
            found.above[j] = missing_code if is_missing_test else last
        if n_missing > 0:
            found.missing[j] = 1 if missing_left else 0
        else:
            larger_left = 2.0 * weight_left >= work.total[layout.weight_at]
            found.missing[j] = (1 if larger_left else 0) + MISSING_SIDE_UNSEEN
    return is_constant


@part
def place_random_cut(columns, j, random, found):
    """Say where the drawn cut of a numeric candidate is, which until then stands for its lowest and highest code."""
    first, last = found.below[j], found.above[j]
    if last == columns.n_codes[j]:  # the test "is missing"
        found.below[j] = last - 1
    else:
        value = draw_value(columns, j, first, last, salt_of(random, j))
        found.below[j] = find_code_below(columns.low, columns.start[j], first, last, value)
        found.above[j] = found.below[j] + 1


@part
def list_random_categories(columns, j, rows, n_left, missing_left, work):
    """The categories on the side that missing rows do not take, ascending, into work.keys. Gives how many."""
    missing_code, salt, codes, size = columns.n_codes[j], salt_of(work.random, j), work.scratch, rows.shape[0]
    narrow, wide, is_narrow = column_of(columns, j)
    first, last, _ = read_codes(narrow, wide, is_narrow, missing_code, rows, codes)
    cut = draw_category(codes, size, missing_code, salt)
    n = 0
    for i in range(size):
        code = codes[i]
        if code == missing_code or work.group_of_code[code] >= 0:
            continue
        if (n_left == ALL_KNOWN_LEFT or goes_left(True, salt, code, cut)) != missing_left:
            work.group_of_code[code] = 1
            work.keys[n] = code << PLACE_BITS
            n += 1
    for i in range(n):
        work.group_of_code[work.keys[i] >> PLACE_BITS] = -1
    ordered = sort_keys(work.keys, n, first, last, work.scratch, work.counts)
    for i in range(n):
        work.keys[i] = ordered[i]
    return n
