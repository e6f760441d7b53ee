"""How the groups of the training rows reach the choices that a model makes inside its fit."""

from typing import Any

from sklearn import get_config
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

GROUPS = "groups"


def find_fit_parameters(model: Any, groups: Any) -> dict[str, Any]:
    """What `fit` is given besides inputs and targets: the groups, if there are any and the model takes them.

    A pipeline hands them to its last step. With scikit-learn's metadata routing, pipelines and searches get them if
    some part of them requests groups. The fit of any other model knows nothing of groups.

    Parameters
    ----------
    model
        An estimator, ours or another.
    groups
        The group of each training row, or None.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.preprocessing import StandardScaler
    >>> from glade import TreeRegressor
    >>> pipeline = Pipeline([("scale", StandardScaler()), ("tree", TreeRegressor())])
    >>> [list(find_fit_parameters(model, [1, 2])) for model in (TreeRegressor(), pipeline, Ridge())]
    [['groups'], ['tree__groups'], []]
    """
    if groups is None:
        return {}
    if has_fit_parameter(model, GROUPS):
        return {GROUPS: groups}
    if get_config().get("enable_metadata_routing") and hasattr(model, "get_metadata_routing"):
        return {GROUPS: groups} if model.get_metadata_routing().consumes("fit", [GROUPS]) else {}
    if isinstance(model, Pipeline) and has_fit_parameter(model.steps[-1][1], GROUPS):
        return {f"{model.steps[-1][0]}__{GROUPS}": groups}
    return {}
