"""How the groups and the weights of the training rows reach the `fit` of a model."""

from typing import Any

from sklearn import get_config
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

GROUPS, WEIGHTS = "groups", "sample_weight"


def find_fit_parameters(model: Any, groups: Any = None, sample_weight: Any = None) -> dict[str, Any]:
    """Find what `fit` is given besides inputs and targets: groups and weights, where the model takes them.

    A pipeline hands them to its last step. With scikit-learn's metadata routing, pipelines and searches get what some
    part of them requests.

    Parameters
    ----------
    model : estimator
        One of ours or another.
    groups : array or None
        The group of each training row.
    sample_weight : array or None
        The weight of each training row.

    Returns
    -------
    dict
        Keyword arguments for `fit`.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from sklearn.preprocessing import StandardScaler
    >>> from glade import TreeRegressor
    >>> pipeline = Pipeline([("scale", StandardScaler()), ("tree", TreeRegressor())])
    >>> [list(find_fit_parameters(model, [1, 2])) for model in (TreeRegressor(), pipeline, KNeighborsRegressor())]
    [['groups'], ['tree__groups'], []]
    >>> find_fit_parameters(pipeline, sample_weight=[0.5, 1.0])
    {'tree__sample_weight': [0.5, 1.0]}
    """
    given = {GROUPS: groups, WEIGHTS: sample_weight}
    names = {what: name_fit_parameter(model, what) for what, values in given.items() if values is not None}
    return {name: given[what] for what, name in names.items() if name is not None}


def name_fit_parameter(model: Any, what: str) -> str | None:
    """Return the keyword by which the `fit` of a model takes groups or weights; None where it does not."""
    if has_fit_parameter(model, what):
        return what
    if get_config().get("enable_metadata_routing") and hasattr(model, "get_metadata_routing"):
        return what if model.get_metadata_routing().consumes("fit", [what]) else None
    if isinstance(model, Pipeline) and has_fit_parameter(model.steps[-1][1], what):
        return f"{model.steps[-1][0]}__{what}"
    return None
