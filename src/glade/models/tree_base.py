"""What all trees share: their common parameters, `fit`, and the methods of a fitted tree."""

from copy import copy
from dataclasses import dataclass, replace
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
from glade.core.seeds import draw_seed
from glade.data.coding import CodedInputs, code_inputs
from glade.data.constraints import read_signs
from glade.data.elsewhere import find_elsewhere
from glade.data.folds import Fold
from glade.data.frames import to_table
from glade.data.nice_edges import EXACT, NICE, code_nicely
from glade.data.targets import EncodedTargets, match_classes
from glade.data.weights import read_target_weights, read_weights
from glade.ensemble.forest import Forest
from glade.ensemble.smoothing import smooth_leaves
from glade.grow.grower import GrowthSettings, grow
from glade.grow.importance import share_importance
from glade.grow.limits import count_inputs
from glade.grow.node_table import NodeTable
from glade.grow.packed import PackedTrees
from glade.grow.pruning import Prunable
from glade.grow.validation import ValidationRows, choose_alpha, validation_losses
from glade.losses.squared import Squared
from glade.models.base import (
    Size,
    TrainingSet,
)
from glade.models.errors import measure_errors
from glade.models.folds import split_folds
from glade.models.growing import MAX_FEATURES, MULTIWAY, NOMINAL_SPLITS, GrowingEstimator
from glade.models.held_out import Gathered, KeepsHeldOut
from glade.models.intervals import PredictsIntervals, measure_residuals
from glade.rules.extract import LEAVES, extract_rules
from glade.rules.rule_set import RuleSet
from glade.rules.wording import tree_to_text

if TYPE_CHECKING:
    from glade.explain.paths import PathExplainer


@dataclass(frozen=True)
class FoldTree:
    """What a fold knows: its rows, its tree before it is pruned, and the losses of the pruned trees.

    Parameters
    ----------
    fold
        The rows that the tree was grown on, and those that it was not.
    rows
        The latter, to judge by.
    tree
        Not pruned yet.
    losses
        For each alpha of the whole tree.
    """

    fold: Fold
    rows: ValidationRows
    tree: Prunable
    losses: NDArray[np.float64]


class TreeEstimator(KeepsHeldOut, GrowingEstimator):
    """The base of the tree estimators: their common parameters, `fit`, and the methods of a fitted tree."""

    kind = TREE
    _no_held_out = (
        'this tree has no out-of-fold predictions: fit it with ccp_alpha="cv"; a tree that was pruned further, and one'
        " that was saved without them, has none either"
    )
    _parameter_constraints = {
        **GrowingEstimator._parameter_constraints,
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "nominal_splits": NOMINAL_SPLITS,
        "cuts": [StrOptions({NICE, EXACT})],
        "monotonic_cst": ["array-like", dict, None],
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
        nominal_splits: str = "binary",
        cuts: str = EXACT,
        monotonic_cst: Any = None,
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
        self.nominal_splits = nominal_splits
        self.cuts = cuts
        self.monotonic_cst = monotonic_cst
        self.target_weights = target_weights
        self.ccp_alpha = ccp_alpha
        self.ccp_rule = ccp_rule
        self.cv = cv
        self.missing_targets = missing_targets
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow a tree, and prune it if `ccp_alpha` asks for it.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs: a NumPy array, or a pandas, polars or pyarrow dataframe. Text, booleans and categories are
            nominal; missing values need no preparation.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows. Rows of weight zero are left out.
        groups : array-like of shape (rows,), optional
            Labels of groups of rows that belong together, such as those of one patient. No fold of `ccp_alpha="cv"`
            then divides a group.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        elsewhere = find_elsewhere(X)
        if elsewhere is not None:
            elsewhere.fit_model(self, y, sample_weight, groups)
            return self
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            inputs, targets, settings, seed = self._prepare(training)
            judged = training if self.ccp_alpha == "cv" else None
            del training  # it is as large as the table, and is not needed while the tree grows
            tree = grow(inputs, targets, settings, seed=seed)
            alpha = self.ccp_alpha
            if judged is not None:
                alphas = Prunable.of(tree).path().alpha
                folds = []
                for fold, rows in self._make_folds(judged):
                    of_fold = grow(inputs, targets, settings, rows=fold[0], seed=seed)
                    folds.append(self._judge_fold(fold, rows, alphas, of_fold, targets))
                self.cv_path_ = choose_alpha(alphas, np.array([fold.losses for fold in folds]), self.ccp_rule)
                alpha = self.cv_path_.alpha
                self._keep_held_out(folds, alphas, judged, X)
            self.ccp_alpha_ = float(alpha)
            self.tree_ = tree if self.ccp_alpha == 0 else Prunable.of(tree).pruned(self.ccp_alpha_)
            self.spread_ = targets.spread
        return self

    def _prepare(self, training: TrainingSet) -> tuple[CodedInputs, EncodedTargets, GrowthSettings, int]:
        self._check_criterion(training.targets)
        signs = read_signs(self.monotonic_cst, self.schema_, self.target_schema_)
        target_weights = self._weigh_targets(training)
        if self.cuts == NICE:
            inputs = code_nicely(training.table, training.weights)
        else:
            inputs = code_inputs(training.table, training.weights, self.max_bins)
        targets = self._encode_targets(training.targets, training.weights, target_weights)
        settings = self._growth_settings(
            training,
            max_depth=self.max_depth,
            max_features=count_inputs(self.max_features, training.table.n_inputs),
            signs=signs,
            multiway=self.nominal_splits == MULTIWAY,
        )
        seed = 0 if self.max_features is None else draw_seed(self.random_state)
        return inputs, targets, settings, seed

    def _make_folds(self, training: TrainingSet) -> list[tuple[Fold, ValidationRows]]:
        """Return for each fold its rows, and those that it holds out to judge by."""
        matrix = training.table.to_matrix()
        return [
            (
                (train, test),
                ValidationRows(matrix[test], [c.values[test] for c in training.targets], training.weights[test]),
            )
            for train, test in split_folds(self.cv, training, self.random_state)
        ]

    def _judge_fold(
        self, fold: Fold, rows: ValidationRows, alphas: NDArray[np.float64], tree: NodeTable, targets: EncodedTargets
    ) -> FoldTree:
        """Judge a fold's pruned trees at the alphas of the whole tree's pruning path."""
        target_weights = read_target_weights(self.target_weights, self.target_schema_.names)
        prunable = Prunable.of(tree)
        losses = validation_losses(prunable, alphas, rows, targets.schema, targets.spread, target_weights)
        return FoldTree(fold, rows, prunable, losses)

    def _keep_held_out(self, folds: list[FoldTree], alphas: NDArray[np.float64], training: TrainingSet, X: Any) -> None:
        """Keep what the folds' trees say of the rows they hold out, each pruned at the alpha that the others choose."""
        gathered = Gathered(training.table.n_rows, int(self.target_schema_.start[-1]))
        for k, own in enumerate(folds):
            others = [fold.losses for fold in folds if fold is not own] or [own.losses]
            tree = own.tree.pruned(choose_alpha(alphas, np.array(others), self.ccp_rule).alpha)
            gathered.add(k, own.fold, self._smooth(tree)[tree.route(own.rows.matrix)])
        found = gathered.finish()
        self.held_out_ = found.place(training.rows, len(to_table(X)))
        how = (training, training.targets, found.values, self.target_schema_, Squared.of(None), found.fold)
        self.metrics_ = measure_errors(*how)
        if isinstance(self, PredictsIntervals):
            seed = draw_seed(self.random_state)
            self.residuals_ = measure_residuals(training.targets, found.values, training.weights, seed)

    @property
    def tree_(self) -> NodeTable:
        """The tree. It is packed for prediction when it is set, so that threads which predict together share that."""
        if "_tree" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'tree_'")  # as if it were plain
        return self._tree

    @tree_.setter
    def tree_(self, tree: NodeTable) -> None:
        self._tree, self._packed = tree, PackedTrees.of(tree)
        self._values = self._smooth(tree)

    def _smooth(self, tree: NodeTable) -> NDArray[np.float64]:
        """What the nodes of a tree predict: shares of classes are smoothed."""
        return smooth_leaves(tree, self.target_schema_, self.smoothing, evenly=self.monotonic_cst is not None)

    @property
    def said_tree_(self) -> NodeTable:
        """The tree with what it predicts at each node: shares of classes are smoothed."""
        tree = self.tree_
        return tree if self._values is tree.value else replace(tree, value=self._values)

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._values[self._packed.find_leaves(matrix)[:, 0]]

    def make_explainer(self) -> "PathExplainer":
        from glade.explain.paths import PathExplainer

        return PathExplainer.of([Forest.of((self.said_tree_,), self.target_schema_)], self.schema_.names)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row reaches.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,)
            The numbers of the leaves among the nodes of `tree_`.
        """
        matrix = self.encode(X)
        return self._packed.find_leaves(matrix)[:, 0]

    def decision_path(self, X: Any) -> sparse.csr_array:
        """Return the nodes that each row passes on its way from the root to its leaf.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        sparse array of shape (rows, nodes)
            An entry is 1 where the row passes the node.
        """
        leaves = self.apply(X)
        return self.tree_.list_ways(leaves[:, None])

    def get_depth(self) -> int:
        """Return the depth of the tree.

        Returns
        -------
        int
            The largest number of splits between the root and a leaf.
        """
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        int
            The number of leaves.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def rules_(self) -> RuleSet:
        """The leaves as rules, each with the prediction of its leaf; a tree of one leaf has no rules."""
        check_is_fitted(self)
        return extract_rules([self.said_tree_], self.schema_, self.target_schema_, LEAVES)

    @property
    def size_(self) -> Size:
        """The numbers of trees (one), nodes and leaves."""
        check_is_fitted(self)
        return Size(trees=1, nodes=self.tree_.n_nodes, leaves=self.tree_.n_leaves)

    @property
    def target_importances_(self) -> Any:
        """The importances of inputs (rows) for each target (columns), as a dataframe.

        It is the fraction of a target's explained impurity that splits on the input explain.
        """
        import pandas as pd

        check_is_fitted(self)
        shares = share_importance(self.tree_, self.target_schema_, len(self.schema_.names), self._judges_by_entropy)
        return pd.DataFrame(shares, index=list(self.schema_.names), columns=list(self.target_schema_.names))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each input: the fraction of the explained impurity that its splits explain.

        Of several inputs that divide the rows in the same way, the first is credited with the whole.
        """
        check_is_fitted(self)
        gain = np.bincount(self.tree_.split_input, self.tree_.split_gain, len(self.schema_.names)).astype(float)
        return gain / (gain.sum() or 1.0)

    def to_text(self, max_depth: int = 10) -> str:
        """Return the tree as a text to read.

        Parameters
        ----------
        max_depth : int, default=10
            The depth of the deepest nodes to show; those below are only counted.

        Returns
        -------
        str
            One line for each node.
        """
        check_is_fitted(self)
        return tree_to_text(self.said_tree_, self.schema_, self.target_schema_, self.spread_, max_depth)

    def to_frame(self) -> Any:
        """Return the leaves as a dataframe, the offset first.

        Returns
        -------
        DataFrame
            A row for each leaf: `term` in words, `kind`, `conditions` as data, `rows` and `share` of the training rows;
            for each target, or each class, what the prediction is above that of every row (the first row), and what was
            observed of the rows inside and outside; the `importance`. Classes are in percentage points, of two the
            event alone is told.
        """
        from glade.rules.tree_frame import leaves_to_frame

        check_is_fitted(self)
        return leaves_to_frame(self.rules_, self.said_tree_, self.tree_.value, self.spread_)

    def plot(self, max_depth: int = 4, ax: Any = None) -> Any:
        """Draw the tree with Matplotlib, from left to right: of each node what its rows say.

        Parameters
        ----------
        max_depth : int, default=4
            The depth of the deepest nodes to draw; those below are only counted.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure that has room for all nodes.

        Returns
        -------
        Axes
            The axes that were drawn in.
        """
        from glade.explain.tree_plot import draw_tree

        check_is_fitted(self)
        return draw_tree(self.said_tree_, self.schema_, self.target_schema_, self.spread_, max_depth, ax)

    def _panel_as_html(self) -> str:
        if "schema_" not in vars(self):
            return ""
        from glade.explain.notebook import panel_of_tree

        return panel_of_tree(self.said_tree_, self.schema_, self.target_schema_, self.spread_)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the nested sequence of trees that cost-complexity pruning makes of the full tree.

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
            `ccp_alphas`, `impurities` and `leaves`, with one entry for each tree. Equal alphas are one step. With one
            target the impurities are in its unit squared (or are Gini indices or entropies), with several they are
            means over the targets, the numeric ones standardised.
        """
        full = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = Prunable.of(full.tree_).path()
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk, leaves=path.leaves)

    def pruned(
        self, alpha: float | None = None, *, X_val: Any = None, y_val: Any = None, sample_weight: Any = None
    ) -> Self:
        """Return a pruned copy: at `alpha`, or at the alpha with the smallest error on a validation set.

        Parameters
        ----------
        alpha : float, optional
            The complexity parameter, as in `ccp_alpha`.
        X_val : array-like or dataframe of shape (rows, inputs), optional
            The inputs of a validation set, which is given instead of `alpha`. Among trees with equal errors the
            smallest is chosen.
        y_val : array-like or dataframe of shape (rows,) or (rows, targets), optional
            The targets of the validation set.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows of the validation set.

        Returns
        -------
        tree : object
            A fitted copy; the estimator itself does not change.
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
        if model.tree_.n_nodes < self.tree_.n_nodes:
            for name in ("held_out_", "residuals_", "metrics_"):
                model.__dict__.pop(name, None)  # the folds have predicted by trees of another size
        return model

    def _read_validation(self, X: Any, y: Any, sample_weight: Any) -> ValidationRows:
        matrix = self.encode(X)
        columns = self.read_truth(y, len(matrix))
        values = [
            c.values if classes is None else match_classes(c, classes)
            for c, classes in zip(columns, self.target_schema_.classes, strict=True)
        ]
        return ValidationRows(matrix, values, read_weights(sample_weight, len(matrix)))
