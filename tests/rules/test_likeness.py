"""Which rules count as the same."""

from dataclasses import replace

import numpy as np
import pandas as pd

from glade import TreeRegressor
from glade.data.table import NUMERIC, Schema
from glade.rules.likeness import Tenths, find_dice, identify_rules

X = pd.DataFrame({"number": np.arange(100.0), "label": np.tile(["a", "b", "c", "d"], 25)})


def keys_of(y, **settings):
    tree = TreeRegressor(**settings).fit(X, y)
    return identify_rules(tree.rules_, Tenths.of(tree.encode(X), tree.schema_))


def step_at(cut):
    return (X["number"] > cut).astype(float).rename("step")


def test_cuts_in_the_same_tenth_make_the_same_rules():
    assert set(keys_of(step_at(41), max_leaf_nodes=2)) == set(keys_of(step_at(47), max_leaf_nodes=2))
    assert not set(keys_of(step_at(41), max_leaf_nodes=2)) & set(keys_of(step_at(52), max_leaf_nodes=2))


def test_the_two_sides_of_a_cut_are_different_rules():
    one, other = keys_of(step_at(41), max_leaf_nodes=2)
    assert one != other


def test_the_order_of_conditions_does_not_matter_but_their_sets_do():
    both = X["label"].isin(["a", "b"]) & (X["number"] > 12)
    tree = TreeRegressor(max_leaf_nodes=3).fit(X, both.astype(float).rename("both"))
    rules = tree.rules_
    longest = int(rules.n_conditions.argmax())
    own = np.arange(rules.start[longest], rules.start[longest + 1])
    order = np.arange(len(rules.conditions))
    order[own] = own[::-1]
    turned = replace(rules, conditions=rules.conditions.take(order))
    tenths = Tenths.of(tree.encode(X), tree.schema_)
    assert rules.n_conditions.max() == 2
    assert identify_rules(rules, tenths) == identify_rules(turned, tenths)


def test_dice_by_hand():
    assert find_dice([1, 2, 3], [3, 4]) == 2 / 5
    assert find_dice([], [1]) == 0.0


def test_tenths_of_the_largest_numbers_are_finite():
    largest = np.finfo(float).max
    schema = Schema(("a",), (NUMERIC,), (None,), (False,))
    edges = Tenths.of(np.array([[-largest], [0.0], [largest]]), schema).edges["a"]
    np.testing.assert_allclose(edges, largest * np.linspace(-0.8, 0.8, 9), atol=1e292)
