"""The average-rank diagram: models on a line by their rank, those that do not differ significantly joined by a bar."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_plainly
from glade.evaluate.statistics import critical_distance, rank_models


@dataclass(frozen=True)
class RankDiagram:
    """Average ranks, and the distance from which two of them differ significantly (Nemenyi).

    Attributes
    ----------
    ranks : Series
        The average rank of each model, best first.
    critical_distance : float
    n_measurements : int

    Examples
    --------
    >>> import pandas as pd
    >>> errors = pd.DataFrame({"tree": [0.9, 0.8, 0.9, 0.9], "forest": [0.7, 0.6, 0.7, 0.8]})
    >>> RankDiagram.of(errors).frame()
            rank joined_with
    forest   1.0          []
    tree     2.0          []
    """

    ranks: Any
    critical_distance: float
    n_measurements: int

    @classmethod
    def of(cls, errors: Any, level: float = 0.05) -> "RankDiagram":
        """From a dataframe of errors, measurements x models."""
        ranks = rank_models(errors).sort_values(kind="stable")
        return cls(ranks, critical_distance(errors.shape[1], len(errors), level), len(errors))

    @property
    def groups(self) -> list[list[str]]:
        """The largest sets of neighbouring models that do not differ significantly."""
        names = list(self.ranks.index)
        return [names[a : b + 1] for a, b in find_bars(self.ranks.to_numpy(), self.critical_distance)]

    def frame(self) -> Any:
        """The ranks, and for each model those it does not differ from."""
        import pandas as pd

        near = {
            name: [m for m, r in self.ranks.items() if m != name and abs(r - rank) <= self.critical_distance]
            for name, rank in self.ranks.items()
        }
        return pd.DataFrame({"rank": self.ranks, "joined_with": pd.Series(near, dtype=object)}, index=self.ranks.index)

    def plot(self, ax: Any = None) -> Any:
        """Draw the diagram: rank 1 is on the right, as in the literature. Returns the Matplotlib axes."""
        import matplotlib.pyplot as plt

        names, ranks = list(self.ranks.index), self.ranks.to_numpy()
        bars = find_bars(ranks, self.critical_distance)
        n, depth = len(names), 0.25 * len(bars)
        if ax is None:
            _, ax = plt.subplots(figsize=(7, 1.4 + 0.13 * n + 0.3 * depth), layout="constrained")
        low, high = 1.0, float(n)
        ax.set_xlim(high + 0.06 * n, low - 0.06 * n)
        ax.set_ylim(-1.0 - depth - 0.5 * ((n + 1) // 2), 1.3)
        ax.axis("off")
        ax.plot([low, high], [0, 0], color="black", linewidth=1)
        for tick in np.arange(low, high + 1):
            ax.plot([tick, tick], [0, 0.15], color="black", linewidth=1)
            ax.annotate(f"{tick:g}", (tick, 0.2), ha="center", va="bottom")
        ax.plot([high, high - self.critical_distance], [0.95, 0.95], color="black", linewidth=2)
        ax.annotate(f"CD {self.critical_distance:.2f}", (high, 1.0), ha="left", va="bottom")
        for k, (first, last) in enumerate(bars):
            y = -0.25 * (k + 1)
            ax.plot([ranks[first] - 0.03, ranks[last] + 0.03], [y, y], color="black", linewidth=3)
        self._label_models(ax, depth)
        return ax

    def _label_models(self, ax: Any, depth: float) -> None:
        """Names of the better half on the right, of the worse on the left, each led to its place on the line."""
        n = len(self.ranks)
        edges = ax.get_xlim()
        for k, (name, rank) in enumerate(self.ranks.items()):
            on_right = k < (n + 1) // 2
            y = -0.6 - depth - 0.5 * (k if on_right else n - 1 - k)
            edge = edges[1] if on_right else edges[0]
            ax.plot([rank, rank, edge], [0, y, y], color="grey", linewidth=0.8)
            ax.annotate(
                f" {show_plainly(name)} ({rank:.2f}) ", (edge, y), ha="left" if on_right else "right", va="center"
            )


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
