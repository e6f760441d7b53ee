"""Sums over the rows that rules cover, and block coordinate descent for the lasso on such sums.

A rule's rows are bits, 64 a word; whatever is summed over rows has a place for each bit, zero beyond the last row.
"""

import numpy as np

from glade.kernels.compile import kernel, part
from glade.kernels.vector import count_ones, trailing_zeros

WORD = 64
BYTES = 8  # of a word
VALUES = 256  # of a byte


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
def count_shared(bits, rule, counts):
    """counts[r] = the number of rows that rule r shares with one rule."""
    for r in range(bits.shape[0]):
        n = np.uint64(0)
        for w in range(bits.shape[1]):
            n += count_ones(bits[r, w] & bits[rule, w])
        counts[r] = np.float64(n)


@part
def shrink(norm, curvature, l1, l2):
    """What a group of weights is multiplied by: its best length over the length without a penalty."""
    if norm * curvature <= l1:
        return 0.0
    return (curvature - l1 / norm) / (curvature + l2)


@kernel
def descend_groups(gram, group, l1, l2, n_passes, weights, gradient, kept_weights, kept_gradient):
    """Go over the terms n_passes times, each time setting a term's weights to their best values, the others held.

    Minimises weights' gram weights / 2 - slope' weights + sum l1 |weights_j| + l2 |weights_j|^2 / 2. Arrays are
    channels x terms; channel c has the products gram[group[c]]; gradient is slope - gram weights and is kept so. Where
    the channels' products differ, a term's weights take a step that cannot overshoot. What a pass leaves is kept too.
    """
    n_channels, n_terms = weights.shape
    for p in range(n_passes):
        for j in range(n_terms):
            curvature = 0.0
            for g in range(gram.shape[0]):
                curvature = max(curvature, gram[g, j, j])
            if curvature <= 0.0:
                continue
            norm = 0.0
            for c in range(n_channels):
                norm += (weights[c, j] + gradient[c, j] / curvature) ** 2
            factor = shrink(np.sqrt(norm), curvature, l1[j], l2[j])
            for c in range(n_channels):
                new = factor * (weights[c, j] + gradient[c, j] / curvature)
                change = new - weights[c, j]
                if change != 0.0:
                    weights[c, j] = new
                    row, own = gram[group[c], j], gradient[c]
                    for k in range(n_terms):
                        own[k] -= row[k] * change
        for c in range(n_channels):
            for j in range(n_terms):
                kept_weights[p, c, j] = weights[c, j]
                kept_gradient[p, c, j] = gradient[c, j]
