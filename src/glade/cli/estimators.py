"""Which estimator `glade fit` fits, by what the user asks for and the kinds of the targets, and its rival."""

from dataclasses import dataclass
from typing import Any

from glade.core.errors import InputError
from glade.core.kinds import FOREST, MULTITREE, RULES, TREE
from glade.core.names import list_names

SOFT_RULES, RULEFIT, FIRE = "soft-rules", "rulefit", "fire"
NUMBERS, CLASSES, MIXED = range(3)
# For numbers, for classes, for both; None where there is none.
FAMILIES: dict[str, tuple[str | None, str | None, str | None]] = {
    RULES: ("RuleEnsembleRegressor", "RuleEnsembleClassifier", "MixedRuleEnsemble"),
    SOFT_RULES: ("SoftRulesRegressor", "SoftRulesClassifier", None),
    RULEFIT: ("RuleFitRegressor", "RuleFitClassifier", None),
    FIRE: ("FIRERegressor", None, None),
    TREE: ("TreeRegressor", "TreeClassifier", "MixedTree"),
    FOREST: ("ForestRegressor", "ForestClassifier", "MixedForest"),
    MULTITREE: ("MultiTreeRegressor", "MultiTreeClassifier", None),
}
MODELS = tuple(FAMILIES)
MAX_RULES = 20
N_TREES = 100
SQUARED, QUANTILE = "squared", "quantile"  # losses
WITH_LOSS = (RULES, RULEFIT, FOREST)
GROUPS_A_FOLD = 2  # at least, in a fold inside a fit: the training rows of an outer fold have fewer groups


@dataclass(frozen=True)
class Choice:
    """What the user asks for."""

    model: str
    max_rules: int | None = None
    seed: int | None = None
    jobs: int = 1
    loss: str = SQUARED
    quantile: float | None = None


def make_model(choice: Choice, nominal: list[str], n_targets: int) -> Any:
    """The estimator for targets of which some are nominal; one clear sentence where there is none."""
    if choice.model in (FOREST, MULTITREE) and choice.max_rules is not None:
        raise InputError(f"--max-rules is for rules and trees: a {choice.model} is as large as it is accurate")
    _check_loss(choice, nominal)
    if choice.model == FOREST:
        return make_forest(choice, nominal, n_targets)
    kind = _pick(choice.model, nominal, n_targets)
    if choice.model == MULTITREE:
        return kind(**_shared(choice), n_jobs=choice.jobs)
    if choice.model == TREE:
        return kind(max_leaf_nodes=choice.max_rules, ccp_alpha="cv", ccp_rule="1se", **_shared(choice))
    loss = _list_loss(choice)
    if loss and choice.model == RULES:
        loss["weights"] = "lasso"
    return kind(max_rules=choice.max_rules or MAX_RULES, **loss, **_shared(choice), n_jobs=choice.jobs)


def make_forest(choice: Choice, nominal: list[str], n_targets: int) -> Any:
    """The forest that a readable model is compared with."""
    loss = _list_loss(choice)
    if loss:
        loss["method"] = "boosting"
    return _pick(FOREST, nominal, n_targets)(N_TREES, **loss, **_shared(choice), n_jobs=choice.jobs)


def _check_loss(choice: Choice, nominal: list[str]) -> None:
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


def _list_loss(choice: Choice) -> dict[str, Any]:
    """The parameters that say which loss numbers have, where it is not the usual one."""
    if choice.loss == SQUARED:
        return {}
    return {"loss": choice.loss} | ({} if choice.quantile is None else {"quantile": choice.quantile})


def suit_folds(model: Any, n_groups: int | None) -> Any:
    """The model, which chooses its own number of folds where it was to make about as many as there are groups."""
    cv = model.get_params(deep=False).get("cv")
    if n_groups is not None and isinstance(cv, int) and n_groups < GROUPS_A_FOLD * cv:
        model.set_params(cv=None)
    return model


def _shared(choice: Choice) -> dict[str, Any]:
    return {"missing_targets": "ignore", "random_state": choice.seed}


def is_for(model: str, nominal: list[str], n_targets: int) -> bool:
    """Whether a family has an estimator for such targets."""
    return FAMILIES[model][_find_kind(nominal, n_targets)] is not None


def _find_kind(nominal: list[str], n_targets: int) -> int:
    return CLASSES if len(nominal) == n_targets else MIXED if nominal else NUMBERS


def _pick(model: str, nominal: list[str], n_targets: int) -> Any:
    """The class of a family that is for such targets."""
    import glade

    kind = _find_kind(nominal, n_targets)
    name = FAMILIES[model][kind]
    if name is not None:
        return getattr(glade, name)
    able = " or ".join(other for other in MODELS if is_for(other, nominal, n_targets))
    if kind == MIXED and FAMILIES[model][CLASSES] is not None:
        raise InputError(f"a {model} is for numeric or for nominal targets: give one kind, or use --model {able}")
    raise InputError(
        f"--model {model} is for numeric targets, and {list_names(nominal)} is nominal: use --model {able}"
        " (or --numeric if the values are amounts)"
    )
