"""Products that are found when asked for are those that could be stored."""

import numpy as np
import pytest

from glade.losses.targets import TargetLosses
from glade.rules.design import collect_moments, find_moments, group_targets
from glade.weights.centred import CentredSums
from glade.weights.problem import Problem
from glade.weights.problem_sums import ProblemSums
from glade.weights.products import CountedProducts, StoredProducts, WeighedProducts
from tests.weights.problems import make_design, make_rows

TARGETS = TargetLosses.of_numbers(3)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"n": 20}, CountedProducts),
        ({"n": 20, "missing": 0.3}, CountedProducts),
        ({"n": 90, "missing": 0.3}, CountedProducts),
        ({"n": 20, "missing": 0.3, "weights": True}, WeighedProducts),
        ({"n": 90}, StoredProducts),
        ({"n": 90, "missing": 0.3, "weights": True}, StoredProducts),
    ],
)
def test_products_are_found_as_they_would_be_stored(settings, kind):
    rows = make_rows(seed=3, **settings)
    design = make_design(rows)
    groups = ProblemSums.of(Problem(design, rows), TARGETS).groups
    assert len(groups) == (3 if "missing" in settings else 1)
    for group, moments in zip(groups, find_moments(design, rows, group_targets(rows.y)), strict=True):
        expected = CentredSums.of(moments).products.whole()
        some = np.array([0, 3, len(design) - 1])
        assert isinstance(group.products, kind)
        same = np.testing.assert_array_equal if kind is CountedProducts else assert_close
        same(group.products.whole(), expected)
        same(group.products.diagonal, np.diag(expected))
        same(group.products.take(some), expected[np.ix_(some, some)])
        same(group.products.take(some[1:2]), expected[np.ix_(some[1:2], some[1:2])])
        for term in (0, 5, len(design) - 1):
            same(group.products.row(term), expected[term])
        weights = np.random.default_rng(0).normal(size=(len(design), 2))
        assert_close(group.products.multiply(weights), expected @ weights)


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("weights", [False, True])
def test_lean_moments_are_the_others_without_the_products_of_rules(weights):
    rows = make_rows(seed=4, n=50, missing=0.2, weights=weights)
    design, groups = make_design(rows), group_targets(rows.y)
    full, lean = (collect_moments(design, rows, groups, lean=lean) for lean in (False, True))
    for a, b in zip(full, lean, strict=True):
        for name in ("weight", "total", "cross", "y_total", "y_square"):
            np.testing.assert_array_equal(getattr(a.rows, name), getattr(b.rows, name))
        expected = a.rows.gram[:, :0] if weights else a.rows.gram[:, len(design.rules) :]
        np.testing.assert_array_equal(b.rows.gram, expected)
