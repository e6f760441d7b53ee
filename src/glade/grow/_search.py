"""The split search: for one node and one input, the best cut over all targets at once."""

import numpy as np

from glade.core._compile import inlined, part
from glade.core._vector import add_rows_by_code, bits_of, clear, trailing_zeros
from glade.data._order import PLACE_BITS, PLACE_MASK, sort_places_by
from glade.grow._cuts import NO_GAIN, score_singles, score_squares, square_sums
from glade.grow._draws import draw_unit
from glade.grow._moments import score_division
from glade.grow.layout import DIRECTION_MATRIX

TIE = 1e-12  # a gain that is higher by less than this (relative) is no better: the earlier candidate stays
FEW_CODES, ROWS_A_TURN = 63, 32
FEW_CATEGORIES = 4  # so many in a node take part all, where others are drawn
DIRECTION_STEPS = 50


@inlined
def column_of(columns, j):
    """The input's codes as one of two arrays (the other one is not to be used), and whether it is the narrow one.

    One array for both would be a second signature of everything that reads codes.
    """
    place = columns.place[j]
    return columns.narrow[max(place, 0)], columns.wide[max(-1 - place, 0)], place >= 0


@inlined
def code_at(columns, place, row):
    """The code of an input (given by its place) in a row."""
    return np.int32(columns.narrow[place, row]) if place >= 0 else columns.wide[-1 - place, row]


@part
def collect_keys(narrow, wide, is_narrow, missing_code, rows, moments, keys, missing):
    """keys = (code, local row) where the input is known; the moments of the other rows go into `missing`.

    Gives the number of keys, the lowest and highest code, and whether the keys are in order already.
    """
    for c in range(missing.shape[0]):
        missing[c] = 0.0
    lowest, highest, before = missing_code, np.int32(-1), np.int32(-1)
    in_order = True
    n = 0
    for i in range(rows.shape[0]):
        code = np.int32(narrow[rows[i]]) if is_narrow else wide[rows[i]]
        if code == missing_code:
            for c in range(missing.shape[0]):
                missing[c] += moments[i, c]
        else:
            keys[n] = (np.int64(code) << PLACE_BITS) | i
            n += 1
            in_order &= code >= before
            before = code
            lowest = min(lowest, code)
            highest = max(highest, code)
    return n, lowest, highest, in_order


@inlined
def sum_by_code(narrow, wide, is_narrow, missing_code, rows, moments, layout, table, keys, missing):
    """One row of `table` per code, the sum of its moment rows; keys (code, row of the table) for those that occur.

    Gives the number of keys.
    """
    length, n_codes = layout.length, missing_code + 1
    # rows in a row often share a code: where there are many rows, take turns with four tables, do not wait
    copies = 4 if missing_code < FEW_CODES and rows.shape[0] >= ROWS_A_TURN * n_codes else 1
    clear(table, 0, copies * n_codes * length)
    if length == 2:
        for i in range(rows.shape[0]):
            b = np.uint32(narrow[rows[i]]) if is_narrow else np.uint32(wide[rows[i]])
            b += np.uint32((i & (copies - 1)) * n_codes)
            table[b, 0] += moments[i, 0]
            table[b, 1] += moments[i, 1]
    elif is_narrow:
        add_rows_by_code(table, moments, length, rows, narrow, copies - 1, n_codes)
    else:
        add_rows_by_code(table, moments, length, rows, wide, copies - 1, n_codes)
    for b in range(n_codes, copies * n_codes):
        for c in range(length):
            table[b % n_codes, c] += table[b, c]
    return list_codes(table, 0, missing_code, layout, keys, missing)


@inlined
def list_codes(sums, start, missing_code, layout, keys, missing):
    """Keys (code, row of the sums) for the codes that occur; the sum of missing rows goes into `missing`.

    The rows of the codes are those from `start` on. Gives the number of keys.
    """
    n = 0
    for b in range(missing_code):
        keys[n] = (np.int64(b) << PLACE_BITS) | (start + b)
        n += sums[start + b, layout.rows_at] > 0.0
    for c in range(layout.length):
        missing[c] = sums[start + missing_code, c]
    return n


@inlined
def sort_by_code(codes, missing_code, rows, moments, layout, keys, counts, missing):
    """`collect_keys` for a node with fewer rows than the input has codes, and the keys come in order.

    Codes are bytes. They are counted; a bit for each that occurs, walked from the lowest, tells where its rows begin:
    no sweep over all codes.
    """
    for code in range(counts.shape[0]):
        counts[code] = 0
    for i in range(rows.shape[0]):
        counts[codes[rows[i]]] += np.uint8(1)
    n = np.uint8(0)
    for start in range(0, 256, 64):
        bits = bits_of(counts, start)
        while bits != np.uint64(0):
            code = start + np.int64(trailing_zeros(bits))
            bits &= bits - np.uint64(1)
            here = counts[code]
            counts[code] = n
            n += here
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        keys[counts[code]] = (np.int64(code) << PLACE_BITS) | i
        counts[code] += np.uint8(1)
    n_known = np.int64(rows.shape[0])
    for c in range(layout.length):
        missing[c] = 0.0
    while n_known > 0 and keys[n_known - 1] >> PLACE_BITS == missing_code:
        n_known -= 1
        for c in range(layout.length):
            missing[c] += moments[keys[n_known] & PLACE_MASK, c]
    return n_known


@inlined
def score_cuts(keys, n_cuts, sums, start, layout, total, min_rows_leaf, min_weight_leaf, gains, weights):
    """Score the cut behind each of the first keys of a plain node; give the highest gain, NO_GAIN if none is allowed.

    All cuts are scored before the best is looked for: a jump for each cut better than those before it would cost more.

    Parameters
    ----------
    start
        The moments that are on the left whatever the cut: those of missing rows, or nothing.
    gains, weights
        Filled: what each cut gains, in parts of the node's weight, and the weight on its left.
    """
    whole, length, weight_at = total[layout.weight_at], layout.length, layout.weight_at
    if layout.n_channels > 1:
        square_sums(keys, n_cuts, PLACE_MASK, start, sums, length, layout.width, layout.n_channels, gains)
        highest = score_squares(keys, n_cuts, start, sums, length, weight_at, whole, gains, weights)
    else:
        highest = score_singles(keys, n_cuts, start, sums, length, whole, gains, weights)
    if min_rows_leaf > 0 or min_weight_leaf > 0.0:
        highest = rule_out_small(
            keys, n_cuts, sums, start, layout, total, min_rows_leaf, min_weight_leaf, gains, weights
        )
    return highest


@part
def rule_out_small(keys, n_cuts, sums, start, layout, total, min_rows_leaf, min_weight_leaf, gains, weights):
    """Take their gains from cuts that leave too few rows or too little weight on a side; give the highest gain left."""
    most_rows, most_weight = total[layout.rows_at] - min_rows_leaf, total[layout.weight_at] - min_weight_leaf
    rows, highest = start[layout.rows_at], NO_GAIN
    for i in range(n_cuts):
        rows += sums[keys[i] & PLACE_MASK, layout.rows_at]
        enough = min_rows_leaf <= rows <= most_rows and min_weight_leaf <= weights[i] <= most_weight
        gains[i] = gains[i] if enough else NO_GAIN
        highest = max(highest, gains[i])
    return highest


@inlined
def scan_complete(keys, n, sums, nothing, layout, total, min_rows_leaf, min_weight_leaf, gains, weights):
    """The best cut of a plain node without missing rows: `scan_cuts` for the common case, several times as fast."""
    highest = score_cuts(keys, n - 1, sums, nothing, layout, total, min_rows_leaf, min_weight_leaf, gains, weights)
    if highest < 0.0:
        return NO_GAIN, 0, 0.0
    best = 0
    while gains[best] < highest * (1.0 - TIE):
        best += 1
    return gains[best] * total[layout.weight_at], best + 1, weights[best]


@inlined
def choose_missing_side(gain_right, gain_left, larger_left, noise):
    """Of the gains with missing rows on the right and on the left, the one that counts; whether that is the left.

    They take the side with more weight, unless the gain on the other side is higher by more than `noise`: the better
    side of a split that hardly differs is chance, and following it costs accuracy.
    """
    usual, unusual = (gain_left, gain_right) if larger_left else (gain_right, gain_left)
    is_usual = usual < 0.0 or unusual <= (usual + noise) * (1.0 + TIE)
    return usual if is_usual else unusual, larger_left == is_usual


@part
def scan_incomplete(
    keys, n, sums, missing, layout, total, min_rows_leaf, min_weight_leaf, noise, nothing, gains, gains_left, weights
):
    """The best cut of a plain node with missing rows: as `scan_cuts`, all cuts scored first on either side of these."""
    whole, weight_missing = total[layout.weight_at], missing[layout.weight_at]
    noise, highest, best = noise / whole, NO_GAIN, 0
    for c in range(layout.length):
        nothing[c] = 0.0
    keys[n] = -1  # behind the last known row there is a cut as well
    for left in (True, False):  # the side of missing rows; written once, `score_cuts` is compiled once
        start, scored = (missing, gains_left) if left else (nothing, gains)
        n_cuts = n - 1 if left else n
        score_cuts(keys, n_cuts, sums, start, layout, total, min_rows_leaf, min_weight_leaf, scored, weights)
    gains_left[n - 1] = NO_GAIN
    for i in range(n):
        larger_left = i + 1 < n and 2.0 * weights[i] >= whole - weight_missing
        gain, _ = choose_missing_side(gains[i], gains_left[i], larger_left, noise)
        highest = max(highest, gain)
    if highest < 0.0:
        return NO_GAIN, 0, 0.0, False
    while True:
        larger_left = best + 1 < n and 2.0 * weights[best] >= whole - weight_missing
        gain, missing_left = choose_missing_side(gains[best], gains_left[best], larger_left, noise)
        if gain >= highest * (1.0 - TIE):
            break
        best += 1
    return gain * whole, best + 1, weights[best] + (weight_missing if missing_left else 0.0), missing_left


@inlined
def is_large_enough(left, total, layout, limits):
    """Whether both sides of a division have the rows and the weight that a leaf needs."""
    rows_left, weight_left = left[layout.rows_at], left[layout.weight_at]
    rows_right, weight_right = total[layout.rows_at] - rows_left, total[layout.weight_at] - weight_left
    return (
        min(rows_left, rows_right) >= limits.min_rows_leaf and min(weight_left, weight_right) >= limits.min_weight_leaf
    )


@inlined
def score_if_allowed(channels, layout, limits, left, total):
    """The gain of a division, NO_GAIN if a side is too small for a leaf."""
    return score_division(channels, layout, left, total) if is_large_enough(left, total, layout, limits) else NO_GAIN


@part
def scan_cuts(keys, n, sums, channels, layout, limits, noise, work):
    """Walk the keys in order and score each place where the code changes, missing rows on either side.

    Gives the best gain (NO_GAIN if no cut is allowed), the number of keys on its left, the weight on its left, and
    whether missing rows go left. With missing rows, "all that is known | all that is missing" is a cut too.
    """
    left, other, total, missing = work.left, work.other, work.total, work.missing
    some_missing = missing[layout.rows_at] > 0.0
    best_gain, best_end, best_weight, best_missing_left = NO_GAIN, 0, 0.0, False
    for c in range(layout.length):
        left[c] = 0.0
    for i in range(n if some_missing else n - 1):
        k = keys[i] & PLACE_MASK
        for c in range(layout.length):
            left[c] += sums[k, c]
            other[c] = left[c] + missing[c]
        if i + 1 < n and (keys[i] ^ keys[i + 1]) >> PLACE_BITS == 0:
            continue
        gain = score_if_allowed(channels, layout, limits, left, total)
        missing_left = False
        if some_missing and i + 1 < n:
            gain_left = score_if_allowed(channels, layout, limits, other, total)
            larger_left = left[layout.weight_at] >= total[layout.weight_at] - other[layout.weight_at]
            gain, missing_left = choose_missing_side(gain, gain_left, larger_left, noise)
        if gain > best_gain + TIE * abs(best_gain):
            best_gain, best_end, best_missing_left = gain, i + 1, missing_left
            best_weight = other[layout.weight_at] if missing_left else left[layout.weight_at]
    return best_gain, best_end, best_weight, best_missing_left


@inlined
def leave_out_categories(n_groups, salt, code_of_group, layout, table, missing):
    """Keep each category with an even chance; the others' moments are added to `missing`. Gives how many are kept."""
    kept = 0
    for g in range(n_groups):
        is_kept = draw_unit(salt, code_of_group[g]) < 0.5
        for c in range(layout.length):
            if not is_kept:
                missing[c] += table[g, c]
            table[kept, c] = table[g, c]
        code_of_group[kept] = code_of_group[g]
        kept += is_kept
    return kept


@part
def order_categories(n, channels, layout, draw, salt, work):
    """Sum the rows of work.keys[:n] by category and order the categories along the leading direction of their means.

    For one numeric or one two-class target that order contains the best subset; for more it is a heuristic (the first
    principal component of the category means). If `draw` and there are many, only some categories take part, and the
    rows of the others count as missing. On return keys[g] = (g, row of the table), in order, and code_of_group gives
    that row's category. Gives the number of categories.
    """
    keys, table, group_of_code, code_of_group = work.keys, work.table, work.group_of_code, work.code_of_group
    n_groups = np.int64(0)  # typed from the start: callees are compiled once
    for i in range(n):
        code = keys[i] >> PLACE_BITS
        g = group_of_code[code]
        if g < 0:
            g = n_groups
            group_of_code[code] = g
            code_of_group[g] = code
            for c in range(layout.length):
                table[g, c] = 0.0
            n_groups += 1
        k = keys[i] & PLACE_MASK
        for c in range(layout.length):
            table[g, c] += work.moments[k, c]
    for g in range(n_groups):
        group_of_code[code_of_group[g]] = -1
    if draw and n_groups > FEW_CATEGORIES:
        n_groups = leave_out_categories(n_groups, salt, code_of_group, layout, table, work.missing)
    for g in range(n_groups):
        keys[g] = (code_of_group[g] << PLACE_BITS) | g
    project_groups(n_groups, channels, layout, work)
    sort_places_by(work.score, keys, n_groups, work.scratch)
    for g in range(n_groups):
        keys[g] = (np.int64(g) << PLACE_BITS) | (keys[g] & PLACE_MASK)
    return n_groups


@part
def fill_spread(n_groups, n_channels, weight_at, table, means, spread):
    """spread = sum_g W_g m_g m_g'."""
    for c in range(n_channels):
        for d in range(c + 1):
            total = 0.0
            for g in range(n_groups):
                total += table[g, weight_at] * means[g, c] * means[g, d]
            spread[c, d] = total
            spread[d, c] = total


@part
def find_leading_direction(spread, n_channels, direction):
    """Turn direction[0] into the leading direction of the matrix: a power iteration.

    In parts of the trace the largest eigenvalue is at least 1 / n_channels: without a division or a root at each step
    nothing grows beyond its place or vanishes.
    """
    trace, norm = 0.0, 0.0
    for c in range(n_channels):
        trace += spread[c, c]
        norm += direction[0, c] * direction[0, c]
    if trace == 0.0 or norm == 0.0:
        return
    length = np.sqrt(norm)
    for c in range(n_channels):
        direction[0, c] /= length
        for d in range(n_channels):
            spread[c, d] /= trace
    before = 1.0
    for _ in range(DIRECTION_STEPS):
        aligned, stretched = 0.0, 0.0
        for c in range(n_channels):
            along = 0.0
            for d in range(n_channels):
                along += spread[c, d] * direction[0, d]
            direction[1, c] = along
            aligned += along * direction[0, c]
            stretched += along * along
        for c in range(n_channels):
            direction[0, c] = direction[1, c]
        if aligned * aligned >= (1.0 - 2e-12) * stretched * before:
            break
        before = stretched


@part
def follow_groups(n_groups, n_channels, weight_at, table, means, direction):
    """`find_leading_direction` of sum_g W_g m_g m_g' without the matrix, where groups are fewer than channels."""
    for _ in range(DIRECTION_STEPS):
        norm, aligned, stretched = 0.0, 0.0, 0.0
        for c in range(n_channels):
            norm += direction[0, c] * direction[0, c]
            direction[1, c] = 0.0
        if norm == 0.0:
            break
        length = np.sqrt(norm)
        for g in range(n_groups):
            along = 0.0
            for c in range(n_channels):
                along += means[g, c] * direction[0, c]
            for c in range(n_channels):
                direction[1, c] += table[g, weight_at] * along / length * means[g, c]
        for c in range(n_channels):
            aligned += direction[1, c] * direction[0, c] / length
            stretched += direction[1, c] * direction[1, c]
            direction[0, c] = direction[1, c]
        if aligned >= (1.0 - 1e-12) * np.sqrt(stretched):
            break


@inlined
def project_groups(n_groups, channels, layout, work):
    """score_g = m_g . v for the leading direction v of sum_g W_g m_g m_g', m_g the centred mean of group g."""
    start_of, weight_at = channels.target_start, layout.weight_at
    table, total, means, score, direction = work.table, work.total, work.means, work.score, work.direction
    largest, longest = 0, -1.0
    for g in range(n_groups):
        norm = 0.0
        for t in range(start_of.shape[0] - 1):
            at = weight_at if layout.plain else layout.target_at + t
            for c in range(start_of[t], start_of[t + 1]):
                means[g, c] = table[g, c] / table[g, at] - total[c] / total[at] if table[g, at] > 0.0 else 0.0
                norm += means[g, c] * means[g, c]
        if table[g, weight_at] * norm > longest:
            largest, longest = g, table[g, weight_at] * norm
    for c in range(layout.n_channels):
        direction[0, c] = means[largest, c]
    if n_groups >= layout.n_channels and layout.n_channels <= DIRECTION_MATRIX:
        fill_spread(n_groups, layout.n_channels, weight_at, table, means, work.spread)
        find_leading_direction(work.spread, layout.n_channels, direction)
    else:
        follow_groups(n_groups, layout.n_channels, weight_at, table, means, direction)
    # The rows' order must not show: the largest component is positive, and scores that differ by rounding are equal.
    largest, highest = 0, 0.0
    for c in range(1, layout.n_channels):
        if abs(direction[0, c]) > (1.0 + 1e-6) * abs(direction[0, largest]):
            largest = c
    for g in range(n_groups):
        score[g] = 0.0
        for c in range(layout.n_channels):
            score[g] += means[g, c] * direction[0, c]
        highest = max(highest, abs(score[g]))
    step = (1e-10 if direction[0, largest] > 0.0 else -1e-10) * max(highest, 1e-290)
    for g in range(n_groups):
        score[g] = np.rint(score[g] / step)
