"""Which estimator `glade fit` fits, by what the user asks for and the kinds of the targets, and its yardstick."""

from dataclasses import dataclass, field, replace
from typing import Any

from glade.cli.settings import apply_settings
from glade.core.errors import InputError
from glade.core.kinds import FOREST, MULTITREE, RULES, TREE
from glade.core.names import join_words, list_names

SOFT_RULES, RULEFIT, FIRE, SCORE_CARD = "soft-rules", "rulefit", "fire", "score-card"
RULE_LIST = "rule-list"
BEAM_TREE = "beam-tree"
NUMBERS, CLASSES, MIXED = "numeric", "nominal", "mixed"  # kinds of all targets together
MAX_RULES = 20
N_TREES = 100
BOOSTING = "boosting"  # what the yardstick is called
BOOSTING_AS: dict[str, Any] = {
    "method": "boosting",
    "max_bins": 255,
    "max_depth": None,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 10,
    "max_samples": 0.8,
    "max_features": 0.5,
}
SQUARED, QUANTILE = "squared", "quantile"  # losses
WITH_LOSS = (RULES, RULEFIT, FOREST)
GROUPS_A_FOLD = 2  # at least, in a fold inside a fit: the training rows of an outer fold have fewer groups
WAYS = {"up": 1, "down": -1}  # of predictions, as an input rises
AUTO, NONE = "auto", "none"  # words for --max-rules


@dataclass(frozen=True)
class ModelFamily:
    """One kind of model, by any kinds of targets.

    Parameters
    ----------
    estimators
        For kinds of targets the name of the estimator; there need not be one for all of them.
    size
        The parameter that `--max-rules` sets; none for a model that is as large as it is accurate.
    sizes
        The words that `--max-rules` takes beside a number, with what they stand for.
    default_size
        What it sets where the user says nothing.
    settings
        What the command line sets otherwise than the library.
    """

    estimators: dict[str, str]
    size: str | None = "max_rules"
    sizes: dict[str, Any] = field(default_factory=lambda: {AUTO: AUTO, NONE: None})
    default_size: int | None = MAX_RULES
    settings: dict[str, Any] = field(default_factory=dict)


PRUNED = {"ccp_alpha": "cv", "ccp_rule": "1se"}
FAMILIES = {
    RULES: ModelFamily(
        {NUMBERS: "RuleEnsembleRegressor", CLASSES: "RuleEnsembleClassifier", MIXED: "MixedRuleEnsemble"},
    ),
    SOFT_RULES: ModelFamily({NUMBERS: "SoftRulesRegressor", CLASSES: "SoftRulesClassifier"}),
    RULEFIT: ModelFamily({NUMBERS: "RuleFitRegressor", CLASSES: "RuleFitClassifier"}),
    FIRE: ModelFamily({NUMBERS: "FIRERegressor"}),
    SCORE_CARD: ModelFamily({CLASSES: "ScoreCardClassifier"}, size="max_lines", sizes={}, default_size=None),
    RULE_LIST: ModelFamily(
        {NUMBERS: "RuleListRegressor", CLASSES: "RuleListClassifier", MIXED: "MixedRuleList"}, default_size=None
    ),
    TREE: ModelFamily(
        {NUMBERS: "TreeRegressor", CLASSES: "TreeClassifier", MIXED: "MixedTree"},
        size="max_leaf_nodes",
        sizes={NONE: None},
        default_size=None,
        settings=PRUNED,
    ),
    BEAM_TREE: ModelFamily(
        {NUMBERS: "BeamTreeRegressor", CLASSES: "BeamTreeClassifier"},
        size="max_leaf_nodes",
        sizes={},
        default_size=None,
    ),
    FOREST: ModelFamily({NUMBERS: "ForestRegressor", CLASSES: "ForestClassifier", MIXED: "MixedForest"}, size=None),
    MULTITREE: ModelFamily(
        {NUMBERS: "MultiTreeRegressor", CLASSES: "MultiTreeClassifier", MIXED: "MixedMultiTree"}, size=None
    ),
}
MODELS = tuple(FAMILIES)
RULE_MODELS = RULES, SOFT_RULES, RULEFIT, FIRE, RULE_LIST


@dataclass(frozen=True)
class ModelRequest:
    """What the user asks for."""

    model: str
    max_rules: int | str | None = None  # None: nothing was said
    max_conditions: int | str | None = None
    seed: int | None = None
    jobs: int = 1
    folds: int = 0  # that tell the error
    settings: tuple[str, ...] = ()  # NAME=VALUE
    loss: str = SQUARED
    quantile: float | None = None
    monotone: tuple[str, ...] = ()  # COLUMN=up or COLUMN=down
    events: tuple[str, ...] = ()  # LABEL or TARGET=LABEL
    threshold: float | None = None
    cost: str | None = None  # FALSE_ALARM:MISS


def make_model(choice: ModelRequest, nominal: list[str], n_targets: int) -> Any:
    """The estimator for targets of which some are nominal; one clear sentence where there is none."""
    family = FAMILIES[choice.model]
    _check_loss(choice, nominal)
    kind = _pick(choice.model, nominal, n_targets)
    settings = {**family.settings, **_find_size(family, choice), **_list_loss(choice)}
    if choice.model == FOREST:
        settings["n_estimators"] = N_TREES
    model = kind(**settings)
    if choice.max_conditions is not None:
        _limit_conditions(model, choice)
    if choice.monotone:
        model.set_params(monotonic_cst=_read_monotone(choice, model))
    model.set_params(**_list_shared(model, choice))
    if choice.model in RULE_MODELS and choice.folds and model.max_rules is not None:
        model.set_params(cv=choice.folds)  # one set of folds chooses the size and tells the error
    return apply_settings(model, choice.settings, _pick(FOREST, nominal, n_targets))


def _find_size(family: ModelFamily, choice: ModelRequest) -> dict[str, Any]:
    """What `--max-rules` sets."""
    given = choice.max_rules
    if family.size is None:
        if given is not None:
            raise InputError(f"--max-rules is for rules and trees: a {choice.model} is as large as it is accurate")
        return {}
    if isinstance(given, str) and given not in family.sizes:
        words = join_words(["a number", *family.sizes]).replace(" and ", " or ")
        raise InputError(f"--max-rules {given} is not for a {choice.model}: give {words}")
    if given is None:
        return {} if family.default_size is None else {family.size: family.default_size}
    return {family.size: family.sizes[given] if isinstance(given, str) else given}


def _limit_conditions(model: Any, choice: ModelRequest) -> None:
    """Set what `--max-conditions` asks for."""
    if "max_conditions" not in model.get_params(deep=False):
        raise InputError(f"--max-conditions is for rules: a {choice.model} has none")
    model.set_params(max_conditions=None if choice.max_conditions == NONE else choice.max_conditions)


def make_forest(choice: ModelRequest, nominal: list[str], n_targets: int) -> Any:
    """The forest that a readable model is compared with."""
    own = replace(choice, model=FOREST, max_rules=None, max_conditions=None, settings=())
    return make_model(own, nominal, n_targets)


def make_yardstick(choice: ModelRequest, nominal: list[str], n_targets: int) -> Any:
    """Boosted trees: what a model that nobody reads reaches on the same rows, at little cost."""
    return make_forest(choice, nominal, n_targets).set_params(**BOOSTING_AS)


def _check_loss(choice: ModelRequest, nominal: list[str]) -> None:
    """Raise an error where a loss is asked for that the model, or a target, does not have."""
    if choice.quantile is not None and choice.loss != QUANTILE:
        raise InputError("--quantile says which quantile --loss quantile predicts: give --loss quantile too")
    if choice.loss == SQUARED:
        return
    if choice.model not in WITH_LOSS:
        raise InputError(f"--loss is for --model {' or '.join(WITH_LOSS)}: a {choice.model} has squared errors")
    if nominal:
        raise InputError(
            f"--loss {choice.loss} is for numeric targets, and {list_names(nominal)} is nominal: leave --loss out"
            " (or use --numeric if the values are amounts)"
        )


def _list_loss(choice: ModelRequest) -> dict[str, Any]:
    """The parameters that say which loss numbers have, where it is not the usual one, and what goes with it."""
    if choice.loss == SQUARED:
        return {}
    more = {"method": "boosting"} if choice.model == FOREST else {}
    if choice.loss == QUANTILE and choice.model == RULES:
        more = {"weights": "lasso"}  # the other weights need a curvature
    return {"loss": choice.loss, **more} | ({} if choice.quantile is None else {"quantile": choice.quantile})


def _read_monotone(choice: ModelRequest, model: Any) -> dict[str, int]:
    """Which way predictions may change with which inputs."""
    if "monotonic_cst" not in model.get_params(deep=False):
        raise InputError(f"--monotone is for rules, trees and forests: a {choice.model} cannot be held to it")
    signs = {}
    for given in choice.monotone:
        column, _, way = given.rpartition("=")
        if way not in WAYS or not column:
            raise InputError(f"--monotone {given} is not of the form COLUMN=up or COLUMN=down")
        signs[column] = WAYS[way]
    return signs


def suit_folds(model: Any, n_groups: int | None) -> Any:
    """The model, which chooses its own number of folds where it was to make about as many as there are groups."""
    cv = model.get_params(deep=False).get("cv")
    if n_groups is not None and isinstance(cv, int) and n_groups < GROUPS_A_FOLD * cv:
        model.set_params(cv=None)
    return model


def _list_shared(model: Any, choice: ModelRequest) -> dict[str, Any]:
    """What all models are told that can be told it."""
    shared = {"missing_targets": "ignore", "random_state": choice.seed, "n_jobs": choice.jobs}
    known = model.get_params(deep=False)
    return {name: value for name, value in shared.items() if name in known}


def is_for(model: str, nominal: list[str], n_targets: int) -> bool:
    """Whether a family has an estimator for such targets."""
    return _find_kind(nominal, n_targets) in FAMILIES[model].estimators


def _find_kind(nominal: list[str], n_targets: int) -> str:
    return CLASSES if len(nominal) == n_targets else MIXED if nominal else NUMBERS


def _pick(model: str, nominal: list[str], n_targets: int) -> Any:
    """The class of a family that is for such targets."""
    import glade

    kind, known = _find_kind(nominal, n_targets), FAMILIES[model].estimators
    if kind in known:
        return getattr(glade, known[kind])
    able = " or ".join(other for other in MODELS if is_for(other, nominal, n_targets))
    if kind == MIXED and CLASSES in known and NUMBERS in known:
        raise InputError(f"a {model} is for numeric or for nominal targets: give one kind, or use --model {able}")
    if NUMBERS not in known:
        raise InputError(
            f"--model {model} is for nominal targets: use --model {able} (or --nominal if the values are labels)"
        )
    raise InputError(
        f"--model {model} is for numeric targets, and {list_names(nominal)} is nominal: use --model {able}"
        " (or --numeric if the values are amounts)"
    )
