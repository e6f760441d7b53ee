"""The preprocessing of the CART source, kept because its published figures depend on it."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from glade.core.names import show_name
from glade.data.table import NUMERIC, Schema, read_table
from glade.data.targets import MIXED, read_targets


def complete_rows(X: Any, y: Any = None) -> Any:
    """Drop the rows that lack a value, in the inputs or in the targets.

    Parameters
    ----------
    X : array or dataframe
    y : array, series or dataframe, optional

    Returns
    -------
    X, or the pair (X, y), with the complete rows only, of the kind that came in.

    Examples
    --------
    >>> from glade import complete_rows, load_penguins
    >>> complete_rows(load_penguins()).shape
    (333, 8)
    """
    missing = np.any([np.isnan(c.values) for c in read_table(X).columns], axis=0)
    if y is not None:
        missing |= np.any([np.isnan(c.values) for c in read_targets(y, MIXED)], axis=0)
    rows = np.flatnonzero(~missing)
    return _take(X, rows) if y is None else (_take(X, rows), _take(y, rows))


def _take(data: Any, rows: NDArray[np.int64]) -> Any:
    if hasattr(data, "iloc"):
        return data.iloc[rows]
    if hasattr(data, "take") and not isinstance(data, np.ndarray):
        return data.take(rows)  # pyarrow
    return data[rows] if hasattr(data, "__array__") or hasattr(data, "columns") else np.asarray(data)[rows]


class IndicatorEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns of numbers from any table: inputs with one value dropped, two values as 0 and 1, the rest one-hot.

    A numeric input with more than two values stays as it is. Missing and unseen values are refused: drop such rows first
    (`complete_rows`), or leave the table to the estimators, which need no encoding.

    Examples
    --------
    >>> from glade import IndicatorEncoder, complete_rows, load_penguins
    >>> penguins = complete_rows(load_penguins())
    >>> IndicatorEncoder().fit(penguins[["island", "sex", "body_mass_g"]]).get_feature_names_out().tolist()
    ['island=Biscoe', 'island=Dream', 'island=Torgersen', 'sex=male', 'body_mass_g']
    """

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the values of each input."""
        validate_data(self, X, skip_check_array=True)
        table = read_table(X)
        self.schema_ = Schema.of(table)
        self._refuse_missing(np.column_stack([c.values for c in table.columns]))
        self.values_ = [np.unique(c.values) for c in table.columns]
        return self

    def _refuse_missing(self, matrix: NDArray[np.float64]) -> None:
        if np.isnan(matrix).any():
            row, j = np.argwhere(np.isnan(matrix))[0]
            raise ValueError(
                f"Input X contains NaN: column {show_name(self.schema_.names[j])!r} has no usable value in row {row};"
                " drop such rows with complete_rows"
            )

    def _encodings(self) -> list[tuple[int, float | None]]:
        """For each output column its input, and the value it indicates (None: the number itself)."""
        encodings: list[tuple[int, float | None]] = []
        for j, values in enumerate(self.values_):
            if len(values) == 2:
                encodings.append((j, float(values[1])))
            elif len(values) > 2 and self.schema_.kinds[j] == NUMERIC:
                encodings.append((j, None))
            elif len(values) > 2:
                encodings += [(j, float(value)) for value in values]
        return encodings

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The encoded table."""
        check_is_fitted(self)
        validate_data(self, X, reset=False, skip_check_array=True)
        matrix = self.schema_.encode(X)
        self._refuse_missing(matrix)
        columns = [matrix[:, j] if v is None else (matrix[:, j] == v).astype(float) for j, v in self._encodings()]
        return np.column_stack(columns) if columns else np.empty((len(matrix), 0))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names such as `island=Dream`."""
        check_is_fitted(self)
        names = []
        for j, value in self._encodings():
            name, labels = self.schema_.names[j], self.schema_.labels[j]
            shown = value if labels is None or value is None else labels[int(value)]
            names.append(name if value is None else f"{name}={shown}")
        return np.array(names, dtype=object)
