"""How good a fitted model is, without another fit of it: by its own folds or on other rows, beside other models."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.progress import count_steps
from glade.core.threads import count_threads, map_side_by_side, share_threads
from glade.data.folds import Fold
from glade.evaluate.comparison import Comparison
from glade.evaluate.fit_results import FitResult, predict_fold, read_held_out, run_fit_aside
from glade.evaluate.problems import ComparisonData, find_task, read_problems

TABLE = "table"
STEPS_OF_FIT = 2  # of a model to compare with, as they are counted

Say = Callable[[Any, ComparisonData, Fold], FitResult]


def judge_by_own_folds(
    name: str, model: Any, others: Mapping[str, Any], data: Any, *, n_jobs: int | None = 1, **more: Any
) -> Comparison:
    """Compare a fitted rule ensemble by the predictions of its own folds with other models fitted on the same folds.

    The ensemble's predictions are those of `oof_prediction_`: each row is predicted by trees and weights that have not
    seen it, and the size of their model is chosen by the other folds. Nothing is fitted again but the others.

    Parameters
    ----------
    name : str
        What the ensemble is called.
    model : estimator
        A fitted rule ensemble.
    others : mapping from names to estimators
        Of glade: they are fitted in threads.
    data : (X, y, groups)
        What the ensemble was fitted on.
    n_jobs : int or None
        Threads, -1 for one on each core.
    **more
        `sample_weight`, as in `compare`.

    Returns
    -------
    Comparison
        The others and the ensemble, which comes last. Rows that no fold has held out are in no test.
    """
    fold = model.held_out_.fold
    numbers = np.unique(fold[fold >= 0])
    if len(numbers) == 0:
        raise InputError("no row was held out by a fold of the fit: nothing tells how good the model is")
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in numbers]
    return _compare(name, model, read_held_out, others, data, folds, n_jobs=n_jobs, **more)


def judge_on_rows(
    name: str, model: Any, others: Mapping[str, Any], data: Any, fold: Fold, *, n_jobs: int | None = 1, **more: Any
) -> Comparison:
    """Compare a model that was fitted on the training rows with others fitted on them, by the test rows.

    Parameters
    ----------
    name, model, others, n_jobs, **more
        As in `judge_by_own_folds`; any fitted model.
    data : (X, y, groups)
        Training rows and test rows.
    fold : pair of arrays
        The places of the one and of the other.

    Returns
    -------
    Comparison
        The others and the model, which comes last.
    """
    return _compare(name, model, predict_fold, others, data, [fold], n_jobs=n_jobs, **more)


def _compare(
    name: str, model: Any, say: Say, others: Mapping[str, Any], data: Any, folds: Sequence[Fold], **how: Any
) -> Comparison:
    (problem,) = read_problems({TABLE: data}, find_task({name: model}), how.get("sample_weight"))
    places = [(other, k) for other in others for k in range(len(folds))]

    def run(place: tuple[str, int]) -> FitResult:
        result = run_fit_aside(others[place[0]], problem, folds[place[1]])
        count_steps(STEPS_OF_FIT)
        return result

    with warnings.catch_warnings(), share_threads(count_threads(how["n_jobs"])):
        warnings.simplefilter("ignore")  # of the same table the fit itself has warned
        done = map_side_by_side(run, places)
    results = {(TABLE, other, 0, k): result for (other, k), result in zip(places, done, strict=True)}
    results |= {(TABLE, name, 0, k): say(model, problem, fold) for k, fold in enumerate(folds)}
    return Comparison((*others, name), {TABLE: problem}, {(TABLE, 0): list(folds)}, results)
