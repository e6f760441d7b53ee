"""The folds of a cross-validation inside a fit."""

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from glade.core.seeds import draw_seed
from glade.data.folds import Fold, draw_folds
from glade.models.base import TrainingSet


def split_folds(cv: Any, training: TrainingSet, random_state: Any) -> list[Fold]:
    """Folds by number (shuffled, stratified for one nominal target where its classes allow), splitter, or list."""
    n_rows = training.table.n_rows
    if not isinstance(cv, Integral):
        folds = list(check_cv(cv).split(np.zeros((n_rows, 1)), training.targets[0].values))
        if not folds:
            raise ValueError("cv holds no splits: give at least one")
        return folds
    n_folds = min(int(cv), n_rows)
    if n_folds < 2:
        raise ValueError("cross-validation needs at least 2 rows, got 1 sample: set ccp_alpha to a number")
    return draw_folds(n_folds, training.targets, draw_seed(random_state))
