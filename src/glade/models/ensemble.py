"""The base of the forest estimators: common parameters, `fit`, out-of-bag results and importances."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.kinds import FOREST
from glade.core.names import quote_name
from glade.core.notices import warn_user
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads
from glade.data.coding import CodedInputs, Edges
from glade.data.constraints import Signs, find_open_targets, read_signs, take_targets, to_score_signs
from glade.data.elsewhere import find_elsewhere
from glade.data.frames import to_table
from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest
from glade.ensemble.growth import Grown, GrowthOptions, TrainingRows, grow_forest
from glade.ensemble.importance import input_gains, permutation_rises, target_shares
from glade.ensemble.loop import Plan, grow_independent
from glade.ensemble.methods import AUTO, FITTED, METHODS, PLAIN, Method, is_auto
from glade.ensemble.sampling import DEFAULT_MEAN_SIZE, Sampling, count_drawn, count_drawn_groups
from glade.ensemble.smoothing import mix_shares, read_smoothing
from glade.grow.limits import count_inputs
from glade.grow.node_table import NodeTable, TreeSequence
from glade.models.base import Size, TabularEstimator, TrainingSet, score_values
from glade.models.errors import KeepsMetrics, measure_errors
from glade.models.growing import MAX_FEATURES, GrowingEstimator
from glade.models.intervals import PredictsIntervals, measure_residuals
from glade.models.number_loss import SquaredNumbers, check_amounts
from glade.models.warm_start import TreesBefore, find_before
from glade.rules.extract import LEAVES, extract_forest_rules
from glade.rules.rule_set import RuleSet

if TYPE_CHECKING:
    from glade.explain.paths import PathExplainer


@dataclass(frozen=True)
class _Part:
    """The plan of one forest, which is for all targets or, with `per_target`, for one of them."""

    plan: Plan
    rows: TrainingRows | None
    target_weights: NDArray[np.float64]


class ForestEstimator(SquaredNumbers, KeepsMetrics, GrowingEstimator):
    """The base of the forest estimators: their common parameters, `fit`, and the methods of a fitted forest."""

    kind = FOREST
    n_rows_: int
    n_groups_: int | None
    forests_: list[Any]
    residuals_: Any
    _parameter_constraints = {
        **GrowingEstimator._parameter_constraints,
        "method": [StrOptions(set(METHODS))],
        "n_estimators": [Interval(Integral, 1, None, closed="left"), StrOptions({AUTO})],
        "max_depth": [Interval(Integral, 1, None, closed="left"), StrOptions({AUTO}), None],
        "max_features": [*MAX_FEATURES, StrOptions({AUTO}), None],
        "on_no_split": [StrOptions({"redraw", "leaf"})],
        "features_per_tree": [*MAX_FEATURES, None],
        "bootstrap": ["boolean", StrOptions({AUTO})],
        "max_samples": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
            StrOptions({AUTO}),
            None,
        ],
        "learning_rate": [Interval(Real, 0.0, 1.0, closed="both"), StrOptions({AUTO})],
        "step": [StrOptions({PLAIN, FITTED})],
        "random_size": [StrOptions({"leaves", "depth", AUTO}), None],
        "mean_size": [Interval(Real, 2.0, None, closed="left"), None],
        "monotonic_cst": ["array-like", dict, None],
        "per_target": ["boolean"],
        "voting": [StrOptions({"distribution", "majority"})],
        "oob_score": ["boolean"],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "verbose": ["boolean", Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        method: str = "random_forest",
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | str | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = "auto",
        on_no_split: str = "redraw",
        features_per_tree: int | float | str | None = None,
        bootstrap: bool | str = "auto",
        max_samples: int | float | str | None = "auto",
        learning_rate: float | str = "auto",
        step: str = PLAIN,
        random_size: str | None = "auto",
        mean_size: float | None = None,
        f_test: float | None = None,
        monotonic_cst: Any = None,
        per_target: bool = False,
        voting: str = "distribution",
        oob_score: bool = False,
        target_weights: Any = None,
        missing_targets: str | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        self.n_estimators = n_estimators
        self.method = method
        self.criterion = criterion
        self.max_bins = max_bins
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.on_no_split = on_no_split
        self.features_per_tree = features_per_tree
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.learning_rate = learning_rate
        self.step = step
        self.random_size = random_size
        self.mean_size = mean_size
        self.f_test = f_test
        self.monotonic_cst = monotonic_cst
        self.per_target = per_target
        self.voting = voting
        self.oob_score = oob_score
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs: a NumPy array, or a pandas, polars or pyarrow dataframe. Text, booleans and categories are
            nominal; missing values need no preparation.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows. Rows of weight zero are left out. A bootstrap draws rows in proportion to their
            weights.
        groups : array-like of shape (rows,), optional
            Labels of groups of rows that belong together, such as those of one patient. The sample of each tree then
            consists of whole groups (`max_samples` is the fraction of the groups), so that a row is out of bag only
            for trees that were grown without any row of its group. The rows that are held out for
            `n_estimators="auto"` are whole groups as well.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        elsewhere = find_elsewhere(X)
        if elsewhere is not None:
            elsewhere.fit_model(self, y, sample_weight, groups)
            return self
        before = find_before(self)
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            grown = self._grow_on(training, before)
            self.smooth()
            if self.oob_score:
                self._keep_out_of_bag(training, grown, X)
        return self

    def grow_on(self, training: TrainingSet, reader: TabularEstimator) -> Self:
        """Fit to rows that another estimator has read, as rule ensembles do.

        Parameters
        ----------
        training : TrainingSet
            The rows. Their groups matter only if out-of-bag or held-out rows judge the forest.
        reader : TabularEstimator
            The estimator that has read them and knows the names of inputs and targets.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        for name in ("schema_", "target_schema_", "n_outputs_", "n_features_in_", "feature_names_in_"):
            if hasattr(reader, name):  # the columns of an array have no names
                setattr(self, name, getattr(reader, name))
        self._grow_on(training if self._is_judged else training.without_groups, None)
        return self

    @property
    def grows_apart(self) -> bool:
        """Whether trees depend on nothing but rows and their own numbers, so that each may have rows of its own."""
        return self._way.learning_rate == 0 and not self._is_judged and not self.warm_start

    def prepare_apart(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> Edges:
        """Read some rows of a table whose trees will grow elsewhere, each on rows of its own.

        Parameters
        ----------
        X : dataframe of shape (rows, inputs)
            The inputs of these rows.
        y : series or dataframe
            The targets.
        sample_weight : array-like of shape (rows,) or None
            Their weights.
        groups : array-like of shape (rows,) or None
            Their groups.

        Returns
        -------
        Edges
            By which the inputs of all trees are to be coded.
        """
        training = self._read_training(X, y, sample_weight, groups)
        self._check_method()
        self.seed_ = draw_seed(self.random_state)
        self._make_parts(training)  # refuses what cannot be grown
        return training.code(self.max_bins, self._way.exact_up_to).edges

    def grow_apart(self, training: TrainingSet, numbers: range, n_threads: int) -> list[NodeTable]:
        """Grow the trees of some numbers on rows of their own; the estimator is prepared, and does not change.

        Parameters
        ----------
        training : TrainingSet
            The rows, with the edges by which they are to be coded.
        numbers : range
            Of the trees.
        n_threads : int
            How many grow at a time.

        Returns
        -------
        list of NodeTable
            The trees; with `per_target` a table for each target.
        """
        plans = [part.plan.with_cuts_for(len(numbers)) for part in self._make_parts(training)]
        return [NodeTable.stack(grow_independent(plan, numbers, n_threads)) for plan in plans]

    def take_trees(self, tables: Iterable[list[NodeTable]], n_rows: int) -> None:
        """Become the forest of trees that were grown apart.

        Parameters
        ----------
        tables : iterable of lists of NodeTable
            What `grow_apart` has returned, in the order of the trees.
        n_rows : int
            On how many rows they were grown.
        """
        names, classes = self.target_schema_.names, self.target_schema_.classes
        grown = zip(*tables, strict=True)
        self.forests_ = [
            Forest.of(own, TargetSchema(names[part], classes[part]))
            for own, part in zip(grown, self._divide_targets(self.n_outputs_), strict=True)
        ]
        self.n_estimators_ = max(len(forest.trees) for forest in self.forests_)
        self.n_rows_, self.n_groups_ = n_rows, None
        self.smooth()

    def smooth(self) -> None:
        """Let shares of classes be drawn towards equal ones as if there were some more training rows."""
        n_rows = read_smoothing(self.smoothing)
        part = n_rows / (n_rows + self.n_rows_) if n_rows else 0.0
        self.forests_ = [replace(own, mixed=0.0 if own.learning_rate > 0 else part) for own in self.forests_]

    def _grow_on(self, training: TrainingSet, before: TreesBefore | None) -> list[Grown]:
        self._check_method()
        self.seed_ = draw_seed(self.random_state) if before is None else before.seed
        parts = self._make_parts(training)
        self._check_judges(training, parts)
        if before is not None:
            before.check_same(self.schema_, self.target_schema_, len(parts))
        grown = [self._grow_part(k, part, before) for k, part in enumerate(parts)]
        self.forests_ = [g.forest for g in grown]
        self.n_estimators_ = max(len(forest.trees) for forest in self.forests_)
        self.n_rows_ = training.table.n_rows
        self.n_groups_ = None if training.groups is None else training.groups.n_groups
        self._keep_curves(grown)
        return grown

    @property
    def _way(self) -> Method:
        """The method, with the parameters that the user has set in place of "auto"."""
        return METHODS[self.method].with_given(
            bootstrap=self.bootstrap,
            max_samples=self.max_samples,
            learning_rate=self.learning_rate,
            max_depth=self.max_depth,
            random_size=self.random_size,
        )

    def _check_method(self) -> None:
        """Raise an error where parameters contradict one another."""
        way = self._way
        if way.learning_rate > 0 and self.oob_score:
            raise ValueError(
                "oob_score needs trees that do not depend on one another: set learning_rate=0, or oob_score=False"
            )
        if way.learning_rate > 0 and self._judges_by_entropy:
            raise ValueError(
                f"criterion={self.criterion!r} judges classes, but trees with learning_rate above 0 are grown to the"
                " gradient of the loss: leave criterion at its default"
            )
        if way.learning_rate == 0 and not self._number_loss.is_quadratic:
            raise ValueError(
                f"loss={self._number_loss.name!r} is one that boosted trees lower: set method='boosting', or leave loss"
                " at 'squared'"
            )
        if way.learning_rate > 0 and self.voting == "majority":
            raise ValueError(
                "voting='majority' needs trees that predict classes: set learning_rate=0, or voting='distribution'"
            )

    @property
    def _is_judged(self) -> bool:
        """Whether the error on rows that trees were grown without is needed."""
        return self.oob_score or is_auto(self.n_estimators)

    def _check_judges(self, training: TrainingSet, parts: list[_Part]) -> None:
        """Raise an error where that error is needed, but no tree is grown without some of the rows."""
        if not self._is_judged:
            return
        what = "oob_score" if self.oob_score else "n_estimators='auto'"
        if training.groups is not None:
            remedy = "oob_score=False" if self.oob_score else "n_estimators to a number"
            training.groups.check_several(what, f"set {remedy}, or leave groups out")
        if self._way.learning_rate == 0 and not all(part.plan.sampling.leaves_rows_out for part in parts):
            raise ValueError(f"{what} needs rows that a tree has not seen: set bootstrap=True, or max_samples below 1")

    def _make_parts(self, training: TrainingSet) -> list[_Part]:
        """Return one part with all targets, or with `per_target` one for each target."""
        self._check_criterion(training.targets)
        check_amounts(self._number_loss, training.targets, training.rows)
        signs = self._read_signs()
        inputs = training.code(self.max_bins, self._way.exact_up_to)
        weights = self._weigh_targets(training)
        matrix = None
        if self.oob_score or is_auto(self.n_estimators) or self._way.learning_rate > 0:
            matrix = training.matrix
        parts = []
        for own_targets in self._divide_targets(len(training.targets)):
            rows = None if matrix is None else TrainingRows(matrix, [c.values for c in training.targets[own_targets]])
            own = np.ones(1) if self.per_target else weights
            parts.append(_Part(self._make_plan(training, inputs, own_targets, own, signs), rows, own))
        return parts

    def _read_signs(self) -> Signs | None:
        """Which way what the trees predict may change: shares of classes, or scores where trees are boosted."""
        signs, targets = read_signs(self.monotonic_cst, self.schema_, self.target_schema_), self.target_schema_
        if signs is None:
            return None
        is_of_many = any(
            classes is not None and len(classes) > 2 and signs[:, targets.channels_of(t)].any()
            for t, classes in enumerate(targets.classes)
        )
        if self.voting == "majority" and is_of_many:
            raise ValueError(
                "voting='majority' does not keep monotonic_cst of more than two classes: set voting='distribution'"
            )
        if self._way.learning_rate == 0:
            return signs
        too_many = find_open_targets(signs, targets)
        if too_many:
            raise ValueError(
                f"boosted trees can be held to one class for each input, but monotonic_cst has several for target"
                f" {quote_name(too_many[0])}: name one of them, or set learning_rate=0"
            )
        return to_score_signs(signs, targets)

    def can_keep(self, monotonic_cst: Any, reader: TabularEstimator) -> bool:
        """Whether the trees can keep signs; those of several classes for one input, boosted trees cannot.

        Parameters
        ----------
        monotonic_cst : array-like, dict or None
            The signs.
        reader : TabularEstimator
            The estimator that has read the rows.

        Returns
        -------
        bool
            If not, what is made of the trees is to be bounded by others.
        """
        signs = read_signs(monotonic_cst, reader.schema_, reader.target_schema_)
        return signs is None or self._way.learning_rate == 0 or not find_open_targets(signs, reader.target_schema_)

    def _divide_targets(self, n_targets: int) -> list[slice]:
        """The targets of each forest."""
        return [slice(t, t + 1) for t in range(n_targets)] if self.per_target else [slice(0, n_targets)]

    def _make_plan(
        self,
        training: TrainingSet,
        inputs: CodedInputs,
        part: slice,
        target_weights: NDArray[np.float64],
        signs: Signs | None,
    ) -> Plan:
        targets = training.targets[part]
        way, n_inputs = self._way, training.table.n_inputs
        knows_any = ~np.isnan(np.column_stack([c.values for c in targets])).all(axis=1)
        population = np.flatnonzero(knows_any)
        max_features = way.max_features[self.task] if is_auto(self.max_features) else self.max_features
        sampling = Sampling(
            population=population,
            weights=training.weights,
            n_drawn=self._count_drawn(way, training, population),
            bootstrap=way.bootstrap,
            n_inputs=n_inputs,
            inputs_per_tree=count_inputs(self.features_per_tree, n_inputs),
            random_size=way.random_size,
            mean_size=self.mean_size or DEFAULT_MEAN_SIZE.get(way.random_size or "", 0.0),
            groups=None if training.groups is None else training.groups.codes,
        )
        settings = self._growth_settings(
            training,
            max_depth=way.max_depth,
            max_features=count_inputs(max_features, n_inputs),
            leaf_if_no_split=self.on_no_split == "leaf",
            draw_categories=way.draw_categories,
            random_cuts=way.random_cuts,
            signs=take_targets(signs, self.target_schema_, part),
        )
        encoded = self._encode_targets(targets, training.weights, target_weights)
        return Plan(
            inputs, encoded, settings, sampling, self.seed_, float(way.learning_rate), self._number_loss,
            fits_step=self.step == FITTED,
        )  # fmt: skip

    def _count_drawn(self, way: Method, training: TrainingSet, population: NDArray[np.intp]) -> int:
        """Return the number of rows (with groups, the number of groups) that are drawn for each tree."""
        weights = training.weights[population]
        if len(weights) == 0:
            raise ValueError(
                "no target is known in any of the rows to grow trees on: give more rows, or fewer folds (cv)"
            )
        n_drawn = count_drawn(way.max_samples, weights, way.bootstrap)
        if not way.bootstrap and n_drawn > len(weights):
            raise ValueError(
                f"max_samples={self.max_samples} is more than the {len(weights)} rows there are: lower it, or set"
                " bootstrap=True to draw with replacement"
            )
        if training.groups is None:
            return n_drawn
        n_groups = len(np.unique(training.groups.codes[population]))
        return count_drawn_groups(way.max_samples, n_groups, len(population))

    def _grow_part(self, k: int, part: _Part, before: TreesBefore | None) -> Grown:
        options = GrowthOptions(
            n_trees=None if isinstance(self.n_estimators, str) else int(self.n_estimators),
            out_of_bag=self.oob_score,
            voting=self.voting,
            target_weights=part.target_weights,
            n_threads=count_threads(self.n_jobs),
            shown=bool(self.verbose),
        )
        return grow_forest(part.plan, options, part.rows, () if before is None else before.forests[k].trees)

    def _keep_curves(self, grown: list[Grown]) -> None:
        curves = [g.curve for g in grown if g.curve is not None]
        if curves:
            name = "oob_curve_" if self._way.learning_rate == 0 else "validation_curve_"
            setattr(self, name, curves[0] if len(grown) == 1 else curves)

    def _keep_out_of_bag(self, training: TrainingSet, grown: list[Grown], X: Any) -> None:
        n_given = len(to_table(X))
        values = np.column_stack([g.out_of_bag for g in grown if g.out_of_bag is not None])
        values = mix_shares(values, self.target_schema_, self.forests_[0].mixed)
        n_never = int(np.isnan(values).any(axis=1).sum())
        if n_never:
            warn_user(
                f"{n_never} of {len(values)} rows have no out-of-bag prediction, since every tree has seen them: grow"
                " more trees"
            )
        self.oob_score_ = (
            score_values(values, self.target_schema_, training.targets, training.weights)
            if n_never < len(values)
            else np.nan
        )
        self.metrics_ = measure_errors(training, training.targets, values, self.target_schema_, self._number_loss)
        of_given = np.full((n_given, values.shape[1]), np.nan)
        of_given[training.rows] = values
        self.oob_prediction_ = self._present(of_given, X)
        if isinstance(self, PredictsIntervals):
            self.residuals_ = measure_residuals(training.targets, values, training.weights, self.seed_)

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        n_threads = count_threads(self.n_jobs)
        parts = [forest.predict(matrix, self.voting, n_threads) for forest in self.forests_]
        return parts[0] if len(parts) == 1 else np.column_stack(parts)

    def make_explainer(self) -> "PathExplainer":
        from glade.explain.paths import PathExplainer

        return PathExplainer.of(self.forests_, self.schema_.names, self.voting, count_threads(self.n_jobs))

    @property
    def rules_(self) -> RuleSet:
        """The leaves of all trees that have more than one, as rules.

        The value of a rule is the prediction of its leaf. With a learning rate above 0 it is what the leaf adds to the
        prediction of a number or to the score of a class. With `per_target` it is NaN for the targets that the tree
        does not predict.
        """
        check_is_fitted(self)
        return extract_forest_rules(self.forests_, self.schema_, self.target_schema_, LEAVES)

    @property
    def trees_(self) -> Sequence[NodeTable]:
        """The nodes and splits of all trees; with `per_target` those for the first target come first."""
        check_is_fitted(self)
        return TreeSequence([forest.nodes for forest in self.forests_])

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, trees)
            The numbers of the leaves among the nodes of each tree.
        """
        matrix, n_threads = self.encode(X), count_threads(self.n_jobs)
        return np.column_stack([forest.apply(matrix, n_threads) for forest in self.forests_])

    def decision_path(self, X: Any) -> tuple[sparse.csr_array, NDArray[np.int64]]:
        """Return the nodes that each row passes on its ways from the roots to the leaves.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        indicator : sparse array of shape (rows, nodes of all trees)
            An entry is 1 where the row passes the node.
        start : ndarray of shape (trees + 1,)
            The nodes of tree i have the columns from `start[i]` to `start[i + 1] - 1`.
        """
        matrix = self.encode(X)
        paths, starts = zip(*(forest.decision_path(matrix) for forest in self.forests_), strict=True)
        offsets = np.cumsum([0, *(forest.n_nodes for forest in self.forests_)])
        start = [s[:-1] + offset for s, offset in zip(starts, offsets[:-1], strict=True)]
        return sparse.hstack(paths, format="csr"), np.append(np.concatenate(start), offsets[-1])

    @property
    def size_(self) -> Size:
        """The numbers of trees, nodes and leaves."""
        check_is_fitted(self)
        counts = [(len(f.trees), f.n_nodes, f.n_leaves) for f in self.forests_]
        trees, nodes, leaves = (int(n) for n in np.sum(counts, axis=0))
        return Size(trees=trees, nodes=nodes, leaves=leaves)

    def _panel_as_html(self) -> str:
        if "schema_" not in vars(self):
            return ""
        from glade.explain.notebook import panel_of_importances

        return panel_of_importances(self.schema_.names, self.feature_importances_)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each input: the fraction of the explained impurity that its splits explain.

        It is the mean over the trees.
        """
        check_is_fitted(self)
        gains = np.mean([input_gains(forest, len(self.schema_.names)) for forest in self.forests_], axis=0)
        return gains / (gains.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """The importances of inputs (rows) for each target (columns), as a dataframe.

        It is the fraction of a target's explained impurity that splits on the input explain.
        """
        check_is_fitted(self)
        n_inputs, entropy = len(self.schema_.names), self._judges_by_entropy
        return self._to_importances([target_shares(forest, n_inputs, entropy) for forest in self.forests_])

    def _to_importances(self, parts: list[NDArray[np.float64]]) -> Any:
        import pandas as pd

        columns = list(self.target_schema_.names)
        return pd.DataFrame(np.column_stack(parts), index=list(self.schema_.names), columns=columns)

    def oob_permutation_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        groups: Any = None,
        *,
        n_repeats: int = 5,
        random_state: Any = None,
    ) -> Any:
        """Return how much the error on out-of-bag rows rises when the values of an input are permuted.

        The error of a numeric target is its squared error divided by its variance, that of a nominal one the fraction
        of wrong classes. The rise is the mean over the trees. Unlike impurity, it does not favour inputs with many
        values.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs that the forest was fitted to.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets that it was fitted to.
        sample_weight : array-like of shape (rows,), optional
            The row weights that it was fitted with.
        groups : array-like of shape (rows,), optional
            The groups that it was fitted with.
        n_repeats : int, default=5
            How often each input is permuted.
        random_state : int, RandomState instance or None, default=None
            The seed for the permutations.

        Returns
        -------
        DataFrame of shape (inputs, targets)
            The mean rise of the error for each input (rows) and target (columns).
        """
        check_is_fitted(self)
        twin = clone(self).set_params(oob_score=True)
        twin.seed_ = self.seed_
        training = twin._read_training(X, y, sample_weight, groups)
        if training.table.n_rows != self.n_rows_ or twin.schema_.names != self.schema_.names:
            raise ValueError(
                f"give the table the forest was fitted on: it had {self.n_rows_} rows of positive weight, this one has"
                f" {training.table.n_rows}"
            )
        if hasattr(self, "n_groups_") and (self.n_groups_ is None) != (groups is None):
            with_or_without = "without" if self.n_groups_ is None else "with"
            raise ValueError(f"the forest was fitted {with_or_without} groups: give what it was fitted on")
        twin._check_method()
        parts = twin._make_parts(training)
        twin._check_judges(training, parts)
        seed, n_threads = draw_seed(random_state), count_threads(self.n_jobs)
        return self._to_importances(
            [
                permutation_rises(forest, part.plan, part.rows, n_repeats, seed, n_threads)
                for forest, part in zip(self.forests_, parts, strict=True)
                if part.rows is not None
            ]
        )
