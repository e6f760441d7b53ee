"""How much each input does for each target in a forest: by impurity, and by shuffling it out of bag."""

import numpy as np
from numpy.typing import NDArray

from glade.core.threads import map_in_order
from glade.ensemble.error_trackers import target_errors
from glade.ensemble.forest import Forest
from glade.ensemble.growth import TrainingRows
from glade.ensemble.loop import Plan
from glade.grow.importance import target_gains, target_units, to_shares
from glade.grow.packed import PackedTrees


def input_gains(forest: Forest, n_inputs: int) -> NDArray[np.float64]:
    """For each input the impurity that splits on it took away.

    Independent trees count alike (the mean of their shares); boosted trees by what they took away.
    """
    gains = np.zeros(n_inputs)
    for tree in forest.trees:
        gain = np.bincount(tree.split_input, tree.split_gain, n_inputs)
        gains += gain if forest.learning_rate > 0 else gain / (gain.sum() or 1.0)
    return gains / (gains.sum() or 1.0)


def target_shares(forest: Forest, n_inputs: int, entropy: bool) -> NDArray[np.float64]:
    """Inputs x targets: the shares of the impurity that splits on the input took from a target.

    Trees count as in `input_gains`, but one that says nothing of a target does not count for it; a column of zeros
    where none says anything.
    """
    total = np.zeros((n_inputs, forest.schema.n_targets))
    units = target_units(forest.nodes.value, forest.schema)
    for tree in forest.trees:
        gains = target_gains(tree, forest.schema, n_inputs, entropy, units)
        total += gains if forest.learning_rate > 0 else to_shares(gains)
    return to_shares(total)


def permutation_rises(
    forest: Forest, plan: Plan, rows: TrainingRows, n_repeats: int, seed: int, n_threads: int = 1
) -> NDArray[np.float64]:
    """Inputs x targets: by how much a tree's out-of-bag error rises when an input is shuffled, mean over the trees.

    Errors are squared errors over the variance, and shares of wrong classes.
    """
    targets, n_inputs = plan.targets, rows.matrix.shape[1]

    def rise_of_tree(number: int) -> NDArray[np.float64]:
        random, tree = np.random.default_rng((seed, number)), forest.trees[number]
        packed = PackedTrees.of(tree)
        out = plan.sampling.out_of_bag(plan.draw(number))
        matrix, truth = rows.matrix[out], [values[out] for values in rows.truth]

        def errors() -> NDArray[np.float64]:
            prediction = tree.value[packed.find_leaves(matrix)[:, 0]]
            found = target_errors(prediction, truth, targets.channels.weight[out], targets.schema, targets.spread)
            return np.nan_to_num(found)

        usual = errors()
        rise = np.zeros((n_inputs, targets.n_targets))
        for j in np.unique(tree.split_input):
            own = matrix[:, j].copy()
            for _ in range(n_repeats):
                matrix[:, j] = random.permutation(own)
                rise[j] += (errors() - usual) / n_repeats
            matrix[:, j] = own
        return rise

    numbers = range(len(forest.trees))
    total = np.zeros((n_inputs, targets.n_targets))
    for rise in map_in_order(lambda stop: rise_of_tree, numbers, n_threads):
        total += rise
    return total / max(len(forest.trees), 1)
