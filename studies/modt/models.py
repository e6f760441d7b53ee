"""The methods as the source ran them. It does not say all of that; the sizes it prints tell the rest.

- A leaf holds at least two *draws* of the bootstrap, of the same row perhaps.
- Where none of the drawn inputs can split a node, the node is a leaf.
- Of classification trees, sibling leaves that predict the same classes are counted as one.
- The variances of numeric targets are added up as they are.

`readings` shows what the sizes would be otherwise.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from glade.data.targets import CLASSIFICATION, TargetSchema
from glade.ensemble.forest import to_votes
from glade.grow.grower import GrowthSettings
from glade.grow.node_table import NodeTable
from glade.models.base import Size, TrainingSet
from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor

TREE, BAGGING, FOREST, PRUNED = "tree", "bagging", "forest", "pruned tree"
BOOSTING, BOOSTING_EACH = "boosting", "boosting per target"  # further work of the source
TREES_EACH, BAGGING_EACH, FOREST_EACH = "tree per target", "bagging per target", "forest per target"
SIZED = (BAGGING, BAGGING_EACH, FOREST, FOREST_EACH)  # in the order of Table 4


class _LeavesOfTwoDraws:
    """Limits leaves by the weight a bootstrap gives its rows, not by their number."""

    def _growth_settings(self, training: TrainingSet, **more: Any) -> GrowthSettings:
        settings: GrowthSettings = super()._growth_settings(training, **more)  # type: ignore[misc]
        between_one_and_two = 1.5 / training.table.n_rows  # draws are whole: so much of the weight is at least two
        return settings._replace(min_weight_fraction_leaf=between_one_and_two)


class SourceRegressor(_LeavesOfTwoDraws, ForestRegressor):
    """A forest of regression trees as the source grows them."""


class ClassifierOfTwoDraws(_LeavesOfTwoDraws, ForestClassifier):
    """A forest of classification trees as the source grows them."""


class SourceClassifier(ClassifierOfTwoDraws):
    """A forest of classification trees as the source grows and counts them."""

    @property
    def size_(self) -> Size:
        """Trees, nodes and leaves, after leaves that say the same are joined."""
        counts = [count_distinct_leaves(tree, forest.schema) for forest in self.forests_ for tree in forest.trees]
        return Size(trees=len(counts), nodes=2 * sum(counts) - len(counts), leaves=sum(counts))


def count_distinct_leaves(tree: NodeTable, schema: TargetSchema) -> int:
    """The leaves of a tree in which siblings that predict the same classes are one leaf, from the bottom up."""
    votes = to_votes(tree.value, schema)
    is_leaf = tree.is_leaf.copy()
    n_joined = 0
    for splits in reversed(tree.splits_by_level()):
        left = tree.split_left[splits]
        same: NDArray[np.bool_] = (votes[left] == votes[left + 1]).all(axis=1)
        joined = is_leaf[left] & is_leaf[left + 1] & same
        is_leaf[tree.split_node[splits[joined]]] = True
        n_joined += int(np.count_nonzero(joined))
    return tree.n_leaves - n_joined


class Kind(NamedTuple):
    """What differs between the two tasks."""

    forest: type[SourceRegressor] | type[SourceClassifier]
    tree: type[TreeRegressor] | type[TreeClassifier]
    boosted: type[ForestRegressor] | type[ForestClassifier]
    criterion: str


def make_models(task: str, n_trees: int) -> dict[str, BaseEstimator]:
    """All methods of the study, and a pruned tree."""
    kind = (
        Kind(SourceClassifier, TreeClassifier, ForestClassifier, "entropy")
        if task == CLASSIFICATION
        else Kind(SourceRegressor, TreeRegressor, ForestRegressor, "variance")
    )
    common: dict[str, Any] = {"criterion": kind.criterion, "max_bins": None, "on_no_split": "leaf"}
    boosted: dict[str, Any] = {"n_estimators": n_trees, "method": "boosting"}
    if task != CLASSIFICATION:
        common["standardise_targets"] = boosted["standardise_targets"] = False
    one_tree = {**common, "n_estimators": 1, "method": "bagging", "bootstrap": False}
    bagging = {**common, "n_estimators": n_trees, "method": "bagging"}
    forest = {**common, "n_estimators": n_trees, "method": "random_forest", "max_features": "log2+1"}
    return {
        PRUNED: kind.tree(criterion=kind.criterion, max_bins=None, min_samples_leaf=2, ccp_alpha="cv"),
        TREE: kind.forest(**one_tree),
        TREES_EACH: kind.forest(**one_tree, per_target=True),
        BAGGING: kind.forest(**bagging),
        BAGGING_EACH: kind.forest(**bagging, per_target=True),
        FOREST: kind.forest(**forest),
        FOREST_EACH: kind.forest(**forest, per_target=True),
        BOOSTING: kind.boosted(**boosted),
        BOOSTING_EACH: kind.boosted(**boosted, per_target=True),
    }


def make_mixed_models(n_trees: int) -> dict[str, BaseEstimator]:
    """The same for numeric and nominal targets at once, with the defaults of ours."""
    bagging: dict[str, Any] = {"n_estimators": n_trees, "method": "bagging"}
    forest: dict[str, Any] = {"n_estimators": n_trees, "max_features": "log2+1"}
    boosted: dict[str, Any] = {"n_estimators": n_trees, "method": "boosting"}
    return {
        PRUNED: MixedTree(min_samples_leaf=2, ccp_alpha="cv"),
        BAGGING: MixedForest(**bagging),
        BAGGING_EACH: MixedForest(**bagging, per_target=True),
        FOREST: MixedForest(**forest),
        FOREST_EACH: MixedForest(**forest, per_target=True),
        BOOSTING: MixedForest(**boosted),
        BOOSTING_EACH: MixedForest(**boosted, per_target=True),
    }
