"""Partial dependence drawn: lines or dots for one input, maps for two."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_plainly
from glade.explain.drawing import NEUTRAL, UP, make_axes, one_or_all
from glade.explain.grid import Axis
from glade.rules.wording import word_number

if TYPE_CHECKING:
    from glade.explain.dependence import Dependence

MAX_DOTS = 30  # categories shown, those of the greatest departure from the middle
MAX_MAPS = 12
MAX_TICKS = 12


def draw_lines(dependence: "Dependence", ax: Any, target: str | None, label: Any) -> Any:
    """One input: a panel for each target, a line for each class."""
    (axis,) = dependence.axes
    picked = dependence.pick(target, label)
    of_target: dict[int, list[int]] = {}
    for t, channel in picked:
        of_target.setdefault(t, []).append(channel)
    height = 3.2 if axis.labels is None else min(2.0 + 0.22 * len(axis), 8.0)
    panels = make_axes(len(of_target), ax, (4.2, height))
    for (t, channels), panel in zip(of_target.items(), panels, strict=True):
        draw = _draw_numbers if axis.labels is None else _draw_categories
        draw(panel, axis, dependence.values[:, channels], [_name_class(dependence, t, c) for c in channels])
        set_label = panel.set_ylabel if axis.labels is None else panel.set_xlabel
        set_label(dependence.unit_of(t))
        panel.set_title(show_plainly(dependence.targets.names[t]))
    return one_or_all(panels)


def _draw_numbers(panel: Any, axis: Axis, values: NDArray[np.float64], names: list[str]) -> None:
    """Lines over the known values; what is said of a missing one is a dashed line across."""
    for k, name in enumerate(names):
        colour = UP if len(names) == 1 else f"C{k % 10}"
        panel.plot(axis.codes[: axis.n_known], values[: axis.n_known, k], color=colour, label=name or "known")
        if axis.has_missing:
            panel.axhline(values[-1, k], color=colour, linestyle="--", linewidth=1, label=f"{name} missing".strip())
    if axis.n_known:
        lowest = panel.get_ylim()[0]
        panel.plot(axis.codes[: axis.n_known], np.full(axis.n_known, lowest), "|", color=NEUTRAL, markersize=5)
    panel.set_xlabel(show_plainly(axis.name))
    if len(names) > 1 or axis.has_missing:
        panel.legend(fontsize="small")


def _draw_categories(panel: Any, axis: Axis, values: NDArray[np.float64], names: list[str]) -> None:
    """A dot for each category and class, the categories from low to high by the first class."""
    shown = np.arange(len(axis))
    if len(axis) > MAX_DOTS:
        departure = np.abs(values - np.median(values, axis=0)).max(axis=1)
        shown = np.argsort(-departure, kind="stable")[:MAX_DOTS]
        panel.annotate(f"{len(axis) - MAX_DOTS} more categories, nearer the middle", (0.02, 1.0), fontsize="x-small",
                       xycoords="axes fraction", va="bottom")  # fmt: skip
    shown = shown[np.argsort(values[shown, 0], kind="stable")]
    for k, name in enumerate(names):
        colour = UP if len(names) == 1 else f"C{k % 10}"
        panel.plot(values[shown, k], np.arange(len(shown)), "o", color=colour, label=name)
    panel.set_yticks(np.arange(len(shown)), [_name_point(axis, int(k)) for k in shown], fontsize="small")
    panel.set_ylabel(show_plainly(axis.name))
    panel.grid(axis="y", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    if len(names) > 1:
        panel.legend(fontsize="small")


def draw_maps(dependence: "Dependence", ax: Any, target: str | None, label: Any) -> Any:
    """Two inputs: a map for each number and each class."""
    picked = dependence.pick(target, label)[:MAX_MAPS]
    panels = make_axes(len(picked), ax, (4.6, 3.8))
    across, up = dependence.axes
    for (t, channel), panel in zip(picked, panels, strict=True):
        image = panel.imshow(dependence.values[:, :, channel].T, origin="lower", aspect="auto", cmap="viridis")
        panel.figure.colorbar(image, ax=panel, label=dependence.unit_of(t))
        for axis, set_ticks in ((across, panel.set_xticks), (up, panel.set_yticks)):
            places = np.unique(np.linspace(0, len(axis) - 1, min(len(axis), MAX_TICKS)).round().astype(int))
            set_ticks(places, [_name_point(axis, int(k)) for k in places], fontsize="x-small")
        panel.tick_params(axis="x", rotation=90)
        panel.set_xlabel(show_plainly(across.name))
        panel.set_ylabel(show_plainly(up.name))
        own = _name_class(dependence, t, channel)
        panel.set_title(show_plainly(dependence.targets.names[t]) + (f" = {own}" if own else ""))
    return one_or_all(panels)


def _name_class(dependence: "Dependence", t: int, channel: int) -> str:
    classes = dependence.targets.classes[t]
    return "" if classes is None else show_plainly(classes[channel - int(dependence.targets.start[t])])


def _name_point(axis: Axis, k: int) -> str:
    if np.isnan(axis.codes[k]):
        return "missing"
    return word_number(float(f"{axis.codes[k]:.4g}")) if axis.labels is None else show_plainly(axis.values[k])
