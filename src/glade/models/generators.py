"""The forests that a rule ensemble takes its candidate rules from, if it is given none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from glade.core.parameters import check_parameters
from glade.models.ensemble import ForestEstimator
from glade.models.foreign import ForeignForest
from glade.models.foreign_trees import is_foreign

MAX_CANDIDATES = 2_500  # terms that our own ways find weights for, taken from more
MAX_UNLIMITED = 7_000  # the same where neither the user nor the rows limit their number
MAX_OF_FEW_ROWS = 5_000  # the same with fewer rows than terms, whose weights then cost next to nothing
MANY_ROWS = 2_000
LARGEST_SINGLE = 101  # leaves of the one tree that small models are compared with
SMALL_STEP = 0.02  # of boosted trees that take the place of independent ones
MOST_DRAWN = 300  # inputs at a node: of 10,000 a third would take minutes, and find the same again and again
FEW_INPUTS = 4  # of a table: a node that draws some of them has next to no choice, so it has all


def count_candidates(y: NDArray[np.float64], is_limited: bool) -> int:
    """How many terms there is room for: more than anyone reads, if no limit is set and the rows bear them.

    Targets that are known in different rows need sums of products of their own, of all terms with all terms.
    """
    known = ~np.isnan(y)
    known_together = bool((known == known[:, :1]).all())
    if is_limited or not known_together:
        return MAX_CANDIDATES
    if len(y) <= MAX_CANDIDATES:
        return MAX_OF_FEW_ROWS
    return MAX_UNLIMITED if int(known[:, 0].sum()) > MAX_UNLIMITED else MAX_CANDIDATES


def make_generators(
    forest_class: type[ForestEstimator], n_rows: int, n_inputs: int, n_candidates: int
) -> list[ForestEstimator]:
    """Small and large trees, half of them grown independently, half boosted: each grown to what those before it left.

    With more rows than candidates, terms are what limits a model: then mostly large trees, each of which adds to those
    before it. Many rows can bear one large tree by itself, which few rules may find it hard to beat.
    """
    many_leaves, few_rows = min(max(n_rows // 100, 10), 40), max(2, min(n_rows // 100, 10))
    shared: dict[str, Any] = {"max_bins": 255, "max_depth": None, "min_samples_leaf": few_rows}
    third, half = _choose_draws(n_inputs)

    def grown(n_trees: int, n_leaves: int) -> ForestEstimator:
        depth = float(np.log2(n_leaves) + 0.7)
        return forest_class(n_trees, max_features=third, random_size="depth", mean_size=depth, **shared)

    def boosted(n_trees: int, n_leaves: int, rate: float = 0.1, share: float = 0.5) -> ForestEstimator:
        how: dict[str, Any] = {"method": "boosting", "learning_rate": rate, "max_samples": share, **shared}
        size: dict[str, Any] = {"random_size": "leaves", "mean_size": float(n_leaves)}
        return forest_class(n_trees, max_features=half, **size, **how)

    def boosted_alike(n_rules: int, n_leaves: int) -> ForestEstimator:
        """All of one size: their leaves fill the room there is, and none has to be left out."""
        size = {"random_size": None, "max_leaf_nodes": n_leaves, "min_samples_leaf": 3}
        return boosted(n_rules // n_leaves, n_leaves, share=0.8).set_params(**size)

    if n_rows <= MAX_CANDIDATES:
        n_large, is_wide = 1_500 // many_leaves, n_candidates > MAX_CANDIDATES
        forests = [
            grown(50 if is_wide else 100, 5),
            boosted(100, 5),
            grown(n_large // 2 if is_wide else n_large, many_leaves),
            boosted(2 * n_large if is_wide else n_large, many_leaves),
        ]
    elif n_candidates <= MAX_CANDIDATES:
        forests = [
            grown(30, 5),
            boosted(20, 10, rate=0.2),
            boosted(2_000 // many_leaves, many_leaves, rate=0.15, share=0.8),
        ]
    else:
        forests = [grown(30, 5), boosted(20, 10, rate=0.2), boosted_alike(17 * n_candidates // 20, 80)]
    one = forest_class(1, method="bagging", bootstrap=False, max_bins=255, max_leaf_nodes=LARGEST_SINGLE)
    return [*forests, one] if n_rows >= MANY_ROWS else forests


def _choose_draws(n_inputs: int) -> tuple[Any, Any]:
    """How many inputs a node of independent trees draws, and one of boosted trees: of very many inputs no more."""
    if n_inputs <= FEW_INPUTS:
        return None, None
    return "third" if n_inputs <= 3 * MOST_DRAWN else MOST_DRAWN, 0.5 if n_inputs <= 2 * MOST_DRAWN else MOST_DRAWN


def lower_loss(forests: Sequence[ForestEstimator], loss: str, quantile: float) -> Sequence[ForestEstimator]:
    """Forests whose trees lower a loss other than the squared error: all of them boosted, if by small steps.

    Trees that know nothing of one another have means in their leaves, which a few faulty readings would decide.
    """
    for forest in forests:
        if forest.method != "boosting":
            is_single = forest.n_estimators == 1
            forest.set_params(method="boosting", learning_rate=1.0 if is_single else SMALL_STEP)
            forest.set_params(bootstrap="auto", max_samples=None if is_single else 0.5)
        forest.set_params(loss=loss, quantile=quantile)
    return forests


def read_generators(
    given: Any, forest_class: type[ForestEstimator], seed: int, shared: dict[str, Any], n_rows: int
) -> list[Any]:
    """The forests to grow, copied, their parameters checked, each with a seed of its own; those of others as they are.

    Parameters
    ----------
    given
        A forest, or a list of them.
    forest_class
        The forests of the same kinds of targets.
    seed
        Of the fit.
    shared
        Parameters that all of them have from the rule ensemble.
    n_rows
        Of the table.
    """
    all_given = given if isinstance(given, list) else [given]
    forests = [ForeignForest(own, n_rows) if is_foreign(own) else clone(own) for own in all_given]
    if not forests:
        raise ValueError("generator is an empty list: give a forest, several, or None")
    for k, forest in enumerate(forests):
        if isinstance(forest, ForeignForest):
            continue
        if not isinstance(forest, forest_class):
            expected, found = forest_class.__name__, type(forest).__name__
            raise TypeError(f"generator must be a forest for targets of the same kind, a {expected}, but is a {found}")
        check_parameters(forest._parameter_constraints, forest.get_params(deep=False), type(forest).__name__)
        own = int(np.random.SeedSequence((seed, k)).generate_state(1)[0]) if k else seed
        forest.set_params(random_state=own, **shared)
    return forests
