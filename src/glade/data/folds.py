"""How folds are drawn: once, for cross-validation inside a fit and for the comparison of models."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from glade.core.errors import InputError
from glade.core.notices import warn_user
from glade.data.columns import NOMINAL, Column

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]  # training rows, test rows
MAX_DEALT = 1_000  # groups that are dealt to folds one by one with an eye on their classes


def draw_folds(n_folds: int, targets: list[Column], seed: int, groups: NDArray[np.int64] | None = None) -> list[Fold]:
    """Shuffled folds that depend on the rows and the seed alone.

    Parameters
    ----------
    n_folds
        At least 2, and at most the number of rows (of groups, where there are groups).
    targets
        The folds of one nominal target without gaps are stratified where every class has a row for each fold.
    seed
        Of the shuffle.
    groups
        The group of each row; the rows of a group stay in one fold. Classes are then spread over the folds as evenly as
        whole groups allow.

    Examples
    --------
    >>> target = Column("y", NOMINAL, np.array([0.0, 1, 0, 1]), ("no", "yes"))
    >>> [sorted(target.values[test].tolist()) for _, test in draw_folds(2, [target], seed=0)]
    [[0.0, 1.0], [0.0, 1.0]]
    """
    n_rows = len(targets[0].values)
    splitter: Any = KFold(n_folds, shuffle=True, random_state=seed)
    strata = None
    if groups is not None:
        return _draw_grouped_folds(n_folds, targets, seed, groups)
    if _can_stratify(n_folds, targets):
        splitter, strata = StratifiedKFold(n_folds, shuffle=True, random_state=seed), targets[0].values
    return list(splitter.split(np.zeros((n_rows, 1)), strata))


def _draw_grouped_folds(n_folds: int, targets: list[Column], seed: int, groups: NDArray[np.int64]) -> list[Fold]:
    """Folds of whole groups. Many groups, dealt at random, have nearly the same classes in every fold anyway."""
    rows, how = np.zeros((len(groups), 1)), {"shuffle": True, "random_state": seed}
    if len(np.unique(groups)) <= MAX_DEALT and _can_stratify(n_folds, targets):
        folds = list(StratifiedGroupKFold(n_folds, **how).split(rows, targets[0].values, groups))
        if all(len(train) and len(test) for train, test in folds):
            return folds
    return list(GroupKFold(n_folds, **how).split(rows, None, groups))


def _can_stratify(n_folds: int, targets: list[Column]) -> bool:
    target = targets[0]
    if len(targets) > 1 or target.kind != NOMINAL or np.isnan(target.values).any():
        return False
    counts = np.bincount(target.values.astype(int))
    if counts[counts > 0].min() >= n_folds:
        return True
    warn_user(f"a class has fewer than {n_folds} rows: folds are drawn without regard to classes")
    return False


def check_fold_count(n_folds: int, n_rows: int, groups: NDArray[np.int64] | None = None) -> None:
    """Refuse folds that would be empty."""
    n_units, unit = (n_rows, "rows") if groups is None else (len(np.unique(groups)), "groups")
    if not 2 <= n_folds <= n_units:
        raise InputError(f"{n_folds} folds of {n_units} {unit}: give at least 2 folds and at most one for each")
