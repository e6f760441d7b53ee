"""First tree, fused multi-tree, archetype and Occam tree: the source's trends beside ours."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from glade.core.notices import silence_warnings
from glade.evaluate.comparison import Comparison
from glade.evaluate.statistics import wilcoxon
from studies.archetype import published
from studies.archetype.models import OneOfMany, name_binary, name_of
from studies.archetype.published import (
    ARCHETYPE,
    BY_ALTERNATIVES,
    BY_INVENTED,
    BY_SIMILARITY,
    FIRST,
    FUSED,
    KAPPA,
    OCCAM,
    OF_FIRST,
    THETA,
    Q,
)
from studies.archetype.readings import tabulate_readings
from studies.archetype.runs import N_FOLDS, N_FOLDS_QUICK, SETS, load_sets, run_all
from studies.figures import LEVEL, Figure, PValue, Reproduction, Settings, Table

NAMES = {
    FIRST: OF_FIRST,
    **{name_of(kind, n): values for (kind, n), values in BY_ALTERNATIVES.items()},
    **{name_of(ARCHETYPE, 100, similarity): values for similarity, values in BY_SIMILARITY.items()},
    **{name_of(ARCHETYPE, 100, n): values for n, values in BY_INVENTED.items()},
}


class Claim(NamedTuple):
    """That one of two models is better, as the source's tables have it."""

    better: str
    worse: str


CLAIMS = (
    *(Claim(name_of(FUSED, n), FIRST) for n in published.ALTERNATIVES),
    *(Claim(name_of(ARCHETYPE, n), FIRST) for n in published.ALTERNATIVES),
    *(Claim(name_of(FUSED, n), name_of(ARCHETYPE, n)) for n in published.ALTERNATIVES),
    *(Claim(name_of(ARCHETYPE, n), name_of(OCCAM, n)) for n in published.ALTERNATIVES),
    Claim(name_of(FUSED, 1000), name_of(FUSED, 100)),
    Claim(name_of(ARCHETYPE, 1000), name_of(ARCHETYPE, 100)),
    *(Claim(name_of(ARCHETYPE, 100), name_of(ARCHETYPE, 100, other)) for other in (THETA, Q, 10, 100, 1000, 100_000)),
)


def reproduce(settings: Settings) -> Reproduction:
    """Run all models on all sets, and set their accuracies and the trends beside the published ones."""
    with silence_warnings():  # classes that some fold lacks, and the like
        runs = run_all(settings)
        solutions = list(_count_solutions(settings))
        otherwise = tabulate_readings(load_sets(settings), settings.choose(N_FOLDS, quick=N_FOLDS_QUICK))
    accuracy = 100 * (1 - runs.errors(over="sets"))
    return Reproduction(
        study="archetype",
        title="ARCH: one tree from very many, by its likeness to all of them",
        protocol=_describe_protocol(runs),
        figures=(*_list_cells(runs, accuracy), *_list_means(runs, accuracy), *_judge(accuracy), *solutions),
        notes=(*NOTES, *_explain(accuracy, runs)),
        tables=(_tabulate_means(accuracy), *_tabulate_sets(accuracy), otherwise),
        has_verdicts=not settings.quick,
    )


NOTES = (
    "The source names neither its 13 sets nor its fusion. The sets are those of the authors' other papers, which fit"
    " its first trees row by row; the fusion is the local maximum. Its p-values are ours, computed from its printed"
    " rows in the same way.",
    'Nominal inputs are split into one branch for each value, as C4.5 splits them (`nominal_splits="multiway"`); the'
    ' rows with "binary splits" have glade\'s default, two branches.',
    "Where no invented row comes to a node, or all splits agree alike, we take the fewest leaves, then the earliest"
    " growth. Q is 1 wherever a cell off the diagonal is empty, and of equal Q we take the higher theta. The source"
    " does not say what it does in either case.",
)


def _describe_protocol(runs: Comparison) -> str:
    n_folds = len(runs.folds(runs.data[0]))
    return (
        f"{n_folds}-fold cross-validation on {len(runs.data)} sets, once, the same folds for all models; spread over"
        " the folds, a published mean agreeing if it is within two standard errors of the difference of two such means."
        " Gain ratio, no pruning, random waking; unless said otherwise 100 alternatives, 10,000 invented rows from the"
        f" inputs' own distributions, kappa. p-values: Wilcoxon's signed-rank test (two-sided, {LEVEL}) over sets."
    )


def _accuracies_of_folds(runs: Comparison, model: str) -> Any:
    """Set x fold, in percent."""
    frame = runs.frame(["accuracy"])
    own = frame[frame["model"] == model]
    return 100 * own.pivot_table(index="data", columns="fold", values="value", sort=False)


def _list_cells(runs: Comparison, accuracy: Any) -> Iterable[Figure]:
    """Every printed accuracy of the three tables, set by set."""
    for name in (name for name in NAMES if name in accuracy):
        folds = _accuracies_of_folds(runs, name)
        for data, published_value in zip(SETS, NAMES[name], strict=True):
            if data in folds.index:
                yield Figure(
                    f"{data}: {name}", "accuracy %", published_value, tuple(folds.loc[data].dropna()), decimals=1,
                    lower_is_better=False, of_parts=True, printed=1,
                )  # fmt: skip


def _list_means(runs: Comparison, accuracy: Any) -> Iterable[Figure]:
    """The geometric means over sets, published over the sets that were run."""
    rows = [k for k, data in enumerate(SETS) if data in accuracy.index]
    for name in (name for name in NAMES if name in accuracy):
        folds = tuple(_accuracies_of_folds(runs, name).apply(_geometric_mean))
        printed = _geometric_mean(np.array(NAMES[name])[rows])
        yield Figure(
            f"geometric mean: {name}", "accuracy %", printed, folds, decimals=2, lower_is_better=False, of_parts=True,
            printed=2,
        )  # fmt: skip


def _explain(accuracy: Any, runs: Comparison) -> Iterable[str]:
    """What the run says of the first trees, and of archetypes beside the smallest trees."""
    rows = [k for k, data in enumerate(SETS) if data in accuracy.index]
    printed = np.array(OF_FIRST)[rows]
    for name in (FIRST, name_binary(FIRST, 0)):
        if name in accuracy:
            gaps = accuracy[name].to_numpy() - printed
            worst = int(np.abs(gaps).argmax())
            yield (
                f"The {name}: {np.abs(gaps).mean():.1f} points from the printed rows on average, {gaps.mean():+.1f}"
                f" with its sign; farthest on {accuracy.index[worst]} ({gaps[worst]:+.1f}); within 3 points on"
                f" {int((np.abs(gaps) <= 3).sum())} of {len(gaps)} sets."
            )
    for n in published.ALTERNATIVES:
        archetype, occam = name_of(ARCHETYPE, n), name_of(OCCAM, n)
        if archetype in accuracy:
            gaps = (accuracy[occam] - accuracy[archetype]).sort_values()
            leaves = runs.errors("leaves")[[archetype, occam, FIRST]].mean()
            ends = ", ".join(f"{data} {gap:+.1f}" for data, gap in gaps.items() if abs(gap) >= 1)
            yield (
                f"{n:,} alternatives: the smallest tree is {gaps.mean():+.2f} points from the archetype on average"
                f" ({ends or 'nowhere by a point'}). Leaves: first tree {leaves[FIRST]:.0f}, archetype"
                f" {leaves[archetype]:.0f}, smallest {leaves[occam]:.0f}."
            )


def _judge(accuracy: Any) -> Iterable[PValue]:
    for better, worse in CLAIMS:
        if better in accuracy and worse in accuracy:
            rows = [k for k, data in enumerate(SETS) if data in accuracy.index]
            printed = np.subtract(NAMES[better], NAMES[worse])[rows]
            ours = (accuracy[better] - accuracy[worse]).to_numpy()
            published_p, own_p = (_p_value(gaps) for gaps in (printed, ours))
            yield PValue(f"{better} > {worse}", "p", published_p, (own_p,), ahead=ours.sum() > 0)


def _p_value(gaps: NDArray[np.float64]) -> float:
    """Equal gaps are a tie, however they were rounded."""
    return float(wilcoxon(pd.DataFrame({"gap": gaps.round(6), "none": 0.0})).iloc[0, 1])


def _geometric_mean(values: Any) -> float:
    return float(np.exp(np.log(np.maximum(values, 1e-9)).mean()))


def _tabulate_means(accuracy: Any) -> Table:
    """Geometric means over sets, and the gap to the first tree."""
    rows = []
    first = _geometric_mean(OF_FIRST), _geometric_mean(accuracy[FIRST])
    for name in accuracy.columns:
        means = _geometric_mean(NAMES[name]) if name in NAMES else None, _geometric_mean(accuracy[name])
        gaps = ["-" if m is None else f"{m - base:+.2f}" for m, base in zip(means, first, strict=True)]
        rows.append((name, *("-" if mean is None else f"{mean:.2f}" for mean in means), *gaps))
    header = ("", "published mean", "our mean", "published gap to first tree", "our gap")
    return Table("Geometric means of accuracies (percent)", header, tuple(rows))


def _tabulate_sets(accuracy: Any) -> Iterable[Table]:
    parts = {
        "By alternatives": [FIRST, name_binary(FIRST, 0), *(name_of(*key) for key in BY_ALTERNATIVES)],
        "By similarity, 100 alternatives": [name_of(ARCHETYPE, 100, s) for s in (KAPPA, THETA, Q)],
        "By invented rows, 100 alternatives": [name_of(ARCHETYPE, 100, n) for n in BY_INVENTED],
    }
    for title, names in parts.items():
        names = [name for name in names if name in accuracy]
        rows = [(data, *(f"{accuracy.loc[data, name]:.1f}" for name in names)) for data in accuracy.index]
        yield Table(f"{title}: our accuracies (percent)", ("", *names), tuple(rows))


def _count_solutions(settings: Settings) -> Iterable[Figure]:
    """How many trees the multi-tree of a whole set has, as a power of ten: those of the source differ by the set."""
    counts = settings.choose(published.ALTERNATIVES, quick=(10, 100))
    for name, (X, y) in load_sets(settings).items():
        for n in counts:
            solutions = OneOfMany(FUSED, n, random_state=0).fit(X, y).n_solutions_
            printed = published.SOLUTIONS[n][list(SETS).index(name)]
            yield Figure(
                f"{name}: trees in the multi-tree, {n:,} alternatives", "log10", float(np.log10(printed)),
                (math.log10(solutions),), decimals=1, lower_is_better=None, printed=1,
            )  # fmt: skip
