"""Predictions as a table, and a model's rules as one: the same form for every kind of model."""

from typing import Any

import numpy as np

from glade.core.errors import InputError

EVERY_ROW = "every row"


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
    import pandas as pd

    if not hasattr(model, "terms_"):
        return model.rules_.to_frame()
    terms, channels = model.terms_, model.target_schema_.channel_names
    design = terms.design
    n_conditions = [*design.rules.n_conditions, *design.soft.rules.n_conditions, *[0] * len(design.linear)]
    share = np.where(design.kind < 2, terms.share / design.unit, np.nan)
    frame = pd.DataFrame({"rule": [EVERY_ROW, *design.words], "conditions": [0, *n_conditions], "share": [1.0, *share]})
    amounts = (
        terms.change * design.unit[:, None]
    )  # where a rule is wholly on, for each unit of an input, as in the text
    for name, column in zip(channels, np.vstack((terms.typical, amounts)).T, strict=True):
        frame[name if name not in frame else f"target {name}"] = column
    return frame


def check_is_readable(model: Any) -> None:
    """A forest has rules too, but not ones that a person reads; nor has a multi-tree."""
    if hasattr(model, "multitree_"):
        raise InputError("a multitree has no short list of rules: fit with --model rules or tree")
    if hasattr(model, "forests_"):
        raise InputError(
            f"a forest of {model.size_.trees:,} trees has no short list of rules: fit with --model rules or tree"
        )
