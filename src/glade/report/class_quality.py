"""How good the predictions of classes are: counts at every threshold, ranks, and whether probabilities are true."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.decisions import PLAIN, Decision
from glade.report.numbers import exact, rounded

Floats = NDArray[np.float64]
STEPS = 101  # thresholds 0.00, 0.01, ... 1.00
MAX_POINTS = 120  # of a curve
MAX_BINS = 10
MIN_IN_BIN = 5
MAX_CLASSES = 12  # of which counts are told pair by pair
TINY = 1e-15
NORMAL = 1.96  # standard errors to each side of 95 of 100 intervals


def measure_classes(values: Floats, truth: Floats, event: int | None, decision: Decision = PLAIN) -> dict[str, Any]:
    """What honest probabilities (rows x classes) say beside the true classes (places).

    `event` is the class that is asked for, where there are two; `decision` how probabilities become the class that is
    said, and thereby what is right.
    """
    n_classes = values.shape[1]
    codes, said = truth.astype(np.int64), decision.pick(values)
    shares = np.bincount(codes, minlength=n_classes) / len(codes)
    is_class = codes[:, None] == np.arange(n_classes)
    half = 0.5 if n_classes == 2 else 1.0  # of two classes the Brier score of the event
    facts: dict[str, Any] = {
        "rows": len(codes),
        "counts": np.bincount(codes, minlength=n_classes).tolist(),
        "right": float(np.mean(said == codes)),
        "guess": float(shares.max()),
        "logLoss": float(-np.log(np.maximum(values[np.arange(len(codes)), codes], TINY)).mean()),
        "brier": half * float(((values - is_class) ** 2).sum(axis=1).mean()),
        "brierGuess": half * float(((shares - is_class) ** 2).sum(axis=1).mean()),
        "confusion": count_pairs(codes, said, n_classes) if n_classes <= MAX_CLASSES else None,
        "curves": [
            _measure_one(values[:, k], is_class[:, k]) if 0 < is_class[:, k].sum() < len(codes) else None
            for k in range(n_classes if n_classes <= MAX_CLASSES else 0)
        ],
    }
    if event is not None:
        facts["thresholds"] = count_at_thresholds(values[:, event], is_class[:, event])
        is_said = said == event
        facts["said"] = [int((is_said & is_class[:, event]).sum()), int((is_said & ~is_class[:, event]).sum())]
    return facts


def count_pairs(truth: NDArray[np.int64], said: NDArray[np.int64], n_classes: int) -> list[list[int]]:
    """How often each true class (lists) was called each class (in a list)."""
    pairs = np.bincount(truth * n_classes + said, minlength=n_classes**2)
    counts: list[list[int]] = pairs.reshape(n_classes, n_classes).tolist()
    return counts


def count_at_thresholds(p: Floats, happened: NDArray[np.bool_]) -> dict[str, list[int]]:
    """At each threshold: rows that are rightly, and wrongly, said to have the event (p >= threshold).

    >>> found = count_at_thresholds(np.array([0.2, 0.8]), np.array([False, True]))
    >>> found["right"][50], found["wrong"][50], found["wrong"][20], found["wrong"][21]
    (1, 0, 1, 0)
    """
    thresholds = np.arange(STEPS) / (STEPS - 1)
    right, wrong = (np.sort(p[own]) for own in (happened, ~happened))
    return {
        "right": (len(right) - np.searchsorted(right, thresholds)).tolist(),
        "wrong": (len(wrong) - np.searchsorted(wrong, thresholds)).tolist(),
    }


def _measure_one(p: Floats, happened: NDArray[np.bool_]) -> dict[str, Any]:
    """The curve of one class against all others, the area below it, and what came of each probability."""
    alarms, found = trace_curve(p, happened)
    keep = np.unique(np.linspace(0, len(alarms) - 1, MAX_POINTS).round().astype(int))
    area = float(np.trapezoid(found, alarms))
    return {
        "area": area,
        "areaSe": find_area_error(area, int(happened.sum()), int((~happened).sum())),
        "alarms": rounded(alarms[keep]),
        "found": rounded(found[keep]),
        "bins": bin_probabilities(p, happened),
    }


def trace_curve(p: Floats, happened: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The receiver's curve: shares of false alarms and of events found, from no alarms to all."""
    order = np.argsort(-p, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(p[order])), len(p) - 1)  # rows of one probability are called together
    found = np.append(0, np.cumsum(happened[order])[ends]) / happened.sum()
    alarms = np.append(0, np.cumsum(~happened[order])[ends]) / (~happened).sum()
    return alarms, found


def find_area_error(area: float, n_events: int, n_others: int) -> float:
    """The standard error of an area below the curve, after Hanley and McNeil."""
    both, twice = area / (2 - area), 2 * area**2 / (1 + area)
    square = area * (1 - area) + (n_events - 1) * (both - area**2) + (n_others - 1) * (twice - area**2)
    return float(np.sqrt(max(square, 0.0) / (n_events * n_others)))


def bin_probabilities(p: Floats, happened: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Groups of rows of about the same probability: the mean of it, what came of them, and an interval (Wilson's)."""
    n_bins = int(np.clip(len(p) // MIN_IN_BIN, 1, MAX_BINS))
    edges = np.unique(np.quantile(p, np.linspace(0, 1, n_bins + 1)[1:-1], method="nearest"))
    which = np.searchsorted(edges, p, side="right")
    bins = []
    for k in np.unique(which):
        own = which == k
        low, high = find_share_interval(int(happened[own].sum()), int(own.sum()))
        bins.append({"p": float(p[own].mean()), "share": float(happened[own].mean()), "rows": int(own.sum())})
        bins[-1] |= {"low": exact(np.array([low]))[0], "high": exact(np.array([high]))[0]}
    return bins


def find_share_interval(n_events: int, n_rows: int) -> tuple[float, float]:
    """Where a share lies with a chance of 95 of 100, after Wilson.

    >>> [round(end, 3) for end in find_share_interval(0, 10)]
    [0.0, 0.278]
    """
    share, z2 = n_events / n_rows, NORMAL**2
    centre = (share + z2 / (2 * n_rows)) / (1 + z2 / n_rows)
    reach = NORMAL * np.sqrt(share * (1 - share) / n_rows + z2 / (4 * n_rows**2)) / (1 + z2 / n_rows)
    return max(0.0, float(centre - reach)), min(1.0, float(centre + reach))
