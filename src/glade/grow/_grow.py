"""The growth loop: one tree after another, depth first or best first, without recursion."""

import numpy as np

from glade.core._compile import inlined, kernel, part
from glade.data._order import PLACE_BITS, PLACE_MASK, sort_keys
from glade.data.coded import Channels
from glade.grow._candidates import search_inputs
from glade.grow._draws import salt_of
from glade.grow._frontier import pop_node, push_node, put_left_on_top
from glade.grow._held import (
    derive_node,
    gather_and_hold,
    hold_sums,
    is_awaited,
    is_left_smaller,
    is_slot_wanted,
    release_slots,
)
from glade.grow._moments import gather_moments, weigh_pair
from glade.grow._random_cut import list_random_categories, place_random_cut
from glade.grow._search import (
    collect_keys,
    column_of,
    order_categories,
)
from glade.grow._state import (
    FIRST_NODE,
    N_EVALUATED,
    N_FREE,
    N_FRONTIER,
    N_KEPT,
    N_LEAVES,
    N_NODES,
    N_POOL,
    N_SPLITS,
    NOT_EVALUATED,
    PARENT,
    PARENT_NODES,
    TREE,
    WOKEN_INPUT,
    WOKEN_NODE,
)
from glade.grow.layout import FEW_ROWS, MISSING_SIDE_UNSEEN, Growth

ROUNDING = 1e-15  # of a gain against a limit on it
VISITS_PER_CALL = 10_000_000  # rows times inputs looked at between two returns to Python: some tenths of a second


@inlined
def is_split_wanted(limits, gain, impurity, n_rows):
    """Whether the limits on a split let this one pass.

    F = gain / (what is left / (rows - 2)) is compared as a product: nothing left is infinitely significant.
    """
    significant = limits.f_critical.shape[0] == 0 or (
        n_rows > 2 and gain * (n_rows - 2) >= limits.f_critical[n_rows] * max(impurity - gain, 0.0)
    )
    return significant and gain >= limits.min_gain * (1.0 - ROUNDING)


@inlined
def list_categories(columns, channels, layout, j, rows, draw, n_left, missing_left, work):
    """The categories on the side that missing rows do not take, ascending, into work.keys. Gives how many."""
    narrow, wide, is_narrow = column_of(columns, j)
    n, lowest, highest, _ = collect_keys(
        narrow, wide, is_narrow, columns.n_codes[j], rows, work.moments, work.keys, work.missing
    )
    n_groups = order_categories(n, channels, layout, draw, salt_of(work.random, j), work)
    first, last = (n_left, n_groups) if missing_left else (0, n_left)
    for g in range(first, last):
        work.keys[g - first] = work.code_of_group[work.keys[g] & PLACE_MASK] << PLACE_BITS
    ordered = sort_keys(work.keys, last - first, lowest, highest, work.scratch, work.counts)
    for g in range(last - first):
        work.keys[g] = ordered[g]
    return last - first


@inlined
def put_row(row, goes_left, rows, n_left, scratch, n_right):
    """Put a row behind those that go left and behind those that do not: no branch to mispredict. Gives how many of
    each there are then."""
    rows[n_left] = row
    scratch[n_right] = row
    return n_left + goes_left, n_right + (not goes_left)


@inlined
def divide_by_code(codes, below, also_left, rows, scratch):
    """`divide_rows` by the codes of a numeric input: those up to `below`, and one more if that is not negative."""
    n_left, n_right = 0, 0
    if also_left < 0:
        for i in range(rows.shape[0]):
            n_left, n_right = put_row(rows[i], codes[rows[i]] <= below, rows, n_left, scratch, n_right)
    else:
        for i in range(rows.shape[0]):
            code = codes[rows[i]]
            goes_left = (code <= below) | (code == also_left)
            n_left, n_right = put_row(rows[i], goes_left, rows, n_left, scratch, n_right)
    return n_left


@inlined
def divide_by_set(codes, categories, missing_code, missing_left, rows, group_of_code, scratch):
    """`divide_rows` by the codes of a nominal input: those of the set go where missing ones do not."""
    n_left, n_right = 0, 0
    for k in range(categories.shape[0]):
        group_of_code[categories[k]] = 1
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        is_in_set = code != missing_code and group_of_code[code] >= 0
        n_left, n_right = put_row(rows[i], is_in_set != missing_left, rows, n_left, scratch, n_right)
    for k in range(categories.shape[0]):
        group_of_code[categories[k]] = -1
    return n_left


@inlined
def divide_rows(columns, j, below, missing_side, categories, simple, rows, group_of_code, scratch):
    """Stable partition of the rows: those that go left come first. Gives how many do."""
    narrow, wide, is_narrow = column_of(columns, j)
    missing_code = columns.n_codes[j]
    missing_left = missing_side & 1 == 1
    also_left = missing_code if missing_left and missing_side < MISSING_SIDE_UNSEEN else np.int32(-1)
    if not simple and columns.nominal[j]:
        if is_narrow:
            n_left = divide_by_set(narrow, categories, missing_code, missing_left, rows, group_of_code, scratch)
        else:
            n_left = divide_by_set(wide, categories, missing_code, missing_left, rows, group_of_code, scratch)
    elif is_narrow:
        n_left = divide_by_code(narrow, below, also_left, rows, scratch)
    else:
        n_left = divide_by_code(wide, below, also_left, rows, scratch)
    for i in range(rows.shape[0] - n_left):
        rows[n_left + i] = scratch[i]
    return n_left


@inlined
def evaluate_node(
    columns,
    channels,
    layout,
    limits,
    random_cuts,
    rows,
    node,
    parent,
    sibling,
    simple,
    holds,
    held,
    work,
    found,
    tree,
    state,
):
    """Set the node's weight, impurity and value; give the input to split it on, -1 if it stays a leaf."""
    rows = rows[tree.start[node] : tree.end[node]]
    n_rows = rows.shape[0]
    if n_rows == 1 and layout.plain:  # half of the nodes of an unpruned tree
        for c in range(layout.width):
            tree.value[node, c] = channels.y[rows[0], c]
        tree.weight[node], tree.impurity[node] = channels.weight[rows[0]], 0.0
        return np.int32(-1)
    is_pair = n_rows == 2 and layout.easy_pairs
    is_derived, in_blocks = False, False
    is_leaf = (
        tree.depth[node] >= limits.max_depth or n_rows < limits.min_rows_split or n_rows < 2 * limits.min_rows_leaf
    )
    if holds:
        is_pair &= not is_awaited(limits, parent, sibling, tree)  # of a pair there are no moment rows to sum
        is_derived = derive_node(
            columns, channels, layout, limits, rows, node, parent, sibling, is_leaf, held, work, tree
        )
        is_large = layout.width > 1 and not is_leaf and n_rows > FEW_ROWS  # few rows are asked for their moments
        in_blocks = is_large and not is_derived and is_slot_wanted(limits, n_rows, parent, sibling, tree, state)
    if holds and in_blocks:
        weight, impurity = gather_and_hold(channels, layout, rows, node, held, work, tree, state)
    elif holds and is_derived:
        weight, impurity = tree.weight[node], tree.impurity[node]
    elif is_pair:
        weight, impurity = weigh_pair(channels.y, channels.weight, channels.scale, layout.width, rows, tree.value[node])
    else:
        weight, impurity = gather_moments(channels, layout, simple, rows, work, tree.value[parent], tree.value[node])
    tree.weight[node], tree.impurity[node] = weight, impurity
    if is_leaf or impurity <= limits.max_impurity_pure * weight:
        return np.int32(-1)
    if holds:
        hold_sums(columns, layout, limits, rows, node, parent, sibling, is_derived, held, work, tree, state)
    work.constant[0] = tree.constant[parent]
    j = search_inputs(
        columns, channels, layout, limits, random_cuts, rows, is_pair, weight, impurity, simple, holds, held,
        tree.slot[node], work, found,
    )  # fmt: skip
    tree.constant[node] = work.constant[0]
    if j >= 0 and not is_split_wanted(limits, found.gain[j], impurity, n_rows):
        return np.int32(-1)
    return j


@inlined
def record_split(columns, channels, layout, limits, random_cuts, simple, rows, node, j, work, found, tree, pool, state):
    """Write the winning candidate of the node at hand as the next split."""
    s, n_set = state[N_SPLITS], 0
    if random_cuts and not columns.nominal[j]:
        place_random_cut(columns, j, work.random, found)
    tree.split[node], tree.split_node[s], tree.split_input[s], tree.split_left[s] = s, node, j, -1
    tree.split_below[s], tree.split_above[s] = found.below[j], found.above[j]
    tree.split_missing[s], tree.gain[node], tree.split_gain[s] = found.missing[j], found.gain[j], found.gain[j]
    own, n_left, missing_left = rows[tree.start[node] : tree.end[node]], found.below[j], found.missing[j] & 1 == 1
    if columns.nominal[j] and random_cuts:
        n_set = list_random_categories(columns, j, own, n_left, missing_left, work)
    elif not simple and columns.nominal[j]:
        draw = limits.draw_categories
        n_set = list_categories(columns, channels, layout, j, own, draw, n_left, missing_left, work)
    for i in range(n_set):
        pool[state[N_POOL] + i] = work.keys[i] >> PLACE_BITS
    tree.set_start[s] = state[N_POOL]
    tree.set_end[s] = state[N_POOL] + n_set
    state[N_SPLITS] += 1
    state[N_POOL] += n_set


@part
def keep_alternatives(limits, found, node, picked, impurity, n_rows, kept, state):
    """Keep the candidates of the node at hand that are not the picked one."""
    for j in range(found.gain.shape[0]):
        if j != picked and found.gain[j] >= 0.0 and is_split_wanted(limits, found.gain[j], impurity, n_rows):
            kept.node[state[N_KEPT]], kept.input[state[N_KEPT]] = node, j
            kept.gain[state[N_KEPT]] = found.gain[j]
            state[N_KEPT] += 1


@inlined
def divide_node(columns, simple, rows, node, work, tree, pool, state):
    """Give the node its two children, each with its part of the rows."""
    s, left = tree.split[node], state[N_NODES]
    start, end = tree.start[node], tree.end[node]
    middle = start + divide_rows(
        columns, tree.split_input[s], tree.split_below[s], tree.split_missing[s],
        pool[tree.set_start[s] : tree.set_end[s]], simple, rows[start:end], work.group_of_code, work.scratch,
    )  # fmt: skip
    tree.split_left[s] = left
    tree.start[left], tree.end[left] = start, middle
    tree.start[left + 1], tree.end[left + 1] = middle, end
    tree.depth[left] = tree.depth[left + 1] = tree.depth[node] + 1
    tree.slot[left] = tree.slot[left + 1] = -1
    tree.split[left] = tree.split[left + 1] = NOT_EVALUATED
    state[N_NODES] += 2
    state[N_LEAVES] += 1


@inlined
def next_node(holds, tree, state):
    """Of a divided node's children the one to be evaluated next, and the other; the root and itself at first.

    The right one comes first: the left one is then on top of the stack. With held sums the smaller one does, which is
    to be taken away from those of both.
    """
    first, last = state[PARENT_NODES], state[N_NODES] - 1
    done = state[N_EVALUATED] - first
    left_first = False
    if holds:
        left_first = tree.slot[state[PARENT]] >= 0 and is_left_smaller(tree, first, last)
    node = first + done if left_first else last - done
    return node, first + last - node


@inlined
def queue_node(best_first, node, tree, state):
    """Put a node that has a split among those to be divided."""
    if best_first:
        push_node(tree.frontier, state[N_FRONTIER], node, tree.gain)
    else:
        tree.frontier[state[N_FRONTIER]] = node
    state[N_FRONTIER] += 1


@inlined
def unqueue_parent(best_first, tree, state):
    """Take the next node to be divided."""
    size = state[N_FRONTIER]
    state[N_FRONTIER] = size - 1
    state[PARENT] = pop_node(tree.frontier, size, tree.gain) if best_first else tree.frontier[size - 1]
    state[PARENT_NODES] = state[N_NODES]


@inlined
def from_node(memory, node):
    """The memory from this node on: room for the next tree."""
    return Growth(
        memory.start[node:], memory.end[node:], memory.depth[node:], memory.split[node:], memory.weight[node:],
        memory.impurity[node:], memory.value[node:], memory.gain[node:], memory.constant[node:], memory.frontier[node:],
        memory.slot[node:], memory.split_node[node:], memory.split_input[node:], memory.split_below[node:],
        memory.split_above[node:], memory.split_missing[node:], memory.split_left[node:], memory.split_gain[node:],
        memory.set_start[node:], memory.set_end[node:],
    )  # fmt: skip


@inlined
def weigh_rows(channels, weight, t):
    """The targets with a tree's own row weights."""
    own = weight[min(t, weight.shape[0] - 1)]
    return Channels(
        channels.y, channels.known, channels.scale, channels.numeric, channels.target_start, channels.entropy_weight,
        own,
    )  # fmt: skip


@inlined
def start_tree(n_rows, seed, t, held, work, tree, state):
    """A root of all rows. From the second tree on inputs are put back into their order, which draws change."""
    for counter in (N_EVALUATED, N_SPLITS, N_FRONTIER, PARENT, PARENT_NODES):
        state[counter] = 0
    state[N_NODES], state[N_LEAVES], state[N_FREE] = 1, 1, held.free.shape[0]
    for k in range(held.free.shape[0]):
        held.free[k] = k
    for j in range(work.inputs.shape[0] if t > 0 else 0):
        work.inputs[j] = j
    work.random[0] = seed
    tree.start[0], tree.end[0], tree.depth[0], tree.constant[0], tree.slot[0] = 0, n_rows, 0, 0, -1


def make_grow_trees(random_cuts=False, holds=False, simple=False):
    """A kernel that grows trees.

    Several kernels rather than one with settings: a fit needs one of them, which compiles in half the time that one for
    all would, and is faster. What a constant rules out is not compiled.

    Parameters
    ----------
    random_cuts
        One cut of each input, drawn between its extremes, instead of the best one.
    holds
        Large nodes hold their sums for their children; simple growth only.
    simple
        No input is nominal, all targets are known and judged by squares, and no alternatives are kept.
    """

    @kernel
    def grow_trees(columns, channels, layout, limits, batch, held, work, found, memory, pool, kept, state):
        """Grow the trees of a batch, one after another in the memory. Gives whether all are done.

        It comes back unfinished when the pool of categories or the room for alternatives may be too small for the next
        node, or after some work (so that Python sees an interrupt); called again with the same `state`, it goes on. A
        finished batch goes on too, with a node of its last tree to be woken: that node is split once more, and the
        branches are grown.
        """
        best_first = limits.max_leaves > 0
        n_categories, n_inputs = work.code_of_group.shape[0], columns.n_codes.shape[0]
        visits = 0
        while True:
            t, tree = state[TREE], from_node(memory, state[FIRST_NODE])
            rows, own = batch.rows[batch.start[t] : batch.start[t + 1]], weigh_rows(channels, batch.weight, t)
            if state[N_NODES] == 0:
                start_tree(rows.shape[0], batch.seed[t], t, held, work, tree, state)
            while True:
                while state[N_EVALUATED] < state[N_NODES] or state[WOKEN_INPUT] > 0:
                    is_woken, parent = state[WOKEN_INPUT] > 0, state[PARENT]
                    node, sibling = next_node(holds, tree, state)
                    node = state[WOKEN_NODE] if is_woken else node
                    size = tree.end[node] - tree.start[node]
                    if visits > VISITS_PER_CALL or state[N_POOL] + min(n_categories, size) > pool.shape[0]:
                        return False
                    if not simple and limits.keeps_alternatives and state[N_KEPT] + n_inputs > kept.node.shape[0]:
                        return False
                    visits += size * n_inputs
                    tree.split[node] = -1
                    j = evaluate_node(
                        columns, own, layout, limits, random_cuts, rows, node, parent, sibling, simple, holds, held,
                        work, found, tree, state,
                    )  # fmt: skip
                    if is_woken:
                        woken, state[WOKEN_INPUT] = np.int32(state[WOKEN_INPUT] - 1), 0
                        j = woken if j >= 0 and found.gain[woken] >= 0.0 else np.int32(-1)
                    else:
                        state[N_EVALUATED] += 1
                    if j < 0:
                        continue
                    if not simple and limits.keeps_alternatives and not is_woken:
                        keep_alternatives(limits, found, node, j, tree.impurity[node], size, kept, state)
                    record_split(
                        columns, own, layout, limits, random_cuts, simple, rows, node, j, work, found, tree, pool, state
                    )  # fmt: skip
                    queue_node(best_first, node, tree, state)
                if holds:
                    first, last = state[PARENT_NODES], state[N_NODES] - 1
                    release_slots(limits, tree, state[PARENT], first, last, held, state)
                    if not best_first:
                        put_left_on_top(tree.frontier, state[N_FRONTIER], first, last)
                if state[N_FRONTIER] == 0 or state[N_LEAVES] == limits.max_leaves:
                    break
                unqueue_parent(best_first, tree, state)
                divide_node(columns, simple, rows, state[PARENT], work, tree, pool, state)
            batch.n_nodes[t], batch.n_splits[t] = state[N_NODES], state[N_SPLITS]
            if t + 1 == batch.n_nodes.shape[0]:
                return True
            state[TREE] += 1
            state[FIRST_NODE] += state[N_NODES]
            state[N_NODES] = 0

    return grow_trees


grow_trees = make_grow_trees()
grow_simple_trees = make_grow_trees(simple=True)
grow_holding_trees = make_grow_trees(holds=True, simple=True)
grow_random_trees = make_grow_trees(random_cuts=True)
