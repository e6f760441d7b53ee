"""FIRE's published figures beside ours: one target, many targets, and the limit on the number of rules."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from glade.core.notices import silence_warnings
from glade.evaluate import statistics
from glade.evaluate.comparison import Comparison
from glade.evaluate.rank_diagram import RankDiagram
from studies.figures import Figure, Picture, PValue, Reproduction, Settings, Table
from studies.fire import published
from studies.fire.published import CLUS, COLUMNS, FIRE, FIRE_20, FOREST, NAMES, TREE
from studies.fire.runs import AS_PUBLISHED, AS_PUBLISHED_20, COMPARED, N_FOLDS, SIZES, Runs, run_all

LITERAL = {AS_PUBLISHED: FIRE, AS_PUBLISHED_20: FIRE_20}


def reproduce(settings: Settings) -> Reproduction:
    """Run all sets of the source that we have, and some further ones."""
    with silence_warnings():  # columns are constant in some folds
        runs = run_all(settings)
    return Reproduction(
        study="fire",
        title="FIRE: fitted rule ensembles for one target and for many",
        protocol=_describe_protocol(runs),
        figures=(
            *_list_single(runs),
            *_list_sets(runs),
            *_list_targets(runs.many),
            *_list_averages(runs),
            *_list_tests(runs),
        ),
        notes=(*_compare_with_clus(runs.many), *_describe_ours(runs)),
        pictures=tuple(_draw_all(runs)),
        tables=(_tabulate_ranks(runs), _tabulate_limits(runs), _tabulate_sets_of_one(runs)),
        has_verdicts=not settings.quick,
    )


def _describe_protocol(runs: Runs) -> str:
    n_folds = len(runs.many.folds(runs.many.data[0]))
    often = "once" if runs.n_seeds == 1 else f"with {runs.n_seeds} seeds of the folds on the sets with many targets"
    return (
        f"{n_folds}-fold cross-validation, {often}. Set means: RRMSE pooled over folds (1: always the training mean),"
        " mean over targets. Single targets: mean and standard deviation over the folds, as the source prints them;"
        " a published mean agrees if it is within two standard errors of the difference of two such means. Trees pruned"
        " by inner folds; forests of 100 trees, floor(log2 p + 1) inputs, leaves of at least two draws. Same folds:"
        f" those on which CLUS was run. One target: {len(runs.single.data)} sets (the source's, of as many rows, a"
        f" subsample of our own). Many targets: {len(runs.many.data)} of its 11 sets; {len(runs.further.data)} further"
        " public ones in the diagrams. Sizes are those of models of all rows, as the source's seem to be: those of its"
        " forests are what the same authors print for whole tables."
    )


def errors_of_folds(result: Comparison, model: str) -> Any:
    """(Data set, target) x fold of the first repetition: RRMSE."""
    frame = result.frame(["rrmse"])
    own = frame[(frame["model"] == model) & (frame["repetition"] == 0)]
    return own.pivot_table(index=["data", "target"], columns="fold", values="value", sort=False)


def pooled(result: Comparison, name: str, model: str) -> tuple[float, ...]:
    """The mean over targets for each seed of the folds."""
    frame = result.frame(["rrmse"], by="repetition")
    own = frame[(frame["data"] == name) & (frame["model"] == model)]
    return tuple(own.groupby("repetition")["value"].mean())


def _sizes_of(runs: Runs, part: Comparison) -> Any:
    """Sets of a part x models: the sizes of models of all rows."""
    return runs.whole.errors("size").loc[list(part.data)]


def _list_single(runs: Runs) -> Iterable[Figure]:
    """Means over the sets with one target; the published ones are of all fifteen."""
    single, sizes = runs.single, _sizes_of(runs, runs.single)
    for model in COMPARED:
        folds = tuple(errors_of_folds(single, model).mean())
        yield Figure(
            f"mean of sets with one target: {model}", "RRMSE", published.MEANS_OF_ONE[model], folds,
            same=float(single.errors(over="sets")[model].mean()), decimals=3, of_parts=True, printed=2,
        )  # fmt: skip
        size = (float(sizes[model].mean()),)
        own = published.SIZES_OF_ONE[model]
        yield Figure(f"mean of sets with one target: {model}", "size", own, size, decimals=1, lower_is_better=None)


def _list_sets(runs: Runs) -> Iterable[Figure]:
    """Of each set with many targets the mean over targets and the sizes of models."""
    errors, sizes, whole = published.read_errors(), published.read_sizes(), _sizes_of(runs, runs.many)
    for name in runs.many.data:
        for model, column in COLUMNS.items():
            whole_set = pooled(runs.many, name, model)
            own = float(errors.loc[(NAMES[name], "mean"), column])
            how: dict[str, Any] = {"same": whole_set[0], "ours": whole_set}
            if len(whole_set) == 1:
                how["ours"], how["of_parts"] = tuple(errors_of_folds(runs.many, model).loc[name].mean()), True
            yield Figure(f"{name}: {model}", "aRRMSE", own, decimals=3, printed=2, **how)
            size = (float(whole.loc[name, model]),)
            yield Figure(f"{name}: {model}", "size", float(sizes.loc[NAMES[name], column]), size, lower_is_better=None)
        for model, method in LITERAL.items():
            folds = tuple(errors_of_folds(runs.as_published, model).loc[name].mean())
            own = float(errors.loc[(NAMES[name], "mean"), COLUMNS[method]])
            same = pooled(runs.as_published, name, model)[0]
            row = f"{name}: {model}"
            yield Figure(row, "aRRMSE", own, folds, same=same, decimals=3, printed=2, of_parts=True)
            size = (float(runs.whole_as_published.errors("size").loc[name, model]),)
            own = float(sizes.loc[NAMES[name], COLUMNS[method]])
            yield Figure(row, "size", own, size, lower_is_better=None)


def _list_targets(many: Comparison) -> Iterable[Figure]:
    """Each target of Table II: mean over folds, with the standard deviation over folds, as there."""
    errors = published.read_errors()
    for name in many.data:
        printed = errors.loc[NAMES[name]].drop(index="mean")
        for model, column in COLUMNS.items():
            ours = errors_of_folds(many, model).loc[name]
            for (target, folds), (_, row) in zip(ours.iterrows(), printed.iterrows(), strict=True):
                yield Figure(
                    f"{name}, {target}: {model} (source: ± {row[column + '_deviation']:.2f})", "RRMSE",
                    float(row[column]), tuple(folds), decimals=3, printed=2, of_parts=True,
                )  # fmt: skip


def _list_averages(runs: Runs) -> Iterable[Figure]:
    """The two last rows of Table II, over the sets that we have: published and ours."""
    many = runs.many
    errors = published.read_errors().loc[[NAMES[name] for name in many.data]]
    is_mean = errors.index.get_level_values("target") == "mean"
    parts = {"targets": errors[~is_mean], "data sets": errors[is_mean]}
    for what, table in parts.items():
        for model, column in COLUMNS.items():
            own = errors_of_folds(many, model)
            folds = own.mean() if what == "targets" else own.groupby(level="data").mean().mean()
            yield Figure(
                f"average over {what} ({len(table)}): {model}", "RRMSE", float(table[column].mean()), tuple(folds),
                decimals=3, printed=2, of_parts=True,
            )  # fmt: skip
    sizes = published.read_sizes().loc[[NAMES[name] for name in many.data]]
    ours = _sizes_of(runs, many).mean()
    for model, column in COLUMNS.items():
        row = f"average over data sets ({len(sizes)}): {model}"
        yield Figure(row, "size", float(sizes[column].mean()), (float(ours[model]),), lower_is_better=None)
    ratio = float(ours[FOREST] / ours[FIRE])
    own = float(sizes["forest"].mean() / sizes["fire"].mean())
    yield Figure("leaves of a forest for each rule of FIRE", "ratio", own, (ratio,), decimals=1, lower_is_better=None)


def _join(parts: Iterable[Any]) -> Any:
    return pd.concat(list(parts))


def _rank_tables(runs: Runs) -> dict[str, Any]:
    """What each of the source's diagrams ranks: measurements x models."""
    many, compared, sizes = (runs.many, runs.further), list(COMPARED), list(SIZES)
    return {
        "3a: RRMSE, one target": runs.single.errors()[compared],
        "3b: size, one target": _sizes_of(runs, runs.single)[compared],
        "4a: RRMSE of each target": _join(part.errors()[compared] for part in many),
        "4b: mean RRMSE of each set": _join(part.errors(over="sets")[compared] for part in many),
        "4c: size, many targets": _join(_sizes_of(runs, part)[compared] for part in many),
        "5a: limits, one target": runs.single.errors()[sizes],
        "5b: limits, each target": _join(part.errors()[sizes] for part in many),
        "5c: limits, mean of each set": _join(part.errors(over="sets")[sizes] for part in many),
    }


def _list_tests(runs: Runs) -> Iterable[PValue]:
    """Friedman's test that the models of a diagram do not differ."""
    own = {
        "3a": published.P_OF_ONE,
        "3b": published.P_OF_ONE_SIZE,
        "4a": published.P_OF_TARGETS,
        "4b": published.P_OF_SETS,
        "4c": published.P_OF_SIZE,
    }
    for title, table in _rank_tables(runs).items():
        p_value = statistics.friedman(table).p_value
        yield PValue(f"models differ, figure {title}", "p (Friedman)", own.get(title[:2]), (float(p_value),))


def _draw_all(runs: Runs) -> Iterable[Picture]:
    """The source's eight diagrams of average ranks, in three pictures."""
    tables = _rank_tables(runs)
    for name, what in (("3", "one target"), ("4", "many targets"), ("5", "the limit on the number of rules")):
        own = {title: table for title, table in tables.items() if title.startswith(name)}
        counts = ", ".join(str(len(table)) for table in own.values())
        caption = (
            f"Average ranks, figure {name} of the source ({what}), over {counts} measurements; better models are on the"
            " right, those joined by a bar do not differ at 0.05 (Nemenyi)"
        )
        yield Picture(f"fire-ranks-{name}", caption, partial(_draw_diagrams, own))


def _draw_diagrams(tables: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    canvas, axes = plt.subplots(len(tables), 1, figsize=(7, 2.4 * len(tables)), layout="constrained")
    for ax, (title, table) in zip(axes, tables.items(), strict=True):
        RankDiagram.of(table).plot(ax)
        ax.set_title(f"Figure {title}", fontsize=9)
    return canvas


def _tabulate_ranks(runs: Runs) -> Table:
    """Average ranks of each diagram, and those of the source where its printed table gives them."""
    rows = []
    for title, table in _rank_tables(runs).items():
        ranks, critical = statistics.rank_models(table), RankDiagram.of(table).critical_distance
        printed = _rank_printed(title[:2])
        words = ", ".join(f"{model} {rank:.2f}" for model, rank in ranks.sort_values().items())
        rows.append((f"{title} ({len(table)}; CD {critical:.2f})", words, printed))
    header = ("figure (measurements)", "ours", "the source, from its printed Table II (all 11 sets)")
    return Table("Average ranks of the source's diagrams, 1 is best", header, tuple(rows))


def _rank_printed(figure: str) -> str:
    errors, sizes = published.read_errors(), published.read_sizes()
    is_mean = errors.index.get_level_values("target") == "mean"
    columns = list(COLUMNS.values())
    tables = {"4a": errors.loc[~is_mean, columns], "4b": errors.loc[is_mean, columns], "4c": sizes[columns]}
    if figure not in tables:
        return "-"
    names = {column: model for model, column in COLUMNS.items()}
    ranks = statistics.rank_models(tables[figure]).sort_values()
    return ", ".join(f"{names[column]} {rank:.2f}" for column, rank in ranks.items())


def _tabulate_limits(runs: Runs) -> Table:
    """Mean RRMSE for each limit on the number of rules."""
    parts = {
        f"one target ({len(runs.single.data)} sets)": runs.single.errors(over="sets"),
        f"many targets ({len(runs.many.data) + len(runs.further.data)} sets)": _join(
            part.errors(over="sets") for part in (runs.many, runs.further)
        ),
    }
    rows = [(title, *(f"{table[model].mean():.3f}" for model in SIZES)) for title, table in parts.items()]
    return Table("Mean RRMSE for each limit on the number of rules", ("", *SIZES), tuple(rows))


def _tabulate_sets_of_one(runs: Runs) -> Table:
    """Each set with one target: RRMSE and size."""
    single = runs.single
    errors, sizes = single.errors(over="sets"), _sizes_of(runs, single)
    rows = [
        (name, *(f"{errors.loc[name, model]:.3f} ({sizes.loc[name, model]:,.0f})" for model in COMPARED))
        for name in single.data
    ]
    return Table("Sets with one target: RRMSE (size); the source prints their means only", ("", *COMPARED), tuple(rows))


def _compare_with_clus(many: Comparison) -> Iterable[str]:
    for name in many.data:
        if name in CLUS:
            cells = (
                f"{model} {pool(many, name, model, n_folds):.3f} / {figure:.3f}"
                + (f" (first {n_folds} of the folds)" if n_folds < N_FOLDS else "")
                for model, (figure, n_folds) in CLUS[name].items()
            )
            yield f"On the folds of CLUS, {name}, ours / CLUS: {', '.join(cells)}."


def pool(result: Comparison, name: str, model: str, n_folds: int) -> float:
    """The aRRMSE over the test rows of the first folds."""
    folds, errors = result.folds(name), []
    for _, own in result.predictions(model, name).groupby("target", sort=False):
        rows = own.set_index("row")
        usual = {k: rows.loc[train, "truth"].mean() for k, (train, _) in enumerate(folds)}
        tested = rows[rows["fold"] < n_folds]
        about_usual = tested["truth"] - tested["fold"].map(usual)
        errors.append(np.sqrt(((tested["truth"] - tested["predicted"]) ** 2).sum() / (about_usual**2).sum()))
    return float(np.mean(errors))


def _describe_ours(runs: Runs) -> Iterable[str]:
    """How our default differs from the source, and what that is worth on the same folds."""
    gains = []
    for name in runs.many.data:
        pairs = [(pooled(runs.many, name, LITERAL[m])[0], pooled(runs.as_published, name, m)[0]) for m in LITERAL]
        gains.append(f"{name} " + " and ".join(f"{own:.3f} for {literal:.3f}" for own, literal in pairs))
    yield (
        "FIRE here has a descent of its own: three folds, with trees grown without them, choose how far to go, and the"
        " weights then use all training rows; the source validates on a third of the rows, which its trees have seen"
        " and its weights never use. With a limit on rules, three times as many are taken up and the most important"
        " kept; the source keeps the first. `FIRERegressor(as_published=True)` is the source's. On the same folds, the"
        f" default for the published descent (without a limit, and with 20 rules): {'; '.join(gains)}."
    )
    best = {
        name: min((pooled(runs.many, name, m)[0], k, m) for k, m in enumerate(COLUMNS))[-1] for name in runs.many.data
    }
    errors = published.read_errors()
    told = {
        name: [m for m, c in COLUMNS.items() if row[c] == min(row[list(COLUMNS.values())])]
        for name, row in ((name, errors.loc[(NAMES[name], "mean")]) for name in runs.many.data)
    }
    cells = (f"{name}: {best[name]} (source: {' and '.join(told[name])})" for name in runs.many.data)
    yield f"Most accurate of the four on each set: {'; '.join(cells)}."
    if TREE in runs.single.models:
        behind = runs.single.errors()
        n_better = int((behind[FIRE] < behind[TREE]).sum())
        yield f"FIRE is more accurate than a tree on {n_better} of the {len(behind)} sets with one target."
