"""The folds of a cross-validation inside a fit, and the rows that a fit holds out once."""

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from glade.core.seeds import draw_seed
from glade.data.folds import Fold, draw_folds
from glade.data.groups import Groups, hold_out_groups
from glade.models.base import TrainingSet
from glade.weights.solver import Needs

FOLDS = 5  # what cv=None means, as in scikit-learn
WITHOUT_GROUPS = "leave groups out"
FEW_ROWS, MANY_ROWS = 200, 2_000
FOLDS_OF_FEW, FOLDS_OF_RULES, FOLDS_OF_MANY = 5, 3, 2  # what cv=None means to a rule ensemble


def split_folds(cv: Any, training: TrainingSet, random_state: Any) -> list[Fold]:
    """Folds by number (shuffled, stratified for one nominal target where its classes allow), splitter, or list.

    With groups no fold divides one: folds by number are drawn so, a splitter is given them, and splits that divide a
    group are refused.
    """
    if training.groups is not None:
        training.groups.check_several("a choice by grouped folds", WITHOUT_GROUPS)
        cv = limit_folds(FOLDS, training) if cv is None else cv
    if not isinstance(cv, Integral):
        return _split_as_given(cv, training)
    n_rows = training.table.n_rows
    n_folds = min(int(cv), n_rows)
    if n_folds < 2:
        raise ValueError("cross-validation needs at least 2 rows, got 1 sample: set ccp_alpha to a number")
    if training.groups is None:
        return draw_folds(n_folds, training.targets, draw_seed(random_state))
    if int(cv) > training.groups.n_groups:
        raise ValueError(
            f"cv={cv} asks for more folds than the {training.groups.n_groups} groups there are: set cv to at most"
            f" {training.groups.n_groups}, or {WITHOUT_GROUPS}"
        )
    return draw_folds(n_folds, training.targets, draw_seed(random_state), training.groups.codes)


def limit_folds(n_folds: int, training: TrainingSet) -> int:
    """So many folds, where that is our own choice; with groups at most one for each (but at least 2)."""
    return n_folds if training.groups is None else max(2, min(n_folds, training.groups.n_groups))


def hold_out_share(share: float, training: TrainingSet, random: np.random.Generator) -> Fold:
    """One split: about this share of the rows, of whole groups if there are groups, is held out; never all of them."""
    n_rows = training.table.n_rows
    n_held_out = min(max(1, int(np.ceil(share * n_rows))), n_rows - 1)
    if training.groups is None:
        order = random.permutation(n_rows)
        return np.sort(order[n_held_out:]), np.sort(order[:n_held_out])
    training.groups.check_several("validation_fraction", WITHOUT_GROUPS)
    is_held_out = hold_out_groups(training.groups.codes, n_held_out, random)
    return np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)


def _split_as_given(cv: Any, training: TrainingSet) -> list[Fold]:
    """The splits of a splitter or a list."""
    groups = training.groups
    ranks = None if groups is None else groups.ranks()
    folds = list(check_cv(cv).split(np.zeros((training.table.n_rows, 1)), training.targets[0].values, ranks))
    if not folds:
        raise ValueError("cv holds no splits: give at least one")
    if groups is not None:
        for k, fold in enumerate(folds):
            _check_whole(fold, groups, k)
    return folds


def _check_whole(fold: Fold, groups: Groups, number: int) -> None:
    """Refuse a split that divides a group."""
    train, test = (groups.codes[rows] for rows in fold)
    divided = np.intersect1d(train, test)
    if len(divided):
        raise ValueError(
            f"split {number} of cv has rows of group {groups.name_of(divided[0])} on both sides: give a splitter for"
            f" groups, such as GroupKFold, or a number of folds, or {WITHOUT_GROUPS}"
        )


def split_for_choice(
    cv: Any, validation_fraction: float | None, training: TrainingSet, seed: int, needs: Needs
) -> list[Fold]:
    """For each fold the rows for trees and weights, and the rows by which a solver's models are judged.

    A single row is both. Where neither `cv` nor a share is given, there are fewer folds the more rows there are.
    """
    n_rows = training.table.n_rows
    if n_rows == 1:
        return [(np.zeros(1, np.intp), np.zeros(1, np.intp))]
    if validation_fraction is not None:
        return [hold_out_share(validation_fraction, training, np.random.default_rng(seed))]
    if cv is not None:
        return split_folds(cv, training, seed)
    n_folds, n_held_out = count_folds(n_rows if training.groups is None else training.groups.n_groups, needs)
    return split_folds(limit_folds(n_folds, training), training, seed)[:n_held_out]


def count_folds(n_units: int, needs: Needs) -> tuple[int, int]:
    """Into how many folds rows (or groups) go, and how many are held out in turn: fewer the more rows there are."""
    if n_units >= MANY_ROWS:
        return (FOLDS_OF_RULES, 1) if needs.one_split else (FOLDS_OF_MANY, FOLDS_OF_MANY)
    n_folds = FOLDS_OF_FEW if n_units < FEW_ROWS and needs.more_folds_of_few else FOLDS_OF_RULES
    return n_folds, n_folds
