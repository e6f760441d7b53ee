"""Cuts that people can read: the shortest decimal between two values."""

import numpy as np
import pytest

from glade.data.decimals import shortest_between


def cut_between(low, high):
    return float(shortest_between(np.array([low]), np.array([high]), np.array([low / 2 + high / 2]))[0])


def significant_digits(value):
    digits = np.format_float_scientific(value, trim="-").split("e")[0].replace(".", "").replace("-", "")
    return len(digits.rstrip("0")) or 1


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (2.0, 3.0, 2.0),
        (0.0, 1.0, 0.5),
        (-1.0, 0.0, -0.5),
        (-3.0, -2.0, -3.0),
        (1.2, 1.3, 1.2),
        (0.124, 0.1262, 0.125),
        (10432.0, 10781.0, 10600.0),
        (-0.3, 0.3, 0.0),
        (99.0, 101.0, 100.0),
    ],
)
def test_examples(low, high, cut):
    """Short and, among the short ones, close to the middle."""
    assert cut_between(low, high) == cut


def test_always_separates():
    """low <= cut < high for any two doubles, neighbours, huge, tiny and of either sign included."""
    rng = np.random.default_rng(0)
    low = np.concatenate([rng.normal(size=500), rng.normal(size=500) * 10.0 ** rng.integers(-300, 300, 500)])
    high = np.concatenate([low + np.abs(low) * rng.random(1000), np.nextafter(low, np.inf), low + 1e-9 * np.abs(low)])
    low = np.tile(low, 3)
    edge = np.array([0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 2.2e-308, 1e22, 1e23])
    low, high = np.append(low, edge), np.append(high, np.nextafter(edge, np.inf))
    keep = low < high
    low, high = low[keep], high[keep]
    cut = shortest_between(low, high, np.clip(low / 2 + high / 2, low, high))
    assert (low <= cut).all()
    assert (cut < high).all()


def test_no_shorter_decimal_separates():
    """No decimal with fewer digits lies between: checked by looking at all of them."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        low = round(rng.normal() * 10.0 ** rng.integers(-3, 4), 6)
        high = low + abs(rng.normal()) * 10.0 ** float(rng.integers(-4, 2))
        digits = significant_digits(cut_between(low, high))
        for fewer in range(1, digits):
            exponent = int(np.floor(np.log10(max(abs(low), abs(high))))) - fewer + 1
            step = 10.0**exponent
            shorter = step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)
            inside = shorter[(shorter > low + 1e-12 * step) & (shorter < high - 1e-12 * step)]
            # a decimal far from the middle may be passed over for one near it, but never one of the middle's own scale
            middle = (low + high) / 2
            same_scale = inside[np.floor(np.log10(np.abs(inside) + 1e-300)) == np.floor(np.log10(abs(middle)))]
            assert len(same_scale) == 0, (low, high, digits, same_scale)


def test_no_negative_zero():
    """Zero prints as 0."""
    assert not np.signbit(cut_between(-0.25, 0.25))
