"""What all multi-trees share: their common parameters, `fit`, and the methods of a fitted one."""

from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.errors import InputError
from glade.core.kinds import MULTITREE
from glade.core.parameters import check_parameters
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads
from glade.data.coding import code_inputs
from glade.data.weights import read_target_weights
from glade.ensemble.archetype import SIMILARITIES, Archetype, choose_tree, find_archetype
from glade.ensemble.fusion import estimate_shares, fuse
from glade.ensemble.multitree import WAKE, MultiTree, MultiTreeGrower
from glade.ensemble.regions import expect_nodes
from glade.ensemble.smoothing import mix_shares, read_smoothing, smooth_leaves
from glade.ensemble.synthetic_rows import DRAWN_BY_INPUT, Marginals
from glade.grow.importance import target_gains, target_units, to_shares
from glade.grow.node_table import NodeTable
from glade.models.base import Size
from glade.models.growing import MULTIWAY, NOMINAL_SPLITS, GrowingEstimator
from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor

if TYPE_CHECKING:
    from glade.explain.contributions import Explainer

Tree = TypeVar("Tree", TreeClassifier, TreeRegressor, MixedTree)  # the estimator of one of the trees

AT_LEAST_ONE = [Interval(Integral, 1, None, closed="left")]
M_ESTIMATE = [Interval(Real, 0.0, None, closed="neither"), None]
INVENTED_ROWS, ANALYTIC = "invented", "analytic"  # ways to compare trees with what all of them say
OF_ARCHETYPE = {
    "n_invented": AT_LEAST_ONE,
    "invented": [StrOptions(set(DRAWN_BY_INPUT))],
    "similarity": [StrOptions(set(SIMILARITIES))],
    "max_leaf_nodes": [*AT_LEAST_ONE, None],
    "how": [StrOptions({INVENTED_ROWS, ANALYTIC})],
    "random_state": ["random_state"],
}
OF_READING = (
    "schema_",
    "target_schema_",
    "n_outputs_",
    "n_features_in_",
    "feature_names_in_",
    "classes_",
    "n_classes_",
    "_target_library",
    "_target_names",
)


class MultiTreeEstimator(GrowingEstimator, Generic[Tree]):
    """The base of the multi-tree estimators: their common parameters, `fit`, and the methods of a fitted one."""

    kind = MULTITREE
    max_leaf_nodes = None  # this is no parameter, since every tree has another number of leaves
    m_estimate: float | None = None  # a parameter where there are classes
    _tree_kind: type[Tree]
    _parameter_constraints = {
        **{k: v for k, v in GrowingEstimator._parameter_constraints.items() if k != "max_leaf_nodes"},
        "n_alternatives": [Interval(Integral, 0, None, closed="left")],
        "wake": [StrOptions(set(WAKE))],
        "max_nodes": [*AT_LEAST_ONE, None],
        "max_depth": [*AT_LEAST_ONE, None],
        "nominal_splits": NOMINAL_SPLITS,
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_alternatives: int = 100,
        *,
        wake: str = "random",
        fusion: str = "mean",
        max_nodes: int | None = 1_000_000,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ):
        self.n_alternatives = n_alternatives
        self.wake = wake
        self.fusion = fusion
        self.max_nodes = max_nodes
        self.criterion = criterion
        self.max_bins = max_bins
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.f_test = f_test
        self.nominal_splits = nominal_splits
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow a first tree, then choose alternative splits and grow their branches.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs: a NumPy array, or a pandas, polars or pyarrow dataframe. Text, booleans and categories are
            nominal; missing values need no preparation.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows. Rows of weight zero are left out.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight)
            self._check_criterion(training.targets)
            target_weights = read_target_weights(self.target_weights, self.target_schema_.names)
            inputs = code_inputs(training.table, training.weights, self.max_bins)
            targets = self._encode_targets(training.targets, training.weights, target_weights)
            settings = self._growth_settings(
                training, max_depth=self.max_depth, multiway=self.nominal_splits == MULTIWAY
            )
            self.marginals_ = Marginals.of(training.table, training.weights)
            self.spread_ = targets.spread
            self.seed_ = draw_seed(self.random_state)
            del training  # it is as large as the table, and is not needed while the trees grow
            grower = MultiTreeGrower(inputs, targets, settings, self.wake, self.seed_, self.max_nodes)
            grower.grow(self.n_alternatives)
            self._keep(grower)
        return self

    def _keep(self, grower: MultiTreeGrower) -> None:
        self._growth = grower
        self.multitree_ = grower.to_multitree()
        self.n_alternatives_ = grower.n_woken

    def grow_more(self, n: int) -> Self:
        """Grow the branches of more alternative splits, with the same result as if all were grown at once.

        If it is interrupted, the estimator keeps the branches that are complete. A multi-tree that was loaded from a
        file has no training rows to grow on.

        Parameters
        ----------
        n : int
            The number of further alternatives. Fewer are grown if there are no more, or if `max_nodes` is reached;
            `n_alternatives_` is the number of all that were grown.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        check_is_fitted(self)
        check_parameters({"n": AT_LEAST_ONE}, {"n": n}, "grow_more")
        if not hasattr(self, "_growth"):
            raise InputError("a multi-tree from a model file has no training rows to grow on: fit it anew")
        try:
            self._growth.grow(n)
        finally:
            self._keep(self._growth)
        return self

    @property
    def n_solutions_(self) -> int:
        """The exact number of trees that it holds."""
        check_is_fitted(self)
        return self.multitree_.n_solutions

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        values = fuse(self.multitree_, matrix, self.fusion, count_threads(self.n_jobs), self.m_estimate)
        n_rows = read_smoothing(self.smoothing)
        part = n_rows / (n_rows + float(self.multitree_.nodes.weight[0])) if n_rows else 0.0
        return mix_shares(values, self.target_schema_, part)

    def archetype(
        self,
        X: Any = None,
        *,
        n_invented: int = 10_000,
        invented: str = "marginal",
        similarity: str = "kappa",
        max_leaf_nodes: int | None = None,
        how: str = INVENTED_ROWS,
        random_state: Any = None,
    ) -> Tree:
        """Return the tree, of all in the multi-tree, whose predictions are most similar to those of all together.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs), optional
            The rows on which predictions are compared, for example some that were kept from training. No targets are
            needed. By default synthetic rows are drawn.
        n_invented : int, default=10_000
            The number of synthetic rows.
        invented : {"marginal", "uniform"}, default="marginal"
            How each input of a synthetic row is drawn: from its training values, or uniformly from its range or its
            categories. Either way it is missing as often as in training.
        similarity : {"kappa", "theta", "q"}, default="kappa"
            The similarity of two classifiers: Cohen's kappa (agreement beyond chance), the fraction of rows on which
            they agree, or Yule's Q statistic, averaged over several targets. For numeric targets each of these is 1 -
            the relative squared difference.
        max_leaf_nodes : int, optional
            The largest number of leaves. Branches may then be cut back, and of all trees of that size the one that
            agrees most is returned.
        how : {"invented", "analytic"}, default="invented"
            Whether predictions are compared on rows, or "analytic": on the regions of the nodes, over which what all
            trees say is added up exactly, with the training rows' share of each region and each input's distribution
            within it. It draws nothing, and needs fusion "mean" or "gain".
        random_state : int, RandomState instance or None, default=None
            The seed for the synthetic rows. None means the multi-tree's own seed.

        Returns
        -------
        TreeRegressor, TreeClassifier or MixedTree
            A fitted tree. Its `similarity_` is its similarity to the multi-tree on the rows of the comparison.
        """
        check_is_fitted(self)
        given = {
            "n_invented": n_invented,
            "invented": invented,
            "similarity": similarity,
            "max_leaf_nodes": max_leaf_nodes,
            "how": how,
            "random_state": random_state,
        }
        check_parameters(OF_ARCHETYPE, given, "archetype")
        multitree = replace(self.multitree_, schema=self.target_schema_)  # whose decisions may have changed since
        told = smooth_leaves(multitree.nodes, self.target_schema_, self.smoothing)
        if how == ANALYTIC:
            if X is not None:
                raise InputError("how='analytic' compares regions, not rows: leave X out, or set how='invented'")
            sayings = expect_nodes(self._estimate(multitree), self.marginals_, self.fusion, told)
            return self._to_archetype(choose_tree(multitree, sayings, similarity, max_leaf_nodes))
        if X is None:
            seed = self.seed_ if random_state is None else draw_seed(random_state)
            matrix = self.marginals_.draw(n_invented, invented, np.random.default_rng(seed))
        else:
            matrix = self.encode(X)
        values = self.predict_values(matrix)
        found = find_archetype(multitree, matrix, values, similarity, max_leaf_nodes, node_values=told)
        return self._to_archetype(found)

    def _estimate(self, multitree: MultiTree) -> MultiTree:
        """The multi-tree with what its leaves bring to a fusion."""
        if self.m_estimate is None:
            return multitree
        return replace(multitree, nodes=replace(multitree.nodes, value=estimate_shares(multitree, self.m_estimate)))

    def _to_archetype(self, found: Archetype) -> Tree:
        tree = self._to_tree(found.tree)
        tree.similarity_ = found.similarity
        return tree

    def occam(self) -> Tree:
        """Return the tree with the fewest leaves of all in the multi-tree.

        Returns
        -------
        TreeRegressor, TreeClassifier or MixedTree
            A fitted tree.
        """
        check_is_fitted(self)
        return self._to_tree(self.multitree_.smallest())

    def first(self) -> Tree:
        """Return the tree that was grown first, the one that a tree estimator would have grown.

        Returns
        -------
        TreeRegressor, TreeClassifier or MixedTree
            A fitted tree.
        """
        check_is_fitted(self)
        return self._to_tree(self.multitree_.first())

    def _to_tree(self, nodes: NodeTable) -> Tree:
        known = self._tree_kind._get_param_names()
        tree = self._tree_kind(**{k: v for k, v in self.get_params(deep=False).items() if k in known})
        for name in OF_READING:
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        tree.tree_, tree.spread_, tree.ccp_alpha_ = nodes, self.spread_, 0.0
        return tree

    def make_explainer(self) -> "Explainer":
        raise InputError("a multi-tree is explained by one of its trees: model.archetype().explain(X)")

    @property
    def size_(self) -> Size:
        """The numbers of nodes and leaves."""
        check_is_fitted(self)
        return Size(nodes=self.multitree_.nodes.n_nodes, leaves=self.multitree_.nodes.n_leaves)

    @property
    def _split_weights(self) -> NDArray[np.float64]:
        """The weight of each split, if the splits of a node share its weight equally."""
        tree = self.multitree_
        return tree.node_weights(tree.even_shares)[tree.nodes.split_node] * tree.even_shares

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each input: the fraction of the explained impurity that its splits explain."""
        check_is_fitted(self)
        nodes = self.multitree_.nodes
        gain = np.bincount(nodes.split_input, nodes.split_gain * self._split_weights, len(self.schema_.names))
        return gain.astype(float) / (gain.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """The importances of inputs (rows) for each target (columns), as a dataframe.

        It is the fraction of a target's explained impurity that splits on the input explain.
        """
        import pandas as pd

        check_is_fitted(self)
        nodes, targets = self.multitree_.nodes, self.target_schema_
        units, weights = target_units(nodes.value, targets), self._split_weights
        gains = target_gains(nodes, targets, len(self.schema_.names), self._judges_by_entropy, units, weights)
        return pd.DataFrame(to_shares(gains), index=list(self.schema_.names), columns=list(targets.names))
