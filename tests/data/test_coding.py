"""Inputs to codes, exact and binned."""

import numpy as np
import pandas as pd
import pytest

from glade.data.coding import MAX_BINS, apply_edges, code_inputs, find_edges
from glade.data.table import read_table
from glade.data.targets import REGRESSION, encode_targets, read_targets
from glade.grow.grower import GrowthSettings, grow
from glade.grow.node_table import SplitKind
from tests.reference.bins import choose_bins, code_slowly


def code(values, max_bins, weights=None):
    """The coded column of one input, its codes as an array, and their ranges."""
    table = read_table(np.asarray(values, float).reshape(-1, 1))
    coded = code_inputs(table, np.ones(len(values)) if weights is None else weights, max_bins)
    columns = coded.columns
    place = columns.place[0]
    codes = columns.narrow[place] if place >= 0 else columns.wide[-1 - place]
    return codes.astype(int), coded.low[0], coded.high[0]


COLUMNS = {
    "continuous": np.random.default_rng(0).normal(size=3000),
    "whole": np.random.default_rng(1).integers(-5, 6, 3000).astype(float),
    "heavy zeros": np.where(np.random.default_rng(2).random(3000) < 0.9, 0.0, np.random.default_rng(3).random(3000)),
    "skewed": np.exp(8 * np.random.default_rng(4).normal(size=3000)),
    "both signs": np.random.default_rng(5).choice([-1.0, 1.0], 3000)
    * np.exp(20 * np.random.default_rng(6).normal(size=3000)),
    "many ties": np.round(np.random.default_rng(7).normal(size=3000), 2),
    "alike but for one": np.append(-1.0, 1.7e9 + np.random.default_rng(11).integers(0, 2000, 2999)),
    "missing": np.where(
        np.random.default_rng(8).random(3000) < 0.3, np.nan, np.random.default_rng(9).normal(size=3000)
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_exact(name):
    """Every distinct value has a code of its own, in order; a missing cell has the code after the last."""
    values = COLUMNS[name]
    codes, low, high = code(values, None)
    known = ~np.isnan(values)
    distinct, ranks = np.unique(values[known], return_inverse=True)
    np.testing.assert_array_equal(codes[known], ranks)
    np.testing.assert_array_equal(low, distinct)
    np.testing.assert_array_equal(high, distinct)
    assert (codes[~known] == len(distinct)).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("max_bins", [2, 7, 100, MAX_BINS])
@pytest.mark.parametrize("name", COLUMNS)
def test_binned(name, max_bins, weighted):
    """At most max_bins bins; a bin is a range of values, each value is in exactly one, and all bins are used."""
    values = COLUMNS[name]
    weights = np.random.default_rng(10).exponential(size=len(values)) if weighted else np.ones(len(values))
    codes, low, high = code(values, max_bins, weights)
    known = ~np.isnan(values)
    assert 1 <= len(low) <= max_bins
    assert (low <= high).all()
    assert (high[:-1] < low[1:]).all()
    assert (low[codes[known]] <= values[known]).all()
    assert (values[known] <= high[codes[known]]).all()
    np.testing.assert_array_equal(np.unique(codes[known]), np.arange(len(low)))
    assert np.isin(low, values).all()
    assert np.isin(high, values).all()
    assert (codes[~known] == len(low)).all()


@pytest.mark.parametrize(("max_bins", "n_fine"), [(7, 0), (100, 12), (250, 0)])
def test_bins_are_even_but_for_fine_ends(max_bins, n_fine):
    """Without common values bins hold the same number of rows; where that is many, those at the ends hold few."""
    values = COLUMNS["continuous"]
    counts = np.bincount(code(values, max_bins)[0])
    assert len(counts) == max_bins
    assert counts[:n_fine].tolist() == [1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4][:n_fine]
    assert counts[::-1][:n_fine].tolist() == counts[:n_fine].tolist()
    inner = counts[n_fine : max_bins - n_fine]
    assert inner.max() - inner.min() <= 1
    weights = np.random.default_rng(0).integers(1, 4, 3000).astype(float)
    mass = np.bincount(code(values, max_bins, weights)[0], weights)[n_fine : max_bins - n_fine]
    assert len(mass) == max_bins - 2 * n_fine
    assert mass.max() - mass.min() <= 2 * weights.max()
    np.testing.assert_array_equal(code(values, max_bins, 8 * weights)[0], code(values, max_bins, weights)[0])


def test_heavy_values_keep_bins():
    """Nine tenths of a column are zero: the zeros are one bin, the other bins share the rest evenly."""
    values = COLUMNS["heavy zeros"]
    codes, _, _ = code(values, 50)
    zero = codes[values == 0][0]
    assert (codes[values == 0] == zero).all()
    others = np.bincount(codes[values != 0])
    others = others[others > 0]
    assert len(others) >= 48
    assert others.max() <= 2 * others.min() + 2


def test_few_values_are_exact():
    """No more distinct values than bins: binned is exact."""
    for name in ("whole", "many ties"):
        values = COLUMNS[name]
        n = len(np.unique(values))
        if n <= MAX_BINS:
            np.testing.assert_array_equal(code(values, n)[0], code(values, None)[0])
    assert len(np.unique(COLUMNS["whole"])) <= MAX_BINS


def test_choose_bins_ascends():
    """Bins ascend with the values and never exceed the limit, whatever the weights."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        weights = rng.exponential(size=rng.integers(2, 300)) ** rng.integers(1, 6)
        max_bins = int(rng.integers(2, 40))
        bins = choose_bins(weights, max_bins)
        assert bins.min() >= 0
        assert bins.max() < max_bins
        assert (np.diff(bins) >= 0).all()


def test_nominal_codes_are_labels():
    """Text is coded by its sorted labels, missing after the last; many categories take a wide column."""
    labels = [f"c{k:04d}" for k in range(300)]
    text = np.random.default_rng(0).permutation(labels).tolist()
    table = read_table(pd.DataFrame({"few": ["b", "a", None, "c"] * 75, "many": text}))
    columns = code_inputs(table, np.ones(300), None).columns
    assert columns.n_codes.tolist() == [3, 300]
    assert columns.nominal.tolist() == [1, 1]
    assert columns.narrow[columns.place[0]][:4].tolist() == [1, 0, 3, 2]
    assert columns.place[1] < 0
    np.testing.assert_array_equal(columns.wide[-1 - columns.place[1]], [labels.index(v) for v in text])


def test_auto_bins():
    """`auto` is exact for small tables and binned for large ones."""
    values = np.random.default_rng(0).normal(size=21_000)
    assert len(code(values[:20_000], "auto")[1]) == 20_000
    assert len(code(values, "auto")[1]) == MAX_BINS


RANGES = {
    "around zero": np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
    "negative": -np.exp(np.linspace(-30, 30, 200))[::-1],
    "positive": np.exp(np.linspace(-30, 30, 5000)),
    "all doubles": np.array(
        [-1.7e308, -1e300, -1.0, -2.3e-308, -5e-324, 0.0, 5e-324, 2.3e-308, 1e-5, 1.0, 1e300, 1.7e308]
    ),
    "neighbours": 1.0 + np.arange(1000) * 2.3e-16,
    "one": np.array([3.0]),
    "normal": np.sort(np.random.default_rng(0).normal(size=3000)),
}


@pytest.mark.parametrize("name", RANGES)
def test_any_doubles_are_coded_in_order(name):
    """The code of a value is its rank, NaN is missing: for any doubles, few or many of them."""
    low = np.unique(RANGES[name])
    random = np.random.default_rng(0)
    share = random.random(500)
    many = np.concatenate([low, low[:-1] / 2 + low[1:] / 2, low[0] * (1 - share) + low[-1] * share])
    for distinct in (low, many):
        values = np.append(random.choice(distinct, 3 * len(distinct)), np.nan)
        codes, ranges, _ = code(values, None)
        expected, ranks = np.unique(values[:-1], return_inverse=True)
        np.testing.assert_array_equal(ranges, expected)
        np.testing.assert_array_equal(codes, [*ranks, len(expected)])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("max_bins", [None, 2, 7, 100, MAX_BINS])
@pytest.mark.parametrize("name", COLUMNS)
def test_codes_are_those_of_the_slow_way(name, max_bins, weighted):
    values = COLUMNS[name]
    weights = np.random.default_rng(1).integers(1, 4, len(values)).astype(float) if weighted else np.ones(len(values))
    for found, expected in zip(code(values, max_bins, weights), code_slowly(values, weights, max_bins), strict=True):
        np.testing.assert_array_equal(found, expected)


AWKWARD = {
    "255 values": np.random.default_rng(0).permutation(np.arange(1020.0) % 255),
    "256 values": np.random.default_rng(0).permutation(np.arange(1024.0) % 256),
    "all distinct": np.random.default_rng(1).normal(size=2000),
    "zeros of both signs": np.random.default_rng(2).choice([-1.0, -0.0, 0.0, 5e-324, np.nan], 300),
    "infinities": np.append(np.random.default_rng(3).normal(size=500), [np.inf, -np.inf, np.nan, np.inf]),
    "nothing known": np.full(5, np.nan),
    "one row": np.array([3.5]),
    "common values": np.floor(np.random.default_rng(4).exponential(60, 3000)),
}


def table_of(values):
    """A table of one numeric input, read without the border that refuses infinity."""
    table = read_table(np.zeros((len(values), 1)))
    return table.with_values(np.asarray(values, float)[None])


def codes_of(coded, j=0):
    place = coded.columns.place[j]
    return (coded.columns.narrow[place] if place >= 0 else coded.columns.wide[-1 - place]).astype(int)


def assert_same_codes(one, other):
    for a, b in zip(one.columns, other.columns, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("max_bins", [None, 2, 40, 254, MAX_BINS])
@pytest.mark.parametrize("name", [*COLUMNS, *AWKWARD])
def test_edges_found_and_applied_are_the_codes_of_the_slow_way(name, max_bins, weighted):
    values = {**COLUMNS, **AWKWARD}[name]
    weights = np.random.default_rng(1).exponential(size=len(values)) if weighted else np.ones(len(values))
    table = table_of(values)
    edges = find_edges(table, weights, max_bins)
    coded = apply_edges(table, edges)
    assert_same_codes(coded, code_inputs(table, weights, max_bins))
    assert_same_codes(coded, apply_edges(table, edges.with_all_cuts()))
    if not np.isnan(values).all():
        found = codes_of(coded), coded.low[0], coded.high[0]
        for own, expected in zip(found, code_slowly(values, weights, max_bins), strict=True):
            np.testing.assert_array_equal(own, expected)


@pytest.mark.parametrize("max_bins", [None, 20])
@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "alike but for one"])
def test_the_codes_of_other_values_are_where_the_cuts_put_them(name, max_bins):
    """Edges of one table code another as `np.searchsorted` does; what lies beyond has the first code or the last."""
    values = COLUMNS[name]
    edges = find_edges(table_of(values[::2]), np.ones(len(values[::2])), max_bins)
    known = values[~np.isnan(values)]
    others = np.concatenate((values[1::2], (known[1:] + known[:-1]) / 2, [-1e300, 1e300, np.nan, -0.0]))
    coded = apply_edges(table_of(others), edges)
    cuts = edges.cuts_of(0)
    assert (np.diff(cuts) > 0).all()
    expected = np.where(np.isnan(others), len(cuts) + 1, np.searchsorted(cuts, others))
    np.testing.assert_array_equal(codes_of(coded), expected)
    assert codes_of(coded)[-4:].tolist() == [0, len(cuts), len(cuts) + 1, np.searchsorted(cuts, 0.0)]


def test_parts_of_a_table_have_the_codes_of_the_whole():
    values = COLUMNS["many ties"]
    edges = find_edges(table_of(values), np.ones(3000), 50)
    whole = codes_of(apply_edges(table_of(values), edges))
    for rows in np.array_split(np.arange(3000), 7):
        np.testing.assert_array_equal(codes_of(apply_edges(table_of(values[rows]), edges)), whole[rows])


def test_given_edges_divide_the_values_at_the_edges():
    values = np.array([5.0, 18.0, 18.5, 40.0, 64.9, 65.0, 70.0, np.nan])
    table = table_of(values)
    edges = find_edges(table, np.ones(8), None, given={0: [65, 18.0, 65.0]})
    coded = apply_edges(table, edges)
    assert edges.cuts_of(0).tolist() == [18.0, 65.0]
    assert codes_of(coded).tolist() == [0, 0, 1, 1, 1, 1, 2, 3]
    assert coded.find_cuts(np.zeros(2, np.int32), np.array([0, 1], np.int32), np.array([1, 2], np.int32)).tolist() == [
        18.0,
        65.0,
    ]


@pytest.mark.parametrize("given", [[-1.0, 0.25, 1.0], [0.3], [1 / 3], np.linspace(-2, 2, 400), []])
@pytest.mark.parametrize("random_cuts", [False, True])
def test_a_tree_on_given_edges_cuts_at_these_only(given, random_cuts):
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 2))
    X[::9, 0] = np.nan
    table, weights = read_table(X), np.ones(400)
    y = X[:, 1] + np.sin(5 * np.nan_to_num(X[:, 0]))
    targets = encode_targets(read_targets(y, REGRESSION), weights, "gini", np.ones(1))
    inputs = apply_edges(table, find_edges(table, weights, 30, given={0: given}))
    tree = grow(inputs, targets, GrowthSettings(random_cuts=random_cuts), seed=1)
    on_given = tree.split_cut[(tree.split_input == 0) & tree.is_kind(SplitKind.NUMERIC)]
    assert np.isin(on_given, given).all()
    assert len(given) == 0 or len(np.unique(on_given)) > min(len(given), 20) / 2
    leaves, is_leaf = tree.route(table.to_matrix()), tree.split < 0
    np.testing.assert_array_equal(np.bincount(leaves, minlength=tree.n_nodes)[is_leaf], tree.rows[is_leaf])


def test_edges_of_another_kind_of_table_are_refused():
    text = read_table(pd.DataFrame({"a": ["u", "v", "w"]}))
    edges = find_edges(text, np.ones(3), None)
    assert edges.n_codes.tolist() == [3]
    for other in (pd.DataFrame({"a": ["u", "v", "v"]}), pd.DataFrame({"a": ["u", "v", "w"], "b": [1, 2, 3]})):
        with pytest.raises(ValueError, match="other inputs, or other labels"):
            apply_edges(read_table(other), edges)
    with pytest.raises(ValueError, match=r"edges are given for \[0, 7\]"):
        find_edges(text, np.ones(3), None, given={0: [1.0], 7: [1.0]})
    with pytest.raises(ValueError, match="edges given for input 'x0' are not all finite"):
        find_edges(table_of([1.0, 2.0]), np.ones(2), None, given={0: [np.nan]})


def test_both_zeros_have_one_code():
    """0.0 and -0.0 are the same value."""
    codes, low, _ = code([0.0, -0.0, 1.0, -1.0], None)
    assert codes.tolist() == [1, 1, 2, 0]
    assert low.tolist() == [-1, 0, 1]


def test_cuts_lie_between_training_values():
    """A split between two codes cuts near the middle of their ranges, between two neighbouring training values."""
    values = np.array([1.0, 2.0, 5.0, 100.0])
    coded = code_inputs(read_table(values.reshape(-1, 1)), np.ones(4), None)
    inputs = np.zeros(3, np.int32)
    below, above = np.array([0, 0, 1], np.int32), np.array([1, 3, 2], np.int32)
    assert coded.find_cuts(inputs, below, above).tolist() == [1.0, 50.0, 3.0]


@pytest.mark.parametrize("max_bins", [None, 4])
def test_all_cuts_at_once_are_the_cuts_asked_for_one_by_one(max_bins):
    random = np.random.default_rng(0)
    table = np.column_stack([random.normal(size=30), np.full(30, np.nan), np.arange(30) % 3, np.ones(30)])
    coded = code_inputs(read_table(table), np.ones(30), max_bins)
    with_all = coded.with_all_cuts()
    for j in range(4):
        below = np.arange(coded.columns.n_codes[j] - 1, dtype=np.int32)  # there is no cut above the last code
        inputs = np.full(len(below), j, np.int32)
        expected = [coded.find_cuts(inputs[:1], below[k : k + 1], below[k : k + 1] + 1)[0] for k in range(len(below))]
        np.testing.assert_array_equal(with_all.find_cuts(inputs, below, below + 1), expected)
        often = np.tile(below, 200)  # more splits than codes, as in a multi-tree
        found = coded.find_cuts(np.full(len(often), j, np.int32), often, often + 1)
        np.testing.assert_array_equal(found, np.tile(expected, 200))


def test_an_input_without_values_has_no_ranges_at_given_edges_either():
    """Found by the fuzzer of tables: nice edges of a column without any value are none."""
    table = read_table(np.array([[np.nan, 1.0], [np.nan, 2.0]]))
    edges = find_edges(table, np.ones(2), None, given={0: [], 1: [1.5]})
    assert len(edges.cuts_of(0)) == 0
    assert edges.cuts_of(1).tolist() == [1.5]
