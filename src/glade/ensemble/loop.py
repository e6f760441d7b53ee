"""The one loop behind bagging, random forests, extra trees, ISLE and boosting.

    F_0 = argmin_c L(y, c)
    for m in 1..M:
        S_m = a sample of the rows
        T_m = a tree grown on S_m to the negative gradient of L at F_{m-1}      (nu = 0: to y)
        c_m = argmin_c L(y, F_{m-1} + c * T_m) over S_m         (if asked for; else 1, as it is with squared errors)
        F_m = F_{m-1} + nu * c_m * T_m

With nu = 0 a tree depends on no other one: they grow in threads. Tree m's draws come from (seed, m) alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from glade.core.threads import map_in_order
from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.ensemble.losses import BoostingLoss
from glade.ensemble.sampling import Sampling, TreeSample
from glade.grow.coded_trees import CodedTree, keep_signs
from glade.grow.grower import Grower, GrowthSettings, compile_growth
from glade.grow.node_table import NodeTable
from glade.losses.base import Loss
from glade.losses.squared import Squared

SQUARED = Squared.of(None)


@dataclass(frozen=True)
class Plan:
    """All that determines the trees of an ensemble; tree m is a function of the plan and of m (and of those before it,
    if nu is not 0)."""

    inputs: CodedInputs
    targets: EncodedTargets
    settings: GrowthSettings
    sampling: Sampling
    seed: int
    learning_rate: float = 0.0  # nu; 0: trees do not depend on one another
    of_numbers: Loss = SQUARED  # what boosting lowers, of each numeric target
    fits_step: bool = False  # of boosted trees: each is multiplied by its own factor of least loss

    def draw(self, number: int) -> TreeSample:
        """What the tree of this number is given."""
        return self.sampling.draw(self.seed, number)

    def make_grower(self, targets: EncodedTargets) -> Grower:
        most = len(self.sampling.population)
        return Grower(self.inputs, targets, self.settings, most, weighted=self.sampling.bootstrap)

    @property
    def n_leaves_at_most(self) -> int:
        """Of a tree, by the rows and the limits for all trees."""
        depth, leaves = self.settings.max_depth, self.settings.max_leaf_nodes
        most = len(self.sampling.population)
        if depth is not None and depth < most.bit_length():
            most = min(most, 1 << depth)
        return min(most, leaves or most)

    def with_cuts_for(self, n_trees: int) -> "Plan":
        """The plan with all cuts made at once, if so many trees will need most of them anyway."""
        if n_trees * self.n_leaves_at_most < len(self.inputs.columns.low):
            return self
        return replace(self, inputs=self.inputs.with_all_cuts())

    def grow_one(self, grower: Grower, sample: TreeSample) -> CodedTree:
        """A tree on its sample, with the smaller of the limits for all trees and its own."""
        settings = self.settings
        if sample.max_depth is not None or sample.max_leaf_nodes is not None:
            settings = settings._replace(
                max_depth=_smaller(settings.max_depth, sample.max_depth),
                max_leaf_nodes=_smaller(settings.max_leaf_nodes, sample.max_leaf_nodes),
            )
        return grower.grow_coded(sample.rows, sample.weights, sample.seed, sample.inputs, settings)


def _smaller(limit: int | None, own: int | None) -> int | None:
    """The smaller of two limits; None is no limit."""
    given = [k for k in (limit, own) if k is not None]
    return min(given) if given else None


def grow_independent(plan: Plan, numbers: range, n_threads: int = 1) -> Iterator[NodeTable]:
    """The trees of these numbers, in order; they do not depend on the number of threads."""
    compile_growth()

    def make_worker(stop: Event) -> Callable[[int], NodeTable]:
        grower = plan.make_grower(plan.targets)
        grower.stop = stop
        return lambda number: grower.store(plan.grow_one(grower, plan.draw(number)))

    return map_in_order(make_worker, numbers, n_threads)


class BoostedPrediction:
    """F, what an ensemble predicts for its own training rows, as it grows; of numbers less their mean.

    Parameters
    ----------
    plan
        With nu above 0.
    matrix
        The training inputs, encoded.
    """

    def __init__(self, plan: Plan, matrix: NDArray[np.float64]):
        compile_growth()
        self.plan, self.loss, self._matrix = plan, BoostingLoss(plan.targets, plan.of_numbers), matrix
        self.prediction = np.tile(self.loss.first, (len(matrix), 1))
        channels = plan.targets.channels
        self._gradient = np.zeros_like(channels.y)
        numeric = np.ones_like(channels.numeric)  # the gradient is a number also where the target is nominal
        self._targets = replace(self.loss.scored, channels=channels._replace(y=self._gradient, numeric=numeric))
        self._grower = plan.make_grower(self._targets)
        self._leaves = np.empty(len(matrix), np.int32)

    def grow(self, number: int) -> NodeTable:
        """The next tree, which has this number. F takes its step."""
        from glade.grow._route import route_codes

        self.loss.fill_gradient(self.prediction, self._gradient)
        sample = self.plan.draw(number)
        tree = self.plan.grow_one(self._grower, sample)
        route_codes(self.plan.inputs.columns, tree.nodes, tree.pool, self._leaves)
        own = self.plan.targets.channels.weight if sample.weights is None else sample.weights
        self.loss.step(tree, self._leaves, self.prediction, self._gradient, own, sample.rows)
        if self.plan.fits_step:
            self.loss.fit_step(tree, self._leaves, self.prediction, own, sample.rows)
        if self.plan.settings.signs is not None:
            keep_signs(tree, self.plan.settings.signs)
        self._add(tree.value, self._leaves)
        return self._grower.store(tree)

    def follow(self, tree: NodeTable) -> None:
        """Take the step of a tree that was grown before."""
        value = np.ldexp(tree.value, -self._targets.exponent)  # back to the channels' scale, exactly
        self._add(value, tree.route(self._matrix))

    def _add(self, value: NDArray[np.float64], leaves: NDArray[np.int32]) -> None:
        self.prediction += (self.plan.learning_rate * value)[leaves]
