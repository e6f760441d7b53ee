"""Rule ensembles of tables in partitions: the same models whatever the partitions, and none worse than in memory."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade.scale import fit as fitting
from glade.scale import newton, partitions, refine

INPUTS = ["a", "b", "c", "k"]
SMALL = {"max_leaf_nodes": 6, "max_bins": 64}


def make(kind, forest, **more):
    return kind(forest(8, **SMALL), max_rules=6, random_state=3, **more)


MODELS = {
    "number": lambda: (make(glade.RuleEnsembleRegressor, glade.ForestRegressor), "number"),
    "numbers": lambda: (make(glade.RuleEnsembleRegressor, glade.ForestRegressor), ["number", "second"]),
    "two": lambda: (make(glade.RuleEnsembleClassifier, glade.ForestClassifier), "two"),
    "three": lambda: (make(glade.RuleEnsembleClassifier, glade.ForestClassifier), "three"),
    "count": lambda: (make(glade.RuleEnsembleRegressor, glade.ForestRegressor, loss="poisson"), "count"),
    "mixed": lambda: (make(glade.MixedRuleEnsemble, glade.MixedForest), ["number", "two"]),
    "rulefit": lambda: (make(glade.RuleFitRegressor, glade.ForestRegressor), "number"),
}


def fit(model, folder, target, **columns):
    table = glade.open_partitions(folder, **columns)
    return model.fit(table[INPUTS], table[target])


@pytest.mark.filterwarnings("ignore:terms are found on")
@pytest.mark.parametrize("name", MODELS)
def test_models_are_the_same_over_any_partitions_and_threads(name, folders, table, small_samples):
    first = None
    for folder, n_jobs in list(zip(folders, (None, 2, None), strict=True))[: 3 if name == "number" else 2]:
        model, target = MODELS[name]()
        fitted = fit(model.set_params(n_jobs=n_jobs), folder, target)
        values = fitted.predict_values(fitted.encode(table[INPUTS]))
        if first is None:
            first = fitted, values
        assert np.abs(values - first[1]).max() <= 1e-9
        assert fitted.to_frame()["term"].tolist() == first[0].to_frame()["term"].tolist()
        assert np.allclose(fitted.errors_["value"], first[0].errors_["value"], rtol=1e-9)


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_threads_and_one_thread_give_the_same_bits(folders, table, small_samples):
    values = []
    for n_jobs in (1, 3):
        model = fit(MODELS["two"]()[0].set_params(n_jobs=n_jobs), folders[1], "two")
        values.append(model.predict_proba(table[INPUTS]))
    assert np.array_equal(*values)


def test_a_table_that_is_its_own_sample_has_the_weights_of_a_fit_in_memory(folders, table):
    model, target = MODELS["number"]()
    in_parts = fit(model, folders[1], target)
    sample = glade.open_partitions(folders[1]).sample(10_000)
    assert len(sample) == len(table)
    terms = in_parts.terms_
    design = terms.design.values(in_parts.encode(table[INPUTS]))
    # The weights are those of least squares, shrunk a little: refitted to the rows they hardly change.
    columns = np.column_stack((np.ones(len(design)), design))
    again, *_ = np.linalg.lstsq(columns, table[target].to_numpy(), rcond=None)
    assert np.abs(columns @ again - in_parts.predict(table[INPUTS])).max() < 0.1


@pytest.mark.parametrize("name", ["numbers", "three", "count"])
@pytest.mark.filterwarnings("ignore:terms are found on")
def test_steps_over_all_rows_lead_to_a_fixed_place(name, folders, small_samples, monkeypatch):
    """Each Newton step is shorter than the one before, also with the curvature of a few hundred rows."""
    lengths = []
    move = newton.Curvature.move

    def watch(self, models, now):
        moved = move(self, models, now)
        lengths.append(float(np.abs(moved.weights - models.weights).max()))
        return moved

    monkeypatch.setattr(newton.Curvature, "move", watch)
    monkeypatch.setattr(refine, "N_STEPS", 6)
    model, target = MODELS[name]()
    fit(model, folders[0], target)
    steps = np.reshape(lengths, (6, -1))
    assert (steps[0] > 1e-3).all()
    assert (np.diff(steps, axis=0) < 0.0).all()
    assert (steps[-1] < 0.25 * steps[0]).all()


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_rows_and_shares_of_terms_are_counted_over_all_rows(folders, table, small_samples):
    model = fit(MODELS["number"]()[0], folders[1], "number")
    frame, design = model.to_frame().iloc[1:], model.terms_.design
    is_rule = frame["kind"] == "rule"
    covered = design.values(model.encode(table[INPUTS]))[:, is_rule.to_numpy()].sum(axis=0)
    assert frame.loc[is_rule, "rows"].to_numpy() == pytest.approx(covered)


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_the_error_is_that_of_folds_on_rows_they_hold_out(folders, table, small_samples):
    model = fit(MODELS["number"]()[0], folders[0], "number")
    errors = model.errors_.set_index("metric")["value"]
    fresh = float(np.sqrt(np.mean((model.predict(table[INPUTS]) - table["number"]) ** 2)))
    assert fresh * 0.98 < errors["rmse"] < fresh * 1.15  # the terms of a fold come from few rows
    assert 1 - errors["r2"] == pytest.approx((errors["rmse"] / table["number"].std()) ** 2, 1e-3)


@pytest.mark.parametrize("name", ["number", "two", "three"])
def test_errors_over_parts_are_those_of_the_rows(name, folders, table):
    """Where the sample is the whole table, sums over parts say what is said of the rows in memory."""
    model, target = MODELS[name]()
    model.set_params(weights="greedy")
    in_parts = fit(model, folders[1], target).errors_
    values = model.oof_prediction_
    y = table[target]
    if name == "number":
        expected = {"rmse": np.sqrt(np.mean((values - y) ** 2)), "mae": np.mean(np.abs(values - y))}
    else:
        codes = np.searchsorted(model.classes_, y)
        there = values[np.arange(len(codes)), codes]
        expected = {"error": np.mean(values.argmax(axis=1) != codes), "log_loss": -np.mean(np.log(there))}
    found = in_parts.set_index("metric")["value"]
    assert {metric: found[metric] for metric in expected} == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_weights_and_groups_are_columns_of_the_table(folders, table, small_samples):
    data = glade.open_partitions(folders[2])
    model = MODELS["two"]()[0]
    model.fit(data[INPUTS], data["two"], sample_weight=data["weight"], groups=data["group"])
    plain = fit(MODELS["two"]()[0], folders[2], "two")
    assert not np.array_equal(model.predict_proba(table[INPUTS]), plain.predict_proba(table[INPUTS]))


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_models_of_partitions_are_saved_and_predict_partitions(folders, table, small_samples, tmp_path):
    model = fit(MODELS["number"]()[0], folders[1], "number")
    model.save(tmp_path / "m.glade")
    data = glade.open_partitions(folders[2])
    assert np.array_equal(glade.load(tmp_path / "m.glade").predict(data[INPUTS]), model.predict(table[INPUTS]))


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_a_fit_that_fails_leaves_the_model_as_it_was(folders, small_samples):
    model = MODELS["number"]()[0]
    with pytest.raises(ValueError, match="not numeric"):
        fit(model, folders[0], "two")
    assert not hasattr(model, "schema_")


def test_the_sample_does_not_depend_on_the_partitions(folders):
    samples = [glade.open_partitions(folder).sample(200) for folder in folders]
    assert 150 < len(samples[0]) < 250
    assert all(own.equals(samples[0]) for own in samples)
    assert samples[0].index.is_monotonic_increasing
    assert isinstance(glade.open_partitions(folders[0]), partitions.Partitions)


@pytest.mark.filterwarnings("ignore:terms are found on")
@pytest.mark.parametrize("kind", ["number", "two"])
def test_models_are_no_worse_than_those_of_all_rows_in_memory(kind, write, monkeypatch):
    """Paired over seeds: terms of a third of the rows, with the weights of all, beside a fit of all rows in memory."""
    monkeypatch.setattr(fitting, "ENOUGH_ROWS", 2_000)
    ratios = []
    for seed in range(3):
        data, fresh = (make_rows(np.random.default_rng((seed, n)), n) for n in (6_000, 4_000))
        parts, losses = glade.open_partitions(write(3, data)), []
        for table in (parts, data):
            ensemble, forest = KINDS[kind]
            model = ensemble(forest(40, max_leaf_nodes=6, max_bins=64), max_rules=8, random_state=seed)
            model.fit(table[["a", "b", "c"]], table[kind])
            if kind == "number":
                losses.append(np.mean((model.predict(fresh[["a", "b", "c"]]) - fresh[kind]) ** 2))
            else:
                shares = model.predict_proba(fresh[["a", "b", "c"]])[:, 1]
                losses.append(-np.mean(np.log(np.where(fresh[kind] == "yes", shares, 1 - shares))))
        ratios.append(losses[0] / losses[1])
    assert np.mean(ratios) < 1.01
    assert max(ratios) < 1.03


KINDS = {
    "number": (glade.RuleEnsembleRegressor, glade.ForestRegressor),
    "two": (glade.RuleEnsembleClassifier, glade.ForestClassifier),
}


def make_rows(random, n):
    X = pd.DataFrame(random.normal(size=(n, 3)), columns=["a", "b", "c"])
    number = 2.0 * (X["a"] > 0.3) + 1.5 * (X["b"] < 0.5) * (X["c"] > 0) + 0.5 * X["c"] + random.normal(0, 0.5, n)
    return X.assign(number=number, two=np.where(number + random.logistic(0, 0.5, n) > 1, "yes", "no"))
