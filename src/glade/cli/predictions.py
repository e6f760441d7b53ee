"""Predictions as a table, and a model's rules as one: the same form for every kind of model."""

from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.kinds import FOREST, MULTITREE, RULES


def predict_frame(model: Any, X: Any) -> Any:
    """A pandas dataframe with a column for each target, whatever the model gives."""
    import pandas as pd

    predicted = model.predict(X)
    names = list(model.target_schema_.names)
    if isinstance(predicted, np.ndarray):
        return pd.DataFrame(predicted.reshape(len(predicted), len(names)), columns=names)
    frame = predicted if isinstance(predicted, pd.DataFrame) else pd.DataFrame(predicted.to_pandas())
    return frame.set_axis(names, axis=1)


def add_intervals(predicted: Any, model: Any, X: Any, coverage: float) -> Any:
    """The same with the ends of each target's interval after its prediction."""
    import pandas as pd

    from glade.models.intervals import PredictsIntervals

    if not isinstance(model, PredictsIntervals):
        raise InputError("--interval is for rules and forests that predict numbers: leave it out for this model")
    if "residuals_" not in vars(model):
        raise InputError(
            "this model keeps no predictions of rows that it was fitted without, of which intervals are made: fit it"
            " with --model rules"
        )
    ends = model.predict_interval(X, coverage).reshape(len(predicted), -1, 2)
    columns: dict[str, Any] = {}
    for t, name in enumerate(predicted.columns):
        lower, upper = ends[:, t].T
        columns |= {name: predicted[name], f"{name} lower": lower, f"{name} upper": upper}
    return pd.DataFrame(columns)


def add_probabilities(predicted: Any, model: Any, X: Any) -> Any:
    """The same with the probabilities of the classes of each nominal target after what is predicted of it."""
    import pandas as pd

    schema = model.target_schema_
    if all(classes is None for classes in schema.classes):
        raise InputError("--proba is for nominal targets, and this model predicts numbers: leave it out")
    values, columns = model.predict_values(model.encode(X)), dict[str, Any]()
    for t, (name, classes) in enumerate(zip(schema.names, schema.classes, strict=True)):
        columns |= {own: predicted[own] for own in (name, f"{name} lower", f"{name} upper") if own in predicted}
        if classes is not None:
            shares = values[:, schema.channels_of(t)]
            columns |= {f"{name} = {label}": shares[:, k] for k, label in enumerate(classes)}
    return pd.DataFrame(columns)


def tabulate_rules(model: Any) -> Any:
    """The frame of a model's terms, or of a tree's leaves, in words that name all categories."""
    from glade.rules.wording import EVERY_ROW, list_whole_words, word_rule

    terms = model.to_frame()
    if model.kind == RULES:
        words = [EVERY_ROW, *list_whole_words(model.model_.terms.design)]
    else:
        words = [EVERY_ROW, *(word_rule(model.rules_, i, None) for i in range(len(model.rules_)))]
    return terms.rename(columns={"term": "rule"}).assign(rule=words)


def check_is_readable(model: Any, path: str) -> None:
    """A forest has rules too, but not ones that a person reads; nor has a multi-tree."""
    made = f"make a tree of it with glade archetype {path} TABLE -o tree.glade, or fit with --model rules or tree"
    if model.kind == MULTITREE:
        raise InputError(f"a multitree has no short list of rules: {made}")
    if model.kind == FOREST:
        raise InputError(f"a forest of {model.size_.trees:,} trees has no short list of rules: {made}")
