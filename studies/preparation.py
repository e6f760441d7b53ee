"""The preprocessing of the CART source, kept because its published figures depend on it."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from glade.core.names import quote_name
from glade.data.columns import NUMERIC, is_missing, match_labels, read_numbers, refuse_unseen
from glade.data.frames import RawColumn, list_columns, list_targets, to_table
from glade.data.rows import take_rows
from glade.data.table import Schema, read_table


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
    >>> from glade import load_penguins
    >>> from studies.preparation import complete_rows
    >>> complete_rows(load_penguins()).shape
    (333, 8)
    """
    columns = list_columns(X)
    n_rows = len(columns[0])
    if y is not None:
        targets = list_targets(y)
        if len(targets[0]) != n_rows:
            raise ValueError(f"X has {n_rows} rows, y has {len(targets[0])}")
        columns += targets
    missing = np.zeros(n_rows, bool)
    for column in columns:
        missing |= is_missing(column)
    rows = np.flatnonzero(~missing)
    return take_rows(X, rows) if y is None else (take_rows(X, rows), take_rows(y, rows))


class IndicatorEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns of numbers from any table: inputs with one value dropped, two values as 0 and 1, the rest one-hot.

    A numeric input with more than two values stays as it is. Missing values are refused, and so are values unseen in
    `fit` where they have no code: drop such rows first (`complete_rows`), or leave the table to the estimators, which
    need no encoding. Inputs that were dropped are not looked at.

    Attributes
    ----------
    schema_ : Schema
        The inputs as read.
    values_ : list of arrays
        The distinct values of each input, as numbers or as positions of its labels.

    Examples
    --------
    >>> from glade import load_penguins
    >>> from studies.preparation import IndicatorEncoder, complete_rows
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
        X = to_table(X)
        validate_data(self, X, skip_check_array=True)
        table = read_table(X).drop_unused()
        if table.n_rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape=(0, {len(table.columns)})): there are 0 rows to fit")
        for column in table.columns:
            _refuse_missing(column.name, column.values)
        self.schema_ = Schema.of(table)
        self.values_ = [np.unique(column.values) for column in table.columns]
        return self

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
        X = to_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        raws, encodings = list_columns(X), self._encodings()
        values = {j: self._read_known(j, raws[j].values) for j in {j for j, _ in encodings}}
        columns = [values[j] if v is None else (values[j] == v).astype(float) for j, v in encodings]
        return np.column_stack(columns) if columns else np.empty((len(raws[0]), 0))

    def _read_known(self, j: int, values: Any) -> NDArray[np.float64]:
        """An input's values, all of which have a code."""
        raw, labels = RawColumn(self.schema_.names[j], values), self.schema_.labels[j]
        if labels is not None:
            numbers = match_labels(raw, labels, strict=True)
        else:
            numbers = read_numbers(raw)
            unseen = ~np.isin(numbers, self.values_[j]) & ~np.isnan(numbers)
            if len(self.values_[j]) == 2 and unseen.any():
                refuse_unseen(raw, float(numbers[unseen.argmax()]), int(unseen.argmax()))
        _refuse_missing(raw.name, numbers)
        return numbers

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names such as `island=Dream`."""
        check_is_fitted(self)
        names = []
        for j, value in self._encodings():
            name, labels = self.schema_.names[j], self.schema_.labels[j]
            shown = value if labels is None or value is None else labels[int(value)]
            names.append(name if value is None else f"{name}={shown}")
        return np.array(names, dtype=object)


def _refuse_missing(name: str, values: NDArray[np.float64]) -> None:
    missing = np.isnan(values)
    if missing.any():
        raise ValueError(
            f"Input X contains NaN: column {quote_name(name)} has no value in row {int(missing.argmax())}; drop such"
            " rows with complete_rows"
        )
