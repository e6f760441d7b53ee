"""The one picture of named amounts: importances, contributions of a row, interactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_plainly
from glade.explain.drawing import DOWN, NEUTRAL, REFERENCE, UP


@dataclass(frozen=True)
class Bars:
    """Amounts with names, as a dataframe and as a picture.

    Attributes
    ----------
    table : DataFrame
        What `frame` gives.
    names : list of str
        From top to bottom.
    start, end : array
        Where each bar starts and ends.
    title, unit : str
        What stands above, and below the scale.
    mark, reach : array, optional
        A reference beside each bar, and how far it reaches to the left and to the right (2 x bars).
    texts : list of str, optional
        Written beside the bars.
    origin : float, optional
        Where a line is drawn across.
    ends_in_total : bool
        Whether the last bar is what the others come to.
    is_share : bool
        Whether the scale is of shares, which are written in hundredths.
    """

    table: Any
    names: Sequence[str]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    title: str
    unit: str
    mark: NDArray[np.float64] | None = None
    reach: NDArray[np.float64] | None = None
    texts: Sequence[str] | None = None
    origin: float | None = None
    ends_in_total: bool = False
    is_share: bool = False

    def frame(self) -> Any:
        """The amounts as a pandas dataframe."""
        return self.table

    def plot(self, ax: Any = None) -> Any:
        """Draw the bars with Matplotlib; returns the axes."""
        import matplotlib.pyplot as plt
        from matplotlib.ticker import PercentFormatter

        if ax is None:
            _, ax = plt.subplots(figsize=(6.4, 1.2 + 0.3 * max(len(self.names), 1)), layout="constrained")
        places = np.arange(len(self.names))
        length = self.end - self.start
        colours = [UP if amount >= 0 else DOWN for amount in length]
        if self.ends_in_total:
            colours[-1] = NEUTRAL
        ax.barh(places, length, left=self.start, color=colours, height=0.7)
        for place, text in enumerate(self.texts or ()):
            ax.annotate(text, (max(self.start[place], self.end[place]), place), xytext=(3, 0), fontsize="small",
                        textcoords="offset points", va="center")  # fmt: skip
        if self.origin is not None:
            ax.axvline(self.origin, color=NEUTRAL, linewidth=0.8, linestyle=":")
            ax.margins(x=0.15)
        if self.mark is not None:
            ax.errorbar(
                self.mark, places, xerr=self.reach, fmt="|", color=REFERENCE, capsize=3, label="if nothing interacted"
            )
            ax.legend(fontsize="small", loc="lower right")
        if self.is_share:
            ax.xaxis.set_major_formatter(PercentFormatter(1.0))
        ax.locator_params(axis="x", nbins=6)
        ax.set_yticks(places, [show_plainly(name) for name in self.names], fontsize="small")
        ax.invert_yaxis()
        ax.set_title(show_plainly(self.title), fontsize="medium", loc="right")
        ax.set_xlabel(show_plainly(self.unit))
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        return ax
