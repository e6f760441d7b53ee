"""Compile at once what fits of any table need, so that there is one wait and not one for each kind of table."""

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

FIT, SOFT = "fit", "soft"  # what may be ready
ROWS = 60
MANY_ROWS = 4_200  # with more values than there are bins


def warm_up(soft: bool = False) -> None:
    """Compile what reading, fitting, predicting and explaining need; where that is done, do nothing.

    Parameters
    ----------
    soft : bool
        Those of soft rules too.
    """
    from glade.core._compile import is_ready, mark_ready

    for what, work in {FIT: _use_all, **({SOFT: _use_soft} if soft else {})}.items():
        if is_ready(what):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            work()
        mark_ready(what)


def _make_table(n_rows: int = ROWS) -> tuple[Any, Any]:
    import pandas as pd

    random = np.random.default_rng(0)
    X = pd.DataFrame(random.random((n_rows, 3)), columns=list("abc"))
    y = X["a"] + (X["b"] > 0.5)
    X.loc[::7, "c"] = np.nan
    X["n"] = np.array(list("wxyz"))[random.integers(0, 4, n_rows)]
    return X, y


def _use_all() -> None:
    """Small fits of all kinds, each of which calls kernels that those before it do not."""
    from glade.models.fire import FIRERegressor
    from glade.models.forest import ForestRegressor
    from glade.models.rule_list import RuleListRegressor
    from glade.models.rulefit import RuleFitRegressor
    from glade.models.rules import RuleEnsembleClassifier, RuleEnsembleRegressor
    from glade.models.tree import TreeRegressor

    X, y = _make_table()
    few = ForestRegressor(2, max_leaf_nodes=4)
    _read(X)
    model = RuleEnsembleRegressor(max_rules=3, cv=2, random_state=0).fit(X, y)
    model.predict(X[:1])
    model.explain(X[:1])
    RuleEnsembleClassifier(max_rules=3, cv=2, random_state=0).fit(X, y > 1.0)
    RuleFitRegressor(few, max_rules=3, cv=2, random_state=0).fit(X, y)
    FIRERegressor(few, max_rules=3, cv=2, random_state=0).fit(X, y)
    RuleListRegressor(max_rules=2, cv=2, random_state=0).fit(X, y)
    TreeRegressor(ccp_alpha="cv", random_state=0).fit(X, y)
    forest = ForestRegressor(3, method="boosting", max_bins=255, max_leaf_nodes=4, random_state=0)
    forest.fit(*_make_table(MANY_ROWS)).predict(X)
    ForestRegressor(2, random_state=0).fit(X, y).predict(X)


def _use_soft() -> None:
    from glade.models.forest import ForestRegressor
    from glade.models.soft_rules import SoftRulesRegressor

    X, y = _make_table()
    few = ForestRegressor(2, max_leaf_nodes=4)
    SoftRulesRegressor(few, max_rules=3, cv=2, random_state=0).fit(X, y)


def _read(X: Any) -> None:
    """Write a table as CSV and read it."""
    from glade.files.read import read_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        X.to_csv(path, index=False)
        read_file(path)
