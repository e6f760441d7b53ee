"""Linear terms: their forms, and which inputs have them where there are very many."""

import numpy as np
import pytest

from glade import RuleEnsembleRegressor, RuleFitRegressor, TreeRegressor
from glade.rules.design import TargetRows
from glade.rules.linear import CLIPPED, HINGES, HINGES_AT, WHOLE, LinearTerms, find_linear_terms


def make_schema(X):
    return TreeRegressor(max_depth=1).fit(X, np.arange(len(X)) % 7).schema_


@pytest.fixture
def table():
    X = np.random.default_rng(0).standard_t(2, size=(400, 3))
    return X, make_schema(X)


def test_whole_terms_reach_over_the_range_and_clipped_ones_leave_the_tails(table):
    X, schema = table
    whole, clipped = (LinearTerms.of(X, schema, forms=(form,)) for form in (WHOLE, CLIPPED))
    np.testing.assert_array_equal(whole.low, X.min(axis=0))
    np.testing.assert_array_equal(whole.high, X.max(axis=0))
    beyond = ((clipped.low > X) | (clipped.high < X)).mean(axis=0)
    assert ((beyond > 0.04) & (beyond < 0.06)).all()
    for terms in (whole, clipped):
        np.testing.assert_allclose(terms.values(X).mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(terms.values(X).std(axis=0), 0.4)


def test_hinges_are_flat_on_one_side_of_a_quartile(table):
    X, schema = table
    hinges = LinearTerms.of(X, schema, forms=(HINGES,))
    assert len(hinges) == 3 * 2 * len(HINGES_AT)
    for k, (j, low, high) in enumerate(zip(hinges.input, hinges.low, hinges.high, strict=True)):
        is_flat = (X[:, j] <= low) | (X[:, j] >= high)
        assert (np.abs(is_flat.mean() - np.array(HINGES_AT)) < 0.02).any()
        assert np.isin(hinges.values(X)[is_flat, k], [hinges.values(X)[:, k].min(), hinges.values(X)[:, k].max()]).all()


def test_nice_ends_are_short_and_the_range_stays_whole(table):
    X, schema = table
    nice = LinearTerms.of(X, schema, True, (WHOLE, HINGES))
    assert max(len(f"{v:.15g}") for v in (*nice.low, *nice.high)) <= 7
    whole = LinearTerms.of(X, schema, True, (WHOLE,))
    assert (whole.low <= X.min(axis=0)).all()
    assert (whole.high >= X.max(axis=0)).all()


def test_forms_that_are_one_come_once():
    X = np.repeat([[0.0], [1.0]], 50, axis=0)
    assert len(LinearTerms.of(X, make_schema(X), forms=(CLIPPED, WHOLE, HINGES))) == 1


def test_of_very_many_inputs_those_that_go_with_the_targets_have_terms():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 1_200))
    X[::10, 5] = np.nan
    Y = np.column_stack([X[:, 700] + 0.1 * rng.normal(size=150), np.where(np.isnan(X[:, 5]), 0.0, X[:, 5])])
    schema, forms = make_schema(X), (CLIPPED, WHOLE, HINGES)
    found = find_linear_terms(TargetRows(X, Y), schema, False, forms, room=100)
    assert len(found) <= 100
    assert set(np.bincount(found.input)) <= {0, 2}
    assert {5, 700} <= set(found.input.tolist())
    times = np.bincount(find_linear_terms(TargetRows(X, Y), schema, False, forms, room=2 * 1_200 + 12).input)
    hinged = np.flatnonzero(times == 2 + 2 * len(HINGES_AT))  # room is left for these
    assert hinged.tolist() == [5, 700]
    plain = find_linear_terms(TargetRows(X, Y), schema, False, (WHOLE,), room=100)
    alone = [abs(np.corrcoef(X[~np.isnan(X[:, j]), j], y[~np.isnan(X[:, j])])[0, 1]) for j in range(1_200) for y in Y.T]
    strongest = np.argsort(np.reshape(alone, (1_200, 2)).max(axis=1))[-10:]
    assert set(strongest.tolist()) <= set(plain.input.tolist())


def test_estimators_have_the_terms_that_are_asked_for():
    X = np.random.default_rng(0).standard_t(2, size=(200, 2))
    y = X[:, 0] + 0.1 * np.random.default_rng(1).normal(size=200)
    fitted = {how: RuleEnsembleRegressor(max_rules=3, linear_terms=how, random_state=0).fit(X, y) for how in FORMS}
    assert len(fitted[False].terms_.design.linear) == 0
    widths = {
        how: np.ptp([m.terms_.design.linear.low[0], m.terms_.design.linear.high[0]]) for how, m in fitted.items() if how
    }
    assert widths["whole"] >= np.ptp(X[:, 0]) > widths["clipped"]
    assert fitted["whole"].score(X, y) > fitted["clipped"].score(X, y)  # the tails are half of what there is to say
    assert RuleFitRegressor().linear_terms == CLIPPED  # as published


FORMS = (False, CLIPPED, WHOLE)
