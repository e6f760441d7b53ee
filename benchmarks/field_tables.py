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
PREFACE = """# Among what a user would pick instead

`python benchmarks/field.py table --write docs/dev` writes this page from stored predictions; the docstring of
`benchmarks/field.py` says how they are made. Everyone is at defaults and on one thread, on the same rows and folds.
Seconds are CPU seconds of a fit with its predictions. Each of glade's models is ranked alone among the peers, the peers
beside all rules. No choice was made on the sets that are marked (`benchmarks/test_sets.py`); some defaults were chosen
with the others. Wins and losses are counted over sets, with the p of Wilcoxon's test.
"""
UNSEEN = {name for names in TEST_SETS.values() for name in names}


def find_cells(found, value="error"):
    """(Set, seed, fold) x models: those cells alone that all models have; models that lack a set are left out."""
    cells = found.pivot_table(index=["set", "seed", "fold"], columns="model", values=value, sort=False)
    has_all = cells.groupby("set", sort=False).count().gt(0).all()
    return cells[[m for m in cells if has_all[m] and m not in ON_PART]].dropna()


def average(found, value="error"):
    """Sets x models: the mean over folds and seeds."""
    return find_cells(found, value).groupby("set", sort=False).mean()


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
        f"## {task.capitalize()}: {len(table)} sets, {MEASURES[task]}",
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
        f"error over that of 20 terms {np.exp(np.log(gap).mean()):.3f} (geometric mean);"
        f" {own['terms'].median():.0f} terms in the median, {int((own['terms'] == 0).sum())} empty models of {len(own)}"
    )


def tell_bars(found):
    """What was asked of all rules, of 20 terms, of "auto" and of many targets, and what was found."""
    lines = ["| asked | found |", "|---|---|"]
    for task in (NUMBERS, CLASSES, MANY):
        own = found[found["task"] == task]
        if not len(own):
            continue
        table = average(own)
        ranks = rank_alone(table)
        peers = ranks[[m for m in ranks.index if m not in GLADE]].sort_values()
        if "rules all" in table:
            p_value = wilcoxon(table).loc["rules all", peers.index[0]]
            unseen = table[[name in UNSEEN for name in table.index]]
            told = f"{ranks['rules all']:.2f}; {peers.index[0]} {peers.iloc[0]:.2f} (Wilcoxon's p {p_value:.2g})"
            if len(unseen):
                alone = rank_models(unseen[["rules all", *peers.index]]).drop("rules all").sort_values()
                own_rank = rank_alone(unseen)["rules all"]
                told += f"; on the {len(unseen)} marked sets alone {own_rank:.2f}, {alone.index[0]} {alone.iloc[0]:.2f}"
            lines.append(f"| {task}: all rules first by mean rank, or level with the first | {told} |")
        if "rules 20" in table:
            alone = rank_models(table[["rules 20", *peers.index]])  # the peers' ranks beside 20 terms, not all rules
            simpler = [m for m in ("EBM, no interactions", "scikit-learn's forest", "FIGS") if m in peers]
            told = ", ".join(f"{m} {alone[m]:.2f}" for m in simpler)
            asked = f"20 terms ahead of {', '.join(simpler)} by mean rank"
            lines.append(f"| {task}: {asked} | {alone['rules 20']:.2f}; {told} |")
        if task == MANY and {"scikit-learn's forest", "rules 20", "rules all"} <= set(table):
            ratio = table.div(table["scikit-learn's forest"], axis=0).mean()
            asked = "error over that of scikit-learn's forest (p/3): 20 terms 1.04, all 0.97"
            lines.append(f"| {task}: {asked} | {ratio['rules 20']:.3f}, {ratio['rules all']:.3f} |")
    if "rules auto" in set(found["model"]):
        lines.append(
            f"| auto no worse than 20 terms, at most 25 terms in the median, none empty | {tell_auto(found)} |"
        )
    return [*lines, ""]


def print_tables(found, folder=None, how=""):
    """All tables; with a folder, also written there with the diagrams."""
    rows_told = tell_bars(found)
    for task in (NUMBERS, CLASSES, MANY):
        own = found[found["task"] == task]
        if not len(own):
            continue
        table = average(own)
        rows_told += [*write_table(compare(table, task, own), task, table), ""]
        n_folds = find_cells(own).groupby("set").size()
        told = f"{n_folds.min()}" if n_folds.min() == n_folds.max() else f"{n_folds.min()} to {n_folds.max()}"
        rows_told += [*write_sets(table), "", f"Each cell is the mean of {told} fold{'' if told == '1' else 's'}.", ""]
        if task == CLASSES:
            hits = average(own, "accuracy")
            told = ", ".join(f"{m} {v:.1f}" for m, v in rank_alone(-hits).sort_values().items())
            rows_told += [f"Mean ranks by accuracy: {told}.", ""]
        if folder is not None:
            picture = f"field-{task.replace(' ', '-')}.png"
            draw(table, Path(folder, picture))
            rows_told += [f"![Mean ranks of the peers, all rules and 20 terms on {task}]({picture})", ""]
    print("\n".join(rows_told))
    if folder is not None:
        Path(folder, "field.md").write_text("\n".join([PREFACE, how, "", *rows_told]), encoding="utf-8")


def draw(table, path):
    """The critical-difference diagram of the peers with all rules and 20 terms."""
    import matplotlib.pyplot as plt

    shown = [m for m in table if m not in GLADE or m in ("rules all", "rules 20")]
    names = {m: f"glade: {m}" for m in ("rules all", "rules 20")}
    axes = RankDiagram.of(table[shown].rename(columns=names)).plot()
    axes.figure.savefig(path, dpi=110)
    plt.close(axes.figure)
