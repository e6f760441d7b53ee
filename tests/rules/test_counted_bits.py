"""The bits of a word are counted, and the lowest is found, as Python does."""

import numpy as np
import pytest

from glade.core._compile import kernel
from glade.rules._bits import count_ones, trailing_zeros


@kernel
def describe(words, counts, lowest):
    for i in range(words.shape[0]):
        counts[i], lowest[i] = count_ones(words[i]), trailing_zeros(words[i])


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "words",
    [
        np.uint64(1) << np.arange(64, dtype=np.uint64),  # each bit alone
        ~np.uint64(0) << np.arange(64, dtype=np.uint64),
        RANDOM.integers(1, 2**64, 500, dtype=np.uint64),
        RANDOM.integers(1, 2**64, 500, dtype=np.uint64) & RANDOM.integers(1, 2**64, 500, dtype=np.uint64)
        | np.uint64(1 << 63),
    ],
)
def test_bits_are_those_that_python_counts(words):
    counts, lowest = np.empty(len(words), np.uint64), np.empty(len(words), np.uint64)
    describe(words, counts, lowest)
    assert counts.tolist() == [int(word).bit_count() for word in words]
    assert lowest.tolist() == [(int(word) & -int(word)).bit_length() - 1 for word in words]
