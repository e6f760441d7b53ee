"""Weights as read; what is refused is in tests/robustness/test_weights.py."""

import numpy as np
import pytest

from glade.data.columns import NOMINAL, Column
from glade.data.weights import read_class_weights, read_target_weights, read_weights


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, [1, 1, 1]),
        (0.5, [1, 1, 1]),
        ([7, 7, 7], [1, 1, 1]),
        ([1e300, 0, 1e300], [1, 0, 1]),
        ([1, 2, 0], [1, 2, 0]),  # whole numbers stand for repeated rows
        ([0.5, 1.5, 1.0], [0.25, 0.75, 0.5]),
        ([True, False, True], [1, 0, 1]),
    ],
)
def test_only_ratios_matter(given, expected):
    assert read_weights(given, 3).tolist() == expected


def test_weights_are_a_contiguous_copy():
    given = np.array([[1.0, 9.0], [2.0, 9.0]])
    given.flags.writeable = False
    weights = read_weights(given[:, 0], 2)
    assert weights.flags.writeable
    assert weights.flags.c_contiguous
    assert weights.tolist() == [1, 2]


COLUMN = Column("kind", NOMINAL, np.array([0.0, 0.0, 0.0, 1.0, np.nan]), ("u", "v"))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("balanced", [2 / 3, 2]),
        ({"v": 5}, [1, 5]),
        ({"v": 5, "u": 2, "w": 3}, [2, 5]),
        ([{"v": 5}], [1, 5]),
        ({}, [1, 1]),
    ],
)
def test_class_weights_are_what_errors_cost(given, expected):
    np.testing.assert_allclose(read_class_weights(given, [COLUMN], np.ones(5)), [expected])


def test_class_weights_of_several_targets():
    found = read_class_weights([{"v": 5}, {"u": 2}], [COLUMN, COLUMN], np.ones(5))
    assert [own.tolist() for own in found] == [[1, 5], [2, 1]]


def test_balance_counts_the_weight_of_rows():
    (found,) = read_class_weights("balanced", [COLUMN], np.array([1.0, 1.0, 2.0, 4.0, 9.0]))
    assert found.tolist() == [1, 1]


def test_target_weights_by_name_or_order():
    assert read_target_weights(None, ("a", "b")).tolist() == [1, 1]
    assert read_target_weights([2, 0], ("a", "b")).tolist() == [2, 0]
    assert read_target_weights({"b": 3}, ("a", "b")).tolist() == [1, 3]
