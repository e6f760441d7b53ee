"""Nodes of a few rows: all divisions are scored beforehand, and each input is asked which of them it can make.

More than a third of the nodes of an unpruned tree that are split have three to six rows.
"""

import numpy as np

from glade.core._compile import inlined
from glade.core._vector import list_sets
from glade.grow._cuts import square_sums
from glade.grow._search import NO_GAIN, TIE, code_at
from glade.grow.layout import MISSING_SIDE_UNSEEN

ALL_BITS = -1


@inlined
def score_divisions(n, layout, limits, moments, steps, nothing, total, squares, gains, weights):
    """Score every division of the node's rows; give the highest gain, in parts of the node's weight.

    Parameters
    ----------
    moments
        Those of n rows, with room for as many behind them.
    steps
        How sets of rows are walked (see `layout.list_division_steps`).
    nothing, squares
        Room for a moment row, and for a number for each division.
    gains, weights
        Filled for each set of rows, as bits, that may go left: its gain, NO_GAIN where not allowed; its weight.
    """
    whole, everything = total[layout.weight_at], (1 << n) - 1
    for k in range(n):
        for c in range(layout.length):
            moments[n + k, c] = -moments[k, c]
    if layout.n_channels > 1:
        for c in range(layout.width):
            nothing[c] = 0.0
        square_sums(
            steps[n], everything >> 1, ALL_BITS, nothing, moments, layout.length, layout.width, layout.n_channels,
            squares,
        )  # fmt: skip
    s, w, rows, highest = 0.0, 0.0, 0.0, NO_GAIN
    has_limits = limits.min_rows_leaf > 0 or limits.min_weight_leaf > 0.0
    gains[everything] = NO_GAIN
    for i in range(everything >> 1):
        k = steps[n, i]
        s += moments[k, 0]
        w += moments[k, layout.weight_at]
        square, spread = squares[i] if layout.n_channels > 1 else s * s, w * (whole - w)
        gain = square / spread if spread > 0.0 else NO_GAIN
        if has_limits:
            rows += moments[k, layout.rows_at]
            rows_right = total[layout.rows_at] - rows
            enough = min(rows, rows_right) >= limits.min_rows_leaf and min(w, whole - w) >= limits.min_weight_leaf
            gain = gain if enough else NO_GAIN
        left = (i + 1) ^ ((i + 1) >> 1)
        gains[left], weights[left] = gain, w
        gains[everything ^ left], weights[everything ^ left] = gain, whole - w
        highest = max(highest, gain)
    return highest


@inlined
def cut_key(code, left, gain, enough):
    """By which cuts that gain enough are ordered: the lowest code comes first."""
    return (np.int64(code) << 8) | np.int64(left) if gain >= enough else np.int64(1) << 62


@inlined
def next_above(code, below, highest):
    """The code if it is above the cut, else the highest, which always is."""
    return code if code > below else highest


@inlined
def find_few_candidate(columns, j, rows, whole, gains, weights, found):
    """`find_candidate` by the scores of all divisions, for a numeric input.

    Gives whether that was possible (it is not where the input is missing), and whether the input tells rows apart.
    Six rows are written out, the last one standing for those that are not there: the processor would guess wrong where
    a loop over them ends.
    """
    last, place, missing_code = rows.shape[0] - 1, columns.place[j], columns.n_codes[j]
    a, b = code_at(columns, place, rows[0]), code_at(columns, place, rows[1])
    c, d = code_at(columns, place, rows[2]), code_at(columns, place, rows[min(3, last)])
    e, f = code_at(columns, place, rows[min(4, last)]), code_at(columns, place, rows[last])
    lowest = min(min(min(a, b), min(c, d)), min(e, f))
    highest = max(max(max(a, b), max(c, d)), max(e, f))
    if highest == missing_code:
        return False, True
    found.gain[j] = NO_GAIN
    if lowest == highest:
        return True, False
    sets, everything = list_sets(a, b, c, d, e, f), np.uint64((2 << last) - 1)
    set_a, set_b, set_c = sets & everything, sets >> np.uint64(8) & everything, sets >> np.uint64(16) & everything
    set_d, set_e = sets >> np.uint64(24) & everything, sets >> np.uint64(32) & everything
    set_f = sets >> np.uint64(40) & everything
    gain_a, gain_b, gain_c, gain_d = gains[set_a], gains[set_b], gains[set_c], gains[set_d]
    gain_e, gain_f = gains[set_e], gains[set_f]
    best = max(max(max(gain_a, gain_b), max(gain_c, gain_d)), max(gain_e, gain_f))
    if best >= 0.0:
        enough = best * (1.0 - TIE)
        first = min(cut_key(a, set_a, gain_a, enough), cut_key(b, set_b, gain_b, enough))
        second = min(cut_key(c, set_c, gain_c, enough), cut_key(d, set_d, gain_d, enough))
        third = min(cut_key(e, set_e, gain_e, enough), cut_key(f, set_f, gain_f, enough))
        cut = min(min(first, second), third)
        below, left = np.int32(cut >> 8), cut & 255
        first = min(next_above(a, below, highest), next_above(b, below, highest))
        second = min(next_above(c, below, highest), next_above(d, below, highest))
        third = min(next_above(e, below, highest), next_above(f, below, highest))
        weight_left = weights[left]
        found.gain[j], found.weight_left[j] = gains[left] * whole, weight_left
        found.below[j], found.above[j] = below, min(min(first, second), third)
        found.missing[j] = (1 if 2.0 * weight_left >= whole else 0) + MISSING_SIDE_UNSEEN
    return True, True
