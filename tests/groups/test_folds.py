"""Groups of rows as they are read, and the folds that are made of them."""

import numpy as np
import pandas as pd
import pytest

from glade.data.columns import NOMINAL, NUMERIC, Column
from glade.data.folds import draw_folds
from glade.data.groups import Groups, hold_out_groups

CODES = np.repeat(np.arange(12), 5)


@pytest.mark.parametrize(
    "labels",
    [
        [f"subject {k}" for k in CODES],
        CODES - 3,
        CODES * 0.5,
        pd.Series(CODES, index=CODES[::-1]),
        pd.Series(CODES.astype(str)).astype("category"),
        pd.DataFrame({"g": CODES}),
        [(k if k % 2 else f"{k}") for k in CODES],
    ],
)
def test_labels_of_any_kind_make_the_same_groups(labels):
    groups = Groups.read(labels, len(CODES))
    assert groups.codes.tolist() == CODES.tolist()
    assert groups.n_groups == 12
    assert len(set(groups.ranks().tolist())) == 12


def test_groups_are_ranked_for_a_splitter_in_the_order_of_their_labels():
    groups = Groups.read(["b", "c", "a", "b"], 4)
    assert (groups.codes.tolist(), groups.ranks().tolist()) == ([0, 1, 2, 0], [1, 2, 0, 1])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b"], "groups has 2 values, X has 3 rows: give each row of X one label"),
        (["a", None, "b"], "groups has no value in row 1: give every row a group"),
        ([1.0, 2.0, np.nan], "groups has no value in row 2: give every row a group"),
        (np.zeros((3, 2)), "groups has 2 columns: give one column"),
    ],
)
def test_groups_that_cannot_be_used_are_refused_in_one_sentence(labels, words):
    with pytest.raises(ValueError, match=words):
        Groups.read(labels, 3)


@pytest.mark.parametrize("n_folds", [2, 3, 5, 12])
@pytest.mark.parametrize("kind", [NUMERIC, NOMINAL])
def test_no_fold_divides_a_group(kind, n_folds):
    rng = np.random.default_rng(n_folds)
    groups = rng.permutation(CODES)
    target = Column("y", kind, rng.integers(0, 2, len(groups)).astype(float), ("a", "b") if kind == NOMINAL else None)
    folds = draw_folds(n_folds, [target], 0, groups)
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == list(range(len(groups)))
    for train, test in folds:
        assert len(test)
        assert not set(groups[train]) & set(groups[test])


def test_classes_are_spread_over_grouped_folds():
    """Half of the groups are of each class: dealt at random, four folds of three groups seldom have the same shares."""
    target = Column("y", NOMINAL, (CODES % 2).astype(float), ("a", "b"))
    for seed in range(10):
        shares = [target.values[test].mean() for _, test in draw_folds(6, [target], seed, CODES)]
        assert shares == [0.5] * 6


def test_grouped_folds_depend_on_the_seed_alone():
    target = Column("y", NUMERIC, CODES.astype(float))
    drawn = [[test.tolist() for _, test in draw_folds(3, [target], seed, CODES)] for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_whole_groups_are_held_out_and_about_as_many_rows_as_wanted():
    rng = np.random.default_rng(0)
    for n_wanted in (1, 10, 30, 60):
        is_held_out = hold_out_groups(CODES, n_wanted, rng)
        assert abs(is_held_out.sum() - min(max(n_wanted, 5), 55)) <= 5
        assert not set(CODES[is_held_out]) & set(CODES[~is_held_out])
