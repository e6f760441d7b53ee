"""The named test sets take part in no choice, and all of them are there."""

from benchmarks.test_sets import CHOICE_SETS, TEST_SETS
from tests.datasets import load_dataset


def test_no_set_is_both_a_test_set_and_a_set_for_choices():
    test, choice = ({name for names in sets.values() for name in names} for sets in (TEST_SETS, CHOICE_SETS))
    assert not test & choice
    assert len(test) >= 10


def test_every_named_set_can_be_read():
    for sets in (TEST_SETS, CHOICE_SETS):
        for names in sets.values():
            for name in names:
                X, y = load_dataset(name)
                assert len(X) == len(y) > 0, name
