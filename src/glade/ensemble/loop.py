"""The one loop behind bagging, random forests, extra trees, ISLE and boosting.

    F_0 = argmin_c L(y, c)
    for m in 1..M:
        S_m = a sample of the rows
        T_m = a tree grown on S_m to the negative gradient of L at F_{m-1}      (nu = 0: to y)
        F_m = F_{m-1} + nu * T_m

With nu = 0 a tree depends on no other one: they grow in threads. Tree m's draws come from (seed, m) alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from glade.core.threads import map_in_order
from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.ensemble.losses import Loss
from glade.ensemble.sampling import Sampling, TreeSample
from glade.grow.grower import Grower, GrowthSettings, compile_kernel
from glade.grow.node_table import NodeTable


@dataclass(frozen=True)
class Plan:
    """All that determines the trees of an ensemble; tree m is a function of the plan and of m (and of those before it,
    if nu is not 0)."""

    inputs: CodedInputs
    targets: EncodedTargets
    settings: GrowthSettings
    sampling: Sampling
    seed: int
    memory: float = 0.0  # nu

    def draw(self, number: int) -> TreeSample:
        """What the tree of this number is given."""
        return self.sampling.draw(self.seed, number)

    def make_grower(self, targets: EncodedTargets) -> Grower:
        most = len(self.sampling.population)
        return Grower(self.inputs, targets, self.settings, most, weighted=self.sampling.bootstrap)

    def word_cuts_for(self, n_trees: int) -> None:
        """Make all cuts at once, if so many trees will need most of them anyway."""
        depth, leaves = self.settings.max_depth, self.settings.max_leaf_nodes
        n_splits = len(self.sampling.population)
        if depth is not None and depth < n_splits.bit_length():
            n_splits = 1 << depth
        if n_trees * min(n_splits, leaves or n_splits) >= len(self.inputs.columns.low):
            self.inputs.word_all_cuts()

    def grow_one(self, grower: Grower, sample: TreeSample) -> NodeTable:
        """A tree on its sample, with the smaller of the limits for all trees and its own."""
        settings = self.settings._replace(
            max_depth=_smaller(self.settings.max_depth, sample.max_depth),
            max_leaf_nodes=_smaller(self.settings.max_leaf_nodes, sample.max_leaf_nodes),
        )
        return grower.grow(sample.rows, sample.weights, sample.seed, sample.inputs, settings)


def _smaller(limit: int | None, own: int | None) -> int | None:
    """The smaller of two limits; None is no limit."""
    given = [k for k in (limit, own) if k is not None]
    return min(given) if given else None


def grow_independent(plan: Plan, numbers: Sequence[int], n_threads: int = 1) -> Iterator[NodeTable]:
    """The trees of these numbers, in order; they do not depend on the number of threads."""
    compile_kernel()

    def make_worker(stop: Event) -> Callable[[int], NodeTable]:
        grower = plan.make_grower(plan.targets)
        grower.stop = stop
        return lambda number: plan.grow_one(grower, plan.draw(number))

    return map_in_order(make_worker, numbers, n_threads)


class Memory:
    """F, what an ensemble predicts for its own training rows, as it grows.

    Parameters
    ----------
    plan
        With nu above 0.
    matrix
        The training inputs, encoded.
    """

    def __init__(self, plan: Plan, matrix: NDArray[np.float64]):
        compile_kernel()
        self.plan, self.loss, self._matrix = plan, Loss(plan.targets), matrix
        self.start = self.loss.start()
        self.prediction = np.tile(self.start, (len(matrix), 1))
        channels = plan.targets.channels
        self._gradient = np.zeros_like(channels.y)
        numeric = np.ones_like(channels.numeric)  # the gradient is a number also where the target is nominal
        self._targets = replace(plan.targets, channels=channels._replace(y=self._gradient, numeric=numeric))
        self._grower = plan.make_grower(self._targets)

    def grow(self, number: int) -> NodeTable:
        """The next tree, which has this number. F takes its step."""
        self.loss.fill_gradient(self.prediction, self._gradient)
        sample = self.plan.draw(number)
        tree = self.plan.grow_one(self._grower, sample)
        leaves = tree.route(self._matrix)
        weights = np.zeros(len(leaves))
        own = self.plan.targets.channels.weight if sample.weights is None else sample.weights
        weights[sample.rows] = own[sample.rows]
        tree = self.loss.step(tree, leaves, self._gradient, weights)
        self._add(tree, leaves)
        return tree

    def follow(self, tree: NodeTable) -> None:
        """Take the step of a tree that was grown before."""
        self._add(tree, tree.route(self._matrix))

    def _add(self, tree: NodeTable, leaves: NDArray[np.int32]) -> None:
        value = np.ldexp(tree.value, -self.plan.targets.exponent)  # back to the channels' scale, exactly
        self.prediction += (self.plan.memory * value)[leaves]
