"""What all rule ensembles share: parameters, fit, and a fitted model's rules, path, words and importances."""

from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin, clone
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.parameters import check_parameters
from glade.core.seeds import draw_seed
from glade.data.targets import standardise
from glade.data.weights import read_target_weights
from glade.models.base import Size, TabularEstimator, TrainingSet
from glade.models.ensemble import ForestEstimator
from glade.models.folds import split_folds
from glade.rules.coverage import cover, drop_duplicates
from glade.rules.design import Design, TargetRows
from glade.rules.extract import LEAVES, NODES, extract_forest_rules
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import RuleSet
from glade.rules.weighted import WeightedTerms
from glade.rules.wording import terms_to_text
from glade.weights.gradient import Choice, Fold, choose_descent, choose_nothing, find_path
from glade.weights.path import AUTO, Step, WeightPath

if TYPE_CHECKING:
    from glade.explain.terms import TermExplainer

LIMITS = (10, 20, 30, 40, 50)  # small models that every fit with gradient weights offers beside the one asked for


class RuleEnsembleEstimator(TransformerMixin, TabularEstimator):  # type: ignore[misc]
    """Rules from a forest's trees, weighted."""

    _parameter_constraints = {
        "generator": [HasMethods("fit"), None],
        "rules_from": [StrOptions({LEAVES, NODES})],
        "weights": [StrOptions({"gradient"})],
        "linear_terms": ["boolean"],
        "max_rules": [Interval(Integral, 1, None, closed="left"), StrOptions({AUTO}), None],
        "max_conditions": [Interval(Integral, 1, None, closed="left"), None],
        "cv": [Interval(Integral, 2, None, closed="left"), "cv_object"],
        "validation_fraction": [Interval(RealNotInt, 0.0, 1.0, closed="neither"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "every_tau": ["boolean"],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["boolean", Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, take their rules, find the weights.

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
            self.seed_ = draw_seed(self.random_state)
            rows = self._scale_targets(training)
            choices = self._validate(training, rows)
            self.generator_ = self._make_generator().grow_on(training, self)
            design = self._find_terms(self.generator_, rows.matrix)
            self._keep(design, find_path(design, rows, choices), rows)
        return self

    def _make_generator(self) -> ForestEstimator:
        generator = self._default_generator() if self.generator is None else clone(self.generator)
        if not isinstance(generator, ForestEstimator) or generator._task != self._task:
            expected, found = type(self._default_generator()).__name__, type(generator).__name__
            raise TypeError(f"generator must be a forest for targets of the same kind, a {expected}, but is a {found}")
        parameters = generator.get_params(deep=False)
        check_parameters(generator._parameter_constraints, parameters, type(generator).__name__)
        given = {"random_state": self.seed_, "n_jobs": self.n_jobs, "verbose": self.verbose}
        given |= {"missing_targets": self.missing_targets, "target_weights": self.target_weights}
        return generator.set_params(**given)

    def _default_generator(self) -> ForestEstimator:
        raise NotImplementedError

    def _scale_targets(self, training: TrainingSet) -> TargetRows:
        """Targets centred, in units of twice their standard deviation (over the root of their weight)."""
        importance = read_target_weights(self.target_weights, self.target_schema_.names)
        counts = np.sqrt(importance / importance.mean())
        y, weights = np.empty((training.table.n_rows, len(training.targets))), training.weights
        self.mean_, self.spread_ = np.zeros((2, len(counts)))
        for t, column in enumerate(training.targets):
            y[:, t], self.mean_[t], self.spread_[t] = standardise(column.values, weights)
        self._unit = 2 * self.spread_ / np.where(counts > 0, counts, 1.0)
        matrix = np.column_stack([c.values for c in training.table.columns])
        counts_once = bool((weights == 1.0).all())
        return TargetRows(matrix, y * counts / 2, None if counts_once else weights)

    def _find_terms(self, generator: ForestEstimator, matrix: NDArray[np.float64]) -> Design:
        """The candidate rules, each once, and linear terms if they are wanted."""
        rules = extract_forest_rules(generator.forests_, self.schema_, self.target_schema_, self.rules_from)
        if self.max_conditions is not None:
            rules = rules.take(np.flatnonzero(rules.n_conditions <= self.max_conditions))
        rules = rules.take(drop_duplicates(rules, cover(rules, matrix), len(matrix)))
        no_linear = LinearTerms.none(self.schema_)
        return Design(rules, LinearTerms.of(matrix, self.schema_) if self.linear_terms else no_linear)

    def _validate(self, training: TrainingSet, rows: TargetRows) -> list[Choice]:
        """How far to go with the weights: found with trees and weights from some rows, judged on the others."""
        folds = []
        for train, valid in self._split_rows(training):
            is_known = np.zeros(training.table.n_rows, bool)
            is_known[train] = True
            generator = self._make_generator().grow_on(training.take(is_known), self)
            known = rows.take(is_known)
            folds.append(Fold.of(self._find_terms(generator, known.matrix), known, rows.take(valid)))
        limits = {0, *LIMITS} if self.max_rules in (None, AUTO) else {*LIMITS, int(self.max_rules)}
        chosen = [choose_descent(folds, k, self.max_iter, self.every_tau) for k in sorted(limits)]
        return [choose_nothing(folds), *chosen]

    def _split_rows(self, training: TrainingSet) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """For each fold the rows for trees and weights, and the rows to judge them; a single row is both."""
        order = np.random.default_rng(self.seed_).permutation(training.table.n_rows)
        if len(order) == 1:
            return [(order, order)]
        if self.validation_fraction is None:
            return split_folds(self.cv, training, self.seed_)
        n_valid = min(max(1, int(np.ceil(self.validation_fraction * len(order)))), len(order) - 1)
        return [(np.sort(order[n_valid:]), np.sort(order[:n_valid]))]

    def _keep(self, design: Design, path: WeightPath, rows: TargetRows) -> None:
        """Keep the terms that some step of the path uses, and what the training rows say of them."""
        used = np.unique(np.concatenate([step.terms for step in path.steps]))
        design = design.take(used)
        own_terms = tuple(replace(s, terms=np.searchsorted(used, s.terms)) for s in path.steps)
        self._path = replace(path, steps=own_terms)
        weights = np.ones(len(rows.matrix)) if rows.weights is None else rows.weights
        values = design.values(rows.matrix)
        covered, whole = weights @ values, weights.sum()
        self._all_terms = WeightedTerms(
            design=design,
            effect=np.zeros((len(design), len(self.mean_))),
            offset=self.mean_,
            rows=covered,
            share=covered / whole,
            deviation=np.sqrt(weights @ (values - covered / whole) ** 2 / whole),
            spread=self.spread_,
        )
        self._choose(self._path.choose(self.max_rules))

    def _choose(self, step: Step) -> None:
        """Make one step of the path the model."""
        self._step = step
        every = self._all_terms
        per_term = {name: getattr(every, name)[step.terms] for name in ("rows", "share", "deviation")}
        chosen = replace(
            every,
            design=every.design.take(step.terms),
            effect=step.weights * self._unit,
            offset=self.mean_ + step.offset * self._unit,
            **per_term,
        )
        self.terms_ = chosen.by_importance()

    def with_rules(self, k: int) -> Self:
        """The model of at most k terms from the same fit, without fitting again.

        Parameters
        ----------
        k
            The most terms; the best step of `path_` within it is taken.
        """
        check_is_fitted(self)
        if not isinstance(k, Integral) or k < 0:
            raise ValueError(f"k must be a whole number of at least 0, but is {k!r}")
        model = copy(self)
        model._choose(self._path.choose(int(k)))
        return model

    def _channel_values(self, X: Any) -> NDArray[np.float64]:
        matrix = self._encode(X)
        return self.terms_.predict(matrix)

    def _explainer(self) -> "TermExplainer":
        from glade.explain.terms import TermExplainer

        return TermExplainer(self.terms_)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Rows x terms: 1 where a rule covers the row, else 0; then the values of linear terms."""
        matrix = self._encode(X)
        return self.terms_.design.values(matrix)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The terms in words: the columns of `transform`."""
        check_is_fitted(self)
        return np.array(self.terms_.design.names, dtype=object)

    def to_text(self) -> str:
        """The rules for a person to read: the most important first, with what each adds to the prediction."""
        check_is_fitted(self)
        return terms_to_text(self.terms_, self.target_schema_)

    @property
    def rules_(self) -> RuleSet:
        """The rules, the most important first; their values are what they add to the prediction."""
        check_is_fitted(self)
        return self.terms_.rules

    @property
    def path_(self) -> Any:
        """A dataframe, the models from small to large: terms, validation error (1: always the mean), standard error."""
        check_is_fitted(self)
        return self._path.to_frame()

    @property
    def n_iter_(self) -> int:
        """The most steps that the weights of a model on the path took; at least 1, by scikit-learn's rule."""
        check_is_fitted(self)
        return max(1, self._path.n_iterations)

    @property
    def size_(self) -> Size:
        """Rules, conditions and terms."""
        check_is_fitted(self)
        rules = self.terms_.design.rules
        return Size(rules=len(rules), conditions=int(rules.n_conditions.sum()), terms=len(self.terms_))

    @property
    def rule_importances_(self) -> Any:
        """Terms x targets: |effect| * the term's deviation, in standard deviations of the target; their mean first."""
        import pandas as pd

        check_is_fitted(self)
        importance = self.terms_.importance
        frame = pd.DataFrame({"term": self.terms_.design.words, "importance": importance.mean(axis=1)})
        frame[self.target_schema_.columns_beside(frame.columns)] = importance
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
