"""Groups reach a fit through scikit-learn's tools, by its metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor, compare
from tests.groups.tables import forest, make_rows

X, NUMBERS, _, GROUPS = make_rows()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def tree():
    return TreeRegressor(ccp_alpha="cv", cv=4, random_state=0)


def leaves_by_hand():
    return [
        tree().fit(X[train], NUMBERS[train], groups=GROUPS[train]).get_n_leaves()
        for train, _ in GroupKFold(3).split(X, None, GROUPS)
    ]


def test_cross_validation_routes_groups_to_splitter_and_fit(routing):
    model = tree().set_fit_request(groups=True)
    found = cross_validate(model, X, NUMBERS, cv=GroupKFold(3), params={"groups": GROUPS}, return_estimator=True)
    assert [own.get_n_leaves() for own in found["estimator"]] == leaves_by_hand()


def test_a_pipeline_routes_groups_to_its_last_step(routing):
    model = make_pipeline(FunctionTransformer(), tree().set_fit_request(groups=True))
    found = cross_validate(model, X, NUMBERS, cv=GroupKFold(3), params={"groups": GROUPS}, return_estimator=True)
    assert [own[-1].get_n_leaves() for own in found["estimator"]] == leaves_by_hand()


def test_a_grid_search_routes_groups(routing):
    model = RuleEnsembleRegressor(forest(ForestRegressor), random_state=0).set_fit_request(groups=True)
    search = GridSearchCV(model, {"max_rules": [2, 4]}, cv=GroupKFold(2)).fit(X, NUMBERS, groups=GROUPS)
    alone = model.set_params(**search.best_params_).fit(X, NUMBERS, groups=GROUPS)
    assert np.array_equal(search.predict(X), alone.predict(X))


def test_groups_that_nobody_requested_are_refused_as_scikit_learn_does(routing):
    with pytest.raises(ValueError, match="groups"):
        cross_validate(tree(), X, NUMBERS, params={"groups": GROUPS}, cv=GroupKFold(3), error_score="raise")


def test_without_routing_a_pipeline_takes_groups_by_its_step():
    model = make_pipeline(FunctionTransformer(), tree()).fit(X, NUMBERS, treeregressor__groups=GROUPS)
    assert model[-1].get_n_leaves() == tree().fit(X, NUMBERS, groups=GROUPS).get_n_leaves()


def models_of_a_comparison():
    from sklearn.linear_model import LinearRegression

    return {"tree": tree(), "pipeline": make_pipeline(FunctionTransformer(), tree()), "line": LinearRegression()}


def test_a_comparison_hands_groups_to_the_choices_inside_its_models():
    by_groups, by_rows = (
        compare(models_of_a_comparison(), {"t": parts}, folds=3).frame(["rmse"]).groupby("model")["leaves"].max()
        for parts in ((X, NUMBERS, GROUPS), (X, NUMBERS))
    )
    assert by_groups["tree"] < by_rows["tree"] / 2
    result = compare(models_of_a_comparison(), {"t": (X, NUMBERS, GROUPS)}, folds=3)
    assert result.failures().empty
    said = result.predictions("pipeline"), result.predictions("tree")
    assert np.allclose(said[0]["predicted"], said[1]["predicted"])


def test_a_comparison_with_routing_hands_groups_to_who_requests_them(routing):
    models = models_of_a_comparison()
    models["pipeline"][-1].set_fit_request(groups=True)
    result = compare(models, {"t": (X, NUMBERS, GROUPS)}, folds=3)
    assert result.failures().empty
    assert np.allclose(result.predictions("pipeline")["predicted"], result.predictions("tree")["predicted"])
