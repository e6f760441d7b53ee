"""Sums over bits against the same sums over dense columns."""

import numpy as np
import pytest

from glade.weights.term_columns import TermColumns
from glade.weights.weighted_products import WeightedProducts
from tests.weights.problems import make_design, make_rows


@pytest.fixture(params=[1, 63, 64, 65, 200], scope="module")
def columns(request):
    rows = make_rows(200)
    design = make_design(rows)
    matrix = rows.matrix[: request.param]
    return TermColumns(design, matrix), design.values(matrix)


def test_sums_of_all_terms_and_of_some(columns):
    terms, dense = columns
    values = np.random.default_rng(0).normal(size=(len(dense), 3))
    some = np.array([0, 3, 5, len(terms) - 2, len(terms) - 1])
    np.testing.assert_allclose(terms.sum_up(terms.place(values)), values.T @ dense, atol=1e-12)
    np.testing.assert_allclose(terms.sum_up(terms.place(values), some), values.T @ dense[:, some], atol=1e-12)


def test_products_of_a_term(columns):
    terms, dense = columns
    for term in (0, 7, len(terms) - 1):
        np.testing.assert_allclose(terms.multiply(np.array([term])), dense[:, [term]].T @ dense, atol=1e-12)
    some = np.array([0, 7, len(terms) - 1])
    np.testing.assert_allclose(terms.multiply(some), dense[:, some].T @ dense, atol=1e-12)


def test_predictions(columns):
    terms, dense = columns
    some = np.array([1, 4, len(terms) - 1])
    weights = np.random.default_rng(0).normal(size=(2, 3))
    predicted = terms.predict(some, weights)
    np.testing.assert_allclose(predicted[:, : len(dense)], weights @ dense[:, some].T, atol=1e-12)
    assert not predicted[:, len(dense) :].any()


def test_weighted_products_whatever_the_order_of_asking(columns, monkeypatch):
    monkeypatch.setattr("glade.weights.term_columns.CHUNK_CELLS", 500)
    terms, dense = columns
    share = np.random.default_rng(0).random((len(dense), 1))
    products = WeightedProducts(terms, terms.place(share)[0])
    centred = dense - share[:, 0] @ dense / share.sum()
    for some in (np.array([5, 9]), np.array([2, 9, len(terms) - 1]), np.array([0, 1, 2, 5, len(terms) - 2])):
        gram, mean = products.take(some)
        np.testing.assert_allclose(gram, (centred[:, some] * share).T @ centred[:, some], atol=1e-10)
        np.testing.assert_allclose(mean, share[:, 0] @ dense[:, some] / share.sum(), atol=1e-12)
