"""Predictions by which a model is judged: those of rows that it had not seen, where there are any."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.kinds import FOREST
from glade.report.table_facts import ReadRows

Floats = NDArray[np.float64]
FITTING = "by models of the folds of its fit, which had no part of the row they judge"
N_DRAWS, NEARER = 5, 0.9  # orders of the rows that are tried, and how much nearer the right one has to be
OUT_OF_BAG = "by the trees that were grown without the row they judge"


class Unseen(NamedTuple):
    """Predictions of rows by models that had not seen them.

    Attributes
    ----------
    values : ndarray of shape (rows, channels)
        NaN where a row has none.
    how : str
        How they were made, in words that follow "on rows it had not seen".
    drawn : ndarray of shape (rows, channels), optional
        Of a multi-tree: what trees said of them that were chosen as the one is that the page draws.
    """

    values: Floats
    how: str
    drawn: Floats | None = None


@dataclass(frozen=True)
class Judged:
    """What a model is judged by.

    Parameters
    ----------
    values
        Rows x channels: predictions, NaN where a row has none.
    how
        How they were made.
    is_unseen
        Whether the model had not seen the rows; else new rows may show larger errors.
    """

    values: Floats
    how: str
    is_unseen: bool

    @classmethod
    def of(cls, model: Any, rows: ReadRows, given: Unseen | None) -> "Judged":
        """The most honest predictions that are known: those given, those that the fit has kept, or those at hand."""
        own = model.predict_values(rows.matrix)
        for unseen in (given, find_kept(model)):
            if unseen is not None and unseen.values.shape == own.shape and _are_the_same_rows(unseen.values, own):
                return cls(unseen.values, unseen.how, True)
        return cls(own, "on this table", False)


def find_kept(model: Any) -> Unseen | None:
    """What a fitted model has kept of its folds, or of its trees' samples."""
    if "held_out_" in vars(model):
        return Unseen(model.held_out_.values, FITTING)
    if model.kind == FOREST and "oob_prediction_" in vars(model):
        kept = model.oob_prediction_
        if isinstance(kept, (np.ndarray, list)):  # of mixed targets there are classes only, without probabilities
            parts = kept if isinstance(kept, list) else [kept]
            return Unseen(np.column_stack(parts), OUT_OF_BAG)
    return None


def _are_the_same_rows(unseen: Floats, own: Floats) -> bool:
    """Whether both speak of the same rows in the same order: then they are nearer than those of other rows would be."""
    known = ~np.isnan(unseen).any(axis=1)
    if not known.any():
        return False
    ours, theirs = own[known], unseen[known]
    spread = ours.std(axis=0)
    if not spread.any():
        return True  # the model says the same of every row
    scale = np.where(spread > 0, spread, 1.0)
    draws = np.random.default_rng(0)
    others = [np.abs((ours - theirs[draws.permutation(len(ours))]) / scale).sum() for _ in range(N_DRAWS)]
    return bool(np.abs((ours - theirs) / scale).sum() < NEARER * np.mean(others))
