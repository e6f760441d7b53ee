"""How probabilities become a class: which of two classes is asked for, and from which probability on it is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.columns import Column
from glade.data.costs import read_cost_matrices
from glade.data.weights import read_class_weights

COST = "cost"
NEVER = 2.0  # a threshold that no probability reaches
FALSE_ALARM, MISS = "false_alarm", "miss"
EVEN = 0.5
ASK_TWO = "is for targets of two classes, and target {} has {}: leave it out"


@dataclass(frozen=True)
class Decision:
    """How the probabilities of one nominal target become a class.

    Parameters
    ----------
    event
        Of two classes the place of the one that is asked for; None where there are more or fewer.
    threshold
        The event is said from this probability on; None: the most probable class.
    weights
        Of more than two classes: what each counts beside its probability. None: all alike.
    costs
        Of more than two classes: what it costs to say each class where each is true, true x said. None: all errors
        alike.
    """

    event: int | None = None
    threshold: float | None = None
    weights: tuple[float, ...] | None = None
    costs: tuple[tuple[float, ...], ...] | None = None

    def pick(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the place of the class for each row of probabilities (rows x classes)."""
        if self.threshold is not None and self.event is not None:
            return np.where(values[:, self.event] >= self.threshold, self.event, 1 - self.event)
        if self.weights is not None:
            counts = np.array(self.weights)
            return np.where(counts > 0, values * counts, -1.0).argmax(axis=1)
        if self.costs is not None:
            return self._expect(values).argmin(axis=1)
        return values.argmax(axis=1)

    def _expect(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x classes: what it costs on average to say each. It is added up in the order in which exports do so."""
        expected = np.zeros(values.shape)
        for share, own in zip(values.T, self.costs or (), strict=True):
            expected += share[:, None] * np.array(own)
        return expected

    @property
    def shown_threshold(self) -> float:
        """The threshold of two classes, the even one where none was set."""
        return EVEN if self.threshold is None else self.threshold


PLAIN = Decision()


def read_decisions(
    targets: Sequence[Column],
    weights: NDArray[np.float64],
    *,
    event: Any,
    threshold: Any,
    costs: Any,
    class_weight: Any,
    cost_matrix: Any = None,
) -> tuple[Decision, ...]:
    """Return the decision of each target; that of a number is plain.

    Parameters
    ----------
    targets
        Columns as read.
    weights
        Of the rows.
    event
        A class of the one nominal target, a dictionary {target: class}, or None: the rarer class.
    threshold
        A probability, "cost" or None; or a dictionary {target: probability}.
    costs
        With "cost": {"false_alarm": ..., "miss": ...}.
    class_weight
        What errors in each class cost, as scikit-learn takes it.
    cost_matrix
        What it costs to say each class where each is true (`read_cost_matrices`).
    """
    events = _read_events(targets, weights, event)
    thresholds = _read_thresholds(targets, threshold, costs)
    ways = {"threshold": threshold, "class_weight": class_weight, "cost_matrix": cost_matrix}
    both = [name for name, given in ways.items() if given is not None]
    if len(both) > 1:
        raise ValueError(f"{both[0]} and {both[1]} both say what errors cost: give one of them")
    if cost_matrix is not None:
        matrices = read_cost_matrices(cost_matrix, targets)
        return tuple(_decide_by_cost(*own) for own in zip(events, matrices, strict=True))
    counts = None if class_weight is None else read_class_weights(class_weight, list(targets), weights)
    decisions = []
    for t, place in enumerate(events):
        own = None if counts is None else counts[t]
        if place is None:
            decisions.append(Decision(weights=None if own is None else tuple(own.tolist())))
        else:
            decisions.append(Decision(place, thresholds[t] if own is None else _weigh_two(own, place)))
    return tuple(decisions)


def _read_thresholds(targets: Sequence[Column], threshold: Any, costs: Any) -> list[float | None]:
    """Of each target the probability from which on its event is said."""
    if not isinstance(threshold, Mapping):
        at = read_threshold(threshold, costs)
        if at is not None:
            _check_two_classes(targets, "threshold")
        return [at] * len(targets)
    of_name = {column.name: column for column in targets if column.labels is not None}
    _refuse_unknown("threshold", threshold, list(of_name))
    _check_two_classes([of_name[name] for name in threshold], "threshold")
    for name, at in threshold.items():
        if not (isinstance(at, Real) and 0.0 < float(at) < 1.0):
            raise ValueError(f"threshold of target {quote_name(name)} must be a number between 0 and 1, but is {at!r}")
    return [float(threshold[column.name]) if column.name in threshold else None for column in targets]


def _refuse_unknown(what: str, given: Mapping[str, Any], names: list[str]) -> None:
    unknown = [name for name in given if name not in names]
    if unknown:
        known = f"these are {list_names(names)}" if names else "there are none, so leave it out"
        raise ValueError(f"{what} names {list_names(unknown)}, which is no nominal target; {known}")


def read_threshold(threshold: Any, costs: Any) -> float | None:
    """Return the probability from which on the event is said, None for the most probable class.

    An error of either kind costs the same on average where p * miss = (1 - p) * false_alarm.

    Parameters
    ----------
    threshold
        A probability, "cost" or None.
    costs
        With "cost": {"false_alarm": ..., "miss": ...}.
    """
    if threshold != COST:
        if costs is not None:
            raise ValueError('costs are used with threshold="cost": set it, or leave out costs')
        return None if threshold is None else float(threshold)
    if not isinstance(costs, Mapping) or set(costs) != {FALSE_ALARM, MISS}:
        raise ValueError(
            f'threshold="cost" needs costs={{"{FALSE_ALARM}": ..., "{MISS}": ...}}: what an error of either kind costs'
        )
    alarm, miss = (float(costs[name]) for name in (FALSE_ALARM, MISS))
    if not (np.isfinite([alarm, miss]).all() and alarm > 0 and miss > 0):
        raise ValueError(f"costs must be numbers above 0, but are {costs!r}")
    return _balance(alarm, miss)


def _balance(alarm: float, miss: float) -> float:
    """The probability from which on a false alarm costs less than a miss; the sum of the two may be no double."""
    scale = 0.5 if max(alarm, miss) > 1.0 else 1.0
    return float(scale * alarm / (scale * alarm + scale * miss))


def with_threshold(decisions: Sequence[Decision], threshold: Any, costs: Any) -> tuple[Decision, ...]:
    """Return decisions with another threshold for all targets of two classes."""
    at = read_threshold(threshold, costs)
    return tuple(own if own.event is None else replace(own, threshold=at) for own in decisions)


def _check_two_classes(targets: Sequence[Column], what: str) -> None:
    for column in targets:
        if column.labels is not None and len(column.labels) != 2:
            n = len(column.labels)
            told = ASK_TWO.format(quote_name(column.name), "1 class" if n == 1 else f"{n} classes")
            raise ValueError(f"{what} {told}")


def _read_events(targets: Sequence[Column], weights: NDArray[np.float64], event: Any) -> list[int | None]:
    nominal = [column for column in targets if column.labels is not None]
    asked: dict[str, Any] = {}
    if isinstance(event, Mapping):
        _refuse_unknown("event", event, [column.name for column in nominal])
        asked = dict(event)
    elif event is not None:
        if len(nominal) != 1:
            raise ValueError(f"event={event!r} is for one nominal target: give {{target: class}} for several")
        asked = {nominal[0].name: event}
    return [_find_event(column, weights, asked) for column in targets]


def _find_event(column: Column, weights: NDArray[np.float64], asked: dict[str, Any]) -> int | None:
    """The place of the class that is asked for, else of the rarer one; None where there are not two."""
    classes = column.labels
    if column.name in asked:
        _check_two_classes([column], "event")
        labels, label = list(classes or ()), asked[column.name]
        if np.ndim(label) or label not in labels:
            raise ValueError(
                f"event={label!r} is no class of target {quote_name(column.name)}: its classes are {labels}"
            )
        return labels.index(label)
    if classes is None or len(classes) != 2:
        return None
    is_second = column.values == 1.0
    return int(weights @ is_second <= weights @ (column.values == 0.0))


def _decide_by_cost(event: int | None, matrix: NDArray[np.float64] | None) -> Decision:
    """Of two classes a threshold says the same as their costs."""
    if matrix is None:
        return Decision(event)
    if len(matrix) < 2:  # nothing else can be said
        return PLAIN
    if event is None:
        return Decision(costs=tuple(map(tuple, matrix.tolist())))
    return Decision(event, _balance(matrix[1 - event, event], matrix[event, 1 - event]))


def _weigh_two(counts: NDArray[np.float64], event: int) -> float:
    """The threshold that errors in either class ask for, out of reach for a class that counts nothing."""
    own, other = counts[event], counts[1 - event]
    return float(other / (own + other)) if own > 0 else NEVER
