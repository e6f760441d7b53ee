"""Hard against soft rules on Arcene and Madelon: the source's Table 3, areas under the ROC curve in ten folds."""

from typing import Any

from sklearn.metrics import roc_auc_score

from studies.figures import Figure, Reproduction, Settings
from studies.soft import (
    HARD,
    INNER_FOLDS,
    N_FOLDS,
    READINGS,
    SOFT,
    Results,
    Task,
    compare_forms,
    count_repetitions,
    list_kept,
    run_all,
    split_set,
)

AREAS = {
    "arcene": {HARD: {2: 0.82, 3: 0.87, 4: 0.79}, SOFT: {2: 0.82, 3: 0.82, 4: 0.80}},
    "madelon": {HARD: {2: 0.83, 3: 0.86, 4: 0.90}, SOFT: {2: 0.87, 3: 0.88, 4: 0.92}},
}
FOLDS = {"full": N_FOLDS, "reduced": 3, "quick": 1}  # that are judged, of ten


def reproduce(settings: Settings) -> Reproduction:
    """Fit hard and soft rules at each depth in the folds of both sets."""
    figures: list[Figure] = []
    parts: dict[str, list[Results]] = {}
    n_folds = count_repetitions(settings, FOLDS)
    readings = settings.choose(tuple(READINGS), reduced=("a tenth of the inputs",))
    for name in settings.choose(tuple(AREAS), quick=("madelon",)):
        tasks = split_set(name, settings, True, n_folds)
        results = run_all(tasks, settings.choose(tuple(AREAS[name][HARD]), quick=(2,)), True, settings, readings)
        parts[name] = [results]
        figures += _list_areas(name, tasks, results)
    return Reproduction(
        study="areas",
        title="Soft rule ensembles for classes",
        protocol=(
            f"Training rows are those of ten folds, of which {n_folds} are judged; spread over these folds. 400 trees,"
            f" each on 30 % of the rows; lasso weights by {INNER_FOLDS} folds, each with trees of its own. Hard and"
            " soft rules of the same trees."
        ),
        figures=(*figures, *list_kept(parts)),
        notes=tuple(compare_forms(figures, tuple(parts), more=True)),
        has_verdicts=not settings.quick,
    )


def _list_areas(name: str, tasks: list[Task], results: Results) -> list[Figure]:
    """The area under the ROC curve in each fold."""
    figures = []
    for key, found in results.items():
        areas = tuple(
            float(roc_auc_score(task.y_test, outcome.predicted)) for task, outcome in zip(tasks, found, strict=True)
        )
        row = f"{name}, {key.reading}, depth {key.depth}: {key.form}"
        published = AREAS[name][key.form][key.depth]
        how: dict[str, Any] = {"of_parts": True, "printed": 2, "decimals": 2}
        figures.append(Figure(row, "AUC", published, areas, lower_is_better=False, **how))
    return figures
