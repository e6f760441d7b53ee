"""Multi-trees for numeric and nominal targets."""

from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.errors import InputError
from glade.core.kinds import MULTITREE
from glade.core.parameters import check_parameters, set_defaults
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads
from glade.data.coding import code_inputs
from glade.data.weights import read_target_weights
from glade.ensemble.archetype import SIMILARITIES, find_archetype
from glade.ensemble.fusion import FUSIONS, FUSIONS_OF_NUMBERS, fuse
from glade.ensemble.invented import INVENTED, Marginals
from glade.ensemble.multitree import WAKE, MultiTreeGrower
from glade.grow.importance import target_gains, target_units, to_shares
from glade.grow.node_table import NodeTable
from glade.models.base import ClassificationOutput, RegressionOutput, Size
from glade.models.growing import GrowingEstimator
from glade.models.tree import TreeClassifier, TreeRegressor

if TYPE_CHECKING:
    from glade.explain.contributions import Explainer

AT_LEAST_ONE = [Interval(Integral, 1, None, closed="left")]
OF_ARCHETYPE = {
    "n_invented": AT_LEAST_ONE,
    "invented": [StrOptions(set(INVENTED))],
    "similarity": [StrOptions(set(SIMILARITIES))],
    "max_leaf_nodes": [*AT_LEAST_ONE, None],
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
)


class MultiTreeEstimator(GrowingEstimator):
    """One multi-tree: parameters, fit, and what both kinds offer."""

    kind = MULTITREE
    max_leaf_nodes = None  # no parameter: each of the trees would have leaves of its own to count
    _tree_kind: type[TreeClassifier] | type[TreeRegressor]
    _parameter_constraints = {
        **{k: v for k, v in GrowingEstimator._parameter_constraints.items() if k != "max_leaf_nodes"},
        "n_alternatives": [Interval(Integral, 0, None, closed="left")],
        "wake": [StrOptions(set(WAKE))],
        "max_nodes": [*AT_LEAST_ONE, None],
        "max_depth": [*AT_LEAST_ONE, None],
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
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow a first tree, then wake alternative splits and grow their branches.

        Parameters
        ----------
        X : table of shape (rows, inputs)
            NumPy array, pandas, polars or pyarrow dataframe. Text, booleans and categoricals are nominal; missing
            values are used as they are.
        y : array or dataframe of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional
            Rows of weight zero are left out.
        """
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight)
            self._check_criterion(training.targets)
            target_weights = read_target_weights(self.target_weights, self.target_schema_.names)
            inputs = code_inputs(training.table, training.weights, self.max_bins)
            targets = self._encode_targets(training.targets, training.weights, target_weights)
            settings = self._growth_settings(training, max_depth=self.max_depth)
            self.marginals_ = Marginals.of(training.table, training.weights)
            self.spread_ = targets.spread
            self.seed_ = draw_seed(self.random_state)
            del training  # as many floats as the table: not while the trees grow
            grower = MultiTreeGrower(inputs, targets, settings, self.wake, self.seed_, self.max_nodes)
            grower.grow(self.n_alternatives)
            self._keep(grower)
        return self

    def _keep(self, grower: MultiTreeGrower) -> None:
        self._growth = grower
        self.multitree_ = grower.to_multitree()
        self.n_alternatives_ = grower.n_woken

    def grow_more(self, n: int) -> Self:
        """Wake n more splits: the same multi-tree as if grown at once.

        Interrupted, it keeps what is whole. A multi-tree that was loaded from a file has no training rows to grow on.

        Parameters
        ----------
        n
            How many. Fewer are woken where there are no more, or where `max_nodes` is reached; `n_alternatives_` says
            how many there are.
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
        """How many trees there are in it, exactly."""
        check_is_fitted(self)
        return self.multitree_.n_solutions

    def _values_of(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return fuse(self.multitree_, matrix, self.fusion, count_threads(self.n_jobs))

    def archetype(
        self,
        X: Any = None,
        *,
        n_invented: int = 10_000,
        invented: str = "marginal",
        similarity: str = "kappa",
        max_leaf_nodes: int | None = None,
        random_state: Any = None,
    ) -> Any:
        """The one tree, of all in the multi-tree, that is most like all of them together: a fitted tree like any other.

        Parameters
        ----------
        X : table, optional
            Rows to compare by (no targets are needed), for example a part kept from training, instead of invented ones.
        n_invented : int
            How many rows to invent.
        invented : "marginal" or "uniform"
            Draw each input from its training values, or uniformly from its range or categories; either way as often
            missing as in training.
        similarity : "kappa", "theta" or "q"
            How alike two classifiers are: agreement beyond chance, agreement, or the products of agreements against
            those of disagreements; the mean over several targets. For numbers each is 1 - relative squared difference.
        max_leaf_nodes : int, optional
            Branches may be cut back, and no more leaves than these are left: of all such trees the one that agrees
            most.
        random_state : int, RandomState or None
            For the invented rows. None: the multi-tree's own seed.

        Returns
        -------
        TreeRegressor or TreeClassifier
            Fitted; its `similarity_` is how alike it is to the multi-tree on the rows it was chosen by.
        """
        check_is_fitted(self)
        given = {
            "n_invented": n_invented,
            "invented": invented,
            "similarity": similarity,
            "max_leaf_nodes": max_leaf_nodes,
            "random_state": random_state,
        }
        check_parameters(OF_ARCHETYPE, given, "archetype")
        if X is None:
            seed = self.seed_ if random_state is None else draw_seed(random_state)
            matrix = self.marginals_.draw(n_invented, invented, np.random.default_rng(seed))
        else:
            matrix = self._encode(X)
        values = fuse(self.multitree_, matrix, self.fusion, count_threads(self.n_jobs))
        found = find_archetype(self.multitree_, matrix, values, similarity, max_leaf_nodes)
        tree = self._to_tree(found.tree)
        tree.similarity_ = found.similarity
        return tree

    def occam(self) -> Any:
        """The tree with the fewest leaves, of all in the multi-tree: a fitted tree like any other."""
        check_is_fitted(self)
        return self._to_tree(self.multitree_.smallest())

    def first(self) -> Any:
        """The tree that was grown first, as a tree without alternatives grows: a fitted tree like any other."""
        check_is_fitted(self)
        return self._to_tree(self.multitree_.first())

    def _to_tree(self, nodes: NodeTable) -> Any:
        known = self._tree_kind._get_param_names()
        tree = self._tree_kind(**{k: v for k, v in self.get_params(deep=False).items() if k in known})
        for name in OF_READING:
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        tree.tree_, tree.spread_, tree.ccp_alpha_ = nodes, self.spread_, 0.0
        return tree

    def _explainer(self) -> "Explainer":
        raise InputError("a multi-tree is explained by one of its trees: model.archetype().explain(X)")

    @property
    def size_(self) -> Size:
        """Nodes and leaves."""
        check_is_fitted(self)
        return Size(nodes=self.multitree_.nodes.n_nodes, leaves=self.multitree_.nodes.n_leaves)

    @property
    def _split_weights(self) -> NDArray[np.float64]:
        """How much each split counts where all splits of a node count alike."""
        tree = self.multitree_
        return tree.node_weights(tree.even_shares)[tree.nodes.split_node] * tree.even_shares

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """For each input, the share of the explained impurity that splits on it took away."""
        check_is_fitted(self)
        nodes = self.multitree_.nodes
        gain = np.bincount(nodes.split_input, nodes.split_gain * self._split_weights, len(self.schema_.names))
        return gain.astype(float) / (gain.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """Inputs x targets: the share of each target's explained impurity that splits on the input took away."""
        import pandas as pd

        check_is_fitted(self)
        nodes, targets = self.multitree_.nodes, self.target_schema_
        units, weights = target_units(nodes.value, targets), self._split_weights
        gains = target_gains(nodes, targets, len(self.schema_.names), self._judges_by_entropy, units, weights)
        return pd.DataFrame(to_shares(gains), index=list(self.schema_.names), columns=list(targets.names))


class MultiTreeRegressor(RegressionOutput, MultiTreeEstimator):
    """Very many regression trees in one structure that shares their parts, for one numeric target or many.

    The first tree is grown greedily, and the best split of every other input is kept at every node. Then some of these
    are woken, and their branches grown. Choosing one split at each node gives one of the many trees; the prediction
    puts all of them together, and `archetype` picks the one that is most like all of them.

    Parameters
    ----------
    n_alternatives : int
        How many splits are woken.
    wake : "random", "gain", "loss" or "shallow"
        Which one is next: any; the one that gains most; the one that gains least less than the split its node has; the
        one nearest to the root.
    fusion : "mean", "gain" or "sum"
        How predictions are put together at a node with several splits: each split counts alike, or by what it gains;
        "sum": each leaf that a row comes to counts alike.
    max_nodes : int or None
        No split is woken whose branches would make more nodes.
    criterion : "variance"
        What a split reduces.
    max_bins, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease
        As for `TreeRegressor`.
    f_test, target_weights, missing_targets
        As for `TreeRegressor`.
    n_jobs : int or None
        Threads for prediction. None is 1, -1 is all cores.
    random_state : int, RandomState or None
        For the splits that are woken, and for invented rows.

    Attributes
    ----------
    multitree_ : MultiTree
    n_solutions_ : int
        How many trees there are in it.
    n_alternatives_ : int
        How many splits were woken.
    feature_importances_ : array
    target_importances_ : DataFrame of inputs x targets
    size_ : named tuple

    Examples
    --------
    >>> from glade import MultiTreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> model = MultiTreeRegressor(20, min_samples_leaf=20, random_state=0).fit(X, y)
    >>> model.n_solutions_ > 20
    True
    >>> print(model.archetype(max_leaf_nodes=3).to_text())
    tree of 3 leaves, depth 2
    ...
    """

    _criteria = ("variance",)
    _tree_kind = TreeRegressor
    _parameter_constraints = {
        **MultiTreeEstimator._parameter_constraints,
        "criterion": [StrOptions(set(_criteria)), None],
        "fusion": [StrOptions(set(FUSIONS_OF_NUMBERS))],
    }


@set_defaults(class_weight=None)
class MultiTreeClassifier(ClassificationOutput, MultiTreeEstimator):
    """Very many classification trees in one structure that shares their parts, for one nominal target or many.

    Parameters
    ----------
    fusion : "mean", "gain", "sum", "max", "product" or "vote"
        How class shares are put together at a node with several splits: as for `MultiTreeRegressor`; the highest share
        of each class, or the product of shares (both as if each leaf had one row more of each class); one vote for each
        split.
    criterion : "gini", "entropy" or "gain_ratio"
        What a split reduces, summed over targets. Gini by default.
    class_weight : dict, list of dicts, "balanced" or None
        As in scikit-learn.

    The other parameters and the attributes are those of `MultiTreeRegressor`.

    Examples
    --------
    >>> from glade import MultiTreeClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> model = MultiTreeClassifier(50, random_state=0).fit(X, y)
    >>> tree = model.archetype()
    >>> bool((tree.predict(X) == model.predict(X)).mean() > 0.95)
    True
    >>> model.occam().get_n_leaves() <= tree.get_n_leaves()
    True
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _tree_kind = TreeClassifier
    _parameter_constraints = {
        **MultiTreeEstimator._parameter_constraints,
        "criterion": [StrOptions(set(_criteria)), None],
        "fusion": [StrOptions(set(FUSIONS))],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
    }
