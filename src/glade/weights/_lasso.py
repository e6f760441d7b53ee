"""Sums over the rows that rules cover, and block coordinate descent for the lasso on such sums.

A rule's rows are bits, 64 a word; whatever is summed over rows has a place for each bit, zero beyond the last row.
"""

import numpy as np

from glade.core._compile import kernel, part
from glade.rules._bits import count_ones, trailing_zeros

WORD = 64
BYTES = 8  # of a word
VALUES = 256  # of a byte
DAMPING = 1e-12  # of the extrapolation's system, relative


@part
def fill_tables(values, first, tables):
    """tables[b, s] = the sum of the values whose bits are set in s, for byte b of the word that starts at `first`."""
    for b in range(BYTES):
        tables[b, 0] = 0.0
        for i in range(BYTES):
            half = 1 << i
            x = values[first + BYTES * b + i]
            for s in range(half):
                tables[b, half + s] = tables[b, s] + x


@kernel
def sum_covered(bits, values, tables, sums):
    """sums[c, r] += the sum of values[c] over the rows that rule r covers, by looking up a byte of rows at a time."""
    n_rules, n_words = bits.shape
    byte = np.uint64(VALUES - 1)
    for w in range(n_words):
        for c in range(values.shape[0]):
            fill_tables(values[c], w * WORD, tables)
            for r in range(n_rules):
                word = bits[r, w]
                total = tables[0, word & byte]
                for b in range(1, BYTES):
                    total += tables[b, (word >> np.uint64(BYTES * b)) & byte]
                sums[c, r] += total


@kernel
def add_covered(bits, rules, weights, out):
    """out[c, i] += the weights of those of the rules that cover row i."""
    one = np.uint64(1)
    for k in range(rules.shape[0]):
        for w in range(bits.shape[1]):
            word = bits[rules[k], w]
            while word:
                i = w * WORD + np.int64(trailing_zeros(word))
                for c in range(out.shape[0]):
                    out[c, i] += weights[c, k]
                word &= word - one


@kernel
def count_shared(bits, words, counts):
    """counts[r] = the number of rows that rule r shares with one set of rows."""
    for r in range(bits.shape[0]):
        n = np.uint64(0)
        for w in range(bits.shape[1]):
            n += count_ones(bits[r, w] & words[w])
        counts[r] = np.float64(n)


@part
def add_squares(weights, gradient, step, j):
    """The squares of a term's weights after a step along the gradient, added up."""
    square = 0.0
    for c in range(weights.shape[0]):
        square += (weights[c, j] + gradient[c, j] * step) ** 2
    return square


@part
def find_curvature(gram, j, p):
    """The largest curvature of the loss along the weights of a term and its partner, over groups of channels."""
    most = 0.0
    for g in range(gram.shape[0]):
        a, b, both = gram[g, j, j], gram[g, p, p], gram[g, j, p] if p != j else 0.0
        most = max(most, (a + b) / 2 + np.sqrt(((a - b) / 2) ** 2 + both**2))
    return most


@part
def change_weight(weights, gradient, row, c, j, change):
    """Change one weight, and the gradient of its channel with it."""
    if change != 0.0:
        weights[c, j] += change
        own = gradient[c]
        for k in range(weights.shape[1]):
            own[k] -= row[k] * change


@part
def shrink(norm, curvature, l1, l2):
    """What a group of weights is multiplied by: its best length over the length without a penalty."""
    if norm * curvature <= l1:
        return 0.0
    return (curvature - l1 / norm) / (curvature + l2)


@part
def pass_over(gram, group, partner, l1, l2, weights, gradient):
    """Set the weights of each term, or of two partners, in turn to their best values, the others held.

    Where the channels' products differ, and for partners, they take a step that cannot overshoot.
    """
    n_channels, n_terms = weights.shape
    for j in range(n_terms):
        p = partner[j]
        if p < j:
            continue
        curvature = find_curvature(gram, j, p)
        if curvature <= 0.0:
            continue
        square = add_squares(weights, gradient, 1 / curvature, j)
        if p != j:
            square += add_squares(weights, gradient, 1 / curvature, p)
        factor = shrink(np.sqrt(square), curvature, l1[j], l2[j])
        for c in range(n_channels):
            change = factor * (weights[c, j] + gradient[c, j] / curvature) - weights[c, j]
            of_partner = factor * (weights[c, p] + gradient[c, p] / curvature) - weights[c, p]
            change_weight(weights, gradient, gram[group[c], j], c, j, change)
            if p != j:
                change_weight(weights, gradient, gram[group[c], p], c, p, of_partner)


@part
def find_cost(weights, slope, gradient, partner, l1, l2):
    """The objective without its constant."""
    cost = 0.0
    for j in range(weights.shape[1]):
        square = add_squares(weights, gradient, 0.0, j)
        for c in range(weights.shape[0]):
            cost -= weights[c, j] * (slope[c, j] + gradient[c, j]) / 2
        cost += l2[j] * square / 2
        if partner[j] > j:
            square += add_squares(weights, gradient, 0.0, partner[j])
        if partner[j] >= j:
            cost += l1[j] * np.sqrt(square)
    return cost


@kernel
def find_gap(weights, slope, gradient, square, partner, l1, l2):
    """The duality gap: at most so far is the objective above its least value; `square` is twice the loss at zero."""
    explained, fitted, ridge, lasso, excess = 0.0, 0.0, 0.0, 0.0, 1.0
    for j in range(weights.shape[1]):
        for c in range(weights.shape[0]):
            explained += slope[c, j] * weights[c, j]
            fitted += gradient[c, j] * weights[c, j]
        if partner[j] < j:
            continue
        own, steepest = add_squares(weights, gradient, 0.0, j), add_squares(gradient, weights, -l2[j], j)
        if partner[j] > j:
            own += add_squares(weights, gradient, 0.0, partner[j])
            steepest += add_squares(gradient, weights, -l2[j], partner[j])
        ridge += l2[j] * own
        lasso += l1[j] * np.sqrt(own)
        excess = max(excess, np.sqrt(steepest) / l1[j])
    residual = max(square - explained - fitted, 0.0) + ridge
    return residual / 2 + lasso - (square - explained) / excess + residual / (2 * excess**2)


@kernel
def solve_small(system, parts):
    """parts = the solution of a small positive definite system whose right side is all ones. The system is used up."""
    n = parts.shape[0]
    for k in range(n):
        parts[k] = 1.0
    for k in range(n):
        for i in range(k + 1, n):
            ratio = system[i, k] / system[k, k]
            for m in range(k, n):
                system[i, m] -= ratio * system[k, m]
            parts[i] -= ratio * parts[k]
    for k in range(n - 1, -1, -1):
        for m in range(k + 1, n):
            parts[k] -= system[k, m] * parts[m]
        parts[k] /= system[k, k]


@part
def extrapolate(kept, system, parts):
    """Anderson's extrapolation of the weights kept[0], the gradients kept[1] going along; put where the first were.

    Returns False where the weights stand still.
    """
    n = parts.shape[0]
    size = 0.0
    for a in range(n):
        for b in range(a + 1):
            product = 0.0
            for c in range(kept.shape[2]):
                for j in range(kept.shape[3]):
                    product += (kept[0, a + 1, c, j] - kept[0, a, c, j]) * (kept[0, b + 1, c, j] - kept[0, b, c, j])
            system[a, b] = product
            system[b, a] = product
        size += system[a, a]
    if not size > 0.0:
        return False
    for a in range(n):
        system[a, a] += DAMPING * size
    solve_small(system, parts)
    total = 0.0
    for a in range(n):
        total += parts[a]
    for k in range(2):
        for c in range(kept.shape[2]):
            for j in range(kept.shape[3]):
                x = 0.0
                for a in range(n):
                    x += parts[a] * kept[k, a + 1, c, j]
                kept[k, 0, c, j] = x / total
    return True


@part
def copy_into(values, to):
    for c in range(values.shape[0]):
        for j in range(values.shape[1]):
            to[c, j] = values[c, j]


@kernel
def descend_groups(
    gram, group, slope, square, partner, l1, l2, most_gap, max_rounds, kept, system, parts, weights, gradient
):
    """Go over the terms until the duality gap is small enough; returns the number of rounds of kept.shape[1] passes.

    Minimises weights' gram weights / 2 - slope' weights + sum l1 |weights_j| + l2 |weights_j|^2 / 2, where partners
    have one length |weights_j| together. Arrays are channels x terms; channel c has the products gram[group[c]];
    gradient is slope - gram weights and is kept so. The passes of a round are extrapolated, which counts where it
    lowers the objective.
    """
    for n_rounds in range(1, max_rounds + 1):
        for p in range(kept.shape[1]):
            pass_over(gram, group, partner, l1, l2, weights, gradient)
            copy_into(weights, kept[0, p])
            copy_into(gradient, kept[1, p])
        if find_gap(weights, slope, gradient, square, partner, l1, l2) <= most_gap:
            return n_rounds
        is_moving = extrapolate(kept, system, parts)
        here = find_cost(weights, slope, gradient, partner, l1, l2)
        if is_moving and find_cost(kept[0, 0], slope, kept[1, 0], partner, l1, l2) < here:
            copy_into(kept[0, 0], weights)
            copy_into(kept[1, 0], gradient)
    return max_rounds
