"""A comparison on one table as a screen shows it: one line for each model, and which of them differ."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from glade.cli.outputs import show_amount
from glade.cli.width import find_width, wrap, wrap_all
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.evaluate.comparison import Comparison

LEVEL = 0.05
MAX_TARGETS = 4  # of more than that, the best and the worst are shown
MAX_NAME = 16
NARROW = 70  # columns of a terminal
MAX_NOTES, MAX_NOTE = 5, 300
SAID = "target values are missing"  # how many, is said of each target
IN_UNITS = ("rmse", "error")  # in the target's unit; the share of wrong classes
LOSSES = ("rrmse", "error")


def list_notes(result: Comparison) -> list[str]:
    """What the fits warned of, but for what was said of the table; those that differ only in numbers are one."""
    told = [note for note in result.notes() if SAID not in note]
    notes = {re.sub(r"\d+", "#", note): note for note in reversed(told)}
    shown = [note if len(note) <= MAX_NOTE else show_name(note) for note in reversed(notes.values())]
    more = [f"… {len(shown) - MAX_NOTES} more"] if len(shown) > MAX_NOTES else []
    return [*shown[:MAX_NOTES], *more]


def summarise(result: Comparison) -> list[str]:
    """The errors, the size and the seconds of each model."""
    table = result.frame((*IN_UNITS, "rrmse"), by="repetition")
    targets = list(dict.fromkeys(table["target"].dropna()))
    failures = dict(zip(result.failures()["model"], result.failures()["error"], strict=True))
    shown = [model for model in result.models if model not in failures]
    lines = _tabulate(table, shown, targets, len(targets) <= MAX_TARGETS)
    if max(map(len, lines)) > find_width():
        lines = _tabulate(table, shown, targets, False)
    return [*lines, *wrap_all([f"{model} failed in a fold: {error}" for model, error in failures.items()], 2)]


def _tabulate(table: Any, models: Sequence[str], targets: Sequence[str], with_all: bool) -> list[str]:
    """A line for each model, with the errors of all targets or those of the best and the worst."""
    rows = [["model", *_head_errors(targets, with_all), "mean loss", "size", "fit s"]]
    rows += [_show_model(table, model, targets, with_all) for model in models]
    return align_columns(rows, [False] + [True] * (len(rows[0]) - 1), gap=" " * (3 if find_width() > NARROW else 2))


def _show_model(table: Any, model: str, targets: Sequence[str], with_all: bool) -> list[str]:
    part = table[table["model"] == model]
    loss = part.loc[part["metric"].isin(LOSSES), "value"].mean()
    seconds = part["fit_seconds"].mean()
    return [model, *_show_errors(part, targets, with_all), f"{loss:.3f}", _show_size(part), f"{seconds:.2f}"]


def _show_size(part: Any) -> str:
    """Leaves of trees, or rules; of neither, nothing."""
    for size, unit in (("terms", "rules"), ("leaves", "leaves")):
        if size in part and not np.isnan(part[size].mean()):
            return f"{part[size].mean():,.0f} {unit}"
    return "-"


def _head_errors(targets: Sequence[str], with_all: bool) -> list[str]:
    if not with_all:
        return ["best target", "worst target"]
    return [_shorten(name) for name in targets]


def _show_errors(part: Any, targets: Sequence[str], with_all: bool) -> list[str]:
    """A cell for each target, in its unit; of many, the losses of the best and the worst."""
    if with_all:
        errors = part[part["metric"].isin(IN_UNITS)].groupby("target")["value"].mean()
        return [show_amount(float(errors[name])) for name in targets]
    losses = part[part["metric"].isin(LOSSES)].groupby("target")["value"].mean()
    return [f"{_shorten(name)} {losses[name]:.3f}" for name in (losses.idxmin(), losses.idxmax())]


def tell_differences(result: Comparison) -> list[str]:
    """Which models are significantly better than which, by what test, and how far it can be trusted."""
    p_values, losses = result.t_tests(), result.fold_losses()
    means = losses.mean()
    lines = []
    for worse in sorted(p_values.columns, key=lambda model: -means[model]):
        better = [m for m in p_values.columns if means[m] < means[worse] and p_values.loc[m, worse] < LEVEL]
        if better:
            least = max(p_values.loc[model, worse] for model in better)
            lines.append(f"significantly better than {worse}: {', '.join(better)} (p <= {max(least, 1e-4):.2g})")
    about = (
        f"mean loss: over targets, RRMSE (1 = always the mean) and share of wrong classes. Test at {LEVEL}: corrected"
        f" resampled t-test of the mean loss over {len(losses)} folds, Holm for all pairs. Folds share training rows"
        " and are few, so small differences stay hidden: --repetitions helps a little."
    )
    return [*wrap_all(lines or ["no difference between the models is significant"], 2), "", *wrap(about, 0)]


def _shorten(name: str) -> str:
    shown = show_name(name)
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 1]}…"
