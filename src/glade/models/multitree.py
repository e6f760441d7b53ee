"""Multi-trees for numeric and nominal targets."""

from collections.abc import Mapping
from numbers import Integral
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
from glade.ensemble.archetype import SIMILARITIES, find_archetype
from glade.ensemble.fusion import FUSIONS, FUSIONS_OF_NUMBERS, fuse
from glade.ensemble.invented import INVENTED, Marginals
from glade.ensemble.multitree import WAKE, MultiTreeGrower
from glade.grow.importance import target_gains, target_units, to_shares
from glade.grow.node_table import NodeTable
from glade.models.base import RegressionOutput, Size
from glade.models.class_output import DECIDING, ClassificationOutput, ClassWeight
from glade.models.growing import MULTIWAY, NOMINAL_SPLITS, GrowingEstimator
from glade.models.tree import TreeClassifier, TreeRegressor

if TYPE_CHECKING:
    from glade.explain.contributions import Explainer

Tree = TypeVar("Tree", TreeClassifier, TreeRegressor)  # the estimator of one of the trees

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


class MultiTreeEstimator(GrowingEstimator, Generic[Tree]):
    """The base of the multi-tree estimators: their common parameters, `fit`, and the methods of a fitted one."""

    kind = MULTITREE
    max_leaf_nodes = None  # this is no parameter, since every tree has another number of leaves
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
        random_state : int, RandomState instance or None, default=None
            The seed for the synthetic rows. None means the multi-tree's own seed.

        Returns
        -------
        TreeRegressor or TreeClassifier
            A fitted tree. Its `similarity_` is its similarity to the multi-tree on the rows of the comparison.
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
            matrix = self.encode(X)
        values = fuse(self.multitree_, matrix, self.fusion, count_threads(self.n_jobs))
        found = find_archetype(self.multitree_, matrix, values, similarity, max_leaf_nodes)
        tree = self._to_tree(found.tree)
        tree.similarity_ = found.similarity
        return tree

    def occam(self) -> Tree:
        """Return the tree with the fewest leaves of all in the multi-tree.

        Returns
        -------
        TreeRegressor or TreeClassifier
            A fitted tree.
        """
        check_is_fitted(self)
        return self._to_tree(self.multitree_.smallest())

    def first(self) -> Tree:
        """Return the tree that was grown first, the one that a tree estimator would have grown.

        Returns
        -------
        TreeRegressor or TreeClassifier
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


class MultiTreeRegressor(RegressionOutput, MultiTreeEstimator[TreeRegressor]):
    """Very many regression trees in one structure that shares their branches, for one numeric target or many.

    A first tree is grown greedily, and at every node the best split of every other input is kept as an alternative.
    Then some of these alternatives are chosen and their branches are grown. Each choice of one split at every node
    makes one of the many trees. The prediction combines all of them, and `archetype` finds the one tree that is most
    similar to all.

    Parameters
    ----------
    n_alternatives : int, default=100
        The number of alternative splits whose branches are grown.
    wake : {"random", "gain", "loss", "shallow"}, default="random"
        Which alternative split is next: any; the one that reduces the impurity most; the one that reduces it least less
        than the split which its node already has; or the one nearest to the root.
    fusion : {"mean", "gain", "sum"}, default="mean"
        How predictions are combined at a node with several splits: "mean" weighs all splits alike, "gain" by how much
        they reduce the impurity. With "sum" every leaf that a row reaches counts alike, wherever it is.
    max_nodes : int or None, default=1_000_000
        The largest number of nodes: no alternative is grown whose branches would exceed it. None means no limit.
    criterion : {"variance"} or None, default=None
        The impurity that splits reduce. It is the variance for numeric targets, also with None.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    n_jobs : int or None, default=None
        The number of threads for predictions. None means 1, -1 means all cores.
    random_state : int, RandomState instance or None, default=None
        The seed for the choice of alternatives and for the synthetic rows of `archetype`. With an integer every fit
        gives the same multi-tree.

    Attributes
    ----------
    multitree_ : MultiTree
        The nodes and splits of all trees.
    n_solutions_ : int
        The exact number of trees that it holds.
    n_alternatives_ : int
        The number of alternative splits that were grown.
    size_ : Size
        The numbers of nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    schema_ : Schema
        The names, kinds and categories of the inputs.
    target_schema_ : TargetSchema
        The names and classes of the targets.
    n_features_in_ : int
        The number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the inputs, if all of them are strings.
    n_outputs_ : int
        The number of targets.

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
        super().__init__(
            n_alternatives=n_alternatives, wake=wake, fusion=fusion, max_nodes=max_nodes,
            criterion=criterion, max_bins=max_bins, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            f_test=f_test, nominal_splits=nominal_splits, target_weights=target_weights,
            missing_targets=missing_targets, n_jobs=n_jobs,
            random_state=random_state,
        )  # fmt: skip


class MultiTreeClassifier(ClassificationOutput, MultiTreeEstimator[TreeClassifier]):
    """Very many classification trees in one structure that shares their branches, for one nominal target or many.

    A first tree is grown greedily, and at every node the best split of every other input is kept as an alternative.
    Then some of these alternatives are chosen and their branches are grown. Each choice of one split at every node
    makes one of the many trees. The prediction combines all of them, and `archetype` finds the one tree that is most
    similar to all.

    Parameters
    ----------
    n_alternatives : int, default=100
        The number of alternative splits whose branches are grown.
    wake : {"random", "gain", "loss", "shallow"}, default="random"
        Which alternative split is next: any; the one that reduces the impurity most; the one that reduces it least less
        than the split which its node already has; or the one nearest to the root.
    fusion : {"mean", "gain", "sum", "max", "product", "vote"}, default="mean"
        How class probabilities are combined at a node with several splits: "mean" weighs all splits alike, "gain" by
        how much they reduce the impurity. With "sum" every leaf that a row reaches counts alike, wherever it is. "max"
        takes the highest probability of each class and "product" multiplies them, both as if each leaf had one more row
        of each class; with "vote" each split votes for one class.
    max_nodes : int or None, default=1_000_000
        The largest number of nodes: no alternative is grown whose branches would exceed it. None means no limit.
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity that splits reduce, summed over the targets: the Gini index or the entropy. "gain_ratio" divides
        the reduction of the entropy by the entropy of the split itself, as C4.5 does. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    n_jobs : int or None, default=None
        The number of threads for predictions. None means 1, -1 means all cores.
    random_state : int, RandomState instance or None, default=None
        The seed for the choice of alternatives and for the synthetic rows of `archetype`. With an integer every fit
        gives the same multi-tree.
    class_weight : dict, list of dict, "balanced" or None, default=None
        What an error in each class costs: a dictionary from classes to weights, with several targets a list of them.
        "balanced" makes all classes count alike. It moves the class that is predicted; the probabilities stay true.
        None means that all count 1.
    event : label, dict or None, default=None
        Of two classes the one that is asked for: effects are signed towards it, and `threshold` is for its probability.
        With several targets a dictionary {target: label}. None is the rarer class.
    threshold : float, "cost" or None, default=None
        Predict the event from this probability of it on. "cost" finds it from `costs`; None is the most probable class.
    costs : dict or None, default=None
        With threshold="cost", {"false_alarm": 1, "miss": 5}: what an error of either kind costs.

    Attributes
    ----------
    multitree_ : MultiTree
        The nodes and splits of all trees.
    n_solutions_ : int
        The exact number of trees that it holds.
    n_alternatives_ : int
        The number of alternative splits that were grown.
    size_ : Size
        The numbers of nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    event_ : label or dict
        The class that is asked for, of two.
    threshold_ : float
        Of two classes: the probability of the event from which on it is predicted.
    classes_ : ndarray or list of ndarray
        The classes; with several targets a list of those of each target.
    n_classes_ : int or list of int
        The number of classes; with several targets a list of numbers.
    schema_ : Schema
        The names, kinds and categories of the inputs.
    target_schema_ : TargetSchema
        The names and classes of the targets.
    n_features_in_ : int
        The number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the inputs, if all of them are strings.
    n_outputs_ : int
        The number of targets.

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
        **DECIDING,
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
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
    ):
        super().__init__(
            n_alternatives=n_alternatives, wake=wake, fusion=fusion, max_nodes=max_nodes,
            criterion=criterion, max_bins=max_bins, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            f_test=f_test, nominal_splits=nominal_splits, target_weights=target_weights,
            missing_targets=missing_targets, n_jobs=n_jobs,
            random_state=random_state,
        )  # fmt: skip
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs
