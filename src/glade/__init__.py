"""Accurate models you can read.

A table of any kind becomes coded columns and channels (`data`), these grow into trees (`grow`) and forests
(`ensemble`), trees become rules (`rules`) with weights (`weights`), and estimators that obey scikit-learn wrap the
stages (`models`) and say why they predict what they predict (`explain`). Models are compared on the same folds
(`evaluate`), from Python or from the command line (`cli`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from glade.core.version import __version__

if TYPE_CHECKING:
    from glade import metrics
    from glade.data.penguins import load_penguins
    from glade.evaluate.harness import compare
    from glade.evaluate.interactions import interactions
    from glade.evaluate.stability import stability
    from glade.explain.dependence import dependence
    from glade.explain.importances import importances
    from glade.explain.waterfall import waterfall
    from glade.exports.forms import export
    from glade.exports.model import ExportedModel, from_json
    from glade.models.archetype import archetype
    from glade.models.beam_tree import BeamTreeClassifier, BeamTreeRegressor
    from glade.models.fire import FIRERegressor
    from glade.models.foreign import rules_of
    from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
    from glade.models.multitree import MixedMultiTree, MultiTreeClassifier, MultiTreeRegressor
    from glade.models.rule_list import MixedRuleList, RuleListClassifier, RuleListRegressor
    from glade.models.rulefit import RuleFitClassifier, RuleFitRegressor
    from glade.models.rules import MixedRuleEnsemble, RuleEnsembleClassifier, RuleEnsembleRegressor
    from glade.models.saved.file import load
    from glade.models.score_card import ScoreCardClassifier
    from glade.models.soft_rules import SoftRulesClassifier, SoftRulesRegressor
    from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor
    from glade.report.page import write_report
    from glade.report.quality_display import quality
    from glade.rules.model import RuleModel
    from glade.scale.partitions import Partitions, open_partitions
    from glade.weights.auto import Greedy, Ridge
    from glade.weights.gradient import Gradient
    from glade.weights.lasso import Lasso

__all__ = [
    "BeamTreeClassifier",
    "BeamTreeRegressor",
    "ExportedModel",
    "FIRERegressor",
    "ForestClassifier",
    "ForestRegressor",
    "Gradient",
    "Greedy",
    "Lasso",
    "MixedForest",
    "MixedMultiTree",
    "MixedRuleEnsemble",
    "MixedRuleList",
    "MixedTree",
    "MultiTreeClassifier",
    "MultiTreeRegressor",
    "Partitions",
    "Ridge",
    "RuleEnsembleClassifier",
    "RuleEnsembleRegressor",
    "RuleFitClassifier",
    "RuleFitRegressor",
    "RuleListClassifier",
    "RuleListRegressor",
    "RuleModel",
    "ScoreCardClassifier",
    "SoftRulesClassifier",
    "SoftRulesRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "archetype",
    "compare",
    "dependence",
    "export",
    "from_json",
    "importances",
    "interactions",
    "load",
    "load_penguins",
    "metrics",
    "open_partitions",
    "quality",
    "rules_of",
    "stability",
    "waterfall",
    "write_report",
]

# A name is imported when it is first asked for, so that `glade --help` need not wait for scikit-learn.
_HOMES = {
    "BeamTreeClassifier": "glade.models.beam_tree",
    "BeamTreeRegressor": "glade.models.beam_tree",
    "ExportedModel": "glade.exports.model",
    "FIRERegressor": "glade.models.fire",
    "ForestClassifier": "glade.models.forest",
    "ForestRegressor": "glade.models.forest",
    "Gradient": "glade.weights.gradient",
    "Greedy": "glade.weights.auto",
    "Lasso": "glade.weights.lasso",
    "MixedForest": "glade.models.forest",
    "MixedMultiTree": "glade.models.multitree",
    "MixedRuleEnsemble": "glade.models.rules",
    "MixedRuleList": "glade.models.rule_list",
    "MixedTree": "glade.models.tree",
    "MultiTreeClassifier": "glade.models.multitree",
    "MultiTreeRegressor": "glade.models.multitree",
    "Partitions": "glade.scale.partitions",
    "Ridge": "glade.weights.auto",
    "RuleEnsembleClassifier": "glade.models.rules",
    "RuleEnsembleRegressor": "glade.models.rules",
    "RuleFitClassifier": "glade.models.rulefit",
    "RuleFitRegressor": "glade.models.rulefit",
    "RuleListClassifier": "glade.models.rule_list",
    "RuleListRegressor": "glade.models.rule_list",
    "ScoreCardClassifier": "glade.models.score_card",
    "RuleModel": "glade.rules.model",
    "SoftRulesClassifier": "glade.models.soft_rules",
    "SoftRulesRegressor": "glade.models.soft_rules",
    "TreeClassifier": "glade.models.tree",
    "TreeRegressor": "glade.models.tree",
    "archetype": "glade.models.archetype",
    "compare": "glade.evaluate.harness",
    "dependence": "glade.explain.dependence",
    "export": "glade.exports.forms",
    "from_json": "glade.exports.model",
    "importances": "glade.explain.importances",
    "interactions": "glade.evaluate.interactions",
    "load": "glade.models.saved.file",
    "load_penguins": "glade.data.penguins",
    "quality": "glade.report.quality_display",
    "open_partitions": "glade.scale.partitions",
    "rules_of": "glade.models.foreign",
    "stability": "glade.evaluate.stability",
    "waterfall": "glade.explain.waterfall",
    "write_report": "glade.report.page",
}

# What took the place of names that were public once.
_GONE = {
    "IndicatorEncoder": "glade's estimators take nominal and missing inputs as they are; for models of other libraries"
    " use scikit-learn's OneHotEncoder",
    "complete_rows": "drop incomplete rows with your dataframe library, for example X.dropna(); glade's estimators take"
    " missing inputs and targets as they are",
    "load_dataset": "read tables with your dataframe library and give them to glade.compare as {name: (X, y)}; the data"
    " sets of the published studies are read by the module studies.datasets in glade's repository",
}


def __getattr__(name: str) -> Any:
    if name in _GONE:  # an ImportError, since Python replaces an AttributeError by a sentence of its own in an import
        raise ImportError(f"glade has no {name} since version 0.2.0: {_GONE[name]}")
    if name == "metrics":
        return import_module("glade.metrics")
    if name not in _HOMES:
        raise AttributeError(f"module 'glade' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
