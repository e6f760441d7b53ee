"""The constructors of trees, forests and multi-trees are written out, and do what those of their families do."""

import inspect

import pytest

import glade
from glade.models.ensemble import ForestEstimator
from glade.models.multitree_base import MultiTreeEstimator
from glade.models.tree_base import TreeEstimator

FAMILIES = {
    TreeEstimator: [glade.TreeRegressor, glade.TreeClassifier, glade.MixedTree],
    ForestEstimator: [glade.ForestRegressor, glade.ForestClassifier, glade.MixedForest],
    MultiTreeEstimator: [glade.MultiTreeRegressor, glade.MultiTreeClassifier],
}
OF_NUMBERS = glade.TreeRegressor, glade.MixedTree, glade.ForestRegressor, glade.MixedForest
MEMBERS = [pytest.param(family, kind, id=kind.__name__) for family, kinds in FAMILIES.items() for kind in kinds]


@pytest.mark.parametrize(("family", "kind"), MEMBERS)
def test_a_constructor_is_written_out_with_the_names_and_defaults_of_its_family(family, kind):
    assert "__init__" in vars(kind)
    own, common = (
        {p.name: (p.kind, p.default) for p in inspect.signature(c).parameters.values()} for c in (kind, family)
    )
    deciding = ("event", "threshold") if kind.__name__.startswith("Mixed") else ()
    deciding = ("class_weight", "event", "threshold", "costs") if kind.__name__.endswith("Classifier") else deciding
    for name in ("class_weight", "event", "threshold", "costs"):
        assert own.pop(name, None) == ((inspect.Parameter.KEYWORD_ONLY, None) if name in deciding else None)
    has_costs = family in (TreeEstimator, MultiTreeEstimator) and not kind.__name__.endswith("Regressor")
    assert own.pop("cost_matrix", None) == ((inspect.Parameter.KEYWORD_ONLY, None) if has_costs else None)
    has_estimates = has_costs and family is MultiTreeEstimator
    assert own.pop("m_estimate", None) == ((inspect.Parameter.KEYWORD_ONLY, None) if has_estimates else None)
    is_smooth = kind.__name__.endswith("Classifier") or kind.__name__.startswith("Mixed")
    assert own.pop("smoothing", (None, None))[1] == ("m" if is_smooth else None)
    if kind in OF_NUMBERS:
        assert own.pop("standardise_targets")[1] is True
    if kind is glade.ForestRegressor:  # only numbers have a loss to choose
        assert (own.pop("loss")[1], own.pop("quantile")[1]) == ("squared", 0.5)
    assert own == common


@pytest.mark.parametrize(("family", "kind"), MEMBERS)
def test_a_constructor_keeps_every_parameter_as_it_is_given(family, kind):
    given = {name: object() for name in inspect.signature(kind).parameters}
    assert kind(**given).get_params(deep=False) == given


@pytest.mark.parametrize("name", sorted(name for name in glade.__all__ if hasattr(getattr(glade, name), "fit")))
def test_the_signature_of_a_class_is_that_of_its_constructor(name):
    kind = getattr(glade, name)
    shown = list(inspect.signature(kind).parameters)
    assert shown == list(inspect.signature(kind.__init__).parameters)[1:]
    assert sorted(shown) == sorted(kind._get_param_names())
