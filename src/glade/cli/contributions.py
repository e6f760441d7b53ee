"""Contributions to the predictions for one row, as a screen shows them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from glade.cli.predictions import predict_frame
from glade.cli.width import MAX_WORDS, fit_table, wrap
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.rules.wording import round_to

TOTAL = "sum"
DIGITS = 10.0  # the largest amount of a target is shown to three digits


def show_contributions(model: Any, X: Any, contributions: Any, targets: Sequence[int]) -> list[str]:
    """A line for each term, what every row gets first and then the largest; a column for each of these targets.

    Where there is no room for all, the first that there is room for.
    """
    table = _arrange(model, X, contributions).iloc[:, list(targets)]
    for n_shown in range(table.shape[1], 0, -1):
        lines = _show(table.iloc[:, :n_shown].dropna(how="all"))
        if lines:
            left = table.shape[1] - n_shown
            more = f"{left} more targets: --target NAME shows one of them"
            return [*lines, *(wrap(more, 2) if left else [])]
    return _show(table.iloc[:, :1].dropna(how="all"), anyhow=True)


def _show(table: Any, anyhow: bool = False) -> list[str]:
    """The lines of a table; none where it is too wide."""
    units = table.abs().max() / DIGITS
    offset, others = table.index[0], table.iloc[1:]
    others = others.iloc[np.argsort(-(others.abs() / units).max(axis=1), kind="stable")]
    rows = [
        ["", *(show_name(name) for name in table.columns)],
        [offset, *_show_amounts(table.iloc[0], units)],
        *([term, *_show_amounts(amounts, units, signed=True)] for term, amounts in others.iterrows()),
        [TOTAL, *_show_amounts(table.sum(), units)],
    ]
    sides = [False, *[True] * table.shape[1]]
    return align_columns(rows, sides, widest=MAX_WORDS) if anyhow else fit_table(rows, sides, 0)


def _arrange(model: Any, X: Any, contributions: Any) -> Any:
    """Terms x targets, NaN where a term adds nothing; of a nominal target, what is added to the predicted class."""
    import pandas as pd

    columns = {}
    targets, predicted = model.target_schema_, predict_frame(model, X).iloc[0]
    for name, classes, value in zip(targets.names, targets.classes, predicted, strict=True):
        own = contributions[contributions["target"] == name]
        own = own if classes is None else own[own["class"] == value]
        columns[name if classes is None else f"{name} = {value}"] = own.set_index("term")["contribution"]
    terms = dict.fromkeys(term for column in columns.values() for term in column.index)
    return pd.DataFrame({name: column.reindex(list(terms)) for name, column in columns.items()})


def _show_amounts(amounts: Any, units: Any, signed: bool = False) -> list[str]:
    shown = ["" if np.isnan(x) else round_to(float(x), unit) for x, unit in zip(amounts, units, strict=True)]
    return [f"+{text}" if signed and text and not text.startswith("-") else text for text in shown]
