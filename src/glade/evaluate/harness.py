"""Models x data x folds: every model fitted on the same folds of every data set, once."""

import os
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from glade.core.errors import InputError, ResourceError
from glade.core.names import list_names, quote_name
from glade.core.processes import end_with_parent
from glade.core.progress import open_progress
from glade.core.seeds import draw_seed
from glade.data.folds import Fold, check_fold_count, draw_folds
from glade.evaluate.comparison import Comparison
from glade.evaluate.fit_parameters import WEIGHTS, name_fit_parameter
from glade.evaluate.fit_results import FitResult, run_fit
from glade.evaluate.keys import describe, digest_rows, name_fit
from glade.evaluate.problems import ComparisonData, digest_problem, find_task, read_problems
from glade.evaluate.store import ResultStore


class Place(NamedTuple):
    """Where a fit stands in a comparison."""

    data: str
    model: str
    repetition: int
    fold: int


@dataclass(frozen=True)
class _PlannedFit:
    """A piece of work that can be done anywhere, in any order."""

    place: Place
    model: Any
    problem: ComparisonData
    fold: Fold
    seed: int
    key: str | None

    def run(self, store: ResultStore | None) -> tuple[Place, FitResult]:
        result = run_fit(self.model, self.problem, self.fold, self.seed)
        if store is not None and self.key is not None:
            store.save(self.key, result)
        return self.place, result


def compare(
    models: Mapping[str, Any],
    data: Any,
    *,
    sample_weight: Any = None,
    folds: Any = 5,
    repetitions: int = 1,
    random_state: Any = 0,
    n_jobs: int | None = 1,
    store: str | Path | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare models by cross-validation on the same folds.

    Parameters
    ----------
    models : mapping from names to estimators
        Anything with scikit-learn's `fit`, `predict` and parameters. Random states that are None are set from
        `random_state`, so that the same call gives the same table. Models that cannot take nominal or missing inputs
        come as pipelines. One that fails is a row with its error.
    data : mapping from names to (X, y) or (X, y, groups)
        The rows of a group stay in one fold. Models whose `fit` takes `groups`, also as the last step of a pipeline,
        are given those of the training rows, so that what they choose inside a fit is judged on whole groups too. Rows
        are never left out: where a target value is missing, a row does not count in that target's metrics.
    sample_weight : array, or mapping from names of data sets to arrays, optional
        The weight of each row in the fits; an array belongs to the only data set. Every model has to take it, also as
        the last step of a pipeline. In the metrics all test rows count alike.
    folds : int, splitter, or list of splitters
        A number: shuffled folds, stratified for a single nominal target. A splitter of scikit-learn divides every data
        set in its own way; a list holds one for each repetition.
    repetitions : int
        How often folds given as a number are drawn anew.
    random_state : int, RandomState or None
        The seed of folds and of models that have none of their own.
    n_jobs : int or None
        Processes, -1 for one on each core. The results are the same for any number.
    store : path, optional
        A folder for the results of finished fits. A fit whose result is there is not done again, so that an interrupted
        run goes on where it stopped; what was interrupted or failed is done anew. Fits are known by the class, the
        parameters and the package version of a model, not by its code: after changing a class of your own, use another
        folder.
    progress : bool or None
        None shows progress only where it takes more than a few seconds.

    Returns
    -------
    Comparison
        The results of all folds, with `frame()`, `ranks()` and tests of whether the models differ.

    Examples
    --------
    >>> from glade import TreeRegressor, compare, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g"])
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> models = {"stump": TreeRegressor(max_depth=1), "tree": TreeRegressor(min_samples_leaf=10)}
    >>> result = compare(models, {"penguins": (X, y)})
    >>> result.frame(metrics=["rmse"], by="repetition")["value"].round(-1).tolist()
    [460.0, 320.0]
    """
    _check_models(models)
    _check_count("repetitions", repetitions)
    problems = read_problems(data, find_task(models), sample_weight)
    _check_weights_are_taken(models, problems)
    shelf = None if store is None else ResultStore(store)
    seed = draw_seed(random_state)
    drawn = {
        (problem.name, repetition): drawing
        for problem in problems
        for repetition, drawing in enumerate(_draw(problem, folds, repetitions, seed))
    }
    planned = list(_plan(models, problems, drawn, seed, shelf is not None))
    results = _run(planned, shelf, n_jobs, progress)
    return Comparison(tuple(models), {problem.name: problem for problem in problems}, drawn, results)


def _draw(problem: ComparisonData, folds: Any, repetitions: int, seed: int) -> list[list[Fold]]:
    """The folds of each repetition, by number or by the user's own splitters."""
    targets, rows = list(problem.targets), np.zeros((problem.n_rows, 1))
    splitters = folds if isinstance(folds, (list, tuple)) else [folds]
    if splitters and all(hasattr(splitter, "split") for splitter in splitters):
        return [list(splitter.split(rows, targets[0].values, problem.groups)) for splitter in splitters]
    _check_count("folds", folds)
    check_fold_count(folds, problem.n_rows, problem.groups)
    return [draw_folds(folds, targets, _derive(seed, r), problem.groups) for r in range(repetitions)]


def _plan(
    models: Mapping[str, Any],
    problems: list[ComparisonData],
    drawn: dict[tuple[str, int], list[Fold]],
    seed: int,
    named: bool,
) -> Iterator[_PlannedFit]:
    """All fits; only those of a run with a store have names, since not every model can be named."""
    descriptions = {name: describe(model) for name, model in models.items()} if named else {}
    by_name = {problem.name: problem for problem in problems}
    digests = {problem.name: digest_problem(problem) for problem in problems} if named else {}
    for (data, repetition), folds in drawn.items():
        problem = by_name[data]
        for k, fold in enumerate(folds):
            cell_seed = _derive(seed, repetition, k)
            content = _describe_work(problem, digests[data], fold, cell_seed) if named else {}
            for name, model in models.items():
                key = name_fit(descriptions[name], content) if named else None
                yield _PlannedFit(Place(data, name, repetition, k), model, problem, fold, cell_seed, key)


def _describe_work(problem: ComparisonData, digest: str, fold: Fold, seed: int) -> dict[str, Any]:
    """What the result of a fit is computed from, besides its model."""
    content = {"data": digest, "rows": digest_rows(fold), "seed": seed}
    in_fit = {"groups": problem.groups, "weights": problem.weights}
    return content | {what: "in fit" for what, values in in_fit.items() if values is not None}


def _run(
    planned: list[_PlannedFit], store: ResultStore | None, n_jobs: int | None, progress: bool | None
) -> dict[Place, FitResult]:
    """The results of all fits, in the order of the plan, wherever and whenever each was computed."""
    found = {} if store is None else {fit.place: store.load(fit.key) for fit in planned if fit.key is not None}
    results = {place: result for place, result in found.items() if result is not None}
    pending = [fit for fit in planned if fit.place not in results]
    with open_progress("models fitted:", len(planned), done=len(results), show=progress) as shown:
        for place, result in _work(pending, store, n_jobs):
            results[place] = result
            shown.advance()
    return {fit.place: results[fit.place] for fit in planned}


def _work(
    planned: list[_PlannedFit], store: ResultStore | None, n_jobs: int | None
) -> Iterator[tuple[Place, FitResult]]:
    """Results as they come. Processes rather than threads: the models of others may hold Python's lock."""
    if n_jobs in (None, 1) or len(planned) < 2:
        yield from (fit.run(store) for fit in planned)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        work = (delayed(_run_in_worker)(fit, store, os.getpid()) for fit in planned)
        yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered")(work)
    except TerminatedWorkerError as fault:
        kept = "" if store is None else ", and what is finished is kept in the store"
        raise ResourceError(
            f"a worker process died, which mostly means that memory ran out: run with fewer jobs (n_jobs=1){kept}"
        ) from fault


def _run_in_worker(fit: _PlannedFit, store: ResultStore | None, parent: int) -> tuple[Place, FitResult]:
    """Ctrl-C reaches every process of a terminal; only the one that started the others shall act on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    return fit.run(store)


def _derive(*numbers: int) -> int:
    """A seed for a part of the work, unrelated to those of other parts."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def _check_models(models: Any) -> None:
    if not isinstance(models, Mapping) or not models:
        raise InputError(f"models must be a mapping from names to estimators, got {type(models).__name__}")
    for name, model in models.items():
        if isinstance(model, type) or not all(hasattr(model, part) for part in ("fit", "predict", "get_params")):
            raise InputError(f"model {quote_name(name)} is no estimator: it needs fit, predict and get_params")


def _check_weights_are_taken(models: Mapping[str, Any], problems: list[ComparisonData]) -> None:
    """No model is fitted without the weights that others get."""
    if all(problem.weights is None for problem in problems):
        return
    unweighted = [name for name, model in models.items() if name_fit_parameter(model, WEIGHTS) is None]
    if unweighted:
        raise InputError(
            f"the fit of {list_names(unweighted)} takes no sample_weight: leave it out, or compare without weights"
        )


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise InputError(f"{name} must be a whole number of at least 1, got {value!r}")
