"""What a fit chooses by folds, held-out rows or rows out of bag is judged on whole groups."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, StratifiedGroupKFold

from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MultiTreeRegressor,
    RuleEnsembleRegressor,
    TreeRegressor,
)
from glade.models import folds as inner
from tests.groups.tables import BY_FOLDS, forest, make_both, make_rows, target_of
from tests.rules.tables import hurry

X, NUMBERS, CLASSES, GROUPS = make_rows()
EVERY = pytest.mark.parametrize(("model", "kind"), BY_FOLDS.values(), ids=BY_FOLDS)


SEEN = []  # the groups that a splitter was handed


class Spy(GroupKFold):
    """Remembers what it is asked to split."""

    def split(self, X, y=None, groups=None):
        SEEN.append(None if groups is None else np.asarray(groups))
        return super().split(X, y, groups)


def fit(model, kind, **more):
    """A copy fitted to the target it is for."""
    return clone(model).fit(X, target_of(kind, NUMBERS, CLASSES), **more)


def values(model):
    return model._channel_values(X)


@EVERY
def test_a_splitter_is_handed_the_groups(model, kind):
    SEEN.clear()
    fit(clone(model).set_params(cv=Spy(3)), kind, groups=GROUPS)
    assert [seen.tolist() for seen in SEEN] == [GROUPS.tolist()]


@EVERY
def test_grouped_folds_are_those_of_a_list(model, kind):
    splits = list(GroupKFold(4).split(X, None, GROUPS))
    by_list = fit(clone(model).set_params(cv=splits), kind)
    by_list_and_groups = fit(clone(model).set_params(cv=splits), kind, groups=GROUPS)
    by_splitter = fit(clone(model).set_params(cv=GroupKFold(4)), kind, groups=[f"g{k:02}" for k in GROUPS])
    assert np.array_equal(values(by_list), values(by_list_and_groups))
    assert np.array_equal(values(by_list), values(by_splitter))


@EVERY
def test_a_number_of_folds_and_none_divide_no_group(model, kind, monkeypatch):
    found, real = [], inner.split_folds

    def remember(cv, training, random_state):
        drawn = real(cv, training, random_state)
        found.extend(drawn)
        return drawn

    for module in ("tree_base", "folds"):
        monkeypatch.setattr(f"glade.models.{module}.split_folds", remember)
    for cv in (3, None):
        fit(clone(model).set_params(cv=cv), kind, groups=GROUPS)
    assert len(found) >= 6
    for train, test in found:
        assert len(test)
        assert not set(GROUPS[train]) & set(GROUPS[test])


@EVERY
def test_groups_keep_a_model_from_recognising_them(model, kind):
    """The first input tells the groups apart and nothing else helps: with groups, what is chosen is next to nothing."""
    without, grouped = fit(model, kind), fit(model, kind, groups=GROUPS)
    spread = [np.var(values(one), axis=0).sum() for one in (without, grouped)]
    assert spread[1] < 0.6 * spread[0]


def test_a_pruned_tree_is_large_without_groups_and_small_with_them():
    tree = TreeRegressor(ccp_alpha="cv", random_state=0)
    assert clone(tree).fit(X, NUMBERS).get_n_leaves() >= 20
    assert clone(tree).fit(X, NUMBERS, groups=GROUPS).get_n_leaves() <= 3


def test_the_same_random_state_gives_the_same_grouped_model():
    tree = TreeRegressor(ccp_alpha="cv", cv=3)
    losses = [
        clone(tree).set_params(random_state=seed).fit(X, NUMBERS, groups=GROUPS).cv_path_.mean for seed in (0, 0, 1)
    ]
    assert np.array_equal(losses[0], losses[1])
    assert not np.array_equal(losses[0], losses[2])


@pytest.mark.parametrize("weights", ["auto", "lasso", "gradient"])
def test_a_validation_fraction_is_of_whole_groups(weights, monkeypatch):
    found, real = [], inner.hold_out_share
    monkeypatch.setattr("glade.models.folds.hold_out_share", lambda *given: found.append(real(*given)) or found[-1])
    model = RuleEnsembleRegressor(
        forest(ForestRegressor), weights=hurry(weights), validation_fraction=0.3, random_state=0
    )
    grouped = clone(model).fit(X, NUMBERS, groups=GROUPS)
    ((train, test),) = found
    assert 0.2 < len(test) / len(X) < 0.4
    assert not set(GROUPS[train]) & set(GROUPS[test])
    same = clone(model).set_params(validation_fraction=None, cv=[(train, test)]).fit(X, NUMBERS)
    assert np.array_equal(values(grouped), values(same))


@pytest.mark.parametrize("splitter", [LeaveOneGroupOut(), StratifiedGroupKFold(3)])
def test_splitters_for_groups_work(splitter):
    model, kind = BY_FOLDS["tree of classes"]
    tree = fit(clone(model).set_params(cv=splitter), kind, groups=GROUPS)
    splits = list(splitter.split(X, CLASSES, GROUPS))
    assert np.array_equal(tree.cv_path_.mean, fit(clone(model).set_params(cv=splits), kind).cv_path_.mean)


@EVERY
def test_splits_that_divide_a_group_are_refused_by_its_name(model, kind):
    names = np.array([f"patient {k}" for k in GROUPS])
    first = np.flatnonzero(names == "patient 7")
    divided = [(np.setdiff1d(np.arange(len(X)), first[:2]), first[:2])]
    for cv in (divided, KFold(3)):
        with pytest.raises(ValueError, match=r"split 0 of cv has rows of group 'patient \d+' on both sides: give a"):
            fit(clone(model).set_params(cv=cv), kind, groups=names)
    with pytest.raises(ValueError, match="group 'patient 7' on both sides"):
        fit(clone(model).set_params(cv=divided), kind, groups=names)


@EVERY
def test_groups_that_cannot_be_used_say_what_to_do(model, kind):
    for groups, words in (
        (GROUPS[:-1], "groups has 143 values, X has 144 rows: give each row of X one label"),
        (np.where(np.arange(len(X)) == 9, np.nan, GROUPS), "groups has no value in row 9: give every row a group"),
        (np.full(len(X), "all"), "all 144 rows are of the one group 'all', .*at least two: give more groups, or leave"),
    ):
        with pytest.raises(ValueError, match=words):
            fit(model, kind, groups=groups)
    with pytest.raises(ValueError, match="cv=9 asks for more folds than the 6 groups there are: set cv to at most 6"):
        fit(clone(model).set_params(cv=9), kind, groups=GROUPS % 6)


@EVERY
def test_rows_of_weight_zero_are_dropped_with_their_groups(model, kind):
    """Their groups make no fold, also where they come first."""
    weights = np.ones(len(X))
    weights[np.isin(GROUPS, [GROUPS[0], 5])] = 0.0
    weights[:10] = 0.0
    y, kept = target_of(kind, NUMBERS, CLASSES), weights > 0
    weighted = clone(model).fit(X, y, sample_weight=weights, groups=GROUPS)
    alone = clone(model).fit(X[kept], y[kept], groups=GROUPS[kept])
    assert np.array_equal(values(weighted), values(alone))


@EVERY
def test_a_class_in_a_single_group_and_groups_that_are_classes_can_be_fitted(model, kind):
    if kind == "numbers":
        return
    rare = np.where(GROUPS == 3, "rare", CLASSES)
    model.fit(X, target_of(kind, NUMBERS, rare), groups=GROUPS)
    of_class = pd.factorize(CLASSES)[0] * 2 + (X[:, 1] > 0.5)
    clone(model).set_params(cv=2).fit(X, target_of(kind, NUMBERS, CLASSES), groups=of_class)


FORESTS = [(ForestRegressor, "numbers"), (ForestClassifier, "classes"), (MixedForest, "both")]


@pytest.mark.parametrize(("kind", "target"), FORESTS)
@pytest.mark.parametrize("settings", [{}, {"method": "isle"}, {"per_target": True}], ids=str)
def test_a_row_is_out_of_bag_only_for_trees_that_saw_none_of_its_group(kind, target, settings):
    y = target_of(target, NUMBERS, CLASSES)
    model = kind(6, random_state=0, oob_score=True, **settings)
    training = model._read_training(X, y, None, GROUPS)
    model.seed_ = 0
    for part in model._make_parts(training):
        for number in range(6):
            sample = part.plan.draw(number)
            out = part.plan.sampling.out_of_bag(sample)
            assert 0 < len(out) < len(X)
            assert not set(GROUPS[sample.rows]) & set(GROUPS[out])


@pytest.mark.parametrize(("kind", "target"), FORESTS)
def test_an_out_of_bag_score_is_honest_with_groups(kind, target):
    y = target_of(target, NUMBERS, CLASSES)
    scores = [
        kind(60, max_features=None, oob_score=True, random_state=0).fit(X, y, groups=groups).oob_score_
        for groups in (None, GROUPS)
    ]
    assert scores[0] > 0.8
    assert scores[1] < 0.5


def test_out_of_bag_predictions_are_those_of_trees_that_saw_none_of_the_group():
    model = ForestRegressor(12, oob_score=True, random_state=0).fit(X, NUMBERS, groups=GROUPS)
    twin = clone(model)
    twin.seed_ = model.seed_
    (part,) = twin._make_parts(twin._read_training(X, NUMBERS, None, GROUPS))
    total, count = np.zeros(len(X)), np.zeros(len(X))
    for number, tree in enumerate(model.trees_):
        unseen = ~np.isin(GROUPS, GROUPS[part.plan.draw(number).rows])
        total[unseen] += tree.value[tree.route(X[unseen]), 0]
        count[unseen] += 1
    assert np.allclose(model.oob_prediction_[count > 0], total[count > 0] / count[count > 0])
    assert np.array_equal(np.isnan(model.oob_prediction_), count == 0)


def test_weighing_a_row_and_repeating_it_give_the_same_forest_of_groups():
    twice = np.concatenate([np.arange(len(X)), np.arange(0, len(X), 3)])
    weights = np.bincount(twice).astype(float)
    model = ForestRegressor(5, max_features=None, random_state=0)
    weighted = clone(model).fit(X, NUMBERS, sample_weight=weights, groups=GROUPS)
    repeated = clone(model).fit(X[twice], NUMBERS[twice], groups=GROUPS[twice])
    assert np.allclose(weighted.predict(X), repeated.predict(X))


def test_a_share_of_the_samples_is_a_share_of_the_groups():
    model = ForestRegressor(5, method="isle", max_samples=0.25, random_state=0)
    training = model._read_training(X, NUMBERS, None, GROUPS)
    model.seed_ = 0
    (part,) = model._make_parts(training)
    assert {len(set(GROUPS[part.plan.draw(k).rows])) for k in range(5)} == {6}


@pytest.mark.parametrize(("kind", "target"), FORESTS)
def test_boosting_finds_its_number_of_trees_by_whole_groups(kind, target):
    """Rows of groups that were seen say that every tree helps; those of others, that none does."""
    y = target_of(target, NUMBERS, CLASSES)
    without, grouped = (
        kind("auto", method="boosting", random_state=0).fit(X, y, groups=groups) for groups in (None, GROUPS)
    )
    assert grouped.n_estimators_ < without.n_estimators_ / 2
    assert grouped.validation_curve_.error.min() > 2 * without.validation_curve_.error.min()


def test_a_forest_that_chooses_makes_rules_of_whole_groups():
    generator = ForestRegressor("auto", method="boosting", max_depth=3)
    without, grouped = (
        RuleEnsembleRegressor(generator, random_state=0).fit(X, NUMBERS, groups=groups).generator_.n_estimators_
        for groups in (None, GROUPS)
    )
    assert grouped < without / 2


def test_one_group_is_enough_for_a_forest_that_nothing_judges():
    alone = np.zeros(len(X))
    ForestRegressor(3, random_state=0).fit(X, NUMBERS, groups=alone)
    TreeRegressor().fit(X, NUMBERS, groups=alone)
    for settings, remedy in (
        ({"oob_score": True}, "set oob_score=False, or leave groups out"),
        ({"n_estimators": "auto"}, "set n_estimators to a number, or leave groups out"),
        ({"n_estimators": "auto", "method": "boosting"}, "set n_estimators to a number, or leave groups out"),
    ):
        with pytest.raises(ValueError, match=f"of the one group '?0.0'?, and .* needs at least two: .*{remedy}"):
            ForestRegressor(**settings).fit(X, NUMBERS, groups=alone)


def test_importances_out_of_bag_need_the_groups_of_the_fit():
    model = ForestRegressor(20, max_features=None, random_state=0).fit(X, NUMBERS, groups=GROUPS)
    with pytest.raises(ValueError, match="the forest was fitted with groups: give what it was fitted on"):
        model.oob_permutation_importances(X, NUMBERS)
    grouped = model.oob_permutation_importances(X, NUMBERS, groups=GROUPS, random_state=0)
    plain = ForestRegressor(20, max_features=None, random_state=0).fit(X, NUMBERS)
    alone = plain.oob_permutation_importances(X, NUMBERS, random_state=0)
    assert grouped.iloc[0, 0] < 0.5 * alone.iloc[0, 0]


def test_an_estimator_that_chooses_nothing_takes_no_groups():
    with pytest.raises(TypeError, match="groups"):
        MultiTreeRegressor(2).fit(X, NUMBERS, groups=GROUPS)


def test_a_failed_fit_with_groups_leaves_the_model_as_it_was():
    model = TreeRegressor(ccp_alpha="cv", random_state=0).fit(X, NUMBERS, groups=GROUPS)
    before = model.predict(X)
    with pytest.raises(ValueError, match="more folds than"):
        model.set_params(cv=50).fit(X, NUMBERS, groups=GROUPS)
    assert np.array_equal(model.predict(X), before)


def test_mixed_targets_with_gaps_keep_their_groups():
    y = make_both(NUMBERS, CLASSES)
    y.loc[::5, "number"] = np.nan
    model = MixedForest(30, oob_score=True, per_target=True, max_features=None, random_state=0)
    assert model.fit(X, y, groups=GROUPS).oob_score_ < 0.6
