"""Systems of equations whose matrix is symmetric and positive definite."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

Floats = NDArray[np.float64]

MANY = 500  # unknowns: with fewer, half the digits save nothing
CLOSE = 1e-8  # of the right side: what a solution may leave over
MOST_CORRECTIONS = 6


def solve_penalised(products: Floats, right: Floats, penalty: float) -> Floats:
    """The solution of (products + penalty * 1) x = right, for each column of `right`; nothing is overwritten.

    The matrix is factored with half the digits, which takes half the time, and the solution corrected with all of them
    until next to nothing is left over. Where that does not come about, it is factored with all digits.
    """
    found = _correct(products, right, penalty) if len(products) >= MANY else None
    if found is not None:
        return found
    penalised = products.copy(order="K")
    np.einsum("ii->i", penalised)[:] += penalty
    return solve_definite(penalised, right)


def _correct(products: Floats, right: Floats, penalty: float) -> Floats | None:
    """The same by corrections; None where they do not converge."""
    solve = _factor_with_half(products, penalty)
    if solve is None:
        return None
    found, rest = np.zeros_like(right), right
    bound = CLOSE * np.abs(right).max(axis=0)
    for _ in range(MOST_CORRECTIONS):
        found = found + solve(rest)
        rest = right - products @ found - penalty * found
        if (np.abs(rest).max(axis=0) <= bound).all():
            return found
    return None


def factor_roughly(products: Floats, penalty: float) -> Callable[[Floats], Floats]:
    """Give what solves (products + penalty * 1) x = right to some digits, each time in the square of the unknowns."""
    solve = _factor_with_half(products, penalty) if len(products) >= MANY else None
    if solve is not None or not len(products):
        return solve or np.zeros_like
    penalised = products.copy(order="K")
    np.einsum("ii->i", penalised)[:] += penalty
    factor = cho_factor(penalised, overwrite_a=True, check_finite=False)
    return lambda right: np.asarray(cho_solve(factor, right, check_finite=False))


def _factor_with_half(products: Floats, penalty: float) -> Callable[[Floats], Floats] | None:
    """The same with half the digits; None where these are too few."""
    coarse = products.astype(np.float32, order="F")
    np.einsum("ii->i", coarse)[:] += np.float32(penalty)
    try:
        factor = cho_factor(coarse, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None

    def solve(right: Floats) -> Floats:
        unit = np.abs(right).max(axis=0)
        unit[unit == 0.0] = 1.0
        return np.asarray(unit * cho_solve(factor, (right / unit).astype(np.float32), check_finite=False))

    return solve


def solve_definite(matrix: Floats, right: Floats) -> Floats:
    """The solution for each column of `right`; the matrix, of which the upper half is enough, is overwritten.

    Without unknowns there is nothing to solve, which SciPy 1.13 takes for an error.

    >>> solve_definite(np.array([[4.0, 0.0], [0.0, 16.0]]), np.array([[4.0], [8.0]])).ravel().tolist()
    [1.0, 0.5]
    >>> solve_definite(np.zeros((0, 0)), np.zeros((0, 3))).shape
    (0, 3)
    """
    if not len(matrix):
        return np.zeros_like(right)
    return cho_solve(cho_factor(matrix, overwrite_a=True, check_finite=False), right, check_finite=False)
