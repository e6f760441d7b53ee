"""The real data sets for tests, which skip where there is no folder of them."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glade.core.errors import InputError
from studies import datasets

BESIDE_REPOSITORY = Path(__file__).parents[2] / "shared" / "data"


@cache
def find_folder() -> Path | None:
    """The folder of the data sets: that of GLADE_DATA, or the one beside the repository."""
    for given in (None, BESIDE_REPOSITORY):
        try:
            return datasets.find_folder(given)
        except InputError:
            continue
    return None


@cache
def _read(name: str) -> datasets.DataSet:
    return datasets.load_dataset(name, find_folder())


def load_dataset(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Inputs and targets as dataframes, nominal columns as categoricals. Skips the test where there is no folder."""
    if find_folder() is None:
        pytest.skip("no data sets: set GLADE_DATA to the folder that holds manifest.json")
    data = _read(name)
    return data.X.copy(), data.y.copy()


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
