"""The folds of a cross-validation inside a fit."""

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from glade.core.seeds import draw_seed
from glade.data.table import NOMINAL, Column
from glade.models.base import TrainingSet


def split_folds(cv: Any, training: TrainingSet, random_state: Any) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Folds by number (shuffled, stratified for one nominal target where its classes allow), splitter, or list."""
    target: Column = training.targets[0]
    n_rows = training.table.n_rows
    if not isinstance(cv, Integral):
        folds = list(check_cv(cv).split(np.zeros((n_rows, 1)), target.values))
        if not folds:
            raise ValueError("cv holds no splits: give at least one")
        return folds
    n_folds = min(int(cv), n_rows)
    if n_folds < 2:
        raise ValueError("cross-validation needs at least 2 rows, got 1 sample: set ccp_alpha to a number")
    seed = draw_seed(random_state)
    if len(training.targets) == 1 and target.kind == NOMINAL and not np.isnan(target.values).any():
        if np.bincount(target.values.astype(int)).min() >= n_folds:
            folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
            return list(folds.split(np.zeros((n_rows, 1)), target.values))
        warnings.warn(
            f"a class has fewer than {n_folds} rows: folds are drawn without regard to classes",
            UserWarning,
            stacklevel=5,
        )
    return list(KFold(n_folds, shuffle=True, random_state=seed).split(np.zeros((n_rows, 1))))
