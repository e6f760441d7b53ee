"""The table of the source, and how it measures errors on it.

Its tree of 100 / 40 comes out to the last printed digit with scikit-learn's `KFold(5, shuffle=True, random_state=1)` on
the table that has a category for a missing fuel type: that gives its 92 inputs, and 11,815 rows where it says 11,816 (a
count of lines has the header too). So those are its folds; further seeds show how much the figures depend on them.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from glade.data.preparation import IndicatorEncoder, complete_rows
from glade.evaluate.comparison import Comparison
from glade.evaluate.datasets import load_dataset
from glade.evaluate.harness import compare
from glade.evaluate.reproductions.figures import Figure, Settings

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


def cross_validate(models: dict[str, Any], cars: Cars, settings: Settings, n_seeds: int) -> Comparison:
    """All models on the folds of the source, and on those of further seeds."""
    return compare(
        models,
        {"cars": cars},
        folds=[KFold(N_FOLDS, shuffle=True, random_state=SOURCE_SEED + k) for k in range(n_seeds)],
        n_jobs=settings.n_jobs,
        store=settings.store,
        progress=settings.progress,
    )


def make_pair(
    row: str, published: Published, errors: NDArray[np.float64], on_its_folds: bool = True
) -> tuple[Figure, Figure]:
    """The two figures of a row of the table, from seeds x (RMSE, MAPE); the first seed may be that of the source."""
    figures = Figure(row, "RMSE", published[0], decimals=1), Figure(row, "MAPE %", published[1], decimals=2)
    of_rmse, of_mape = (
        replace(figure, ours=tuple(values.tolist()), same=float(values[0]) if on_its_folds else None)
        for figure, values in zip(figures, errors.T, strict=True)
    )
    return of_rmse, of_mape
