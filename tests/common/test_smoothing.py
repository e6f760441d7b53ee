"""Smoothed shares of classes: no certainty from few rows, true on average, and never another class."""

import numpy as np
import pandas as pd
import pytest

import glade

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(300, 4)).round(1), columns=list("abcd"))
THREE = np.where(X["b"] > 0.8, "rare", np.where(X["a"] + RNG.normal(size=300) > 0, "up", "down"))
RARE = np.where(RNG.random(300) < 0.05 * np.exp(X["a"]), "yes", "no")
MODELS = {
    "tree": lambda **more: glade.TreeClassifier(**more),
    "small leaves": lambda **more: glade.TreeClassifier(min_samples_leaf=4, **more),
    "forest": lambda **more: glade.ForestClassifier(8, random_state=0, **more),
    "majority": lambda **more: glade.ForestClassifier(8, voting="majority", random_state=0, **more),
    "multi-tree": lambda **more: glade.MultiTreeClassifier(8, random_state=0, **more),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("y", [THREE, RARE], ids=["three", "rare"])
@pytest.mark.parametrize("m", ["m", 5.0])
def test_no_probability_is_0_or_1_and_no_class_changes(name, y, m):
    smooth, plain = (MODELS[name](smoothing=s).fit(X, y) for s in (m, None))
    rows = pd.DataFrame(np.random.default_rng(1).normal(size=(400, 4)), columns=list("abcd"))
    for table in (X, rows):
        shares = smooth.predict_proba(table)
        assert shares.min() > 0
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        np.testing.assert_array_equal(smooth.predict(table), plain.predict(table))
        np.testing.assert_array_equal(smooth.classes_[shares.argmax(axis=1)], smooth.predict(table))
    assert plain.predict_proba(X).min() == 0


def test_a_leaf_has_the_shares_of_its_rows_and_one_of_all():
    tree = glade.TreeClassifier(max_depth=3, min_samples_leaf=10).fit(X, RARE)
    leaves, events = tree.apply(X), RARE == "yes"
    for leaf in np.unique(leaves):
        own = events[leaves == leaf]
        expected = (own.sum() + events.mean()) / (len(own) + 1)
        assert tree.predict_proba(X[leaves == leaf])[0, 1] == pytest.approx(expected)
    assert tree.predict_proba(X)[:, 1].mean() == pytest.approx(events.mean(), abs=0.003)


def test_files_explanations_and_exports_have_the_same(tmp_path):
    for name in MODELS:
        model = MODELS[name]().fit(X, THREE)
        shares = model.predict_proba(X)
        model.save(tmp_path / "m.glade")
        np.testing.assert_array_equal(glade.load(tmp_path / "m.glade").predict_proba(X), shares)
        if name == "multi-tree":
            continue
        told = model.explain(X.head(20)).groupby(["row", "class"])["contribution"].sum().unstack()
        np.testing.assert_allclose(told, shares[:20], atol=1e-12)
        np.testing.assert_allclose(glade.from_json(glade.export(model, "json")).predict_proba(X), shares, atol=1e-12)


def test_out_of_bag_shares_and_more_trees_are_smoothed_once():
    forest = glade.ForestClassifier(20, oob_score=True, warm_start=True, random_state=0).fit(X, RARE)
    assert np.nanmin(forest.oob_prediction_) > 0
    fresh = glade.ForestClassifier(30, oob_score=True, random_state=0).fit(X, RARE)
    forest.set_params(n_estimators=30).fit(X, RARE)
    np.testing.assert_allclose(forest.predict_proba(X), fresh.predict_proba(X), atol=1e-12)
