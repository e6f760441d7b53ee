"""Random settings for any estimator: right ones, and such as a user gets wrong.

A setting may need what the table has (the names of its inputs and targets, the labels of a target), so each maker is
given a `Hint` of these. A name that the estimator does not know is left out.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from glade import Gradient

Random = np.random.Generator
MOST_SETTINGS = 3  # that one model is given beside its own


class Hint(NamedTuple):
    """What a table is called: its inputs, its targets, and a few labels of each target."""

    inputs: list[Any]
    targets: list[Any]
    labels: dict[Any, list[Any]]


Maker = Callable[[Random, Hint], Any]
NEVER = (
    None,
    True,
    -1,
    0,
    1,
    0.5,
    np.nan,
    np.inf,
    1e300,
    10**30,
    "none",
    b"x",
    [],
    {},
    [[]],
    np.zeros((2, 2)),
    object(),
)
WRONG = (
    *NEVER,
    "Nice",
    {"w0": -1},
    {"w0": 0.0},
    {"miss": 1},
    {"false_alarm": 0, "miss": 0},
    [[0, 99]],
    "cost",
    np.array(["a"]),
)
SHARE_WRONG = 1 / 25
PLAIN: dict[str, tuple[Any, ...]] = {
    "cuts": ("nice", "exact"),
    "m_estimate": (0.5, 2, 1e300, np.float32(3)),
    "smoothing": ("m", None, 5.5, 1e300),
    "criterion": ("gini", "entropy", "gain_ratio"),
    "nominal_splits": ("binary", "multiway"),
    "standardise_targets": (True, False),
    "missing_targets": (None, "ignore"),
    "max_features": (None, 1, 0.5, "sqrt", 1000),
    "max_depth": (None, 1, 3, 10**6),
    "max_leaf_nodes": (2, 5),
    "min_samples_leaf": (1, 3, 0.2, 10**9),
    "min_impurity_decrease": (0.0, 0.01, 1e300),
    "f_test": (None, 0.05, 1e-300),
    "max_bins": ("auto", None, 2, 3),
    "max_rules": ("auto", None, 1, 3),
    "max_conditions": (None, "auto", 1, 3),
    "logic": (True, False),
    "linear_terms": (True, False, "clipped", "whole"),
    "soft": (True, False, "both"),
    "weights": ("auto", "greedy", "ridge", "lasso", "gradient", Gradient(max_iter=20)),
    "rules_from": ("nodes", "leaves", "trees"),
    "interaction_cst": ("pairwise", "no_interactions", [[0]]),
    "loss": ("squared", "huber", "quantile"),
    "quantile": (0.1, 0.9),
    "step": ("plain", "fitted"),
    "method": ("random_forest", "bagging", "boosting", "extra_trees", "isle"),
    "oob_score": (True, False),
    "per_target": (True, False),
    "voting": ("distribution", "majority"),
    "ccp_alpha": (0.0, 0.01, "cv", np.inf),
    "class_weight": ("balanced", None),
    "threshold": (None, 0.01, 0.3, 0.999),
    "costs": (None, {"false_alarm": 1, "miss": 5}),
    "fusion": ("mean", "max", "product", "vote"),
    "wake": ("random", "best"),
    "n_jobs": (None, 1, 2, -1),
    "ordered": (True, False),
    "width": (1, 3),
    "diversity": (0.0, 0.5, 1.0),
    "keep_given": (True, False),
    "validation_fraction": (None, 0.3),
    "cv": (2, 3),
}


def _any(random: Random, values: Any) -> Any:
    return list(values)[int(random.integers(len(values)))]


def _labels(random: Random, hint: Hint, target: Any) -> list[Any]:
    """The labels of a target in order, seldom with one that is not there."""
    strange = ["not there"] if random.random() < 0.1 or not hint.labels.get(target) else []
    return [*hint.labels.get(target, []), *strange]


def _signs(random: Random, hint: Hint) -> Any:
    """Signs for some inputs, by name, by place, or wrong ones."""
    n = len(hint.inputs)
    ways: tuple[Callable[[], Any], ...] = (
        lambda: {_any(random, hint.inputs): int(random.choice([-1, 1]))},
        lambda: random.integers(-1, 2, n).tolist(),
        lambda: {name: _any(random, (-1, 1, 0, 1.0, 2, "up", None)) for name in hint.inputs},
        lambda: random.integers(-1, 2, n + 1),
        lambda: {"not there": 1},
    )
    return ways[int(random.choice(len(ways), p=[0.6, 0.31, 0.03, 0.03, 0.03]))]()


def _monotone(random: Random, hint: Hint) -> Any:
    """Signs for all targets, for some targets, or for some of their classes."""
    target = _any(random, hint.targets)
    labels = _labels(random, hint, target)
    by_class = {_any(random, labels): _signs(random, hint) for _ in range(int(random.integers(1, 3)))}
    if target in hint.labels and len(hint.labels[target]) != 2 and random.random() < 0.8:
        return by_class if len(hint.targets) == 1 else {target: by_class}
    return _any(random, (_signs(random, hint), {target: _signs(random, hint)}))


def _matrix(random: Random, hint: Hint) -> Any:
    """What errors between classes cost: as rows of numbers or by labels, for one target or by target."""
    target = _any(random, hint.targets)
    labels = _labels(random, hint, target)
    n = max(len(labels), 1)
    rows = np.where(np.eye(n, dtype=bool), 0.0, random.choice([0.0, 1.0, 7.5, 1e300, 1e-300, -1.0, np.nan], (n, n)))
    good = np.where(np.eye(n, dtype=bool), 0.0, random.random((n, n)) * 9)
    named = {_any(random, labels): {_any(random, labels): _any(random, (2, 7.5, 0.0, -1, "much", None))}}
    fine = {a: {b: 3.0 for b in labels if b is not a} for a in labels[:1]}
    odd = _any(random, (rows, named, good[:, :-1]))
    chosen = odd if random.random() < 0.15 else _any(random, (good, good.tolist(), fine, pd.DataFrame(good)))
    return {target: chosen} if random.random() < 0.4 else chosen


def _event(random: Random, hint: Hint) -> Any:
    target = _any(random, hint.targets)
    label = _any(random, _labels(random, hint, target))
    return {target: label} if len(hint.targets) > 1 else label


def _threshold(random: Random, hint: Hint) -> Any:
    value = _any(random, PLAIN["threshold"])
    return {_any(random, hint.targets): value} if len(hint.targets) > 1 else value


def _given(random: Random, hint: Hint) -> Any:
    ends = (None, 0.0, -1.5, 1e300, np.nan, "a")
    values = ((_any(random, ends), _any(random, ends)), {"w0", "w1"}, {"w0"}, set(), 3)
    return [{_any(random, [*hint.inputs, "not there"]): _any(random, values)} for _ in range(int(random.integers(3)))]


NEEDS_A_HINT: dict[str, Maker] = {
    "monotonic_cst": _monotone,
    "cost_matrix": _matrix,
    "event": _event,
    "threshold": _threshold,
    "given_rules": _given,
}
NEWEST = (
    "monotonic_cst",
    "cost_matrix",
    "m_estimate",
    "cuts",
    "event",
    "threshold",
)  # are chosen as often as all others


def draw_settings(random: Random, known: set[str], hint: Hint) -> dict[str, Any]:
    """A few settings for an estimator that knows these names; a few are of a wrong type or absurd."""
    names = sorted(known & (PLAIN.keys() | NEEDS_A_HINT.keys()))
    newest = [name for name in NEWEST if name in names]
    chosen: dict[str, Any] = {}
    for _ in range(int(random.integers(MOST_SETTINGS + 1))):
        name = str(_any(random, newest if newest and random.random() < 0.5 else names))
        if random.random() < SHARE_WRONG:
            chosen[name] = _any(random, WRONG)
        elif name in NEEDS_A_HINT:
            chosen[name] = NEEDS_A_HINT[name](random, hint)
        else:
            chosen[name] = _any(random, PLAIN[name])
    return chosen
