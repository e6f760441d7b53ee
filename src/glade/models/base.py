"""What all estimators share: reading tables and targets, scikit-learn's contract, predictions in the user's terms."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from glade.core.blas import one_blas_thread
from glade.core.names import list_names, quote_name
from glade.core.notices import warn_user
from glade.core.parameters import check_own_parameters
from glade.core.size import Size as Size
from glade.data.alerts import find_alerts, find_index_alerts
from glade.data.coding import CodedInputs, Edges, apply_edges, code_inputs
from glade.data.decisions import Decision, read_decisions
from glade.data.elsewhere import find_elsewhere
from glade.data.frames import RawTable, names_as_given, numbered_names, open_table
from glade.data.groups import Groups
from glade.data.table import Column, Schema, Table, read_table
from glade.data.targets import (
    REGRESSION,
    TargetSchema,
    check_known,
    read_targets,
    to_label_array,
)
from glade.data.units import find_unit
from glade.data.weights import read_weights
from glade.models.shown import ShownInNotebooks

if TYPE_CHECKING:
    from glade.explain.contributions import Explainer


@dataclass(frozen=True)
class TrainingSet:
    """Rows of positive weight, read."""

    table: Table
    targets: list[Column]
    weights: NDArray[np.float64]
    rows: NDArray[np.intp]  # their positions in the table as given
    groups: Groups | None = None  # rows that belong together
    edges: Edges | None = None  # by which inputs are coded; None: by those that each forest asks for

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """Rows x inputs, encoded."""
        return self.table.to_matrix()

    @cached_property
    def _coded(self) -> dict[tuple[Any, ...], CodedInputs]:
        return {}

    def code(self, max_bins: int | str | None, exact_up_to: int) -> CodedInputs:
        """The inputs as integer codes, made once for all forests that are grown on these rows."""
        asked = (max_bins, exact_up_to) if self.edges is None else ()
        if asked not in self._coded:
            self._coded[asked] = (
                code_inputs(self.table, self.weights, max_bins, exact_up_to)
                if self.edges is None
                else apply_edges(self.table, self.edges)
            )
        return self._coded[asked]

    @cached_property
    def without_groups(self) -> "TrainingSet":
        """The same rows, each by itself."""
        return self if self.groups is None else replace(self, groups=None)

    def take(self, rows: NDArray[np.bool_]) -> "TrainingSet":
        """The marked rows."""
        if rows.all():
            return self
        targets = [c.take(rows) for c in self.targets]
        groups = None if self.groups is None else self.groups.take(rows)
        return TrainingSet(self.table.take(rows), targets, self.weights[rows], self.rows[rows], groups, self.edges)


class TabularEstimator(ShownInNotebooks, BaseEstimator):  # type: ignore[misc]
    """Takes any table, nominal and missing inputs included."""

    kind: str  # what the model is made of, as `core.kinds` says it
    task: str
    _missing_targets = "error"  # what missing_targets=None means
    _uses_blas = False  # whether a fit does linear algebra: to limit its threads takes 40 microseconds
    _parameter_constraints: dict[str, Any] = {}

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        """As in scikit-learn, which looks at the constructor anew at every fit."""
        names: list[str] = super()._get_param_names()
        return names

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags

    def _read_training(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> TrainingSet:
        """Check everything about the input before any long work; remember the schemas."""
        check_own_parameters(self, self._parameter_constraints)
        raw = open_table(X)
        X = raw.native
        self._remember_columns(X)
        table, targets = read_table(raw), read_targets(y, self.task)
        _check_lengths(table, targets)
        check_known(targets, self.missing_targets or self._missing_targets)
        weights = read_weights(sample_weight, table.n_rows)
        together = None if groups is None else Groups.read(groups, table.n_rows)
        training = TrainingSet(table, targets, weights, np.arange(table.n_rows), together)
        training = _drop_weightless(training)
        check_known(training.targets, "ignore")
        for alert in [
            *find_alerts(training.table, training.targets, named=bool(names_as_given(X))),
            *find_index_alerts(X, y),
        ]:
            warn_user(alert)
        self.schema_ = Schema.of(training.table)
        self.target_schema_ = replace(
            TargetSchema.of(training.targets), decisions=self._decide(training.targets, training.weights)
        )
        self.n_outputs_ = len(targets)
        return training

    def _remember_columns(self, X: Any) -> None:
        """As scikit-learn does; of an array it would take longer to find that there are no names."""
        if isinstance(X, np.ndarray) and not self.has_named_inputs:
            self.n_features_in_ = X.shape[1]
        else:
            validate_data(self, X, skip_check_array=True)

    def _decide(self, targets: list[Column], weights: NDArray[np.float64]) -> tuple[Decision, ...]:
        """How probabilities become classes."""
        return read_decisions(
            targets,
            weights,
            **{
                name: getattr(self, name, None)
                for name in ("event", "threshold", "costs", "class_weight", "cost_matrix")
            },
        )

    @property
    def is_fitted(self) -> bool:
        """Whether `fit` has read a table, or a file has given the model."""
        return "schema_" in vars(self)

    @property
    def has_named_inputs(self) -> bool:
        """Whether the columns of the training table had names."""
        return "feature_names_in_" in vars(self)

    def encode(self, X: Any) -> NDArray[np.float64]:
        """Return the inputs as the model sees them: categories as numbers, NaN where a value is missing or unknown.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, inputs)
            The encoded table, which `predict_values` takes.
        """
        check_is_fitted(self)
        raw = open_table(X)
        if not self._has_these_columns(raw):
            validate_data(self, raw.native, reset=False, skip_check_array=True)
        return self.schema_.encode(raw)

    def _has_these_columns(self, raw: RawTable) -> bool:
        """Whether nothing can be said against the columns, found in a tenth of the time that scikit-learn takes."""
        if self.has_named_inputs:
            return names_as_given(raw.native) == self.feature_names_in_.tolist()
        return raw.is_array and raw.opened.shape[1] == self.n_features_in_

    def read_truth(self, y: Any, n_rows: int, *, missing: str | None = None) -> list[Column]:
        """Return targets to compare predictions with: those of the model, of the same kinds, in the same order.

        Parameters
        ----------
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        n_rows : int
            The number of rows that there must be.
        missing : "ignore", "error" or None, default=None
            Whether values may be missing; None is as in `fit`.

        Returns
        -------
        list of Column
            A column for each target.
        """
        truth, expected = read_targets(y, self.task), self.target_schema_
        names = tuple(column.name for column in truth)
        are_named = len(truth) > 1 and names_as_given(y) and expected.names != numbered_names(len(truth))
        if len(truth) != expected.n_targets or (are_named and names != expected.names):
            raise ValueError(f"y has the targets {list_names(names)}, but the model has {list_names(expected.names)}")
        _check_same_length(truth, n_rows)
        check_known(truth, missing or self.missing_targets or self._missing_targets)
        for column, classes in zip(truth, expected.classes, strict=True):
            if (column.labels is None) != (classes is None):
                kind = "numeric" if classes is None else "nominal"
                raise ValueError(f"target {quote_name(column.name)} was {kind} in training, and is not now")
        return truth

    def save(self, path: str | PathLike[str], *, oof_prediction: bool = True) -> None:
        """Write the fitted model to a file, which `glade.load` reads. The file is complete, or not written at all.

        Parameters
        ----------
        path : str or path-like
            The file, by convention with the ending .glade. A file of that name is replaced.
        oof_prediction : bool, default=True
            Keep the out-of-fold predictions of the training rows (`oof_prediction_`) in the file, if the model has any.
            They take eight bytes for each row and number.
        """
        from glade.models.saved.file import write_model

        check_is_fitted(self)
        write_model(self, path, oof_prediction)

    def _channel_values(self, X: Any) -> NDArray[np.float64]:
        """Return rows x channels: predictions of numeric targets, class probabilities of nominal ones."""
        elsewhere = find_elsewhere(X)
        if elsewhere is not None:
            check_is_fitted(self)
            return elsewhere.predict_values(self)
        return self.predict_values(self.encode(X))

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the predictions for an encoded table: numbers, and probabilities of classes.

        Parameters
        ----------
        matrix : ndarray of shape (rows, inputs)
            What `encode` returns.

        Returns
        -------
        ndarray of shape (rows, channels)
            A numeric target is one channel, a nominal one has a channel for each class.
        """
        raise NotImplementedError

    def make_explainer(self) -> "Explainer":
        """Return the fitted model as a sum of contributions.

        Returns
        -------
        Explainer
            What `explain`, dependence and importances are made of.
        """
        raise NotImplementedError

    def _present(self, values: NDArray[np.float64], X: Any = None) -> Any:
        """Return channel values of training rows, some of which are NaN, in the form of the estimator's predictions."""
        raise NotImplementedError

    def explain(self, X: Any) -> Any:
        """Return what each term of the model adds to each prediction.

        The terms of a rule ensemble are its rules and linear terms. Those of trees and forests are the inputs: each
        split on a row's way to its leaf credits its input with the change of the node's value.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        DataFrame
            The columns row, target, class, term and contribution. Rows are numbered by position; the class of a
            numeric target is None, and of two classes the event alone is told. For each row, target and class the first
            term is "every row", the prediction before any input is considered; the other terms follow, without those
            that add nothing. The contributions add up to the prediction of a number, or to the probability of a class:
            each is the step that the prediction takes when the term is added to those before it, and the terms stand in
            the order of their importance. Where terms add up on another scale, a column has what they add there:
            "log_odds" of classes (of two that of the event; `decision_function` has that of the second class), and
            "score", the logarithm of counts.

        Examples
        --------
        >>> from glade import TreeRegressor, load_penguins
        >>> penguins = load_penguins().dropna()
        >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
        >>> TreeRegressor(max_depth=2).fit(X, y).explain(X.head(1)).round()
           row       target class       term  contribution
        0    0  body_mass_g  None  every row        4207.0
        1    0  body_mass_g  None    species        -492.0
        2    0  body_mass_g  None        sex         296.0
        """
        from glade.explain.contributions import explain_rows

        matrix = self.encode(X)
        return explain_rows(self.make_explainer(), matrix, self.target_schema_)

    @contextmanager
    def _restore_on_failure(self) -> Iterator[None]:
        """Remove what an earlier fit has left; after a failure or an interrupt, restore the estimator as it was.

        Linear algebra within the context runs in one thread, so that the result has the same bits on every machine.
        """
        before = dict(self.__dict__)
        for name in before:
            if name.endswith("_"):
                delattr(self, name)
        try:
            with one_blas_thread() if self._uses_blas else nullcontext():
                yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise


def _check_lengths(table: Table, targets: list[Column]) -> None:
    if table.n_rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape=(0, {table.n_inputs})): there are 0 rows to fit")
    _check_same_length(targets, table.n_rows)


def _check_same_length(targets: list[Column], n_rows: int) -> None:
    if len(targets[0].values) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, y has"
            f" {len(targets[0].values)}"
        )


def _drop_weightless(training: TrainingSet) -> TrainingSet:
    """Rows of weight zero do not exist; nor do the categories and classes that only they have."""
    training = training.take(training.weights > 0)
    targets = [column.drop_unused() for column in training.targets]
    return replace(training, table=training.table.drop_unused(), targets=targets)


class RegressionOutput(RegressorMixin, TabularEstimator):  # type: ignore[misc]
    """The base of estimators for numeric targets."""

    task = REGRESSION

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the targets of each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, targets)
            The predictions; with several targets a column for each.
        """
        return self._present(self._channel_values(X))

    def _present(self, values: NDArray[np.float64], X: Any = None) -> NDArray[np.float64]:
        return values[:, 0] if self.n_outputs_ == 1 else values


def pick_classes(values: NDArray[np.float64], targets: TargetSchema) -> list[NDArray[Any]]:
    """Return the class that is said of each nominal target, and the prediction of each numeric one."""
    columns = []
    for t, classes in enumerate(targets.classes):
        value = values[:, targets.channels_of(t)]
        columns.append(value[:, 0] if classes is None else classes[targets.decision_of(t).pick(value)])
    return columns


def mean_score(model: TabularEstimator, X: Any, y: Any, sample_weight: Any) -> float:
    """Return the mean over targets of R2 or accuracy, each over the rows in which the target is known."""
    values = model._channel_values(X)
    truth = model.read_truth(y, len(values))
    return score_values(values, model.target_schema_, truth, read_weights(sample_weight, len(values)))


def score_values(
    values: NDArray[np.float64], targets: TargetSchema, truth: list[Column], weights: NDArray[np.float64]
) -> float:
    """Return the mean score of channel values; rows in which they are NaN do not count."""
    scores = []
    has_value = ~np.isnan(values[:, targets.start[:-1]])
    for t, (column, guess) in enumerate(zip(truth, pick_classes(values, targets), strict=True)):
        known = ~np.isnan(column.values) & (weights > 0) & has_value[:, t]
        if column.labels is None:
            own, said = column.values[known], guess[known]
            unit = find_unit(own, said)
            scores.append(r2_score(own / unit, said / unit, sample_weight=weights[known]))
        else:
            labels = to_label_array(column.labels)[column.values[known].astype(int)]
            scores.append(np.average(labels == guess[known], weights=weights[known]))
    return float(np.mean(scores))
