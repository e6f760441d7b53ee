"""The real data sets: read from the folder in GLADE_DATA, else from ../shared/data beside the repository."""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

DATA = Path(os.environ.get("GLADE_DATA", Path(__file__).parents[2] / "shared" / "data"))


@cache
def _read(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    about = json.loads((DATA / "manifest.json").read_text())[name]
    nominal = [column for column, kind, _ in about["columns"] if kind == "nominal"]
    table = pd.read_csv(
        DATA / about["file"],
        dtype=dict.fromkeys(nominal, str),
        keep_default_na=False,
        na_values=[about["missing_marker"]],
    )
    roles = {role: [column for column, _, r in about["columns"] if r == role] for role in ("input", "target")}
    return table[roles["input"]], table[roles["target"]]


def load_dataset(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Inputs and targets as dataframes, nominal columns as text. Skips the test where there is no data folder."""
    if not (DATA / "manifest.json").exists():
        pytest.skip(f"no data sets at {DATA}: set GLADE_DATA to the folder that holds manifest.json")
    X, Y = _read(name)
    return X.copy(), Y.copy()


def scale_to_single(X: pd.DataFrame) -> np.ndarray:
    """Numeric inputs scaled to [0, 1] and rounded to single precision, in which scikit-learn's trees see them."""
    low, high = X.to_numpy(float).min(axis=0), X.to_numpy(float).max(axis=0)
    return ((X.to_numpy(float) - low) / np.where(high > low, high - low, 1)).astype(np.float32).astype(float)


def standardise(Y: np.ndarray) -> np.ndarray:
    """Targets of mean 0 and deviation 1."""
    return (Y - Y.mean(axis=0)) / Y.std(axis=0)


def to_classes(y, n_classes=4):
    """A number cut into classes of about equal size, as text."""
    ranks = pd.Series(y).rank(pct=True, method="max").to_numpy()
    return np.array([f"class {int(np.ceil(r * n_classes))}" for r in ranks])
