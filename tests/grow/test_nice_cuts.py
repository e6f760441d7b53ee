"""Trees whose cuts are nice: those of an exact search among the nice edges, and shorter to read."""

import numpy as np
import pytest

from glade import ForestRegressor, MixedTree, TreeClassifier, TreeRegressor, archetype
from glade.data.nice_edges import find_nice_edges
from glade.data.table import read_table


def make_rows(n_rows=400):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_rows, 3)) * [1.0, 37.2541, 0.0143]
    y = X[:, 0] + np.sign(X[:, 1] - 11.3) + 50.0 * np.abs(X[:, 2]) + 0.2 * rng.normal(size=n_rows)
    return X, y


def find_cuts(tree):
    return tree.tree_.split_input, tree.tree_.split_cut


def count_digits(cuts):
    return [len(f"{abs(cut):.15g}".replace(".", "").strip("0")) for cut in cuts]


def test_a_tree_with_nice_cuts_is_that_of_an_exact_search_on_the_number_of_the_edge():
    X, y = make_rows()
    edges = find_nice_edges(read_table(X), np.ones(len(X)))
    numbers = np.column_stack([np.searchsorted(edges[j], X[:, j]) for j in range(X.shape[1])]).astype(float)
    nice = TreeRegressor(max_leaf_nodes=12, cuts="nice").fit(X, y)
    twin = TreeRegressor(max_leaf_nodes=12).fit(numbers, y)
    assert nice.get_n_leaves() == 12
    np.testing.assert_allclose(nice.predict(X), twin.predict(numbers), rtol=1e-12)


def test_every_cut_is_an_edge_and_has_fewer_digits_than_exact_ones():
    X, y = make_rows()
    edges = find_nice_edges(read_table(X), np.ones(len(X)))
    inputs, cuts = find_cuts(TreeRegressor(max_leaf_nodes=20, cuts="nice").fit(X, y))
    assert all(cut in edges[j] for j, cut in zip(inputs.tolist(), cuts.tolist(), strict=True))
    _, exact = find_cuts(TreeRegressor(max_leaf_nodes=20).fit(X, y))
    assert np.mean(count_digits(cuts)) + 0.5 < np.mean(count_digits(exact))


@pytest.mark.parametrize("kind", [TreeRegressor, TreeClassifier, MixedTree])
def test_trees_of_all_kinds_of_targets_take_it_and_prune_by_folds_with_it(kind):
    X, y = make_rows()
    if kind is TreeClassifier:
        y = np.where(y > 1.0, "high", "low")
    if kind is MixedTree:
        import pandas as pd

        y = pd.DataFrame({"number": y, "side": np.where(y > 1.0, "high", "low")})
    edges = find_nice_edges(read_table(X), np.ones(len(X)))
    model = kind(cuts="nice", ccp_alpha="cv", min_samples_leaf=5, random_state=0).fit(X, y)
    inputs, cuts = find_cuts(model)
    assert len(cuts) > 0
    assert all(cut in edges[j] for j, cut in zip(inputs.tolist(), cuts.tolist(), strict=True))


def test_an_archetype_takes_it_too():
    X, y = make_rows()
    forest = ForestRegressor(10, random_state=0).fit(X, y)
    settings = {"n_invented": 0, "max_leaf_nodes": 10, "random_state": 0}
    edges = find_nice_edges(read_table(X), np.ones(len(X)))
    nice, exact = (archetype(forest, X, cuts=cuts, **settings) for cuts in ("nice", "exact"))
    inputs, cuts = find_cuts(nice)
    assert all(cut in edges[j] for j, cut in zip(inputs.tolist(), cuts.tolist(), strict=True))
    assert not all(cut in edges[j] for j, cut in zip(*(own.tolist() for own in find_cuts(exact)), strict=True))
    assert nice.cuts == "nice"
    assert nice.agreement_ > 0.5
