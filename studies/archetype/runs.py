"""All fits of the study: every model on every set."""

from typing import Any

from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from studies.archetype.models import make_models
from studies.archetype.published import ALTERNATIVES, INVENTED
from studies.datasets import load_dataset
from studies.figures import Settings

SETS = {  # in the order of the source's rows, by the authors' other papers: see `published.OF_FIRST`
    "monks 1": "monks1",
    "monks 2": "monks2",
    "monks 3": "monks3",
    "tic-tac-toe": "tic_tac_toe",
    "house votes": "house_votes",
    "post-operative": "post_operative",
    "balance scale": "balance_scale",
    "soybean small": "soybean_small",
    "dermatology": "dermatology",
    "car": "car",
    "tae": "tae",
    "new thyroid": "new_thyroid",
    "ecoli": "ecoli",
}
CODES = ("Course_instructor", "Course")
SETS_QUICK = ("post-operative", "soybean small", "tae")
N_FOLDS, N_FOLDS_QUICK = 10, 2


def load_sets(settings: Settings) -> dict[str, tuple[Any, Any]]:
    """The sets of the UCI repository that the source's rows seem to be of, each with one nominal target."""
    stored = {name: load_dataset(SETS[name], settings.folder) for name in (SETS_QUICK if settings.quick else SETS)}
    return {name: (_name_codes(data.X), data.y.iloc[:, 0]) for name, data in stored.items()}


def _name_codes(X: Any) -> Any:
    """The inputs; numbers that only name a course or its instructor (of tae) become nominal, as UCI describes them."""
    codes = [name for name in CODES if name in X]
    return X.assign(**{name: X[name].astype(int).astype(str).astype("category") for name in codes})


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
