"""Docstrings of public classes: complete, in agreement with the constructors, and alike within a family."""

import inspect
import re
from ast import literal_eval

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import glade
from glade import load_penguins, metrics

CODES = {
    "PR01": "parameters that are not documented",
    "PR02": "parameters that do not exist",
    "PR04": "parameters without a type",
    "PR07": "parameters without a sentence",
    "RT01": "nothing about the result",
    "RT03": "a result without a sentence",
}
FAMILIES = [
    ("TreeRegressor", "TreeClassifier", "MixedTree"),
    ("ForestRegressor", "ForestClassifier", "MixedForest"),
    ("MultiTreeRegressor", "MultiTreeClassifier"),
    ("RuleEnsembleRegressor", "RuleEnsembleClassifier", "MixedRuleEnsemble"),
    ("RuleFitRegressor", "RuleFitClassifier"),
    ("FIRERegressor",),
    ("SoftRulesRegressor", "SoftRulesClassifier"),
]
OF_FAMILIES = [name for family in FAMILIES for name in family]
DIFFERENT = {
    "criterion",
    "fusion",
    "loss",
    "missing_targets",
    "monotonic_cst",
}  # parameters that mean something else for other targets
ONLY_SOMETIMES = re.compile(r"[Ww]ith `(oob_score|n_estimators=|ccp_alpha=)|if all of them are strings")

PUBLIC = [getattr(glade, name) for name in glade.__all__]
CLASSES = [kind for kind in PUBLIC if inspect.isclass(kind)]
FUNCTIONS = [thing for thing in [*PUBLIC, *vars(metrics).values()] if inspect.isfunction(thing)]


def list_methods(kind):
    """The public methods that are written in this package, by name: scikit-learn documents its own."""
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_") and method.__module__.startswith("glade."):
            yield method


def find_faults(kind):
    """What numpydoc says of a class and of its methods."""
    found = {
        thing.__qualname__: validate(f"{thing.__module__}.{thing.__qualname__}")
        for thing in (kind, *list_methods(kind))
    }
    return [f"{name}: {code} {text}" for name, said in found.items() for code, text in said["errors"] if code in CODES]


def sections_of(name):
    return NumpyDocString(inspect.getdoc(getattr(glade, name)))


def name_path(thing):
    return f"{thing.__module__}.{thing.__qualname__}"


def test_the_functions_of_the_measures_are_among_those_that_are_read():
    assert {name_path(getattr(metrics, name)) for name in metrics.__all__} <= {name_path(f) for f in FUNCTIONS}


@pytest.mark.parametrize("function", FUNCTIONS, ids=name_path)
def test_a_function_describes_its_parameters_and_what_it_returns(function):
    assert find_faults(function) == []


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_describes_its_parameters_and_those_of_its_methods(kind):
    assert find_faults(kind) == []


@pytest.mark.parametrize("name", OF_FAMILIES)
def test_a_docstring_names_the_parameters_in_their_order_with_type_text_and_default(name):
    written = {entry.name: entry for entry in sections_of(name)["Parameters"]}
    parameters = inspect.signature(getattr(glade, name)).parameters
    assert list(written) == list(parameters)
    assert [entry.name for entry in written.values() if not entry.type or not " ".join(entry.desc).strip()] == []
    defaults = {key: entry.type.rsplit("default=", 1)[-1] for key, entry in written.items()}
    assert {key: literal_eval(text) for key, text in defaults.items()} == {
        p.name: p.default for p in parameters.values()
    }


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_a_family_says_the_same_of_the_same_parameter(family):
    first, *others = ({e.name: (e.type, e.desc) for e in sections_of(name)["Parameters"]} for name in family)
    for other in others:
        shared = first.keys() & other.keys() - DIFFERENT
        assert {key: other[key] for key in shared} == {key: first[key] for key in shared}


@pytest.mark.parametrize("name", OF_FAMILIES)
def test_a_fitted_estimator_has_the_attributes_that_its_docstring_lists(name):
    penguins = load_penguins().dropna()
    y = {"Regressor": "body_mass_g", "Classifier": "species"}.get(re.search("Regressor|Classifier|$", name)[0])
    targets = [y] if y else ["species", "body_mass_g"]
    kind = getattr(glade, name)
    quick = {"n_estimators": 2, "n_alternatives": 2, "max_rules": 5}
    settings = {key: value for key, value in quick.items() if key in inspect.signature(kind).parameters}
    model = kind(**settings).fit(penguins.drop(columns=targets), penguins[y] if y else penguins[targets])
    listed = sections_of(name)["Attributes"]
    always = [entry.name for entry in listed if not ONLY_SOMETIMES.search(" ".join(entry.desc))]
    assert len(always) > 8
    assert [attribute for attribute in always if not hasattr(model, attribute)] == []


def test_each_public_class_has_an_example():
    without = [kind.__name__ for kind in CLASSES if not NumpyDocString(inspect.getdoc(kind))["Examples"]]
    assert without == []
