"""The tables and diagrams of `field.py`: ranks, how far behind the best, wins and losses, CPU seconds."""

from pathlib import Path

import numpy as np
import pandas as pd

from field_models import CLASSES, MANY, NUMBERS
from glade.evaluate.rank_diagram import RankDiagram
from glade.evaluate.statistics import friedman, rank_models, wilcoxon
from test_sets import TEST_SETS

GLADE = ("rules 5", "rules 10", "rules 20", "rules auto", "rules all", "RuleFit", "FIRE", "forest", "pruned tree")
ON_PART = ("EBM",)  # models that are fitted on some sets only, and ranked nowhere
FEW = ("rules 5", "rules 10", "rules 20", "rules auto")  # of one fit, whose seconds are told once
MEASURES = {NUMBERS: "RRMSE", CLASSES: "log loss", MANY: "aRRMSE"}
UNSEEN = {name for names in TEST_SETS.values() for name in names}


def average(found, value="error"):
    """Sets x models: the mean over folds and seeds; models that lack a set are left out."""
    table = found.pivot_table(index="set", columns="model", values=value, sort=False)
    return table.dropna(axis=1).drop(columns=[m for m in ON_PART if m in table])


def rank_alone(table):
    """For each model its mean rank: of glade's each alone among the peers, of the peers beside all rules."""
    peers = [m for m in table if m not in GLADE]
    ranks = {m: rank_models(table[[m, *peers]])[m] for m in table if m in GLADE}
    among = rank_models(table[[*peers, *(["rules all"] if "rules all" in table else [])]])
    return pd.Series(ranks | {m: among[m] for m in peers})


def compare(table, task, found):
    """A row for each model: rank, how far behind the best, wins and losses of all rules and 20 terms against it."""
    best, seconds = table.min(axis=1), find_seconds(found)
    rows = pd.DataFrame({"rank": rank_alone(table)})
    behind = table.sub(best, axis=0) if task == CLASSES else 100 * table.div(best, axis=0).sub(1.0)
    rows["behind"] = behind.median().map("{:.3f}".format if task == CLASSES else "{:.1f} %".format)
    for own in ("rules all", "rules 20"):
        if own in table:
            p_values = wilcoxon(table)
            rows[own] = [tell_wins(table, own, m, p_values) for m in rows.index]
    rows["seconds"] = seconds
    return rows.sort_values("rank", kind="stable")


def tell_wins(table, own, other, p_values):
    """Sets on which a model is better, and on which it is worse, with Wilcoxon's p."""
    if own == other:
        return ""
    better, worse = (int((a < b).sum()) for a, b in ((table[own], table[other]), (table[other], table[own])))
    return f"{better} : {worse} ({p_values.loc[own, other]:.2g})"


def find_seconds(found):
    """Of each model the mean CPU seconds of a fit with its predictions."""
    return found.groupby("model")["seconds"].mean()


def write_table(rows, task, table):
    """As Markdown."""
    marked = [f"{name}\\*" if name in UNSEEN else name for name in table.index]
    result = friedman(table[[m for m in table if m not in GLADE or m == "rules all"]])
    unit = "log loss" if task == CLASSES else "error"
    lines = [
        f"### {task.capitalize()}: {len(table)} sets, {MEASURES[task]}",
        "",
        f"{', '.join(marked)} (\\* test set). Friedman's test of the peers and all rules: p = {result.p_value:.2g}.",
        "",
        f"| model | mean rank | median {unit} behind the best | all rules win : lose (p) | 20 terms win : lose (p) |"
        " CPU s |",
        "|---|---|---|---|---|---|",
    ]
    for model, row in rows.iterrows():
        name = f"**glade: {model}**" if model in GLADE else model
        wins = " | ".join(str(row.get(own, "")) for own in ("rules all", "rules 20"))
        lines.append(f"| {name} | {row['rank']:.1f} | {row['behind']} | {wins} | {row['seconds']:.1f} |")
    return lines


def write_sets(table):
    """Each set's errors, the best of them in bold."""
    columns = [m for m in [*GLADE, *(c for c in table if c not in GLADE)] if m in table]
    lines = [f"| set | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, row in table[columns].iterrows():
        cells = [f"**{v:.3f}**" if v == row.min() else f"{v:.3f}" for v in row]
        lines.append(f"| {name}{'*' if name in UNSEEN else ''} | {' | '.join(cells)} |".replace("*|", "\\*|"))
    return lines


def tell_auto(found):
    """How large the model is that `max_rules="auto"` chooses, and how it does beside 20 terms."""
    own = found[found["model"] == "rules auto"]
    errors = found.pivot_table(index=["task", "set", "seed", "fold"], columns="model", values="error")
    gap = (errors["rules auto"] / errors["rules 20"]).dropna()
    return (
        f'`max_rules="auto"`: {own["terms"].median():.0f} terms in the median, {int((own["terms"] == 0).sum())} empty'
        f" models of {len(own)}; error over that of 20 terms {np.exp(np.log(gap).mean()):.3f} (geometric mean)."
    )


def print_tables(found, folder=None):
    """All tables; with a folder, also written there with the diagrams."""
    rows_told = []
    for task in (NUMBERS, CLASSES, MANY):
        own = found[found["task"] == task]
        if not len(own):
            continue
        table = average(own)
        n_cells = own.groupby("model").size().max()
        rows_told += [*write_table(compare(table, task, own), task, table), ""]
        if task == MANY and "scikit-learn's forest" in table:
            ratio = table.div(table["scikit-learn's forest"], axis=0)
            told = ", ".join(f"{m} {ratio[m].mean():.3f}" for m in GLADE if m in ratio)
            rows_told += [
                f"Error over that of scikit-learn's forest (a third of the inputs), mean of the sets: {told}.",
                "",
            ]
        rows_told += [*write_sets(table), "", f"Each cell is the mean of {n_cells / len(table):.0f} folds.", ""]
        if task == CLASSES:
            hits = average(own, "accuracy")
            told = ", ".join(f"{m} {v:.1f}" for m, v in rank_alone(-hits).sort_values().items())
            rows_told += [f"Mean ranks by accuracy: {told}.", ""]
        if folder is not None:
            draw(table, Path(folder, f"field-{task.replace(' ', '-')}.png"))
    if "rules auto" in set(found["model"]):
        rows_told += [tell_auto(found), ""]
    print("\n".join(rows_told))
    if folder is not None:
        Path(folder, "field-tables.md").write_text("\n".join(rows_told), encoding="utf-8")


def draw(table, path):
    """The critical-difference diagram of the peers with all rules and 20 terms."""
    import matplotlib.pyplot as plt

    shown = [m for m in table if m not in GLADE or m in ("rules all", "rules 20")]
    names = {m: f"glade: {m}" for m in ("rules all", "rules 20")}
    axes = RankDiagram.of(table[shown].rename(columns=names)).plot()
    axes.figure.savefig(path, dpi=110)
    plt.close(axes.figure)
