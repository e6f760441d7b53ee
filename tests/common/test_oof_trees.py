"""What trees that are pruned by folds say of rows that their folds had no part of."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

import glade
from glade import MixedTree, TreeClassifier, TreeRegressor
from glade.models.held_out import Gathered

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(300, 4)), columns=list("abcd"))
AMOUNT = pd.Series(np.where(X["a"] > 0, 3.0, 0.0) + X["b"] + RANDOM.normal(size=300), name="amount")
KIND = pd.Series(np.select([AMOUNT < 0, AMOUNT < 2], ["low", "mid"], "high"), name="kind")
FOLDS = list(KFold(4, shuffle=True, random_state=0).split(X))


@pytest.fixture(scope="module")
def tree():
    return TreeRegressor(ccp_alpha="cv", cv=FOLDS).fit(X, AMOUNT)


@pytest.mark.parametrize("rule", ["min", "1se"])
def test_each_row_is_predicted_by_the_tree_of_its_fold_pruned_as_the_others_choose(rule):
    """Against trees of the folds, fitted and judged one by one at the alphas of the tree of all rows."""
    leaf = {"min_samples_leaf": 6}  # of fewer rows many splits are as good, and rounding decides
    tree = TreeRegressor(ccp_alpha="cv", ccp_rule=rule, cv=FOLDS, **leaf).fit(X, AMOUNT)
    alphas, expected = tree.cv_path_.alphas, np.empty(300)
    of_folds = [TreeRegressor(**leaf).fit(X.iloc[train], AMOUNT.iloc[train]) for train, _ in FOLDS]
    losses = np.array(
        [
            [np.mean((own.pruned(alpha).predict(X.iloc[test]) - AMOUNT.iloc[test]) ** 2) for alpha in alphas]
            for own, (_, test) in zip(of_folds, FOLDS, strict=True)
        ]
    )
    for k, (_, test) in enumerate(FOLDS):
        others = np.delete(losses, k, axis=0)
        mean, error = others.mean(axis=0), others.std(axis=0, ddof=1) / np.sqrt(3)
        best = np.flatnonzero(mean <= mean.min() * (1 + 1e-12))[-1]
        chosen = best if rule == "min" else np.flatnonzero(mean <= mean[best] + error[best])[-1]
        expected[test] = of_folds[k].pruned(alphas[chosen]).predict(X.iloc[test])
    is_same = np.isclose(tree.oof_prediction_, expected)
    assert is_same.mean() > 0.99  # cuts lie between values of all rows: a row between those of a fold may differ


def test_errors_are_those_of_these_predictions_and_are_saved(tree, tmp_path):
    errors = tree.errors_.set_index("metric")
    assert errors.loc["rmse", "value"] == pytest.approx(np.sqrt(np.mean((tree.oof_prediction_ - AMOUNT) ** 2)))
    assert errors.loc["rmse", "guess"] == pytest.approx(AMOUNT.std(ddof=0))
    tree.save(tmp_path / "tree.glade")
    again = glade.load(tmp_path / "tree.glade")
    np.testing.assert_array_equal(again.oof_prediction_, tree.oof_prediction_)
    pd.testing.assert_frame_equal(again.errors_, tree.errors_)
    np.testing.assert_array_equal(again.predict_interval(X), tree.predict_interval(X))
    tree.save(tmp_path / "small.glade", oof_prediction=False)
    small = glade.load(tmp_path / "small.glade")
    assert not hasattr(small, "oof_prediction_")
    pd.testing.assert_frame_equal(small.errors_, tree.errors_)


def test_shares_of_classes_are_smoothed_and_mixed_targets_are_told():
    classes = TreeClassifier(ccp_alpha="cv", random_state=0).fit(X, KIND)
    np.testing.assert_allclose(classes.oof_prediction_.sum(axis=1), 1.0)
    assert ((classes.oof_prediction_ > 0) & (classes.oof_prediction_ < 1)).all()
    assert not hasattr(classes, "predict_interval")
    error = classes.errors_.set_index("metric").loc["error", "value"]
    said = classes.classes_[classes.oof_prediction_.argmax(axis=1)]
    assert error == pytest.approx(np.mean(said != KIND))
    mixed = MixedTree(ccp_alpha="cv", random_state=0).fit(X, pd.concat([AMOUNT, KIND], axis=1))
    assert list(mixed.oof_prediction_.columns) == ["amount", "kind"]
    assert set(mixed.errors_["target"]) == {"amount", "kind"}


def test_rows_without_weight_are_not_predicted_and_groups_make_errors_wider():
    weights = np.where(np.arange(300) < 20, 0.0, 1.0)
    tree = TreeRegressor(ccp_alpha="cv", random_state=0).fit(X, AMOUNT, sample_weight=weights)
    np.testing.assert_array_equal(np.isnan(tree.oof_prediction_), weights == 0)
    groups = np.repeat(np.arange(30), 10)
    shift = AMOUNT + np.repeat(np.random.default_rng(1).normal(0, 5, 30), 10)
    own, single = (
        TreeRegressor(ccp_alpha="cv", cv=5, random_state=0).fit(X, shift, groups=g).errors_ for g in (groups, None)
    )
    assert own["standard_error"][0] > 1.5 * single["standard_error"][0]


def test_intervals_cover_new_rows(tree):
    random = np.random.default_rng(5)
    new = pd.DataFrame(random.normal(size=(2_000, 4)), columns=list("abcd"))
    truth = np.where(new["a"] > 0, 3.0, 0.0) + new["b"] + random.normal(size=2_000)
    ends = tree.predict_interval(new, 0.8)
    assert ((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean() == pytest.approx(0.8, abs=0.05)


def test_trees_without_folds_and_trees_pruned_further_have_none(tree):
    for other in (TreeRegressor().fit(X, AMOUNT), tree.pruned(tree.ccp_alpha_ * 50)):
        for ask in (lambda m: m.oof_prediction_, lambda m: m.errors_, lambda m: m.predict_interval(X)):
            with pytest.raises(AttributeError, match='ccp_alpha="cv"'):
                ask(other)
    np.testing.assert_array_equal(tree.pruned(0.0).oof_prediction_, tree.oof_prediction_)


def test_rows_that_several_folds_hold_out_have_the_mean():
    gathered = Gathered(3, 1)
    gathered.add(0, (np.array([2]), np.array([0, 1])), np.array([[1.0], [2.0]]))
    gathered.add(1, (np.array([1]), np.array([0, 1])), np.array([[3.0], [9.0]]))  # row 1 was seen
    found = gathered.finish()
    np.testing.assert_array_equal(found.values[:, 0], [2.0, 2.0, np.nan])
    assert found.fold.tolist() == [1, 0, -1]
