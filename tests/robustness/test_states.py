"""Before, between and after fits (c57): nothing half done, nothing left over."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.robustness.toys import ESTIMATORS, assert_same_tree, fit_quietly, make_inputs, make_target, refusal

X = make_inputs()
Y = make_target(TreeRegressor)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.predict(X),
        lambda model: model.apply(X),
        lambda model: model.decision_path(X),
        lambda model: model.score(X, make_target(type(model))),
        lambda model: model.get_depth(),
        lambda model: model.get_n_leaves(),
        lambda model: model.to_text(),
        lambda model: model.size_,
        lambda model: model.feature_importances_,
        lambda model: model.target_importances_,
        lambda model: model.pruned(1.0),
    ],
)
def test_c57_use_before_fit(estimator, use):
    expected = (
        f"This {estimator.__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this"
        " estimator."
    )
    assert refusal(NotFittedError, use, estimator()) == expected


def test_c57_probabilities_before_fit():
    for use in (TreeClassifier().predict_proba, MixedTree().predict_proba):
        assert "is not fitted yet" in refusal(NotFittedError, use, X)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c57_a_second_fit_forgets_the_first(estimator):
    model = estimator(ccp_alpha="cv", random_state=0).fit(X, make_target(estimator))
    model.set_params(ccp_alpha=0.0)
    table, y = X.to_numpy()[:, :2], make_target(estimator)
    y = np.c_[y, y] if estimator is not MixedTree else y[["label"]]
    model.fit(table, y)
    fresh = estimator(random_state=0).fit(table, y)
    assert vars(model).keys() == vars(fresh).keys()
    assert not hasattr(model, "cv_path_")
    assert not hasattr(model, "feature_names_in_")
    assert (model.n_features_in_, model.n_outputs_) == (2, 1 if estimator is MixedTree else 2)
    assert_same_tree(model, fresh)
    np.testing.assert_array_equal(np.asarray(model.predict(table)), np.asarray(fresh.predict(table)))


def snapshot(model):
    return {name: value if isinstance(value, (int, float, str)) else id(value) for name, value in vars(model).items()}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, RuntimeError])
@pytest.mark.parametrize("stage", ["read_table", "code_inputs", "grow", "choose_alpha"])
def test_c57_an_interrupted_fit_leaves_the_estimator_as_it_was(estimator, fault, stage, monkeypatch):
    y = make_target(estimator)
    unfitted, fitted = estimator(ccp_alpha="cv", random_state=0), estimator(ccp_alpha="cv", random_state=0).fit(X, y)
    before, text = snapshot(fitted), fitted.to_text()
    parameters = vars(unfitted).copy()

    def fail(*args, **named):
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(f"glade.models.{'base' if stage == 'read_table' else 'tree_base'}.{stage}", fail)
        for model in (unfitted, fitted):
            with pytest.raises(fault):
                model.fit(X[["a"]], y)
    assert vars(unfitted) == parameters
    assert snapshot(fitted) == before
    assert fitted.to_text() == text
    np.testing.assert_array_equal(np.asarray(fitted.predict(X)), np.asarray(clone(fitted).fit(X, y).predict(X)))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c57_a_refused_fit_leaves_the_estimator_as_it_was(estimator):
    model = estimator().fit(X, make_target(estimator))
    before = snapshot(model)
    refusal(ValueError, model.fit, X.assign(z=np.inf), make_target(estimator))
    refusal(ValueError, model.fit, X[:5], make_target(estimator))
    assert snapshot(model) == before


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c57_clones_are_unfitted_and_equal(estimator):
    model = estimator(max_depth=2, random_state=0).fit(X, make_target(estimator))
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert "is not fitted yet" in refusal(NotFittedError, copy.predict, X)
    assert_same_tree(copy.fit(X, make_target(estimator)), model)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_c57_pickles(estimator):
    unfitted = pickle.loads(pickle.dumps(estimator(max_depth=2)))
    assert unfitted.get_params() == estimator(max_depth=2).get_params()
    table = X.assign(city=pd.Categorical(["Rome", "Oslo", None] * 10), flag=X["a"] > 0)
    model = fit_quietly(estimator(ccp_alpha="cv", random_state=0), table, make_target(estimator))
    copy = pickle.loads(pickle.dumps(model))
    assert_same_tree(copy, model)
    assert copy.to_text() == model.to_text()
    np.testing.assert_array_equal(np.asarray(copy.predict(table)), np.asarray(model.predict(table)))
    assert copy.score(table, make_target(estimator)) == model.score(table, make_target(estimator))


def test_c57_a_mixed_score_compares_like_with_like():
    model = fit_quietly(MixedTree(), X, make_target(MixedTree))
    y = make_target(MixedTree)
    assert model.score(X, y) == 1.0
    said = refusal(ValueError, model.score, X, y[["label", "number"]])
    assert said == "y has the targets 'label' and 'number', but the model has 'number' and 'label'"
    said = refusal(ValueError, model.score, X, y[["number"]])
    assert said == "y has the targets 'number', but the model has 'number' and 'label'"
    said = refusal(ValueError, model.score, X, y.assign(label=1.0))
    assert said == "target 'label' was nominal in training, and is not now"
    assert fit_quietly(MixedTree(), X, y.to_numpy()).score(X, y) == 1.0  # arrays have no names to compare
