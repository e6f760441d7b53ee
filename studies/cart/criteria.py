"""How many leaves the source's full tree would have if its splits lowered something else than the sum of squares.

`python -m studies.cart.criteria` prints it: a tree grown slowly and plainly, until its leaves hold one price or rows
that do not differ in any input. The source prints 5,575 leaves.
"""

from collections.abc import Callable
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeRegressor

from studies.cart.cars import load_cars
from studies.figures import Settings

Floats = NDArray[np.float64]
Badness = Callable[[NDArray[Any], Floats], Floats]  # of branches: from their numbers of rows and sums of squares
OF_BRANCHES: dict[str, Badness] = {
    "sums of squares, added (the source's formula)": lambda n, squares: squares,
    "variances, added": lambda n, squares: squares / n,
    "standard deviations, added": lambda n, squares: np.sqrt(squares / n),
    "standard deviations, by rows": lambda n, squares: np.sqrt(squares * n),
}
OF_PRICES: dict[str, Callable[[Floats], Floats]] = {"logarithms of prices": np.log, "roots of prices": np.sqrt}


def count_leaves(X: Floats, y: Floats, badness: Badness) -> int:
    """Grow a tree whose splits have the least sum of the badness of both branches."""
    waiting, n_leaves = [np.arange(len(y))], 0
    while waiting:
        rows = waiting.pop()
        goes_left = None if np.ptp(y[rows]) == 0 else find_split(X[rows], y[rows], badness)
        if goes_left is None:
            n_leaves += 1
        else:
            waiting += [rows[goes_left], rows[~goes_left]]
    return n_leaves


def find_split(X: Floats, y: Floats, badness: Badness) -> NDArray[np.bool_] | None:
    """Which rows go left in the best split of all inputs; None if the rows are alike."""
    best, goes_left = np.inf, None
    y = y - y.mean()
    for column in X.T[np.ptp(X, axis=0) > 0]:
        order = np.argsort(column, kind="stable")
        ends = np.flatnonzero(np.diff(column[order]) > 0) + 1
        sums, squares = np.cumsum(y[order]), np.cumsum(y[order] ** 2)
        left = badness(ends, np.maximum(squares[ends - 1] - sums[ends - 1] ** 2 / ends, 0))
        rest, sums_right = len(y) - ends, sums[-1] - sums[ends - 1]
        right = badness(rest, np.maximum(squares[-1] - squares[ends - 1] - sums_right**2 / rest, 0))
        k = int((left + right).argmin())
        if (left + right)[k] < best:
            best, goes_left = (left + right)[k], column <= column[order[ends[k] - 1]]
    return goes_left


@click.command()
def main() -> None:
    """Print the number of leaves for each criterion."""
    X, y = load_cars(Settings())
    for words, badness in OF_BRANCHES.items():
        click.echo(f"{words}: {count_leaves(X, y, badness):,} leaves")
    for words, change in OF_PRICES.items():
        click.echo(f"{words}: {count_leaves(X, change(y), OF_BRANCHES[next(iter(OF_BRANCHES))]):,} leaves")
    for criterion in ("absolute_error", "poisson"):
        tree = DecisionTreeRegressor(criterion=criterion, random_state=0).fit(X, y)
        click.echo(f"scikit-learn's {criterion}: {tree.get_n_leaves():,} leaves")
    tree = DecisionTreeRegressor(random_state=0).fit(X, np.log(y))
    click.echo(f"scikit-learn's logarithms, pure but for rounding: {tree.get_n_leaves():,} leaves")


if __name__ == "__main__":
    main()
