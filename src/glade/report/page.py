"""Facts to one HTML file that needs no other, sends no request and runs nothing but its own script."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, select_autoescape

from glade.core.files import write_whole
from glade.report.facts import collect_facts
from glade.report.honest import Unseen

# The page's script and style, one idea a file, in the order in which they are put together.
SCRIPTS = (
    *("elements", "numbers", "facts", "terms", "links", "trees", "changes", "state", "predict", "chips", "charts"),
    *("hero", "curves", "scatter", "threshold", "subgroups", "quality"),
    *("observed", "path", "sizes", "heat", "detail", "card", "rules", "tree"),
    *("fields", "reasons", "flip", "rows", "case"),
    *("inputs", "effects", "together", "data", "csv", "score", "take", "start"),
)
STYLES = ("base", "hero", "charts", "quality", "rules", "case", "print")


def write_report(
    model: Any,
    X: Any,
    y: Any = None,
    path: str | Path = "report.html",
    *,
    name: str = "table",
    errors: Any = None,
    unseen: Unseen | None = None,
    with_rows: bool = True,
) -> Path:
    """Write a page that shows a fitted model: how good it is, its rules, what moves its predictions.

    The page is one HTML file. It works without a network, in any current browser, and can be mailed and printed.

    Parameters
    ----------
    model : estimator
        Any fitted model of glade.
    X : table of shape (rows, inputs)
        The model's inputs.
    y : table of shape (rows,) or (rows, targets), optional
        Its targets, if they are known.
    path : str or path-like, default="report.html"
        The file; one that is there is replaced.
    name : str, default="table"
        What the page calls the table.
    errors : dict, optional
        Of a cross-validation, to be shown beside what else is known.
    unseen : Unseen, optional
        Predictions of the rows by models that had not seen them, by which the page judges the model. By default those
        that the fit has kept: out of fold of rule ensembles and of trees pruned by folds, out of bag of forests with
        `oob_score`.
    with_rows : bool, default=True
        Whether rows of the table may be in the page: some of those that each rule covers. Counts, ranges and typical
        values are in it either way.

    Returns
    -------
    Path
        The file that was written.

    Examples
    --------
    >>> import tempfile
    >>> from glade import TreeRegressor, load_penguins, write_report
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> model = TreeRegressor(max_depth=2).fit(X, y)
    >>> page = write_report(model, X, y, Path(tempfile.mkdtemp()) / "penguins.html", name="penguins")
    >>> page.read_text().startswith("<!doctype html>")
    True
    """
    facts = collect_facts(model, X, y, name=name, errors=errors, unseen=unseen, with_rows=with_rows)
    write_whole(Path(path), render_page(facts).encode())
    return Path(path)


def render_page(facts: dict[str, Any]) -> str:
    """The page of these facts."""
    style, script = read_style(), read_script()
    template = _environment().from_string(read_asset("page.html"))
    return template.render(facts=facts, style=style, script=script, policy=write_policy(style, script))


def write_policy(style: str, script: str) -> str:
    """What a browser lets the page do: run this script, use this style, and nothing else."""
    allowed = f"script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _environment() -> Environment:
    environment = Environment(autoescape=select_autoescape(default=True, default_for_string=True), trim_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment


@cache
def read_script() -> str:
    """The parts of the page's script, in one function that leaves no names behind."""
    parts = "\n".join(read_asset(f"scripts/{part}.js") for part in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


@cache
def read_style() -> str:
    """The parts of the page's style sheet."""
    return "\n".join(read_asset(f"styles/{part}.css") for part in STYLES)


@cache
def read_asset(name: str) -> str:
    """A file that came with the package."""
    return (files("glade.report") / "assets" / name).read_text("utf-8")
