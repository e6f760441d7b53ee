"""One tree as small models that are ready made."""

import numpy as np
import pytest

from glade import RuleEnsembleRegressor, TreeRegressor
from glade.rules.extract import NODES, extract_rules
from glade.rules.one_tree import list_supports
from tests.rules.tables import encode, fit, make_table


def test_a_support_is_the_tree_at_that_size():
    X, Y = make_table(n_rows=200, seed=1)
    y = Y["number"].to_numpy()
    tree = fit(TreeRegressor(max_leaf_nodes=20), X, y)
    rules = extract_rules([tree.tree_], tree.schema_, tree.target_schema_, NODES)
    term_of = np.full(tree.tree_.n_nodes, -1)
    term_of[rules.node] = np.arange(len(rules))
    sizes = (1, 2, 5, 10, 19, 40)
    supports = list_supports(tree.tree_, term_of, sizes)
    assert [len(terms) for terms in supports] == [1, 2, 5, 10, 19]
    covered = np.column_stack((np.ones(len(X)), rules.covers(X)))
    for size, terms in zip(sizes, supports, strict=False):
        columns = covered[:, [0, *(terms + 1)]]
        fitted = columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
        smaller = fit(TreeRegressor(max_leaf_nodes=size + 1), X, y)
        np.testing.assert_allclose(fitted, smaller.tree_.value[smaller.tree_.route(encode(smaller, X)), 0])


@pytest.mark.parametrize("weights", ["auto", "greedy"])
def test_few_rules_are_as_good_as_a_tree_where_the_truth_is_one(weights):
    """Sixteen cells that no sum of few other rules comes near."""
    random = np.random.default_rng(0)
    X = random.random((3_000, 6))
    cell = (X[:, :4] > 0.5) @ [8, 4, 2, 1]
    y = random.permutation(16)[cell] + 0.3 * random.normal(size=len(X))
    model = RuleEnsembleRegressor(weights=weights, max_rules=15, random_state=0).fit(X[:2_600], y[:2_600])
    tree = TreeRegressor(max_leaf_nodes=16).fit(X[:2_600], y[:2_600])
    assert model.size_.terms <= 15
    assert model.score(X[2_600:], y[2_600:]) > tree.score(X[2_600:], y[2_600:]) - 0.01
