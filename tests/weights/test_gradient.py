"""Gradient-directed weights: against a version that recomputes everything from the rows, and along its own promises."""

import numpy as np
import pytest

from glade import ForestRegressor
from glade.rules.coverage import cover, drop_duplicates
from glade.rules.design import Design, TargetRows, collect_moments, group_targets
from glade.rules.extract import LEAVES, extract_rules
from glade.rules.linear import LinearTerms
from glade.weights.gradient import ChosenDescent, DescentFold, DescentStart, choose_descent, find_path
from glade.weights.problem import FoldProblem
from glade.weights.quadratic import Quadratic, WeightColumns
from tests.datasets import load_dataset
from tests.reference.descent import descend_by_rows, draft_by_rows
from tests.weights.problems import make_design, make_rows


def make_loss(design, rows):
    moments = collect_moments(design, rows, group_targets(rows.y))
    columns = WeightColumns.of(moments, design.is_rule)
    return Quadratic.of(moments, moments, columns), columns


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_loss_is_that_of_the_rows(missing):
    rows = make_rows(missing=missing)
    design = make_design(rows)
    loss, columns = make_loss(design, rows)
    weights = np.random.default_rng(1).normal(size=len(columns.term)) * 0.1
    added = design.values(rows.matrix) @ columns.spread(weights, len(design))
    offset = np.nanmean(rows.y - np.where(np.isnan(rows.y), np.nan, added), axis=0)
    direct = np.mean(np.nanmean((rows.y - offset - added) ** 2, axis=0)) / 2
    assert loss.loss(weights) == pytest.approx(direct, rel=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize(("tau", "max_terms"), [(1.0, 0), (0.7, 0), (0.0, 0), (1.0, 5), (0.5, 5), (0.0, 3), (1.0, 1)])
def test_descent_equals_one_that_starts_from_the_rows(tau, max_terms, missing):
    rows = make_rows(missing=missing)
    design = make_design(rows)
    loss, columns = make_loss(design, rows)
    descent = DescentStart(loss, columns).descend(tau, max_terms)
    descent.advance(60)
    values = design.values(rows.matrix)[:, columns.term, None] * columns.direction
    drafted = draft_by_rows(values, columns.term, rows.y, max_terms, loss.step) if max_terms else None
    weights, offset = descend_by_rows(values, rows.y, tau, 60, loss.step, drafted)
    np.testing.assert_allclose(descent.weights, weights[descent.columns], atol=1e-10)
    assert np.count_nonzero(weights) == np.count_nonzero(descent.weights)
    path = find_path(design, rows, [ChosenDescent(max_terms, tau, 60, 0.5, np.array([0.4, 0.6]))])
    np.testing.assert_allclose(path.steps[0].offset, offset, atol=1e-10)
    if max_terms:
        assert len(path.steps[0].terms) <= max_terms


@pytest.mark.parametrize("tau", [0.0, 0.8])
def test_descent_in_parts_is_one_descent(tau):
    """Also where, all weights moving, the closed form takes over."""
    rows = make_rows()
    slope = DescentStart(*make_loss(make_design(rows), rows))
    for max_terms in (0, 4):
        whole, parts = (slope.descend(tau, max_terms) for _ in range(2))
        whole.advance(1500)
        for n_steps in (10, 700, 5, 785):
            parts.advance(n_steps)
        np.testing.assert_allclose(parts.weights, whole.weights, atol=1e-11)


@pytest.mark.parametrize("n_steps", [1, 20, 5000])
def test_the_closed_form_is_where_the_steps_lead(n_steps):
    rows = make_rows()
    loss, _ = make_loss(make_design(rows), rows)
    weights = np.zeros(len(loss.slope))
    for _ in range(n_steps):
        weights += loss.step * (loss.slope - loss.gram @ weights)
    np.testing.assert_allclose(loss.descend(loss.step, n_steps), weights, atol=1e-10)


def test_a_draft_does_not_depend_on_those_before():
    rows = make_rows()
    slope = DescentStart(*make_loss(make_design(rows), rows))
    for max_terms in (2, 6, 3, 3, 40):
        alone = DescentStart(slope.loss, slope.columns).descend(1.0, max_terms)
        np.testing.assert_array_equal(slope.descend(1.0, max_terms).columns, alone.columns)


def test_a_weight_stands_for_repeated_rows():
    rows = make_rows(weights=True)
    design = make_design(rows)
    repeated = np.repeat(np.arange(len(rows.y)), rows.weights.astype(int))
    plain = TargetRows(rows.matrix[repeated], rows.y[repeated])
    for a, b in zip(*(collect_moments(design, r, group_targets(r.y)) for r in (rows, plain)), strict=True):
        for field in ("weight", "total", "gram", "cross", "y_total", "y_square"):
            np.testing.assert_allclose(getattr(a.rows, field), getattr(b.rows, field), atol=1e-9)


def test_the_step_cannot_overshoot():
    rows = make_rows()
    loss, columns = make_loss(make_design(rows), rows)
    assert loss.step <= 1 / np.linalg.eigvalsh(loss.gram)[-1]
    assert loss.step >= 0.9 / np.linalg.eigvalsh(loss.gram)[-1]
    descent, last = DescentStart(loss, columns).descend(0.0, 0), np.inf
    for _ in range(20):
        descent.advance(5)
        assert descent.loss <= last
        last = descent.loss


@pytest.mark.parametrize("name", ["edm", "sf1", "enb", "jura"])
@pytest.mark.parametrize("max_terms", [0, 20])
def test_the_early_end_of_the_search_over_tau_costs_little(name, max_terms):
    """At most a hundredth of the validation error of trying all thresholds."""
    X, y = load_dataset(name)
    forest = ForestRegressor(30, max_depth=3, min_samples_leaf=2, random_state=0).fit(X, y)
    matrix, y = forest.schema_.encode(X), y.to_numpy(float)
    rows = TargetRows(matrix, (y - y.mean(axis=0)) / y.std(axis=0))
    rules = extract_rules(forest.trees_, forest.schema_, forest.target_schema_, LEAVES)
    rules = rules.take(drop_duplicates(rules, cover(rules, matrix), len(matrix))[0])
    is_valid = np.arange(len(y)) % 3 == 0
    design = Design.of(rules, LinearTerms.none(forest.schema_))
    folds = [DescentFold.of(FoldProblem(design, rows.take(~is_valid), held_out=rows.take(is_valid)))]
    early, full = (choose_descent(folds, max_terms, 10_000, every_tau) for every_tau in (False, True))
    assert early.error <= 1.01 * full.error
