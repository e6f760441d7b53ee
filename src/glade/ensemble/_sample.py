"""What is drawn for a tree before it grows. All of it comes from one word, the state of the generator."""

import numpy as np

from glade.core._compile import inlined, kernel
from glade.grow._draws import STEP, TO_UNIT, mix_bits


@kernel
def start_state(seed, tree, state):
    """Set the state from which the tree of this number draws. Seeds and numbers are small: each is mixed."""
    state[0] = mix_bits(mix_bits(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)) + np.uint64(tree))


@kernel
def draw_word(state):
    """63 bits, as a number."""
    state[0] += STEP
    return np.int64(mix_bits(state[0]) >> np.uint64(1))


@inlined
def share_of(word):
    """A number from 0 to 1, below 1, from a word of the generator."""
    return np.float64(mix_bits(word) >> np.uint64(11)) * TO_UNIT


@inlined
def draw_below(state, n):
    """Return a whole number from 0 to n - 1."""
    state[0] += STEP
    return np.int64((mix_bits(state[0]) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@kernel
def draw_exponential(state):
    """A number of mean 1 from the exponential distribution."""
    state[0] += STEP
    return -np.log(1.0 - share_of(state[0]))


@kernel
def draw_without_replacement(state, n, chosen):
    """Fill `chosen` with different numbers below n, ascending: each is taken with the chance that is left for it."""
    k, wanted = 0, chosen.shape[0]
    for i in range(n):
        chosen[k] = i
        k += draw_below(state, n - i) < wanted - k
        if k == wanted:
            break


@inlined
def find_above(sums, value):
    """The first of the running sums that is above the value, the last one if none is."""
    first, last = 0, sums.shape[0] - 1
    while first < last:
        middle = (first + last) // 2
        if sums[middle] > value:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def draw_with_replacement(state, n_drawn, population, shares, counts, rows, weights):
    """Draw rows of the population in proportion to their part of `shares`, running sums of weights, or all alike if
    these are empty. A row of weight 3 is drawn when one of three rows in its place would be. Returns how many differ.

    Parameters
    ----------
    counts
        Zero for each row of the population. Small numbers: they are met in no order, and should fit into the cache.
    rows, weights
        Filled: the rows that were drawn, in order, and how often, at their place in the table.
    """
    n, n_found, word = population.shape[0], 0, state[0]  # counts might be the state, for all the compiler knows
    for _ in range(n_drawn):
        word += STEP
        u = share_of(word)
        k = min(np.int64(u * n), n - 1) if shares.shape[0] == 0 else find_above(shares, u * shares[n - 1])
        counts[k] += np.uint32(1)
    state[0] = word
    for k in range(n):
        rows[n_found] = population[k]
        weights[population[k]] = counts[k]
        n_found += counts[k] > 0
    return n_found
