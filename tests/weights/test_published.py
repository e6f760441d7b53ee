"""FIRE as published: against a twin that follows the source's Figure 2 row by row, and its own promises."""

import numpy as np
import pytest

from glade import FIRERegressor, ForestRegressor, load
from glade.weights import published
from glade.weights.problem import FoldProblem, Problem
from glade.weights.published import PublishedGradient, descend_as_published, pose_published
from tests.reference.descent import optimise_as_published
from tests.weights.problems import make_design, make_rows


def make_problem(**how):
    rows = make_rows(**how)
    design = make_design(rows, linear=False)
    is_valid = np.arange(len(rows.y)) % 3 == 0
    fold = FoldProblem(design, rows.take(~is_valid), held_out=rows.take(is_valid))
    return Problem(design, rows), fold, is_valid


@pytest.mark.filterwarnings("ignore:overflow")  # the twin's own, where steps are too large
@pytest.mark.parametrize(("tau", "limit"), [(1.0, 0), (0.6, 0), (0.0, 0), (1.0, 5), (0.5, 5), (0.0, 5)])
@pytest.mark.parametrize("first_step", [10.0, 1000.0])
def test_the_descent_is_that_of_figure_2(monkeypatch, tau, limit, first_step):
    monkeypatch.setattr(published, "FIRST_STEP", first_step)
    monkeypatch.setattr(published, "MAX_STEPS", 1500)
    whole, fold, is_valid = make_problem()
    train, valid, columns = pose_published(whole, fold)
    found = descend_as_published(train, valid, tau, limit)
    values = whole.design.values(whole.rows.matrix)[:, columns.term, None] * columns.direction
    weights, error = optimise_as_published(values, whole.rows.y, is_valid, tau, limit, 1500, first_step)
    assert found.loss == pytest.approx(error, rel=1e-6)
    np.testing.assert_allclose(found.weights, weights, atol=1e-6)
    assert np.abs(columns.direction).max(axis=1) == pytest.approx(1.0)
    if limit:
        assert 0 < np.count_nonzero(found.weights) <= limit


def test_weights_come_from_the_rows_that_are_not_held_out():
    """Rows held out choose, and have no other part: with other targets there, each way leads where it led."""
    whole, fold, _ = make_problem()
    train, _, columns = pose_published(whole, fold)
    other = FoldProblem(fold.design, fold.rows, held_out=fold.rows)
    again, _, same = pose_published(whole, other)
    np.testing.assert_array_equal(train.gram, again.gram)
    np.testing.assert_array_equal(train.slope, again.slope)
    np.testing.assert_array_equal(columns.direction, same.direction)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = np.column_stack([X[:, 0] + (X[:, 1] > 0), 30 + 10 * X[:, 1] * (X[:, 2] > 0)])
    return X, y + 0.1 * rng.normal(size=y.shape)


@pytest.mark.parametrize("max_rules", [None, 8])
def test_a_fit_is_sound_saved_and_explained(table, tmp_path, max_rules):
    X, y = table
    grove = ForestRegressor(20, random_size="depth", mean_size=3.0, max_features="log2+1")
    model = FIRERegressor(grove, as_published=True, max_rules=max_rules, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.7
    if max_rules:
        assert 0 < model.size_.rules <= max_rules
    np.testing.assert_allclose(model.model_.terms.offset, y.mean(axis=0))  # the average, with no weight of its own
    assert np.isnan(model.oof_prediction_).all()
    with pytest.raises(AttributeError, match="no out-of-fold predictions"):
        model.predict_interval(X)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").predict(X), model.predict(X))
    parts = model.explain(X[:1])
    np.testing.assert_allclose(parts.groupby("target", sort=False)["contribution"].sum(), model.predict(X[:1])[0])


def test_no_rule_at_all_is_the_average(table):
    X, y = table
    model = FIRERegressor(ForestRegressor(5, max_depth=2), as_published=True, max_rules=0, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict(X[:3]), np.tile(y.mean(axis=0), (3, 1)))


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"cv": 3}, r"cv \(on the command line, set --folds 0\)"),
        ({"soft": True, "linear_terms": True}, "soft and linear_terms"),
        ({"max_rules": "auto"}, "max_rules"),
    ],
)
def test_what_contradicts_the_source_is_refused(table, settings, names):
    with pytest.raises(ValueError, match=f"as it stands: leave out {names}$"):
        FIRERegressor(as_published=True, **settings).fit(*table)


def test_the_solver_shows_its_share():
    assert PublishedGradient.needs.shares_terms == pytest.approx(1 / 3)
