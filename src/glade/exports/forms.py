"""The forms of export there are, and `export`, which writes a model in one of them."""

from collections.abc import Callable
from typing import Any

from glade.core.errors import InputError
from glade.exports.describe import describe_model
from glade.exports.json import write_json
from glade.exports.latex import write_latex
from glade.exports.onnx import write_onnx
from glade.exports.python import write_python
from glade.exports.sql import write_sql

FORMS: dict[str, Callable[..., str | bytes]] = {
    "json": write_json,
    "onnx": write_onnx,
    "python": write_python,
    "sql": write_sql,
}
PAGES: dict[str, Callable[[Any], str]] = {"latex": write_latex}  # for people: they take the model itself


def export(model: Any, to: str, **settings: Any) -> str | bytes:
    """Write a fitted model in a form that runs without glade, or that people read in a paper.

    What runs gives the predictions of `predict` and the probabilities of `predict_proba`, also for rows with missing
    values and with categories that training never saw.

    Parameters
    ----------
    model : fitted model
        A tree, a forest or a rule ensemble of glade; of a multi-tree, one of its trees.
    to : {"python", "sql", "json", "onnx", "latex"}
        The form: a Python module that needs no library, a query in SQL, JSON (which `from_json` reads back), the
        content of an ONNX file, or a table in LaTeX (of trees and rules).
    **settings
        Of the form. SQL has `dialect` ("ansi", "sqlite", "duckdb" or "postgres"), `table` (the name of the table with
        the rows) and `keep` (the columns of it that stand before the predictions; by default the inputs). ONNX has
        `precision` ("float32" or "float64").

    Returns
    -------
    str or bytes
        The text; of ONNX the bytes of a file.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["bill_length_mm", "island"]], penguins["body_mass_g"]
    >>> tree = glade.TreeRegressor(max_depth=1).fit(X, y)
    >>> print(glade.export(tree, "sql", dialect="sqlite", table="penguins", keep=["island"]))
    -- The predictions ...
    """
    if to not in {**FORMS, **PAGES}:
        raise InputError(f"there is no form {to!r} of export: give one of {', '.join([*FORMS, *PAGES])}")
    try:
        return PAGES[to](model, **settings) if to in PAGES else FORMS[to](describe_model(model), **settings)
    except TypeError as fault:
        if "unexpected keyword argument" in str(fault):
            raise InputError(f"the form {to!r} has no such setting: {str(fault).partition(') ')[2]}") from fault
        raise
