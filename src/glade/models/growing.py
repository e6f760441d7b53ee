"""The base of all estimators that grow trees: constraints of their common parameters, and the settings of growth."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from glade.data.coding import MAX_BINS
from glade.data.table import NUMERIC, Column
from glade.data.targets import EncodedTargets, encode_targets, measure_impurities
from glade.data.weights import read_target_weights
from glade.ensemble.smoothing import BY_DEFAULT
from glade.grow.grower import GrowthSettings
from glade.grow.limits import count_rows
from glade.models.base import TabularEstimator, TrainingSet

SMOOTHING = [Interval(Real, 0.0, None, closed="neither"), StrOptions({BY_DEFAULT}), None]
MAX_FEATURES = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0.0, 1.0, closed="right"),
    StrOptions({"sqrt", "log2", "log2+1", "third"}),
]


OF_NUMBERS = {"standardise_targets": ["boolean"]}  # constraints of a parameter of those that predict numbers
BINARY, MULTIWAY = "binary", "multiway"  # ways to divide the categories of a nominal input
NOMINAL_SPLITS = [StrOptions({BINARY, MULTIWAY})]


class GrowingEstimator(TabularEstimator):
    """The base of all estimators that grow trees."""

    _criteria: tuple[str, ...]
    standardise_targets = True  # a parameter of those that predict numbers
    smoothing: Any = None  # a parameter of those that predict classes

    _parameter_constraints = {
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both"), StrOptions({"auto"}), None],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "min_samples_split": [
            Interval(Integral, 2, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
        ],
        "min_samples_leaf": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
        ],
        "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
        "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
        "f_test": [Interval(Real, 0.0, 1.0, closed="neither"), None],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
        "random_state": ["random_state"],
    }

    @property
    def _criterion(self) -> str:
        return self.criterion or self._criteria[0]

    @property
    def _judges_by_entropy(self) -> bool:
        return self._criterion in ("entropy", "gain_ratio")

    def _check_criterion(self, targets: list[Column]) -> None:
        if self._criterion == "gain_ratio" and any(c.kind == NUMERIC for c in targets):
            raise ValueError("criterion='gain_ratio' is for nominal targets: use 'gini' or 'entropy' with numeric ones")
        if self.f_test is not None and self._judges_by_entropy:
            raise ValueError("f_test compares sums of squares: use it with the variance or Gini criterion")

    def _weigh_targets(self, training: TrainingSet) -> NDArray[np.float64]:
        """Return how much each target counts beside others of the same impurity on all rows.

        Criteria make all targets count alike. That they add up variances (and impurities of nominal targets) as they
        are is to let each target count by its own.
        """
        asked = read_target_weights(self.target_weights, self.target_schema_.names)
        if self.standardise_targets or len(asked) == 1:
            return asked
        criterion = "entropy" if self._judges_by_entropy else self._criterion
        return asked * measure_impurities(training.targets, training.weights, criterion)

    def _encode_targets(
        self, targets: list[Column], weights: NDArray[np.float64], target_weights: NDArray[np.float64]
    ) -> EncodedTargets:
        return encode_targets(
            targets, weights, "entropy" if self._judges_by_entropy else self._criterion, target_weights
        )

    def _growth_settings(self, training: TrainingSet, **more: Any) -> GrowthSettings:
        """Return the settings of growth: those that all such estimators read alike, and those given."""
        n_rows = training.table.n_rows
        return GrowthSettings(
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_split=max(2, count_rows(self.min_samples_split, n_rows)),
            min_samples_leaf=count_rows(self.min_samples_leaf, n_rows),
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            f_test=self.f_test,
            gain_ratio=self._criterion == "gain_ratio",
            **more,
        )
