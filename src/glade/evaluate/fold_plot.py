"""The losses of models in every fold of one data set, as points."""

from typing import Any

from glade.core.names import show_plainly


def plot_fold_losses(losses: Any, ax: Any = None) -> Any:
    """A row for each model: a point for each fold, and a bar at their mean. Returns the Matplotlib axes.

    Parameters
    ----------
    losses : DataFrame of folds x models
    ax : Matplotlib axes, optional
    """
    import matplotlib.pyplot as plt

    models = list(losses.columns)
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 1 + 0.4 * len(models)), layout="constrained")
    for place, model in enumerate(models):
        values = losses[model].dropna()
        ax.plot(values, [place] * len(values), "o", color="tab:blue", alpha=0.5)
        ax.plot([values.mean()], [place], "|", color="black", markersize=18, markeredgewidth=2)
    ax.set_yticks(range(len(models)), [show_plainly(model) for model in models])
    ax.invert_yaxis()
    ax.set_xlabel("mean loss of each fold (RRMSE, share of wrong classes); bar: their mean")
    return ax
