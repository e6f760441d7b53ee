"""A picture of a soft rule: the hard rule's steps and the soft curve, along each of its soft inputs."""

from typing import Any

import numpy as np

from glade.core.names import show_plainly
from glade.rules.soft import LEVELS, SoftRules

N_POINTS = 400
WIDTH, HEIGHT = 4.0, 3.0  # inches, of one input


def plot_soft_rule(soft: SoftRules, i: int, ax: Any = None) -> Any:
    """Draw rule i, hard and soft. Returns the axes: one, or a list of them where the rule has several soft inputs.

    Parameters
    ----------
    soft
        Soft rules.
    i
        The rule's place.
    ax : Matplotlib axes or list of them, optional
        One for each soft input.
    """
    import matplotlib.pyplot as plt

    if not -len(soft) <= i < len(soft):
        raise IndexError(f"soft rule {i} of {len(soft)}")
    i %= len(soft)
    start, end = soft.rules.start[i : i + 2]
    places = [k for k in range(int(start), int(end)) if soft.curves.is_soft[k]]
    if ax is None:
        _, ax = plt.subplots(1, len(places), figsize=(WIDTH * len(places), HEIGHT), sharey=True, layout="constrained")
    axes = list(np.atleast_1d(ax))
    for k, own in zip(places, axes, strict=True):
        _draw_curve(soft, k, i, own)
    axes[0].set_ylabel("on")
    axes[0].legend(loc="best")
    return axes[0] if len(axes) == 1 else axes


def _draw_curve(soft: SoftRules, k: int, i: int, ax: Any) -> None:
    """Along the input of condition k, the others being where the rule is most on."""
    curves, conditions = soft.curves, soft.rules.conditions
    x = np.linspace(curves.low[k], curves.high[k], N_POINTS)
    z = (x - curves.centre[k]) / curves.spread[k]
    g = z * (curves.linear[k] + curves.square[k] * z) + soft.most_on(i) - soft.most_of(k)
    ax.plot(
        x, (x > conditions.low[k]) & (x <= conditions.high[k]), color="tab:gray", drawstyle="steps-mid", label="hard"
    )
    ax.plot(x, 1.0 / (1.0 + np.exp(-np.clip(g, -500, 500))), color="tab:blue", label="soft")
    points = [(at, level) for level, both in zip(LEVELS, soft.switches(k, i), strict=True) for at in both]
    ax.plot(*zip(*points, strict=True), "o", color="tab:blue", markersize=4)
    ax.set_xlabel(show_plainly(soft.rules.schema.names[int(conditions.input[k])]))
