"""One faulty reading of a target does not decide what is learnt; a long tail is left as it is."""

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
        f"target 'flow' is 78.9 in row 22, far from all other values: rules are found as if it were {others.max():.6g};"
        " if it is an error, correct it or leave out the row"
    ]


def test_both_ends_and_gaps():
    values = readings()
    values[[3, 4, 5, 6]] = [-500.0, 90.0, np.nan, 70.0]
    _, found, alerts = pull_in(values)
    others = np.delete(values, [3, 4, 5, 6])
    np.testing.assert_array_equal(found.values[[3, 4, 6]], [others.min(), others.max(), others.max()])
    assert np.isnan(found.values[5])
    assert "is -500 in row 3 (and 2 more like it)" in alerts[0]


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).lognormal(sigma=1.5, size=3_000),  # a long tail
        np.random.default_rng(0).standard_normal(3_000),
        np.where(ROWS % 100 == 0, 50.0, readings()),  # as many as are no accident
        np.where(ROWS == 7, 1e6, 0.0),  # nearly constant: the one value is all there is to learn
        np.zeros(3_000),
        np.append(readings()[:900], 1e6),  # too few rows to tell
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
    assert fit_with_a_faulty_reading(FIRERegressor) > 0.2
