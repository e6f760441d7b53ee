"""One prediction as a waterfall: from what every row gets, term by term, to what the model says of this row."""

from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name, show_name
from glade.data.frames import to_table
from glade.data.rows import take_rows
from glade.explain.bars import Bars
from glade.explain.sampling import check_model

MAX_BARS = 12


def waterfall(
    model: Any, X: Any, row: int = 0, *, target: str | None = None, label: Any = None, max_bars: int = MAX_BARS
) -> Bars:
    """What the terms add to the prediction of one row, the largest contributions first.

    Parameters
    ----------
    model : fitted model
        Of glade.
    X : table of shape (rows, inputs)
        The rows, of which one is explained.
    row : int
        The position of the row.
    target : str, optional
        The first target by default.
    label : optional
        A class; by default the event of two classes, else the most probable one.
    max_bars : int
        Contributions beyond so many are drawn together as one bar.

    Returns
    -------
    Bars
        With `frame()`, the rows of `model.explain` in the order drawn, and `plot()`.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> tree = glade.TreeRegressor(max_depth=2).fit(X, y)
    >>> glade.waterfall(tree, X, row=0).frame().round()
            term  contribution
    0  every row        4207.0
    1    species        -492.0
    2        sex         296.0
    """
    check_model(model)
    X = to_table(X)
    if not 0 <= row < X.shape[0]:
        raise InputError(f"there is no row {row}: the table has {X.shape[0]} rows, counted from 0")
    frame = model.explain(take_rows(X, np.array([row])))
    return draw_waterfall(frame.assign(row=row), row, target, label, max_bars)


def draw_waterfall(
    frame: Any, row: int = 0, target: str | None = None, label: Any = None, max_bars: int = MAX_BARS
) -> Bars:
    """The same from a frame that `model.explain` gave."""
    if max_bars < 2:
        raise InputError(f"max_bars must be at least 2, but is {max_bars}")
    own = _pick(frame, row, target, label)
    later = own.iloc[1:]
    order = np.argsort(-later["contribution"].abs().to_numpy(), kind="stable")
    table = own.iloc[[0, *(order + 1)]][["term", "contribution"]].reset_index(drop=True)
    names, amounts = _gather(table, max_bars)
    end = np.cumsum(amounts)
    start = np.append(end[0], end[:-1])  # what every row gets is a line, not a bar: the scale need not reach to zero
    first = own.iloc[0]
    what = show_name(first["target"]) + ("" if first["class"] is None else f" = {show_name(first['class'])}")
    if first["class"] is None:
        texts = [f"{amounts[0]:.4g}", *(f"{amount:+.4g}" for amount in amounts[1:])]
        text, axis = f"{end[-1]:.6g}", "the prediction, term by term"
    else:
        texts = [f"{amounts[0]:.1%}", *(f"{100 * amount:+.1f}" for amount in amounts[1:])]
        text, axis = f"{end[-1]:.1%}", "the probability, term by term; steps in points of a hundred"
    start, end = np.append(start, end[0]), np.append(end, end[-1])  # the last bar: all steps in one
    return Bars(
        table, [*names, "the prediction"], start, end, f"row {row}: {what}: {text}", axis, texts=[*texts, text],
        origin=float(end[0]), ends_in_total=True, is_share=first["class"] is not None,
    )  # fmt: skip


def _pick(frame: Any, row: int, target: str | None, label: Any) -> Any:
    """The rows of the frame for one row, target and class."""
    own = frame[frame["row"] == row]
    if own.empty:
        raise InputError(f"the frame has no row {row}")
    target = own["target"].iloc[0] if target is None else target
    own = own[own["target"] == target]
    if own.empty:
        raise InputError(f"no target {quote_name(target)}: the targets are {list_names([*frame['target'].unique()])}")
    if own["class"].iloc[0] is None:
        return own
    if label is None:
        label = own.groupby("class", sort=False)["contribution"].sum().idxmax()
    chosen = own[(own["class"] == label).to_numpy(bool)]
    if chosen.empty:
        raise InputError(f"no class {quote_name(label)}: the classes are {list_names([*own['class'].unique()])}")
    return chosen


def _gather(table: Any, max_bars: int) -> tuple[list[str], Any]:
    """Names and amounts, those beyond `max_bars` together."""
    names, amounts = table["term"].tolist(), table["contribution"].to_numpy()
    if len(names) <= max_bars:
        return names, amounts
    rest = amounts[max_bars - 1 :]
    return [*names[: max_bars - 1], f"{len(rest)} more terms"], np.append(amounts[: max_bars - 1], rest.sum())
