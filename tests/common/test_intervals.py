"""Intervals about predictions: how often they cover, how wide they are, where there are none."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import erf

import glade
from glade import ForestRegressor, RuleEnsembleRegressor
from glade.models.intervals import Residuals, Spread

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(3_000, 3)), columns=list("abc"))
WIDTH = np.where(X["b"] > 0.5, 2.0, 0.2)
Y = pd.DataFrame(
    {"even": X["a"] + RANDOM.normal(size=3_000), "uneven": 5 * (X["b"] > 0.5) + WIDTH * RANDOM.normal(size=3_000)}
)
TRAIN, TEST = slice(0, 600), slice(600, None)


@pytest.fixture(scope="module")
def forest():
    return ForestRegressor(60, min_samples_leaf=5, oob_score=True, random_state=0).fit(X[TRAIN], Y[TRAIN])


def fit_rules(seed):
    grove = ForestRegressor(20, max_depth=3)
    return RuleEnsembleRegressor(grove, max_rules=10, random_state=seed).fit(X[TRAIN], Y[TRAIN])


@pytest.fixture(scope="module")
def rules():
    return fit_rules(1)


def test_intervals_of_another_seed_cover_as_often_as_is_asked():
    """With a bin of the local spread for every 50 rows this seed covered 0.71: nearly all predictions met one bin."""
    ends, truth = fit_rules(0).predict_interval(X[TEST], 0.8), Y[TEST].to_numpy()
    covered = ((ends[..., 0] <= truth) & (truth <= ends[..., 1])).mean(axis=0)
    np.testing.assert_allclose(covered, 0.8, atol=0.045)


def test_coverage_varies_by_no_more_than_chance_where_predictions_are_few():
    """Folds say different things of rows of which their common model says the same; 100 tables of 600 rows."""
    random, found = np.random.default_rng(0), []
    for _ in range(100):
        is_high = random.random(600) < 0.3
        width = np.where(is_high, 2.0, 0.2)
        of_folds = 5.0 * is_high + random.normal(0, 0.04, 600)
        own = Residuals.of(5.0 * is_high + width * random.normal(size=600), of_folds, np.ones(600), 0)
        low, high = (own.find_half_width(np.array([at]), 0.8)[0] for at in (0.0, 5.0))
        low_covered, high_covered = erf(low / 0.2 / np.sqrt(2)), erf(high / 2.0 / np.sqrt(2))
        found.append(0.7 * low_covered + 0.3 * high_covered)
    assert np.mean(found) == pytest.approx(0.8, abs=0.01)
    assert np.std(found) < 1.5 * np.sqrt(0.8 * 0.2 / 600)


def test_neighbouring_bins_of_one_spread_are_joined():
    random = np.random.default_rng(1)
    predicted = np.sort(random.normal(size=1_000))
    one = Spread.of(predicted, np.abs(random.normal(size=1_000)), np.ones(1_000))
    assert len(one.at) == 1
    step = Spread.of(predicted, np.where(predicted > 0, 5.0, 1.0) * np.abs(random.normal(size=1_000)), np.ones(1_000))
    assert 2 <= len(step.at) <= 4
    assert step.find(np.array([-3.0, 3.0])) == pytest.approx(np.array([0.8, 4.0]), rel=0.2)


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_intervals_cover_as_often_as_is_asked(forest, rules, coverage):
    for model in (forest, rules):
        ends = model.predict_interval(X[TEST], coverage)
        assert ends.shape == (2_400, 2, 2)
        truth = Y[TEST].to_numpy()
        covered = ((ends[..., 0] <= truth) & (truth <= ends[..., 1])).mean(axis=0)
        np.testing.assert_allclose(covered, coverage, atol=0.045)
        np.testing.assert_allclose(ends.mean(axis=2), model.predict(X[TEST]))


def test_intervals_are_wider_where_predictions_are_worse(forest):
    width = np.diff(forest.predict_interval(X[TEST]), axis=2)[..., 0]
    is_wide = (X["b"] > 0.5)[TEST].to_numpy()
    assert width[is_wide, 1].mean() > 4 * width[~is_wide, 1].mean()
    assert len(forest.residuals_[0].spread.at) == 1  # nothing to gain there


def test_the_quantile_of_residuals_is_that_of_one_more_row():
    """By hand: of 9 residuals the largest is met by a new row in 9 of 10 cases."""
    truth = np.arange(9.0)
    residuals = Residuals.of(np.append(truth, np.nan), np.zeros(10), np.ones(10), 0)
    assert residuals.largest_coverage == pytest.approx(0.9)
    assert residuals.find_half_width(np.zeros(1), 0.9) == 8.0
    assert residuals.find_half_width(np.zeros(1), 0.5) == 4.0
    assert residuals.find_half_width(np.zeros(1), 0.91) is None
    again = Residuals.of(np.repeat(truth, 2), np.zeros(18), np.ones(18), 0)
    weighted = Residuals.of(truth, np.zeros(9), np.full(9, 2.0), 0)
    assert weighted.find_half_width(np.zeros(1), 0.5) == again.find_half_width(np.zeros(1), 0.5) == 4.0


def test_many_residuals_are_thinned_to_no_smaller_ones():
    truth = RANDOM.normal(size=5_000)
    residuals = Residuals.of(truth, np.zeros(5_000), np.ones(5_000), 0)
    assert len(residuals.size) == 1_000
    exact = np.sort(np.abs(truth))
    for coverage in (0.1, 0.5, 0.9, 0.999):
        least = exact[int(np.ceil(coverage * 5_001)) - 1]
        width = residuals.find_half_width(np.zeros(1), coverage)[0]
        assert least <= width <= exact[min(int(np.ceil(coverage * 5_001)) + 5, 4_999)]
    assert Spread.same().find(np.array([-1.0, 5.0])).tolist() == [1.0, 1.0]


def test_intervals_are_saved_and_those_of_counts_end_at_zero(forest, rules, tmp_path):
    for name, model in (("forest", forest), ("rules", rules)):
        path = tmp_path / f"{name}.glade"
        model.save(path, oof_prediction=False)
        np.testing.assert_array_equal(glade.load(path).predict_interval(X[TEST]), model.predict_interval(X[TEST]))
    y = RANDOM.poisson(np.exp(X["a"])[:300])
    grove = ForestRegressor(10, method="boosting", loss="poisson", max_depth=2)
    model = RuleEnsembleRegressor(grove, weights="lasso", loss="poisson", cv=2, random_state=0).fit(X[:300], y)
    assert (model.predict_interval(X)[:, 0] >= 0).all()


def test_what_has_no_intervals_says_so(forest, rules):
    with pytest.raises(AttributeError, match="oob_score=True"):
        ForestRegressor(5).fit(X[:50], Y[:50]).predict_interval(X)
    with pytest.raises(AttributeError, match="another size"):
        rules.with_rules(1).predict_interval(X)
    with pytest.raises(ValueError, match="between 0 and 1"):
        forest.predict_interval(X, 1.0)
    with pytest.raises(ValueError, match="needs more rows of target 'even'"):
        forest.predict_interval(X, 0.9999)
