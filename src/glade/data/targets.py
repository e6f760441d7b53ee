"""Targets to channels: one float matrix for any mix of numeric and nominal targets.

A numeric target is one channel; a nominal one has a channel of zeros and ones for each class. With scales that make the
sum of squared channels the criterion, variance and Gini are one formula. Values are scaled by powers of two only, which
loses nothing; centring happens in each node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import quote_name
from glade.data.coded import Channels
from glade.data.columns import NUMERIC, Column, Labels, read_classes, read_column
from glade.data.criteria import NUMBERS, SQUARES, measure_impurity
from glade.data.decisions import PLAIN, Decision
from glade.data.frames import TARGET, RawColumn, RawTable, list_targets, numbered_names
from glade.data.table import read_numbers_at_once

TINY_SPREAD, HUGE_SPREAD = 1e-150, 1e150  # beyond, the square of a target's spread is no double
BYTES_A_LETTER = 4  # of text in NumPy's arrays
LONGEST_IN_ARRAY = 1_000  # letters of a label: each prediction would take as many
MOST_PADDING = 4_000_000  # bytes that arrays of labels, all as long as the longest, may take in addition
MOST_TARGET = 1e303  # the size of a target's values: a forest adds up as many as it has trees
VALUES_AT_ONCE = 100_000  # of several targets: few enough to stay in the cache
REGRESSION, CLASSIFICATION, MIXED = "regression", "classification", "mixed"


@dataclass(frozen=True)
class TargetSchema:
    """What a model remembers of its targets. The channels of target t are start[t] .. start[t + 1] - 1."""

    names: tuple[str, ...]
    classes: tuple[NDArray[Any] | None, ...]  # None for a numeric target
    decisions: tuple[Decision, ...] = ()  # how probabilities become classes; none: the most probable

    @classmethod
    def of(cls, targets: list[Column]) -> "TargetSchema":
        labels = [column.labels for column in targets]
        is_wide = is_wide_text(labels)
        classes = (None if own is None else to_label_array(own, is_wide) for own in labels)
        return cls(tuple(column.name for column in targets), tuple(classes))

    @property
    def n_targets(self) -> int:
        return len(self.names)

    @cached_property
    def start(self) -> NDArray[np.int32]:
        widths = [1 if classes is None else len(classes) for classes in self.classes]
        return np.concatenate(([0], np.cumsum(widths))).astype(np.int32)

    def decision_of(self, target: int) -> Decision:
        """How the probabilities of a nominal target become a class."""
        return self.decisions[target] if self.decisions else PLAIN

    @property
    def decisions_of_all(self) -> tuple[Decision, ...]:
        """One for each target, plain ones where none were made."""
        return self.decisions or tuple(Decision(event) for event in self.events)

    @property
    def events(self) -> list[int | None]:
        """Of each target of two classes the place of the one that is asked for; None for other targets."""
        is_of_two = [classes is not None and len(classes) == 2 for classes in self.classes]
        if not self.decisions:
            return [1 if own else None for own in is_of_two]
        return [own.event if is_two else None for own, is_two in zip(self.decisions, is_of_two, strict=True)]

    @property
    def channel_names(self) -> list[str]:
        """The name of a numeric target, "name = class" for the classes of a nominal one."""
        names = []
        for name, classes in zip(self.names, self.classes, strict=True):
            names += [name] if classes is None else [f"{name} = {label}" for label in classes]
        return names

    def columns_beside(self, taken: Sequence[str]) -> list[str]:
        """Channel names for a table that has other columns: "target ..." where one has such a name already."""
        return _avoid(self.channel_names, taken)

    def names_beside(self, taken: Sequence[str]) -> list[str]:
        """The targets' names for a table that has other columns, changed in the same way."""
        return _avoid(self.names, taken)

    def channels_of(self, target: int) -> slice:
        return slice(int(self.start[target]), int(self.start[target + 1]))

    def find_centre(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
        """Per channel: what to take from values between `low` and `high` before they are summed.

        It is their lowest where all are numbers within a factor of two of one another: differences from it are exact,
        and their sum keeps the digits by which 1e12 + 0.001 and 1e12 + 0.002 differ. Else such digits are a small part
        of what the values differ by, and it is 0: zeros that are summed stay zero.
        """
        least, most = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
        is_near = (np.sign(low) == np.sign(high)) & (most / 2 <= least)
        is_number = np.repeat([classes is None for classes in self.classes], np.diff(self.start))
        return np.where(is_near & is_number, low, 0.0)


def _avoid(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    free: list[str] = []
    for name in names:
        while name in taken or name in free:
            name = f"target {name}"
        free.append(name)
    return free


def is_wide_text(all_labels: Sequence[Labels | None]) -> bool:
    """Whether NumPy's arrays of text, in which each label is as long as the longest, would be far larger than these."""
    bytes_more = 0
    for labels in all_labels:
        lengths = [len(label) for label in labels or () if isinstance(label, str)]
        longest = max(lengths, default=0)
        bytes_more += BYTES_A_LETTER * (longest * len(lengths) - sum(lengths))
        if longest > LONGEST_IN_ARRAY:
            return True
    return bytes_more > MOST_PADDING


def to_label_array(labels: Labels, is_wide: bool | None = None) -> NDArray[Any]:
    """Labels as NumPy would hold them, as objects where that would change them (intervals, text that ends in NUL).

    Text is held as objects, too, if its arrays would be too wide; whether that is so may be known.
    """
    if is_wide_text([labels]) if is_wide is None else is_wide and any(isinstance(label, str) for label in labels):
        return to_object_array(labels)
    array = np.array(labels)
    if array.shape == (len(labels),) and array.tolist() == list(labels):
        return array
    return to_object_array(labels)


def to_object_array(labels: Labels) -> NDArray[Any]:
    """Labels as they are, none of them taken for a list of labels."""
    return np.array([*labels, None], dtype=object)[:-1]


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

    def find_means(self) -> NDArray[np.float64]:
        """Per channel the mean over the rows in which its target is known, of scaled numbers and of ones for classes.

        Differences from the first value are summed: the mean of 1e12 + tiny is as exact as that of tiny.
        """
        channels, means = self.channels, np.empty(self.n_channels)
        for t in range(self.n_targets):
            at = self.schema.channels_of(t)
            known = channels.known[:, t] == 1 if len(channels.known) else slice(None)
            y = channels.y[known, at]
            first = y[0] if self.schema.classes[t] is None else np.zeros(y.shape[1])
            means[at] = first + np.average(y - first, axis=0, weights=channels.weight[known])
        return means

    def decode(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows of channel means in the user's units."""
        from glade.data._channels import scale_columns

        half = self.exponent // 2  # 2 ** exponent itself may not be a double
        decoded = np.empty((len(value), self.n_channels))
        # products with powers of two: as exact as `ldexp`, and faster
        scale_columns(value, np.ldexp(1.0, half), np.ldexp(1.0, self.exponent - half), decoded)
        shares = self.channels.numeric == 0
        if shares.any():  # weights summed in another order may give a share that is above 1 by rounding
            decoded[:, shares] = np.minimum(decoded[:, shares], 1.0)
        return decoded


def read_targets(y: Any, task: str) -> list[Column]:
    """The target columns, of the kinds the task asks for. A nominal column's labels are its classes, sorted."""
    if task == REGRESSION and type(y) is np.ndarray and y.ndim == 2 and y.shape[1] > 1 and y.dtype.kind in "iuf":
        targets = read_numbers_at_once(RawTable(y, numbered_names(y.shape[1], TARGET), TARGET)).columns
    else:
        readers = {REGRESSION: _read_number_target, CLASSIFICATION: read_classes, MIXED: _read_any_target}
        targets = [readers[task](raw) for raw in list_targets(y)]
    for column in targets:
        _check_size(column)
    return targets


def _check_size(column: Column) -> None:
    """Refuse a target whose sums and differences may be no numbers."""
    if column.kind == NUMERIC and column.largest > MOST_TARGET:
        row = int(np.argmax(np.abs(column.values) > MOST_TARGET))
        raise ValueError(
            f"target {quote_name(column.name)} is {column.values[row]:g} in row {row}, beyond {MOST_TARGET:g}: sums of"
            " such values are no numbers; divide it by a power of ten"
        )


def _read_number_target(raw: RawColumn) -> Column:
    column = read_column(raw)
    if column.kind != NUMERIC and column.labels not in ((False, True), ()):
        raise ValueError(f"{raw} is not numeric: use a classifier, or a mixed estimator")
    return Column(raw.name, NUMERIC, column.values)


def _read_any_target(raw: RawColumn) -> Column:
    column = read_column(raw)
    return column if column.kind == NUMERIC else read_classes(raw)


def check_known(targets: list[Column], missing_targets: str) -> None:
    """Missing target values are an error unless they are to be ignored; a target without any value always is."""
    for column in targets:
        if not column.has_missing:
            continue
        n_missing = int(np.isnan(column.values).sum())
        if n_missing == len(column.values):
            raise ValueError(f"Input y contains NaN: target {quote_name(column.name)} has no known value: leave it out")
        if missing_targets == "error":
            raise ValueError(
                f"Input y contains NaN: target {quote_name(column.name)} lacks {n_missing} value(s), the first in row"
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


def _mark_classes(target: Column, channels: NDArray[np.float64]) -> NDArray[np.intp]:
    """Put a one into the channel of each row's class; returns the rows whose class is known."""
    known = np.flatnonzero(~np.isnan(target.values))
    channels[known, target.values[known].astype(int)] = 1.0
    return known


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
        The criterion of nominal targets by its name in `data.criteria`; numeric ones always use the variance.
    target_weights
        How much each target counts.
    """
    schema = TargetSchema.of(targets)
    start, n_targets = schema.start, len(targets)
    n_channels = int(start[-1])
    y = np.zeros((len(weights), n_channels))
    scale, factor, kind = np.zeros(n_channels), np.ones(n_targets), np.full(n_targets, SQUARES, np.int32)
    relative = target_weights / target_weights.mean()
    numbers = [t for t, column in enumerate(targets) if column.kind == NUMERIC]
    exponent, deviation = _encode_numbers(targets, numbers, weights, start, y)
    spread = np.ones(n_targets)
    spread[numbers] = np.ldexp(deviation, exponent[start[numbers]])
    is_constant = deviation == 0
    scale[start[numbers]] = np.where(is_constant, 0.0, np.sqrt(relative[numbers]) / (deviation + is_constant))
    mixed = len({c.kind for c in targets}) > 1
    for t in (t for t in range(n_targets) if t not in numbers):
        at = schema.channels_of(t)
        known = _mark_classes(targets[t], y[:, at])
        whole = measure_impurity(y[known, at], weights[known], criterion) if mixed else 1.0
        share = relative[t] / whole if whole > 0 else 0.0
        kind[t] = NUMBERS[criterion]
        if kind[t] == SQUARES:
            scale[at] = np.sqrt(share)
        else:
            factor[t] = share
    numeric = np.repeat([c.kind == NUMERIC for c in targets], np.diff(start)).astype(np.uint8)
    unit = 1.0 / n_targets
    if n_targets == 1 and targets[0].kind == NUMERIC:
        unit = spread[0] ** 2 if TINY_SPREAD < spread[0] < HUGE_SPREAD else 1.0
    channels = Channels(
        y=y,
        known=_mark_known(targets),
        scale=scale,
        numeric=numeric,
        target_start=start,
        kind=kind,
        factor=factor,
        weight=weights,
    )
    return EncodedTargets(channels, schema, unit, exponent, spread)


def _encode_numbers(
    targets: list[Column],
    numbers: list[int],
    weights: NDArray[np.float64],
    start: NDArray[np.int32],
    y: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Fill the channels of the numeric targets; the exponent of each channel, and the deviations of these targets."""
    exponent, deviation = np.zeros(start[-1], np.int32), np.empty(len(numbers))
    at_once = max(1, VALUES_AT_ONCE // len(weights))
    for k in range(0, len(numbers), at_once):
        some = numbers[k : k + at_once]
        places = start[some]
        exponent[places], deviation[k : k + at_once] = scale_numbers([targets[t] for t in some], weights, places, y)
    return exponent, deviation


def measure_impurities(targets: list[Column], weights: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    """Of each target the variance or, if it is nominal, the impurity by this criterion; beside those of the others.

    They are divided by the largest variance where that is beyond 1, so that none overflows; ones if all are zero.
    """
    exponent, part = np.zeros(len(targets), np.int64), np.zeros(len(targets))
    for t, column in enumerate(targets):
        if column.kind == NUMERIC:
            own, deviation = scale_numbers([column], weights, np.zeros(1, np.int32), np.empty((len(weights), 1)))
            exponent[t], part[t] = 2 * int(own[0]), float(deviation[0]) ** 2
        else:
            known = np.flatnonzero(~np.isnan(column.values))
            y = np.zeros((len(known), len(column.labels or ())))
            y[np.arange(len(known)), column.values[known].astype(int)] = 1.0
            part[t] = measure_impurity(y, weights[known], criterion)
    largest = max(0, int(exponent[part > 0].max(initial=0)))
    impurities = np.ldexp(part, np.maximum(exponent - largest, -1000))
    return impurities if impurities.any() else np.ones(len(targets))


def _mark_known(targets: list[Column]) -> NDArray[np.uint8]:
    """Rows x targets; no rows at all where every value is known."""
    if not any(column.has_missing for column in targets):
        return np.empty((0, len(targets)), np.uint8)
    return np.column_stack([~np.isnan(column.values) for column in targets]).astype(np.uint8)


def scale_numbers(
    columns: Sequence[Column], weights: NDArray[np.float64], at: NDArray[np.int32], scaled: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Fill the columns `at` of `scaled` with numbers times a power of two, so that they lie within 1.

    Unknown numbers become the mean, and count for nothing. Returns that power's exponent and the standard deviation
    then, of each column.
    """
    from glade.data._channels import scale_targets

    exponent = np.frexp([column.largest for column in columns])[1]
    half = -exponent // 2  # the power may be beyond the largest double: multiply twice
    factors, deviation = (np.ldexp(1.0, half), np.ldexp(1.0, -exponent - half)), np.empty(len(columns))
    scale_targets(np.array([column.values for column in columns]), weights, *factors, at, scaled, deviation)
    return exponent, deviation


def standardise(column: Column, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, float]:
    """Values of mean 0 and standard deviation 1 (NaN where unknown), and the mean and deviation they had.

    Of constant values the deviation is said to be 1.
    """
    scaled, known = np.empty((len(weights), 1)), ~np.isnan(column.values)
    (exponent,), (deviation,) = scale_numbers([column], weights, np.zeros(1, np.int32), scaled)
    first = scaled[known][0, 0]
    mean = first + float(np.average(scaled[known, 0] - first, weights=weights[known]))
    standard = np.where(known, (scaled[:, 0] - mean) / (deviation or 1.0), np.nan)
    half = exponent // 2  # 2 ** exponent itself may not be a double
    mean, spread = (x * 2.0**half * 2.0 ** (exponent - half) for x in (mean, deviation))
    return standard, mean, spread or 1.0
