"""Partial dependence against the model asked for every row at every point."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    MultiTreeRegressor,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    TreeClassifier,
    TreeRegressor,
)
from glade.core.errors import InputError
from glade.explain import averages
from tests.reference.effects import average, predict_sums
from tests.rules.tables import encode, fit, make_new_rows, make_table, quietly

X, Y = make_table(seed=5)
NEW = make_new_rows(X, 60)
SMALL = {"n_estimators": 10, "max_depth": 3}
NUMBERS = Y[["number", "other"]]
BINARY = np.where(Y["number"] > 0, "up", "down")
CASES = {
    "tree": (TreeRegressor(), NUMBERS),
    "one leaf": (TreeRegressor(min_samples_leaf=150), NUMBERS),
    "tree of classes": (TreeClassifier(max_depth=4), Y["label"]),
    "forest": (ForestRegressor(6, random_state=0), Y["number"]),
    "forest per target": (ForestRegressor(4, per_target=True, random_state=0), NUMBERS),
    "boosted": (ForestRegressor(6, method="boosting", random_state=0), NUMBERS),
    "majority": (ForestClassifier(6, voting="majority", random_state=0), Y["label"]),
    "mixed": (MixedForest(5, method="boosting", random_state=0), Y),
    "fire": (FIRERegressor(ForestRegressor(**SMALL), random_state=0), NUMBERS),
    "rules": (RuleEnsembleRegressor(ForestRegressor(**SMALL), random_state=0), NUMBERS),
    "soft rules": (RuleEnsembleRegressor(ForestRegressor(**SMALL), soft="both", random_state=0), NUMBERS),
    "rules of classes": (RuleEnsembleClassifier(ForestClassifier(**SMALL), random_state=0), Y["label"]),
    "rules of two": (RuleEnsembleClassifier(ForestClassifier(**SMALL), random_state=0), BINARY),
    "mixed rules": (MixedRuleEnsemble(MixedForest(**SMALL), random_state=0), Y),
}
HELD = [(), (0,), (3,), (0, 4), (4, 0), (0, 1, 2, 4), (0, 1, 2, 3, 4)]


@pytest.fixture(scope="module", params=CASES, ids=str)
def model(request):
    estimator, y = CASES[request.param]
    return fit(estimator, X, y)


@pytest.mark.parametrize("inputs", HELD, ids=str)
def test_averages_equal_those_over_rows_and_points(model, inputs):
    rows = encode(model, NEW)
    points = rows[::4][:, list(inputs)]
    found = model.make_explainer().averages(rows).at(inputs, points)
    np.testing.assert_allclose(found, average(model, rows, inputs, points), rtol=0, atol=1e-9)


def test_all_inputs_held_is_the_prediction(model):
    rows = encode(model, NEW)
    found = model.make_explainer().averages(rows[:1]).at(range(rows.shape[1]), rows)
    np.testing.assert_allclose(found, predict_sums(model, rows), rtol=0, atol=1e-9)


def test_points_in_chunks_are_the_same(monkeypatch):
    model = fit(*(CASES["rules"][0], X, CASES["rules"][1]))
    rows = encode(model, NEW)
    whole = model.make_explainer().averages(rows).at((0, 3), rows[:, [0, 3]])
    monkeypatch.setattr(averages, "CHUNK_CELLS", 60)
    found = model.make_explainer().averages(rows).at((0, 3), rows[:, [0, 3]])
    np.testing.assert_allclose(found, whole, rtol=0, atol=1e-13)  # BLAS rounds by the shape of a product, as it likes


def test_inputs_that_never_meet_do_not_interact(model):
    """Where no term looks at both, the joint effect is the sum of the single ones, up to a constant."""
    rows = encode(model, NEW)
    means = model.make_explainer().averages(rows)
    apart = np.argwhere(~means.together & ~np.eye(rows.shape[1], dtype=bool))
    for j, k in apart[:4]:
        both, one, other = (means.at(of, rows[:, of]) for of in ([j, k], [j], [k]))
        rest = both - one - other
        np.testing.assert_allclose(rest, np.broadcast_to(rest[0], rest.shape), rtol=0, atol=1e-9)


def dependence(*args, **named):
    return quietly(glade.dependence, *args, **named)


def test_the_frame_has_every_point_in_the_users_terms():
    model = fit(TreeRegressor(), X, NUMBERS)
    frame = dependence(model, X, "kind").frame()
    assert list(frame.columns) == ["kind", "target", "class", "dependence"]
    of_number = frame[frame["target"] == "number"]
    assert of_number["kind"].tolist()[:-1] == sorted(X["kind"].dropna().unique())
    assert pd.isna(of_number["kind"].iloc[-1])  # missing is a point of its own
    rows = encode(model, X)
    expected = average(model, rows, (3,), [[0.0], [np.nan]])[:, 0]
    np.testing.assert_allclose(of_number["dependence"].iloc[[0, -1]], expected, atol=1e-9)


def test_numbers_are_thinned_out_and_missing_comes_last():
    model = fit(TreeRegressor(), X, Y["number"])
    frame = dependence(model, X, "size", n_points=7).frame()
    assert frame["size"].iloc[:-1].is_monotonic_increasing
    assert frame["size"].iloc[[0, -2]].tolist() == [X["size"].min(), X["size"].max()]
    assert len(frame) == 8
    assert np.isnan(frame["size"].iloc[-1])


def test_two_inputs_are_all_pairs_of_points():
    model = fit(TreeClassifier(), X, Y["label"])
    found = dependence(model, X, ["grade", "kind"], n_points=3)
    frame = found.frame()
    assert found.values.shape == (3, 4, 3)  # grades cut to three, kinds to three and missing; classes
    assert len(frame) == 36
    total = frame.groupby(["grade", "kind"], dropna=False, sort=False)["dependence"].sum()
    np.testing.assert_allclose(total, 1.0)  # probabilities


def test_inputs_named_like_columns_stay_apart():
    table = X.rename(columns={"size": "target", "count": "dependence"})
    model = fit(TreeRegressor(), table, Y["number"])
    frame = dependence(model, table, ["target", "dependence"], n_points=3).frame()
    assert list(frame.columns) == ["input target", "input dependence", "target", "class", "dependence"]


def test_positions_and_samples_of_rows():
    array = np.random.default_rng(0).normal(size=(80, 3))
    model = TreeRegressor().fit(array, array[:, 0] + array[:, 1])
    assert glade.dependence(model, array, 0).inputs == ("x0",)
    one, two = (glade.dependence(model, array, "x0", max_rows=10, random_state=3).values for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ("no such", "no input 'no such'"),
        ([], "one input"),
        (["size", "size"], "two different"),
        ([0, 1, 3], "one input"),
    ],
)
def test_what_cannot_be_looked_at(inputs, message):
    model = fit(TreeRegressor(), X, Y["number"])
    with pytest.raises(InputError, match=message):
        dependence(model, X, inputs)


def test_models_that_cannot_be_read():
    from sklearn.linear_model import LinearRegression

    with pytest.raises(InputError, match="LinearRegression cannot be read"):
        glade.dependence(LinearRegression(), X, 0)
    with pytest.raises(InputError, match="explained by one of its trees"):
        dependence(fit(MultiTreeRegressor(), X, Y["number"]), X, 0)
    with pytest.raises(InputError, match="0 rows"):
        dependence(fit(TreeRegressor(), X, Y["number"]), X.iloc[:0], 0)
