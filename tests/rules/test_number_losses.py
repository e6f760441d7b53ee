"""Rules of numbers by Huber's loss, the Poisson loss and the loss of a quantile."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance

import glade
from glade import FIRERegressor, ForestRegressor, RuleEnsembleRegressor, RuleFitRegressor

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(1_200, 3))
MEAN = np.exp(X[:, 0] + (X[:, 1] > 0))
COUNTS = RANDOM.poisson(MEAN).astype(float)
FAULTY = X[:, 0] + (X[:, 1] > 0) + np.where(np.arange(1_200) % 60 == 7, 100.0, 0.1 * RANDOM.normal(size=1_200))
TRAIN, TEST = slice(0, 300), slice(300, None)


def rules(loss, **more):
    grove = ForestRegressor(25, method="boosting", loss=loss, max_depth=2, quantile=more.get("quantile", 0.5))
    return RuleEnsembleRegressor(grove, weights="lasso", loss=loss, cv=2, random_state=0, **more)


@pytest.fixture(scope="module")
def counts():
    return rules("poisson", max_rules=None).fit(X[TRAIN], COUNTS[TRAIN])


def test_counts_meet_their_mean_by_terms_that_add_up_to_its_logarithm(counts):
    values = counts.predict(X[TEST])
    assert (values > 0).all()
    constant = mean_poisson_deviance(COUNTS[TEST], np.full(900, COUNTS[TRAIN].mean()))
    assert mean_poisson_deviance(COUNTS[TEST], values) < 0.55 * constant
    told = counts.explain(X[:5]).groupby("row")["score"].sum()
    np.testing.assert_allclose(np.exp(told), counts.predict(X[:5]))
    np.testing.assert_allclose(values.mean(), COUNTS[TEST].mean(), rtol=0.15)


def test_the_errors_of_counts_are_their_deviances(counts):
    held_out = counts.oof_prediction_
    own = mean_poisson_deviance(COUNTS[TRAIN], held_out) / mean_poisson_deviance(
        COUNTS[TRAIN], np.full(300, COUNTS[TRAIN].mean())
    )
    assert counts.model_.step.error == pytest.approx(own, rel=0.1)


def test_the_unit_of_a_target_changes_nothing_but_the_unit():
    for loss in ("huber", "poisson", "quantile"):
        models = [rules(loss, max_rules=10).fit(X[TRAIN], unit * COUNTS[TRAIN]) for unit in (1.0, 64.0)]
        first, second = (model.predict(X[TEST]) for model in models)
        np.testing.assert_allclose(second / 64.0, first, rtol=1e-5, atol=1e-6)


def test_many_counts_with_gaps_saved_and_exported(tmp_path):
    y = pd.DataFrame({"a": COUNTS, "b": RANDOM.poisson(3 * MEAN).astype(float)})[TRAIN]
    y.loc[::5, "b"] = np.nan
    table = pd.DataFrame(X, columns=list("uvw"))
    grove = ForestRegressor(25, method="boosting", loss="poisson", max_depth=2)
    model = RuleFitRegressor(grove, loss="poisson", max_rules=12, missing_targets="ignore", random_state=0).fit(
        table[TRAIN], y
    )
    values = model.predict(table)
    assert (values > 0).all()
    assert np.corrcoef(values[:, 1], MEAN)[0, 1] > 0.85
    model.save(tmp_path / "counts.glade")
    again = glade.load(tmp_path / "counts.glade")
    np.testing.assert_array_equal(again.predict(table), values)
    assert again.model_.scores.losses == model.model_.scores.losses
    names = {"__name__": "module"}
    exec(compile(glade.export(model, "python"), "module", "exec"), names)  # noqa: S102
    told = names["predict"](table.iloc[0].to_dict())
    np.testing.assert_allclose([told["a"], told["b"]], values[0])


def test_quantiles_have_their_share_of_rows_below(tmp_path):
    y = X[:, 0] + np.abs(X[:, 1]) * RANDOM.normal(size=1_200)
    for level in (0.1, 0.9):
        model = rules("quantile", quantile=level, max_rules=15).fit(X[TRAIN], y[TRAIN])
        values = model.predict(X[TEST])
        assert (y[TEST] < values).mean() == pytest.approx(level, abs=0.06)
        constant = np.full(900, np.quantile(y[TRAIN], level))
        own, other = (mean_pinball_loss(y[TEST], guess, alpha=level) for guess in (values, constant))
        assert own < 0.8 * other
    model.save(tmp_path / "q.glade")
    (loss,) = glade.load(tmp_path / "q.glade").model_.scores.losses.losses
    assert loss.settings == {"level": 0.9}


def test_faulty_readings_count_for_little_and_are_not_moved(recwarn):
    y = X[:, 0] + np.sin(2 * X[:, 1]) + 0.2 * RANDOM.normal(size=1_200)
    faulty = y.copy()
    faulty[::100] += 1e3
    model = rules("huber", max_rules=None).fit(X[TRAIN], faulty[TRAIN])
    assert np.sqrt(np.mean((model.predict(X) - y) ** 2)) < 0.5
    assert not [note for note in recwarn if "far from all other" in str(note.message)]


@pytest.mark.parametrize("weights", ["auto", "greedy", "ridge"])
def test_every_way_to_weights_has_counts_and_faulty_readings(weights):
    size = None if weights == "ridge" else 10
    for loss, y, truth in (("poisson", COUNTS, MEAN), ("huber", FAULTY, X[:, 0] + (X[:, 1] > 0))):
        grove = ForestRegressor(25, method="boosting", loss=loss, max_depth=2)
        settings = {"weights": weights, "max_rules": size, "cv": 2, "random_state": 0}
        model = RuleEnsembleRegressor(grove, loss=loss, **settings).fit(X[TRAIN], y[TRAIN])
        assert np.corrcoef(model.predict(X), truth)[0, 1] > 0.85
        assert model.model_.step.error < 0.9
        assert loss == "huber" or (model.predict(X) > 0).all()


def test_weights_without_a_loss_say_so():
    with pytest.raises(ValueError, match=r'weights="gradient" has no quantile loss: set weights to .*"lasso"'):
        RuleEnsembleRegressor(weights="gradient", loss="quantile").fit(X[:50], COUNTS[:50])
    with pytest.raises(ValueError, match="target 'y' is -1 in row 3"):
        rules("poisson").fit(X, np.where(np.arange(1_200) == 3, -1.0, COUNTS))
    assert "loss" not in FIRERegressor().get_params()


def test_without_a_generator_all_trees_lower_the_loss():
    model = RuleEnsembleRegressor(weights="lasso", loss="poisson", max_rules=5, cv=2, random_state=0)
    model.fit(X[:120], COUNTS[:120])
    assert {(forest.method, forest.loss) for forest in model.generator_} == {("boosting", "poisson")}
    assert all(tree.value.min() > -50 for forest in model.generator_ for tree in forest.trees_)
