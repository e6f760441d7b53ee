"""What follows from the long table: errors to rank by, ranks, tests."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor, compare
from glade.evaluate import statistics


@pytest.fixture(scope="module")
def result():
    data = {}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.random((80, 3))
        data[f"set{seed}"] = (X, np.column_stack([X[:, 0] * 2 + rng.normal(0, 0.2, 80), X[:, 1] - X[:, 2]]))
    models = {"mean": DummyRegressor(), "tree": TreeRegressor(), "line": LinearRegression()}
    return compare(models, data, folds=4, repetitions=2)


def test_errors_over_targets_and_over_sets(result):
    over_targets, over_sets = result.errors(), result.errors(over="sets")
    assert over_targets.shape == (8, 3)
    assert over_sets.shape == (4, 3)
    assert_allclose(over_sets, over_targets.groupby(level="data").mean())
    long = result.frame(["rrmse"], by="repetition").query("data == 'set1' and target == 'y0' and model == 'tree'")
    assert over_targets.loc[("set1", "y0"), "tree"] == pytest.approx(long["value"].mean())
    assert_allclose(over_targets["mean"], 1.0, atol=1e-12)  # by definition


def test_a_printed_comparison_has_the_mean_loss_of_each_model_on_each_set(result):
    title, heads, *rows, note = str(result).splitlines()
    assert title == "Comparison of 3 models on 4 data sets, 4 folds, drawn 2 times"
    assert heads.split() == ["mean", "loss", *result.data]
    losses = result.frame(["rrmse"], by="repetition").groupby(["model", "data"])["value"].mean()
    for model, row in zip(result.models, rows, strict=True):
        assert row.split() == [model, *(f"{losses[model, name]:.4f}" for name in result.data)]
    assert "frame()" in note


def test_metrics_of_which_more_is_better_are_negated(result):
    more = result.frame(["correlation"], by="repetition").query("data == 'set0' and target == 'y0' and model == 'line'")
    assert result.errors("correlation").loc[("set0", "y0"), "line"] == pytest.approx(-more["value"].mean())
    assert result.ranks("correlation").idxmin() == "line"


def test_sizes_and_seconds_have_one_measurement_for_each_set(result):
    leaves = result.errors("leaves")
    assert len(leaves) == 4
    assert (leaves["tree"] > 30).all()
    assert len(result.errors("fit_seconds")) == 4


def test_models_of_all_kinds_are_ranked_by_size():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = X[:, 0] + (X[:, 1] > 0) + 0.1 * rng.normal(size=150)
    grove = ForestRegressor(5, max_depth=3)
    models = {
        "tree": TreeRegressor(max_leaf_nodes=3),
        "forest": ForestRegressor(10),
        "rules": RuleEnsembleRegressor(grove, max_rules=6),
    }
    result = compare(models, {"toy": (X, y), "other": (X, -y)}, folds=2)
    row = result.frame(["rrmse"]).groupby("model").first()
    assert row.loc["rules", "size"] == row.loc["rules", "terms"] <= 6
    assert row.loc["forest", "size"] == row.loc["forest", "leaves"] > 6
    assert result.ranks("size")["forest"] == 3.0
    assert list(result.errors("size").columns) == list(models)


def test_ranks_and_tests_are_those_of_the_errors(result):
    errors = result.errors()
    assert result.ranks().to_dict() == errors.rank(axis=1).mean().to_dict()
    assert result.ranks().idxmin() == "line"
    assert result.friedman() == statistics.friedman(errors)
    assert result.friedman(over="sets").n_measurements == 4
    pd.testing.assert_frame_equal(result.nemenyi(), statistics.nemenyi(errors))
    pd.testing.assert_frame_equal(result.wilcoxon("rmse", "sets"), statistics.wilcoxon(result.errors("rmse", "sets")))


def test_the_diagram_is_that_of_the_errors(result):
    pytest.importorskip("matplotlib").use("agg")
    assert result.diagram().ranks.index[0] == "line"
    labels = " ".join(text.get_text() for text in result.plot().texts)
    assert "line (1.00)" in labels


def test_t_tests_on_one_set_use_all_folds_of_all_repetitions(result):
    losses = result.fold_losses("set0")
    assert losses.shape == (8, 3)
    p_values = result.t_tests("set0")
    pairs = [("mean", "tree"), ("mean", "line"), ("tree", "line")]
    raw = {pair: statistics.corrected_t_test(losses[pair[0]] - losses[pair[1]], 20 / 60) for pair in pairs}
    least = min(raw, key=raw.get)
    assert p_values.loc[least] == pytest.approx(3 * raw[least])  # Holm: the least of three counts three times
    assert p_values.loc["mean", "line"] < 0.05
