"""Targets to channels: one float matrix for any mix of numeric and nominal targets.

A numeric target is one channel; a nominal one has a channel of zeros and ones for each class. With scales that make the
sum of squared channels the criterion, variance and Gini are one formula. Values are scaled by powers of two only, which
loses nothing; centring happens in each node.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from glade.core.names import show_name
from glade.data.table import NOMINAL, NUMERIC, Column, read_column
from glade.kernels.layout import Channels

REGRESSION, CLASSIFICATION, MIXED = "regression", "classification", "mixed"


@dataclass(frozen=True)
class TargetSchema:
    """What a model remembers of its targets. The channels of target t are start[t] .. start[t + 1] - 1."""

    names: tuple[str, ...]
    classes: tuple[NDArray[Any] | None, ...]  # None for a numeric target

    @classmethod
    def of(cls, targets: list[Column]) -> "TargetSchema":
        return cls(
            tuple(c.name for c in targets), tuple(None if c.labels is None else np.array(c.labels) for c in targets)
        )

    @property
    def n_targets(self) -> int:
        return len(self.names)

    @property
    def start(self) -> NDArray[np.int32]:
        widths = [1 if classes is None else len(classes) for classes in self.classes]
        return np.concatenate(([0], np.cumsum(widths))).astype(np.int32)

    def channels_of(self, target: int) -> slice:
        start = self.start
        return slice(int(start[target]), int(start[target + 1]))


@dataclass(frozen=True)
class EncodedTargets:
    """Channels for the kernels, and the way back to the user's units.

    impurity_unit turns a criterion per unit of weight into what users see: one target in its own unit, several as the
    mean over targets, numeric ones standardised.
    """

    channels: Channels
    schema: TargetSchema
    impurity_unit: float
    exponent: NDArray[np.int32]  # per channel: a power of two
    spread: NDArray[np.float64]  # per target: standard deviation in the user's unit; 1 for a nominal one

    @property
    def n_targets(self) -> int:
        return self.schema.n_targets

    @property
    def n_channels(self) -> int:
        return int(self.channels.target_start[-1])

    def decode(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Channel means in the user's units."""
        return np.ldexp(value, self.exponent)


def read_targets(y: Any, task: str) -> list[Column]:
    """The target columns, of the kinds the task asks for. A nominal column's labels are its classes, sorted."""
    columns = _list_targets(y)
    if not columns:
        raise ValueError("there is no target: y has no columns")
    readers = {REGRESSION: _read_number_target, CLASSIFICATION: _read_class_target, MIXED: _read_any_target}
    return [readers[task](name, raw) for name, raw in columns]


def _list_targets(y: Any) -> list[tuple[str, Any]]:
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    native = nw.from_native(y, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(native, nw.Series):
        return [("y" if native.name is None or native.name == "" else str(native.name), native)]
    if isinstance(native, nw.DataFrame):
        return [(str(name), native.get_column(name)) for name in native.columns]
    array = np.asarray(y)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported\ny is complex: pass its parts as targets of their own")
    if array.ndim == 1:
        return [("y", array)]
    if array.ndim == 2:
        names = ["y"] if array.shape[1] == 1 else [f"y{t}" for t in range(array.shape[1])]
        return [(name, array[:, t]) for t, name in enumerate(names)]
    raise ValueError(f"y must have one or two dimensions, but its shape is {array.shape}")


def _read_number_target(name: str, raw: Any) -> Column:
    column = read_column(name, raw) if not _is_number_array(raw) else _number_column(name, raw)
    if column.kind != NUMERIC and column.labels != (False, True):
        raise ValueError(f"target {show_name(name)!r} is not numeric: use a classifier, or a mixed estimator")
    return Column(name, NUMERIC, column.values)


def _number_column(name: str, raw: NDArray[Any]) -> Column:
    values = np.array(raw, dtype=np.float64)
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise ValueError(
            f"Input y contains infinity: target {show_name(name)!r}, row {infinite[0]}; correct or drop it"
        )
    return Column(name, NUMERIC, values)


def _is_number_array(raw: Any) -> bool:
    return isinstance(raw, np.ndarray) and raw.dtype.kind in "iuf"


def _read_class_target(name: str, raw: Any) -> Column:
    if _is_number_array(raw):
        column = _number_column(name, raw)
    elif isinstance(raw, nw.Series) and raw.dtype.is_numeric():
        column = read_column(name, raw)
        raw = raw.drop_nulls().to_numpy()
    else:
        return _classes_of_objects(name, raw)
    known = ~np.isnan(column.values)
    check_classification_targets(column.values[known])
    classes, codes = np.unique(column.values[known], return_inverse=True)
    values = np.full(len(column.values), np.nan)
    values[known] = codes
    return Column(name, NOMINAL, values, tuple(classes.astype(raw.dtype).tolist()))


def _classes_of_objects(name: str, raw: Any) -> Column:
    values = raw.to_numpy() if isinstance(raw, nw.Series) else raw
    types = {type(v) for v in values.tolist() if v is not None and v == v}
    if len(types) > 1 and not all(issubclass(t, (int, float, np.number)) for t in types):
        kinds = ", ".join(sorted(t.__name__ for t in types))
        raise TypeError(f"target {show_name(name)!r} mixes labels of kinds {kinds}: make them all text or all numbers")
    column = read_column(name, raw)
    if column.kind == NUMERIC:
        return _read_class_target(name, column.values)
    used = np.unique(column.values[~np.isnan(column.values)]).astype(int)
    ordered = sorted(used, key=lambda k: column.labels[k])  # type: ignore[index]
    new_code = np.full(len(column.labels or ()) + 1, np.nan)
    new_code[ordered] = np.arange(len(ordered))
    at = np.where(np.isnan(column.values), -1, column.values).astype(int)
    return Column(name, NOMINAL, new_code[at], tuple(column.labels[k] for k in ordered))  # type: ignore[index]


def _read_any_target(name: str, raw: Any) -> Column:
    column = _number_column(name, raw) if _is_number_array(raw) else read_column(name, raw)
    return column if column.kind == NUMERIC else _classes_of_objects(name, raw)


def check_known(targets: list[Column], missing_targets: str) -> None:
    """Missing target values are an error unless they are to be ignored; a target without any value always is."""
    for column in targets:
        n_missing = int(np.isnan(column.values).sum())
        if n_missing == len(column.values) and n_missing:
            raise ValueError(f"Input y contains NaN: target {show_name(column.name)!r} has no known value")
        if n_missing and missing_targets == "error":
            raise ValueError(
                f"Input y contains NaN: target {show_name(column.name)!r} lacks {n_missing} value(s), the first in row"
                f" {int(np.isnan(column.values).argmax())}; drop these rows, or set missing_targets='ignore' to learn"
                " from what is known"
            )


def match_classes(column: Column, classes: NDArray[Any]) -> NDArray[np.float64]:
    """The positions of a nominal column's values among other classes; -1 for a class that is not there."""
    position = {label: k for k, label in enumerate(classes.tolist())}
    own = np.array([position.get(label, -1) for label in column.labels or ()], dtype=float)
    known = ~np.isnan(column.values)
    values = np.full(len(column.values), np.nan)
    values[known] = own[column.values[known].astype(int)]
    return values


def warn_if_constant(targets: list[Column]) -> None:
    for column in targets:
        known = column.values[~np.isnan(column.values)]
        if len(known) > 1 and (known == known[0]).all():
            what = "has one class only" if column.kind == NOMINAL else "is constant"
            warnings.warn(
                f"target {show_name(column.name)!r} {what}: nothing can be learnt about it", UserWarning, stacklevel=2
            )


def encode_targets(
    targets: list[Column],
    weights: NDArray[np.float64],
    criterion: str,
    target_weights: NDArray[np.float64],
) -> EncodedTargets:
    """Channels with the scales that make the kernels' score this criterion.

    Parameters
    ----------
    targets
        Target columns; NaN is unknown.
    weights
        Row weights, all positive.
    criterion
        For nominal targets "gini" or "entropy" (also for "gain_ratio"); numeric ones always use the variance.
    target_weights
        How much each target counts.
    """
    schema = TargetSchema.of(targets)
    start, n_targets = schema.start, len(targets)
    width = 1 if start[-1] == 1 else -(-int(start[-1]) // 4) * 4
    y = np.zeros((len(weights), width))
    scale, entropy_weight = np.zeros(width), np.zeros(n_targets)
    exponent, spread = np.zeros(start[-1], np.int32), np.ones(n_targets)
    known = ~np.isnan(np.column_stack([c.values for c in targets]))
    relative = target_weights / target_weights.mean()
    mixed = len({c.kind for c in targets}) > 1
    for t, column in enumerate(targets):
        at = schema.channels_of(t)
        if column.kind == NUMERIC:
            y[:, at.start], exponent[at], deviation = _scale_numbers(column.values, weights)
            spread[t] = np.ldexp(deviation, exponent[at.start])
            scale[at] = np.sqrt(relative[t]) / deviation if deviation > 0 else 0.0
        else:
            y[known[:, t], at.start + column.values[known[:, t]].astype(int)] = 1.0
            whole = _impurity(y[known[:, t], at], weights[known[:, t]], criterion) if mixed else 1.0
            share = relative[t] / whole if whole > 0 else 0.0
            if criterion == "gini":
                scale[at] = np.sqrt(share)
            else:
                entropy_weight[t] = share
    numeric = np.zeros(width, np.uint8)
    numeric[: start[-1]] = np.repeat([c.kind == NUMERIC for c in targets], np.diff(start))
    unit = 1.0 / n_targets
    if n_targets == 1 and targets[0].kind == NUMERIC:
        unit = spread[0] ** 2 if 0 < spread[0] < 1e150 else 1.0
    channels = Channels(
        y=y,
        known=np.empty((0, n_targets), np.uint8) if known.all() else known.astype(np.uint8),
        scale=scale,
        numeric=numeric,
        target_start=start,
        entropy_weight=entropy_weight,
        weight=weights,
    )
    return EncodedTargets(channels, schema, unit, exponent, spread)


def _scale_numbers(values: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], int, float]:
    """Values times a power of two, so that they lie within 1; that power's exponent; their standard deviation then."""
    known = ~np.isnan(values)
    exponent = int(np.frexp(np.max(np.abs(values[known])))[1])
    scaled = np.ldexp(values, -exponent)
    first = scaled[known][0]
    share = weights[known] / weights[known].sum()
    shift = float(np.sum(share * (scaled[known] - first)))
    deviation = float(np.sqrt(np.sum(share * (scaled[known] - first - shift) ** 2)))
    if (scaled[known] == first).all():
        deviation = 0.0
    return np.where(known, scaled, first + shift), exponent, deviation


def _impurity(indicator: NDArray[np.float64], weights: NDArray[np.float64], criterion: str) -> float:
    """Gini or entropy (bits) of a nominal target."""
    p = np.average(indicator, axis=0, weights=weights)
    if criterion == "gini":
        return float(1.0 - np.sum(p * p))
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))
