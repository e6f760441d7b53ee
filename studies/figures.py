"""Published figures beside ours, each with its verdict, and what else a study leaves behind."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

DEVIATIONS = 2.0  # a published figure this near to the mean of our repetitions could be one of them
LEVEL = 0.05  # of a test's p-value


@dataclass(frozen=True)
class Settings:
    """How a study is run."""

    folder: str | Path | None = None  # of the data sets
    quick: bool = False  # fewer repetitions, a coarser picture
    repetitions: int | None = None  # at most so many, where a study repeats
    n_jobs: int | None = 1
    store: str | Path | None = None
    progress: bool | None = None


@dataclass(frozen=True)
class Figure:
    """One number of a published table.

    `same` is ours where the setting could be made the very same (the source's own folds); `ours` are the repetitions
    with other folds, which show how much the number depends on them.
    """

    row: str
    metric: str
    published: float | None
    ours: tuple[float, ...] = ()
    same: float | None = None
    decimals: int = 0
    lower_is_better: bool | None = True  # None: a count, of which neither is

    @property
    def mean(self) -> float:
        return float(np.mean(self.ours))

    @property
    def deviation(self) -> float:
        return float(np.std(self.ours, ddof=1)) if len(self.ours) > 1 else 0.0

    @property
    def verdict(self) -> str:
        """Whether the published figure could be one of ours; if not, who is better and by how much.

        >>> Figure("tree", "RMSE", 105.0, (100.0, 104.0, 108.0)).verdict
        'agrees: within the spread'
        >>> Figure("tree", "RMSE", 120.0, (100.0, 104.0, 108.0)).verdict
        'better: 13 % less'
        >>> Figure("full tree", "leaves", 5000, (5100,), lower_is_better=None).verdict
        'differs: 2.0 % more'
        """
        if self.published is None:
            return "not published"
        if abs(self.published - self.mean) <= DEVIATIONS * self.deviation or self.published == self.mean:
            return "agrees: within the spread"
        gap = self.mean / self.published - 1
        amount = f"{abs(gap):.1%}" if abs(gap) < 0.1 else f"{abs(gap):.0%}"
        change = f"{amount.replace('%', ' %')} {'more' if gap > 0 else 'less'}"
        if self.lower_is_better is None:
            return f"differs: {change}"
        return f"{'better' if (gap < 0) == self.lower_is_better else 'worse'}: {change}"

    def show(self, value: float | None) -> str:
        """A value of this figure, or a dash."""
        return "-" if value is None else f"{value:,.{self.decimals}f}"

    def show_ours(self) -> str:
        """Our mean and its spread."""
        if not self.ours:
            return "-"
        spread = f" ± {self.show(self.deviation)}" if len(self.ours) > 1 else ""
        return self.show(self.mean) + spread


@dataclass(frozen=True)
class PValue(Figure):
    """The p-value of a test whether one method is better than another.

    p-values differ by powers of ten from draw to draw, so what counts is on which side of the level they lie, and who
    is ahead; ours is the median of the repetitions.
    """

    ahead: bool = True  # in our repetitions; in the published figure the first method always is

    @property
    def verdict(self) -> str:
        """Whether the two tests say the same.

        >>> PValue("forest > tree", "p", 0.001, (0.02, 0.03, 0.2)).verdict
        'agrees: better'
        >>> PValue("forest > bagging", "p", 0.3, (0.02,), ahead=False).verdict
        'differs: worse (published: no difference)'
        >>> PValue("tree > trees", "p", None, (0.4,)).verdict
        'not published: no difference'
        """
        ours = self._find(float(np.median(self.ours)), self.ahead)
        if self.published is None:
            return f"not published: {ours}"
        published = self._find(self.published, True)
        return f"agrees: {ours}" if ours == published else f"differs: {ours} (published: {published})"

    @staticmethod
    def _find(p_value: float, ahead: bool) -> str:
        if p_value > LEVEL:
            return "no difference"
        return "better" if ahead else "worse"

    def show(self, value: float | None) -> str:
        return "-" if value is None else f"{value:.2g}"

    def show_ours(self) -> str:
        """The median, and where the repetitions lie."""
        spread = f" ({self.show(min(self.ours))} to {self.show(max(self.ours))})" if len(self.ours) > 1 else ""
        return self.show(float(np.median(self.ours))) + spread


@dataclass(frozen=True)
class Table:
    """Further results, cell by cell as text: the first column names the row, the others are numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A picture to be drawn when there is somewhere to save it."""

    name: str
    caption: str
    draw: Callable[[], Any]  # gives a Matplotlib figure


@dataclass(frozen=True)
class Reproduction:
    """A study run anew."""

    study: str
    title: str
    protocol: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = field(default=())
    tables: tuple[Table, ...] = ()

    def frame(self) -> Any:
        """A row for each figure: row, metric, published, same, mean, deviation, repetitions, verdict."""
        import pandas as pd

        rows = [
            {
                "row": figure.row,
                "metric": figure.metric,
                "published": figure.published,
                "same": figure.same,
                "mean": figure.mean if figure.ours else None,
                "deviation": figure.deviation if figure.ours else None,
                "repetitions": len(figure.ours),
                "verdict": figure.verdict,
            }
            for figure in self.figures
        ]
        return pd.DataFrame(rows)
