"""Beam trees: against all trees that there are, against greedy growth, and what the beam is good for."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import glade
from glade import BeamTreeClassifier, BeamTreeRegressor, ForestRegressor, TreeClassifier, TreeRegressor
from glade.data.coded_rows import CodedRows
from glade.data.coding import code_inputs
from glade.data.table import read_table
from glade.ensemble.beam import BeamLimits, BeamSearch, measure_similarity, to_node_table
from tests.fitted import fit, make_new_rows, make_table


def make_search(seed, n_rows=50, **limits):
    """A small table with gaps, categories and weights, and three columns of two targets, not always known."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 6, n_rows) / 2.0, "b": rng.normal(size=n_rows).round(1)})
    X.loc[rng.random(n_rows) < 0.2, "b"] = np.nan
    X["c"] = pd.Categorical(rng.choice(list("uvw"), n_rows))
    y = rng.normal(size=(n_rows, 3)) + X[["a"]].to_numpy()
    y[rng.random(n_rows) < 0.1, 2] = np.nan
    table, weights = read_table(X), rng.integers(1, 4, n_rows).astype(float)
    given = {"diversity": 0.0, "leaf_price": 0.0, "max_depth": None, "min_rows": 4, **limits}
    rows = CodedRows(code_inputs(table, weights, None), y, np.array([0, 0, 1]), weights)
    return BeamSearch(rows, BeamLimits(**given)), table.to_matrix()


def find_risk(search, groups):
    """The sum of squares within groups of rows, by the definition, as a fraction of that of all rows."""
    y, weights, total = search.rows.y, search.rows.weights, 0.0
    for own, t in product(groups, (0, 1)):
        part = y[own][:, search.rows.target == t]
        known = ~np.isnan(part[:, 0])
        if known.any():
            w, part = weights[own][known], part[known]
            total += (w[:, None] * (part - np.average(part, axis=0, weights=w)) ** 2).sum()
    return total


def list_trees(search, node, n_leaves):
    """The leaves of all trees of exactly so many leaves below a node."""
    if n_leaves == 1:
        yield (node,)
        return
    for split in search.list_splits(node):
        for n_left in range(1, n_leaves):
            for left in list_trees(search, split.branches[0], n_left):
                for right in list_trees(search, split.branches[1], n_leaves - n_left):
                    yield left + right


@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_finds_the_best_of_all_trees(seed):
    search, _ = make_search(seed, width=500, max_leaves=4)
    best = min(
        find_risk(search, [leaf.rows for leaf in leaves])
        for n in range(1, 5)
        for leaves in list_trees(search, search.root, n)
    )
    found = search.find_trees()[0]
    groups = [leaf.rows for leaf, _ in found.leaves]
    assert find_risk(search, groups) == pytest.approx(best)
    assert found.risk == pytest.approx(best / find_risk(search, [np.arange(50)]))


@pytest.mark.parametrize("seed", range(4))
def test_splits_are_the_best_of_their_input(seed):
    """Every cut of a number, and of categories every set, with missing values on the larger side."""
    search, matrix = make_search(seed, width=1, max_leaves=2)
    for split in search.list_splits(search.root):
        x, candidates = matrix[:, split.input], []
        known = ~np.isnan(x)
        values = np.unique(x[known])
        sets = [values[: k + 1] for k in range(len(values) - 1)]
        if split.input == 2:
            sets = [values[[k]] for k in range(len(values))]  # of three categories, one against two is every set
        for chosen in sets:
            left = np.isin(x, chosen)
            if left[known].sum() * 2 >= known.sum():
                left |= ~known
            if split.input == 2:
                left = np.isin(x, chosen)
            if min(left.sum(), (~left).sum()) >= 4:
                candidates.append(find_risk(search, [np.flatnonzero(left), np.flatnonzero(~left)]))
        whole = find_risk(search, [np.arange(50)])
        assert split.risk * whole >= min(candidates) * (1 - 1e-9)
        if split.input != 2:  # for several columns the order of categories is a good guess only
            assert split.risk * whole == pytest.approx(min(candidates))


def test_stored_trees_route_rows_as_the_search_did():
    search, matrix = make_search(5, width=6, max_leaves=7)
    for tree in search.find_trees():
        table, mean = to_node_table(tree, search, 1.0)
        np.testing.assert_allclose(mean[table.route(matrix)], tree.predict(50))
        assert table.risk[table.is_leaf].sum() == pytest.approx(tree.risk)
        assert (np.diff(table.split_left) == 2).all()


@pytest.mark.parametrize("size", [2, 5, 9])
def test_one_tree_at_a_time_is_greedy_growth(size):
    rng = np.random.default_rng(0)
    X = rng.random((300, 5)).round(2)
    y = np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(0, 0.1, 300)
    one = BeamTreeRegressor(1, leaf_price=0.0, max_leaf_nodes=size).fit(X, y)
    greedy = TreeRegressor(max_leaf_nodes=size, min_samples_leaf=5).fit(X, y)
    np.testing.assert_allclose(one.predict(X), greedy.predict(X))
    np.testing.assert_allclose(one.tree_.risk.sum(), greedy.tree_.risk.sum())
    np.testing.assert_allclose(one.feature_importances_, greedy.feature_importances_)
    label = np.where(y > 0.8, "high", np.where(y > 0, "mid", "low"))
    classes = BeamTreeClassifier(1, leaf_price=0.0, max_leaf_nodes=size).fit(X, label)
    trees = TreeClassifier(max_leaf_nodes=size, min_samples_leaf=5).fit(X, label)
    np.testing.assert_allclose(classes.predict_proba(X), trees.predict_proba(X))


def test_a_split_that_pays_later_is_found():
    """Of two inputs only both together say something; a third one says a little at once."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (400, 3)).astype(float)
    y = (X[:, 0] != X[:, 1]) + 0.1 * X[:, 2]
    beam = BeamTreeRegressor(6, max_leaf_nodes=4).fit(X, y)
    greedy = TreeRegressor(max_leaf_nodes=4, min_samples_leaf=5).fit(X, y)
    assert beam.score(X, y) > 0.95 > greedy.score(X, y)


def test_diversity_makes_trees_differ():
    X, y = make_table()
    spread = []
    for diversity in (0.0, 1.0):
        model = BeamTreeRegressor(8, diversity=diversity, max_leaf_nodes=6).fit(X, y[["amount", "count"]])
        says = [
            tree.value[tree.route(model.encode(X))] / y[["amount", "count"]].std().to_numpy() for tree in model.beam_
        ]
        pairs = [measure_similarity(a, b, np.ones(len(X))) for k, a in enumerate(says) for b in says[:k]]
        spread.append(np.mean(pairs))
        assert len(model.beam_) == 8
    assert spread[1] < spread[0] - 0.02


def test_the_forest_of_the_beam_is_their_mean_and_a_model_like_others(tmp_path):
    new = make_new_rows()
    for name in ("beam tree, numbers", "beam tree, classes"):
        model = fit(name)
        forest = model.to_forest()
        matrix = model.encode(new)
        mean = np.mean([tree.value[tree.route(matrix)] for tree in model.beam_], axis=0)
        np.testing.assert_allclose(forest.predict_values(matrix), mean)
        forest.save(tmp_path / "forest.glade")
        np.testing.assert_array_equal(glade.load(tmp_path / "forest.glade").predict(new), forest.predict(new))
        assert forest.size_.trees == len(model.beam_)
        assert forest.explain(new.head(2)).contribution.notna().all()
        assert isinstance(forest, ForestRegressor if "numbers" in name else glade.ForestClassifier)


def test_limits_are_kept_and_no_gain_ends_the_search():
    X, y = make_table()
    tree = BeamTreeRegressor(4, max_depth=2, min_samples_leaf=20, max_leaf_nodes=10).fit(X, y["amount"])
    assert tree.get_depth() <= 2
    assert tree.tree_.rows[tree.tree_.is_leaf].min() >= 20
    dear = BeamTreeRegressor(4, leaf_price=0.2).fit(X, y["amount"])
    assert dear.get_n_leaves() < BeamTreeRegressor(4).fit(X, y["amount"]).get_n_leaves()
    flat = BeamTreeRegressor().fit(np.ones((20, 1)), np.arange(20.0))
    assert flat.get_n_leaves() == 1
    assert len(flat.to_forest().trees_) == 1
