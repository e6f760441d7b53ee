"""Every estimator, and every parameter of its constructor, is reached from the command line."""

import inspect

import pytest
from sklearn.base import BaseEstimator

import glade as library
from glade.cli.estimators import FAMILIES, MIXED, NONE, NUMBERS, ModelRequest, make_model
from glade.cli.settings import OPTIONS, read_value
from glade.core.errors import InputError
from glade.models.ensemble import ForestEstimator
from glade.weights.solver import Solver
from glade.weights.solvers import SOLVERS

REACHED = [(model, kind, name) for model, family in FAMILIES.items() for kind, name in family.estimators.items()]
NOMINAL = {kind: [] if kind == NUMBERS else ["a"] for kind in (NUMBERS, "nominal", MIXED)}
N_TARGETS = {kind: 2 if kind == MIXED else 1 for kind in NOMINAL}
# A value that each parameter may have, as it is typed.
VALUES = {
    "ccp_alpha": "0.25", "ccp_rule": "min", "class_weight": "balanced", "criterion": "variance", "cv": "3",
    "f_test": "0.125", "features_per_tree": "0.5", "fusion": "sum", "bootstrap": "false", "learning_rate": "0.5",
    "linear_terms": "false", "loss": "huber", "max_bins": "17", "max_conditions": "2", "max_depth": "3",
    "max_features": "0.5", "max_leaf_nodes": "9", "max_nodes": "1234", "max_rules": "7", "max_samples": "0.5",
    "mean_size": "3.5", "method": "bagging", "min_impurity_decrease": "0.001", "min_samples_leaf": "4",
    "min_samples_split": "6", "min_weight_fraction_leaf": "0.01", "missing_targets": "ignore",
    "monotonic_cst": "{'rain': 1}", "n_alternatives": "8", "n_estimators": "6", "nominal_splits": "multiway",
    "on_no_split": "leaf", "oob_score": "true", "per_target": "true", "quantile": "0.25", "random_size": "depth",
    "rules_from": "trees", "soft": "both", "target_weights": "{'a': 2}", "validation_fraction": "0.25",
    "verbose": "true", "voting": "majority", "wake": "gain", "warm_start": "true", "weights": "greedy",
}  # fmt: skip


def list_estimators():
    kinds = [getattr(library, name) for name in library.__all__]
    return [
        kind for kind in kinds if inspect.isclass(kind) and issubclass(kind, BaseEstimator) and hasattr(kind, "fit")
    ]


def make(model, kind, *settings):
    return make_model(ModelRequest(model, seed=3, jobs=2, settings=settings), NOMINAL[kind], N_TARGETS[kind])


def test_every_estimator_is_reached():
    assert {name for _, _, name in REACHED} == {kind.__name__ for kind in list_estimators()}


@pytest.mark.parametrize(("model", "kind", "name"), REACHED, ids=lambda own: own)
def test_every_parameter_is_set(model, kind, name):
    """One by one, and nothing else with it."""
    plain = make(model, kind).get_params(deep=False)
    assert set(plain) == set(inspect.signature(getattr(library, name)).parameters)
    assert type(make(model, kind)).__name__ == name
    for parameter in plain.keys() - {"random_state", "n_jobs", "generator"}:
        text = VALUES.get(parameter, "17")  # a parameter that this test does not know yet
        found = make(model, kind, f"{parameter}={text}").get_params(deep=False)
        assert found[parameter] == read_value(text)
        assert {other for other in plain if repr(found[other]) != repr(plain[other])} <= {parameter}
    if "n_jobs" in plain:
        assert plain["n_jobs"] == 2
    assert plain.get("random_state", 3) == 3
    for parameter, option in OPTIONS.items():
        with pytest.raises(InputError, match=f"give {option}"):
            make(model, kind, f"{parameter}=1")


@pytest.mark.parametrize(("model", "kind", "name"), [own for own in REACHED if "max_rules" in str(FAMILIES[own[0]])])
def test_every_setting_of_the_forest_and_of_the_solver_is_reached(model, kind, name):
    if "generator" not in make(model, kind).get_params(deep=False):
        pytest.skip("its rules come from no forest")
    forest = make("forest", kind)
    for parameter in forest.get_params(deep=False).keys() - {"random_state", "n_jobs"}:
        generator = make(model, kind, f"generator__{parameter}={VALUES.get(parameter, '17')}").generator
        assert isinstance(generator, ForestEstimator)
        assert type(generator) is type(forest)
        assert generator.get_params()[parameter] == read_value(VALUES.get(parameter, "17"))
    for solver in SOLVERS:
        for parameter in SOLVERS[solver]().get_params(deep=False):
            weights = make(model, kind, f"weights={solver}", f"weights__{parameter}=0.5").weights
            assert isinstance(weights, Solver)
            assert weights.get_params()[parameter] == 0.5


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        (["max_dept=3"], "a TreeRegressor has no such setting; do you mean 'max_depth'? it has ccp_alpha, ccp_rule"),
        (["quux=3"], "'quux': a TreeRegressor has no such setting; it has ccp_alpha"),
        (["generator__max_depth=3"], "'generator__max_depth': a TreeRegressor has no such setting"),
        (["max_depth"], "sets nothing: give NAME=VALUE"),
        (["max_depth=3", "max_depth=4"], "gives max_depth twice"),
    ],
)
def test_settings_that_there_are_not(settings, fault):
    with pytest.raises(InputError) as caught:
        make("tree", NUMBERS, *settings)
    assert fault in str(caught.value)


def test_settings_of_parts_that_there_are_not():
    for settings, fault in (
        (
            ["generator__max_dept=3"],
            "'generator__max_dept': a ForestRegressor has no such setting; do you mean 'max_depth'",
        ),
        (["weights__l1=3"], "'weights__l1': a Gradient has no such setting"),
        (["weights=none such", "weights__l1=3"], "no weights 'none such': there are auto, greedy"),
    ):
        with pytest.raises(InputError) as caught:
            make("fire", NUMBERS, *settings)
        assert fault in str(caught.value)


def test_numbers_of_rules():
    assert make_model(ModelRequest("rules"), [], 1).max_rules == 20
    for word, value in (("auto", "auto"), (NONE, None), (7, 7)):
        for model in ("rules", "fire", "rulefit", "soft-rules"):
            assert make_model(ModelRequest(model, max_rules=word), [], 1).max_rules == value
    assert make_model(ModelRequest("tree", max_rules=NONE), [], 1).max_leaf_nodes is None
    with pytest.raises(InputError, match="--max-rules auto is not for a tree: give a number or none"):
        make_model(ModelRequest("tree", max_rules="auto"), [], 1)


def test_numbers_of_conditions():
    assert make_model(ModelRequest("rules"), [], 1).max_conditions == "auto"
    for word, value in (("auto", "auto"), (NONE, None), (2, 2)):
        for model in ("rules", "fire", "rulefit", "soft-rules"):
            assert make_model(ModelRequest(model, max_conditions=word), [], 1).max_conditions == value
    with pytest.raises(InputError, match="--max-conditions is for rules: a forest has none"):
        make_model(ModelRequest("forest", max_conditions=2), [], 1)


def test_a_fit_with_settings(glade, penguins, tmp_path):
    model = tmp_path / "m.glade"
    settings = ["generator__max_depth=2", "generator__n_estimators=5", "linear_terms=false", "weights=lasso"]
    options = [part for own in settings for part in ("--set", own)]
    code, _, err = glade(
        "fit", penguins, "-t", "body_mass_g", "--max-rules", "none", "--max-conditions", 1, "--folds", 0, "-o", model,
        *options,
    )  # fmt: skip
    assert (code, err) == (0, "")
    fitted = library.load(model)
    assert (fitted.max_rules, fitted.linear_terms, fitted.weights) == (None, False, "lasso")
    assert fitted.generator.get_params()["max_depth"] == 2
    assert fitted.max_conditions == 1
    assert fitted.model_.size.conditions == fitted.model_.size.rules
    assert fitted.model_.size.rules > 0
    code, _, err = glade("fit", penguins, "-t", "sex", "--folds", 0, "--set", "cv=many", "-o", tmp_path / "n.glade")
    assert code == 2
    assert "'cv'" in err
    code, _, err = glade("fit", penguins, "-t", "sex", "--max-rules", "few")
    assert (code, "'few' is no number from 1 on, nor auto or none" in err) == (2, True)


TARGETS = {
    NUMBERS: ("-t", "body_mass_g"),
    "nominal": ("-t", "species"),
    "two classes": ("-t", "sex"),
    MIXED: ("-t", "body_mass_g", "-t", "sex"),
}
QUICK = {  # how each model is made small; what is set must be read back from the file
    "rules": ("weights=greedy", "rules_from=leaves", "generator__n_estimators=3", "generator__max_depth=2"),
    "soft-rules": ("max_depth=2", "cv=2", "generator__n_estimators=3", "generator__max_depth=2"),
    "rulefit": ("linear_terms=true", "generator__n_estimators=3", "weights__l1_ratio=0.75"),
    "fire": ("weights__max_iter=50", "generator__n_estimators=3", "rules_from=nodes"),
    "tree": ("min_samples_leaf=20", "nominal_splits=multiway"),
    "forest": ("n_estimators=3", "method=extra_trees", "max_leaf_nodes=5"),
    "multitree": ("n_alternatives=3", "min_samples_leaf=40", "fusion=sum"),
}


@pytest.mark.parametrize(("model", "kind", "name"), REACHED, ids=lambda own: own)
def test_every_estimator_is_fitted_with_settings_saved_and_asked(glade, penguins, tmp_path, model, kind, name):
    path, settings = tmp_path / "m.glade", QUICK.get(model, ())
    options = [
        "--model",
        model,
        "--folds",
        0,
        *TARGETS["two classes" if model == "score-card" else kind],
        *(part for own in settings for part in ("--set", own)),
    ]
    code, _, err = glade("fit", penguins, "-o", path, *options)
    assert (code, err) == (0, "")
    fitted = library.load(path)
    assert type(fitted).__name__ == name
    for own in settings:
        parameter, _, text = own.partition("=")
        assert fitted.get_params()[parameter] == read_value(text)
    code, out, _ = glade("predict", path, penguins)
    assert (code, len(out.splitlines())) == (0, 345)
