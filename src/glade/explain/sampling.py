"""The rows a model is looked at with."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from glade.core.errors import InputError
from glade.core.kinds import KINDS
from glade.core.seeds import draw_seed


def encode_sample(model: Any, X: Any, max_rows: int | None, random_state: Any) -> NDArray[np.float64]:
    """Rows of a table as the model sees them, at most so many of them, in their order."""
    check_model(model)
    rows = model.encode(X)
    if len(rows) == 0:
        raise InputError("there are 0 rows: give some to average over, such as those the model was fitted on")
    if max_rows is None or len(rows) <= max_rows:
        return rows
    drawn = np.random.default_rng(draw_seed(random_state)).choice(len(rows), max_rows, replace=False)
    return np.ascontiguousarray(rows[np.sort(drawn)])


def check_model(model: Any) -> None:
    """Refuse what is no fitted model of glade."""
    if getattr(model, "kind", None) not in KINDS:
        raise InputError(
            f"a {type(model).__name__} cannot be read: give a model of glade, such as glade.archetype(model, X)"
        )
    check_is_fitted(model)
