"""Values that may only rise, or only fall, with an input: bounds on the values of nodes (`Inputs.signs`).

Where a node is split on an input with a sign, the middle between the values of its children bounds all values below
them: from above on the side that must stay lower, from below on the other one. Values beyond a bound are clipped to it.
"""

import numpy as np

from glade.core._compile import inlined, kernel, part
from glade.data.criteria import SQUARES

NO_GAIN = -1.0
NO_WEIGHT = 1e-12  # of a group's weight in the node: as good as none
CLIPPED_AWAY = 1e-9  # of what clipping costs: a gain that is no higher is rounding


@inlined
def clip(x, lowest, highest):
    return min(max(x, lowest), highest)


@inlined
def excess_of_share(mean, value):
    """Return the bits by which a class of this share costs more if it is predicted with another one."""
    return mean * np.log2(mean / max(value, 1e-300)) if mean > 0.0 and value != mean else 0.0


@part
def lose_by_bounds(groups, signs, bounds, cells, left, total):
    """Return what of a division's gain is lost because values are clipped, NO_GAIN if it goes the wrong way.

    Parameters
    ----------
    signs
        Per channel, of the input.
    bounds
        Of the node, as its sums rows are centred and scaled.
    left, total
        The cells of the rows on the left and of all rows.
    """
    loss = 0.0
    for g in range(groups.shape[0]):
        group, of_group = groups[g], 0.0
        w_left, whole = cells[left, group.weight_at], cells[total, group.weight_at]
        w_right = whole - w_left
        if min(w_left, w_right) <= NO_WEIGHT * whole:
            continue
        for c in range(group.first, group.last):
            mean_left, mean_right = cells[left, c] / w_left, (cells[total, c] - cells[left, c]) / w_right
            value_left = clip(mean_left, bounds[0, c], bounds[1, c])
            value_right = clip(mean_right, bounds[0, c], bounds[1, c])
            if signs[c] * (value_right - value_left) < 0.0:
                return NO_GAIN
            mean = cells[total, c] / whole
            value = clip(mean, bounds[0, c], bounds[1, c])
            if group.kind == SQUARES:
                of_group += w_left * (mean_left - value_left) ** 2 + w_right * (mean_right - value_right) ** 2
                of_group -= whole * (mean - value) ** 2
            else:
                of_group += w_left * excess_of_share(mean_left, value_left)
                of_group += w_right * excess_of_share(mean_right, value_right) - whole * excess_of_share(mean, value)
        loss += of_group * group.factor
    return max(loss, 0.0)


@part
def clip_value(goals, own, weight, value, bounds):
    """Clip a node's value to its bounds; return what that adds to its impurity.

    Parameters
    ----------
    own
        The bounds of the node.
    weight
        Per group the weight of the node's rows, at its place in a sums row.
    bounds
        The same bounds are written here, as the node's sums rows are centred and scaled.
    """
    excess = 0.0
    for g in range(goals.groups.shape[0]):
        group, of_group = goals.groups[g], 0.0
        for c in range(group.first, group.last):
            mean, scale = value[c], goals.scale[c]
            value[c] = clip(mean, own[0, c], own[1, c])
            is_centred = group.kind == SQUARES
            for side in range(2):
                bound = own[side, c]
                if is_centred and scale > 0.0:
                    bound = (bound - mean) * scale
                elif is_centred:
                    bound = -np.inf if side == 0 else np.inf  # a target that does not count
                bounds[side, c] = bound
            if is_centred:
                of_group += ((mean - value[c]) * scale) ** 2
            else:
                of_group += excess_of_share(mean, value[c])
        excess += of_group * group.factor * weight[group.weight_at]
    return excess


@part
def find_mean(goals, rows, g, c, otherwise):
    """Return the mean of a channel over the rows that know its target; `otherwise` where none does."""
    y, weights, known = goals.y, goals.weight, goals.known
    weight, total = 0.0, 0.0
    for i in range(rows.shape[0]):
        r = rows[i]
        w = weights[r] if known.shape[0] == 0 or known[r, g] else 0.0
        weight += w
        total += w * (y[r, c] - otherwise)
    return otherwise + total / weight if weight > 0.0 else otherwise


@inlined
def part_bounds(sign, value_left, value_right, c, own, left, right):
    """Give two children their bounds of a channel: those of their parent, parted in the middle of their values."""
    left[0, c], left[1, c], right[0, c], right[1, c] = own[0, c], own[1, c], own[0, c], own[1, c]
    if sign != 0:
        value_left = clip(value_left, own[0, c], own[1, c])
        value_right = clip(value_right, own[0, c], own[1, c])
        middle = value_left / 2 + value_right / 2
        if sign > 0:
            left[1, c] = right[0, c] = middle
        else:
            left[0, c] = right[1, c] = middle


@part
def narrow_bounds(goals, signs, rows, n_left, parent_value, own, left, right):
    """Give two children their bounds.

    Parameters
    ----------
    signs
        Per channel, of the input that was split on.
    rows, n_left
        The rows of both, and how many of them are the left child's.
    parent_value
        The value of a child of which no row knows the target.
    own, left, right
        Bounds of the parent; of the children, which are filled.
    """
    for g in range(goals.groups.shape[0]):
        for c in range(goals.groups[g].first, goals.groups[g].last):
            value_left = value_right = parent_value[c]
            if signs[c] != 0:
                value_left = find_mean(goals, rows[:n_left], g, c, parent_value[c])
                value_right = find_mean(goals, rows[n_left:], g, c, parent_value[c])
            part_bounds(signs[c], value_left, value_right, c, own, left, right)


@kernel
def keep_order(nodes, signs, value, bounds):
    """Clip values that were set after growth, so that they change with the inputs as the signs say.

    Parameters
    ----------
    nodes
        Of a grown tree: children come after their parent.
    signs
        Inputs x channels.
    value
        Nodes x at least the channels; it is changed.
    bounds
        Room: nodes x 2 x channels.
    """
    for c in range(signs.shape[1]):
        bounds[0, 0, c], bounds[0, 1, c] = -np.inf, np.inf
    for k in range(nodes.shape[0]):
        left = nodes[k].left
        for c in range(signs.shape[1]):
            value[k, c] = clip(value[k, c], bounds[k, 0, c], bounds[k, 1, c])
            if left >= 0:
                part_bounds(
                    signs[nodes[k].input, c], value[left, c], value[left + 1, c], c, bounds[k], bounds[left],
                    bounds[left + 1],
                )  # fmt: skip
