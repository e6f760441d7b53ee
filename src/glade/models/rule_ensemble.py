"""What all rule ensembles share: parameters, fit, and a fitted model's rules, path, words and importances."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.kinds import RULES
from glade.core.notices import warn_user
from glade.core.seeds import draw_seed
from glade.data.outliers import pull_in_outliers
from glade.data.weights import read_target_weights
from glade.explain.notebook import table_of_rules
from glade.explain.terms import TermExplainer
from glade.models.base import Size, TabularEstimator, TrainingSet
from glade.models.candidates import BOTH, CandidateFinder, soften_again
from glade.models.ensemble import ForestEstimator
from glade.models.folds import split_for_choice
from glade.models.generators import count_candidates, make_generators, read_generators
from glade.rules.design import TargetRows
from glade.rules.error_path import ErrorPath
from glade.rules.extract import LEAVES, NODES, TREES
from glade.rules.model import RuleModel
from glade.rules.path import AUTO
from glade.rules.rule_set import RuleSet
from glade.rules.scores import scale_targets
from glade.rules.soft import SoftRules
from glade.rules.weighted import WeightedTerms
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Judged, Needs, Solver
from glade.weights.solvers import SOLVERS, read_solver
from glade.weights.whole_trees import judge_trees

MOVED = {
    "l1_ratio": "weights=Lasso(l1_ratio=...)",
    "max_iter": "weights=Gradient(max_iter=...)",
    "every_tau": "weights=Gradient(every_tau=...)",
}


class _WithoutMovedParameters:
    """Refuses parameters that have become settings of a solver, below the class whose constructor lists the others."""

    def __new__(cls, *given: Any, **named: Any) -> Self:
        for name in named.keys() & MOVED:
            raise TypeError(f"{cls.__name__} has no parameter {name!r} since glade 0.2: give {MOVED[name]}")
        return super().__new__(cls)


class RuleEnsembleEstimator(TransformerMixin, TabularEstimator, _WithoutMovedParameters):  # type: ignore[misc]
    """Rules from trees, weighted."""

    kind = RULES
    _forest_class: type[ForestEstimator]
    _uses_blas = True
    _parameter_constraints = {
        "generator": [HasMethods("fit"), list, None],
        "rules_from": [StrOptions({LEAVES, NODES, TREES})],
        "weights": [StrOptions(set(SOLVERS)), Solver],
        "soft": ["boolean", StrOptions({BOTH})],
        "linear_terms": ["boolean"],
        "max_rules": [Interval(Integral, 0, None, closed="left"), StrOptions({AUTO}), None],
        "max_conditions": [Interval(Integral, 1, None, closed="left"), None],
        "cv": [Interval(Integral, 2, None, closed="left"), "cv_object"],
        "validation_fraction": [Interval(RealNotInt, 0.0, 1.0, closed="neither"), None],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["boolean", Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = "auto",
        soft: bool | str = False,
        linear_terms: bool = True,
        max_rules: int | str | None = "auto",
        max_conditions: int | None = None,
        cv: Any = None,
        validation_fraction: float | None = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        self.generator = generator
        self.rules_from = rules_from
        self.weights = weights
        self.soft = soft
        self.linear_terms = linear_terms
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees, take their rules, find the weights.

        Parameters
        ----------
        X : table of shape (rows, inputs)
            NumPy array, pandas, polars or pyarrow dataframe. Text, booleans and categoricals are nominal; missing
            values are used as they are.
        y : array or dataframe of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional
            Rows of weight zero are left out.
        groups : array of shape (rows,), optional
            Labels of any kind: rows with the same label belong together, such as those of one patient. What chooses
            between models is then judged on whole groups that neither trees nor weights have seen.
        """
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            solver = read_solver(self.weights)
            if solver.needs.pulls_in_outliers:
                training = _pull_in_outliers(training)
            self.seed_ = draw_seed(self.random_state)
            rows = self._scale_targets(training, solver)
            self._check_combinations(solver)
            finder = self._find_candidates(training, rows, solver.needs)
            forests = finder.grow(training)
            self.generator_ = forests[0] if len(forests) == 1 else forests
            whole = finder.pose(forests, rows)
            splits = split_for_choice(self.cv, self.validation_fraction, training, self.seed_, solver.needs)
            judged = self._judge(solver, whole, finder.hold_out(training, rows, splits))
            path = judged.find_path(whole).grouped(whole.design.group)
            if self.soft is not False:
                whole, path = soften_again(whole, path, judged, self.max_rules, self.n_jobs)
            self.model_ = RuleModel.of(whole.design, whole.rows, path, self._scores, self.max_rules, self.seed_)
        return self

    def _judge(self, solver: Solver, whole: Problem, folds: Sequence[FoldProblem]) -> Judged:
        """Let the solver judge its models by the folds."""
        limit = int(self.max_rules) if isinstance(self.max_rules, Integral) else None
        if whole.design.is_tied:
            return judge_trees(solver, whole, folds, self._scores, limit)
        return solver.judge(whole, folds, self._scores.losses, limit)

    def _check_combinations(self, solver: Solver) -> None:
        """Refuse parameters that contradict one another."""
        if not solver.needs.chooses_terms and isinstance(self.max_rules, Integral):
            raise ValueError(
                f'weights="{solver.name}" gives all rules weights: leave out max_rules, or set weights="auto"'
            )
        if self.rules_from != TREES:
            return
        if self.soft is not False:
            raise ValueError('rules_from="trees" keeps trees as they are: leave out soft, or set rules_from="leaves"')
        if self.max_conditions is not None:
            raise ValueError('rules_from="trees" needs all leaves: set max_depth of the generator, not max_conditions')
        if not self._scores.losses.is_quadratic:
            raise ValueError(
                f'rules_from="trees" has no {solver.name} for classes: set weights="auto", or rules_from="leaves"'
            )

    def _scale_targets(self, training: TrainingSet, solver: Solver) -> TargetRows:
        importance = read_target_weights(self.target_weights, self.target_schema_.names)
        losses = solver.choose_losses([None if c.labels is None else len(c.labels) for c in training.targets])
        self._scores, y = scale_targets(training.targets, training.weights, losses, importance)
        counts_once = bool((training.weights == 1.0).all())
        return TargetRows(training.matrix, y, None if counts_once else training.weights)

    def _find_candidates(self, training: TrainingSet, rows: TargetRows, needs: Needs) -> CandidateFinder:
        """How candidate terms are found, with settings that suit the whole table."""
        n_rows = len(rows.y)
        is_limited = training.groups is not None or not self._wants_many_terms(rows, needs)
        room = count_candidates(rows.y, is_limited)
        given = self._default_generators(n_rows, room) if self.generator is None else self.generator
        shared = {name: getattr(self, name) for name in ("n_jobs", "verbose", "missing_targets", "target_weights")}
        return CandidateFinder(
            self, read_generators(given, self._forest_class, self.seed_, shared), needs, room, n_rows
        )

    def _wants_many_terms(self, rows: TargetRows, needs: Needs) -> bool:
        """Whether all candidates may have weights, and sums of their products are cheap: counts, of few folds."""
        gives_all_weights = self.max_rules is None and needs.weighs_all and self.soft is False
        return gives_all_weights and self.rules_from != TREES and self.cv is None and rows.weights is None

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        """Forests whose rules suit a table of so many rows, and room for so many terms."""
        return make_generators(self._forest_class, n_rows, len(self.schema_.names), room)

    def with_rules(self, k: int) -> Self:
        """The model of at most k terms from the same fit, without fitting again; its `max_rules` is k.

        Parameters
        ----------
        k
            The most terms; the best step of `path_` within it is taken. Weights "auto" and "greedy" have steps up to
            200 terms, or up to `max_rules` where that is more, and "auto" one of all terms.
        """
        check_is_fitted(self)
        if not isinstance(k, Integral) or k < 0:
            raise ValueError(f"k must be a whole number of at least 0, but is {k!r}")
        model = copy(self).set_params(max_rules=int(k))
        model.model_ = self.model_.with_rules(int(k))
        return model

    def _values_of(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.model_.predict_values(matrix)

    def _explainer(self) -> TermExplainer:
        return TermExplainer(self.model_.terms, self.model_.scores)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Rows x terms: 1 where a rule covers the row, else 0; then the values of soft rules and linear terms."""
        matrix = self._encode(X)
        return self.terms_.design.values(matrix)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The terms in words: the columns of `transform`."""
        check_is_fitted(self)
        return np.array(self.terms_.design.names, dtype=object)

    def to_text(self) -> str:
        """The rules for a person to read: the most important first, with what each adds to the prediction."""
        check_is_fitted(self)
        return self.model_.to_text()

    def to_frame(self) -> Any:
        """All terms as a dataframe, the offset first; `RuleModel.to_frame` says what the columns are."""
        check_is_fitted(self)
        return self.model_.to_frame()

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + self._rules_as_html()

    def _repr_mimebundle_(self, **given: Any) -> dict[str, str]:
        """What a notebook shows: scikit-learn's diagram, and the rules once there are some."""
        bundle = super()._repr_mimebundle_(**given)
        if "text/html" in bundle:
            bundle["text/html"] += self._rules_as_html()
        return bundle

    def _rules_as_html(self) -> str:
        return table_of_rules(self.model_) if hasattr(self, "model_") else ""

    @property
    def terms_(self) -> WeightedTerms:
        """Rules, soft rules and linear terms with their effects, and the offset."""
        return self.model_.terms

    @property
    def rules_(self) -> RuleSet:
        """The rules, the most important first; their values are what they add to the prediction."""
        check_is_fitted(self)
        return self.terms_.rules

    @property
    def soft_rules_(self) -> SoftRules:
        """The soft rules, the most important first; their values are what they add where they are wholly on."""
        check_is_fitted(self)
        return self.terms_.soft_rules

    @property
    def path_(self) -> ErrorPath:
        """The models from small to large, with their validation errors: `frame()` gives them, `plot()` draws them."""
        check_is_fitted(self)
        return self.model_.errors

    @property
    def n_iter_(self) -> int:
        """The most steps that the weights of a model on the path took; at least 1, by scikit-learn's rule."""
        check_is_fitted(self)
        return max(1, self.model_.path.n_iterations)

    @property
    def size_(self) -> Size:
        """Rules, conditions and terms."""
        check_is_fitted(self)
        return self.model_.size

    @property
    def rule_importances_(self) -> Any:
        """Terms x targets: |change| * the term's deviation, in standard deviations of the target; their mean first."""
        import pandas as pd

        check_is_fitted(self)
        importance = self.terms_.importance
        frame = pd.DataFrame({"term": self.terms_.design.words, "importance": importance.mean(axis=1)})
        frame[self.target_schema_.names_beside(frame.columns)] = importance
        return frame

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """For each input, its share of the terms' importance; a term's is shared equally by its inputs."""
        check_is_fitted(self)
        importance = self.terms_.input_importance().mean(axis=1)
        return importance / (importance.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """Inputs x targets: the share of the terms' importance for each target."""
        import pandas as pd

        check_is_fitted(self)
        importance = self.terms_.input_importance()
        total = importance.sum(axis=0)
        share = np.divide(importance, total, out=np.zeros_like(importance), where=total > 0)
        return pd.DataFrame(share, index=list(self.schema_.names), columns=list(self.target_schema_.names))


def _pull_in_outliers(training: TrainingSet) -> TrainingSet:
    """The same rows, with values of targets that one row would decide the weights by moved towards the others."""
    targets = []
    for column in training.targets:
        column, alerts = pull_in_outliers(column, training.rows)
        targets.append(column)
        for alert in alerts:
            warn_user(alert)
    return replace(training, targets=targets)
