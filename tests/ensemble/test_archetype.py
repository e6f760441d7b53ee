"""The archetype of any model, and the rows invented for it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC

import glade
from glade.core.errors import InputError
from glade.data.rows import recombine_rows
from glade.data.table import read_table
from glade.ensemble.synthetic_rows import Marginals, pick_cells
from tests.fitted import make_table

QUICK = {"n_invented": 500, "n_alternatives": 20, "random_state": 0}


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    return X, np.where(X[:, 0] > 0.5, np.where(X[:, 1] > 0.3, "high", "mid"), "low")


MODELS = {
    "a forest of scikit-learn": lambda: RandomForestClassifier(20, random_state=0),
    "a pipeline": lambda: make_pipeline(StandardScaler(), SVC()),
    "no probabilities": lambda: LinearSVC(),
    "our forest": lambda: glade.ForestClassifier(10, random_state=0),
    "a multi-tree": lambda: glade.MultiTreeClassifier(10, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_any_classifier_has_an_archetype(blobs, name):
    X, y = blobs
    model = MODELS[name]().fit(X, y)
    tree = glade.archetype(model, X, max_leaf_nodes=6, **QUICK)
    assert isinstance(tree, glade.TreeClassifier)
    assert tree.classes_.tolist() == ["high", "low", "mid"]
    assert tree.get_n_leaves() <= 6
    predicted = tree.predict(X) == model.predict(X)
    assert predicted.mean() > 0.85
    assert tree.agreement_ == pytest.approx(predicted.mean(), abs=0.12)
    assert len(tree.rules_) == tree.get_n_leaves()


def test_a_perfect_tree_is_found_again(blobs):
    X, y = blobs
    model = glade.TreeClassifier(max_leaf_nodes=3).fit(X, y)
    tree = glade.archetype(model, X, max_leaf_nodes=3, **QUICK)
    assert (tree.predict(X) == model.predict(X)).all()
    assert tree.get_n_leaves() == 3
    assert tree.similarity_ == pytest.approx(1)
    assert tree.agreement_ > 0.97


def test_numbers_and_many_targets():
    X, y = make_friedman1(400, random_state=0)
    Y = np.column_stack([y, -(y**2)])
    model = RandomForestRegressor(20, random_state=0).fit(X, Y)
    tree = glade.archetype(model, X, max_leaf_nodes=20, **QUICK)
    assert isinstance(tree, glade.TreeRegressor)
    assert tree.predict(X).shape == (400, 2)
    assert 0.4 < tree.agreement_ < 1
    few = glade.archetype(model, X, max_leaf_nodes=2, **QUICK)
    assert few.agreement_ < tree.agreement_
    free = glade.archetype(model, X, **QUICK)
    assert free.get_n_leaves() > 20
    one = glade.archetype(RandomForestRegressor(5, random_state=0).fit(X, y), X, max_leaf_nodes=1, **QUICK)
    assert one.get_n_leaves() == 1


def test_many_classes_of_targets():
    X, y = make_table()
    model = glade.ForestClassifier(5, random_state=0).fit(X, y[["kind", "level"]])
    tree = glade.archetype(model, X, max_leaf_nodes=8, **QUICK)
    assert tree.target_schema_.names == ("kind", "level")
    assert tree.predict(X).shape == (len(X), 2)


@pytest.mark.filterwarnings("ignore:.*unseen in training")
@pytest.mark.parametrize("invented", ["near", "marginal", "uniform"])
def test_nominal_and_missing_inputs_reach_the_model_as_they_were(invented):
    X, y = make_table()
    seen = []

    class Watched(glade.ForestRegressor):
        def predict(self, X):
            seen.append(X)
            return super().predict(X)

    model = Watched(3, random_state=0).fit(X, y["amount"])
    tree = glade.archetype(model, X, invented=invented, **QUICK)
    assert tree.feature_names_in_.tolist() == X.columns.tolist()
    for table in seen:
        pd.testing.assert_series_equal(table.dtypes, X.dtypes)
    invented_rows = seen[1]
    assert len(invented_rows) == 500
    assert invented_rows["size"].isna().mean() == pytest.approx(X["size"].isna().mean(), abs=0.06)
    assert set(invented_rows["zone"].dropna()) == set(X["zone"].dropna())


@pytest.mark.parametrize("library", [pl.from_pandas, lambda frame: pl.from_pandas(frame).to_arrow()])
def test_other_libraries(library):
    frame = glade.load_penguins().dropna()
    X = library(frame[["island", "bill_length_mm", "year"]])
    model = glade.ForestClassifier(5, random_state=0).fit(X, frame["species"].to_numpy())
    tree = glade.archetype(model, X, max_leaf_nodes=5, **QUICK)
    assert tree.agreement_ > 0.8


def test_pipelines_with_frames():
    frame = glade.load_penguins().dropna()
    X = frame[["island", "sex"]]
    model = make_pipeline(OneHotEncoder(), RandomForestClassifier(10, random_state=0)).fit(X, frame["species"])
    tree = glade.archetype(model, X, max_leaf_nodes=4, **QUICK)
    assert (tree.predict(X) == model.predict(X)).mean() > 0.9


def test_the_same_seed_gives_the_same_tree(blobs):
    X, y = blobs
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    one, two = (glade.archetype(model, X, max_leaf_nodes=5, **QUICK) for _ in range(2))
    assert one.to_text() == two.to_text()
    assert one.agreement_ == two.agreement_


def test_slips_are_named(blobs):
    X, y = blobs
    model = glade.TreeClassifier().fit(X, y)
    with pytest.raises(InputError, match="has `predict`"):
        glade.archetype("forest", X)
    with pytest.raises(ValueError, match="invented"):
        glade.archetype(model, X, invented="normal")
    with pytest.raises(ValueError, match="max_leaf_nodes"):
        glade.archetype(model, X, max_leaf_nodes=0)
    mixed = glade.MixedTree().fit(X, pd.DataFrame({"a": y, "b": X[:, 0] + X[:, 1]}))
    with pytest.raises(InputError, match="one kind of targets"):
        glade.archetype(mixed, X)


@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_the_unit_of_numbers_does_not_matter(unit):
    X = np.random.default_rng(0).random((60, 3))
    y = X[:, 0] + X[:, 1]
    usual, scaled = (glade.MultiTreeRegressor(20, random_state=0).fit(X, y * u) for u in (1.0, unit))
    one, other = (model.archetype(n_invented=200).similarity_ for model in (usual, scaled))
    assert one == pytest.approx(other, rel=1e-4)
    one, other = (glade.archetype(m, X, max_leaf_nodes=4, **QUICK).agreement_ for m in (usual, scaled))
    assert one == pytest.approx(other, rel=1e-4)


def test_constant_numbers_and_a_single_class():
    X = np.random.default_rng(0).random((30, 2))
    same = glade.archetype(glade.TreeRegressor().fit(X, np.full(30, 0.1)), X, **QUICK)
    assert (same.get_n_leaves(), same.agreement_, same.similarity_) == (1, 1.0, 1.0)
    one = glade.archetype(glade.TreeClassifier().fit(X, ["a"] * 30), X, **QUICK)
    assert (one.get_n_leaves(), one.agreement_) == (1, 1.0)


def test_few_rows():
    X, y = np.arange(6.0).reshape(-1, 1), np.array([0, 0, 0, 1, 1, 1])
    tree = glade.archetype(glade.TreeClassifier().fit(X, y), X, **QUICK)
    assert (tree.predict(X) == y).all()
    assert np.isnan(tree.agreement_)
    alone = glade.archetype(glade.TreeClassifier().fit(X[:1], y[:1]), X[:1], n_invented=0)
    assert alone.get_n_leaves() == 1


def test_marginals_are_those_of_the_table():
    X, _ = make_table()
    table = read_table(X)
    weights = 1.0 + np.arange(len(X)) % 2
    matrix = Marginals.of(table, weights).draw(40_000, "marginal", np.random.default_rng(0))
    for j, column in enumerate(table.columns):
        missing = np.isnan(column.values)
        assert np.isnan(matrix[:, j]).mean() == pytest.approx(weights[missing].sum() / weights.sum(), abs=0.01)
        values, counts = np.unique(matrix[~np.isnan(matrix[:, j]), j], return_counts=True)
        expected = [weights[column.values == value].sum() for value in values]
        np.testing.assert_allclose(counts / counts.sum(), expected / weights[~missing].sum(), atol=0.012)
    assert abs(np.corrcoef(np.nan_to_num(matrix), rowvar=False)[0, 1]) < 0.02


def test_uniform_rows_cover_range_and_labels_evenly():
    frame = pd.DataFrame({"n": [0.0, 0.1, 0.2, 10.0], "c": list("aaab"), "gone": [np.nan] * 4})
    marginals = Marginals.of(read_table(frame), np.ones(4))
    matrix = marginals.draw(20_000, "uniform", np.random.default_rng(0))
    assert matrix[:, 0].mean() == pytest.approx(5, abs=0.1)
    assert matrix[:, 1].mean() == pytest.approx(0.5, abs=0.02)
    assert np.isnan(matrix[:, 2]).all()


def test_a_thousand_quantiles_stand_for_many_values():
    values = np.random.default_rng(0).normal(size=5000)
    marginals = Marginals.of(read_table(values.reshape(-1, 1)), np.ones(5000))
    assert len(marginals.values) == 1000
    drawn = marginals.draw(20_000, "marginal", np.random.default_rng(1))[:, 0]
    np.testing.assert_allclose(np.quantile(drawn, [0.1, 0.5, 0.9]), np.quantile(values, [0.1, 0.5, 0.9]), atol=0.05)
    assert (marginals.values[0], marginals.values[-1]) == (values.min(), values.max())


def test_near_rows_differ_from_a_row_in_one_input_on_average():
    X = np.arange(4000.0).reshape(1000, 4)
    cells = pick_cells(read_table(X), 5000, "near", np.random.default_rng(0))
    rows = np.sort(cells, axis=1)
    own = np.array([np.bincount(row).argmax() for row in rows[:500]])
    assert (cells[:500] != own[:, None]).sum(axis=1).mean() == pytest.approx(1, abs=0.15)
    invented = recombine_rows(X, cells)
    assert (invented[:, 2] == X[cells[:, 2], 2]).all()


def test_uniform_cells_are_spread_over_the_range():
    X = pd.DataFrame({"n": np.append(np.linspace(0, 1, 99), 100.0), "c": ["a"] * 99 + ["b"], "m": [np.nan, 1.0] * 50})
    picked = recombine_rows(X, pick_cells(read_table(X), 4000, "uniform", np.random.default_rng(0)))
    assert (picked["n"] == 100).mean() == pytest.approx(0.5, abs=0.05)
    assert (picked["c"] == "b").mean() == pytest.approx(0.5, abs=0.05)
    assert picked["m"].isna().mean() == pytest.approx(0.5, abs=0.05)


def test_a_model_of_any_kind_has_no_regions(blobs):
    X, y = blobs
    with pytest.raises(InputError, match="use the method archetype of a fitted MultiTreeRegressor"):
        glade.archetype(RandomForestClassifier(2, random_state=0).fit(X, y), X, how="analytic")


def test_a_printed_archetype_counts_the_rows_given_and_no_synthetic_ones():
    penguins = glade.load_penguins().dropna()
    X, y = penguins[["bill_length_mm", "sex"]], penguins["body_mass_g"]
    forest = glade.ForestRegressor(10, random_state=0).fit(X, y)
    tree = glade.archetype(forest, X, n_invented=500, max_leaf_nodes=4, random_state=0)
    assert tree.tree_.rows.tolist() == tree.decision_path(X).sum(axis=0).tolist()
    assert tree.tree_.rows[0] == len(X)
