"""Fits models of whichever glade is on the path, as `tools.between_commits` asks.

It reads a line of JSON [[family, settings], table] for each fit, and writes one {seconds, predictions}. It has to run
with the packages of other commits too, so that it uses nothing but glade's public names.
"""

import json
import sys
import time
import warnings
from typing import Any

import numpy as np
from sklearn.datasets import make_classification, make_friedman1

import glade

N_SHOWN = 200  # rows whose predictions are compared


def make_table(name: str) -> tuple[str, Any, Any]:
    """The kind of task, inputs and targets of one of the tables."""
    random = np.random.default_rng(0)
    if name == "numbers":
        return "Regressor", *make_friedman1(1_000, 10, noise=1.0, random_state=0)
    if name == "many rows":
        return "Regressor", *make_friedman1(4_000, 10, noise=1.0, random_state=0)
    if name == "4 targets":
        X, y = make_friedman1(600, 10, noise=1.0, random_state=0)
        targets = np.column_stack([y, y * X[:, 0], 5 * (X[:, 1] > 0.5) + X[:, 2], 0.1 * y**2])
        return "Regressor", X, targets + random.normal(size=targets.shape)
    if name == "classes":
        return "Classifier", *make_classification(800, 10, n_informative=5, n_classes=3, random_state=0)
    penguins = glade.load_penguins()
    if name == "two classes":
        known = penguins.dropna(subset=["sex"])
        return "Classifier", known.drop(columns=["sex"]), known["sex"].to_numpy(str)
    if name == "mixed targets":
        known = penguins.dropna()
        return "Mixed", known.drop(columns=["species", "body_mass_g"]), known[["species", "body_mass_g"]]
    known = penguins.dropna(subset=["body_mass_g"])  # "nominal inputs"
    return "Regressor", known.drop(columns=["body_mass_g"]), known["body_mass_g"]


def make_model(family: str, settings: dict[str, Any], kind: str) -> Any:
    """An estimator; None where the family has none for such targets."""
    name = f"Mixed{family}" if kind == "Mixed" else f"{family}{kind}"
    return getattr(glade, name)(**settings, random_state=0) if name in glade.__all__ else None


def list_predictions(model: Any, X: Any, kind: str) -> list[float]:
    """Numbers, probabilities and the places of classes, for the first rows."""
    rows = X[:N_SHOWN] if isinstance(X, np.ndarray) else X.iloc[:N_SHOWN]
    found = [] if kind == "Regressor" else [model.predict_proba(rows)]
    if kind != "Classifier":
        found.append(model.predict(rows))
    return [number for values in found for number in _flatten(values)]


def _flatten(values: Any) -> list[float]:
    if isinstance(values, dict):
        return [number for own in values.values() for number in _flatten(own)]
    if hasattr(values, "select_dtypes"):  # of a dataframe the numbers: its classes are those of the probabilities
        values = values.select_dtypes("number").to_numpy(float)
    return [float(number) for number in np.ravel(np.asarray(values, float))]


def answer(model: list[Any], table: str, *, with_predictions: bool) -> dict[str, Any] | None:
    """Fit a model to a table; None where the two do not go together."""
    kind, X, y = make_table(table)
    estimator = make_model(*model, kind)
    if estimator is None:
        return None
    start = time.process_time()
    estimator.fit(X, y)
    seconds = time.process_time() - start
    return {"seconds": seconds, "predictions": list_predictions(estimator, X, kind) if with_predictions else []}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line), with_predictions="--predictions" in sys.argv)), flush=True)
