"""Contributions to the predictions for one row, as a screen shows them."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from glade.cli.predictions import predict_frame
from glade.cli.width import MAX_WORDS, fit_table, wrap
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.report.verdicts import word_share as word_hundredths
from glade.rules.wording import round_to, word_points

TOTAL = "prediction"
DIGITS = 10.0  # the largest amount of a target is shown to three digits


def show_contributions(model: Any, X: Any, contributions: Any, targets: Sequence[int]) -> list[str]:
    """A line for each term, what every row gets first, then the terms, then the prediction; a column for each target.

    Where there is no room for all, the first that there is room for. Of two classes the event is told, of more the one
    that is predicted; their steps are in points of a hundred.
    """
    table, ends = _arrange(model, X, contributions)
    table, ends = table.iloc[:, list(targets)], [ends[t] for t in targets]
    for n_shown in range(table.shape[1], 0, -1):
        lines = _show(table.iloc[:, :n_shown].dropna(how="all"), ends)
        if lines:
            left = table.shape[1] - n_shown
            more = f"{left} more targets: --target NAME shows one of them"
            return [*lines, *(wrap(more, 2) if left else [])]
    return _show(table.iloc[:, :1].dropna(how="all"), ends, anyhow=True)


def _show(table: Any, ends: Sequence[str | None], anyhow: bool = False) -> list[str]:
    """The lines of a table; none where it is too wide. `ends`: the classes that are predicted, None for numbers."""
    units, is_class = (table.abs().max() / DIGITS).to_numpy(), [end is not None for end in ends[: table.shape[1]]]
    rows = [["", *(show_name(name) for name in table.columns)]]
    rows += [
        [term, *_show_amounts(amounts, units, is_class, is_step=k > 0)]
        for k, (term, amounts) in enumerate(zip(table.index, table.to_numpy(), strict=True))
    ]
    last = _show_amounts(table.sum().to_numpy(), units, is_class, is_step=False)
    rows.append([TOTAL, *(own if end is None else f"{own}: {end}" for own, end in zip(last, ends, strict=False))])
    sides = [False, *[True] * table.shape[1]]
    return align_columns(rows, sides, widest=MAX_WORDS) if anyhow else fit_table(rows, sides, 0)


def _arrange(model: Any, X: Any, contributions: Any) -> tuple[Any, list[str | None]]:
    """Terms x targets, NaN where a term changes nothing; and of each nominal target the class that is predicted."""
    import pandas as pd

    columns, ends = {}, list[str | None]()
    targets, predicted = model.target_schema_, predict_frame(model, X).iloc[0]
    for t, (name, classes, value) in enumerate(zip(targets.names, targets.classes, predicted, strict=True)):
        own = contributions[contributions["target"] == name]
        event = targets.events[t]
        ends.append(None if classes is None else show_name(value))
        if classes is not None:
            told = value if event is None else classes[event]
            own, name = own[own["class"] == told], f"{name} = {told}"
        columns[name] = own.set_index("term")["contribution"]
    terms = dict.fromkeys(term for column in columns.values() for term in column.index)
    return pd.DataFrame({name: column.reindex(list(terms)) for name, column in columns.items()}), ends


def _show_amounts(amounts: Any, units: Any, is_class: Sequence[bool], is_step: bool) -> list[str]:
    shown = []
    for x, unit, of_class in zip(amounts, units, is_class, strict=True):
        if np.isnan(x):
            text = ""
        elif of_class:
            text = word_points(float(x)) if is_step else word_hundredths(float(x))
        else:
            text = round_to(float(x), unit)
            text = f"+{text}" if is_step and not text.startswith("-") else text
        shown.append(text)
    return shown


def render_contributions(model: Any, X: Any, contributions: Any, targets: Sequence[int], form: str) -> str:
    """All contributions to the prediction for one row, with every digit: as JSON, or as a table in HTML."""
    from glade.exports.describe import to_plain

    names = [model.target_schema_.names[t] for t in targets]
    own = contributions[contributions["target"].isin(names)].drop(columns="row")
    if form == "html":
        return str(own.to_html(index=False, escape=True, border=0, na_rep=""))
    predicted = predict_frame(model, X).iloc[0]
    records = [
        {name: None if cell is None or cell != cell else to_plain(cell) for name, cell in record.items()}
        for record in own.to_dict("records")
    ]
    said = {name: to_plain(predicted[name]) for name in names}
    return json.dumps({"predicted": said, "contributions": records}, indent=2, ensure_ascii=False)
