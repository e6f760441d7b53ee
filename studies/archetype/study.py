"""First tree, fused multi-tree, archetype and Occam tree: the source's trends beside ours."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from glade.core.layout import show_count
from glade.core.notices import silence_warnings
from glade.evaluate.comparison import Comparison
from glade.evaluate.statistics import wilcoxon
from studies.archetype import published
from studies.archetype.models import OneOfMany, name_of
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
from studies.archetype.runs import load_sets, run_all
from studies.figures import LEVEL, PValue, Reproduction, Settings, Table

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
    """Run all models on all sets, and set the trends beside the published ones."""
    with silence_warnings():  # classes that some fold lacks, and the like
        runs = run_all(settings)
        solutions = _count_solutions(settings)
    accuracy = 100 * (1 - runs.errors(over="sets"))
    return Reproduction(
        study="archetype",
        title="ARCH: one tree from very many, by its likeness to all of them",
        protocol=_describe_protocol(runs),
        figures=tuple(_judge(accuracy)),
        notes=NOTES,
        tables=(_tabulate_means(accuracy), *_tabulate_sets(accuracy), solutions),
    )


NOTES = (
    "The source does not name its 13 sets, so what can agree are trends: which model is ahead of which, and by how"
    " much. Its p-values are ours, computed from its printed rows in the same way.",
    "It does not name the fusion behind its tables either; ours is the local mean.",
    "The order of the means is the source's: first tree, archetype, fused, and the last two rise with the"
    " alternatives. The gaps are about a quarter of its own, on sets whose first tree is already right in 91 of 100"
    " rows, so that 11 sets do not tell most of them from chance. Otherwise than there, Occam's trees are ahead of the"
    " archetypes, by the concepts of monks and tic-tac-toe, which small trees fit.",
    "Few invented rows do not harm our archetypes. Where no row comes to a node, or all splits agree alike, we take the"
    " fewest leaves, then the earliest growth: the tree tends to Occam's, which is good here. With the latest growth"
    " instead, 10 rows cost 3.6 points on tic-tac-toe (90.6 against 94.2 with 10,000, 5 folds), 1.0 on balance scale,"
    " 1.4 on new thyroid; still less than the source lost. Nor does Q harm: it is 1 wherever a cell off the diagonal is"
    " empty, and of equal Q we take the higher theta.",
)


def _describe_protocol(runs: Comparison) -> str:
    n_folds = len(runs.folds(runs.data[0]))
    return (
        f"{n_folds}-fold cross-validation on {len(runs.data)} sets, the same folds for all models. Gain ratio, binary"
        " splits, no pruning, random waking; unless said otherwise 100 alternatives, 10,000 invented rows from the"
        f" inputs' own distributions, kappa. p-values: Wilcoxon's signed-rank test (two-sided, {LEVEL}) over sets."
    )


def _judge(accuracy: Any) -> Iterable[PValue]:
    for better, worse in CLAIMS:
        if better in accuracy and worse in accuracy:
            printed = np.subtract(NAMES[better], NAMES[worse])
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
        means = _geometric_mean(NAMES[name]), _geometric_mean(accuracy[name])
        gaps = [f"{mean - base:+.2f}" for mean, base in zip(means, first, strict=True)]
        rows.append((name, *(f"{mean:.2f}" for mean in means), *gaps))
    header = ("", "published mean", "our mean", "published gap to first tree", "our gap")
    return Table("Geometric means of accuracies (percent)", header, tuple(rows))


def _tabulate_sets(accuracy: Any) -> Iterable[Table]:
    parts = {
        "By alternatives": [FIRST, *(name_of(*key) for key in BY_ALTERNATIVES)],
        "By similarity, 100 alternatives": [name_of(ARCHETYPE, 100, s) for s in (KAPPA, THETA, Q)],
        "By invented rows, 100 alternatives": [name_of(ARCHETYPE, 100, n) for n in BY_INVENTED],
    }
    for title, names in parts.items():
        names = [name for name in names if name in accuracy]
        rows = [(data, *(f"{accuracy.loc[data, name]:.1f}" for name in names)) for data in accuracy.index]
        yield Table(f"{title}: our accuracies (percent)", ("", *names), tuple(rows))


def _count_solutions(settings: Settings) -> Table:
    """How many trees the multi-tree of a whole set has."""
    counts = (10, 100) if settings.quick else published.ALTERNATIVES
    rows = []
    for name, (X, y) in load_sets(settings).items():
        numbers = [OneOfMany(FUSED, n, random_state=0).fit(X, y).n_solutions_ for n in counts]
        rows.append((name, *map(show_count, numbers)))
    return Table("Trees in the multi-tree of a whole set", ("", *(f"{n:,} alternatives" for n in counts)), tuple(rows))
