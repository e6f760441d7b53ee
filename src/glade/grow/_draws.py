"""What is drawn while a tree grows. The state is two words: of the generator, and the salt of the node at hand.

Most is drawn one after another. What belongs to a category is computed from the salt instead, so that it can be had
again without having been kept.
"""

import numpy as np

from glade.core._compile import inlined

TO_UNIT = 1.0 / (1 << 53)
STEP = np.uint64(0x9E3779B97F4A7C15)  # of the generator's state


@inlined
def mix_bits(z):
    """splitmix64's finish: every bit of the argument changes about half of the result's."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def draw_below(state, n):
    """A whole number from 0 to n - 1 (splitmix64)."""
    state[0] += STEP
    return np.int64((mix_bits(state[0]) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@inlined
def draw_unit(salt, k):
    """The k-th of the numbers from 0 to 1 that belong to a salt."""
    return np.float64(mix_bits(salt + np.uint64(k + 1) * STEP) >> np.uint64(11)) * TO_UNIT


@inlined
def draw_salt(state):
    """A new salt, for a new node."""
    state[0] += STEP
    state[1] = mix_bits(state[0])


@inlined
def salt_of(state, j):
    """The salt of input j at the node at hand."""
    return mix_bits(state[1] + np.uint64(j + 1) * np.uint64(0xD1342543DE82EF95))
