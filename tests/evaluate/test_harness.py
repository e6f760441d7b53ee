"""Models x data x folds: the same folds for all, the same table on any number of cores, nothing lost."""

import os

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import PredefinedSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from glade import MixedTree, TreeClassifier, TreeRegressor, compare, load_penguins, metrics
from glade.core.errors import InputError, ResourceError
from glade.evaluate.baseline import Baseline

SECONDS = ["fit_seconds", "predict_seconds"]


def make_regression(seed=0, n_rows=60, n_targets=2):
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, 4))
    return X, np.column_stack([X[:, t] * 3 + rng.normal(0, 0.3, n_rows) for t in range(n_targets)])


class Failing(RegressorMixin, BaseEstimator):
    """Fails when its training rows hold more than a given number of large values."""

    def __init__(self, limit=1e9):
        self.limit = limit

    def fit(self, X, y):
        if X[:, 0].sum() > self.limit:
            raise RuntimeError("too much")
        return self

    def predict(self, X):
        return np.zeros((len(X), 2))


class Deadly(Failing):
    """Ends its process when it has 31 rows to learn from."""

    def fit(self, X, y):
        if len(X) == 31:
            os._exit(1)
        return self


@pytest.fixture(scope="module")
def penguins():
    table = load_penguins()
    targets = ["species", "body_mass_g"]
    return table.drop(columns=targets), table[targets]


def test_the_long_table_has_a_row_for_each_cell_target_and_metric():
    models = {"tree": TreeRegressor(), "line": LinearRegression()}
    result = compare(models, {"a": make_regression(0), "b": make_regression(1, n_targets=1)}, folds=3, repetitions=2)
    table = result.frame()
    assert len(table) == 2 * (3 * 2) * (2 + 1) * 2  # models x folds x targets x metrics
    assert table.groupby(["data", "model", "repetition", "fold", "target", "metric"]).size().max() == 1
    assert set(table["metric"]) == {"rmse", "rrmse"}
    assert (table["fit_seconds"] > 0).all()
    assert table.loc[table["model"] == "tree", "leaves"].notna().all()
    assert table.loc[table["model"] == "line", "leaves"].isna().all()


def test_values_are_those_of_a_plain_loop_over_the_same_folds():
    X, y = make_regression()
    result = compare({"tree": TreeRegressor(min_samples_leaf=5)}, {"a": (X, y)}, folds=4, random_state=7)
    said = result.predictions("tree")
    truth, predicted, means = np.empty_like(y), np.empty_like(y), np.empty_like(y)
    for _, part in said[said["target"] == "y0"].groupby("fold"):
        test = part["row"].to_numpy()
        train = np.setdiff1d(np.arange(len(y)), test)
        truth[test], means[test] = y[test], y[train].mean(axis=0)
        predicted[test] = TreeRegressor(min_samples_leaf=5).fit(X[train], y[train]).predict(X[test])
        values = result.frame(["rmse"]).query("fold == @part.fold.iloc[0]")["value"]
        assert_allclose(values, metrics.rmse(y[test], predicted[test]))
    pooled = result.frame(["rrmse"], by="repetition")["value"]
    assert_allclose(pooled, metrics.rrmse(truth, predicted, means))
    assert sorted(said.loc[said["target"] == "y0", "row"]) == list(range(len(y)))


def test_folds_are_the_same_for_all_models_and_independent_of_which_models_there_are():
    X, y = make_regression()
    both = compare({"tree": TreeRegressor(), "line": LinearRegression()}, {"a": (X, y)})
    alone = compare({"line": LinearRegression()}, {"b": make_regression(3), "a": (X, y)})
    assert both.predictions("tree")["row"].equals(both.predictions("line")["row"])
    assert both.predictions("line").equals(alone.predictions("line", "a"))


def test_repetitions_and_seeds_draw_other_folds():
    result = compare({"line": LinearRegression()}, {"a": make_regression()}, repetitions=2)
    other = compare({"line": LinearRegression()}, {"a": make_regression()}, random_state=1)
    first = result.predictions("line")["row"]
    assert not first.equals(result.predictions("line", repetition=1)["row"])
    assert not first.equals(other.predictions("line")["row"])


def test_two_cores_give_the_same_table_as_one():
    models = {"forest": RandomForestRegressor(5), "tree": TreeRegressor(max_features=2), "line": LinearRegression()}
    data = {"a": make_regression(0), "b": make_regression(1)}
    one, two = (compare(models, data, folds=3, n_jobs=n).frame().drop(columns=SECONDS) for n in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_a_failing_model_is_a_row_with_its_error():
    X, y = make_regression()
    sums = X[:, 0].sum() * 0.8
    result = compare({"bad": Failing(limit=sums), "tree": TreeRegressor()}, {"a": (X, y)})
    failures = result.failures()
    assert 0 < len(failures) < 5  # in some folds only
    assert set(failures["error"]) == {"RuntimeError: too much"}
    table = result.frame()
    assert len(table.query("model == 'tree'")) == 5 * 2 * 2
    assert table.query("model == 'bad' and error.notna()")["metric"].isna().all()
    assert result.predictions("bad")["fold"].nunique() == 5 - len(failures)
    with pytest.raises(InputError, match="no model 'good'"):
        result.predictions("good")
    with pytest.warns(UserWarning, match="'bad' left out"), pytest.raises(InputError, match="1 models"):
        result.ranks()


def test_where_every_model_fails_there_is_still_a_result():
    result = compare({"bad": Failing(limit=-1.0), "worse": Failing(limit=-2.0)}, {"a": make_regression()})
    assert len(result.frame()) == len(result.failures()) == 10
    assert result.predictions("bad").empty
    assert result.errors().empty
    assert result.fold_losses().empty
    assert [line.split() for line in str(result).splitlines()[2:4]] == [["bad", "-"], ["worse", "-"]]


def test_a_worker_that_dies_is_said_and_what_was_finished_is_kept(tmp_path):
    data = {"a": make_regression(), "b": make_regression(1, n_rows=61)}
    with pytest.raises(ResourceError, match=r"a worker process died.*n_jobs=1.*kept in the store"):
        compare({"line": LinearRegression(), "deadly": Deadly()}, data, folds=2, n_jobs=2, store=tmp_path)
    assert len(list(tmp_path.iterdir())) >= 1


def test_predictions_that_make_no_sense_are_errors_of_the_model():
    class Short(Failing):
        def predict(self, X):
            return np.zeros((len(X) - 1, 2))

    class Blank(Failing):
        def predict(self, X):
            return np.full((len(X), 2), np.nan)

    result = compare({"short": Short(), "blank": Blank()}, {"a": make_regression()})
    errors = result.failures().groupby("model")["error"].first()
    assert "predict gave 11 rows of 2 target(s), expected 12" in errors["short"]
    assert "NaN for target 'y0' in 12 rows" in errors["blank"]


def test_groups_stay_whole():
    X, y = make_regression()
    groups = np.repeat(np.array(["north", "south", "east", "west", "up", "down"]), 10)
    said = compare({"line": LinearRegression()}, {"a": (X, y, groups)}, folds=3).predictions("line")
    folds = said.assign(group=groups[said["row"]]).groupby("group")["fold"].nunique()
    assert folds.tolist() == [1] * 6


def test_a_single_nominal_target_is_stratified(penguins):
    X, y = penguins
    said = compare({"mode": DummyClassifier()}, {"p": (X, y["species"])}, folds=4).predictions("mode")
    shares = said.groupby("fold")["truth"].value_counts(normalize=True).unstack()
    assert (shares.max() - shares.min()).max() < 0.02


def test_mixed_targets_with_gaps_are_judged_where_they_are_known(penguins):
    result = compare({"tree": MixedTree(min_samples_leaf=5)}, {"p": penguins}, folds=3)
    table = result.frame(by="repetition").set_index(["target", "metric"])
    assert table.loc[("species", "error"), "rows"] == 344
    assert table.loc[("body_mass_g", "rmse"), "rows"] == 342
    assert table.loc[("species", "error"), "value"] < 0.1
    assert table.loc[("species", "auc"), "value"] > 0.9
    assert any("target values are missing" in note for note in result.notes())


def test_whole_numbers_are_classes_for_classifiers_and_numbers_for_regressors():
    X, _ = make_regression()
    y = (X[:, 0] * 3).astype(int)
    table = compare({"a": TreeClassifier(), "b": DecisionTreeClassifier()}, {"d": (X, y)}, folds=3).frame()
    assert set(table["metric"]) == {"error", "auc"}
    assert table["value"].notna().all()
    assert set(compare({"a": TreeRegressor()}, {"d": (X, y)}, folds=3).frame()["metric"]) == {"rmse", "rrmse"}
    with pytest.raises(InputError, match="'a' are classifiers, 'b' regressors"):
        compare({"a": TreeClassifier(), "b": TreeRegressor()}, {"d": (X, y)})


def test_probabilities_of_many_nominal_targets_are_aligned_with_their_classes():
    rng = np.random.default_rng(2)
    X = rng.random((90, 3))
    y = np.column_stack([np.where(X[:, t] > 0.5, "yes", "no") for t in range(2)])
    table = compare({"ours": TreeClassifier(), "peer": DecisionTreeClassifier()}, {"d": (X, y)}, folds=3).frame(["auc"])
    assert (table["value"] > 0.9).all()


def test_a_class_that_some_training_rows_lack_has_probability_zero():
    X = np.arange(12.0)[:, None]
    y = np.array(["a"] * 6 + ["b"] * 5 + ["rare"])
    with pytest.warns(UserWarning, match="fewer than 3 rows"):
        result = compare({"tree": TreeClassifier()}, {"d": (X, y)}, folds=3)
    assert result.failures().empty
    assert result.frame(["auc"], by="repetition")["value"].between(0.5, 1).all()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_any_library_gives_the_same_figures(penguins, library):
    X, y = penguins[0], penguins[1][["body_mass_g"]]
    keep = y["body_mass_g"].notna()
    X, y = X[keep], y[keep]
    expected = compare({"tree": TreeRegressor()}, {"p": (X, y["body_mass_g"])}, folds=2).frame().drop(columns=SECONDS)
    if library == "polars":
        X, y = (pytest.importorskip("polars").from_pandas(part) for part in (X, y))
    elif library == "pyarrow":
        X, y = (pytest.importorskip("pyarrow").Table.from_pandas(part, preserve_index=False) for part in (X, y))
    found = compare({"tree": TreeRegressor()}, {"p": (X, y)}, folds=2).frame().drop(columns=SECONDS)
    pd.testing.assert_frame_equal(found, expected)


def test_weights_reach_every_fit_and_no_metric():
    X, y = make_regression(n_targets=1)
    y = y[:, 0]
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    models = {"linear": Ridge(), "pipeline": make_pipeline(StandardScaler(), Ridge()), "guess": Baseline()}
    fold = np.arange(len(X)) % 2
    result = compare(models, {"d": (X, y)}, sample_weight=weights, folds=PredefinedSplit(fold))
    table = result.frame(["rmse"]).set_index(["model", "fold"])["value"]
    for k in range(2):
        train, test = fold != k, fold == k
        linear = Ridge().fit(X[train], y[train], sample_weight=weights[train])
        assert table["linear", k] == pytest.approx(metrics.rmse(y[test], linear.predict(X[test])))
        scaler = StandardScaler().fit(X[train])
        scaled = Ridge().fit(scaler.transform(X[train]), y[train], sample_weight=weights[train])
        assert table["pipeline", k] == pytest.approx(metrics.rmse(y[test], scaled.predict(scaler.transform(X[test]))))
        assert table["guess", k] == pytest.approx(metrics.rmse(y[test], np.full(test.sum(), y[train].mean())))


def test_weights_by_name_are_those_of_their_own_set():
    (X, y), (X2, y2) = make_regression(), make_regression(1)
    weights = np.where(np.arange(len(X)) % 3, 1.0, 0.0)
    data = {"d": (X, y), "e": (X2, y2)}
    plain = compare({"m": Ridge()}, data, folds=2).errors()
    weighted = compare({"m": Ridge()}, data, sample_weight={"e": weights}, folds=2).errors()
    assert plain.loc["d"].equals(weighted.loc["d"])
    assert not plain.loc["e"].equals(weighted.loc["e"])


def test_pipelines_are_seeded_and_sized():
    pipe = make_pipeline(StandardScaler(), RandomForestRegressor(3))
    first, second = (compare({"p": pipe}, {"a": make_regression()}, folds=2).frame() for _ in range(2))
    assert first["value"].equals(second["value"])
    assert (first["trees"] == 3).all()
    assert (first["leaves"] > 3).all()
    assert pipe.get_params()["randomforestregressor__random_state"] is None  # the user's own is left alone


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"models": {}}, "models must be a mapping"),
        ({"models": {"a": TreeRegressor}}, "'a' is no estimator"),
        ({"data": {}}, "data is empty"),
        ({"data": ["jura"]}, r"data is a list: give a mapping from names to \(X, y\)"),
        ({"data": {"d": np.zeros((3, 2))}}, r"data set 'd' is a ndarray: give \(X, y\)"),
        ({"data": {"d": (np.zeros((9, 2)), np.zeros(8))}}, "data set 'd': X has 9 rows, y has 8"),
        ({"data": {"d": (np.zeros((3, 2)), np.zeros(3))}}, "5 folds of 3 rows"),
        ({"data": {"d": (np.zeros((9, 2)), np.zeros(9), [0, 1] * 4 + [0])}}, "5 folds of 2 groups"),
        ({"data": {"d": (np.zeros((9, 2)), np.zeros(9), [0.0, np.nan] * 4 + [0])}}, "groups has no value in row 1"),
        ({"data": {"d": (np.zeros((9, 2)), np.zeros(9), [0, 1])}}, "groups has 2 values, X has 9 rows"),
        ({"data": {"d": (np.zeros((9, 2)), np.full(9, np.nan))}}, "no value is known of target 'y'"),
        ({"sample_weight": [1.0, 2.0]}, r"sample_weight.shape == \(2,\)"),
        ({"sample_weight": {"e": [1.0]}}, "sample_weight names 'e'; the data sets are 'd'"),
        ({"data": {"d": make_regression(), "e": make_regression()}, "sample_weight": [1.0]}, "there are 2 data sets"),
        ({"models": {"k": KNeighborsRegressor()}, "sample_weight": 1.0}, "the fit of 'k' takes no sample_weight"),
        ({"folds": 2.5}, "folds must be a whole number"),
        ({"repetitions": 0}, "repetitions must be a whole number of at least 1, got 0"),
    ],
)
def test_what_cannot_be_compared_is_said_before_any_fit(arguments, message):
    given = {"models": {"m": DummyRegressor()}, "data": {"d": make_regression()}} | arguments
    with pytest.raises(InputError, match=message):
        compare(**given)


def test_names_of_metrics_and_of_sets_are_checked():
    result = compare({"m": DummyRegressor()}, {"d": make_regression(), "e": make_regression(1)}, folds=2)
    with pytest.raises(InputError, match="no metric 'r2': choose among rmse, mae"):
        result.frame(["r2"])
    with pytest.raises(InputError, match="by must be 'fold' or 'repetition'"):
        result.frame(by="day")
    with pytest.raises(InputError, match="data must name one of 'd' and 'e'"):
        result.t_tests()
