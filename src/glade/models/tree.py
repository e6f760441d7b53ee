"""Trees for numeric, nominal and mixed targets."""

from copy import copy
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.kinds import TREE
from glade.core.parameters import set_defaults
from glade.core.seeds import draw_seed
from glade.data.coding import CodedInputs, code_inputs
from glade.data.targets import EncodedTargets, match_classes
from glade.data.weights import read_target_weights, read_weights
from glade.ensemble.forest import Forest
from glade.grow.grower import GrowthSettings, grow
from glade.grow.importance import share_importance
from glade.grow.limits import count_inputs
from glade.grow.node_table import NodeTable
from glade.grow.pruning import Prunable
from glade.grow.validation import AlphaChoice, ValidationRows, choose_alpha, validation_losses
from glade.models.base import (
    ClassificationOutput,
    MixedOutput,
    RegressionOutput,
    Size,
    TrainingSet,
)
from glade.models.folds import split_folds
from glade.models.growing import MAX_FEATURES, GrowingEstimator
from glade.rules.extract import LEAVES, extract_rules
from glade.rules.rule_set import RuleSet
from glade.rules.wording import tree_to_text

if TYPE_CHECKING:
    from glade.explain.paths import PathExplainer


class _Tree(GrowingEstimator):
    """One tree: parameters, fit, and what all trees offer."""

    kind = TREE
    _parameter_constraints = {
        **GrowingEstimator._parameter_constraints,
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "max_features": [*MAX_FEATURES, None],
        "ccp_alpha": [Interval(Real, 0.0, None, closed="left"), StrOptions({"cv"})],
        "ccp_rule": [StrOptions({"min", "1se"})],
        "cv": ["cv_object"],
    }

    def __init__(
        self,
        *,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = None,
        f_test: float | None = None,
        target_weights: Any = None,
        ccp_alpha: float | str = 0.0,
        ccp_rule: str = "min",
        cv: Any = 5,
        missing_targets: str | None = None,
        random_state: Any = None,
    ):
        self.criterion = criterion
        self.max_bins = max_bins
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.f_test = f_test
        self.target_weights = target_weights
        self.ccp_alpha = ccp_alpha
        self.ccp_rule = ccp_rule
        self.cv = cv
        self.missing_targets = missing_targets
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow a tree, and prune it if `ccp_alpha` says so.

        Parameters
        ----------
        X : table of shape (rows, inputs)
            NumPy array, pandas, polars or pyarrow dataframe. Text, booleans and categoricals are nominal; missing
            values are used as they are.
        y : array or dataframe of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional
            Rows of weight zero are left out.
        groups : array of shape (rows,), optional
            Labels of any kind: rows with the same label belong together, such as those of one patient. No fold of
            `ccp_alpha="cv"` then divides a group.
        """
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            inputs, targets, settings, seed = self._prepare(training)
            folds = self._make_folds(training) if self.ccp_alpha == "cv" else []
            del training  # as many floats as the table: not while the tree grows
            tree = grow(inputs, targets, settings, seed=seed)
            alpha = self.ccp_alpha
            if alpha == "cv":
                self.cv_path_ = self._cross_validate(tree, folds, inputs, targets, settings, seed)
                alpha = self.cv_path_.alpha
            self.ccp_alpha_ = float(alpha)
            self.tree_ = tree if self.ccp_alpha == 0 else Prunable.of(tree).pruned(self.ccp_alpha_)
            self.spread_ = targets.spread
        return self

    def _prepare(self, training: TrainingSet) -> tuple[CodedInputs, EncodedTargets, GrowthSettings, int]:
        self._check_criterion(training.targets)
        target_weights = read_target_weights(self.target_weights, self.target_schema_.names)
        inputs = code_inputs(training.table, training.weights, self.max_bins)
        targets = self._encode_targets(training.targets, training.weights, target_weights)
        settings = self._growth_settings(
            training,
            max_depth=self.max_depth,
            max_features=count_inputs(self.max_features, len(training.table.columns)),
        )
        seed = 0 if self.max_features is None else draw_seed(self.random_state)
        return inputs, targets, settings, seed

    def _make_folds(self, training: TrainingSet) -> list[tuple[NDArray[Any], ValidationRows]]:
        """For each fold the rows to grow on, and the rows to validate on."""
        matrix = np.column_stack([c.values for c in training.table.columns])
        return [
            (train, ValidationRows(matrix[test], [c.values[test] for c in training.targets], training.weights[test]))
            for train, test in split_folds(self.cv, training, self.random_state)
        ]

    def _cross_validate(
        self,
        tree: NodeTable,
        folds: list[tuple[NDArray[Any], ValidationRows]],
        inputs: CodedInputs,
        targets: EncodedTargets,
        settings: GrowthSettings,
        seed: int,
    ) -> AlphaChoice:
        """The alphas of the full tree, each fold's tree pruned at each of them."""
        alphas = Prunable.of(tree).path().alpha
        target_weights = read_target_weights(self.target_weights, self.target_schema_.names)
        losses = []
        for train, rows in folds:
            fold = Prunable.of(grow(inputs, targets, settings, rows=train, seed=seed))
            losses.append(validation_losses(fold, alphas, rows, targets.schema, targets.spread, target_weights))
        return choose_alpha(alphas, np.array(losses), self.ccp_rule)

    def _values_of(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.tree_.value[self.tree_.route(matrix)]

    def _explainer(self) -> "PathExplainer":
        from glade.explain.paths import PathExplainer

        return PathExplainer.of([Forest.of((self.tree_,), self.target_schema_)], self.schema_.names)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The leaf each row comes to, as a node number."""
        matrix = self._encode(X)
        return self.tree_.route(matrix)

    def decision_path(self, X: Any) -> sparse.csr_array:
        """Rows x nodes, 1 for each node on the row's way."""
        leaves = self.apply(X)
        parent = self.tree_.parent
        rows, nodes = [np.arange(len(leaves))], [leaves]
        while True:
            up = parent[nodes[-1]]
            alive = up >= 0
            if not alive.any():
                break
            rows.append(rows[-1][alive])
            nodes.append(up[alive])
        row, node = np.concatenate(rows), np.concatenate(nodes)
        return sparse.csr_array((np.ones(len(row), np.int8), (row, node)), shape=(len(leaves), self.tree_.n_nodes))

    def get_depth(self) -> int:
        """The length of the longest way from the root to a leaf."""
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def rules_(self) -> RuleSet:
        """A rule for each leaf, with the leaf's prediction for value; none for a tree of one leaf."""
        check_is_fitted(self)
        return extract_rules([self.tree_], self.schema_, self.target_schema_, LEAVES)

    @property
    def size_(self) -> Size:
        """Nodes and leaves."""
        check_is_fitted(self)
        return Size(trees=1, nodes=self.tree_.n_nodes, leaves=self.tree_.n_leaves)

    @property
    def target_importances_(self) -> Any:
        """Inputs x targets: the share of each target's explained impurity that splits on the input took away."""
        import pandas as pd

        check_is_fitted(self)
        shares = share_importance(self.tree_, self.target_schema_, len(self.schema_.names), self._judges_by_entropy)
        return pd.DataFrame(shares, index=list(self.schema_.names), columns=list(self.target_schema_.names))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """For each input, the share of the explained impurity that splits on it took away.

        Of inputs that tell the rows apart in the same way, the first takes all the credit.
        """
        check_is_fitted(self)
        gain = np.bincount(self.tree_.split_input, self.tree_.split_gain, len(self.schema_.names)).astype(float)
        return gain / (gain.sum() or 1.0)

    def to_text(self, max_depth: int = 10) -> str:
        """The tree for a person to read.

        Parameters
        ----------
        max_depth
            Deeper nodes are counted, not shown.
        """
        check_is_fitted(self)
        return tree_to_text(self.tree_, self.schema_, self.target_schema_, self.spread_, max_depth)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The nested sequence of pruned trees: `ccp_alphas`, `impurities` and `leaves`, one entry for each tree.

        Equal alphas are one step. With one target the impurities are in its unit squared (or its Gini index or
        entropy), with several they are means over targets, numeric ones standardised.
        """
        full = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = Prunable.of(full.tree_).path()
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk, leaves=path.leaves)

    def pruned(
        self, alpha: float | None = None, *, X_val: Any = None, y_val: Any = None, sample_weight: Any = None
    ) -> Self:
        """A pruned copy: at `alpha`, or at the alpha with the smallest error on a validation set.

        Parameters
        ----------
        alpha
            The price of a leaf.
        X_val, y_val, sample_weight
            The validation set, instead of `alpha`. Among equal errors the smallest tree is taken.
        """
        check_is_fitted(self)
        if (alpha is None) == (X_val is None or y_val is None):
            raise ValueError("give either alpha, or both X_val and y_val")
        prunable = Prunable.of(self.tree_)
        if alpha is None:
            alphas = prunable.path().alpha
            losses = validation_losses(
                prunable, alphas, self._read_validation(X_val, y_val, sample_weight), self.target_schema_, self.spread_,
                read_target_weights(self.target_weights, self.target_schema_.names),
            )  # fmt: skip
            alpha = float(alphas[np.flatnonzero(losses <= losses.min() * (1 + 1e-12))[-1]])
        elif not alpha >= 0:
            raise ValueError(f"alpha must be at least zero, but is {alpha}")
        model = copy(self)
        model.ccp_alpha_ = float(alpha)
        model.tree_ = prunable.pruned(alpha)
        return model

    def _read_validation(self, X: Any, y: Any, sample_weight: Any) -> ValidationRows:
        matrix = self._encode(X)
        columns = self._read_truth(y, len(matrix))
        values = [
            c.values if classes is None else match_classes(c, classes)
            for c, classes in zip(columns, self.target_schema_.classes, strict=True)
        ]
        return ValidationRows(matrix, values, read_weights(sample_weight, len(matrix)))


class TreeRegressor(RegressionOutput, _Tree):
    """A regression tree for one numeric target or many.

    With several targets the tree divides the rows so that all of them vary little within a leaf; each counts alike,
    whatever its unit, unless `target_weights` says otherwise.

    Parameters
    ----------
    criterion : "variance"
        What a split reduces.
    max_bins : int, None or "auto"
        None searches every cut between distinct values; a number (at most 255) bins each input first; "auto" bins
        above 20,000 rows.
    max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease
        Limits on growth, as in scikit-learn. `max_leaf_nodes` grows the best node first.
    max_features : int, float, "sqrt", "log2", "log2+1", "third" or None
        Inputs drawn at each node.
    f_test : float or None
        A split must be significant at this level by an F-test.
    target_weights : array or dict, optional
        How much each target counts.
    ccp_alpha : float or "cv"
        The price of a leaf in cost-complexity pruning, or its choice by cross-validation.
    ccp_rule : "min" or "1se"
        With "cv": the least error, or the smallest tree within one standard error of it.
    cv : int, splitter, list of splits or None
        The folds for "cv". With `groups` given to `fit`, no fold divides a group: a number makes such folds, a splitter
        is handed the groups. None is 5, or as many as there are groups if these are fewer.
    missing_targets : "error", "ignore" or None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    random_state : int, RandomState or None
        For `max_features` and the folds.

    Attributes
    ----------
    tree_ : NodeTable
        The tree.
    schema_, target_schema_
        The inputs and targets as read.
    rules_ : RuleSet
        The leaves as rules.
    feature_importances_ : array
    target_importances_ : DataFrame of inputs x targets
    size_ : named tuple
    ccp_alpha_ : float
        The alpha it was pruned at.
    cv_path_ : AlphaChoice
        With "cv": errors along the pruning path.

    Examples
    --------
    >>> from glade import TreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> y = penguins[["body_mass_g", "flipper_length_mm"]]
    >>> tree = TreeRegressor(max_leaf_nodes=4).fit(X, y)
    >>> print(tree.to_text())
    tree of 4 leaves, depth 2
    ...
    """

    _criteria = ("variance",)
    _parameter_constraints = {**_Tree._parameter_constraints, "criterion": [StrOptions(set(_criteria)), None]}


@set_defaults(class_weight=None)
class TreeClassifier(ClassificationOutput, _Tree):
    """A classification tree for one nominal target or many.

    Parameters
    ----------
    criterion : "gini", "entropy" or "gain_ratio"
        What a split reduces, summed over targets. Gini by default.
    class_weight : dict, list of dicts, "balanced" or None
        As in scikit-learn.

    The other parameters and the attributes are those of `TreeRegressor`.

    Examples
    --------
    >>> from glade import TreeClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> tree = TreeClassifier(max_depth=2).fit(X, y)
    >>> print(tree.to_text())
    tree of 4 leaves, depth 2
    ...
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _parameter_constraints = {
        **_Tree._parameter_constraints,
        "criterion": [StrOptions(set(_criteria)), None],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
    }


class MixedTree(MixedOutput, _Tree):
    """A tree for numeric and nominal targets together.

    Each target's impurity is divided by its value over all training rows, so that every target counts alike. `y` is a
    dataframe; a row may lack some of its targets. `predict` gives a dataframe of the same columns.

    Parameters
    ----------
    criterion : "gini" or "entropy"
        For the nominal targets; numeric ones always use the variance.
    missing_targets : "ignore", "error" or None
        None is "ignore" here: rows that lack some targets count for the others.

    The other parameters and the attributes are those of `TreeRegressor`.

    Examples
    --------
    >>> from glade import MixedTree, load_penguins
    >>> penguins = load_penguins()
    >>> targets = ["species", "body_mass_g"]
    >>> tree = MixedTree(max_leaf_nodes=4).fit(penguins.drop(columns=targets), penguins[targets])
    >>> tree.predict(penguins.drop(columns=targets)).columns.tolist()
    ['species', 'body_mass_g']
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _missing_targets = "ignore"
    _parameter_constraints = {**_Tree._parameter_constraints, "criterion": [StrOptions(set(_criteria)), None]}
