"""Sets of rows as bits: which rows each rule covers, how many rows two rules share. Bit b of word w is row 64 w + b."""

import numpy as np

from glade.core._compile import inlined, kernel

WORD = 64
TILE = 64  # rules that are compared with as many others while both are in the cache
WORDS_AT_ONCE = 8  # a line of the cache; the sums of so many rows stay in the cache too


@inlined
def count_ones(word):
    """Return the number of bits that are set: of pairs of bits, then of fours, then of bytes, then of all."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@inlined
def trailing_zeros(word):
    """Return the place of the lowest bit that is set, of a word that is not zero."""
    return count_ones(~word & (word - np.uint64(1)))


@kernel
def cover_rows(matrix, conditions, condition_of, rule_start, columns, words, covered, first_word, end_word):
    """covered[r, w] has a bit for each row of the matrix that fulfils all of rule r's conditions, for some words.

    Rows are taken 64 at a time: their inputs become columns, each different condition becomes one word, and a rule is
    the conjunction of its conditions' words.
    """
    n_rows, n_inputs = matrix.shape
    for w in range(first_word, end_word):
        first, n = w * WORD, min(WORD, n_rows - w * WORD)
        for i in range(n):
            for j in range(n_inputs):
                columns[j, i] = matrix[first + i, j]
        for k in range(conditions.input.shape[0]):
            words[k] = fulfil(columns, n, conditions, k)
        for r in range(covered.shape[0]):
            word = ~np.uint64(0) if n == WORD else (np.uint64(1) << np.uint64(n)) - np.uint64(1)
            for c in range(rule_start[r], rule_start[r + 1]):
                word &= words[condition_of[c]]
            covered[r, w] = word


@kernel
def fulfil(columns, n, conditions, k):
    """A bit for each of the n rows that fulfils condition k."""
    j, low, high, missing = conditions.input[k], conditions.low[k], conditions.high[k], conditions.missing[k]
    start = conditions.set_start[k]
    word = np.uint64(0)
    if start < 0:
        for i in range(n):
            x = columns[j, i]
            inside = ((x > low) & (x <= high)) | (missing & (x != x))
            word |= np.uint64(inside) << np.uint64(i)
    else:
        for i in range(n):
            x = columns[j, i]
            if x != x:
                inside = missing
            else:
                code = np.int64(x)
                inside = (conditions.sets[start + (code >> 6)] >> np.uint64(code & 63)) & np.uint64(1) != np.uint64(0)
            word |= np.uint64(inside) << np.uint64(i)
    return word


@kernel
def count_common(bits, counts, first, end):
    """counts[r, s] = the number of rows that rules r and s both cover, for some r and all s up to r, and the reverse.

    `counts` may have room for more.
    """
    n_words = bits.shape[1]
    for r_tile in range(first, end, TILE):
        for s_tile in range(0, r_tile + TILE, TILE):
            for r in range(r_tile, min(r_tile + TILE, end)):
                for s in range(s_tile, min(s_tile + TILE, r + 1)):
                    n = np.uint64(0)
                    for w in range(n_words):
                        n += count_ones(bits[r, w] & bits[s, w])
                    counts[r, s] = np.float64(n)
                    counts[s, r] = np.float64(n)


@kernel
def sum_covered(bits, values, sums):
    """Add to sums[r] the sum of the rows of `values` that rule r covers."""
    n_rules, n_words = bits.shape
    for r in range(n_rules):
        for w in range(n_words):
            word = bits[r, w]
            while word:
                row = WORD * w + trailing_zeros(word)
                for t in range(values.shape[1]):
                    sums[r, t] += values[row, t]
                word &= word - np.uint64(1)


@kernel
def add_covered(bits, weights, sums, first_word, end_word):
    """Add to sums[row] the weights (rules x targets) of the rules that cover the row, rule by rule, for some words."""
    n_rules, n_targets = weights.shape
    for first in range(first_word, end_word, WORDS_AT_ONCE):
        end = min(first + WORDS_AT_ONCE, end_word)
        for r in range(n_rules):
            for w in range(first, end):
                word = bits[r, w]
                while word:
                    row = WORD * w + trailing_zeros(word)
                    for t in range(n_targets):
                        sums[row, t] += weights[r, t]
                    word &= word - np.uint64(1)
