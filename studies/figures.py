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
    quick: bool = False  # some sets, few repetitions: only to see that all runs, without verdicts
    reduced: bool = False  # fewer repetitions and folds, as each protocol says
    n_jobs: int | None = 1
    store: str | Path | None = None
    progress: bool | None = None

    def choose(self, full: Any, reduced: Any = None, quick: Any = None) -> Any:
        """What the scale of the run asks for; a smaller scale that is not given is that of the next larger one.

        >>> Settings(quick=True).choose(30, reduced=5), Settings().choose(30, reduced=5, quick=2)
        (5, 30)
        """
        reduced = full if reduced is None else reduced
        if self.quick:
            return reduced if quick is None else quick
        return reduced if self.reduced else full

    @property
    def options(self) -> str:
        """The options of the command line that ask for this scale."""
        return " --quick" if self.quick else " --reduced" if self.reduced else ""


@dataclass(frozen=True)
class Figure:
    """One number of a published table.

    `same` is ours where the setting could be made the very same (the source's own folds); `ours` are the repetitions
    with other folds, which show how much the number depends on them. Where `ours` are instead the parts of one mean
    (`of_parts`), as folds are, what may differ by chance is that mean, and the published one as much as ours; `same` is
    then, if given, the error over all parts at once, which is shown in place of their mean. `printed` is the number of
    decimals of the published figure, which is rounded.
    """

    row: str
    metric: str
    published: float | None
    ours: tuple[float, ...] = ()
    same: float | None = None
    decimals: int = 0
    lower_is_better: bool | None = True  # None: a count, of which neither is
    of_parts: bool = False
    printed: int | None = None

    @property
    def mean(self) -> float:
        return self.same if self.of_parts and self.same is not None else float(np.mean(self.ours))

    @property
    def deviation(self) -> float:
        return float(np.std(self.ours, ddof=1)) if len(self.ours) > 1 else 0.0

    @property
    def chance(self) -> float:
        """The standard deviation of what the published figure may differ by from ours if both say the same."""
        if not self.of_parts:
            return self.deviation
        return self.deviation * float(np.sqrt(2 / max(len(self.ours), 1)))

    @property
    def verdict(self) -> str:
        """Whether the published figure could be one of ours; if not, who is better and by how much.

        >>> Figure("tree", "RMSE", 105.0, (100.0, 104.0, 108.0)).verdict
        'agrees: within the spread'
        >>> Figure("tree", "RMSE", 120.0, (100.0, 104.0, 108.0)).verdict
        'better: 13 % less'
        >>> Figure("full tree", "leaves", 5000, (5100,), lower_is_better=None).verdict
        'differs: 2.0 % more'
        >>> Figure("tree", "RRMSE", 0.74, (0.7391,), printed=2).verdict
        'agrees: as printed'
        """
        if self.published is None:
            return "not published"
        gap = abs(self.published - self.mean)
        rounding = 0.0 if self.printed is None else 0.5 * 10.0**-self.printed
        if self.printed is not None and gap <= rounding * (1 + 1e-9):
            return "agrees: as printed"
        if gap == self.chance == 0.0:
            return "agrees"
        if gap <= rounding + DEVIATIONS * self.chance:
            return "agrees: within the spread"
        relative = self.mean / self.published - 1
        amount = f"{abs(relative):.1%}" if abs(relative) < 0.1 else f"{abs(relative):.0%}"
        change = f"{amount.replace('%', ' %')} {'more' if relative > 0 else 'less'}"
        if self.lower_is_better is None:
            return f"differs: {change}"
        return f"{'better' if (relative < 0) == self.lower_is_better else 'worse'}: {change}"

    def show(self, value: float | None) -> str:
        """A value of this figure, or a dash."""
        return "-" if value is None else f"{value:,.{self.decimals}f}"

    def show_published(self) -> str:
        """The published figure."""
        return self.show(self.published)

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
class Between(Figure):
    """A figure of which the source says between which two it lies."""

    low: float = 0.0
    high: float = 0.0

    @property
    def verdict(self) -> str:
        """Whether the mean of ours lies there, too.

        >>> Between("rules", "%", None, (12.0,), low=10, high=20).verdict
        'agrees'
        >>> Between("rules", "%", None, (4.0, 5.0), low=10, high=20).verdict
        'differs: below'
        """
        if self.low <= self.mean <= self.high:
            return "agrees"
        return f"differs: {'below' if self.mean < self.low else 'above'}"

    def show_published(self) -> str:
        """Both ends."""
        return f"{self.show(self.low)} to {self.show(self.high)}"


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
    has_verdicts: bool = True  # a quick run has too few sets or repetitions to say anything of a published figure

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
