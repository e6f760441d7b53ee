"""Edges that a person can read: short decimals near quantiles."""

import numpy as np
import pandas as pd
import pytest

from glade.data.coding import find_edges
from glade.data.nice_edges import MOST_EXACT, find_nice_edges
from glade.data.table import read_table
from glade.explain.readability import count_digits


def find(values, weights=None):
    table = read_table(np.asarray(values, float)[:, None])
    return find_nice_edges(table, np.ones(table.n_rows) if weights is None else weights)[0]


def count_rows(values, edges):
    """How many of the values each range has."""
    return np.bincount(np.searchsorted(edges, values), minlength=len(edges) + 1)


@pytest.mark.parametrize("draw", ["normal", "exponential", "lognormal", "uniform"])
def test_edges_are_short_and_leave_no_range_of_many_rows(draw):
    values = getattr(np.random.default_rng(0), draw)(size=5_000) * 17.3
    edges = find(values)
    assert (np.diff(edges) > 0).all()
    assert 30 <= len(edges) <= 40
    assert np.mean([count_digits(edge) for edge in edges]) < 2.2
    n_rows = count_rows(values, edges)
    assert n_rows.min() > 0
    assert n_rows.max() < 2.1 * len(values) / 32


def test_few_values_have_an_edge_between_any_two():
    assert find([3.0, 1.0, 2.0, 2.0, np.nan]).tolist() == [1.0, 2.0]
    values = np.arange(MOST_EXACT, dtype=float) / 7
    assert len(find(values)) == MOST_EXACT - 1
    assert (count_rows(values, find(values)) == 1).all()


def test_a_common_value_has_an_edge_on_both_sides():
    values = np.concatenate((np.full(3_000, 5.0), np.random.default_rng(0).normal(5.0, 2.0, 2_000)))
    codes = np.searchsorted(find(values), values)
    own = codes[values == 5.0][0]
    assert (codes == own).sum() < 3_060


def test_weights_move_the_edges_and_nothing_known_has_none():
    values, weights = np.linspace(0.0, 1.0, 1_000), np.ones(1_000)
    weights[values < 0.5] = 1e-6
    assert (find(values, weights) > 0.45).all()
    assert len(find([np.nan, np.nan])) == len(find([2.0, 2.0])) == 0


def test_every_edge_is_the_cut_that_trees_make_of_it():
    X = pd.DataFrame({"a": np.random.default_rng(0).normal(size=500), "b": ["x", "y"] * 250})
    table = read_table(X)
    given = find_nice_edges(table, np.ones(500))
    assert list(given) == [0]
    edges = find_edges(table, np.ones(500), None, given)
    np.testing.assert_array_equal(edges.cuts_of(0), given[0])
