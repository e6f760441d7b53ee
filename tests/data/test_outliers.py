"""One faulty reading of a target does not decide what is learnt; a long tail is left as it is."""

import warnings

import numpy as np
import pytest

from glade import FIRERegressor, RuleEnsembleRegressor
from glade.data.columns import NUMERIC, Column
from glade.data.outliers import pull_in_outliers

ROWS = np.arange(3_000)


def pull_in(values, rows=ROWS):
    column = Column("flow", NUMERIC, np.asarray(values, float))
    return (column, *pull_in_outliers(column, rows))


def readings(seed=0):
    return np.random.default_rng(seed).uniform(3.0, 4.0, len(ROWS))


def test_a_lone_reading_moves_to_the_nearest_of_the_others():
    values = readings()
    values[17] = 78.9
    given, found, alerts = pull_in(values, ROWS + 5)
    others = np.delete(values, 17)
    assert found.values[17] == others.max()
    np.testing.assert_array_equal(np.delete(found.values, 17), others)
    assert given.values[17] == 78.9
    assert alerts == [
        f"target 'flow' is 78.9 in row 22, far from all other values: it is learnt as if it were"
        f" {others.max():.6g}; correct it, or leave it out, if it is an error"
    ]


def test_both_ends_and_gaps():
    values = readings()
    values[[3, 4, 5, 6]] = [-500.0, 90.0, np.nan, 70.0]  # two are far above: 70 has a gap below it, 90 has it too
    _, found, alerts = pull_in(values)
    others = np.delete(values, [3, 4, 5, 6])
    np.testing.assert_array_equal(found.values[[3, 4, 6]], [others.min(), others.max(), others.max()])
    assert np.isnan(found.values[5])
    assert "is -500 in row 3 (and 2 more like it)" in alerts[0]


LONG_TAIL = np.random.default_rng(0).lognormal(sigma=1.5, size=100_000)
EVENTS = np.zeros(10_000)
EVENTS[:15] = [1, 2, 3, 4, 5, 60, 70, 80, 100, 150, 200, 300, 500, 700, 1_000]


@pytest.mark.parametrize(
    "values",
    [
        LONG_TAIL[:3_000],
        LONG_TAIL,
        np.random.default_rng(0).standard_normal(3_000),
        np.where(ROWS % 100 == 0, 50.0, readings()),  # as many as are no accident
        np.append(readings(), [13.9, 14.6]),  # a tail, though a short one
        np.where(ROWS == 7, 1e6, 0.0),  # nearly constant: the one value is all there is to learn
        EVENTS,
        EVENTS[10:],
        np.zeros(3_000),
        np.append(readings()[:900], 1e6),  # too few rows to tell
        (readings() - 3.5) * 3e307,  # the distance is beyond all numbers
    ],
)
def test_others_are_left_alone(values):
    given, found, alerts = pull_in(values, np.arange(len(values)))
    assert found is given
    assert alerts == []


def fit_with_a_faulty_reading(cls, **settings):
    X = np.random.default_rng(1).uniform(size=(2_000, 3))
    y = X[:, :2] ** 2
    faulty = y.copy()
    faulty[11, 1] = 1e3
    model = cls(max_rules=10, random_state=0, **settings).fit(X, faulty)
    return np.abs(model.predict(X) - y)[:, 1].mean()


def test_rules_do_not_follow_a_faulty_reading():
    with pytest.warns(UserWarning, match=r"'y1' is 1000 in row 11, far from all other values"):
        error = fit_with_a_faulty_reading(RuleEnsembleRegressor)
    assert error < 0.05


def test_published_methods_take_targets_as_they_are():
    """FIRE is as published: it bows to the reading, and says nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert fit_with_a_faulty_reading(FIRERegressor) > 0.2
