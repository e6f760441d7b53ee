"""How a tree grows: a node is split, its rows are divided among two children, and these wait to be split.

`grow_nodes` is the loop over the nodes, which returns to Python from time to time (see `grower.Grower`).
"""

import numpy as np

from glade.core._compile import inlined, kernel, part, pasted
from glade.grow._bounds import clip_value, narrow_bounds
from glade.grow._draws import draw_below, seed_of_child
from glade.grow._histogram import gather_sums
from glade.grow._queue import pop_node, push_node
from glade.grow._split import NO_GAIN, TIE, find_candidate, list_categories, score_lightest
from glade.grow.layout import IS_MISSING, LEAF, N_EVALUATED, N_KEPT, N_LEAVES, N_NODES, N_POOL, N_QUEUED, NOMINAL

ROUNDING = 1e-15  # of a gain against a limit on it
VISITS_A_CALL = 10_000_000  # rows times inputs looked at between two returns to Python: some tenths of a second


@inlined
def is_split_wanted(settings, f_critical, gain, impurity, n_rows):
    """Whether the limits on a split let this one pass.

    F = gain / (what is left / (rows - 2)) is compared as a product: nothing left is infinitely significant.
    """
    significant = f_critical.shape[0] == 0 or (
        n_rows > 2 and gain * (n_rows - 2) >= f_critical[n_rows] * max(impurity - gain, 0.0)
    )
    return significant and gain >= settings.min_gain * (1.0 - ROUNDING)


@part
def pick_candidate(found, order, n_tried, by_gain_ratio):
    """Return the input whose candidate wins, -1 if none can split. Ties go to the one tried first."""
    least_gain = NO_GAIN
    if by_gain_ratio:
        total, count = 0.0, 0
        for k in range(n_tried):
            if found[order[k]].gain >= 0.0:
                total += found[order[k]].gain
                count += 1
        least_gain = total / max(count, 1) * (1.0 - TIE)
    best, best_score = np.int32(-1), NO_GAIN
    for k in range(n_tried):
        candidate = found[order[k]]
        score = candidate.gain
        if score < 0.0 or score < least_gain:
            continue
        if by_gain_ratio:
            score /= candidate.information
        if score > best_score + TIE * abs(best_score):
            best, best_score = order[k], score
    return best


@pasted
def find_split(inputs, rows, node, goals, settings, work, categories, found):
    """Find the candidates of all inputs, or of a random draw of them; return the winner's input, -1 for none.

    More are drawn only while those drawn have one value each: as in scikit-learn, an input that leaves cannot be made
    of ends the draw.
    """
    order, is_forced = work.order, node.forced_input >= 0
    n_inputs, n_tried, any_varies = 1 if is_forced else order.shape[0], 0, False
    draws = settings.n_inputs_drawn < n_inputs
    while n_tried < n_inputs:
        if n_tried >= settings.n_inputs_drawn and (any_varies or settings.leaf_if_no_split):
            break
        if draws:
            k = n_tried + draw_below(node.seed, n_tried, n_inputs - n_tried)
            work.swapped[n_tried] = k
            order[n_tried], order[k] = order[k], order[n_tried]
        j = node.forced_input if is_forced else order[n_tried]
        any_varies |= find_candidate(inputs, j, rows, node, goals, settings, work, categories, found[j])
        n_tried += 1
    if is_forced:
        picked = node.forced_input if found[node.forced_input].gain >= 0.0 else np.int32(-1)
    else:
        picked = pick_candidate(found, order, n_tried, settings.by_gain_ratio != 0)
    for i in range(n_tried - 1 if draws else -1, -1, -1):  # as they were, for the next node
        k = work.swapped[i]
        order[i], order[k] = order[k], order[i]
    return picked


@part
def keep_alternatives(settings, f_critical, found, k, picked, impurity, n_rows, kept, counters):
    """Keep the candidates of node k that are not the picked one."""
    for j in range(found.shape[0]):
        gain = found[j].gain
        if j != picked and gain >= 0.0 and is_split_wanted(settings, f_critical, gain, impurity, n_rows):
            alternative = kept[counters[N_KEPT]]
            alternative.node, alternative.input, alternative.gain = k, j, gain
            counters[N_KEPT] += 1


@pasted
def record_split(inputs, j, rows, node, goals, settings, work, categories, candidate, tree):
    """Write the winning candidate into its node."""
    node.input, node.gain, node.left, node.kind = j, candidate.gain, -1, candidate.kind
    node.below, node.above = candidate.below, candidate.above
    node.missing_left, node.missing_seen = candidate.missing_left, candidate.missing_seen
    n_set, n_pool = 0, tree.counters[N_POOL]
    if node.kind == NOMINAL:
        n_set = list_categories(candidate, inputs, j, rows, node, goals, settings, work, categories, tree.pool[n_pool:])
        if settings.multiway and node.above >= 2:  # its own part of what all divisions of the categories gain
            signs = inputs.signs[min(j, inputs.signs.shape[0] - 1)]
            node.gain = score_lightest(work.keys, work.cells, goals.groups, settings, signs, work.bounds)
    node.set_start, node.set_end = n_pool, n_pool + n_set
    tree.counters[N_POOL] += n_set


@inlined
def take_row(y, weight, r, value, node):
    """Make a node of a single row a leaf."""
    for c in range(value.shape[0]):
        value[c] = y[r, c]
    node.weight, node.impurity, node.kind = weight[r], 0.0, LEAF


@pasted
def gather_node(goals, settings, k, tree, work):
    """Set the weight, impurity and value of node k from its rows; return whether it is to stay a leaf."""
    node = tree.nodes[k]
    n_rows = node.end - node.start
    if n_rows == 1 and settings.is_plain:  # half of the nodes of an unpruned tree
        take_row(goals.y, goals.weight, tree.rows[node.start], tree.value[k], node)
        return True
    node.impurity = gather_sums(
        goals, tree.rows[node.start : node.end], settings, tree.value[node.parent], work.shift, work.cells,
        tree.value[k],
    )  # fmt: skip
    node.weight, node.kind = work.cells[settings.total, settings.total_at], LEAF
    too_small = n_rows < settings.min_rows_split or n_rows < 2 * settings.min_rows_leaf
    is_limited = (too_small or node.depth >= settings.max_depth) and not node.is_branch
    is_leaf = is_limited or node.impurity <= settings.max_impurity_pure * node.weight
    if tree.bounds.shape[2] > 0:
        node.impurity += clip_value(goals, tree.bounds[k], work.cells[settings.total], tree.value[k], work.bounds)
    return is_leaf


@pasted
def split_node(inputs, k, goals, settings, tree, work, categories, found):
    """Find the split of node k, whose sums rows are at hand, and put it in the queue if there is one."""
    node = tree.nodes[k]
    rows = tree.rows[node.start : node.end]
    n_rows = rows.shape[0]
    j = find_split(inputs, rows, node, goals, settings, work, categories, found)
    is_wanted = j >= 0 and (
        node.is_branch != 0 or is_split_wanted(settings, goals.f_critical, found[j].gain, node.impurity, n_rows)
    )
    if is_wanted:
        if settings.keeps_alternatives and node.forced_input < 0:
            keep_alternatives(settings, goals.f_critical, found, k, j, node.impurity, n_rows, tree.kept, tree.counters)
        record_split(inputs, j, rows, node, goals, settings, work, categories, found[j], tree)
        push_node(tree.queue, tree.counters, settings.max_leaves > 0, tree.nodes, k)


@inlined
def put_row(row, goes_left, rows, n_left, scratch, n_right):
    """Put a row behind those that go left and behind those that do not: no branch to mispredict.

    Returns how many of each there are then.
    """
    rows[n_left] = row
    scratch[n_right] = row
    return n_left + goes_left, n_right + (not goes_left)


@part
def divide_by_code(codes, below, also_left, rows, scratch):
    """`divide_rows` by the codes of a numeric input: those up to `below`, and the one `also_left`."""
    n_left, n_right = 0, 0
    for i in range(rows.shape[0]):
        code = np.int32(codes[rows[i]])
        n_left, n_right = put_row(rows[i], (code <= below) | (code == also_left), rows, n_left, scratch, n_right)
    return n_left


@part
def divide_by_set(codes, categories, missing_code, missing_left, rows, is_marked, scratch):
    """`divide_rows` by the codes of a nominal input: those of the set go where missing ones do not."""
    n_left, n_right = 0, 0
    for k in range(categories.shape[0]):
        is_marked[categories[k]] = 1
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        is_in_set = code != missing_code and is_marked[code] != 0
        n_left, n_right = put_row(rows[i], is_in_set != missing_left, rows, n_left, scratch, n_right)
    for k in range(categories.shape[0]):
        is_marked[categories[k]] = 0
    return n_left


@part
def divide_rows(narrow, wide, about, node, categories, rows, is_marked, scratch):
    """Part the rows, each side in its order: those that go left come first. Return how many do."""
    missing_code, missing_left, place = about.n_codes, node.missing_left != 0, about.place
    if node.kind == NOMINAL:
        if place >= 0:
            n_left = divide_by_set(narrow[place], categories, missing_code, missing_left, rows, is_marked, scratch)
        else:
            n_left = divide_by_set(wide[-1 - place], categories, missing_code, missing_left, rows, is_marked, scratch)
    else:
        below = missing_code - 1 if node.kind == IS_MISSING else node.below
        also_left = missing_code if missing_left and node.missing_seen else np.int32(-1)
        if place >= 0:
            n_left = divide_by_code(narrow[place], below, also_left, rows, scratch)
        else:
            n_left = divide_by_code(wide[-1 - place], below, also_left, rows, scratch)
    for i in range(rows.shape[0] - n_left):
        rows[n_left + i] = scratch[i]
    return n_left


@part
def divide(inputs, goals, settings, k, tree, is_marked, scratch):
    """Give node k its two children, each with its part of the rows. Return the left one."""
    node, left = tree.nodes[k], np.int32(tree.counters[N_NODES])
    categories, rows = tree.pool[node.set_start : node.set_end], tree.rows[node.start : node.end]
    n_left = divide_rows(
        inputs.narrow, inputs.wide, inputs.about[node.input], node, categories, rows, is_marked, scratch
    )
    node.left = left
    is_chain = settings.multiway and node.kind == NOMINAL and node.above >= 3
    for side in range(2):
        child, is_rest = tree.nodes[left + side], is_chain and side == 1
        child.start = node.start if side == 0 else node.start + n_left
        child.end = node.start + n_left if side == 0 else node.end
        child.seed = seed_of_child(node.seed, side)
        child.kind, child.left, child.twin_of, child.parent = LEAF, -1, left + side, k
        child.is_branch, child.forced_input = is_rest, node.input if is_rest else -1
        child.depth = node.depth if is_rest else node.depth + 1
    if tree.bounds.shape[2] > 0:
        narrow_bounds(
            goals, inputs.signs[node.input], rows, n_left, tree.value[k], tree.bounds[k], tree.bounds[left],
            tree.bounds[left + 1],
        )  # fmt: skip
    tree.counters[N_NODES] += 2
    tree.counters[N_LEAVES] += 1
    return left


@kernel
def grow_nodes(inputs, goals, all_settings, n_categories, tree, work, categories, found):
    """Split the nodes that have not been, then divide what is in the queue, until Python is needed.

    That is where the queue is empty or there are as many leaves as are wanted; where there may be too little room for
    categories or alternatives; and after some work, so that Python sees an interrupt.
    Called again, it goes on. Returns whether the tree is done.

    Parameters
    ----------
    n_categories
        Of the input that has most.
    """
    settings, counters, nodes = all_settings[0], tree.counters, tree.nodes
    n_inputs, visits, best_first = inputs.about.shape[0], 0, settings.max_leaves > 0
    while True:
        first, end, size = counters[N_EVALUATED], counters[N_NODES], 0
        for k in range(first, end):
            size = max(size, nodes[k].end - nodes[k].start)
        if counters[N_POOL] + 2 * min(n_categories, size) > tree.pool.shape[0]:
            return False
        if settings.keeps_alternatives and counters[N_KEPT] + 2 * n_inputs > tree.kept.shape[0]:
            return False
        for k in range(end - 1, first - 1, -1):  # the left child is on top of the stack
            if not gather_node(goals, settings, k, tree, work):
                split_node(inputs, k, goals, settings, tree, work, categories, found)
                visits += (nodes[k].end - nodes[k].start) * n_inputs
        counters[N_EVALUATED] = end
        if counters[N_QUEUED] == 0 or counters[N_LEAVES] == settings.max_leaves:
            return True
        if visits > VISITS_A_CALL:
            return False
        k = pop_node(tree.queue, counters, best_first, nodes)
        divide(inputs, goals, settings, k, tree, categories.is_marked, work.scratch)
