"""The base of estimators for nominal targets: probabilities, the event of two classes, and the class that is said."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.parameters import check_parameters
from glade.data.decisions import COST, with_threshold
from glade.data.targets import CLASSIFICATION
from glade.models.base import TabularEstimator, TrainingSet, mean_score, pick_classes

DECIDING: dict[str, Any] = {
    "threshold": [Interval(Real, 0.0, 1.0, closed="neither"), StrOptions({COST}), None],
    "costs": [dict, None],
}
COST_MATRIX: list[Any] = ["array-like", dict, None]
ClassWeight = Mapping[Any, float] | Sequence[Mapping[Any, float]] | str | None


class ClassificationOutput(ClassifierMixin, TabularEstimator):  # type: ignore[misc]
    """The base of estimators for nominal targets."""

    class_weight: ClassWeight
    event: Any = None
    threshold: Any = None
    costs: Any = None
    task = CLASSIFICATION

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _read_training(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> TrainingSet:
        training = super()._read_training(X, y, sample_weight, groups)
        self._keep_classes()
        return training

    def _keep_classes(self) -> None:
        """Keep the classes in the form that classifiers of scikit-learn have."""
        classes = list(self.target_schema_.classes)
        self.classes_ = classes[0] if self.n_outputs_ == 1 else classes
        self.n_classes_ = len(classes[0]) if self.n_outputs_ == 1 else [len(c) for c in classes]  # type: ignore[arg-type]

    def predict_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """Predict the probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes), or list of ndarray
            The probabilities, in the order of `classes_`; with several targets a list of those of each target.
        """
        return self._present(self._channel_values(X))

    def _present(self, values: NDArray[np.float64], X: Any = None) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        return self._split_channels(values)

    def _split_channels(self, values: NDArray[np.float64]) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        parts = [values[:, self.target_schema_.channels_of(t)] for t in range(self.n_outputs_)]
        return parts[0] if self.n_outputs_ == 1 else parts

    @property
    def event_(self) -> Any:
        """The class that is asked for, of two: that of `event`, else the rarer one.

        None where there are not two; with several targets a dictionary of those of two classes.
        """
        check_is_fitted(self)
        schema = self.target_schema_
        labels = {
            name: classes[place]
            for name, classes, place in zip(schema.names, schema.classes, schema.events, strict=True)
            if classes is not None and place is not None
        }
        return labels if self.n_outputs_ > 1 else next(iter(labels.values()), None)

    @property
    def threshold_(self) -> float | list[float | None] | None:
        """The probability of the event from which on `predict` says it; with several targets a list of them.

        None where there are not two classes.
        """
        check_is_fitted(self)
        schema = self.target_schema_
        found = [
            None if place is None else schema.decision_of(t).shown_threshold for t, place in enumerate(schema.events)
        ]
        if self.n_outputs_ > 1:
            return found
        return found[0]

    def with_threshold(self, threshold: float | str | None, costs: Mapping[str, float] | None = None) -> Self:
        """Return the same fitted model with another threshold, which `predict` obeys; probabilities stay the same.

        Parameters
        ----------
        threshold : float, "cost" or None
            The probability of the event from which on it is predicted; "cost" finds it from what errors cost, None is
            the most probable class.
        costs : dict or None, default=None
            With "cost": {"false_alarm": ..., "miss": ...}.

        Returns
        -------
        object
            A fitted copy of the estimator.
        """
        check_is_fitted(self)
        schema = self.target_schema_
        if None in schema.events:
            raise ValueError("threshold is for targets of two classes, but there is one of more or fewer")
        known = self.get_params(deep=False)
        given = {"threshold": threshold, "costs": costs, "class_weight": None, "cost_matrix": None}
        check_parameters(DECIDING, {"threshold": threshold, "costs": costs}, type(self).__name__)
        model = copy(self).set_params(**{name: value for name, value in given.items() if name in known})
        model.target_schema_ = replace(schema, decisions=with_threshold(schema.decisions_of_all, threshold, costs))
        metrics = vars(self).get("metrics_")
        if metrics is not None:  # what was wrong by the former threshold is no longer so
            unknown = {"value": np.nan, "standard_error": np.nan}
            model.metrics_ = tuple(own._replace(**unknown) if own.name == "error" else own for own in metrics)
        return model

    def predict_log_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """Predict the logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes), or list of ndarray
            The logarithms of what `predict_proba` returns.
        """
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if isinstance(proba, np.ndarray) else [np.log(p) for p in proba]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row: the most probable one, unless what errors cost says otherwise.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, targets)
            The classes; with several targets a column for each.
        """
        labels = pick_classes(self._channel_values(X), self.target_schema_)
        return labels[0] if self.n_outputs_ == 1 else _stack_labels(labels)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy; with several targets its mean over them.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs of rows whose targets are known.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The true classes.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows.

        Returns
        -------
        float
            The fraction of rows for which the predicted class is the true one.
        """
        return mean_score(self, X, y, sample_weight)


def _stack_labels(labels: list[NDArray[Any]]) -> NDArray[Any]:
    if len({column.dtype.kind for column in labels}) == 1:
        return np.column_stack(labels)
    return np.column_stack([column.astype(object) for column in labels])
