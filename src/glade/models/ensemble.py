"""What all forests share: parameters, fit, out-of-bag results, importances."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.kinds import FOREST
from glade.core.notices import warn_user
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads
from glade.data.coding import CodedInputs
from glade.data.frames import to_table
from glade.data.weights import read_target_weights
from glade.ensemble.growth import Grown, Order, TrainingRows, grow_forest
from glade.ensemble.importance import input_gains, permutation_rises, target_shares
from glade.ensemble.loop import Plan
from glade.ensemble.methods import AUTO, METHODS, Method, is_auto
from glade.ensemble.sampling import DEFAULT_MEAN_SIZE, Sampling, count_drawn, count_drawn_groups
from glade.grow.limits import count_inputs
from glade.grow.node_table import NodeTable
from glade.models.base import Size, TabularEstimator, TrainingSet, score_values
from glade.models.growing import MAX_FEATURES, GrowingEstimator
from glade.models.warm_start import TreesBefore, find_before
from glade.rules.extract import LEAVES, extract_forest_rules
from glade.rules.rule_set import RuleSet

if TYPE_CHECKING:
    from glade.explain.paths import PathExplainer


@dataclass(frozen=True)
class _Part:
    """Targets that share a forest."""

    plan: Plan
    rows: TrainingRows | None
    target_weights: NDArray[np.float64]


class ForestEstimator(GrowingEstimator):
    """Many trees: parameters, fit, and what all forests offer."""

    kind = FOREST
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
        "random_size": [StrOptions({"leaves", "depth", AUTO}), None],
        "mean_size": [Interval(Real, 2.0, None, closed="left"), None],
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
        random_size: str | None = "auto",
        mean_size: float | None = None,
        f_test: float | None = None,
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
        self.random_size = random_size
        self.mean_size = mean_size
        self.f_test = f_test
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
        X : table of shape (rows, inputs)
            NumPy array, pandas, polars or pyarrow dataframe. Text, booleans and categoricals are nominal; missing
            values are used as they are.
        y : array or dataframe of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional
            Rows of weight zero are left out. A bootstrap draws rows in proportion to their weights.
        groups : array of shape (rows,), optional
            Labels of any kind: rows with the same label belong together, such as those of one patient. Where a tree is
            given a sample, it is then one of whole groups (`max_samples` is the share of them), so that a row is out of
            bag only for trees that saw no row of its group; rows held out for n_estimators="auto" are whole groups too.
        """
        before = find_before(self)
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            grown = self._grow_on(training, before)
            if self.oob_score:
                self._keep_out_of_bag(training, grown, X)
        return self

    def grow_on(self, training: TrainingSet, reader: TabularEstimator) -> Self:
        """Fit to rows that another estimator has read. Their groups count if the forest is judged by its own rows."""
        for name in ("schema_", "target_schema_", "n_outputs_", "n_features_in_", "feature_names_in_"):
            if hasattr(reader, name):  # an array has no names
                setattr(self, name, getattr(reader, name))
        self._grow_on(training if self._is_judged else training.without_groups, None)
        return self

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
        """The method, with what the user set."""
        return METHODS[self.method].with_given(
            bootstrap=self.bootstrap,
            max_samples=self.max_samples,
            learning_rate=self.learning_rate,
            max_depth=self.max_depth,
            random_size=self.random_size,
        )

    def _check_method(self) -> None:
        """Refuse settings that contradict one another."""
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
        if way.learning_rate > 0 and self.voting == "majority":
            raise ValueError(
                "voting='majority' needs trees that predict classes: set learning_rate=0, or voting='distribution'"
            )

    @property
    def _is_judged(self) -> bool:
        """Whether rows that trees have not seen judge the forest."""
        return self.oob_score or is_auto(self.n_estimators)

    def _check_judges(self, training: TrainingSet, parts: list[_Part]) -> None:
        """There are rows that trees have not seen, if these are to judge the forest."""
        if not self._is_judged:
            return
        what = "oob_score" if self.oob_score else "n_estimators='auto'"
        if training.groups is not None:
            remedy = "oob_score=False" if self.oob_score else "n_estimators to a number"
            training.groups.check_several(what, f"set {remedy}, or leave groups out")
        if self._way.learning_rate == 0 and not all(part.plan.sampling.leaves_rows_out for part in parts):
            raise ValueError(f"{what} needs rows that a tree has not seen: set bootstrap=True, or max_samples below 1")

    def _make_parts(self, training: TrainingSet) -> list[_Part]:
        """All targets in one part, or one part for each."""
        self._check_criterion(training.targets)
        inputs = training.code(self.max_bins, self._way.exact_up_to)
        weights = read_target_weights(self.target_weights, self.target_schema_.names)
        matrix = None
        if self.oob_score or is_auto(self.n_estimators) or self._way.learning_rate > 0:
            matrix = training.matrix
        n_targets = len(training.targets)
        divided = [slice(t, t + 1) for t in range(n_targets)] if self.per_target else [slice(0, n_targets)]
        parts = []
        for own_targets in divided:
            rows = None if matrix is None else TrainingRows(matrix, [c.values for c in training.targets[own_targets]])
            own = np.ones(1) if self.per_target else weights
            parts.append(_Part(self._make_plan(training, inputs, own_targets, own), rows, own))
        return parts

    def _make_plan(
        self, training: TrainingSet, inputs: CodedInputs, part: slice, target_weights: NDArray[np.float64]
    ) -> Plan:
        targets = training.targets[part]
        way, n_inputs = self._way, len(training.table.columns)
        knows_any = ~np.isnan(np.column_stack([c.values for c in targets])).all(axis=1)
        population = np.flatnonzero(knows_any)
        max_features = way.max_features[self._task] if is_auto(self.max_features) else self.max_features
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
        )
        encoded = self._encode_targets(targets, training.weights, target_weights)
        return Plan(inputs, encoded, settings, sampling, self.seed_, float(way.learning_rate))

    def _count_drawn(self, way: Method, training: TrainingSet, population: NDArray[np.intp]) -> int:
        """How many rows of the population, or groups of them, a tree is given."""
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
        order = Order(
            n_trees=None if isinstance(self.n_estimators, str) else int(self.n_estimators),
            out_of_bag=self.oob_score,
            voting=self.voting,
            target_weights=part.target_weights,
            n_threads=count_threads(self.n_jobs),
            shown=bool(self.verbose),
        )
        return grow_forest(part.plan, order, part.rows, () if before is None else before.forests[k].trees)

    def _keep_curves(self, grown: list[Grown]) -> None:
        curves = [g.curve for g in grown if g.curve is not None]
        if curves:
            name = "oob_curve_" if self._way.learning_rate == 0 else "validation_curve_"
            setattr(self, name, curves[0] if len(grown) == 1 else curves)

    def _keep_out_of_bag(self, training: TrainingSet, grown: list[Grown], X: Any) -> None:
        n_given = len(to_table(X))
        values = np.column_stack([g.out_of_bag for g in grown if g.out_of_bag is not None])
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
        of_given = np.full((n_given, values.shape[1]), np.nan)
        of_given[training.rows] = values
        self.oob_prediction_ = self._present(of_given, X)

    def _present(self, values: NDArray[np.float64], X: Any) -> Any:
        """Channel values, some of them NaN, as the estimator's predictions."""
        raise NotImplementedError

    def _values_of(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        n_threads = count_threads(self.n_jobs)
        parts = [forest.predict(matrix, self.voting, n_threads) for forest in self.forests_]
        return parts[0] if len(parts) == 1 else np.column_stack(parts)

    def _explainer(self) -> "PathExplainer":
        from glade.explain.paths import PathExplainer

        return PathExplainer.of(self.forests_, self.schema_.names, self.voting, count_threads(self.n_jobs))

    @property
    def rules_(self) -> RuleSet:
        """A rule for each leaf of each tree (of more than one leaf).

        Its value is the leaf's prediction; with a learning rate above 0, what the leaf adds to the prediction of a
        number or to the score of a class; with `per_target` NaN for the targets that the tree is not for.
        """
        check_is_fitted(self)
        return extract_forest_rules(self.forests_, self.schema_, self.target_schema_, LEAVES)

    @property
    def trees_(self) -> list[NodeTable]:
        """All trees; with `per_target` those of the first target come first."""
        check_is_fitted(self)
        return [tree for forest in self.forests_ for tree in forest.trees]

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Rows x trees: the leaf each row comes to in each tree, as a node number."""
        matrix, n_threads = self._encode(X), count_threads(self.n_jobs)
        return np.column_stack([forest.apply(matrix, n_threads) for forest in self.forests_])

    def decision_path(self, X: Any) -> tuple[sparse.csr_array, NDArray[np.int64]]:
        """Rows x nodes of all trees, 1 for each node on the row's way; and where each tree's nodes start."""
        matrix = self._encode(X)
        paths, starts = zip(*(forest.decision_path(matrix) for forest in self.forests_), strict=True)
        offsets = np.cumsum([0, *(forest.n_nodes for forest in self.forests_)])
        start = [s[:-1] + offset for s, offset in zip(starts, offsets[:-1], strict=True)]
        return sparse.hstack(paths, format="csr"), np.append(np.concatenate(start), offsets[-1])

    @property
    def size_(self) -> Size:
        """Trees, nodes and leaves."""
        check_is_fitted(self)
        counts = [(len(f.trees), f.n_nodes, f.n_leaves) for f in self.forests_]
        trees, nodes, leaves = (int(n) for n in np.sum(counts, axis=0))
        return Size(trees=trees, nodes=nodes, leaves=leaves)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """For each input, the share of the explained impurity that splits on it took away, mean over the trees."""
        check_is_fitted(self)
        gains = np.mean([input_gains(forest, len(self.schema_.names)) for forest in self.forests_], axis=0)
        return gains / (gains.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """Inputs x targets: the share of each target's explained impurity that splits on the input took away."""
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
        """Inputs x targets: by how much a tree's error on its out-of-bag rows rises when the input is shuffled there.

        The error of a numeric target is its squared error over its variance, of a nominal one the share of wrong
        classes; the rise is the mean over the trees. Unlike impurity, it does not favour inputs with many values.

        Parameters
        ----------
        X, y, sample_weight, groups
            What the forest was fitted on.
        n_repeats
            How often each input is shuffled.
        random_state
            For the shuffling.
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
