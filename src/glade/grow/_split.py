"""The split search at one node: ordered sums of an input's codes to gains, and the best division of each input.

`score_division` is the one place that says what a division gains and whether it is allowed.
"""

import numpy as np

from glade.core._compile import inlined, part, pasted
from glade.data._order import PLACE_BITS, PLACE_MASK, sort_keys
from glade.data.criteria import SQUARES
from glade.grow._bounds import CLIPPED_AWAY, NO_GAIN, NO_WEIGHT, lose_by_bounds
from glade.grow._categories import (
    FEW_CATEGORIES,
    leave_out_categories,
    list_side,
    merge_categories,
    order_by_score,
    order_by_weight,
    score_categories,
)
from glade.grow._criteria import measure_classes
from glade.grow._draws import draw_unit, seed_of_input
from glade.grow._histogram import add_row, code_of, list_codes, sum_by_code
from glade.grow.layout import IS_MISSING, NOMINAL, NUMERIC

TIE = 1e-12  # a gain that is higher by less than this (relative) is no better: the earlier candidate stays
MISSING_SIDE_CLEAR = 0.2  # of the node's impurity: what missing rows must gain more to take the smaller side


@inlined
def is_allowed(settings, n_left, n_rows, w_left, whole):
    """Whether both sides of a division have the rows and the weight that a leaf needs."""
    enough_rows = min(n_left, n_rows - n_left) >= settings.min_rows_leaf
    return enough_rows and min(w_left, whole - w_left) >= settings.min_weight_leaf


@inlined
def gain_of_squares(square, w_left, whole):
    """Return the gain of a division whose left side's sums, less its share of all, have this sum of squares."""
    return square * whole / (w_left * (whole - w_left))


@inlined
def score_division(cells, left, total, groups, settings, signs, bounds):
    """Return the gain of a division of the rows whose sums are in the cell `total`, those on the left in `left`.

    It is NO_GAIN if the division is not allowed: a side is too small for a leaf, or a channel would go the wrong way.
    """
    w_left, whole = cells[left, settings.total_at], cells[total, settings.total_at]
    if not is_allowed(settings, cells[left, settings.rows_at], cells[total, settings.rows_at], w_left, whole):
        return NO_GAIN
    gain = 0.0
    for g in range(groups.shape[0]):
        group = groups[g]
        w_group, whole_group = cells[left, group.weight_at], cells[total, group.weight_at]
        if min(w_group, whole_group - w_group) <= NO_WEIGHT * whole_group:
            continue  # all that is known of this group is on one side: nothing is learnt about it
        if group.kind == SQUARES:
            square, share = 0.0, w_group / whole_group
            for c in range(group.first, group.last):
                apart = cells[left, c] - share * cells[total, c]
                square += apart * apart
            gain += gain_of_squares(square, w_group, whole_group)
        else:
            whole_impurity = measure_classes(group.kind, cells, total, -1, group.first, group.last)
            left_impurity = measure_classes(group.kind, cells, left, -1, group.first, group.last)
            right_impurity = measure_classes(group.kind, cells, total, left, group.first, group.last)
            gain += group.factor * max(whole_impurity - left_impurity - right_impurity, 0.0)
    if signs.shape[0] > 0:
        loss = lose_by_bounds(groups, signs, bounds, cells, left, total)
        gain = NO_GAIN if loss < 0.0 or gain - loss < CLIPPED_AWAY * loss else gain - loss
    return gain


@part
def scan_squares(keys, n, only, cells, settings, gains):
    """`scan_cuts` in the usual case, several times as fast: squares of targets known in all rows, no row missing.

    The sums of all rows are zero then, so that those on the left say all. All cuts are scored before the best is looked
    for: a jump for each one that is better than those before it would cost more.
    """
    left, length, n_channels, total_at, rows_at = (
        settings.left, settings.length, settings.n_channels, settings.total_at, settings.rows_at
    )  # fmt: skip
    whole, n_rows = cells[settings.total, total_at], cells[settings.total, rows_at]
    least_rows, least_weight = settings.min_rows_leaf, settings.min_weight_leaf
    highest, w_left, n_left, single = NO_GAIN, 0.0, 0.0, 0.0
    for c in range(length if n_channels > 1 else 0):
        cells[left, c] = 0.0
    for i in range(n - 1):
        k, square = keys[i] & PLACE_MASK, 0.0
        w_left += cells[k, total_at]
        n_left += cells[k, rows_at]
        if n_channels == 1:
            single += cells[k, 0]
            square = single * single
        else:
            for c in range(n_channels):
                own = cells[left, c] + cells[k, c]
                cells[left, c] = own
                square += own * own
        is_cut = (keys[i + 1] >> PLACE_BITS != keys[i] >> PLACE_BITS) & ((only == 0) | (i + 1 == only))
        enough = (min(n_left, n_rows - n_left) >= least_rows) & (min(w_left, whole - w_left) >= least_weight)
        gain = gain_of_squares(square, w_left, whole) if is_cut & enough else NO_GAIN
        highest = max(highest, gain)
        gains[0, i], gains[1, i] = gain, w_left
    best = 0
    while highest >= 0.0 and gains[0, best] < highest * (1.0 - TIE):
        best += 1
    return (NO_GAIN, 0, 0.0) if highest < 0.0 else (gains[0, best], best + 1, gains[1, best])


@inlined
def choose_missing_side(gain_right, gain_left, larger_left, noise):
    """Return the gain that counts, of those with missing rows on the right and on the left, and whether it is the left.

    Missing rows take the side with more weight, unless the gain on the other side is higher by more than `noise`: the
    better side of a split that hardly differs is chance, and following it costs accuracy.
    """
    usual, unusual = (gain_left, gain_right) if larger_left else (gain_right, gain_left)
    is_usual = usual < 0.0 or unusual <= (usual + noise) * (1.0 + TIE)
    return usual if is_usual else unusual, larger_left == is_usual


@pasted
def scan_cuts(keys, n, only, cells, groups, settings, signs, bounds, noise):
    """Walk the keys in order and score each place where the code changes, or `only` one; missing rows on either side.

    Returns the best gain (NO_GAIN if no cut is allowed), the number of keys on its left, the weight on its left, and
    whether missing rows go left. With missing rows, "all that is known | all that is missing" is a cut too.
    """
    left, other, total, missing = settings.left, settings.other, settings.total, settings.missing
    some_missing = cells[missing, settings.rows_at] > 0.0
    best_gain, best_end, best_weight, best_missing_left = NO_GAIN, 0, 0.0, False
    for c in range(settings.length):
        cells[left, c] = 0.0
    for i in range(n if some_missing else n - 1):
        add_row(cells, left, cells, keys[i] & PLACE_MASK, settings.length)
        is_inside = i + 1 < n
        if is_inside and ((keys[i] ^ keys[i + 1]) >> PLACE_BITS == 0 or only not in (0, i + 1)):
            continue
        gain = score_division(cells, left, total, groups, settings, signs, bounds)
        missing_left, side = False, left
        if some_missing and is_inside:
            for c in range(settings.length):
                cells[other, c] = cells[left, c] + cells[missing, c]
            gain_left = score_division(cells, other, total, groups, settings, signs, bounds)
            w_left, whole = cells[left, settings.total_at], cells[total, settings.total_at]
            larger_left = w_left >= whole - cells[other, settings.total_at]
            gain, missing_left = choose_missing_side(gain, gain_left, larger_left, noise)
            side = other if missing_left else left
        if gain > best_gain + TIE * abs(best_gain):
            best_gain, best_end, best_missing_left = gain, i + 1, missing_left
            best_weight = cells[side, settings.total_at]
    return best_gain, best_end, best_weight, best_missing_left


@inlined
def collect_keys(narrow, wide, place, missing_code, rows, cells, length, missing, keys):
    """keys = (code, local row) where the input is known; the sums of the other rows are added to `missing`.

    Returns the number of keys, and the lowest and highest code.
    """
    lowest, highest, n = missing_code, np.int32(-1), 0
    for i in range(rows.shape[0]):
        code = code_of(narrow, wide, place, rows[i])
        if code == missing_code:
            add_row(cells, missing, cells, i, length)
        else:
            keys[n] = (np.int64(code) << PLACE_BITS) | i
            n += 1
            lowest, highest = min(lowest, code), max(highest, code)
    return n, lowest, highest


@part
def sum_input(narrow, wide, about, rows, settings, cells, keys, scratch, counts):
    """List the input's codes in the node as keys in ascending order. Missing rows' sums go into their cell.

    Sums by code are in the table, which `clear_table` is to clear. With no more rows than codes keys are sorted
    instead, and their sums are those of the rows; of a numeric input for a random cut these stay in the order of rows.
    Returns the number of keys.
    """
    missing_code, length, table, place = about.n_codes, settings.length, settings.table, about.place
    n_rows, missing, is_by_code = rows.shape[0], settings.missing, True
    if n_rows > missing_code:
        sum_by_code(narrow, wide, place, rows, cells, table, length, cells)
        n = list_codes(cells, table, missing_code, settings.rows_at, keys)
    else:
        is_by_code = False
        for c in range(length):
            cells[missing, c] = 0.0
        n, low, high = collect_keys(narrow, wide, place, missing_code, rows, cells, length, missing, keys)
        if low < high and (about.nominal or not settings.random_cuts):
            sort_keys(keys, n, low, high, scratch, counts)
    if is_by_code:
        for c in range(length):
            cells[missing, c] = cells[table + missing_code, c]
            cells[table + missing_code, c] = 0.0
    return n


@inlined
def clear_table(keys, n, cells, table, length):
    """Leave the table all zeros again, as `sum_input` found it."""
    if n > 0 and keys[0] & PLACE_MASK >= table:
        for i in range(n):
            k = keys[i] & PLACE_MASK
            for c in range(length):
                cells[k, c] = 0.0


@part
def find_categories(n, seed, is_branch, groups, settings, categories, cells, keys, scratch):
    """Turn the keys of codes into keys of categories, in the order in which these are divided; return their number.

    Where all are parted from one another the lightest comes first; for a random cut each has a random number.
    """
    first, length = settings.categories, settings.length
    n_found = merge_categories(keys, n, cells, first, length, categories.code)
    clear_table(keys, n, cells, settings.table, length)
    if settings.draw_categories and n_found > FEW_CATEGORIES:
        n_found = leave_out_categories(n_found, seed, cells, first, settings.missing, length, categories.code)
    if settings.random_cuts:
        for g in range(n_found):
            categories.score[g] = draw_unit(seed, categories.code[g] + 1)
        order_by_score(n_found, first, categories.score, keys, scratch)
    elif is_branch or settings.multiway:
        order_by_weight(n_found, cells, first, settings.total_at, categories.score, keys, scratch)
    else:
        score_categories(n_found, groups, settings, cells, categories.means, categories.direction, categories.score)
        order_by_score(n_found, first, categories.score, keys, scratch)
    return n_found


@part
def information_of(part, whole):
    """Return the bits that a part of some weight adds to the information of a division."""
    share = part / whole
    return -share * np.log2(share) if share > 0.0 else 0.0


@part
def score_lightest(keys, cells, groups, settings, signs, bounds):
    """Return the gain of parting the lightest category, which is the first of the keys, from all other rows."""
    for c in range(settings.length):
        cells[settings.left, c] = cells[keys[0] & PLACE_MASK, c]
    return score_division(cells, settings.left, settings.total, groups, settings, signs, bounds)


@part
def score_multiway(keys, n, cells, groups, settings, signs, bounds):
    """Return the gain of parting all categories from one another, and the information of that division.

    It is the sum of the gains of parting them one after another from the rest, the heaviest one last; missing rows go
    with that one. It is NO_GAIN if a part is too small for a leaf.
    """
    left, rest, whole = settings.left, settings.other, cells[settings.total, settings.total_at]
    gain, information = 0.0, 0.0
    for c in range(settings.length):
        cells[rest, c] = cells[settings.total, c]
    for g in range(n - 1):
        for c in range(settings.length):
            cells[left, c] = cells[keys[g] & PLACE_MASK, c]
        step = score_division(cells, left, rest, groups, settings, signs, bounds)
        if step < 0.0:
            return NO_GAIN, 0.0
        gain += step
        information += information_of(cells[left, settings.total_at], whole)
        for c in range(settings.length):
            cells[rest, c] -= cells[left, c]
    return gain, information + information_of(cells[rest, settings.total_at], whole)


@part
def draw_cut(low, high, start, n, seed, keys):
    """Draw a cut between the lowest value of the keys' first code and the highest of their last one.

    The keys on its left come first then. Returns how many they are, and the code below the cut.
    """
    first = last = keys[0]
    for i in range(1, n):
        first, last = min(first, keys[i]), max(last, keys[i])
    below, end, n_left = first >> PLACE_BITS, last >> PLACE_BITS, 0
    u = draw_unit(seed, 0)
    value = low[start + below] * (1.0 - u) + high[start + end] * u
    while below < end - 1:  # the last code whose lowest value is not above the place drawn
        k = (below + end) // 2
        if low[start + k] <= value:
            below = k
        else:
            end = k
    for i in range(n):
        if keys[i] >> PLACE_BITS <= below:
            keys[i], keys[n_left] = keys[n_left], keys[i]
            n_left += 1
    return n_left, np.int32(below)


@part
def draw_place(score, n, seed, keys, first):
    """Draw a place between the extremes of the categories' random numbers; return how many categories are below."""
    lowest, highest = score[(keys[0] & PLACE_MASK) - first], score[(keys[n - 1] & PLACE_MASK) - first]
    u, n_left = draw_unit(seed, 0), 1
    place = lowest + u * (highest - lowest)
    while n_left < n and score[(keys[n_left] & PLACE_MASK) - first] <= place:
        n_left += 1
    return n_left


@pasted
def list_input(inputs, j, rows, node, settings, work, categories, groups):
    """List what can be divided by input j as keys; return their number, and whether rows are missing the input.

    Categories that a draw has left out go with missing rows, but are not missing.
    """
    n = sum_input(
        inputs.narrow, inputs.wide, inputs.about[j], rows, settings, work.cells, work.keys, work.scratch, work.counts,
    )  # fmt: skip
    has_missing = work.cells[settings.missing, settings.rows_at] > 0.0
    if inputs.about[j].nominal:
        n = find_categories(
            n, seed_of_input(node.seed, j), node.is_branch != 0, groups, settings, categories, work.cells, work.keys,
            work.scratch,
        )  # fmt: skip
    return n, has_missing


@pasted
def list_categories(found, inputs, j, rows, node, goals, settings, work, categories, chosen):
    """Fill `chosen` with the categories on the side of the found division that missing rows do not take, ascending.

    Returns how many there are.
    """
    n_found, _ = list_input(inputs, j, rows, node, settings, work, categories, goals.groups)
    missing_left, n_left = found.missing_left != 0, found.below
    start, end = (n_left, n_found) if missing_left else (0, n_left)
    return list_side(work.keys, start, end, n_found, settings.categories, categories.code, categories.is_marked, chosen)


@pasted
def find_candidate(inputs, j, rows, node, goals, settings, work, categories, found):
    """Write the best division by input j into `found`; its gain stays NO_GAIN if there is none.

    Returns whether the input tells any rows of the node apart, in parts however small.
    """
    found.gain = NO_GAIN
    nominal, is_branch = inputs.about[j].nominal != 0, node.is_branch != 0
    keys, cells, groups = work.keys, work.cells, goals.groups
    n, has_missing = list_input(inputs, j, rows, node, settings, work, categories, groups)
    only, below = 0, np.int32(0)
    if settings.random_cuts and n > 0 and nominal:
        only = draw_place(categories.score, n, seed_of_input(node.seed, j), keys, settings.categories)
    elif settings.random_cuts and n > 0:
        only, below = draw_cut(inputs.low, inputs.high, inputs.start[j], n, seed_of_input(node.seed, j), keys)
    some_missing = cells[settings.missing, settings.rows_at] > 0.0
    varies = n > 0 and (some_missing or keys[0] >> PLACE_BITS != keys[n - 1] >> PLACE_BITS)
    signs = inputs.signs[min(j, inputs.signs.shape[0] - 1)]
    information, whole = 0.0, cells[settings.total, settings.total_at]
    parts_one = nominal and (is_branch or settings.multiway != 0) and n >= 2
    if parts_one:
        n_left, missing_left, weight_left = 1, False, cells[keys[0] & PLACE_MASK, settings.total_at]
        gain, information = score_multiway(keys, n, cells, groups, settings, signs, work.bounds)
        if is_branch:
            gain = score_lightest(keys, cells, groups, settings, signs, work.bounds)
    else:
        noise = 0.0 if nominal else MISSING_SIDE_CLEAR * node.impurity
        if settings.is_plain and not some_missing:
            gain, n_left, weight_left = scan_squares(keys, n, only, cells, settings, work.gains)
            missing_left = False
        else:
            gain, n_left, weight_left, missing_left = scan_cuts(
                keys, n, only, cells, groups, settings, signs, work.bounds, noise
            )
        if settings.by_gain_ratio and gain >= 0.0:
            information = information_of(weight_left, whole) + information_of(whole - weight_left, whole)
    if gain >= 0.0:
        found.gain, found.information, found.kind = gain, information, NOMINAL if nominal else NUMERIC
        found.below, found.above = n_left, n
        if not nominal and n_left == n:
            found.kind = IS_MISSING
        elif not nominal:
            found.below = below if settings.random_cuts else keys[n_left - 1] >> PLACE_BITS
            found.above = below + 1 if settings.random_cuts else keys[n_left] >> PLACE_BITS
        found.missing_seen = has_missing
        is_left_usual = 2.0 * weight_left >= whole and not parts_one
        found.missing_left = missing_left if some_missing else is_left_usual
    clear_table(keys, 0 if nominal else n, cells, settings.table, settings.length)
    return varies
