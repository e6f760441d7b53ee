"""Constructors of rule ensembles are written out, and every parameter has its text in the class's own docstring."""

import inspect
import re

import pytest

import glade

KINDS = ["RuleEnsembleRegressor", "RuleEnsembleClassifier", "MixedRuleEnsemble", "FIRERegressor"]
KINDS += [f"{family}{task}" for family in ("RuleFit", "SoftRules") for task in ("Regressor", "Classifier")]


@pytest.mark.parametrize("name", KINDS)
def test_every_parameter_is_documented_in_order(name):
    kind = getattr(glade, name)
    section = re.search(r"Parameters\n----------\n(.*?)\n\nAttributes\n----------\n", inspect.getdoc(kind), re.DOTALL)
    documented = re.findall(r"^(\w+) : ", section.group(1), re.MULTILINE)
    assert documented == list(inspect.signature(kind).parameters)


def test_named_settings_are_defaults_that_anyone_can_read():
    defaults = {name: inspect.signature(getattr(glade, name)).parameters for name in KINDS}
    assert defaults["RuleFitRegressor"]["weights"].default == "lasso"
    assert defaults["FIRERegressor"]["rules_from"].default == "leaves"
    assert defaults["SoftRulesClassifier"]["cv"].default == 10
    assert glade.SoftRulesClassifier(max_depth=2).max_depth == 2
    assert glade.RuleFitClassifier(class_weight="balanced").class_weight == "balanced"
