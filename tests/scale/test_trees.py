"""Forests and trees of tables in partitions grow on samples, and are judged on rows beside them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import glade
from glade.core.seeds import draw_seed
from glade.scale import fit, grow
from glade.scale.draws import JUDGE, draw_uniform
from tests.scale.conftest import N_ROWS, N_SAMPLE
from tests.scale.test_rules import INPUTS

pytestmark = pytest.mark.filterwarnings("ignore:trees are grown on", "ignore:each 5 trees are grown on")

MODELS = {
    "numbers": (glade.ForestRegressor(10, random_state=0), ["number", "second"]),
    "per target": (glade.ForestRegressor(10, per_target=True, random_state=0), ["number", "second"]),
    "classes": (glade.ForestClassifier(12, method="isle", random_state=0), "three"),
    "mixed": (glade.MixedForest(10, method="extra_trees", random_state=0), ["number", "two"]),
    "boosted": (glade.ForestRegressor(20, method="boosting", random_state=0), "number"),
    "out of bag": (glade.ForestRegressor(20, oob_score=True, random_state=0), "number"),
    "tree": (glade.TreeClassifier(max_depth=4, random_state=0), "two"),
}
GROWN_APART = ["numbers", "per target", "classes", "mixed"]


def fit_to(folder, name, n_jobs=None, **how):
    model, target = MODELS[name]
    model = clone(model).set_params(**({} if n_jobs is None else {"n_jobs": n_jobs}))
    data = glade.open_partitions(folder, **how)
    return model.fit(data[INPUTS], data[target])


def values(model, table):
    return model.predict_values(model.encode(table[INPUTS]))


@pytest.mark.parametrize("name", MODELS)
def test_trees_are_the_same_whatever_the_partitions(name, folders, table, small_samples):
    grown = [values(fit_to(folder, name), table) for folder in folders[: 3 if name in GROWN_APART else 2]]
    assert all(np.array_equal(own, grown[0]) for own in grown)


def test_trees_are_the_same_whatever_the_threads(folders, table, small_samples):
    grown = [values(fit_to(folders[1], "numbers", n_jobs), table) for n_jobs in (1, 2, 3)]
    assert all(np.array_equal(own, grown[0]) for own in grown)


def test_a_tree_does_not_depend_on_how_many_there_are(folders, small_samples):
    data = glade.open_partitions(folders[1])
    few, many = (glade.ForestRegressor(n, random_state=0).fit(data[INPUTS], data["number"]).trees_ for n in (7, 12))
    for own, other in zip(few, many, strict=False):
        assert np.array_equal(own.value, other.value)
        assert np.array_equal(own.split_cut, other.split_cut)


def test_each_few_trees_have_rows_of_their_own_and_none_has_those_that_judge(
    folders, table, small_samples, monkeypatch
):
    seen = []
    read = grow.GrowTrees.read

    def watch(self, task):
        training = read(self, task)
        seen.append(training.table.to_matrix()[:, 0])
        return training

    monkeypatch.setattr(grow.GrowTrees, "read", watch)
    forest = fit_to(folders[1], "numbers")
    assert len(seen) == 2
    known = table["a"].value_counts()
    alone = [{value for value in own.tolist() if known[value] == 1} for own in seen]
    assert 0.2 < len(alone[0] & alone[1]) / len(alone[0]) < 0.6  # drawn at random: two of five rows in both
    assert all(0.8 * N_SAMPLE < len(own) < N_SAMPLE for own in seen)
    is_judge = draw_uniform(draw_seed(0), JUDGE, np.arange(N_ROWS)) < fit.JUDGED_ROWS / N_ROWS
    judges = set(table["a"][is_judge]) & set(known.index[known == 1])
    assert judges
    assert not judges & (alone[0] | alone[1])
    errors = forest.errors_.set_index(["target", "metric"])
    own = np.sqrt(np.mean((forest.predict(table[INPUTS])[:, 0] - table["number"])[is_judge] ** 2))
    assert errors.loc[("number", "rmse"), "value"] == pytest.approx(own)
    assert errors.loc[("number", "rmse"), "standard_error"] > 0


@pytest.mark.parametrize("name", ["numbers", "classes"])
def test_trees_are_those_of_a_fit_in_memory_to_the_rows_of_their_task(name, write, table, small_samples):
    """The slow twin: rows are picked out of the whole table; inputs of few values have the same edges on any sample."""
    rough = table.assign(**{column: table[column].clip(-2, 2).round() for column in "abc"})
    forest, rows, seed = fit_to(write(7, rough), name), np.arange(N_ROWS), draw_seed(0)
    is_judge = draw_uniform(seed, JUDGE, rows) < fit.JUDGED_ROWS / N_ROWS
    for task in range(2):
        drawn = (draw_uniform(seed, grow.TREES + task, rows) < N_SAMPLE / N_ROWS) & ~is_judge
        twin, target = MODELS[name]
        twin = clone(twin).set_params(random_state=seed, n_estimators=5 * (task + 1))
        twin.fit(rough.loc[drawn, INPUTS], rough.loc[drawn, target])
        for m in range(5 * task, 5 * task + 5):
            own, other = forest.trees_[m], twin.trees_[m]
            assert np.array_equal(own.split_input, other.split_input)
            assert np.array_equal(own.split_cut, other.split_cut)
            assert np.array_equal(own.rows, other.rows)
            assert np.allclose(own.value, other.value, rtol=1e-12)


def test_a_table_that_is_its_own_sample_has_the_forest_of_a_fit_in_memory(folders, table):
    forest, target = MODELS["numbers"]
    in_memory = clone(forest).set_params(random_state=draw_seed(0)).fit(table[INPUTS], table[target])
    assert np.array_equal(values(fit_to(folders[1], "numbers"), table), values(in_memory, table))


def test_forests_of_samples_are_no_worse_than_one_of_as_many_rows_in_memory(write, small_samples):
    """Paired over seeds: each five trees with rows of their own see more of the table than one sample shows."""
    better = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        data = make_rows(random, 12_000)
        fresh = make_rows(random, 3_000)
        parts = glade.open_partitions(write(3, data))
        forest = glade.ForestRegressor(20, min_samples_leaf=3, random_state=seed)
        losses = []
        for X, y in ((parts[["a", "b", "c"]], parts["y"]), (data[["a", "b", "c"]][:N_SAMPLE], data["y"][:N_SAMPLE])):
            forest.fit(X, y)
            losses.append(np.mean((forest.predict(fresh[["a", "b", "c"]]) - fresh["y"]) ** 2))
        better.append(losses[0] / losses[1])
    assert np.mean(better) < 1.0
    assert max(better) < 1.02


def make_rows(random, n):
    X = pd.DataFrame(random.normal(size=(n, 3)), columns=["a", "b", "c"])
    return X.assign(y=2.0 * (X["a"] > 0.3) + (X["b"] < 0.5) * X["c"] + random.normal(0, 0.5, n))
