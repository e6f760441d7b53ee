"""Sizes beside the published ones, and the losses on each table."""

from glade.data.targets import CLASSIFICATION, REGRESSION
from glade.evaluate.comparison import SETS
from studies.figures import Table
from studies.modt.models import SIZED
from studies.modt.runs import FULL, TASKS, Runs

LOSS_NAMES = {CLASSIFICATION: "Share of wrong classes", REGRESSION: "RRMSE"}


def tabulate_sizes(runs: Runs) -> Table:
    """Nodes of the models of whole tables and how far they are from the published ones; fewer trees are scaled up."""
    factor = FULL.n_trees / runs.scale.n_trees
    rows = []
    for task in TASKS:
        nodes = factor * runs.whole[task].errors("nodes")
        for s in runs.sets[task]:
            sizes = s.sizes or (None,) * len(SIZED)
            cells = [_show_size(nodes.loc[s.label, name], size) for name, size in zip(SIZED, sizes, strict=True)]
            rows.append((f"{s.label}, {task}", *cells))
    title = f"Nodes of {FULL.n_trees} trees on all rows (those of Table 4, the difference)"
    return Table(title, ("", *SIZED), tuple(rows))


def _show_size(ours: float, published: int | None) -> str:
    shown = f"{ours:,.0f}"
    return shown if published is None else f"{shown} ({published:,}, {100 * (ours / published - 1):+.1f} %)"


def tabulate_losses(runs: Runs, task: str) -> Table:
    """Tables x methods: the mean over targets and repetitions."""
    losses = runs.crossed[task].errors(over=SETS)
    rows = [(label, *(f"{value:.3f}" for value in losses.loc[label])) for label in losses.index]
    title = f"{LOSS_NAMES[task]} ({task}), mean over targets; without a number: not the source's"
    return Table(title, ("", *losses.columns), tuple(rows))
