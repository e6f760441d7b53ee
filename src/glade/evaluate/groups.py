"""Models that do not differ: sets of them, as bars of a diagram or as letters in a table."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def find_bars(positions: NDArray[np.float64], distance: float) -> list[tuple[int, int]]:
    """The longest runs of sorted positions no wider than the distance, as first and last place, two or more in each.

    >>> find_bars(np.array([1.0, 1.5, 2.2, 4.0]), distance=1.0)
    [(0, 1), (1, 2)]
    """
    bars: list[tuple[int, int]] = []
    for first in range(len(positions)):
        last = int(np.flatnonzero(positions <= positions[first] + distance)[-1])
        if last > first and (not bars or last > bars[-1][1]):
            bars.append((first, last))
    return bars


def assign_letters(differs: NDArray[np.bool_]) -> list[str]:
    """Letters such that two models share one exactly if they do not differ; `a` goes to the first model.

    >>> assign_letters(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    ['a', 'ab', 'b']
    """
    n = len(differs)
    sets = sorted(sorted(members) for members in _find_cliques(~differs, set(), set(range(n)), set()))
    letters = [""] * n
    for k, members in enumerate(sets):
        for model in members:
            letters[model] += chr(ord("a") + k) if k < 26 else f"[{k}]"
    return letters


def _find_cliques(alike: NDArray[np.bool_], inside: set[int], open_: set[int], closed: set[int]) -> Iterable[set[int]]:
    """The largest sets of models of which no two differ (Bron and Kerbosch)."""
    if not open_ and not closed:
        yield inside
    for model in sorted(open_):
        near = {other for other in range(len(alike)) if other != model and alike[model, other]}
        yield from _find_cliques(alike, inside | {model}, open_ & near, closed & near)
        open_, closed = open_ - {model}, closed | {model}
