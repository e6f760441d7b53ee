"""Archetypes found over regions: the integrals against all rows that there can be, the choice against all trees."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from glade import MixedMultiTree, MultiTreeClassifier, MultiTreeRegressor
from glade.core.errors import InputError
from glade.ensemble.fusion import fuse
from glade.ensemble.regions import expect_nodes, find_means
from tests.fitted import fit, make_table
from tests.reference.forest import goes_left
from tests.reference.multitree import Slow

FEW = {"min_samples_leaf": 6, "random_state": 0}


@pytest.fixture(scope="module")
def small():
    """Inputs of few values, some missing, one of them nominal; targets of both kinds."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.integers(0, 5, 80).astype(float), "b": rng.integers(0, 3, 80) / 2.0})
    X.loc[rng.random(80) < 0.15, "a"] = np.nan
    X["c"] = pd.Categorical(rng.choice(list("uvw"), 80))
    amount = X["a"].fillna(2) * (X["c"] == "u") + X["b"] + rng.normal(0, 0.5, 80)
    return X, pd.DataFrame({"amount": amount, "kind": np.where(amount > 2, "p", np.where(amount > 1, "q", "r"))})


def list_all_rows(marginals):
    """Every row that values of the inputs can make, and its probability where inputs are independent."""
    columns = []
    for j, missing in enumerate(marginals.missing):
        own = slice(marginals.start[j], marginals.start[j + 1])
        share = np.diff(marginals.up_to[own], prepend=0.0) * (1 - missing)
        columns.append([*zip(marginals.values[own], share, strict=True), (np.nan, missing)])
    rows = list(product(*columns))
    return np.array([[x for x, _ in row] for row in rows]), np.array([np.prod([p for _, p in row]) for row in rows])


def visits(nodes, row):
    """All nodes that a row comes to, by any splits."""
    waiting, found = [0], []
    while waiting:
        node = waiting.pop()
        found.append(node)
        for s in np.flatnonzero(nodes.split_node == node):
            waiting.append(int(nodes.split_left[s]) + (not goes_left(nodes, s, row)))
    return found


@pytest.mark.parametrize("fusion", ["mean", "gain"])
@pytest.mark.parametrize("kind", [MultiTreeRegressor, MultiTreeClassifier])
def test_means_over_regions_are_those_over_all_rows(small, kind, fusion):
    X, y = small
    model = kind(6, fusion=fusion, **FEW).fit(X, y["amount" if kind is MultiTreeRegressor else "kind"])
    tree, nodes = model.multitree_, model.multitree_.nodes
    rows, probability = list_all_rows(model.marginals_)
    fused = fuse(tree, rows, fusion)
    total, size = np.zeros((nodes.n_nodes, fused.shape[1])), np.zeros(nodes.n_nodes)
    for row, p, value in zip(rows, probability, fused, strict=True):
        for node in visits(nodes, row):
            total[node] += p * value
            size[node] += p
    weight = tree.node_weights(tree.gain_shares if fusion == "gain" else tree.even_shares)
    leaves = np.flatnonzero(nodes.is_leaf)
    means = find_means(nodes, model.marginals_, leaves, nodes.value[leaves] * weight[leaves, None])
    is_there = size[leaves] > 1e-12
    np.testing.assert_allclose(means[is_there], (total / size[:, None])[leaves][is_there], atol=1e-9)
    assert is_there.sum() > 12


def list_leaves(tree, solution, node=0):
    return [node] if isinstance(solution, int) else [
        leaf for branch, own in zip(tree.branches(solution[0]), solution[1:], strict=True)
        for leaf in list_leaves(tree, own, branch)
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [MultiTreeRegressor, MultiTreeClassifier])
def test_the_tree_is_the_best_of_all(small, kind):
    """By squared differences, or by the probability of the leaf's class, over the regions of the leaves."""
    X, y = small
    model = kind(5, min_samples_leaf=12, random_state=0).fit(X, y["amount" if kind is MultiTreeRegressor else "kind"])
    nodes, slow = model.multitree_.nodes, Slow(model.multitree_.nodes, model.target_schema_)
    weight = model.multitree_.node_weights(model.multitree_.even_shares)
    leaves = np.flatnonzero(nodes.is_leaf)
    means = find_means(nodes, model.marginals_, leaves, nodes.value[leaves] * weight[leaves, None])
    finer = np.eye(3)[means.argmax(axis=1)] if kind is MultiTreeClassifier else means ** [[1, 2]]
    told = find_means(nodes, model.marginals_, leaves, finer * weight[leaves, None])
    share, place = nodes.weight / nodes.weight[0], {leaf: k for k, leaf in enumerate(leaves.tolist())}

    def judge(own):
        at = [place[leaf] for leaf in own.tolist()]
        if kind is MultiTreeClassifier:
            return np.sum(share[own] * told[at, nodes.value[own].argmax(axis=1)])
        variance = np.maximum(told[at, 1] - told[at, 0] ** 2, 0)
        return -np.sum(share[own] * ((nodes.value[own, 0] - means[at, 0]) ** 2 + variance))

    trees = [np.array(list_leaves(slow, solution)) for solution in slow.solutions()]
    best = max(map(judge, trees))
    found = model.archetype(how="analytic", similarity="theta")
    says = np.sort(found.tree_.value[found.tree_.is_leaf], axis=0)
    same = [own for own in trees if len(own) == len(says) and np.allclose(np.sort(nodes.value[own], axis=0), says)]
    assert max(map(judge, same)) == pytest.approx(best)
    assert len(trees) > 4
    smaller = model.archetype(how="analytic", max_leaf_nodes=3)
    assert smaller.get_n_leaves() <= 3
    if kind is MultiTreeClassifier:
        assert found.similarity_ == pytest.approx(best)


def test_nothing_is_drawn_and_rows_are_agreed_upon():
    X, _ = make_table()
    model = fit("multi-tree, numbers")
    tree, again = (model.archetype(how="analytic", max_leaf_nodes=6, random_state=seed) for seed in (0, 1))
    np.testing.assert_array_equal(tree.predict(X), again.predict(X))
    fused, invented = model.predict(X), model.archetype(max_leaf_nodes=6).predict(X)
    off = [((own - fused) ** 2).sum() for own in (tree.predict(X), invented)]
    assert off[0] < 1.3 * off[1]


def test_what_cannot_be_added_up_is_refused():
    X, y = make_table()
    with pytest.raises(InputError, match="fusion"):
        fit("multi-tree, classes").archetype(how="analytic")
    with pytest.raises(InputError, match="leave X out"):
        fit("multi-tree, numbers").archetype(X, how="analytic")
    flat = MultiTreeRegressor(5, min_samples_leaf=len(X)).fit(X, y["amount"])
    assert flat.archetype(how="analytic").get_n_leaves() == 1


def test_targets_of_both_kinds(small):
    X, y = small
    model = MixedMultiTree(8, min_samples_leaf=10, random_state=0).fit(X, y)
    tree = model.archetype(how="analytic")
    assert tree.predict(X).columns.tolist() == ["amount", "kind"]
    assert tree.score(X, y) > 0.5
    predictions = expect_nodes(model.multitree_, model.marginals_, "mean")
    assert predictions.classes.tolist() == [0, 3]
    first = MixedMultiTree(0, min_samples_leaf=10).fit(X, y)
    pd.testing.assert_frame_equal(first.predict(X), first.first().predict(X))
    assert model.archetype(X).similarity_ <= 1
