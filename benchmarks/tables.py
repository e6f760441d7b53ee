"""Tables for the benchmarks: generated ones, and the real ones where they are present."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))  # where `studies` is

from glade.core.errors import InputError
from studies.datasets import find_folder, load_dataset
from studies.fire.runs import FoldsInTurn

__all__ = ["TEN_SETS", "FoldsInTurn", "find_folder", "load_dataset", "load_real", "make_nominal", "make_numeric"]

TEN_SETS = ["edm", "sf1", "sf2", "wq", "jura", "enb", "slump", "andro", "rf1", "scm20d"]  # of many targets


def make_numeric(n_rows, n_inputs, n_targets, seed=0):
    """Continuous inputs, as float32 so that scikit-learn sees the same numbers; interacting, noisy targets."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_inputs)).astype(np.float32).astype(float)
    Y = np.empty((n_rows, n_targets))
    for t in range(n_targets):
        a, b, c = (X[:, (t + k) % n_inputs] for k in range(3))
        Y[:, t] = np.sin(6 * a) + b * c + 0.3 * rng.normal(size=n_rows)
    return X, Y


def make_nominal(n_rows, n_inputs, n_categories, n_targets, seed=0):
    """Text inputs whose categories have effects of their own."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_categories, (n_rows, n_inputs))
    Y = rng.normal(0, 0.5, (n_rows, n_targets))
    for t in range(n_targets):
        for j in range(min(n_inputs, 4)):
            Y[:, t] += rng.normal(0, 1, n_categories)[codes[:, (j + t) % n_inputs]]
    labels = np.array([f"c{k:03d}" for k in range(n_categories)])
    return pd.DataFrame(labels[codes], columns=[f"n{j}" for j in range(n_inputs)]).astype("category"), Y


def load_real(name):
    """Inputs and targets of a set in the data folder, or None where the folder is absent."""
    try:
        data = load_dataset(name)
    except InputError:
        return None
    return data.X, data.y
