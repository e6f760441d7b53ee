"""Systems of equations that are factored with half the digits."""

import numpy as np
import pytest

from glade.weights import cholesky
from glade.weights.cholesky import solve_penalised


@pytest.mark.parametrize("spread", [1e3, 1e9])  # the second is more than half the digits can tell apart
def test_half_the_digits_change_nothing(monkeypatch, spread):
    monkeypatch.setattr(cholesky, "MANY", 1)
    rng = np.random.default_rng(0)
    directions, _ = np.linalg.qr(rng.normal(size=(80, 80)))
    products = (directions * np.geomspace(1.0, spread, 80)) @ directions.T
    right = products @ rng.normal(size=(80, 3))
    right[:, 1] = 0.0
    found = solve_penalised(products, right, 0.1)
    np.testing.assert_allclose((products + 0.1 * np.eye(80)) @ found, right, atol=1e-6 * np.abs(right).max())


@pytest.mark.parametrize("size", [1e-300, 1e38, 1e200])
def test_units_of_the_targets_and_weights_do_not_matter(monkeypatch, size):
    monkeypatch.setattr(cholesky, "MANY", 1)
    rng = np.random.default_rng(1)
    root = rng.normal(size=(50, 40))
    products, right = root.T @ root, root.T @ rng.normal(size=(50, 2))
    expected = np.linalg.solve(products + 3.0 * np.eye(40), right)
    np.testing.assert_allclose(solve_penalised(products, right * size, 3.0), expected * size, rtol=1e-7)
