"""Sums by code that a large node holds for its children (see `layout.HeldSums`).

The smaller child's rows are summed; what it has not of its parent's sums, the larger child has. So less than half of
the rows are summed, and the larger child's need not even be gathered.
"""

import numpy as np

from glade.core._compile import inlined, part
from glade.core._vector import add_fours, add_rows_by_code, centre_rows, clear, shift_rows, take_away_rows
from glade.grow._search import column_of, list_codes, sum_by_code
from glade.grow._state import N_FREE, NOT_EVALUATED

BLOCK_FLOATS = 2048  # of moment rows that are summed before the next ones are made: they stay in the nearest cache
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


@part
def find_means(y, weights, numeric, layout, rows, shift, moments, part_sums, value):
    """The means of a node's rows, less the shift, for several channels; its moment rows are not kept. Gives its weight.

    The shift is the first row's, so that the mean of equal values is that value.
    """
    width, step, weight = layout.width, max(1, BLOCK_FLOATS // layout.length), 0.0
    for c in range(width):
        value[c] = 0.0
        shift[c] = numeric[c] * y[rows[0], c]
    for first in range(0, rows.shape[0], step):
        weight += shift_rows(moments, layout.length, y, width, rows[first : first + step], weights, shift, part_sums)
        for c in range(width):
            value[c] += part_sums[c]
    for c in range(width):
        value[c] /= weight
    return weight


@part
def sum_in_blocks(y, weights, scale, numeric, layout, rows, shift, moments, part_sums, value, codes, start, sums, base):
    """`gather_moments` and `sum_groups` of a large node together, for several channels.

    Its moment rows are made in blocks, each of which is added to the sums of all groups while it is near: all of them
    together would be fetched again for every group. Gives weight and impurity.
    """
    length, width, n_rows = layout.length, layout.width, rows.shape[0]
    step, impurity = max(1, BLOCK_FLOATS // length), 0.0
    weight = find_means(y, weights, numeric, layout, rows, shift, moments, part_sums, value)
    clear(sums, base * length, start[start.shape[0] - 1] * length)
    for first in range(0, n_rows, step):
        block = rows[first : first + step]
        shift_rows(moments, length, y, width, block, weights, shift, part_sums)
        impurity += centre_rows(moments, length, width, block, weights, value, scale, layout.rows_at, layout.weight_at)
        for g in range(codes.shape[0]):
            add_rows_by_code(sums[base + start[g] :], moments, length, block, codes[g], 0, 0)
    for c in range(width):
        value[c] += shift[c]
    return weight, impurity


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


@inlined
def first_row(held, slot):
    """Where the sums of a slot begin."""
    return np.int64(slot) * held.start[held.start.shape[0] - 1]


@inlined
def derive_node(columns, channels, layout, limits, rows, node, parent, sibling, is_leaf, held, work, tree):
    """Weight, impurity and value of the larger of two children, from the sums that the other two nodes hold.

    Gives whether that was possible: with little impurity left it would not be exact. Of a leaf only the impurity is
    derived, since its value is what users see: a target that is constant there has exactly that value.
    """
    slot, is_large_leaf = tree.slot[parent], is_leaf and layout.width > 1
    is_known = tree.slot[sibling] >= 0 or (is_large_leaf and tree.split[sibling] != NOT_EVALUATED)
    if slot < 0 or not is_known or tree.end[node] - tree.start[node] < limits.min_rows_held:
        return False
    impurity = tree.impurity[parent] - tree.gain[parent] - tree.impurity[sibling]
    if impurity < LEAST_IMPURITY * held.impurity[slot]:
        return False
    tree.impurity[node], value = impurity, tree.value[node]
    if is_large_leaf:
        tree.weight[node] = find_means(
            channels.y, channels.weight, channels.numeric, layout, rows, work.shift, work.moments, work.other, value
        )
        for c in range(layout.width):
            value[c] += work.shift[c]
        return True
    s = tree.split[parent]
    j = tree.split_input[s]
    g = held.group[j]
    tree.weight[node] = set_means_apart(
        held.sums, first_row(held, slot) + held.start[g], held.start[g + 1] - held.start[g], held.stride[j],
        held.radix[j], columns.n_codes[j], tree.split_below[s], tree.split_missing[s] & 1 == 1,
        tree.split_left[s] == node, tree.weight[parent], layout, held.apart,
    )  # fmt: skip
    for c in range(layout.width):
        value[c] = tree.value[parent, c]
        if c < layout.n_channels and channels.scale[c] > 0.0:
            value[c] += held.apart[1, c] / channels.scale[c]
    share_classes(channels.y, channels.weight, channels.numeric, rows, tree.weight[node], layout.n_channels, value)
    return True


@inlined
def is_awaited(limits, parent, sibling, tree):
    """Whether the sibling will derive its sums from the node's."""
    is_large = tree.end[sibling] - tree.start[sibling] >= limits.min_rows_held
    return is_large and tree.slot[parent] >= 0 and tree.split[sibling] == NOT_EVALUATED


@inlined
def is_slot_wanted(limits, n_rows, parent, sibling, tree, state):
    """Whether the node is large, or has a large sibling that needs its sums, and there is a slot for them."""
    return state[N_FREE] > 0 and (n_rows >= 2 * limits.min_rows_held or is_awaited(limits, parent, sibling, tree))


@inlined
def take_slot(node, held, tree, state):
    state[N_FREE] -= 1
    tree.slot[node] = held.free[state[N_FREE]]


@inlined
def gather_and_hold(channels, layout, rows, node, held, work, tree, state):
    """Give the node a slot with its sums by code. Gives weight and impurity."""
    take_slot(node, held, tree, state)
    weight, impurity = sum_in_blocks(
        channels.y, channels.weight, channels.scale, channels.numeric, layout, rows, work.shift, work.moments,
        work.other, tree.value[node], held.codes, held.start, held.sums, first_row(held, tree.slot[node]),
    )  # fmt: skip
    held.impurity[tree.slot[node]] = impurity
    return weight, impurity


@inlined
def hold_sums(columns, layout, limits, rows, node, parent, sibling, is_derived, held, work, tree, state):
    """Give the node a slot with its sums by code, if it is to have one and has none."""
    if is_derived:
        slot = tree.slot[parent]
        tree.slot[node], tree.slot[parent] = slot, -1
        n_rows, other = held.start[held.start.shape[0] - 1], tree.slot[sibling]
        take_away_sums(held.sums, first_row(held, slot), first_row(held, other), n_rows, layout, held.apart)
        return
    if tree.slot[node] < 0 and is_slot_wanted(limits, rows.shape[0], parent, sibling, tree, state):
        take_slot(node, held, tree, state)
        held.impurity[tree.slot[node]] = tree.impurity[node]
        _, wide, _ = column_of(columns, 0)
        sum_groups(
            held.codes, wide, held.start, rows, work.moments, layout, work.table, work.keys, work.missing, held.sums,
            first_row(held, tree.slot[node]),
        )  # fmt: skip


@inlined
def release_slot(tree, node, held, state):
    if tree.slot[node] >= 0:
        held.free[state[N_FREE]] = tree.slot[node]
        state[N_FREE] += 1
        tree.slot[node] = -1


@inlined
def release_slots(limits, tree, parent, first, last, held, state):
    """Take back the slots of a divided node, and of those of its children, `first` to `last`, that need none."""
    if parent < first:
        release_slot(tree, parent, held, state)
    for node in range(first, last + 1):
        if tree.split[node] < 0 or tree.end[node] - tree.start[node] < 2 * limits.min_rows_held:
            release_slot(tree, node, held, state)


@inlined
def is_left_smaller(tree, left, right):
    return left < right and tree.end[left] - tree.start[left] < tree.end[right] - tree.start[right]
