"""Sums that large nodes hold for their children: the same trees as without."""

import numpy as np
import pytest

from glade import TreeRegressor
from glade.data.coding import code_inputs
from glade.data.table import read_table
from glade.data.targets import CLASSIFICATION, REGRESSION, encode_targets, read_targets
from glade.grow import held
from glade.grow.grower import Grower, GrowthSettings, choose_kernel
from glade.grow.held import group_inputs

N_ROWS = 6_000


def make_inputs(kind, random):
    continuous, few = random.normal(size=(N_ROWS, 3)), random.integers(0, 4, (N_ROWS, 7)).astype(float)
    if kind == "gaps":
        few[random.random(few.shape) < 0.1] = np.nan
        continuous[random.random(continuous.shape) < 0.1] = np.nan
    return {"continuous": continuous, "few": few}.get(kind, np.column_stack([few[:, :4], continuous, few[:, 4:]]))


def make_problem(kind, targets, weighted=False, offset=0.0):
    random = np.random.default_rng(0)
    X = make_inputs(kind, random)
    known = np.nan_to_num(X)
    y = (
        offset
        + known[:, :1] * known[:, 1:2]
        + np.sin(3 * known[:, 2:3])
        + 0.3 * random.normal(size=(N_ROWS, targets or 1))
    )
    weights = random.integers(1, 4, N_ROWS).astype(float) if weighted else np.ones(N_ROWS)
    inputs = code_inputs(read_table(X), weights, 40)
    if targets == 0:
        columns = read_targets(np.digitize(y[:, 0], [0, 1, 2.5]), CLASSIFICATION)
        return inputs, encode_targets(columns, weights, "gini", np.ones(1))
    return inputs, encode_targets(read_targets(y, REGRESSION), weights, "variance", np.ones(targets))


def grow_both(inputs, targets, settings):
    return [
        Grower(inputs, targets, settings, kernel=name).grow() for name in ("grow_simple_trees", "grow_holding_trees")
    ]


def assert_same(plain, holding, tolerance=1e-12):
    for name in ("split", "depth", "weight", "rows", "split_input", "split_cut", "split_missing_left", "split_left"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(holding, name))
    np.testing.assert_allclose(holding.value, plain.value, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(holding.risk, plain.risk, rtol=1e-9, atol=1e-12 * plain.risk[0])
    np.testing.assert_allclose(holding.split_gain, plain.split_gain, rtol=1e-9, atol=1e-12 * plain.risk[0])


@pytest.mark.parametrize("targets", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("kind", ["continuous", "few", "both", "gaps"])
def test_the_same_trees(kind, targets):
    """Classes (0) or so many numbers; inputs alone, in groups, and missing."""
    assert_same(*grow_both(*make_problem(kind, targets), GrowthSettings()))


@pytest.mark.parametrize("settings", [{"max_depth": 5}, {"max_leaf_nodes": 30}, {"min_samples_leaf": 20}])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_trees_within_limits(settings, weighted):
    assert_same(*grow_both(*make_problem("gaps", 2, weighted), GrowthSettings(**settings)))


@pytest.mark.parametrize("settings", [{}, {"max_features": 3}, {"max_leaf_nodes": 30}, {"min_samples_leaf": 20}])
@pytest.mark.parametrize("targets", [0, 1, 3])
def test_the_general_kernel_grows_the_same_trees(targets, settings):
    problem = make_problem("gaps", targets)
    trees = [
        Grower(*problem, GrowthSettings(**settings), kernel=name).grow() for name in ("grow_trees", "grow_simple_trees")
    ]
    assert_same(*trees)


def test_few_slots(monkeypatch):
    """A node that finds no slot sums its own rows."""
    inputs, targets = make_problem("both", 2)
    monkeypatch.setattr(held, "MOST_SLOTS", 2)
    assert_same(*grow_both(inputs, targets, GrowthSettings(max_leaf_nodes=60)))


def test_a_large_offset_is_no_matter():
    """Differences of targets far from zero are as exact as they come."""
    inputs, targets = make_problem("both", 2, offset=1e9)
    assert_same(*grow_both(inputs, targets, GrowthSettings(max_depth=6)), tolerance=1e-15)


def test_a_class_without_rows_has_no_share():
    inputs, targets = make_problem("both", 0)
    shares = grow_both(inputs, targets, GrowthSettings())[1].value
    assert shares.min() == 0.0
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_sums_are_held():
    """What the tests above compare are two ways: slots were filled."""
    inputs, targets = make_problem("both", 2)
    grower = Grower(inputs, targets, GrowthSettings(max_depth=4), kernel="grow_holding_trees")
    grower._held.sums[:] = np.nan
    grower.grow()
    n_used = int(np.isfinite(grower._held.sums[:, 0]).sum()) / grower._held.start[-1]
    assert n_used >= 3


def test_groups_are_combinations():
    """The code of a group tells that of each of its inputs."""
    inputs, _ = make_problem("gaps", 1)
    groups, columns = group_inputs(inputs.columns), inputs.columns
    sizes = np.diff(groups.start)
    assert len(sizes) < len(columns.n_codes)
    assert sizes.max() <= 256
    for j, column in enumerate(columns.narrow):
        np.testing.assert_array_equal(groups.codes[groups.group[j]] // groups.stride[j] % groups.radix[j], column)


def test_which_kernel_grows():
    inputs, targets = make_problem("both", 1)
    assert choose_kernel(inputs, targets, GrowthSettings(), n_rows=100) == "grow_simple_trees"
    assert choose_kernel(inputs, targets, GrowthSettings(), n_rows=20_000) == "grow_holding_trees"
    assert choose_kernel(inputs, targets, GrowthSettings(max_features=3), n_rows=20_000) == "grow_simple_trees"
    assert choose_kernel(inputs, targets, GrowthSettings(keeps_alternatives=True), n_rows=20_000) == "grow_trees"
    assert choose_kernel(inputs, targets, GrowthSettings(random_cuts=True), n_rows=20_000) == "grow_random_trees"


@pytest.mark.parametrize("targets", [0, 1, 3])
def test_nodes_that_draw_inputs_hold_sums_too(targets):
    """Other inputs are drawn, as the smaller child comes first; what a node says of its rows is the same."""
    inputs, encoded = make_problem("few", targets)
    settings = GrowthSettings(max_features=2, max_depth=7)
    tree = Grower(inputs, encoded, settings, kernel="grow_holding_trees").grow()
    values, rows_of = encoded.decode(encoded.channels.y), [np.arange(N_ROWS)] + [None] * (len(tree.depth) - 1)
    codes, low = inputs.columns.narrow, inputs.low
    for s, node in enumerate(tree.split_node.tolist()):
        rows, j = rows_of[node], tree.split_input[s]
        is_left = low[j][codes[j, rows]] <= tree.split_cut[s]
        left = tree.split_left[s]
        rows_of[left], rows_of[left + 1] = rows[is_left], rows[~is_left]
    for node, rows in enumerate(rows_of):
        assert tree.rows[node] == len(rows)
        np.testing.assert_allclose(tree.value[node], values[rows].mean(axis=0), rtol=1e-9, atol=1e-9)
    assert len(rows_of) > 100


@pytest.mark.parametrize(
    ("kind", "max_features", "holds"), [("few", 2, True), ("few", 1, False), ("continuous", 2, False)]
)
def test_drawn_inputs_in_few_groups_are_worth_holding(kind, max_features, holds, monkeypatch):
    monkeypatch.setattr(held, "MIN_ROWS", N_ROWS)
    chosen = choose_kernel(*make_problem(kind, 1), GrowthSettings(max_features=max_features))
    assert (chosen == "grow_holding_trees") == holds


def test_few_rows_beside_a_large_sibling():
    """Six rows whose sums a large sibling awaits: their moment rows are there, however long these are."""
    rng = np.random.default_rng(1)
    six = np.sort(rng.choice(12_000, 6, replace=False))
    X, Y = rng.integers(0, 3, (12_000, 4)).astype(float), 0.1 * rng.normal(size=(12_000, 600))
    X[:, 0], X[six, 0], X[six, 1] = 0, 1, [0, 1, 1, 1, 1, 2]
    Y[six] += 100
    Y[six[0]] += 10
    tree = TreeRegressor(max_depth=2).fit(X, Y).tree_
    split_of_six = tree.rows[tree.split_node] == 6
    assert tree.split_input[split_of_six].tolist() == [1]
    assert tree.split_cut[split_of_six].tolist() == [0.5]


def test_a_target_that_is_constant_in_a_large_leaf():
    """It has exactly its value there, also where the leaf's impurity is derived: zeros do not become negative."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (12_000, 3)).astype(float)
    Y = np.column_stack([np.where(X[:, 0] < 2.5, 0.0, 3 * rng.random(12_000)), rng.normal(size=12_000) + 0.1 * X[:, 0]])
    predicted = TreeRegressor(max_depth=1).fit(X, Y).predict(X)
    assert (predicted[X[:, 0] < 2.5, 0] == 0.0).all()
    assert len(np.unique(predicted[:, 0])) == 2
