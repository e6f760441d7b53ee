"""The base of estimators for numeric and nominal targets together."""

from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from glade.core.names import quote_name
from glade.core.notices import warn_user
from glade.data.columns import Column
from glade.data.frames import library_of, names_as_given
from glade.data.targets import MIXED
from glade.models.base import TabularEstimator, TrainingSet, mean_score, pick_classes

DECIDING_SOME: dict[str, Any] = {"threshold": [Interval(Real, 0.0, 1.0, closed="neither"), dict, None]}


class MixedOutput(TabularEstimator):
    """The base of estimators for numeric and nominal targets together, which are a dataframe."""

    event: Any = None
    threshold: Any = None
    task = MIXED

    def _read_training(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> TrainingSet:
        training = super()._read_training(X, y, sample_weight, groups)
        self._target_library = library_of(y)
        self._target_names = names_as_given(y) or list(self.target_schema_.names)
        _warn_of_missing(training.targets)
        return training

    def _to_frame(self, columns: dict[Any, Any], X: Any) -> Any:
        """Return a dataframe of the library of the targets; with pandas it has the index of X."""
        if self._target_library in ("numpy", "pandas"):
            import pandas as pd

            return pd.DataFrame(columns, index=X.index if isinstance(X, pd.DataFrame) else None)
        library = nw.Implementation.from_string(self._target_library).to_native_namespace()
        return nw.from_dict(columns, backend=library).to_native()

    @property
    def event_(self) -> dict[str, Any]:
        """Of each target of two classes the one that is asked for: that of `event`, else the rarer one."""
        check_is_fitted(self)
        schema = self.target_schema_
        told = zip(schema.names, schema.classes, schema.events, strict=True)
        return {name: classes[k] for name, classes, k in told if classes is not None and k is not None}

    @property
    def threshold_(self) -> dict[str, float]:
        """Of each target of two classes the probability of the event from which on `predict` says it."""
        check_is_fitted(self)
        schema = self.target_schema_
        of_two = [t for t, place in enumerate(schema.events) if place is not None]
        return {schema.names[t]: schema.decision_of(t).shown_threshold for t in of_two}

    def predict(self, X: Any) -> Any:
        """Predict the targets of each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        DataFrame of shape (rows, targets)
            The predictions, in the dataframe library of the training targets (pandas for arrays).
        """
        columns = pick_classes(self._channel_values(X), self.target_schema_)
        return self._to_frame(dict(zip(self._target_names, columns, strict=True)), X)

    def _present(self, values: NDArray[np.float64], X: Any = None) -> Any:
        nothing = np.isnan(values[:, self.target_schema_.start[:-1]])
        columns = pick_classes(np.nan_to_num(values), self.target_schema_)
        shown = [
            np.where(unknown, np.array(np.nan if classes is None else None), column)
            for unknown, column, classes in zip(nothing.T, columns, self.target_schema_.classes, strict=True)
        ]
        return self._to_frame(dict(zip(self._target_names, shown, strict=True)), X)

    def predict_proba(self, X: Any) -> dict[Any, Any]:
        """Predict the probabilities of the classes of the nominal targets.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        dict of DataFrame
            For each nominal target a dataframe with a column of probabilities for each class.
        """
        values = self._channel_values(X)
        frames = {}
        for t, (name, classes) in enumerate(zip(self._target_names, self.target_schema_.classes, strict=True)):
            if classes is not None:
                proba = values[:, self.target_schema_.channels_of(t)]
                frames[name] = self._to_frame({str(label): proba[:, k] for k, label in enumerate(classes)}, X)
        return frames

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the mean over the targets of R2 (numeric) or accuracy (nominal).

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs of rows whose targets are known.
        y : array-like or dataframe of shape (rows, targets)
            The true targets. Each target is judged by the rows in which it is known.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows.

        Returns
        -------
        float
            The mean score.
        """
        return mean_score(self, X, y, sample_weight)


def _warn_of_missing(targets: list[Column]) -> None:
    """Warn of missing target values, which are no error here."""
    counts = {column.name: int(np.isnan(column.values).sum()) for column in targets}
    lacking = [f"{quote_name(name)} {n:,}" for name, n in counts.items() if n]
    if lacking:
        warn_user(f"target values are missing ({', '.join(lacking)}): such a row counts for its known targets only")
