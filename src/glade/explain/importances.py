"""How much inputs and rules matter, as a picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core import kinds
from glade.core.errors import InputError
from glade.core.names import list_names
from glade.explain.bars import Bars
from glade.explain.sampling import check_model

INPUTS, RULES = "inputs", "rules"
MAX_BARS = 20


def importances(
    model: Any, of: str = INPUTS, *, X: Any = None, target: str | None = None, max_bars: int = MAX_BARS
) -> Bars:
    """The importances of a model's inputs or rules, the greatest first.

    Parameters
    ----------
    model : fitted model
        Of glade.
    of : "inputs" or "rules"
        `feature_importances_` beside `target_importances_`, or a rule ensemble's `rule_importances_`.
    X : table of shape (rows, inputs), optional
        Rows to which the importances of inputs are to be local, such as a single one: how far the terms of a rule
        ensemble are from their mean there, or how much the splits of trees change the prediction.
    target : str, optional
        The target whose importances order and make the bars; all targets together by default.
    max_bars : int
        How many are drawn. The dataframe has all.

    Returns
    -------
    Bars
        With `frame()` and `plot()`.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> tree = glade.TreeRegressor(max_depth=2).fit(penguins[["species", "sex"]], penguins["body_mass_g"])
    >>> glade.importances(tree).frame().round(2)
         input  importance  body_mass_g
    0  species        0.79         0.79
    1      sex        0.21         0.21
    """
    check_model(model)
    table = _list_importances(model, of, X)
    names = model.target_schema_.names
    if target is not None and target not in names:
        raise InputError(f"no such target: the targets are {list_names(names)}")
    column = 1 if target is None else 2 + names.index(target)
    table = table.iloc[np.argsort(-table.iloc[:, column].to_numpy(), kind="stable")].reset_index(drop=True)
    shown = table.head(max_bars)
    amount = shown.iloc[:, column].to_numpy(float)
    where, whose = "" if X is None else " in these rows", "" if target is None else f" for {target}"
    title = f"importance of {of}{where}{whose}"
    unit = "share of the whole" if of == INPUTS else "standard deviations of the target"
    return Bars(table, shown.iloc[:, 0].tolist(), np.zeros(len(amount)), amount, title, unit)


def _of_inputs(model: Any) -> Any:
    return _to_table(model, model.feature_importances_, model.target_importances_.to_numpy())


def _of_inputs_in(model: Any, X: Any) -> Any:
    matrix = model.encode(X)
    if not len(matrix):
        raise InputError("there are 0 rows: give at least one")
    of_target = model.make_explainer().local_importance(matrix, model.target_schema_)
    total = of_target.sum(axis=0)
    share = np.divide(of_target, total, out=np.zeros_like(of_target), where=total > 0)
    return _to_table(model, share.mean(axis=1), share)


def _to_table(model: Any, overall: NDArray[np.float64], of_target: NDArray[np.float64]) -> Any:
    import pandas as pd

    frame = pd.DataFrame({"input": list(model.schema_.names), "importance": overall})
    frame[model.target_schema_.names_beside(frame.columns)] = of_target
    return frame


def _list_importances(model: Any, of: str, X: Any) -> Any:
    """The importances of rules, of inputs, or of inputs in some rows, as a table."""
    if of not in (INPUTS, RULES):
        raise InputError(f"of must be {INPUTS!r} or {RULES!r}, but is {of!r}")
    if of == INPUTS:
        return _of_inputs(model) if X is None else _of_inputs_in(model, X)
    if X is not None:
        raise InputError("importances local to rows are those of inputs; glade.waterfall shows the rules of a row")
    return _of_rules(model)


def _of_rules(model: Any) -> Any:
    if model.kind != kinds.RULES:
        raise InputError(f"a {type(model).__name__} has no weighted rules: ask for its inputs")
    return model.rule_importances_
