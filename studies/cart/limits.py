"""The source's study of two limits: the least rows of a node that is split, and of a leaf."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.models.tree import TreeRegressor
from studies.cart.cars import SOURCE_SEED, Cars, cross_validate
from studies.figures import Picture, Settings

SEEDS = {"full": 3, "reduced": 1, "quick": 1}
SIZES = (2, 5, 10, 20, 40, 70, 100, 150, 200, 250)
SIZES_REDUCED = (2, 5, 20, 40, 100, 250)
SIZES_QUICK = (2, 20, 100, 250)


class LimitStudy(NamedTuple):
    """The mean RMSE for each minimum size of a leaf (rows) and of a split node (columns)."""

    error: NDArray[np.float64]
    split_sizes: tuple[int, ...]

    @property
    def leaf_sizes(self) -> tuple[int, ...]:
        return _leaf_sizes(self.split_sizes)

    def describe(self) -> str:
        leaf, split = np.unravel_index(self.error.argmin(), self.error.shape)
        return (
            f"Study of the limits on all rows: the least RMSE, {self.error.min():,.0f}, is at split"
            f" {self.split_sizes[split]} / leaf {self.leaf_sizes[leaf]}; the source found it near 20 / 5, on a resample"
            " of the table of unstated size."
        )

    def picture(self) -> Picture:
        caption = "RMSE over five folds for each minimum size of a split node and of a leaf, all rows"
        return Picture("cart-study", caption, partial(_draw, self))


def study_limits(cars: Cars, settings: Settings) -> LimitStudy:
    """Cross-validate a tree for each pair of limits."""
    sizes = settings.choose(SIZES, reduced=SIZES_REDUCED, quick=SIZES_QUICK)
    models = {
        f"{split}/{leaf}": TreeRegressor(max_bins=None, min_samples_split=split, min_samples_leaf=leaf)
        for split, leaf in sorted({_effective(split, leaf) for split in sizes for leaf in _leaf_sizes(sizes)})
    }
    n_seeds = settings.choose(SEEDS["full"], SEEDS["reduced"], SEEDS["quick"])
    seeds = range(SOURCE_SEED, SOURCE_SEED + n_seeds)
    errors = cross_validate(models, cars, settings, seeds).frame(["rmse"]).groupby("model")["value"].mean()
    named = [["{}/{}".format(*_effective(split, leaf)) for split in sizes] for leaf in _leaf_sizes(sizes)]
    return LimitStudy(np.array([[errors[name] for name in row] for row in named]), sizes)


def _leaf_sizes(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return (1, *sizes[1:])


def _effective(split: int, leaf: int) -> tuple[int, int]:
    """Two leaves need a node of twice their size: smaller limits on the node change nothing."""
    return max(split, 2 * leaf), leaf


def _draw(study: LimitStudy) -> Any:
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(7, 5), layout="constrained")
    ax = canvas.add_subplot()
    image = ax.imshow(study.error, origin="lower", cmap="viridis_r")
    ax.set_xticks(range(len(study.split_sizes)), [str(size) for size in study.split_sizes])
    ax.set_yticks(range(len(study.leaf_sizes)), [str(size) for size in study.leaf_sizes])
    ax.set_xlabel("min_samples_split (split_size)")
    ax.set_ylabel("min_samples_leaf (leaf_size)")
    middle = (study.error.min() + study.error.max()) / 2
    for (row, column), value in np.ndenumerate(study.error):
        colour = "white" if value > middle else "black"
        ax.annotate(f"{value / 1000:.1f}", (column, row), ha="center", va="center", fontsize=7, color=colour)
    canvas.colorbar(image, label="RMSE (in the cells: thousands)")
    return canvas
