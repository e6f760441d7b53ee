"""Terms as columns, and their moments: in chunks and whole, by bits and by floats."""

import numpy as np
import pytest

from glade.rules import design as module
from glade.rules.coverage import cover, unpack
from glade.rules.design import Design, TargetRows, collect_moments, group_targets
from glade.rules.linear import SPREAD, TAIL, LinearTerms
from tests.rules.tables import grow_rules

FIELDS = ("weight", "total", "gram", "cross", "y_total", "y_square")


@pytest.fixture(scope="module")
def problem():
    """A design of rules and linear terms, rows (not a multiple of 64 of them) and two targets."""
    rules, matrix, y, model, _ = grow_rules()
    return Design.of(rules, LinearTerms.of(matrix, model.schema_)), matrix, y


def dense_moments(columns, y, weights):
    weighted = columns * weights[:, None]
    return (
        weights.sum(),
        weighted.sum(axis=0),
        weighted.T @ columns,
        weighted.T @ y,
        (weights[:, None] * y).sum(axis=0),
        (weights[:, None] * y * y).sum(axis=0),
    )


def assert_moments(ours, expected):
    for name, value in zip(FIELDS, expected, strict=True):
        np.testing.assert_allclose(getattr(ours, name), value, rtol=1e-10, atol=1e-9, err_msg=name)


def test_values_are_the_rules_bits_and_the_linear_terms(problem):
    design, matrix, _ = problem
    values = design.values(matrix)
    n_rules = len(design.rules)
    assert len(design.linear) == 2
    assert n_rules > 20
    np.testing.assert_array_equal(values[:, :n_rules], unpack(cover(design.rules, matrix), len(matrix)).T)
    np.testing.assert_array_equal(values[:, n_rules:], design.linear.values(matrix))
    some = np.array([n_rules + 1, 3, 0])
    taken = design.take(some)
    np.testing.assert_array_equal(taken.values(matrix), values[:, [3, 0, n_rules + 1]])
    assert taken.words == [design.words[k] for k in (3, 0, n_rules + 1)]


@pytest.mark.parametrize("cell_bits", [1, 64])
@pytest.mark.parametrize("chunk_rows", [64, 128, 10_000])
def test_moments_are_dense_products_in_any_chunks(problem, chunk_rows, cell_bits, monkeypatch):
    """Rules are counted as bits; whatever is weighted is made of floats."""
    design, matrix, y = problem
    monkeypatch.setattr(module, "CHUNK_BYTES", chunk_rows * len(design) * cell_bits // 8)
    assert len(list(design.chunks(len(matrix), cell_bits))) == -(-len(matrix) // chunk_rows)
    assert_moments(design.moments(matrix, y), dense_moments(design.values(matrix), y, np.ones(len(y))))
    weights = np.random.default_rng(0).random(len(y))
    assert_moments(design.moments(matrix, y, weights), dense_moments(design.values(matrix), y, weights))
    effects = np.random.default_rng(1).normal(size=(len(design), 2))
    np.testing.assert_allclose(design.predict(matrix, effects), design.values(matrix) @ effects, rtol=1e-12, atol=1e-12)


def test_whole_weights_are_repeated_rows(problem):
    design, matrix, y = problem
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weights)
    again = design.moments(matrix[repeated], y[repeated])
    assert_moments(design.moments(matrix, y, weights.astype(float)), [getattr(again, name) for name in FIELDS])


def test_moments_add_up_over_parts(problem):
    design, matrix, y = problem
    parts = design.moments(matrix[:77], y[:77]) + design.moments(matrix[77:], y[77:])
    whole = design.moments(matrix, y)
    assert_moments(parts, [getattr(whole, name) for name in FIELDS])
    nothing = design.moments(matrix[:0], y[:0])
    assert nothing.weight == 0
    assert not nothing.gram.any()


@pytest.mark.parametrize("weighted", [False, True])
def test_targets_known_in_the_same_rows_share_their_moments(problem, weighted):
    design, matrix, y = problem
    random = np.random.default_rng(4)
    y = np.column_stack([y, y[:, 0] ** 2, y.sum(axis=1)])
    y[random.random(len(y)) < 0.3, 1] = np.nan
    y[np.isnan(y[:, 1]), 3] = np.nan
    weights = random.random(len(y)) if weighted else None
    groups = group_targets(y)
    assert [g.tolist() for g in groups] == [[0, 2], [1, 3]]
    for part in collect_moments(design, TargetRows(matrix, y, weights), groups):
        known = ~np.isnan(y[:, part.targets[0]])
        own = np.ones(known.sum()) if weights is None else weights[known]
        assert_moments(part.rows, dense_moments(design.values(matrix[known]), y[np.ix_(known, part.targets)], own))


def test_linear_terms_are_drawn_in_centred_and_scaled(problem):
    design, matrix, _ = problem
    linear = design.linear
    assert [linear.schema.names[j] for j in linear.input] == ["size", "count"]  # "always" does not vary
    values = linear.values(matrix)
    for k, j in enumerate(linear.input):
        known = ~np.isnan(matrix[:, j])
        low, high = np.quantile(matrix[known, j], [TAIL, 1 - TAIL], method="nearest")
        drawn_in = np.clip(matrix[known, j], low, high)
        np.testing.assert_allclose(values[known, k], (drawn_in - drawn_in.mean()) / drawn_in.std() * SPREAD, atol=1e-12)
        assert (values[~known, k] == 0).all()
    extremes = np.full((2, matrix.shape[1]), np.nan)
    extremes[:, linear.input[0]] = -1e300, 1e300
    np.testing.assert_allclose(linear.values(extremes)[:, 0], [values[:, 0].min(), values[:, 0].max()])
    assert linear.words[1] == "count (linear from 0 to 5)"


def test_a_design_of_nothing(problem):
    design, matrix, y = problem
    empty = design.take(np.zeros(0, np.int64))
    assert len(empty) == 0
    assert empty.words == []
    assert empty.values(matrix).shape == (len(matrix), 0)
    assert empty.moments(matrix, y).gram.shape == (0, 0)
    np.testing.assert_array_equal(empty.predict(matrix, np.zeros((0, 2))), np.zeros((len(matrix), 2)))
