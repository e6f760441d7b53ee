"""All fits of the study: every model on every set."""

from typing import Any

from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from studies.archetype.models import make_models
from studies.archetype.published import ALTERNATIVES, INVENTED
from studies.datasets import load_dataset
from studies.figures import Settings

SETS = ("balance_scale", "car", "ecoli", "hayes_roth", "house_votes", "iris", "new_thyroid", "tic_tac_toe")
MONKS = "monks"  # its three concepts, on all 432 rows of their domain
SETS_QUICK = ("hayes_roth", "iris")
N_FOLDS, N_FOLDS_QUICK = 10, 2


def load_sets(settings: Settings) -> dict[str, tuple[Any, Any]]:
    """The sets of the UCI repository with one nominal target that we have."""
    data = {}
    for name in SETS_QUICK if settings.quick else SETS:
        stored = load_dataset(name, settings.folder)
        data[name] = stored.X, stored.y.iloc[:, 0]
    if not settings.quick:
        stored = load_dataset(MONKS, settings.folder)
        for k, concept in enumerate(stored.y.columns):
            data[f"monks {k + 1}"] = stored.X, stored.y[concept]
    return data


def run_all(settings: Settings) -> Comparison:
    """Fit everything; what is in the store is not fitted again."""
    models = make_models((10, 100), (10, 10_000)) if settings.quick else make_models(ALTERNATIVES, INVENTED)
    return compare(
        models,
        load_sets(settings),
        folds=N_FOLDS_QUICK if settings.quick else N_FOLDS,
        n_jobs=settings.n_jobs,
        store=settings.store,
        progress=settings.progress,
    )
