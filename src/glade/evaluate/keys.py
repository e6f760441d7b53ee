"""A name for each fit of a comparison, made from all that its result depends on.

Equal names mean equal results: the class and parameters of the model, the versions of the packages it comes from, the
data, the fold and the seed. What is not seen is a change of code under the same version: use a new folder then.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from glade.core.errors import InputError
from glade.data.folds import Fold

FORMAT = 1  # of the stored results


def name_fit(description: Any, content: Mapping[str, Any]) -> str:
    """The digest of a model's description and of what it is fitted on."""
    about = {"format": FORMAT, "model": description, **content}
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def digest_rows(fold: Fold) -> str:
    """A name for the training and test rows of a fold."""
    content = hashlib.sha256()
    for rows in fold:
        content.update(np.asarray(rows, dtype=np.int64).tobytes())
        content.update(b"|")
    return content.hexdigest()


def describe(value: Any) -> Any:
    """A model or the value of a parameter as JSON can hold it; equal values have equal descriptions.

    >>> from sklearn.linear_model import Ridge
    >>> describe(Ridge(alpha=2.0))["parameters"]["alpha"]
    2.0
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, BaseEstimator) and not isinstance(value, type):
        return _describe_model(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if isinstance(value, Mapping):
        return {repr(describe(key)): describe(item) for key, item in value.items()}
    return {"type": type(value).__qualname__, "digest": _digest(value)}


def _describe_model(model: BaseEstimator) -> dict[str, Any]:
    kind = type(model)
    package = sys.modules.get(kind.__module__.partition(".")[0])
    return {
        "class": f"{kind.__module__}.{kind.__qualname__}",
        "version": getattr(package, "__version__", None),
        "parameters": {name: describe(value) for name, value in model.get_params(deep=False).items()},
    }


def _digest(value: Any) -> str:
    from joblib import hash as hash_object

    try:
        return str(hash_object(value))
    except Exception as fault:  # pickling fails in many ways
        raise InputError(
            f"the parameter value {value!r} cannot be named in a store ({fault}): define it in a module, or compare"
            " without a store"
        ) from fault
