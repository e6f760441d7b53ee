"""Properties and sizes beside the published ones, the losses on each table, and those of mixed targets."""

from glade.data.targets import CLASSIFICATION, REGRESSION
from glade.evaluate.comparison import REPETITION, SETS
from glade.evaluate.measures import LOSS
from studies.figures import Figure, Settings, Table
from studies.modt.models import SIZED
from studies.modt.runs import FULL, TASKS, Runs
from studies.modt.sets import PROPERTIES
from studies.modt.sets import SETS as TABLES

LOSS_NAMES = {CLASSIFICATION: "Share of wrong classes", REGRESSION: "RRMSE"}


def list_sizes(runs: Runs) -> list[Figure]:
    """Nodes of the models of whole tables, those of Table 4 first; fewer trees are scaled up."""
    factor = FULL.n_trees / runs.scale.n_trees
    figures = []
    for task in TASKS:
        frame = runs.whole[task].frame(list(LOSS.values()), by=REPETITION)
        for s in runs.sets[task]:
            for name, published in zip(SIZED, s.sizes or (None,) * len(SIZED), strict=True):
                own = (
                    frame[(frame["data"] == s.label) & (frame["model"] == name)].groupby("repetition")["nodes"].first()
                )
                row = f"{s.label}, {task}: {name}"
                figures.append(Figure(row, "nodes", published, tuple(factor * own), lower_is_better=None))
    return figures


def list_properties(settings: Settings) -> list[Figure]:
    """Table 2: rows, inputs and targets of each of its tables that we have."""
    figures, seen = [], set[int]()
    for s in (s for task in TASKS for s in TABLES[task]):
        if s.number is None or s.number in seen:
            continue
        seen.add(s.number)
        X, y = s.load(settings)
        name, *numbers, _, _ = PROPERTIES[s.number]
        ours = len(X), X.shape[1], y.shape[1]
        for metric, published, own in zip(("rows", "inputs", "targets"), numbers, ours, strict=True):
            row = f"Table 2, E{s.number} {name}"
            figures.append(Figure(row, metric, published, (own,), lower_is_better=None))
    return figures


def tabulate_mixed(runs: Runs) -> Table:
    """Numeric and nominal targets at once: the mean loss of either kind, and the seconds of a fit."""
    result = runs.mixed
    frame = result.frame(list(LOSS.values()), by=REPETITION)
    rows = []
    for name in result.data:
        for metric in LOSS.values():
            own = frame[(frame["data"] == name) & (frame["metric"] == metric)]
            n_targets = own["target"].nunique()
            means = own.groupby("model")["value"].mean()
            rows.append((f"{name}: {metric}, {n_targets} targets", *(f"{means[m]:.3f}" for m in result.models)))
        seconds = frame[frame["data"] == name].groupby("model")["fit_seconds"].median()
        rows.append((f"{name}: seconds", *(f"{seconds[m]:.2f}" for m in result.models)))
    return Table("Mixed targets (further work of the source): mean losses", ("", *result.models), tuple(rows))


def tabulate_losses(runs: Runs, task: str) -> Table:
    """Tables x methods: the mean over targets and repetitions."""
    losses = runs.crossed[task].errors(over=SETS)
    rows = [(label, *(f"{value:.3f}" for value in losses.loc[label])) for label in losses.index]
    title = f"{LOSS_NAMES[task]} ({task}), mean over targets; without a number: not the source's"
    return Table(title, ("", *losses.columns), tuple(rows))
