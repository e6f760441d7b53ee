"""The table of the source, and how it measures errors on it.

Its tree of 100 / 40 comes out to the last printed digit with scikit-learn's `KFold(5, shuffle=True, random_state=1)` on
the table that has a category for a missing fuel type: that gives its 92 inputs, and 11,815 rows where it says 11,816 (a
count of lines has the header too). So those are its folds; further seeds show how much the figures depend on them.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Memory
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from studies.datasets import load_dataset
from studies.figures import Figure, Settings
from studies.preparation import IndicatorEncoder, complete_rows

LEFT_OUT = ["Model", "Market Category"]
N_FOLDS, SOURCE_SEED = 5, 1

Cars = tuple[NDArray[np.float64], NDArray[np.float64]]
Published = tuple[float | None, float | None]  # RMSE, MAPE


def load_cars(settings: Settings) -> Cars:
    """The table of the source: a missing fuel type is a category, other rows with gaps go, the rest is encoded."""
    data = load_dataset("car_msrp", settings.folder)
    fuel = data.X["Engine Fuel Type"]
    X = data.X.assign(**{"Engine Fuel Type": fuel.cat.add_categories("missing").fillna("missing")})
    X, y = complete_rows(X.drop(columns=LEFT_OUT), data.y)
    return IndicatorEncoder().fit_transform(X), y["MSRP"].to_numpy(float)


def cross_validate(models: dict[str, Any], cars: Cars, settings: Settings, seeds: Iterable[int]) -> Comparison:
    """All models on the folds of each seed; `SOURCE_SEED` gives those of the source."""
    return compare(
        models,
        {"cars": cars},
        folds=[KFold(N_FOLDS, shuffle=True, random_state=seed) for seed in seeds],
        n_jobs=settings.n_jobs,
        store=settings.store,
        progress=settings.progress,
    )


def remember(function: Callable[..., Any], settings: Settings) -> Callable[..., Any]:
    """The function, whose results are kept in the store, if there is one: what was computed once is not again."""
    if settings.store is None:
        return function
    kept: Callable[..., Any] = Memory(Path(settings.store, "cars"), verbose=0).cache(function)
    return kept


def average_folds(result: Comparison, model: str) -> NDArray[np.float64]:
    """Seeds x (RMSE, MAPE), each the mean over folds."""
    table = result.frame(["rmse", "mape"])
    means = table[table["model"] == model].pivot_table(index="repetition", columns="metric", values="value")
    return means[["rmse", "mape"]].to_numpy()


def make_pair(
    row: str, published: Published, errors: NDArray[np.float64], same: NDArray[np.float64]
) -> tuple[Figure, Figure]:
    """The two figures of a row of the table, from seeds x (RMSE, MAPE) and the two on the source's folds."""
    of_rmse, of_mape = errors.T.tolist()
    return (
        Figure(row, "RMSE", published[0], tuple(of_rmse), float(same[0]), decimals=1),
        Figure(row, "MAPE %", published[1], tuple(of_mape), float(same[1]), decimals=2),
    )
