"""The error of models by their size, on rows that they did not see: a frame and a drawing of it."""

from abc import ABC, abstractmethod
from typing import Any


class ErrorsBySize(ABC):
    """What all such curves offer; `unit` says what the sizes count."""

    unit: str

    @abstractmethod
    def frame(self) -> Any:
        """A dataframe with a row for each size."""

    def plot(self, ax: Any = None) -> Any:
        """Draw the curve with Matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        ax = plt.gca() if ax is None else ax
        self._draw(ax)
        ax.set_xlabel(self.unit)
        ax.set_ylabel("error on rows not seen")
        ax.legend()
        return ax

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw the lines."""
