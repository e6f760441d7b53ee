"""Predictions as a table, and a model's rules as one: the same form for every kind of model."""

from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.kinds import FOREST, MULTITREE, RULES

BEFORE_TARGETS = "share"  # the last column of a frame of terms before those of the targets


def predict_frame(model: Any, X: Any) -> Any:
    """A pandas dataframe with a column for each target, whatever the model gives."""
    import pandas as pd

    predicted = model.predict(X)
    names = list(model.target_schema_.names)
    if isinstance(predicted, np.ndarray):
        return pd.DataFrame(predicted.reshape(len(predicted), len(names)), columns=names)
    frame = predicted if isinstance(predicted, pd.DataFrame) else pd.DataFrame(predicted.to_pandas())
    return frame.set_axis(names, axis=1)


def tabulate_rules(model: Any) -> Any:
    """A row for each rule, with how many rows it covers and what it says of each target.

    For a rule ensemble, what it adds to the prediction, after what every row gets; linear terms are rows too.
    """
    if model.kind != RULES:
        return model.rules_.to_frame()
    terms = model.to_frame()
    frame = terms[["term", "share"]].rename(columns={"term": "rule"})
    frame.insert(1, "conditions", terms["conditions"].map(len))
    of_targets = terms.loc[:, BEFORE_TARGETS:].iloc[:, 1 : 1 + int(model.target_schema_.start[-1])]
    frame[model.target_schema_.columns_beside(frame.columns)] = of_targets.to_numpy()
    return frame


def check_is_readable(model: Any) -> None:
    """A forest has rules too, but not ones that a person reads; nor has a multi-tree."""
    if model.kind == MULTITREE:
        raise InputError("a multitree has no short list of rules: fit with --model rules or tree")
    if model.kind == FOREST:
        raise InputError(
            f"a forest of {model.size_.trees:,} trees has no short list of rules: fit with --model rules or tree"
        )
