"""Which rules matter most: against ridge weights found from all rows."""

import numpy as np
import pytest

from glade.rules.design import TargetRows
from glade.weights.screen import MAX_ROWS, PENALTY, find_strongest_rules
from tests.reference.squares import ridge_by_rows
from tests.weights.problems import make_design, make_rows


@pytest.mark.parametrize("n", [25, 150])  # fewer rows than terms, and more
@pytest.mark.parametrize("has_weights", [False, True])
def test_the_strongest_have_the_largest_ridge_weights(n, has_weights):
    rows = make_rows(n=n, weights=has_weights)
    design = make_design(rows)
    row_weights = np.ones(n) if rows.weights is None else rows.weights / rows.weights.mean()
    weights, _ = ridge_by_rows(design, TargetRows(rows.matrix, rows.y, row_weights), PENALTY * n)
    values = design.values(rows.matrix)
    deviation = np.sqrt(row_weights @ (values - np.average(values, axis=0, weights=row_weights)) ** 2)
    effect = (np.linalg.norm(weights, axis=1) * deviation)[: len(design.rules)]
    found = find_strongest_rules(design, rows, 10)
    assert found.tolist() == sorted(np.argsort(-effect)[:10])


def test_few_rules_are_all_taken():
    rows = make_rows()
    design = make_design(rows)
    assert find_strongest_rules(design, rows, len(design.rules)).tolist() == list(range(len(design.rules)))


def test_unknown_targets_count_as_the_mean_and_unknown_everywhere_as_nothing():
    rows = make_rows()
    design = make_design(rows)
    y = rows.y.copy()
    y[:, 1] = np.nan
    found = find_strongest_rules(design, TargetRows(rows.matrix, y), 8)
    assert found.tolist() == find_strongest_rules(design, TargetRows(rows.matrix, y[:, [0, 2]]), 8).tolist()


def test_many_rows_are_sampled_evenly():
    small = make_rows(n=MAX_ROWS)
    design = make_design(small)
    many = TargetRows(np.repeat(small.matrix, 3, axis=0), np.repeat(small.y, 3, axis=0))
    assert find_strongest_rules(design, many, 8).tolist() == find_strongest_rules(design, small, 8).tolist()
