"""The moment rows of a node, and how well a division of them does (see `layout`)."""

import numpy as np

from glade.core._compile import inlined, part
from glade.core._vector import centre_rows, mix_fours, shift_rows

NO_WEIGHT = 1e-12  # of a target's weight in the node: as good as none


@inlined
def gather_moments(channels, layout, simple, rows, work, parent_value, value):
    """Fill work.moments with the node's moment rows and `value` with its channel means; give weight and impurity.

    Numeric channels are summed as differences from the node's first row: the mean of 1e9 + tiny keeps its tiny part,
    and the mean of equal values is that value.
    """
    for c in range(layout.width):
        value[c] = 0.0
        work.shift[c] = channels.numeric[c] * channels.y[rows[0], c]
    if simple or layout.plain:
        weight, impurity = fill_plain(
            channels.y, channels.weight, channels.scale, layout, rows, work.shift, work.moments, value
        )
    else:
        weight, impurity = fill_general(channels, layout, rows, work, parent_value, value)
    for c in range(layout.width):
        value[c] += work.shift[c]
    return weight, impurity


@inlined
def fill_plain(y, weights, scale, layout, rows, shift, moments, value):
    """Moment rows where all targets are known and all criteria are squares; `value` becomes means, less the shift.

    A row of y is fetched once, from wherever it is; the second pass finds it in place.
    """
    width, length, weight_at, rows_at = layout.width, layout.length, layout.weight_at, layout.rows_at
    if width == 1:
        return fill_single(y, weights, scale[0], rows_at, rows, shift[0], moments, value)
    weight = shift_rows(moments, length, y, width, rows, weights, shift, value)
    for c in range(width):
        value[c] /= weight
    return weight, centre_rows(moments, length, width, rows, weights, value, scale, rows_at, weight_at)


@inlined
def fill_single(y, weights, scale, rows_at, rows, shift, moments, value):
    """`fill_plain` for one channel."""
    weight, total = 0.0, 0.0
    for i in range(rows.shape[0]):
        w, shifted = weights[rows[i]], y[rows[i], 0] - shift
        weight += w
        total += w * shifted
        moments[i, 0] = shifted
    mean = total / weight
    impurity = 0.0
    for i in range(rows.shape[0]):
        w, centred = weights[rows[i]], (moments[i, 0] - mean) * scale
        impurity += w * centred * centred
        moments[i, 0] = w * centred
        moments[i, rows_at] = 1.0
        moments[i, 1] = w
    value[0] = mean
    return weight, impurity


@inlined
def weigh_pair(y, weights, scale, width, rows, value):
    """`gather_moments` for two rows, whose division gains all there is: their mean, weight and impurity say all."""
    first, second = np.int64(rows[0]), np.int64(rows[1])
    share = weights[second] / (weights[first] + weights[second])
    if width == 1:
        between = y[second, 0] - y[first, 0]
        value[0] = y[first, 0] + share * between
        square = between * scale[0] * between * scale[0]
    else:
        square = mix_fours(value, y, first * width, second * width, share, scale, width)
    return weights[first] + weights[second], weights[first] * share * square


@part
def fill_general(channels, layout, rows, work, parent_value, value):
    """The same where targets may be unknown or judged by entropy."""
    y, scale, shift, moments, start_of = channels.y, channels.scale, work.shift, work.moments, channels.target_start
    weight = 0.0
    for t in range(start_of.shape[0] - 1):
        work.left[t] = 0.0  # the target's weight
    for i in range(rows.shape[0]):
        w = channels.weight[rows[i]]
        weight += w
        for t in range(start_of.shape[0] - 1):
            if channels.known.shape[0] == 0 or channels.known[rows[i], t]:
                work.left[t] += w
                for c in range(start_of[t], start_of[t + 1]):
                    value[c] += w * (y[rows[i], c] - shift[c])
    impurity = 0.0
    for t in range(start_of.shape[0] - 1):
        bits = weight_log2(work.left[t])
        for c in range(start_of[t], start_of[t + 1]):
            bits -= weight_log2(value[c])
            value[c] /= max(work.left[t], 1e-300)
        impurity += channels.entropy_weight[t] * max(bits, 0.0)
    for i in range(rows.shape[0]):
        w = channels.weight[rows[i]]
        for t in range(start_of.shape[0] - 1):
            known = w if channels.known.shape[0] == 0 or channels.known[rows[i], t] else 0.0
            moments[i, layout.target_at + t] = known
            for c in range(start_of[t], start_of[t + 1]):
                if channels.entropy_weight[t] > 0.0:
                    moments[i, c] = known * y[rows[i], c]
                else:
                    centred = (y[rows[i], c] - shift[c] - value[c]) * scale[c]
                    impurity += known * centred * centred
                    moments[i, c] = known * centred
        moments[i, layout.rows_at] = 1.0
        moments[i, layout.weight_at] = w
    for t in range(start_of.shape[0] - 1):
        for c in range(start_of[t], start_of[t + 1]):
            if work.left[t] == 0.0:
                value[c] = parent_value[c] - shift[c]  # no row here knows this target
    return weight, impurity


@inlined
def sum_moments(n_rows, weight, layout, work):
    """work.total = the sum of the node's moment rows."""
    for c in range(layout.length):
        work.total[c] = 0.0
    if layout.plain:  # moments are centred: they sum to zero
        work.total[layout.rows_at] = n_rows
        work.total[layout.weight_at] = weight
    else:
        for k in range(n_rows):
            for c in range(layout.length):
                work.total[c] += work.moments[k, c]


@inlined
def weight_log2(w):
    return w * np.log2(w) if w > 0.0 else 0.0


@part
def score_division(channels, layout, left, total):
    """The gain of a division of the node's rows whose left part has these summed moments."""
    start_of = channels.target_start
    gain = 0.0
    for t in range(start_of.shape[0] - 1):
        at = layout.weight_at if layout.plain else layout.target_at + t
        whole, w_left = total[at], left[at]
        w_right = whole - w_left
        if w_left <= NO_WEIGHT * whole or w_right <= NO_WEIGHT * whole:
            continue  # all that is known of this target is on one side: nothing learnt about it
        if channels.entropy_weight[t] > 0.0:
            bits = weight_log2(whole) - weight_log2(w_left) - weight_log2(w_right)
            for c in range(start_of[t], start_of[t + 1]):
                bits += weight_log2(left[c]) + weight_log2(total[c] - left[c]) - weight_log2(total[c])
            gain += channels.entropy_weight[t] * max(bits, 0.0)
        else:
            square = 0.0
            for c in range(start_of[t], start_of[t + 1]):
                square += left[c] * left[c]
            gain += square * (whole / (w_left * w_right))
    return gain
