"""From a plan to a forest: the loop run for a number of trees, or until more of them do not help."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from glade.core.progress import follow
from glade.data.groups import hold_out_groups
from glade.ensemble.curve import MAX_TREES, ErrorCurve, is_flat
from glade.ensemble.error_trackers import ErrorTracker, HeldOutLoss, OutOfBag
from glade.ensemble.forest import Forest
from glade.ensemble.loop import BoostedPrediction, Plan, grow_independent
from glade.grow.node_table import NodeTable

HELD_OUT = 0.1  # of the rows, where a boosted ensemble is to find its own number of trees
HELD_OUT_DRAW = MAX_TREES  # in the place of a tree's number: no tree has it


@dataclass(frozen=True)
class TrainingRows:
    """The training rows as a model sees them: encoded inputs, target values (numbers or positions of classes)."""

    matrix: NDArray[np.float64]
    truth: list[NDArray[np.float64]]


@dataclass(frozen=True)
class GrowthOptions:
    """What is asked of an ensemble.

    Parameters
    ----------
    n_trees
        None: until the error is flat.
    out_of_bag
        Whether out-of-bag predictions and errors are wanted.
    voting
        "distribution" or "majority", for these.
    target_weights
        How much each target counts in an error.
    n_threads
        For independent trees.
    shown
        Whether progress is shown.
    """

    n_trees: int | None
    out_of_bag: bool
    voting: str
    target_weights: NDArray[np.float64]
    n_threads: int = 1
    shown: bool = False


@dataclass(frozen=True)
class Grown:
    """A forest, and what its training rows say of it."""

    forest: Forest
    curve: ErrorCurve | None  # where one was made: out of bag, or on rows held out
    out_of_bag: NDArray[np.float64] | None  # rows x channels


def grow_forest(
    plan: Plan, options: GrowthOptions, rows: TrainingRows | None, before: Sequence[NodeTable] = ()
) -> Grown:
    """Grow an ensemble.

    Parameters
    ----------
    plan
        What determines its trees.
    options
        How many, and what else.
    rows
        The training rows; needed by boosting, for out-of-bag predictions and where the number of trees is found.
    before
        Trees of the same plan grown earlier: the first of the ensemble.
    """
    held_out = np.empty(0, np.intp)
    if plan.learning_rate > 0 and options.n_trees is None:
        plan, held_out = _hold_out(plan)
    plan = plan.with_cuts_for((options.n_trees or MAX_TREES) - len(before))
    boosted = BoostedPrediction(plan, rows.matrix) if plan.learning_rate > 0 and rows is not None else None
    tracker = _choose_tracker(plan, options, rows, boosted, held_out)
    _follow(before, boosted, tracker)
    start, links = (None, None) if boosted is None else (boosted.loss.decode_start(), boosted.loss.links)
    trees = chain(before, _grow_on(plan, options, boosted, tracker, len(before)))
    forest = Forest.of(trees, plan.targets.schema, plan.learning_rate, start, links)
    if options.n_trees is None and boosted is not None and tracker is not None:
        best = int(np.argmin(tracker.errors)) + 1
        forest = Forest.of(forest.trees[:best], forest.schema, forest.learning_rate, forest.start, links)
    out_of_bag = tracker.prediction if isinstance(tracker, OutOfBag) else None
    return Grown(forest, None if tracker is None else tracker.curve(), out_of_bag)


def _follow(before: Sequence[NodeTable], boosted: BoostedPrediction | None, tracker: ErrorTracker | None) -> None:
    """Let the boosted prediction and the errors follow the trees that there are."""
    for number, tree in enumerate(before):
        if boosted is not None:
            boosted.follow(tree)
        if tracker is not None:
            tracker.add(number, tree)


def _hold_out(plan: Plan) -> tuple[Plan, NDArray[np.intp]]:
    """A plan that leaves out some rows, and these."""
    sampling = plan.sampling
    population, groups = sampling.population, sampling.groups
    if len(population) < 2:
        raise ValueError("n_estimators='auto' keeps rows to judge by and needs at least 2, got 1 sample: give a number")
    random = np.random.default_rng((plan.seed, HELD_OUT_DRAW))
    n_held_out = max(1, round(HELD_OUT * len(population)))
    if groups is None:
        is_held_out = np.zeros(len(population), bool)
        is_held_out[random.permutation(len(population))[:n_held_out]] = True
    else:
        is_held_out = hold_out_groups(groups[population], n_held_out, random)
    kept = replace(sampling, population=population[~is_held_out])
    n_drawn = max(1, round(sampling.n_drawn * kept.n_units / sampling.n_units))
    return replace(plan, sampling=replace(kept, n_drawn=n_drawn)), population[is_held_out]


def _choose_tracker(
    plan: Plan,
    options: GrowthOptions,
    rows: TrainingRows | None,
    boosted: BoostedPrediction | None,
    held_out: NDArray[np.intp],
) -> ErrorTracker | None:
    if boosted is not None:
        return HeldOutLoss(boosted, held_out, options.target_weights) if len(held_out) else None
    if rows is None or not (options.out_of_bag or options.n_trees is None):
        return None
    return OutOfBag(plan, rows.matrix, rows.truth, options.target_weights, options.voting)


def _grow_on(
    plan: Plan, options: GrowthOptions, boosted: BoostedPrediction | None, tracker: ErrorTracker | None, n_before: int
) -> Iterator[NodeTable]:
    """The trees after so many that there are."""
    if options.n_trees is None and tracker is not None and is_flat(tracker.errors):
        return
    numbers = range(n_before, MAX_TREES if options.n_trees is None else options.n_trees)
    with closing(_new_trees(plan, boosted, numbers, options.n_threads)) as new:
        shown = follow("trees", new, options.n_trees and len(numbers), options.shown)
        for number, tree in zip(numbers, shown, strict=True):
            yield tree
            if tracker is not None:
                tracker.add(number, tree)
                if options.n_trees is None and is_flat(tracker.errors):
                    break


def _new_trees(
    plan: Plan, boosted: BoostedPrediction | None, numbers: range, n_threads: int
) -> Generator[NodeTable, None, None]:
    yield from grow_independent(plan, numbers, n_threads) if boosted is None else map(boosted.grow, numbers)
