"""Random numbers that belong to a node.

A node has a seed of its own, made from its parent's. All that is drawn at the node is computed from that seed and a
number that says what it is for. So it does not matter in which order nodes are split, and what was drawn can be had
again without having been kept.
"""

import numpy as np

from glade.core._compile import inlined

TO_UNIT = 1.0 / (1 << 53)
STEP = np.uint64(0x9E3779B97F4A7C15)
OF_INPUT = np.uint64(0xD1342543DE82EF95)


@inlined
def mix_bits(z):
    """Return splitmix64's finish: every bit of the argument changes about half of the result's."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def draw_word(seed, k):
    """Return the k-th of the words that belong to a seed."""
    return mix_bits(seed + np.uint64(k + 1) * STEP)


@inlined
def draw_below(seed, k, n):
    """Return the k-th draw of a whole number from 0 to n - 1."""
    return np.int64((draw_word(seed, k) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@inlined
def draw_unit(seed, k):
    """Return the k-th draw of a number from 0 to 1."""
    return np.float64(draw_word(seed, k) >> np.uint64(11)) * TO_UNIT


@inlined
def seed_of_input(seed, j):
    """Return the seed of what is drawn for input j at a node."""
    return mix_bits(seed + np.uint64(j + 1) * OF_INPUT)


@inlined
def seed_of_child(seed, side):
    """Return the seed of a node's left (0) or right (1) child."""
    return mix_bits(seed ^ (STEP << np.uint64(1 + side)))
