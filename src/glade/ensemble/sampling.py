"""What each tree of an ensemble is given: its rows, its inputs, its size.

All of it is drawn from the seed and the tree's number alone, so it can be drawn again: for out-of-bag rows, to grow
more trees later, and in any order.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAVES, DEPTH = "leaves", "depth"
DEFAULT_MEAN_SIZE = {LEAVES: 4.0, DEPTH: 3.0}


class TreeSample(NamedTuple):
    """The draw for one tree."""

    rows: NDArray[np.intp]  # ascending, each once
    weights: NDArray[np.float64] | None  # per row of the table; None: the rows' own
    inputs: NDArray[np.intp] | None  # None: all
    max_depth: int | None  # None: no limit of this tree's own
    max_leaf_nodes: int | None
    seed: int  # for what is drawn at its nodes


@dataclass(frozen=True)
class Sampling:
    """How trees are given rows, inputs and sizes.

    Parameters
    ----------
    population
        The rows to draw from, ascending.
    weights
        A weight for each row of the table. With replacement, rows are drawn in proportion to it.
    n_drawn
        How many rows to draw; with groups, how many groups.
    bootstrap
        With replacement, or without.
    n_inputs, inputs_per_tree
        The number of inputs, and how many of them a tree may use.
    random_size
        None, "leaves" or "depth".
    mean_size
        The mean number of leaves or the mean depth.
    groups
        For each row of the table the number of its group, if whole groups are drawn. All have the same chance, and the
        rows of one that is drawn twice count twice what they weigh.
    """

    population: NDArray[np.intp]
    weights: NDArray[np.float64]
    n_drawn: int
    bootstrap: bool
    n_inputs: int
    inputs_per_tree: int
    random_size: str | None = None
    mean_size: float = 4.0
    groups: NDArray[np.int64] | None = None
    # What is made from these, once: threads share it.
    _shares: NDArray[np.float64] = field(init=False, repr=False)  # running sums of weights; empty where all are alike
    _members: NDArray[np.int64] = field(init=False, repr=False)  # per row of the population: the place of its group

    def __post_init__(self) -> None:
        weights = self.weights[self.population]
        shares = np.empty(0) if (weights == weights[:1]).all() else np.cumsum(weights)
        groups = np.empty(0, np.int64) if self.groups is None else self.groups[self.population]
        object.__setattr__(self, "_shares", shares)
        object.__setattr__(self, "_members", np.unique(groups, return_inverse=True)[1])

    @property
    def leaves_rows_out(self) -> bool:
        """Whether a tree has rows out of bag."""
        return self.bootstrap or self.n_drawn < self.n_units

    @property
    def n_units(self) -> int:
        """Among how many rows, or groups, a draw chooses."""
        return len(self.population) if self.groups is None else self._n_groups

    @property
    def _n_groups(self) -> int:
        return int(self._members.max(initial=-1)) + 1

    def draw(self, seed: int, tree: int) -> TreeSample:
        """The draw for the tree of this number."""
        from glade.ensemble import _sample as kernel

        random = np.empty(1, np.uint64)
        kernel.start_state(seed, tree, random)
        rows, weights = self._draw_rows(random)
        inputs = None
        if self.inputs_per_tree < self.n_inputs:
            inputs = np.empty(self.inputs_per_tree, np.intp)
            kernel.draw_without_replacement(random, self.n_inputs, inputs)
        max_depth = max_leaf_nodes = None
        if self.random_size == LEAVES:
            max_leaf_nodes = draw_leaves(self.mean_size, kernel.draw_exponential(random))
        elif self.random_size == DEPTH:
            max_depth = draw_depth(self.mean_size, kernel.draw_exponential(random))
        return TreeSample(rows, weights, inputs, max_depth, max_leaf_nodes, kernel.draw_word(random))

    def _draw_rows(self, random: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
        from glade.ensemble import _sample as kernel

        if self.groups is not None:
            return self._draw_groups(random)
        if self.bootstrap:
            counts, rows = np.zeros(len(self.population), np.uint32), np.empty_like(self.population)
            weights = np.zeros(len(self.weights))
            n_found = kernel.draw_with_replacement(
                random, self.n_drawn, self.population, self._shares, counts, rows, weights
            )
            return rows[:n_found], weights
        if self.n_drawn >= len(self.population):
            return self.population, None
        chosen = np.empty(self.n_drawn, np.intp)
        kernel.draw_without_replacement(random, len(self.population), chosen)
        return self.population[chosen], None

    def _draw_groups(self, random: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
        """The rows of whole groups; with replacement, with what each then weighs."""
        from glade.ensemble import _sample as kernel

        n_groups = self._n_groups
        if self.bootstrap:
            every, chosen, times = np.arange(n_groups), np.empty(n_groups, np.intp), np.zeros(n_groups)
            counts = np.zeros(n_groups, np.uint32)
            kernel.draw_with_replacement(random, self.n_drawn, every, np.empty(0), counts, chosen, times)
            weights = np.zeros(len(self.weights))
            weights[self.population] = times[self._members] * self.weights[self.population]
            return self.population[times[self._members] > 0], weights
        if self.n_drawn >= n_groups:
            return self.population, None
        chosen = np.empty(self.n_drawn, np.intp)
        kernel.draw_without_replacement(random, n_groups, chosen)
        return self.population[np.isin(self._members, chosen)], None

    def out_of_bag(self, sample: TreeSample) -> NDArray[np.intp]:
        """The rows of the table that a tree did not see; with groups, those of whose group it saw no row."""
        if self.groups is not None:
            return np.flatnonzero(~np.isin(self.groups, self.groups[sample.rows]))
        unseen = np.ones(len(self.weights), bool)
        unseen[sample.rows] = False
        return np.flatnonzero(unseen)


def count_drawn(max_samples: int | float | None, weights: NDArray[np.float64], bootstrap: bool) -> int:
    """How many rows a tree draws: a number, or a share of all rows (None: all).

    Drawn with replacement, a row of a whole weight counts as so many rows: repeating a row and weighing it are then
    the same. Weights that are not whole say nothing of how many rows there are.

    >>> count_drawn(0.5, np.ones(9), bootstrap=False), count_drawn(None, np.array([1.0, 3.0]), bootstrap=True)
    (4, 4)
    """
    if max_samples is not None and not isinstance(max_samples, float):
        return int(max_samples)
    n_rows = len(weights)
    if bootstrap and (weights == np.floor(weights)).all() and weights.max() < 2**31:
        n_rows = int(weights.sum()) // int(np.gcd.reduce(weights.astype(np.int64)))
    share = 1.0 if max_samples is None else float(max_samples)
    return max(1, round(share * n_rows))


def count_drawn_groups(max_samples: int | float | None, n_groups: int, n_rows: int) -> int:
    """How many groups a tree draws: the same share of all groups as `max_samples` is of all rows (None: all).

    >>> count_drawn_groups(0.5, 9, 900), count_drawn_groups(100, 9, 900), count_drawn_groups(None, 9, 900)
    (4, 1, 9)
    """
    share = 1.0 if max_samples is None else max_samples if isinstance(max_samples, float) else max_samples / n_rows
    return max(1, round(share * n_groups))


def draw_leaves(mean: float, exponential: float) -> int:
    """A number of leaves, 2 + floor(Exp(mean - 2)), as RuleFit draws it, from a standard exponential draw."""
    return 2 + int((mean - 2.0) * exponential)


def draw_depth(mean: float, exponential: float) -> int:
    """A limit on depth, as FIRE draws it: ceil(log2 m), m = 2 + (L - 2) / ln(L - 2) * exponential, L = 2 ** mean.

    >>> draw_depth(3.0, 0.1), draw_depth(3.0, 1.0), draw_depth(3.0, 4.0)
    (2, 3, 4)
    """
    spare = 2.0**mean - 2.0
    leaves = 2.0 + spare / np.log(spare) * exponential
    return max(1, int(np.ceil(np.log2(leaves))))
