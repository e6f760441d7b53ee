"""Numeric targets to channels: powers of two, means for what is unknown, deviations."""

import numpy as np
import pytest

from glade.data.columns import NUMERIC, Column
from glade.data.targets import scale_numbers, standardise

RANDOM = np.random.default_rng(0)
TARGETS = {
    "plain": RANDOM.normal(size=500),
    "far from zero": 1e9 + RANDOM.normal(size=500),
    "huge": 1e300 * RANDOM.random(500),
    "tiny": 1e-300 * RANDOM.normal(size=500),
    "below the normal doubles": 1e-310 * RANDOM.normal(size=500),
    "constant": np.full(500, 0.1),
    "with gaps": np.where(RANDOM.random(500) < 0.3, np.nan, RANDOM.normal(3.0, 1.0, 500)),
    "gaps at first": np.append(np.full(490, np.nan), RANDOM.normal(size=10)),
}


@pytest.mark.parametrize("weights", [np.ones(500), RANDOM.integers(1, 5, 500).astype(float)], ids=["alike", "weighted"])
def test_scaled_together_as_one_by_one(weights):
    """Values within 1, exact but for the power of two; unknown ones are the mean; deviations by the definition."""
    columns = [Column(name, NUMERIC, values) for name, values in TARGETS.items()]
    scaled, at = np.full((500, 10), 7.0), np.array([0, 1, 2, 4, 5, 6, 8, 9], np.int32)
    exponent, deviation = scale_numbers(columns, weights, at, scaled)
    assert (scaled[:, [3, 7]] == 7.0).all()
    for t, values in enumerate(TARGETS.values()):
        known, found = ~np.isnan(values), scaled[:, at[t]]
        np.testing.assert_array_equal(found[known], np.ldexp(values[known], -exponent[t]))
        assert 0.5 <= np.abs(found[known]).max() < 1.0
        apart = found[known] - found[known][0]
        mean = np.average(apart, weights=weights[known])
        spread = np.sqrt(np.average((apart - mean) ** 2, weights=weights[known]))
        np.testing.assert_allclose(deviation[t], spread, rtol=1e-12)
        np.testing.assert_allclose(found[~known], found[known][0] + mean, rtol=1e-12)


def test_the_deviation_of_the_last_digits():
    """Of values that differ in their last bits only, it is exact but for rounding."""
    values = 1e9 + RANDOM.integers(0, 3, 300) * 2.0**-23
    (exponent,), (deviation,) = scale_numbers(
        [Column("y", NUMERIC, values)], np.ones(300), np.zeros(1, np.int32), np.empty((300, 1))
    )
    steps = (values - 1e9) * 2.0**23
    np.testing.assert_allclose(deviation, np.ldexp(steps.std(), -23 - exponent), rtol=1e-12)


def test_a_target_nobody_knows():
    """It has no size and no spread; nothing of it counts."""
    scaled = np.empty((3, 1))
    column = Column("y", NUMERIC, np.full(3, np.nan))
    exponent, deviation = scale_numbers([column], np.ones(3), np.zeros(1, np.int32), scaled)
    assert (exponent[0], deviation[0], scaled.tolist()) == (0, 0.0, [[0.0]] * 3)


def test_standardise():
    """Mean 0, deviation 1, gaps stay; of a constant the deviation is said to be 1."""
    values, mean, spread = standardise(Column("y", NUMERIC, TARGETS["with gaps"]), np.ones(500))
    known = ~np.isnan(TARGETS["with gaps"])
    np.testing.assert_array_equal(np.isnan(values), ~known)
    np.testing.assert_allclose([values[known].mean(), values[known].std()], [0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(values[known] * spread + mean, TARGETS["with gaps"][known])
    assert standardise(Column("y", NUMERIC, TARGETS["constant"]), np.ones(500))[2] == 1.0
