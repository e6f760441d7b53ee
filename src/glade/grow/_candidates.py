"""What a node is split on: the candidates of its inputs, all or drawn ones, and the one that wins."""

import numpy as np

from glade.core._compile import inlined
from glade.data._order import PLACE_BITS, sort_keys
from glade.grow._draws import draw_below, draw_salt, salt_of
from glade.grow._few import find_few_candidate, score_divisions
from glade.grow._held import first_row, take_sums
from glade.grow._moments import sum_moments
from glade.grow._random_cut import find_random_candidate
from glade.grow._search import (
    NO_GAIN,
    TIE,
    code_at,
    collect_keys,
    column_of,
    order_categories,
    scan_complete,
    scan_cuts,
    scan_incomplete,
    sort_by_code,
    sum_by_code,
)
from glade.grow.layout import FEW_ROWS, MISSING_SIDE_UNSEEN, PICK_GAIN, PICK_GAIN_RATIO

MISSING_SIDE_CLEAR = 0.2  # of the node's impurity: what missing rows must gain more to take the smaller side
COUNTED_MIN_ROWS = 10  # in smaller nodes codes are compared rather than counted
STOP_MIN_INPUTS = 4  # with fewer, to stop at the best of all divisions is not worth it
TRACKED_INPUTS = 64  # whose being constant is passed on to the nodes below


@inlined
def mark_constant(constant, j):
    if j < TRACKED_INPUTS:
        constant[0] |= np.uint64(1) << np.uint64(j)


@inlined
def is_constant(constant, j):
    """Whether an input is known to have one value in the node at hand, because it had in a node above."""
    return j < TRACKED_INPUTS and (constant[0] >> np.uint64(j)) & np.uint64(1) == np.uint64(1)


@inlined
def find_candidate(columns, channels, layout, j, rows, limits, noise, simple, holds, held, slot, work, found):
    """The best split of one input, written into `found`; its gain stays NO_GAIN if it has none.

    Gives whether the input tells any rows of the node apart, in parts however small. With a slot, the sums by code are
    there.
    """
    found.gain[j] = NO_GAIN
    keys, sums, size, was_missing = work.keys, work.table, rows.shape[0], True
    narrow, wide, is_narrow = column_of(columns, j)
    missing_code = columns.n_codes[j]
    if holds and slot >= 0:
        g = held.group[j]
        first, n_cells = first_row(held, slot) + held.start[g], held.start[g + 1] - held.start[g]
        n, is_in_table = take_sums(
            held.sums, first, n_cells, held.stride[j], held.radix[j], missing_code, layout, work.table, keys,
            work.missing,
        )  # fmt: skip
        sums = work.table if is_in_table else held.sums
    elif not columns.nominal[j] and missing_code <= size and size > COUNTED_MIN_ROWS:
        n = sum_by_code(
            narrow, wide, is_narrow, missing_code, rows, work.moments, layout, work.table, keys, work.missing
        )
    elif not columns.nominal[j] and is_narrow and size > COUNTED_MIN_ROWS:
        n = sort_by_code(narrow, missing_code, rows, work.moments, layout, keys, work.counts_of_codes, work.missing)
        sums = work.moments
    else:
        n, lowest, highest, in_order = collect_keys(
            narrow, wide, is_narrow, missing_code, rows, work.moments, keys, work.missing
        )
        if not simple and columns.nominal[j]:
            was_missing = work.missing[layout.rows_at] > 0.0
            n = order_categories(n, channels, layout, limits.draw_categories, salt_of(work.random, j), work)
        else:
            sums = work.moments
            if not in_order:
                keys = sort_keys(keys, n, lowest, highest, work.scratch, work.counts)
    some_missing, missing_left = work.missing[layout.rows_at] > 0.0, False
    varies = n > 0 and (some_missing or keys[0] >> PLACE_BITS != keys[n - 1] >> PLACE_BITS)
    if not varies and not some_missing:
        mark_constant(work.constant, j)
    noise = 0.0 if columns.nominal[j] else noise
    min_rows, min_weight = limits.min_rows_leaf, limits.min_weight_leaf
    if (simple or layout.plain) and not some_missing:
        gain, n_left, weight_left = scan_complete(
            keys, n, sums, work.missing, layout, work.total, min_rows, min_weight, work.gains, work.weights
        )
    elif simple or (layout.plain and n > 0):
        gain, n_left, weight_left, missing_left = scan_incomplete(
            keys, n, sums, work.missing, layout, work.total, min_rows, min_weight, noise, work.other, work.gains,
            work.gains_left, work.weights,
        )  # fmt: skip
    else:
        gain, n_left, weight_left, missing_left = scan_cuts(keys, n, sums, channels, layout, limits, noise, work)
    if gain >= 0.0:
        found.gain[j] = gain
        found.weight_left[j] = weight_left
        found.below[j] = n_left if columns.nominal[j] else keys[n_left - 1] >> PLACE_BITS
        found.above[j] = columns.n_codes[j] if n_left == n else keys[n_left] >> PLACE_BITS
        if some_missing:
            found.missing[j] = (1 if missing_left else 0) + (0 if was_missing else MISSING_SIDE_UNSEEN)
        else:
            larger_left = 2.0 * weight_left >= work.total[layout.weight_at]
            found.missing[j] = (1 if larger_left else 0) + MISSING_SIDE_UNSEEN
    return varies


@inlined
def find_pair_candidate(columns, channels, j, rows, limits, gain, weight, found):
    """`find_candidate` for a node of two rows and a numeric input: one division, if it tells the rows apart.

    It gains all there is. A random cut, too, parts the two rows, wherever it is drawn.
    """
    found.gain[j] = NO_GAIN
    place, missing_code = columns.place[j], columns.n_codes[j]
    first, second = code_at(columns, place, rows[0]), code_at(columns, place, rows[1])
    weight_left = channels.weight[rows[0 if first < second else 1]]  # a missing code is the highest
    if first != second and min(weight_left, weight - weight_left) >= limits.min_weight_leaf:
        larger_left = 2.0 * weight_left >= weight
        found.gain[j] = gain
        found.weight_left[j] = weight_left
        found.below[j] = min(first, second)
        found.above[j] = max(first, second)
        found.missing[j] = 0 if found.above[j] == missing_code else (1 if larger_left else 0) + MISSING_SIDE_UNSEEN
    return first != second


@inlined
def split_information(weight_left, weight):
    share = weight_left / weight
    return -(share * np.log2(share) + (1.0 - share) * np.log2(1.0 - share))


@inlined
def pick_candidate(found, inputs, n_tried, pick, weight):
    """The input whose candidate wins, -1 if none can split. Ties go to the one tried first."""
    least_gain = NO_GAIN
    if pick == PICK_GAIN_RATIO:
        total, count = 0.0, 0
        for k in range(n_tried):
            if found.gain[inputs[k]] >= 0.0:
                total += found.gain[inputs[k]]
                count += 1
        least_gain = total / max(count, 1) * (1.0 - TIE)
    best, best_score = np.int32(-1), NO_GAIN
    for k in range(n_tried):
        j = inputs[k]
        score = found.gain[j]
        if score < 0.0 or score < least_gain:
            continue
        if pick == PICK_GAIN_RATIO:
            score /= split_information(found.weight_left[j], weight)
        if score > best_score + TIE * abs(best_score):
            best, best_score = j, score
    return best


@inlined
def find_best_candidate(
    columns,
    channels,
    layout,
    j,
    rows,
    limits,
    is_few,
    weight,
    noise,
    simple,
    holds,
    held,
    slot,
    work,
    found,
):
    """`find_candidate`, or where all divisions of a few rows are scored and the input lacks none, a look at these."""
    is_found, varies = False, False
    if is_few and (simple or not columns.nominal[j]):
        is_found, varies = find_few_candidate(
            columns, j, rows, weight, work.division_gains, work.division_weights, found
        )
        if not varies:
            mark_constant(work.constant, j)
    if not is_found:
        varies = find_candidate(
            columns, channels, layout, j, rows, limits, noise, simple, holds, held, slot, work, found
        )
    return varies


@inlined
def search_inputs(
    columns,
    channels,
    layout,
    limits,
    random_cuts,
    rows,
    is_pair,
    weight,
    impurity,
    simple,
    holds,
    held,
    slot,
    work,
    found,
):
    """Find the candidates of all inputs, or of a random draw of them; give the winner's input, -1 if there is none.

    More are drawn only while those drawn have one value each: as in scikit-learn, an input that leaves cannot be made
    of ends the draw.
    """
    n_inputs, noise = work.inputs.shape[0], MISSING_SIDE_CLEAR * impurity
    if not is_pair:
        sum_moments(rows.shape[0], weight, layout, work)
    highest_gain = 0.0 if rows.shape[0] == 2 and not limits.keeps_alternatives else np.inf
    is_few = layout.plain and 2 < rows.shape[0] <= FEW_ROWS and not random_cuts
    if is_few:  # the first input to make the best of all divisions wins
        highest = weight * score_divisions(
            rows.shape[0], layout, limits, work.moments, work.division_steps, work.other, work.total, work.gains,
            work.division_gains, work.division_weights,
        )  # fmt: skip
        stops_early = limits.pick == PICK_GAIN and limits.n_inputs_drawn >= STOP_MIN_INPUTS
        highest_gain = highest * (1.0 - TIE) if stops_early and not limits.keeps_alternatives else np.inf
    if random_cuts or limits.draw_categories:
        draw_salt(work.random)
    n_tried = 0
    any_varies = False
    while n_tried < n_inputs:
        if n_tried >= limits.n_inputs_drawn and (any_varies or limits.leaf_if_no_split):
            break
        if limits.n_inputs_drawn < n_inputs:
            k = n_tried + draw_below(work.random, n_inputs - n_tried)
            work.inputs[n_tried], work.inputs[k] = work.inputs[k], work.inputs[n_tried]
        j = work.inputs[n_tried]
        n_tried += 1
        varies = False
        if is_constant(work.constant, j):
            found.gain[j] = NO_GAIN
        elif is_pair:
            varies = find_pair_candidate(columns, channels, j, rows, limits, impurity, weight, found)
        elif random_cuts:
            varies = not find_random_candidate(columns, channels, layout, j, rows, limits, noise, work, found)
            if not varies:
                mark_constant(work.constant, j)
        else:
            varies = find_best_candidate(
                columns,
                channels,
                layout,
                j,
                rows,
                limits,
                is_few,
                weight,
                noise,
                simple,
                holds,
                held,
                slot,
                work,
                found,
            )
        any_varies |= varies
        if found.gain[j] >= highest_gain:
            return j  # every later input could only tie
    return pick_candidate(found, work.inputs, n_tried, limits.pick, weight)
