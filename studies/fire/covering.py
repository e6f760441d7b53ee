"""Predictive clustering rules by covering on EDM and solar flare: with these FIRE's source would go on."""

from glade.core.notices import silence_warnings
from glade.models.fire import FIRERegressor
from glade.models.rule_list import RuleListRegressor
from studies.datasets import load_tables
from studies.figures import Figure, Reproduction, Settings
from studies.fire.published import FIRE_20
from studies.fire.runs import compare_all
from studies.fire.study import errors_of_folds, pooled

SETS, SETS_QUICK = ("edm", "sf1"), ("edm",)
LENGTH = 20
MODELS = {
    f"ordered rules by covering, {LENGTH} rules": RuleListRegressor(ordered=True, max_rules=LENGTH),
    f"unordered rules by covering, {LENGTH} rules": RuleListRegressor(ordered=False, max_rules=LENGTH),
    FIRE_20: FIRERegressor(max_rules=LENGTH),
}


def reproduce(settings: Settings) -> Reproduction:
    """Cross-validate lists of rules and FIRE with as many rules."""
    data = load_tables(settings.choose(SETS, quick=SETS_QUICK), settings.folder)
    with silence_warnings():  # columns are constant in some folds
        found = compare_all(MODELS, data, 1, settings)
    figures = [
        Figure(
            f"{name}: {model}", "aRRMSE", None, tuple(errors_of_folds(found, model).loc[name].mean()),
            same=pooled(found, name, model)[0], decimals=3, of_parts=True,
        )
        for name in data
        for model in MODELS
    ]  # fmt: skip
    return Reproduction(
        study="covering",
        title="FIRE's further work: predictive clustering rules",
        protocol=(
            f"{len(found.folds(next(iter(data))))}-fold cross-validation on the folds of CLUS, once; RRMSE pooled over"
            f" folds (1: always the training mean), mean over targets. Lists of at most {LENGTH} rules found by"
            f" covering, beside FIRE with at most {LENGTH} rules. The source names the comparison and prints none."
        ),
        figures=tuple(figures),
        notes=tuple(_compare(figures, list(data))),
        has_verdicts=not settings.quick,
    )


def _compare(figures: list[Figure], names: list[str]) -> list[str]:
    """Which of the three is best on each set."""
    best = []
    for name in names:
        own = [figure for figure in figures if figure.row.startswith(f"{name}: ")]
        first = min(own, key=lambda figure: figure.mean)
        best.append(f"{first.row} ({first.mean:.3f})")
    return [f"The lowest error has, of each set: {'; '.join(best)}."]
