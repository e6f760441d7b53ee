"""The stored form of fitted estimators: parameters, schemas, and for each family what its fit leaves behind.

Not kept, since a model predicts and explains without them: the forest a rule ensemble came from (`generator_`), which
is far larger than the rules, the out-of-bag predictions of the training rows, and the rows a multi-tree grows on.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import InvalidParameterError

from glade.core.errors import InputError, ModelFileError
from glade.core.names import list_names
from glade.core.notices import warn_user
from glade.core.parameters import check_parameters
from glade.core.plain_values import NotPlainError, to_json
from glade.data.table import Schema
from glade.data.targets import CLASSIFICATION, MIXED, REGRESSION, TargetSchema
from glade.ensemble.multitree import MultiTree
from glade.ensemble.synthetic_rows import Marginals
from glade.models.base import TabularEstimator
from glade.models.beam_tree import BeamTreeClassifier, BeamTreeRegressor
from glade.models.errors import Metric
from glade.models.fire import FIRERegressor
from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
from glade.models.moved_parameters import MOVED
from glade.models.multitree import MixedMultiTree, MultiTreeClassifier, MultiTreeRegressor
from glade.models.rule_list import MixedRuleList, RuleListClassifier, RuleListRegressor
from glade.models.rulefit import RuleFitClassifier, RuleFitRegressor
from glade.models.rules import MixedRuleEnsemble, RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.models.saved import rules, schemas, trees
from glade.models.saved.parts import FilePart, require
from glade.models.saved.values import are_distinct, from_json
from glade.models.score_card import ScoreCardClassifier, SumsOfRows
from glade.models.soft_rules import SoftRulesClassifier, SoftRulesRegressor
from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor
from glade.rules.extract import TREES
from glade.rules.listed import ListedRules, VotingRules
from glade.weights.solvers import SOLVERS

ESTIMATOR, ESTIMATORS = "estimator", "estimators"  # the marks of parameters that are estimators themselves
LIBRARIES = ("numpy", "pandas", "polars", "pyarrow")
CURVES = ("oob_curve_", "validation_curve_")
MARGINALS = ("start", "values", "up_to", "missing", "is_label")
MAX_JOBS = 4096
RESIDUALS = "residuals"  # of rows that were predicted without them
SUMS, OF_SUMS, MOST_POINTS = "sums", ("sums", "rows", "events"), 10**9  # of a score card
METRICS = "metrics"  # of rows that were predicted without them
SMOOTHING = "smoothing"
HELD_OUT = "held_out"  # the predictions of the training rows by models of folds


class StateFormat(NamedTuple):
    """How the fitted state of some estimators is stored and read."""

    store: Callable[[Any], dict[str, Any]]
    read: Callable[[Any, FilePart], None]


def store_estimator(model: TabularEstimator, with_held_out: bool = True) -> dict[str, Any]:
    """A fitted estimator, with or without its predictions of the training rows."""
    if type(model) not in FAMILIES:
        raise InputError(f"a model file holds the models of glade itself, and {type(model).__name__} is none of them")
    check_parameters(model._parameter_constraints, model.get_params(deep=False), type(model).__name__)
    state = FAMILIES[type(model)].store(model)
    if not with_held_out:
        state.pop(HELD_OUT, None)
    content = {
        "model": type(model).__name__,
        "parameters": _store_parameters(model),
        "inputs": schemas.store_schema(model.schema_),
        "targets": schemas.store_targets(model.target_schema_),
        "has_names": model.has_named_inputs,
        "state": state,
    }
    if model.task == MIXED:
        library = model._target_library if model._target_library in LIBRARIES else "pandas"
        content["frames"] = {"library": library, "names": to_json(model._target_names)}
    return content


def read_estimator(part: FilePart) -> TabularEstimator:
    """A fitted estimator, ready to predict."""
    name, parameters = part.value("model", str), part.value("parameters", list)
    model: TabularEstimator = _make(name, move_settings(name, parameters), _read_parameter, BY_NAME)
    model.schema_ = schemas.read_schema(part.part("inputs"))
    model.target_schema_ = schemas.read_target_schema(part.part("targets"))
    model.n_features_in_ = len(model.schema_.names)
    model.n_outputs_ = model.target_schema_.n_targets
    if part.value("has_names", bool):
        model.feature_names_in_ = np.array(model.schema_.names, dtype=object)
    _check_task(model)
    if model.task == CLASSIFICATION:
        model._keep_classes()
    if model.task == MIXED:
        _read_frames(model, part.part("frames"))
    FAMILIES[type(model)].read(model, part.part("state"))
    return model


def _check_task(model: TabularEstimator) -> None:
    """Regressors have numeric targets only, classifiers nominal ones only."""
    is_number = [classes is None for classes in model.target_schema_.classes]
    fits = {REGRESSION: all(is_number), CLASSIFICATION: not any(is_number), MIXED: True}[model.task]
    require(fits, f"its targets are not of the kind that {type(model).__name__} predicts")


def _read_frames(model: Any, part: FilePart) -> None:
    """The library and the names of the dataframes that a mixed estimator predicts."""
    model._target_library = part.value("library", str)
    model._target_names = from_json(part.value("names", list))
    is_name = [isinstance(name, (str, int, float, np.generic)) for name in model._target_names]
    require(model._target_library in LIBRARIES, f"there is no library {model._target_library}")
    is_each_named = len(is_name) == model.n_outputs_ and all(is_name) and are_distinct(model._target_names)
    require(is_each_named, "a target has no name of its own")


def _store_parameters(model: BaseEstimator) -> list[Any]:
    """Names and values; what is no plain value, such as a generator of random numbers, is left out with a warning."""
    kept, left_out = [], []
    for name, value in model.get_params(deep=False).items():
        if name == "n_jobs" and not _is_number_of_jobs(value):
            raise InputError(f"n_jobs={value} is no number of threads that a model file may ask for: set another one")
        try:
            kept.append([name, _store_parameter(value)])
        except NotPlainError:
            left_out.append(name)
    if left_out:
        warn_user(f"the model file does not keep {list_names(left_out)}: the loaded model has the default there")
    return kept


def _store_parameter(value: Any) -> Any:
    if isinstance(value, list) and value and all(type(own) in FAMILIES for own in value):
        return {ESTIMATORS: [_store_parameter(own)[ESTIMATOR] for own in value]}
    if type(value) in PARTS:
        return {ESTIMATOR: [type(value).__name__, _store_parameters(value)]}
    return to_json(value)


def _make(name: str, stored: list[Any], read: Callable[[Any], Any], kinds: dict[str, Any]) -> Any:
    """An estimator that is not fitted yet, or a solver, its parameters checked as a fit would check them."""
    require(name in kinds, f"there is no model {name[:40]!r} in this glade")
    kind = kinds[name]
    pairs = [pair for pair in stored if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)]
    parameters = {key: read(value) for key, value in pairs}
    known = kind._get_param_names()
    if SMOOTHING in known:
        parameters.setdefault(SMOOTHING, None)  # of an older glade: exact shares
    fits = len(pairs) == len(stored) == len(dict(map(tuple, pairs))) and all(key in known for key in parameters)
    require(fits, f"a parameter is not one of {name}")
    try:
        check_parameters(kind._parameter_constraints, parameters, name)
    except InvalidParameterError as fault:
        raise ModelFileError(str(fault)) from None
    n_jobs = parameters.get("n_jobs")
    require(_is_number_of_jobs(n_jobs), f"n_jobs={n_jobs} is no number of threads")
    return kind(**parameters)


def _is_number_of_jobs(n_jobs: Any) -> bool:
    return n_jobs is None or 0 < abs(n_jobs) <= MAX_JOBS


def _read_parameter(stored: Any) -> Any:
    """A plain value, an estimator all of whose parameters are plain, or a list of these."""
    if isinstance(stored, dict) and set(stored) == {ESTIMATORS}:
        require(isinstance(stored[ESTIMATORS], list), "a parameter that is a list of estimators cannot be read")
        return [_read_parameter({ESTIMATOR: own}) for own in stored[ESTIMATORS]]
    if not (isinstance(stored, dict) and set(stored) == {ESTIMATOR}):
        return from_json(stored)
    content = stored[ESTIMATOR]
    is_pair = isinstance(content, list) and list(map(type, content)) == [str, list]
    require(is_pair, "a parameter that is an estimator cannot be read")
    name, parameters = content
    return _make(name, parameters, from_json, PARTS_BY_NAME)


def _store_tree(model: Any) -> dict[str, Any]:
    state = {
        "tree": trees.store_trees(model.tree_),
        "spread": model.spread_,
        "ccp_alpha": float(model.ccp_alpha_),
        **_store_residuals(model),
        **_store_metrics(model),
        **_store_held_out(model),
    }
    return state | ({"choice": trees.store_choice(model.cv_path_)} if "cv_path_" in vars(model) else {})


def _read_tree(model: Any, part: FilePart) -> None:
    model.tree_ = trees.read_tree(part.part("tree"), model.schema_, model.target_schema_)
    model.spread_ = part.numbers("spread", model.n_outputs_)
    model.ccp_alpha_ = part.value("ccp_alpha", float)
    if "choice" in part:
        model.cv_path_ = trees.read_choice(part.part("choice"))
    _read_residuals(model, part)
    _read_metrics(model, part)
    if HELD_OUT in part:
        model.held_out_ = rules.read_held_out(part.part(HELD_OUT), model.target_schema_, 0)


def _store_beam_tree(model: Any) -> dict[str, Any]:
    beam = {str(k): trees.store_trees(tree) for k, tree in enumerate(model.beam_)}
    return {**_store_tree(model), "beam": beam, "n_beam": len(beam)}


def _read_beam_tree(model: Any, part: FilePart) -> None:
    _read_tree(model, part)
    own, n_trees = part.part("beam"), part.value("n_beam", int)
    require(n_trees > 0, "a beam has no trees")
    model.beam_ = tuple(trees.read_tree(own.part(str(k)), model.schema_, model.target_schema_) for k in range(n_trees))


def _store_forest(model: Any) -> dict[str, Any]:
    state: dict[str, Any] = {
        "forests": {str(k): trees.store_forest(forest) for k, forest in enumerate(model.forests_)},
        "per_target": len(model.forests_) > 1,
        "seed": int(model.seed_),
        "n_rows": int(model.n_rows_),
    }
    if "oob_score_" in vars(model):
        state["oob_score"] = np.array([model.oob_score_])  # NaN where every tree has seen every row
    state |= _store_residuals(model) | _store_metrics(model)
    for name in CURVES:
        if name in vars(model):
            curves = getattr(model, name)
            curves = curves if isinstance(curves, list) else [curves]
            state[name] = {str(k): trees.store_curve(curve) for k, curve in enumerate(curves)}
    return state


def _read_forest(model: Any, part: FilePart) -> None:
    groups = _divide(model.target_schema_) if part.value("per_target", bool) else [model.target_schema_]
    forests = part.part("forests")
    model.forests_ = [trees.read_forest(forests.part(str(k)), model.schema_, own) for k, own in enumerate(groups)]
    model.n_estimators_ = max(len(forest.trees) for forest in model.forests_)
    model.seed_, model.n_rows_ = part.value("seed", int), part.value("n_rows", int)
    model.smooth()
    _read_residuals(model, part)
    _read_metrics(model, part)
    if "oob_score" in part:
        model.oob_score_ = float(part.array("oob_score", np.float64, 1)[0])
    for name in CURVES:
        if name in part:
            curves = [trees.read_curve(part.part(name).part(str(k)), own.names) for k, own in enumerate(groups)]
            setattr(model, name, curves[0] if len(curves) == 1 else curves)


def _store_residuals(model: Any) -> dict[str, Any]:
    """What intervals are made of, where the model has it."""
    if "residuals_" not in vars(model):
        return {}
    return {RESIDUALS: {str(t): rules.store_residuals(own) for t, own in enumerate(model.residuals_)}}


def _read_residuals(model: Any, part: FilePart) -> None:
    if RESIDUALS in part:
        require(model.task == REGRESSION, "a model of classes has residuals")
        own = part.part(RESIDUALS)
        model.residuals_ = tuple(rules.read_residuals(own.part(str(t))) for t in range(model.n_outputs_))


def _store_metrics(model: Any) -> dict[str, Any]:
    """How good predictions of rows were that were made without them, where the model has it."""
    if "metrics_" not in vars(model):
        return {}
    own = model.metrics_
    figures = np.array([one[2:] for one in own], np.float64).reshape(-1, 3)
    return {METRICS: {"targets": [one.target for one in own], "names": [one.name for one in own], "figures": figures}}


def _read_metrics(model: Any, part: FilePart) -> None:
    if METRICS not in part:
        return
    own = part.part(METRICS)
    targets, names = own.value("targets", list), own.value("names", list)
    figures = own.array("figures", np.float64, len(names), 3)
    is_place = all(type(t) is int and 0 <= t < model.n_outputs_ for t in targets)
    require(len(targets) == len(names) and is_place, "an error is of a target that there is not")
    require(all(type(name) is str for name in names), "an error has no name")
    model.metrics_ = tuple(map(Metric, targets, names, *figures.T.tolist()))


def _store_held_out(model: Any) -> dict[str, Any]:
    """The predictions of the training rows by models of folds, where the model has them."""
    return {HELD_OUT: rules.store_held_out(model.held_out_)} if "held_out_" in vars(model) else {}


def _store_multitree(model: Any) -> dict[str, Any]:
    return {
        "tree": trees.store_trees(model.multitree_.nodes),
        "marginals": {name: getattr(model.marginals_, name) for name in MARGINALS},
        "spread": model.spread_,
        "seed": int(model.seed_),
        "n_alternatives": int(model.n_alternatives_),
    }


def _read_multitree(model: Any, part: FilePart) -> None:
    found = trees.read_tree(part.part("tree"), model.schema_, model.target_schema_, many_splits=True)
    trees.check_fusion(found)
    model.multitree_ = MultiTree(found, model.target_schema_)
    model.marginals_ = _read_marginals(part.part("marginals"), model.schema_, model.n_features_in_)
    model.spread_ = part.numbers("spread", model.n_outputs_)
    model.seed_, model.n_alternatives_ = part.value("seed", int), part.value("n_alternatives", int)
    require(model.seed_ >= 0, "a seed is negative")


def _read_marginals(part: FilePart, schema: Schema, n_inputs: int) -> Marginals:
    """The distribution of each input: ascending values, shares that rise to 1, labels that there are."""
    values = part.numbers("values", None)
    start, up_to = part.array("start", np.int64, n_inputs + 1), part.numbers("up_to", len(values))
    missing, is_label = part.numbers("missing", n_inputs), part.array("is_label", np.bool_, n_inputs)
    in_order = start[0] == 0 and start[-1] == len(values) and (np.diff(start) >= 0).all()
    require(in_order, "the values of inputs do not follow one another")
    is_first = np.zeros(len(values) + 1, bool)
    is_first[start] = True
    rises = all((is_first[1:-1] | (column[1:] >= column[:-1])).all() for column in (values, up_to))
    require(
        rises and ((up_to >= 0) & (up_to <= trees.MOST_SHARE)).all(), "the values of an input do not ascend to all rows"
    )
    require(((missing >= 0) & (missing <= 1)).all(), "a share of missing values is not between 0 and 1")
    for j, labels in enumerate(schema.labels):
        own = values[start[j] : start[j + 1]]
        is_known = labels is None or ((own >= 0) & (own < len(labels)) & (own == np.floor(own))).all()
        require(bool(is_label[j]) == (labels is not None) and is_known, "an input is drawn from labels it has not")
    return Marginals(start, values, up_to, missing, is_label)


def _divide(targets: TargetSchema) -> list[TargetSchema]:
    """A schema for each target."""
    own = zip(targets.names, targets.classes, targets.decisions_of_all, strict=True)
    return [TargetSchema((name,), (classes,), (decision,)) for name, classes, decision in own]


def _store_rules(model: Any) -> dict[str, Any]:
    return {
        **rules.store_rule_model(model.model_),
        "seed": int(model.seed_),
        **_store_residuals(model),
        **_store_metrics(model),
        **_store_held_out(model),
    }


def _read_rules(model: Any, part: FilePart) -> None:
    of_whole_trees = model.rules_from == TREES
    model.model_ = rules.read_rule_model(part, model.schema_, model.target_schema_, of_whole_trees)
    _read_residuals(model, part)
    _read_metrics(model, part)
    if HELD_OUT in part:
        model.held_out_ = rules.read_held_out(part.part(HELD_OUT), model.target_schema_, len(model.model_.terms))
    model.seed_ = part.value("seed", int)


def _read_rule_list(model: Any, part: FilePart) -> None:
    _read_rules(model, part)
    hard, *others = model.model_.measured.design.blocks
    is_list = len(hard) == 0 and [type(block) for block in others] == [ListedRules if model.ordered else VotingRules]
    require(is_list, "the rules of a list are not of the kind that it says")


def _store_score_card(model: Any) -> dict[str, Any]:
    sums = model.sums_
    return {**_store_rules(model), SUMS: {name: getattr(sums, name) for name in (*OF_SUMS, "event")}}


def _read_score_card(model: Any, part: FilePart) -> None:
    _read_rules(model, part)
    require(model.n_outputs_ == 1 and len(model.classes_) == 2, "a score card is not for one target of two classes")
    own = part.part(SUMS)
    event, sums = own.value("event", int), own.array("sums", np.int64, None)
    rows, events = (own.numbers(name, len(sums)) for name in OF_SUMS[1:])
    require(event in (0, 1), "a score card is for a class that there is not")
    require((np.diff(sums) > 0).all() and (np.abs(sums) <= MOST_POINTS).all(), "the sums of a score card do not rise")
    require(((rows > 0) & (events >= 0) & (events <= rows)).all(), "the rows of a score card's sum are no count")
    model.sums_ = SumsOfRows(event, sums, rows, events)
    require(model.holds_sums, "the sums of a score card are not those of its points")


RULE_ENSEMBLES = (
    *(RuleEnsembleRegressor, RuleEnsembleClassifier, MixedRuleEnsemble),
    *(FIRERegressor, RuleFitRegressor, RuleFitClassifier, SoftRulesRegressor, SoftRulesClassifier),
)
FAMILIES: dict[type[TabularEstimator], StateFormat] = {
    **dict.fromkeys((TreeRegressor, TreeClassifier, MixedTree), StateFormat(_store_tree, _read_tree)),
    **dict.fromkeys((BeamTreeRegressor, BeamTreeClassifier), StateFormat(_store_beam_tree, _read_beam_tree)),
    **dict.fromkeys((ForestRegressor, ForestClassifier, MixedForest), StateFormat(_store_forest, _read_forest)),
    **dict.fromkeys(
        (MultiTreeRegressor, MultiTreeClassifier, MixedMultiTree), StateFormat(_store_multitree, _read_multitree)
    ),
    **dict.fromkeys(RULE_ENSEMBLES, StateFormat(_store_rules, _read_rules)),
    **dict.fromkeys((RuleListRegressor, RuleListClassifier, MixedRuleList), StateFormat(_store_rules, _read_rule_list)),
    ScoreCardClassifier: StateFormat(_store_score_card, _read_score_card),
}
BY_NAME = {kind.__name__: kind for kind in FAMILIES}
PARTS: set[type[Any]] = {*FAMILIES, *SOLVERS.values()}  # what may be a parameter of an estimator
PARTS_BY_NAME = {kind.__name__: kind for kind in PARTS}
OF_RULE_ENSEMBLES = {kind.__name__ for kind in RULE_ENSEMBLES}


def move_settings(name: str, stored: list[Any]) -> list[Any]:
    """The parameters of a rule ensemble of glade 0.1, what are now settings of its solver among these."""
    pairs = [pair for pair in stored if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)]
    moved = [pair for pair in pairs if pair[0] in MOVED]
    if name not in OF_RULE_ENSEMBLES or not moved or len(pairs) != len(stored):
        return stored
    given = dict(pairs)
    solver = SOLVERS.get(given["weights"]) if isinstance(given.get("weights"), str) else None
    require(solver is not None, "a rule ensemble has no way to find weights")
    settings = [pair for pair in moved if pair[0] in solver._get_param_names()]  # type: ignore[union-attr]
    kept = [pair for pair in pairs if pair[0] not in MOVED and pair[0] != "weights"]
    defaults = solver().get_params()  # type: ignore[misc]
    if all(defaults[key] == value for key, value in settings):
        return [*kept, ["weights", given["weights"]]]
    return [*kept, ["weights", {ESTIMATOR: [solver.__name__, settings]}]]  # type: ignore[union-attr]
