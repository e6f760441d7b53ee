"""Which estimator `glade fit` fits, and what it is compared with."""

from dataclasses import dataclass
from typing import Any

from glade.core.errors import InputError
from glade.core.names import list_names

RULES, FIRE, TREE, FOREST, MULTITREE = "rules", "fire", "tree", "forest", "multitree"
MODELS = (RULES, FIRE, TREE, FOREST, MULTITREE)
MAX_RULES = 20
N_TREES = 100


@dataclass(frozen=True)
class Choice:
    """What the user asks for."""

    model: str
    max_rules: int | None
    seed: int
    jobs: int


def make_model(choice: Choice, nominal: list[str], n_targets: int) -> Any:
    """The estimator for targets of which some are nominal; one clear sentence where there is none yet."""
    import glade

    if choice.model in (RULES, FIRE):
        if nominal:
            raise InputError(
                f"rules are for numeric targets so far, and {list_names(nominal)} is nominal: use --model tree or"
                " forest (or --numeric if the values are amounts)"
            )
        kind = glade.RuleEnsembleRegressor if choice.model == RULES else glade.FIRERegressor
        return kind(max_rules=choice.max_rules or MAX_RULES, **_shared(choice), n_jobs=choice.jobs)
    if choice.model in (FOREST, MULTITREE) and choice.max_rules is not None:
        raise InputError(f"--max-rules is for rules and trees: a {choice.model} is as large as it is accurate")
    if choice.model == FOREST:
        return make_forest(choice, nominal, n_targets)
    if choice.model == MULTITREE:
        if 0 < len(nominal) < n_targets:
            raise InputError("a multitree is for numeric or for nominal targets: give one kind, or use --model tree")
        several = glade.MultiTreeClassifier if nominal else glade.MultiTreeRegressor
        return several(**_shared(choice), n_jobs=choice.jobs)
    kind = _pick((glade.TreeRegressor, glade.TreeClassifier, glade.MixedTree), nominal, n_targets)
    return kind(max_leaf_nodes=choice.max_rules, ccp_alpha="cv", ccp_rule="1se", **_shared(choice))


def make_forest(choice: Choice, nominal: list[str], n_targets: int) -> Any:
    """The forest that a readable model is compared with."""
    import glade

    kind = _pick((glade.ForestRegressor, glade.ForestClassifier, glade.MixedForest), nominal, n_targets)
    return kind(N_TREES, **_shared(choice), n_jobs=choice.jobs)


def _shared(choice: Choice) -> dict[str, Any]:
    return {"missing_targets": "ignore", "random_state": choice.seed}


def _pick(kinds: tuple[Any, Any, Any], nominal: list[str], n_targets: int) -> Any:
    """For numbers, for classes, for both."""
    if len(nominal) == n_targets:
        return kinds[1]
    return kinds[2] if nominal else kinds[0]
