"""Does glade work with the versions that are installed? Fits, saves, loads and asks every estimator.

Run as `python -m tests.smoke` or `python tests/smoke.py`. It needs only what glade itself needs, prints one line with
the versions, and ends with an error where an estimator fails.
"""

import platform
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import glade

N_ROWS = 120
KINDS = ("Regressor", "Classifier", "Mixed")
PACKAGES = {"NumPy": "numpy", "SciPy": "scipy", "scikit-learn": "scikit-learn", "pandas": "pandas", "Numba": "numba"}


def make_table() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Numeric, nominal, ordinal and boolean inputs with missing values; a numeric target and a nominal one."""
    rng = np.random.default_rng(0)
    size, town = rng.normal(10, 3, N_ROWS), rng.choice(["north", "south", "west"], N_ROWS)
    X = pd.DataFrame(
        {
            "size": np.where(rng.random(N_ROWS) < 0.1, np.nan, size),
            "town": pd.Series(town).where(rng.random(N_ROWS) > 0.1, None),
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], N_ROWS), ["low", "mid", "high"], ordered=True),
            "wet": rng.random(N_ROWS) < 0.5,
        }
    )
    amount = size + 3 * (town == "south") + 2 * X["wet"] + rng.normal(0, 0.3, N_ROWS)
    return X, pd.DataFrame({"amount": amount, "kind": np.where(amount > 12, "large", "small")})


def list_estimators() -> list[str]:
    """The names of all estimators that predict."""
    return [name for name in glade.__all__ if any(kind in name for kind in KINDS)]


def make_estimator(name: str) -> Any:
    """An estimator of this name with two threads, where it has threads, and small where it would take long."""
    model = getattr(glade, name)()
    known = model.get_params()
    small = {"random_state": 0, "n_jobs": 2, "n_estimators": 8, "cv": 2, "min_samples_leaf": 5}
    return model.set_params(**{key: value for key, value in small.items() if key in known})


def check_estimator(name: str, folder: Path) -> None:
    """Fit, save, load, predict and explain; what is loaded says the same."""
    X, targets = make_table()
    y = {"Regressor": targets["amount"], "Classifier": targets["kind"], "Mixed": targets}
    model = make_estimator(name).fit(X, y[next(kind for kind in KINDS if kind in name)])
    path = folder / f"{name}.glade"
    model.save(path)
    loaded = glade.load(path)
    for question in ("predict", "predict_proba", "explain"):
        if hasattr(model, question) and not (question == "explain" and hasattr(model, "archetype")):
            _check_same(getattr(model, question)(X), getattr(loaded, question)(X), f"{name}.{question}")
    if hasattr(model, "archetype"):  # a multi-tree is explained by one of its trees
        _check_same(model.archetype().explain(X), loaded.archetype().explain(X), f"{name}.archetype().explain")


def _check_same(ours: Any, loaded: Any, what: str) -> None:
    if isinstance(ours, dict):
        pairs = [(ours[key], loaded[key]) for key in ours]
    else:
        pairs = list(zip(ours, loaded, strict=True)) if isinstance(ours, list) else [(ours, loaded)]
    for a, b in pairs:
        if not pd.DataFrame(a).equals(pd.DataFrame(b)):
            raise AssertionError(f"{what} of the loaded model differs")


def main() -> int:
    """Check all estimators; gives the exit code."""
    names = list_estimators()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            try:
                check_estimator(name, Path(folder))
            except Exception:
                failed.append(name)
                print(f"{name} failed:\n{traceback.format_exc()}", file=sys.stderr)
    versions = ", ".join(f"{shown} {version(package)}" for shown, package in PACKAGES.items())
    passed = f"{len(names) - len(failed)} of {len(names)} estimators passed"
    print(f"Python {platform.python_version()}, {versions}: {passed}")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
