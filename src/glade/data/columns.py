"""One raw column to floats: numbers as they are, nominal and ordinal values as the positions of their labels.

Kinds follow values, not dtype names: text, booleans and categoricals are nominal, ordered categoricals (polars: Enum)
ordinal, all numbers numeric. Missing is NaN.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum, auto
from functools import cached_property
from numbers import Real
from typing import Any, NoReturn

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from glade.core.names import join_words, quote_name, show_name
from glade.core.notices import warn_user
from glade.core.plain_values import find_strange
from glade.data.frames import TARGET, RawColumn

NUMERIC, ORDINAL, NOMINAL = "numeric", "ordinal", "nominal"
EXACT_INTEGERS = 2**53  # beyond, neighbouring whole numbers are one and the same double
TIME_TYPES = {"date", "datetime", "time", "timedelta", "Timestamp", "Timedelta", "Period", "datetime64", "timedelta64"}

Labels = tuple[Hashable, ...]


class Form(Enum):
    """What a column's type says of its values; objects have to be looked at one by one."""

    NUMBERS = auto()
    BOOLEANS = auto()
    CATEGORIES = auto()
    OBJECTS = auto()
    TIMES = auto()
    COMPLEX = auto()


FORM_OF_KIND = {"i": Form.NUMBERS, "u": Form.NUMBERS, "f": Form.NUMBERS, "b": Form.BOOLEANS}
FORM_OF_KIND |= dict.fromkeys("USO", Form.OBJECTS) | dict.fromkeys("mM", Form.TIMES) | {"c": Form.COMPLEX}
FORM_OF_TYPE = {
    nw.Boolean: Form.BOOLEANS,
    nw.Categorical: Form.CATEGORIES,
    nw.Enum: Form.CATEGORIES,
    nw.String: Form.OBJECTS,
    nw.Object: Form.OBJECTS,
}


@dataclass(frozen=True)
class Column:
    """One column: its values as floats, or the positions of its labels. The labels of a nominal column ascend."""

    name: str
    kind: str
    values: NDArray[np.float64]
    labels: Labels | None = None
    unused: Labels = ()  # categories the column declares that no row has

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """The least and the greatest value; both are NaN where one is missing."""
        return float(self.values.min(initial=np.inf)), float(self.values.max(initial=-np.inf))

    @cached_property
    def has_missing(self) -> bool:
        return self.extremes[0] != self.extremes[0]

    @property
    def largest(self) -> float:
        """The greatest size of a known value, 0 if none is known."""
        if self.has_missing:
            return float(np.abs(self.values[~np.isnan(self.values)]).max(initial=0.0))
        return max(self.extremes[1], -self.extremes[0])

    @property
    def has_no_value(self) -> bool:
        return len(self.values) == 0 or (self.has_missing and bool(np.isnan(self.values).all()))

    def take(self, rows: NDArray[Any]) -> "Column":
        """These rows (positions or a mask) of the column."""
        return replace(self, values=self.values[rows])

    def drop_unused(self) -> "Column":
        """A nominal column without the labels that no row has, so that no rule speaks of them."""
        if self.labels is None or self.kind != NOMINAL:
            return self
        known = ~np.isnan(self.values)
        used = np.bincount(self.values[known].astype(np.int64), minlength=len(self.labels)) > 0
        if used.all():
            return self
        position = np.append(np.where(used, np.cumsum(used) - 1.0, np.nan), np.nan)
        values = position[np.where(known, self.values, -1).astype(np.int64)]
        labels, unused = ([x for x, u in zip(self.labels, used, strict=True) if u == side] for side in (True, False))
        return Column(self.name, self.kind, values, tuple(labels), (*self.unused, *unused))


def read_column(raw: RawColumn) -> Column:
    """Find the kind of a column and read it. One without any value is nominal, with no labels."""
    column = _read_by_form(raw)
    _check_labels(raw, column)
    return Column(raw.name, NOMINAL, column.values, ()) if column.has_no_value else column


def _read_by_form(raw: RawColumn) -> Column:
    form = _find_form(raw)
    if form == Form.BOOLEANS:
        return Column(raw.name, NOMINAL, _to_floats(raw), (False, True))
    if form in TO_NUMBERS:
        return Column(raw.name, NUMERIC, read_numbers(raw))
    if form == Form.CATEGORIES:
        return _read_categories(raw)
    values = to_objects(raw)
    types = _list_types(raw, values)
    if types and all(map(_is_number, types)):
        return Column(raw.name, NUMERIC, read_numbers(raw))
    return _read_labels(raw, values, types)


def read_numbers(raw: RawColumn) -> NDArray[np.float64]:
    """The values of a column that has to be numeric."""
    by_type = TO_NUMBERS.get(_find_form(raw))
    values = _objects_to_floats(raw) if by_type is None else by_type(raw)
    if has_infinite(values):
        row = int(np.isinf(values).argmax())
        refuse_infinite(raw, raw.values[row], row)
    if by_type is not None:
        warn_if_inexact(raw)
    return values


def has_infinite(values: NDArray[np.float64]) -> bool:
    """Whether a value is infinite. The extremes mostly say no: no array of as many answers, and no warning."""
    are_finite = np.isfinite(values.max(initial=0.0)) and np.isfinite(values.min(initial=0.0))
    return not are_finite and bool(np.isinf(values).any())


def read_classes(raw: RawColumn) -> Column:
    """Any column as a nominal one, without unused labels: whole numbers are labels too."""
    if _find_form(raw) == Form.CATEGORIES:
        column = _read_categories(raw)
        _check_labels(raw, column)
        return _to_nominal(raw, column).drop_unused()
    values = to_objects(raw)
    types = _list_types(raw, values)
    column = _read_labels(raw, values, types).drop_unused()
    _check_labels(raw, column)
    if types and all(map(_is_number, types)):
        _check_whole(raw, column)
    return column


def match_labels(raw: RawColumn, labels: Labels, unused: Labels = (), strict: bool = False) -> NDArray[np.float64]:
    """Positions by label, whatever order or type the categories have now.

    Unseen categories are treated as missing and counted in a warning, or refused if `strict`.
    """
    values = to_objects(raw)
    codes, distinct = _factorize(raw, values)
    position: dict[Any, float] = dict.fromkeys(unused, np.nan) | _number(labels)
    is_text = {isinstance(label, str) for label in position}
    wrong = [k for k, value in enumerate(distinct) if is_text and isinstance(value, str) not in is_text]
    if wrong:
        row = int(np.isin(codes, wrong).argmax())
        raise ValueError(
            f"{raw} held {'text' if True in is_text else 'no text'} in training, but row {row} holds"
            f" {_show_value(values[row])}: give it the type it had, or leave it missing"
        )
    unseen = np.array([value not in position for value in distinct] + [False])[codes]
    if unseen.any():
        row = int(unseen.argmax())
        if strict:
            refuse_unseen(raw, values[row], row)
        warn_user(
            f"{raw}: {int(unseen.sum())} row(s) hold a category unseen in training, such as"
            f" {_show_value(values[row])}; they are treated as missing"
        )
    return _look_up(codes, distinct, position)


def is_missing(raw: RawColumn) -> NDArray[np.bool_]:
    """Where a column of any type has no value."""
    if isinstance(raw.values, np.ndarray) and raw.values.dtype.kind in "iuf":
        return np.isnan(raw.values)
    return _is_missing(to_objects(raw))


def to_objects(raw: RawColumn) -> NDArray[Any]:
    """The values as Python objects, missing ones in whatever way they are marked."""
    values = raw.values.to_list() if isinstance(raw.values, nw.Series) else raw.values.tolist()
    return np.array([*values, None], dtype=object)[:-1]  # None at the end: lists in cells do not become dimensions


def refuse_infinite(raw: RawColumn, value: object, row: int) -> NoReturn:
    """Say which value is infinite, or too large for a float."""
    found = f"{raw} holds {show_name(value)} in row {row}"
    if raw.role == TARGET:
        raise ValueError(f"Input y contains infinity: {found}; correct it, or drop the row")
    raise ValueError(f"{found}: replace infinite values, or leave them missing (NaN)")


def refuse_unseen(raw: RawColumn, value: object, row: int) -> NoReturn:
    """Say which value has no code."""
    raise ValueError(f"{raw} holds {_show_value(value)} in row {row}, unseen in fit: it has no code, drop the row")


def warn_if_inexact(raw: RawColumn) -> None:
    """Whole numbers beyond 2**53 are rounded on the way to floats."""
    values = raw.values
    if isinstance(values, nw.Series):
        values = values.drop_nulls().to_numpy() if values.dtype.is_integer() else np.empty(0)
    if values.dtype.kind in "iuO" and len(values) and max(int(values.max()), -int(values.min())) > EXACT_INTEGERS:
        warn_user(
            f"{raw} holds whole numbers beyond 2**53, which floats cannot tell apart: if they are identifiers, make"
            " them text or leave them out"
        )


def _find_form(raw: RawColumn) -> Form:
    """The form a column comes in; a type that is none of them is refused."""
    dtype = raw.values.dtype
    form = _find_form_of_series(dtype) if isinstance(raw.values, nw.Series) else FORM_OF_KIND.get(dtype.kind)
    if form == Form.TIMES and form not in TO_NUMBERS:
        _refuse_times(raw, dtype)
    if form == Form.COMPLEX:
        raise ValueError(f"Complex data not supported: {raw} is of type {dtype}; pass its parts as {raw.role}s")
    if form is None:
        raise ValueError(f"{raw} is of type {show_name(dtype)}: only numbers, text and booleans can be used")
    return form


def _find_form_of_series(dtype: Any) -> Form | None:
    if dtype.is_numeric():
        return Form.NUMBERS
    if dtype.is_temporal():
        return Form.TIMES
    return next((form for kind, form in FORM_OF_TYPE.items() if dtype == kind), None)


def _refuse_times(raw: RawColumn, dtype: object) -> NoReturn:
    raise ValueError(
        f"{raw} holds dates or times ({show_name(dtype)}): turn it into numbers (a year, a count of days) or an ordered"
        " categorical of text, or leave it out"
    )


def _list_types(raw: RawColumn, values: NDArray[Any]) -> set[type]:
    """The types of the known objects: numbers only, text only or booleans only; anything else is refused."""
    types = set(map(type, values[~_is_missing(values)].tolist()))
    families = (_is_number, _is_text, _is_boolean)
    if any(all(map(belongs, types)) for belongs in families):
        return types
    odd = sorted(t.__name__ for t in types if not any(belongs(t) for belongs in families))
    if odd and odd[0] in TIME_TYPES:
        _refuse_times(raw, odd[0])
    if odd:
        row = next(i for i, value in enumerate(values) if type(value).__name__ == odd[0])
        raise ValueError(
            f"{raw} holds a value of type {odd[0]} in row {row}, {_show_value(values[row])}: only numbers, text and"
            " booleans can be used"
        )
    kinds = join_words(sorted(t.__name__ for t in types))
    fault = TypeError if raw.role == TARGET else ValueError
    raise fault(f"{raw} mixes values of the types {kinds}: make them all text, e.g. by .astype(str), or all numbers")


def _is_number(kind: type) -> bool:
    return issubclass(kind, (Real, Decimal)) and not _is_boolean(kind)


def _is_text(kind: type) -> bool:
    return issubclass(kind, str)


def _is_boolean(kind: type) -> bool:
    return issubclass(kind, (bool, np.bool_))


def _is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    import pandas as pd

    return np.asarray(pd.isna(values), dtype=bool)


def _show_value(value: object) -> str:
    return quote_name(value) if isinstance(value, str) else show_name(repr(value))


def _to_floats(raw: RawColumn) -> NDArray[np.float64]:
    """A column of numbers or booleans by type; null becomes NaN."""
    values = raw.values
    if isinstance(values, nw.Series) and values.implementation.is_pyarrow():
        values = values.to_native().cast("double", safe=False).to_numpy()  # whole numbers too long for a double, too
    elif isinstance(values, nw.Series):
        values = values.cast(nw.Float64).to_numpy()
    with np.errstate(over="ignore"):  # extended precision beyond doubles becomes infinite, and is refused as such
        return values.astype(np.float64, copy=False) + 0.0  # one zero, not two


# How columns become numbers whose type says that all of their values do: docs/dev/how-to/add-a-kind-of-input.md.
TO_NUMBERS: dict[Form, Callable[[RawColumn], NDArray[np.float64]]] = {
    Form.NUMBERS: _to_floats,
    Form.BOOLEANS: _to_floats,
}


def _objects_to_floats(raw: RawColumn) -> NDArray[np.float64]:
    values = to_objects(raw)
    numbers = np.full(len(values), np.nan)
    whole: list[int] = []
    for i in np.flatnonzero(~_is_missing(values)):
        value = values[i]
        if not isinstance(value, (Real, Decimal, np.bool_)):
            raise ValueError(
                f"{raw} is numeric, but row {i} holds {_show_value(value)}: correct it, or leave it missing"
            )
        try:
            numbers[i] = float(value) + 0.0
        except OverflowError:
            refuse_infinite(raw, value, int(i))
        if isinstance(value, int):
            whole.append(value)
    warn_if_inexact(replace(raw, values=np.array(whole, dtype=object)))
    return numbers


def _factorize(raw: RawColumn, values: NDArray[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """For each object its place among the distinct ones, -1 where it is missing; and these."""
    import pandas as pd

    try:
        codes, distinct = pd.factorize(values)
    except TypeError:  # a list, a dictionary, ...
        _list_types(raw, values)
        raise
    return codes, list(distinct)


def _number(labels: Labels) -> dict[Any, float]:
    return {label: float(k) for k, label in enumerate(labels)}


def _look_up(codes: NDArray[np.int64], distinct: Sequence[Any], position: dict[Any, float]) -> NDArray[np.float64]:
    return np.array([position.get(value, np.nan) for value in distinct] + [np.nan])[codes]


def _read_labels(raw: RawColumn, values: NDArray[Any], types: set[type]) -> Column:
    codes, distinct = _factorize(raw, values)
    labels = (False, True) if types and all(map(_is_boolean, types)) else tuple(sorted(distinct))
    positions = _look_up(codes, distinct, _number(labels))
    return Column(raw.name, NOMINAL, positions, labels)


def _read_categories(raw: RawColumn) -> Column:
    """A categorical column: ordinal if it is ordered, else nominal."""
    try:
        labels, native = tuple(raw.values.cat.get_categories().to_list()), raw.values.to_native()
    except NotImplementedError as fault:  # an extension type of Arrow's, such as intervals
        raise TypeError(f"{raw} has categories of a type that cannot be listed: turn them into text") from fault
    own_codes = getattr(getattr(native, "cat", None), "codes", None)  # of pandas; -1 is missing
    if own_codes is not None:
        positions = own_codes.to_numpy(np.float64)
        positions[positions < 0] = np.nan
    else:
        codes, distinct = _factorize(raw, to_objects(raw))
        positions = _look_up(codes, distinct, _number(labels))
    column = Column(raw.name, ORDINAL, positions, labels)
    arrow_type = getattr(native, "type", None)
    is_ordered = raw.values.dtype == nw.Enum or getattr(arrow_type, "ordered", False)
    return column if is_ordered else _to_nominal(raw, column)


def _to_nominal(raw: RawColumn, column: Column) -> Column:
    """The column with its labels in ascending order: categories in another order are no other column."""
    labels = column.labels or ()
    try:
        order = sorted(range(len(labels)), key=labels.__getitem__)  # type: ignore[arg-type]
    except TypeError:
        kinds = join_words(sorted({type(label).__name__ for label in labels}))
        fault = TypeError if raw.role == TARGET else ValueError
        raise fault(f"{raw} mixes categories of the types {kinds}: make them all text or all numbers") from None
    rank = np.full(len(labels) + 1, np.nan)
    rank[order] = np.arange(len(labels))
    values = rank[np.where(np.isnan(column.values), -1, column.values).astype(np.int64)]
    return Column(column.name, NOMINAL, values, tuple(labels[k] for k in order))


def _check_labels(raw: RawColumn, column: Column) -> None:
    """A model that is fitted can be saved: its labels are of types that a model can keep."""
    strange = find_strange(column.labels or ())
    if strange is not None:
        value, kind = strange
        raise ValueError(
            f"{raw} has a category of type {kind}, {_show_value(value)}, which no model can keep: turn its categories"
            " into text, e.g. by .astype(str), or into numbers"
        )


def _check_whole(raw: RawColumn, column: Column) -> None:
    """Numbers as classes: fractions are a regression in disguise."""
    for k, label in enumerate(column.labels or ()):
        number = float(label)  # type: ignore[arg-type]
        if not number.is_integer():
            row = int((column.values == k).argmax())
            if np.isinf(number):
                refuse_infinite(raw, label, row)
            raise ValueError(
                f"Unknown label type: continuous. {raw} holds {show_name(label)} in row {row}, and classes are text or"
                " whole numbers: use a regressor, or cut it into classes"
            )
