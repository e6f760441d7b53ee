"""What every model has to beat."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from glade.data.frames import names_as_given
from glade.data.targets import MIXED, TargetSchema, read_targets


class Baseline(BaseEstimator):  # type: ignore[misc]
    """Predicts the mean of each numeric target and the commonest class of each nominal one, whatever the inputs.

    Examples
    --------
    >>> from glade import load_penguins
    >>> penguins = load_penguins()
    >>> Baseline().fit(penguins, penguins[["species", "year"]]).predict(penguins[:1]).round(1)
      species    year
    0  Adelie  2008.0
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Look at the targets only.

        Parameters
        ----------
        X : table
            Ignored.
        y : array, series or dataframe
        sample_weight : array, optional
            Ignored: a guess is to be as good as can be, and the metrics count all rows alike.
        """
        targets = read_targets(y, MIXED)
        schema = TargetSchema.of(targets)
        self.names_ = names_as_given(y) or list(schema.names)
        self.classes_ = schema.classes
        self.shares_ = []
        for column, classes in zip(targets, schema.classes, strict=True):
            known = column.values[~np.isnan(column.values)]
            is_number = classes is None
            self.shares_.append(known.mean(keepdims=True) if is_number else np.bincount(known.astype(int)) / len(known))
        return self

    def predict(self, X: Any) -> Any:
        """A dataframe with the same row for each row of X."""
        import pandas as pd

        check_is_fitted(self)
        row = [
            shares[0] if classes is None else classes[shares.argmax()]
            for shares, classes in zip(self.shares_, self.classes_, strict=True)
        ]
        return pd.DataFrame({name: [value] * len(X) for name, value in zip(self.names_, row, strict=True)})

    def predict_proba(self, X: Any) -> dict[Any, Any]:
        """For each nominal target, the share of each class."""
        import pandas as pd

        check_is_fitted(self)
        return {
            name: pd.DataFrame(np.tile(shares, (len(X), 1)), columns=[str(label) for label in classes])
            for name, shares, classes in zip(self.names_, self.shares_, self.classes_, strict=True)
            if classes is not None
        }
