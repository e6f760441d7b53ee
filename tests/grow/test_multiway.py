"""Multi-way nominal splits: every category by itself, stored as a chain of binary splits."""

import numpy as np
import pandas as pd
import pytest

from glade import MultiTreeClassifier, TreeClassifier, TreeRegressor, load


def entropy(weights):
    p = weights[weights > 0] / weights.sum()
    return -np.sum(p * np.log2(p))


def sum_up(y, w, classes):
    return np.array([w[y == c].sum() for c in classes])


def gain_ratio_of(x, y, w):
    """The gain of parting all categories, missing values with the heaviest one, and the information of that."""
    classes = np.unique(y)
    known = ~pd.isna(x)
    names = pd.unique(x[known])
    weight = {c: w[known & (x == c)].sum() for c in names}
    heaviest = max(sorted(names), key=lambda c: weight[c])
    part = np.where(known, x, heaviest)
    parts = np.array([w[part == c].sum() for c in names])
    inside = sum(w[part == c].sum() * entropy(sum_up(y[part == c], w[part == c], classes)) for c in names)
    gain = w.sum() * entropy(sum_up(y, w, classes)) - inside
    return gain, gain / w.sum() / entropy(parts)


def make(seed, n=120, gaps=False):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"many": rng.choice(list("abcdefgh"), n), "few": rng.choice(list("xyz"), n)})
    y = np.where(rng.random(n) < 0.7, X["few"].map({"x": "u", "y": "v", "z": "w"}), rng.choice(list("uvw"), n))
    if gaps:
        X.loc[rng.random(n) < 0.1, "few"] = None
    return X, y, rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_root_has_the_best_gain_ratio_of_all_multiway_divisions(seed, gaps):
    X, y, w = make(seed, gaps=gaps)
    tree = TreeClassifier(criterion="gain_ratio", nominal_splits="multiway", max_depth=1).fit(X, y, sample_weight=w)
    found = {name: gain_ratio_of(X[name].to_numpy(object), y, w) for name in X}
    mean_gain = np.mean([gain for gain, _ in found.values()])
    best = max((name for name in X if found[name][0] >= mean_gain * (1 - 1e-12)), key=lambda name: found[name][1])
    stored = tree.tree_
    assert set(stored.split_input) == {list(X).index(best)}
    assert stored.n_leaves == X[best].nunique()
    assert stored.split_gain.sum() * w.sum() == pytest.approx(found[best][0])


def test_each_category_has_a_leaf_and_chains_have_no_depth_of_their_own():
    X, y, _ = make(0)
    tree = TreeClassifier(criterion="entropy", nominal_splits="multiway", max_depth=1, smoothing=None)
    tree.fit(X[["many"]], y)
    leaves = tree.apply(X[["many"]])
    for category in X["many"].unique():
        own = leaves[X["many"] == category]
        assert len(np.unique(own)) == 1
        expected = pd.Series(y[X["many"] == category]).value_counts(normalize=True)
        (row,) = np.unique(tree.predict_proba(X[["many"]][X["many"] == category]), axis=0)
        np.testing.assert_allclose(row, [expected.get(c, 0.0) for c in tree.classes_], atol=1e-12)
    assert len(np.unique(leaves)) == 8


def test_missing_and_unseen_categories_go_with_the_heaviest():
    X, y, _ = make(1)
    X.loc[:30, "few"] = "x"
    tree = TreeClassifier(nominal_splits="multiway", max_depth=1).fit(X[["few"]], y)
    heaviest = X["few"].value_counts().index[0]
    expected = tree.predict_proba(pd.DataFrame({"few": [heaviest]}))
    for value in (None, "never seen"):
        np.testing.assert_array_equal(tree.predict_proba(pd.DataFrame({"few": [value]}, dtype="str")), expected)


def test_a_leaf_too_small_rules_the_division_out():
    X, y, _ = make(2)
    X.loc[0, "few"] = "rare"
    tree = TreeClassifier(nominal_splits="multiway", min_samples_leaf=2).fit(X[["few"]], y)
    assert tree.tree_.n_leaves == 1


def test_two_categories_and_numbers_are_divided_as_ever():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.choice(["no", "yes"], 200)})
    y = X["a"] + (X["b"] == "yes") + rng.normal(size=200) * 0.1
    models = [TreeRegressor(max_leaf_nodes=9, nominal_splits=how).fit(X, y) for how in ("binary", "multiway")]
    np.testing.assert_allclose(models[0].predict(X), models[1].predict(X))


def test_multitrees_divide_so_too():
    X, y, _ = make(4)
    model = MultiTreeClassifier(10, nominal_splits="multiway", criterion="gain_ratio", random_state=0).fit(X, y)
    first = model.first()
    tree = TreeClassifier(criterion="gain_ratio", nominal_splits="multiway").fit(X, y)
    np.testing.assert_allclose(first.predict_proba(X), tree.predict_proba(X))
    assert model.n_solutions_ > 1


@pytest.mark.parametrize("settings", [{}, {"ccp_alpha": "cv", "cv": 3}, {"max_leaf_nodes": 6}, {"max_depth": 1}])
def test_trees_with_chains_are_pruned_and_saved(tmp_path, settings):
    X, y, _ = make(2, n=300)
    X["x"] = np.arange(300.0) % 17
    tree = TreeClassifier(nominal_splits="multiway", random_state=0, **settings).fit(X, y)
    tree.save(tmp_path / "m.glade")
    assert (load(tmp_path / "m.glade").predict_proba(X) == tree.predict_proba(X)).all()
    for alpha in tree.cost_complexity_pruning_path(X, y).ccp_alphas[::5]:
        pruned = tree.pruned(alpha)
        pruned.save(tmp_path / "p.glade")
        assert len(pruned.to_text(max_depth=99).splitlines()) == pruned.size_.nodes + 2
