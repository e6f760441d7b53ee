"""Curves of soft rules against Firth's definition, other software, and every subset of terms."""

import numpy as np
import pytest

from glade.rules._firth import fit_firth
from glade.rules.coverage import cover, unpack
from glade.rules.soften import MAX_ROWS, Workspace, soften
from tests.reference.firth import find_best_subset, fit_firth_slowly
from tests.rules.random_rules import KINDS, draw_numbers, draw_rules, list_coefficients, standardised_terms


def fit_ours(x, r, tolerance=1e-13):
    beta = np.zeros(len(x))
    work = Workspace.of(x.shape[1], len(x))
    plain = fit_firth(x, r, x.shape[1], np.arange(len(x)), len(x), beta, tolerance, work)
    return beta, plain


def draw_fits(rng, n_fits, kinds=("normal", "whole", "skewed", "correlated")):
    """Terms and zeros and ones of rules that cover some rows: separated ones are among them."""
    while n_fits:
        n_rows, n_inputs = int(rng.integers(40, 300)), int(rng.integers(1, 4))
        X = draw_numbers(rng, n_rows, n_inputs, kinds[n_fits % len(kinds)])
        rules = draw_rules(rng, X, 1, 3)
        r = unpack(cover(rules, X), n_rows)[0].astype(float)
        x = standardised_terms(X, rules, 0)
        if 2 < r.sum() < n_rows - 2 and np.linalg.cond(x @ x.T) < 1e6:
            n_fits -= 1
            yield x, r


def test_estimates_are_those_of_the_definition():
    for x, r in draw_fits(np.random.default_rng(0), 60):
        beta, plain = fit_ours(x, r)
        slow, slow_plain = fit_firth_slowly(x, r)
        np.testing.assert_allclose(beta, slow, rtol=1e-4, atol=1e-4)
        # where a rule is nearly separated, coefficients of hundreds are known to six digits, and so is the likelihood
        np.testing.assert_allclose(plain, slow_plain, rtol=1e-5, atol=1e-5)


def test_estimates_are_those_of_firthmodels():
    firthmodels = pytest.importorskip("firthmodels", reason="firthmodels is not installed: extra 'bench'")
    n_separated = 0
    for x, r in draw_fits(np.random.default_rng(1), 60):
        beta, plain = fit_ours(x, r)
        other = firthmodels.FirthLogisticRegression(max_iter=300, max_halfstep=100, gtol=1e-3, xtol=1e-5)
        with np.errstate(all="ignore"):
            other.fit(x[1:].T, r)
        expected = np.append(other.intercept_, other.coef_)
        n_separated += plain > -6
        np.testing.assert_allclose(beta, expected, rtol=1e-4, atol=1e-4)
    assert n_separated >= 10


def test_the_subset_is_the_best_of_all():
    rng = np.random.default_rng(2)
    for kind in ("normal", "skewed", "correlated", "whole"):
        X = draw_numbers(rng, 90, 3, kind)
        rules = draw_rules(rng, X, 12, 2)
        soft = soften(rules, X, is_exact=True)
        covered = unpack(cover(soft.rules, X), len(X)).astype(float)
        assert len(soft) > 4
        for i in range(len(soft)):
            x = standardised_terms(X, soft.rules, i)
            coefficients = list_coefficients(soft, i)
            every = find_best_subset(x, covered[i])
            chosen = tuple(np.flatnonzero(np.append(True, coefficients[1:] != 0)).tolist())
            assert every[chosen] < min(every.values()) + 1e-3
            slow, _ = fit_firth_slowly(x[list(chosen)], covered[i])
            np.testing.assert_allclose(coefficients[list(chosen)], slow, rtol=1e-3, atol=1e-3)


def test_a_fast_search_is_no_better_and_seldom_much_worse():
    rng = np.random.default_rng(3)
    X = draw_numbers(rng, 200, 4, "normal")
    rules = draw_rules(rng, X, 60, 3)
    fast, exact = soften(rules, X), soften(rules, X, is_exact=True)
    np.testing.assert_array_equal(fast.rules.keys, exact.rules.keys)
    difference = np.abs(fast.values(X) / fast.scale - exact.values(X) / exact.scale).mean(axis=0)
    assert np.median(difference) < 0.01
    assert difference.max() < 0.2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_exact", [False, True])
def test_random_rules_are_always_finite(kind, is_exact):
    rng = np.random.default_rng(4)
    for n_rows in (3, 40, 200):
        X = draw_numbers(rng, n_rows, 6, kind)
        soft = soften(draw_rules(rng, X, 100, 6), X, is_exact)
        far = np.vstack((X, 1e300 * X, -1e300 * np.abs(X), np.full_like(X, np.nan)))
        values = soft.values(far)
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert (values <= soft.scale * (1 + 1e-12)).all()
        for part in (soft.constant, soft.scale, soft.curves.linear, soft.curves.square):
            assert np.isfinite(part).all()


def test_values_are_the_logistic_function_of_the_coefficients():
    rng = np.random.default_rng(5)
    X = draw_numbers(rng, 150, 3, "normal")
    soft = soften(draw_rules(rng, X, 20, 3), X)
    for i in range(len(soft)):
        g = list_coefficients(soft, i) @ standardised_terms(X, soft.rules, i)
        np.testing.assert_allclose(soft.values(X)[:, i], soft.scale[i] / (1 + np.exp(-g)), rtol=1e-9, atol=1e-12)
    hard = unpack(cover(soft.rules, X), len(X)).T
    np.testing.assert_allclose(soft.values(X).std(axis=0), hard.std(axis=0), rtol=1e-9)


def test_soft_tends_to_hard_where_a_rule_is_a_threshold():
    """The more rows, the nearer to the edge the curve changes."""
    rng = np.random.default_rng(6)
    widths = []
    for n_rows in (50, 500, 5000):
        X = rng.normal(size=(n_rows, 1))
        rules = draw_rules(rng, X, 1, 1)
        rules.conditions.low[:], rules.conditions.high[:] = 0.3, np.inf
        on = [point for point, _ in soften(rules, X, is_exact=True).switches(0, 0)]
        assert on[0] < on[1] < on[2]
        assert abs(on[1] - 0.3) < 0.2
        widths.append(on[2] - on[0])
    assert widths[0] > widths[1] > widths[2]


def test_a_sample_of_many_rows_keeps_the_level():
    """A rare rule has more than its share in the sample; the constant makes up for it."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(8 * MAX_ROWS, 2))
    rules = draw_rules(rng, X, 1, 2)
    rules = rules.keep_conditions(np.arange(len(rules.conditions)) < 1)
    rules.conditions.low[:], rules.conditions.high[:] = 2.8, np.inf
    noisy = np.column_stack((X[:, 0] + 0.3 * rng.normal(size=len(X)), X[:, 1]))
    hard = unpack(cover(rules, X), len(X))[0].mean()
    soft = soften(rules, X)
    assert 0.7 < (soft.values(X) / soft.scale).mean() / hard < 1.4
    assert np.isfinite(soft.values(noisy)).all()


def test_threads_change_nothing():
    rng = np.random.default_rng(8)
    X = draw_numbers(rng, 120, 4, "normal")
    rules = draw_rules(rng, X, 150, 3)
    one, two = soften(rules, X), soften(rules, X, n_threads=2)
    np.testing.assert_array_equal(one.values(X), two.values(X))
