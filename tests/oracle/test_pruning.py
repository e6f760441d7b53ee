"""Cost-complexity pruning: scikit-learn's path on one target, brute force over all subtrees on many."""

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from glade import MixedTree, TreeClassifier, TreeRegressor
from glade.grow.node_table import NodeTable, SplitKind
from glade.grow.pruning import Prunable
from tests.datasets import load_dataset, scale_to_single, to_classes

# ------------------------------------------------------------------------------------------ scikit-learn, one target


def from_sklearn(model):
    """scikit-learn's tree in our form, as far as pruning looks at it."""
    tree = model.tree_
    order, waiting = [0], [0]
    while waiting:  # children become neighbours
        node = waiting.pop()
        if tree.children_left[node] >= 0:
            pair = [int(tree.children_left[node]), int(tree.children_right[node])]
            order += pair
            waiting += pair
    new = {old: k for k, old in enumerate(order)}
    inner = [old for old in order if tree.children_left[old] >= 0]
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    split = np.full(len(order), -1, np.int32)
    split[[new[old] for old in inner]] = np.arange(len(inner))
    depth = np.zeros(len(order), np.int32)
    for old in inner:
        for child in (tree.children_left[old], tree.children_right[old]):
            depth[new[int(child)]] = depth[new[old]] + 1
    nothing = np.zeros(len(inner))
    return NodeTable(
        split=split,
        depth=depth,
        weight=tree.weighted_n_node_samples[order],
        rows=tree.n_node_samples[order],
        risk=(share * tree.impurity)[order],
        value=tree.value[order][:, :, 0],
        split_node=np.array([new[old] for old in inner], np.int32),
        split_kind=np.full(len(inner), SplitKind.NUMERIC, np.uint8),
        split_input=nothing.astype(np.int32),
        split_cut=nothing,
        split_missing_left=nothing.astype(bool),
        split_missing_seen=nothing.astype(bool),
        split_gain=nothing,
        split_left=np.array([new[int(tree.children_left[old])] for old in inner], np.int32),
        set_start=nothing.astype(np.int64),
        set_end=nothing.astype(np.int64),
        categories=np.empty(0, np.int32),
    )


def merge_steps(alphas, *others):
    """Alphas that are equal to ten digits of the largest are one step: its last entry counts."""
    last = np.append(np.diff(alphas) > 1e-10 * alphas.max(), True)
    return [values[last] for values in (alphas, *others)]


def check_path(path, theirs, X, y):
    """Our path against scikit-learn's: alphas, impurities, and the leaves of trees pruned between two alphas."""
    sklearn_path = theirs.cost_complexity_pruning_path(X, y)
    alphas, impurities = merge_steps(sklearn_path.ccp_alphas, sklearn_path.impurities)
    ours, risk, leaves = merge_steps(path.alpha, path.risk, path.leaves)
    assert len(ours) == len(alphas)
    np.testing.assert_allclose(ours, alphas, rtol=0, atol=1e-9 * alphas.max())
    np.testing.assert_allclose(risk, impurities, rtol=0, atol=1e-9 * impurities.max())
    assert leaves[-1] == 1
    between = (alphas[:-1] + alphas[1:]) / 2
    for k in np.unique(np.linspace(0, len(between) - 1, 12).astype(int)):
        pruned = theirs.__class__(**{**theirs.get_params(), "ccp_alpha": between[k]}).fit(X, y)
        assert leaves[k] == pruned.get_n_leaves()


def load_case(name, criterion):
    X, Y = load_dataset(name)
    X = scale_to_single(X)
    y = Y.iloc[:, 0].to_numpy()
    if criterion == "variance":
        return X, y.astype(float), DecisionTreeRegressor(random_state=0)
    labels = y.astype(str) if name == "iris" else to_classes(y.astype(float))
    return X, labels, DecisionTreeClassifier(criterion=criterion, random_state=0)


@pytest.mark.parametrize("limit", [{}, {"min_samples_leaf": 4}, {"max_leaf_nodes": 40}])
@pytest.mark.parametrize(
    ("name", "criterion"),
    [(name, c) for name in ("edm", "jura", "enb", "slump", "wq") for c in ("variance", "gini", "entropy")]
    + [("iris", "gini"), ("iris", "entropy")],
)
def test_path_of_sklearn_trees(name, criterion, limit):
    """scikit-learn's own trees, pruned by us and by it: the same path, whatever ties there were in growing."""
    X, y, theirs = load_case(name, criterion)
    theirs.set_params(**limit).fit(X, y)
    check_path(Prunable.of(from_sklearn(theirs)).path(), theirs, X, y)


@pytest.mark.parametrize("criterion", ["variance", "gini", "entropy"])
def test_path_from_data(criterion):
    """The whole way, growing and pruning, on data without ties."""
    rng = np.random.default_rng(0)
    X = rng.random((400, 3)).astype(np.float32).astype(float)
    y = np.sin(6 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=400)
    limits = {"min_samples_leaf": 12}
    if criterion == "variance":
        ours, theirs = TreeRegressor(max_bins=None, **limits), DecisionTreeRegressor(**limits)
    else:
        y = to_classes(y, 3)
        ours = TreeClassifier(criterion=criterion, max_bins=None, **limits)
        theirs = DecisionTreeClassifier(criterion=criterion, **limits)
    weights = rng.integers(1, 4, 400)
    bunch = ours.cost_complexity_pruning_path(X, y, weights)
    expected = theirs.cost_complexity_pruning_path(X, y, weights)
    alphas, impurities = merge_steps(expected.ccp_alphas, expected.impurities)
    assert len(alphas) > 10
    np.testing.assert_allclose(bunch.ccp_alphas, alphas, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(bunch.impurities, impurities, rtol=1e-9)
    for alpha, leaves in zip(bunch.ccp_alphas, bunch.leaves, strict=True):
        pruned = theirs.set_params(ccp_alpha=alpha * (1 + 1e-9)).fit(X, y, weights)
        assert pruned.get_n_leaves() == leaves
        assert ours.set_params(ccp_alpha=alpha).fit(X, y, weights).get_n_leaves() == leaves


def test_california_path():
    """A tree of thousands of leaves, all of whose subtrees come from one pass."""
    X, Y = load_dataset("california")
    X, y = scale_to_single(X), Y.to_numpy(float)[:, 0]
    theirs = DecisionTreeRegressor(random_state=0, min_samples_leaf=3).fit(X, y)
    path = Prunable.of(from_sklearn(theirs)).path()
    expected = theirs.cost_complexity_pruning_path(X, y)
    alphas, impurities = merge_steps(expected.ccp_alphas, expected.impurities)
    ours, risk, _ = merge_steps(path.alpha, path.risk, path.leaves)
    assert len(ours) == len(alphas) > 2000
    np.testing.assert_allclose(ours, alphas, rtol=0, atol=1e-9 * alphas.max())
    np.testing.assert_allclose(risk, impurities, rtol=1e-9)


# ------------------------------------------------------------------------------------------ brute force, any targets


def list_subtrees(tree, node=0):
    """All ways to prune below a node, each as the set of its leaves."""
    ways = [frozenset([node])]
    if tree.split[node] >= 0:
        left = int(tree.split_left[tree.split[node]])
        ways += [a | b for a in list_subtrees(tree, left) for b in list_subtrees(tree, left + 1)]
    return ways


def draw_tree(seed):
    """A small random tree: numeric, nominal or mixed targets, many of them, nominal and missing inputs."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(20, 60))
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n_rows),
            "b": np.where(rng.random(n_rows) < 0.2, np.nan, rng.integers(0, 5, n_rows)),
            "c": rng.choice(["u", "v", "w", "x"], n_rows),
        }
    )
    numbers = {f"n{t}": X["a"] * rng.normal() + rng.normal(size=n_rows) for t in range(3)}
    labels = {f"l{t}": rng.choice(["p", "q", "r"], n_rows) for t in range(2)}
    limits = {"max_leaf_nodes": int(rng.integers(3, 13))}
    estimator, Y = [
        (TreeRegressor(**limits), numbers),
        (TreeClassifier(**limits), labels),
        (TreeClassifier(criterion="entropy", **limits), labels),
        (MixedTree(**limits), numbers | labels),
        (TreeRegressor(**limits), {"n0": numbers["n0"].round()}),
        (TreeClassifier(**limits), {"l0": labels["l0"]}),
    ][seed % 6]
    return estimator.fit(X, pd.DataFrame(Y), rng.exponential(size=n_rows) if seed % 4 == 0 else None)


@pytest.mark.parametrize("seed", range(60))
def test_pruned_is_smallest_cheapest(seed):
    """At any alpha the pruned tree costs no more than any other subtree, and is the smallest of the cheapest."""
    model = draw_tree(seed)
    tree = model.tree_
    subtrees = list_subtrees(tree)
    risk = np.array([sum(tree.risk[node] for node in leaves) for leaves in subtrees])
    size = np.array([len(leaves) for leaves in subtrees])
    alphas = model.tree_.risk[0] * np.linspace(0, 0.5, 7)
    path = Prunable.of(tree).path()
    between = (path.alpha[:-1] + path.alpha[1:]) / 2
    for alpha in np.concatenate([path.alpha, between, alphas, [10 * path.alpha[-1] + 1]]):
        cost = risk + alpha * size
        cheapest = cost <= cost.min() + 1e-11 * tree.risk[0]
        pruned = model.pruned(float(alpha)).tree_
        assert pruned.risk[pruned.is_leaf].sum() + alpha * pruned.n_leaves <= cost.min() + 1e-11 * tree.risk[0]
        assert pruned.n_leaves == size[cheapest].min()


@pytest.mark.parametrize("seed", range(60))
def test_path_is_the_lower_hull(seed):
    """The path's alphas are the slopes of the lower convex hull of (leaves, risk) over all subtrees: none missing."""
    tree = draw_tree(seed).tree_
    points = {}
    for leaves in list_subtrees(tree):
        points[len(leaves)] = min(points.get(len(leaves), np.inf), sum(tree.risk[node] for node in leaves))
    hull = [(1, points[1])]  # from the root up: the next corner is the one with the steepest way down
    while True:
        k, r = hull[-1]
        slopes = {n: (r - risk) / (n - k) for n, risk in points.items() if n > k}
        if not slopes or max(slopes.values()) <= 1e-11 * tree.risk[0]:
            break
        steepest = max(slopes.values())
        n = max(n for n, slope in slopes.items() if slope >= steepest * (1 - 1e-11))
        hull.append((n, points[n]))
    alphas = [0.0, *[(b[1] - a[1]) / (a[0] - b[0]) for a, b in pairwise(hull)][::-1]]
    path = Prunable.of(tree).path()
    np.testing.assert_array_equal(path.leaves, [n for n, _ in hull][::-1])
    np.testing.assert_allclose(path.alpha, alphas, rtol=1e-9, atol=1e-12 * tree.risk[0])
    np.testing.assert_allclose(path.risk, [r for _, r in hull][::-1], rtol=1e-9, atol=1e-12 * tree.risk[0])


def test_pruned_trees_are_nested():
    """A larger alpha prunes a subtree of the tree of a smaller one; the kept nodes keep their rows and values."""
    model = draw_tree(9)
    alphas = Prunable.of(model.tree_).path().alpha
    assert len(alphas) > 3
    before = model.tree_
    for alpha in alphas:
        after = model.pruned(float(alpha)).tree_
        assert after.n_nodes <= before.n_nodes
        kept = {(rows, *value) for rows, value in zip(before.rows, before.value.tolist(), strict=True)}
        assert {(rows, *value) for rows, value in zip(after.rows, after.value.tolist(), strict=True)} <= kept
        before = after
    assert before.n_leaves == 1


# ------------------------------------------------------------------------------------------ the choice of alpha


def mean_loss(model, X, y, weights, spread):
    """The error the choice goes by: squared error over the training variance, or the share of wrong classes."""
    predicted = model.predict(X)
    columns = [(y, predicted)] if np.ndim(y) == 1 else [(y[:, t], predicted[:, t]) for t in range(y.shape[1])]
    if isinstance(model, TreeClassifier):
        losses = [np.average(truth != guess, weights=weights) for truth, guess in columns]
    else:
        losses = [
            np.average(((truth - guess) / s) ** 2, weights=weights)
            for (truth, guess), s in zip(columns, np.atleast_1d(spread), strict=True)
        ]
    return np.mean(losses)


def draw_whole_numbers(seed, n_rows=120):
    """Inputs of few whole values, with some missing: cuts do not depend on which rows a fold leaves out."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n_rows, 4)).astype(float)
    signal = np.sin(X[:, 0]) + 0.5 * X[:, 1] * (X[:, 2] > 3)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, signal + rng.normal(size=n_rows), rng


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["number", "numbers", "classes", "several classes"])
def test_pruned_by_validation_set(kind, weighted):
    """The subtree with the least validation error, the smallest of equal ones: as found by trying all."""
    X, y, rng = draw_whole_numbers(1, 300)
    if kind == "numbers":
        y = np.column_stack([y, 100 * y + 50 * rng.normal(size=300), rng.normal(size=300)])
    elif kind == "classes":
        y = to_classes(y, 3)
    elif kind == "several classes":
        y = np.column_stack([to_classes(y, 3), to_classes(rng.normal(size=300), 2)])
    weights = rng.integers(1, 4, 150).astype(float) if weighted else np.ones(150)
    estimator = TreeClassifier if "class" in kind else TreeRegressor
    model = estimator(max_bins=None).fit(X[:150], y[:150])
    chosen = model.pruned(X_val=X[150:], y_val=y[150:], sample_weight=weights)
    spread = None if "class" in kind else y[:150].std(axis=0)
    path = Prunable.of(model.tree_).path()
    losses = np.array([mean_loss(model.pruned(a), X[150:], y[150:], weights, spread) for a in path.alpha])
    best = np.flatnonzero(losses <= losses.min() * (1 + 1e-12))[-1]
    assert best > 0
    assert chosen.ccp_alpha_ == path.alpha[best]
    assert chosen.get_n_leaves() == path.leaves[best]


def choose_slowly(losses, rule):
    mean, error = losses.mean(axis=0), losses.std(axis=0, ddof=1) / np.sqrt(len(losses))
    best = np.flatnonzero(mean <= mean.min() * (1 + 1e-12))[-1]
    return np.flatnonzero(mean <= mean[best] + error[best])[-1] if rule == "1se" else best


@pytest.mark.parametrize("rule", ["min", "1se"])
@pytest.mark.parametrize("kind", ["number", "classes", "weights", "limits"])
def test_cross_validation(kind, rule):
    """ccp_alpha="cv": each fold's tree pruned at each alpha of the whole tree, one by one, gives the same choice."""
    X, y, rng = draw_whole_numbers(2)
    weights = rng.integers(1, 4, len(X)).astype(float) if kind == "weights" else np.ones(len(X))
    folds = list(KFold(4, shuffle=True, random_state=0).split(X))
    estimator, limits = TreeRegressor, {"max_bins": None}
    if kind == "classes":
        estimator, y = TreeClassifier, to_classes(y, 3)
        folds = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    if kind == "limits":
        limits |= {"min_impurity_decrease": 0.01, "min_weight_fraction_leaf": 0.02}
    model = estimator(ccp_alpha="cv", ccp_rule=rule, cv=folds, **limits).fit(X, y, weights)
    path = Prunable.of(estimator(**limits).fit(X, y, weights).tree_).path()
    spread = None if kind == "classes" else np.sqrt(np.cov(y, aweights=weights, ddof=0))
    losses = []
    for train, test in folds:
        fold = estimator(**limits).fit(X[train], y[train], weights[train])
        losses.append([mean_loss(fold.pruned(a), X[test], y[test], weights[test], spread) for a in path.alpha])
    losses = np.array(losses)
    best = choose_slowly(losses, rule)
    np.testing.assert_allclose(model.cv_path_.alphas, path.alpha, rtol=1e-12)
    np.testing.assert_allclose(model.cv_path_.mean, losses.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(
        model.cv_path_.standard_error, losses.std(axis=0, ddof=1) / np.sqrt(len(folds)), rtol=1e-9, atol=1e-12
    )
    assert model.ccp_alpha_ == path.alpha[best]
    assert model.get_n_leaves() == path.leaves[best]


def test_cross_validation_many_targets():
    """Several targets: folds see them standardised as in the whole table, which target weights can imitate."""
    X, y, rng = draw_whole_numbers(3)
    Y = np.column_stack([y, 1000 * (y + rng.normal(size=len(y))), rng.exponential(size=len(y))])
    folds = list(KFold(3, shuffle=True, random_state=1).split(X))
    model = TreeRegressor(max_bins=None, ccp_alpha="cv", cv=folds).fit(X, Y)
    path = Prunable.of(TreeRegressor(max_bins=None).fit(X, Y).tree_).path()
    losses = []
    for train, test in folds:
        counts = (Y[train].std(axis=0) / Y.std(axis=0)) ** 2
        fold = TreeRegressor(max_bins=None, target_weights=counts).fit(X[train], Y[train])
        losses.append(
            [mean_loss(fold.pruned(a / counts.mean()), X[test], Y[test], None, Y.std(axis=0)) for a in path.alpha]
        )
    np.testing.assert_allclose(model.cv_path_.mean, np.mean(losses, axis=0), rtol=1e-9)
    best = choose_slowly(np.array(losses), "min")
    assert model.ccp_alpha_ == path.alpha[best]


def test_folds_are_drawn_from_the_random_state():
    """`cv` as a number: the same seed gives the same tree, and stratified folds for one nominal target."""
    X, y, _ = draw_whole_numbers(4)
    labels = to_classes(y, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = (TreeClassifier(ccp_alpha="cv", cv=5, random_state=7).fit(X, labels) for _ in range(2))
    np.testing.assert_array_equal(one.cv_path_.mean, two.cv_path_.mean)
    seed = np.random.RandomState(7).randint(np.iinfo(np.int32).max)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    by_hand = TreeClassifier(ccp_alpha="cv", cv=list(folds.split(X, labels))).fit(X, labels)
    np.testing.assert_array_equal(one.cv_path_.mean, by_hand.cv_path_.mean)
