"""What all pictures share: colours and axes."""

from collections.abc import Sequence
from typing import Any

UP, DOWN, NEUTRAL, REFERENCE = "#1b6ca8", "#c4512d", "#7a7a7a", "#222222"
CLASSES = (UP, DOWN, "#2e7d4f", "#8a2f7d", "#8a7400", "#0b6f78", "#9b2742", "#4f5664")


def make_axes(n_panels: int, ax: Any, size: tuple[float, float]) -> list[Any]:
    """The axes given, if it is for one panel; or new ones, at most three beside one another."""
    import matplotlib.pyplot as plt

    if ax is not None:
        if n_panels != 1:
            raise ValueError(f"there are {n_panels} panels for one axes: choose one of them by `target` and `label`")
        return [ax]
    wide = min(n_panels, 3)
    high = -(-n_panels // wide)
    figure, panels = plt.subplots(
        high, wide, figsize=(size[0] * wide, size[1] * high), squeeze=False, layout="constrained"
    )
    flat = panels.ravel().tolist()
    for unused in flat[n_panels:]:
        figure.delaxes(unused)
    return flat[:n_panels]


def one_or_all(panels: Sequence[Any]) -> Any:
    """The axes of a picture of one panel, else a list of them."""
    return panels[0] if len(panels) == 1 else list(panels)
