"""Trees found by beam search, and the ensembles of their beams."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self, cast

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.data.coded_rows import CodedRows, name_columns
from glade.data.coding import AUTO_BINNED_ROWS, MAX_BINS
from glade.data.weights import read_target_weights
from glade.ensemble.beam import BeamLimits, BeamSearch, to_node_table
from glade.ensemble.forest import Forest
from glade.ensemble.smoothing import BY_DEFAULT
from glade.grow.pruning import Prunable
from glade.losses.squared import Squared
from glade.models.base import RegressionOutput, TrainingSet
from glade.models.class_output import DECIDING, ClassificationOutput, ClassWeight
from glade.models.forest import ForestClassifier, ForestRegressor
from glade.models.multitree_base import OF_READING
from glade.models.tree_base import TreeEstimator
from glade.rules.scores import Scores, scale_targets


class BeamTreeEstimator(TreeEstimator):
    """The base of the beam trees: their common parameters, and `fit`."""

    criterion = ccp_rule = f_test = max_features = monotonic_cst = cv = random_state = None  # type: ignore[assignment]
    nominal_splits, ccp_alpha = "binary", 0.0
    _forest_kind: type[ForestRegressor | ForestClassifier]
    _parameter_constraints = {
        "width": [Interval(Integral, 1, None, closed="left")],
        "diversity": [Interval(Real, 0.0, None, closed="left")],
        "leaf_price": [Interval(Real, 0.0, 1.0, closed="left")],
        "max_leaf_nodes": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both"), StrOptions({"auto"}), None],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
    }

    def __init__(
        self,
        width: int = 10,
        *,
        diversity: float = 0.0,
        leaf_price: float = 0.001,
        max_leaf_nodes: int = 16,
        max_depth: int | None = None,
        min_samples_leaf: int = 5,
        max_bins: int | str | None = "auto",
        target_weights: Any = None,
        missing_targets: str | None = None,
    ):
        self.width = width
        self.diversity = diversity
        self.leaf_price = leaf_price
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_bins = max_bins
        self.target_weights = target_weights
        self.missing_targets = missing_targets

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # type: ignore[override]
        """Search for the trees.

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
            importance = read_target_weights(self.target_weights, self.target_schema_.names)
            losses = [Squared.of(None if c.labels is None else len(c.labels)) for c in training.targets]
            scores, columns = scale_targets(training.targets, training.weights, losses, importance)
            inputs = training.code(self.max_bins, AUTO_BINNED_ROWS)
            rows = CodedRows(inputs, columns, name_columns(scores.losses.places), training.weights)
            search = BeamSearch(rows, self._limits)
            self.spread_ = self._find_spread(scores)
            unit = self._find_unit(training)
            found = [to_node_table(tree, search, unit) for tree in search.find_trees()]
            self.beam_ = tuple(replace(table, value=scores.values(scores.offset(mean))) for table, mean in found)
            self.tree_, self.ccp_alpha_ = self.beam_[0], 0.0
        return self

    @property
    def _limits(self) -> BeamLimits:
        return BeamLimits(
            width=self.width,
            diversity=float(self.diversity),
            leaf_price=float(self.leaf_price),
            max_leaves=cast(int, self.max_leaf_nodes),
            max_depth=self.max_depth,
            min_rows=cast(int, self.min_samples_leaf),
        )

    def _find_spread(self, scores: Scores) -> Any:
        """Of each target its standard deviation, 1 of a nominal one."""
        first, classes = scores.spread[self.target_schema_.start[:-1]], self.target_schema_.classes
        return np.array([1.0 if own is not None else s for s, own in zip(first, classes, strict=True)])

    def _find_unit(self, training: TrainingSet) -> float:
        """The impurity of all rows as users see it: of one target its variance or Gini index, of several a mean."""
        if len(training.targets) > 1:
            return 1.0
        column = training.targets[0]
        known = ~np.isnan(column.values)
        if column.labels is None:
            mean = np.average(column.values[known], weights=training.weights[known])
            with np.errstate(over="ignore"):  # beyond the largest double: as large as a double can tell
                variance = np.average((column.values[known] - mean) ** 2, weights=training.weights[known])
            return float(min(variance, np.finfo(float).max))
        counts = np.bincount(column.values[known].astype(int), training.weights[known])
        return float(1.0 - ((counts / counts.sum()) ** 2).sum())

    def to_forest(self) -> Any:
        """Return the trees of the beam as a fitted forest, whose prediction is their mean.

        Returns
        -------
        ForestRegressor or ForestClassifier
            With as many trees as the beam has.
        """
        check_is_fitted(self)
        own = self.get_params(deep=False)
        model = self._forest_kind(len(self.beam_))
        known = model.get_params(deep=False)
        shared = ("target_weights", "missing_targets", "class_weight", "event", "threshold", "costs")
        model.set_params(**{name: own[name] for name in shared if name in own and name in known})
        for name in OF_READING:
            if hasattr(self, name):
                setattr(model, name, getattr(self, name))
        model.forests_ = [Forest.of(self.beam_, self.target_schema_)]
        model.n_estimators_, model.seed_, model.n_rows_ = len(self.beam_), 0, int(self.tree_.rows[0])
        return model

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the nested sequence of trees that cost-complexity pruning makes of the best tree.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs of the training rows.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets of the training rows.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows.

        Returns
        -------
        Bunch
            `ccp_alphas`, `impurities` and `leaves`, with one entry for each tree.
        """
        path = Prunable.of(clone(self).fit(X, y, sample_weight).tree_).path()
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk, leaves=path.leaves)


class BeamTreeRegressor(RegressionOutput, BeamTreeEstimator):
    """A regression tree found by beam search, for one numeric target or many.

    Growing greedily takes the split that is best now. Here several trees are split further at a time, and the best of
    all that come of them are kept, so that a split which pays later can win. With `diversity`, the trees kept also
    differ in what they predict, and `to_forest` makes an ensemble of them.

    Parameters
    ----------
    width : int, default=10
        How many trees the search goes on with at a time.
    diversity : float, default=0.0
        What being similar to the trees already kept costs, beside the impurity: 0 keeps the best trees, larger values
        (such as 0.5) trees that predict otherwise. Similarity is 1 - the root of the mean squared difference, in
        standard deviations of the targets.
    leaf_price : float, default=0.001
        What each leaf costs, as a fraction of the impurity of all rows: the search ends where no split gains more.
    max_leaf_nodes : int, default=16
        The most leaves of a tree.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    min_samples_leaf : int, default=5
        The fewest rows of a leaf.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth. None
        considers every threshold between two distinct values, "auto" up to 20,000 rows.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".

    Attributes
    ----------
    tree_ : NodeTable
        The nodes and splits of the best tree, by which is predicted.
    beam_ : tuple of NodeTable
        All trees of the last beam, the best first; `to_forest` makes an ensemble of them.
    rules_ : RuleSet
        The leaves as rules, each with the prediction of its leaf.
    size_ : Size
        The numbers of trees (one), nodes and leaves, as a named tuple.
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
    >>> from glade import BeamTreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> model = BeamTreeRegressor(width=5, max_leaf_nodes=4).fit(X, y)
    >>> model.get_n_leaves(), len(model.to_forest().trees_)
    (4, 5)
    """

    _criteria = ("variance",)
    _forest_kind = ForestRegressor


class BeamTreeClassifier(ClassificationOutput, BeamTreeEstimator):
    """A classification tree found by beam search, for one nominal target or many.

    Growing greedily takes the split that is best now. Here several trees are split further at a time, and the best of
    all that come of them are kept, so that a split which pays later can win. With `diversity`, the trees kept also
    differ in what they predict, and `to_forest` makes an ensemble of them.

    Parameters
    ----------
    width : int, default=10
        How many trees the search goes on with at a time.
    diversity : float, default=0.0
        What being similar to the trees already kept costs, beside the impurity: 0 keeps the best trees, larger values
        (such as 0.5) trees that predict otherwise. Similarity is 1 - the root of the mean squared difference, in
        standard deviations of the targets.
    leaf_price : float, default=0.001
        What each leaf costs, as a fraction of the impurity of all rows: the search ends where no split gains more.
    max_leaf_nodes : int, default=16
        The most leaves of a tree.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    min_samples_leaf : int, default=5
        The fewest rows of a leaf.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth. None
        considers every threshold between two distinct values, "auto" up to 20,000 rows.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
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
    tree_ : NodeTable
        The nodes and splits of the best tree, by which is predicted.
    beam_ : tuple of NodeTable
        All trees of the last beam, the best first; `to_forest` makes an ensemble of them.
    rules_ : RuleSet
        The leaves as rules, each with the prediction of its leaf.
    size_ : Size
        The numbers of trees (one), nodes and leaves, as a named tuple.
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
    >>> from glade import BeamTreeClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> model = BeamTreeClassifier(width=5, diversity=0.5, max_leaf_nodes=4).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _criteria = ("gini",)
    _forest_kind = ForestClassifier
    smoothing = BY_DEFAULT
    _parameter_constraints = {
        **BeamTreeEstimator._parameter_constraints,
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
    }

    def __init__(
        self,
        width: int = 10,
        *,
        diversity: float = 0.0,
        leaf_price: float = 0.001,
        max_leaf_nodes: int = 16,
        max_depth: int | None = None,
        min_samples_leaf: int = 5,
        max_bins: int | str | None = "auto",
        target_weights: Any = None,
        missing_targets: str | None = None,
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
    ):
        super().__init__(
            width, diversity=diversity, leaf_price=leaf_price, max_leaf_nodes=max_leaf_nodes, max_depth=max_depth,
            min_samples_leaf=min_samples_leaf, max_bins=max_bins, target_weights=target_weights,
            missing_targets=missing_targets,
        )  # fmt: skip
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs
