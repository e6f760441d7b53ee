"""Saving and loading changes nothing that a model says."""

import datetime
import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold

import glade
from glade.core.errors import InputError
from glade.core.plain_values import to_json
from glade.grow.node_table import SplitKind
from glade.models.saved.container import pack, unpack
from glade.models.saved.values import from_json
from tests.fitted import MAKERS, fit, make_new_rows, make_table
from tests.golden.make import FOLDER

pytestmark = pytest.mark.filterwarnings("ignore:.*unseen in training")
PER_MODEL = (
    "feature_importances_",
    "target_importances_",
    "rule_importances_",
    "n_iter_",
    "size_",
    "oob_score_",
)
ARRAYS = ("predict", "predict_proba", "apply", "transform", "decision_path")


@pytest.fixture
def twin(tmp_path):
    """Save a model and load it."""

    def make(model):
        model.save(tmp_path / "model.glade")
        return glade.load(tmp_path / "model.glade")

    return make


def list_answers(model) -> Iterator[tuple[str, object]]:
    """All that a model says."""
    X = make_new_rows()
    for name in PER_MODEL:
        if hasattr(model, name):
            yield name, getattr(model, name)
    for name in ARRAYS:
        if hasattr(model, name):
            yield name, getattr(model, name)(X)
    if hasattr(model, "to_text"):
        yield "to_text", model.to_text()
    if hasattr(model, "rules_"):
        yield "rules_", model.rules_.to_frame()
        yield "covers", model.rules_.covers(X)
    if hasattr(model, "with_rules"):
        yield "path_", model.path_.frame()
        yield "path_, differences", [step.difference_error for step in model.model_.path.steps]
        for k in (0, 3, 10, 40):
            yield f"with_rules({k})", model.with_rules(k).predict(X)
    if hasattr(model, "archetype"):
        yield "n_solutions_", model.n_solutions_
        yield "archetype", model.archetype(n_invented=500).to_text()
        yield "archetype, uniform", model.archetype(n_invented=500, invented="uniform").to_text()
        yield "occam", model.occam().to_text()
    if hasattr(model, "pruned"):
        yield "pruned", model.pruned(0.01).to_text()


def assert_same(a, b) -> None:
    """Equal in type and in every bit."""
    assert type(a) is type(b)
    if isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b, check_exact=True)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()
    elif isinstance(a, dict):
        assert list(a) == list(b)
        assert_same(list(a.values()), list(b.values()))
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other)
    elif hasattr(a, "toarray"):
        assert_same(a.toarray(), b.toarray())
    else:
        assert a == b


@pytest.mark.parametrize("name", MAKERS)
def test_a_loaded_model_says_the_same(twin, name):
    model = fit(name)
    loaded = twin(model)
    assert type(loaded) is type(model)
    answers = dict(list_answers(model))
    assert {"predict", "size_"} <= set(answers)
    assert_same(dict(list_answers(loaded)), answers)
    assert str(loaded.get_params()) == str(model.get_params())


@pytest.mark.parametrize("name", MAKERS)
def test_the_bytes_depend_on_the_model_only(twin, tmp_path, name):
    loaded = twin(fit(name))
    first = (tmp_path / "model.glade").read_bytes()
    loaded.save(tmp_path / "model.glade")
    assert (tmp_path / "model.glade").read_bytes() == first


def test_every_estimator_is_among_the_models():
    """What glade offers can be saved, and is saved here."""
    offered = {kind for kind in (getattr(glade, name) for name in glade.__all__) if hasattr(kind, "save")}
    assert {type(fit(name)) for name in MAKERS} == offered


def test_a_loaded_model_is_an_estimator_like_any_other(twin):
    X, y = make_table()
    loaded = twin(fit("tree, one number"))
    assert loaded.feature_names_in_.tolist() == X.columns.tolist()
    assert loaded.score(X, y["amount"]) == fit("tree, one number").score(X, y["amount"])
    again = clone(loaded).fit(X, y["amount"])
    assert again.to_text() == loaded.to_text()
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(X[X.columns[::-1]])


def test_a_loaded_forest_grows_on(twin):
    X, y = make_table()
    whole = glade.ForestRegressor(6, random_state=0).fit(X, y["amount"])
    half = twin(glade.ForestRegressor(3, warm_start=True, random_state=0).fit(X, y["amount"]))
    assert_same(half.set_params(n_estimators=6).fit(X, y["amount"]).predict(X), whole.predict(X))


def test_a_loaded_multitree_has_no_rows_to_grow_on(twin):
    loaded = twin(fit("multi-tree, numbers"))
    with pytest.raises(InputError, match="no training rows to grow on"):
        loaded.grow_more(1)


def test_out_of_bag_error_and_curves_are_kept(twin):
    model = fit("forest, numbers")
    loaded = twin(model)
    assert_same(loaded.oob_curve_.frame(), model.oob_curve_.frame())
    assert not hasattr(loaded, "oob_prediction_")
    pruned = fit("tree, numbers, pruned")
    assert_same(twin(pruned).cv_path_.mean, pruned.cv_path_.mean)


@pytest.mark.parametrize("library", [pl.DataFrame, lambda frame: pl.DataFrame(frame).to_arrow()])
def test_mixed_models_answer_in_the_library_of_their_targets(twin, library):
    rng = np.random.default_rng(0)
    y = library({"a": rng.random(40), "b": ["x", "y"] * 20})
    X = rng.random((40, 2))
    model = glade.MixedTree(max_depth=2).fit(X, y)
    assert twin(model).predict(X).equals(model.predict(X))


def test_numbered_columns_keep_their_numbers(twin):
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 2)), pd.DataFrame({3: rng.random(40), 7: ["x", "y"] * 20})
    model = glade.MixedForest(2, random_state=0).fit(X, y)
    assert_same(twin(model).predict(X), model.predict(X))
    assert twin(model).predict(X).columns.tolist() == [3, 7]


LABELS = {
    "text": ["a", "b"],
    "text that ends in NUL": ["a\0", "b"],
    "text in any script": ["naïve", "\N{GREEK SMALL LETTER ALPHA}", "\U0001f427"],
    "booleans": [False, True],
    "whole numbers": [-3, 2**40],
    "whole numbers beyond int64": [3, 2**70],
    "NumPy booleans": [np.bool_(False), np.bool_(True)],
    "NumPy integers": [np.int32(1), np.int32(7)],
    "whole floats": [1.0, 2.5e10],
    "NumPy floats": [np.float32(1), np.float32(3)],
}


@pytest.mark.parametrize("case", LABELS)
def test_classes_and_categories_come_back_with_their_types(twin, case):
    column = pd.Series(LABELS[case] * 20, dtype=object)
    X = pd.DataFrame({"label": column.astype("category"), "x": np.arange(len(column))})
    model = glade.TreeClassifier(max_depth=3).fit(X, column)
    loaded = twin(model)
    assert_same(loaded.classes_, model.classes_)
    assert_same(loaded.schema_, model.schema_)
    for a, b in zip(loaded.schema_.labels[0], model.schema_.labels[0], strict=True):
        assert type(a) is type(b)
    assert_same(loaded.predict(X), model.predict(X))


class Thing:
    """An object that can be told from others, and no more."""

    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        return self.number < other.number


STRANGE = {
    "Timestamp": pd.to_datetime(["2020-01-01", "2021-01-01"]),
    "Timedelta": pd.to_timedelta([1, 2], "D"),
    "Period": pd.period_range("2020", periods=2, freq="Y"),
    "date": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
    "Decimal": [Decimal(1), Decimal(2)],
    "Fraction": [Fraction(1, 2), Fraction(3, 2)],
    "frozenset": pd.Index([frozenset([1]), frozenset([1, 2])]),
    "bytes": [b"a", b"b"],
    "Thing": [Thing(1), Thing(2)],
}
REMEDY = "which no model can keep: turn its categories into text, e.g. by .astype(str), or into numbers"


def categories_of(kind):
    return pd.Series(pd.Categorical.from_codes([0, 1] * 10, categories=pd.Index(STRANGE[kind])))


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("kind", STRANGE)
def test_labels_that_no_model_can_keep_are_refused_by_the_fit(kind, ordered):
    X = pd.DataFrame({"x": np.arange(20.0), "when": categories_of(kind)})
    if ordered:
        X["when"] = X["when"].cat.as_ordered()
    with pytest.raises(ValueError, match=f"^column 'when' has a category of type {kind}, .*{re.escape(REMEDY)}$"):
        glade.TreeRegressor().fit(X, X["x"])
    with pytest.raises(ValueError, match=f"^target 'when' has a category of type {kind}, .*{re.escape(REMEDY)}$"):
        glade.TreeClassifier().fit(X[["x"]], X["when"])


def test_labels_within_labels_are_looked_at_too():
    pairs = pd.Index([(1, Decimal(1)), (2, "a")], tupleize_cols=False)
    tuples = pd.Series(pd.Categorical.from_codes([0, 1] * 10, pairs))
    spans = pd.Series(pd.cut(pd.date_range("2020", periods=20), 2))
    for labels, kind in ((tuples, "Decimal"), (spans, "Timestamp")):
        with pytest.raises(ValueError, match=f"^column 'a' has a category of type {kind}, "):
            glade.TreeRegressor().fit(pd.DataFrame({"a": labels}), np.arange(20.0))


def test_numbers_of_types_that_no_model_can_keep_are_no_classes():
    """As amounts they are fine."""
    X, y = np.arange(20).reshape(-1, 1), [Decimal(1), Decimal(2)] * 10
    with pytest.raises(ValueError, match=f"^target 'y' has a category of type Decimal, .*{re.escape(REMEDY)}$"):
        glade.TreeClassifier().fit(X, y)
    assert glade.TreeRegressor().fit(X, y).predict(X).mean() == 1.5


KINDS = ("Regressor", "Classifier", "Mixed")


@pytest.mark.parametrize("name", [name for name in glade.__all__ if any(kind in name for kind in KINDS)])
def test_every_estimator_refuses_labels_that_no_model_can_keep(name):
    times = categories_of("Timestamp")
    X = pd.DataFrame({"x": np.arange(20.0), "when": times})
    y = pd.DataFrame({"n": X["x"], "c": np.where(X["x"] > 9, "a", "b")})
    own = dict(zip(KINDS, (y["n"], y["c"], y), strict=True))[next(kind for kind in KINDS if kind in name)]
    with pytest.raises(ValueError, match=r"^column 'when' has a category of type Timestamp, "):
        getattr(glade, name)().fit(X, own)
    if not name.endswith("Regressor"):
        bad = y.assign(c=times) if name.startswith("Mixed") else times.rename("c")
        with pytest.raises(ValueError, match=r"^target 'c' has a category of type Timestamp, "):
            getattr(glade, name)().fit(X[["x"]], bad)


def test_labels_that_no_file_can_hold_are_refused_when_saving_too(tmp_path):
    """A model that an older version pickled may have some."""
    model = glade.TreeRegressor().fit(pd.DataFrame({"when": ["a", "b"] * 10}), np.arange(20.0))
    model.schema_ = replace(model.schema_, labels=((pd.Timestamp("2020"), pd.Timestamp("2021")),))
    with pytest.raises(InputError, match="'when' has a category of type Timestamp, which no model file can hold"):
        model.save(tmp_path / "m.glade")
    assert list(tmp_path.iterdir()) == []


def test_parameters_that_are_no_plain_values_return_to_their_defaults(twin):
    X, y = make_table()
    generator = glade.ForestRegressor(3, max_depth=2, random_state=np.random.RandomState(0))
    model = glade.RuleEnsembleRegressor(generator, target_weights=np.array([1.0, 2.0]), random_state=0)
    model.fit(X, y[["amount", "count"]])
    with pytest.warns(UserWarning, match="does not keep 'random_state': the loaded model has the default"):
        loaded = twin(model)
    assert loaded.generator.get_params() == {**generator.get_params(), "random_state": None}
    assert_same(loaded.target_weights, model.target_weights)
    tree = glade.TreeRegressor(cv=KFold(3), target_weights=(2.0,)).fit(X, y["amount"])
    with pytest.warns(UserWarning, match="does not keep 'cv'"):
        loaded = twin(tree)
    assert (loaded.cv, loaded.target_weights) == (5, (2.0,))


def test_models_of_others_and_unfitted_ones_are_refused(tmp_path):
    class Own(glade.TreeRegressor):
        pass

    with pytest.raises(InputError, match="Own is none of them"):
        Own().fit([[0.0], [1.0]], [0.0, 1.0]).save(tmp_path / "m")
    with pytest.raises(ValueError, match="not fitted"):
        glade.TreeRegressor().save(tmp_path / "m")
    with pytest.raises(InputError, match="there is no folder"):
        fit("tree, text").save(tmp_path / "none" / "m")


def test_a_file_is_safetensors_with_one_document(tmp_path):
    fit("tree, text").save(tmp_path / "m")
    content = (tmp_path / "m").read_bytes()
    document, arrays = unpack(content)
    assert (document["format"], document["model"]) == (2, "TreeClassifier")
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    assert set(header) == {"__metadata__", *arrays}
    assert pack({k: v for k, v in document.items() if k not in ("sha256", "format")}, arrays) == content


def test_the_same_model_is_the_same_file_in_another_process(tmp_path):
    fit_and_save = (
        "import sys, glade, numpy as np; X = np.random.default_rng(0).random((50, 3));"
        "glade.ForestRegressor(3, random_state=0).fit(X, X).save(sys.argv[1])"
    )
    command = [sys.executable, "-c", fit_and_save, str(tmp_path / "there")]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    X = np.random.default_rng(0).random((50, 3))
    glade.ForestRegressor(3, n_jobs=2, random_state=0).fit(X, X).set_params(n_jobs=None).save(tmp_path / "here")
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


@pytest.mark.parametrize("name", [name for name in MAKERS if "rule" in name or name == "fire"])
def test_every_rule_ensemble_has_a_model_without_rules(name):
    """Also where one input decides the target, and soft rules are found again after the folds have judged."""
    model = fit(name).with_rules(0)
    assert model.size_.terms == 0
    assert model.path_.frame()["terms"].iloc[0] == 0
    predicted = model.predict(make_new_rows())
    assert len(pd.DataFrame(predicted).drop_duplicates()) == 1


def test_a_path_of_an_older_version_without_the_empty_step_says_what_its_least_model_is():
    model = glade.load(FOLDER / "soft-rules-one-input.glade")
    assert model.path_.frame()["terms"].iloc[0] == 1
    with pytest.raises(ValueError, match="the smallest model of this fit has 1 rule: ask for at least so many"):
        model.with_rules(0)


@pytest.mark.parametrize("form", [list, lambda labels: pd.Series(labels, dtype=object)])
def test_a_class_of_a_million_letters_among_two_thousand_is_learned_and_kept(twin, form):
    """As NumPy holds text, in which each label is as long as the longest, they would take eight gigabytes."""
    labels = ["a" * 10**6, *(f"b{k}" for k in range(1999))]
    X = np.arange(2000.0)[:, None]
    tracemalloc.start()
    model = glade.TreeClassifier(max_leaf_nodes=8).fit(X, form(labels))
    loaded = twin(model)
    predicted = loaded.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 600e6
    assert loaded.classes_.dtype == model.classes_.dtype == object
    assert loaded.classes_.tolist() == model.classes_.tolist() == sorted(labels)
    assert predicted.tolist() == model.predict(X).tolist()


def test_uneven_text_in_a_list_of_rows_keeps_its_shape_and_ragged_rows_are_named():
    long = "a" * 5000
    model = glade.TreeClassifier().fit([[long, 1.0], ["b", 2.0]] * 5, [0, 1] * 5)
    assert model.predict([["b", 2.0], [long, 1.0]]).tolist() == [1, 0]
    with pytest.raises(ValueError, match="row 1 has 1 values, row 0 has 2"):
        glade.TreeClassifier().fit([[long, 1.0], ["b"]], [0, 1])


def test_a_number_of_threads_that_no_file_may_ask_for_is_named_when_saving(tmp_path):
    model = glade.TreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    forest = glade.ForestRegressor(2).fit([[0.0], [1.0]], [0.0, 1.0]).set_params(n_jobs=5000)
    with pytest.raises(InputError, match="n_jobs=5000 is no number of threads that a model file may ask for"):
        forest.save(tmp_path / "model.glade")
    model.save(tmp_path / "model.glade")


def test_an_array_with_missing_numbers_is_a_parameter_like_others():
    values = np.array([[1.0, np.nan], [np.inf, -2.0]], np.float32)
    assert from_json(to_json(values)).tobytes() == values.tobytes()


@pytest.mark.parametrize("file", ["tree-whole-numbers", "forest-mixed"])
def test_a_file_that_names_no_kinds_of_splits_is_saved_again_with_them(tmp_path, file):
    """Format 1 had NaN for the cut of a nominal split, and infinity for that of the test "is missing"."""
    arrays = unpack((FOLDER / f"{file}.glade").read_bytes())[1]
    (cut,) = (array for name, array in arrays.items() if name.endswith("/split_cut"))
    assert np.isnan(cut).any()
    assert np.isinf(cut).any()
    glade.load(FOLDER / f"{file}.glade").save(tmp_path / "again.glade")
    again = unpack((tmp_path / "again.glade").read_bytes())[1]
    (new_cut,) = (array for name, array in again.items() if name.endswith("/split_cut"))
    (kind,) = (array for name, array in again.items() if name.endswith("/split_kind"))
    np.testing.assert_array_equal(kind == SplitKind.NOMINAL, np.isnan(cut))
    np.testing.assert_array_equal(kind == SplitKind.IS_MISSING, np.isinf(cut))
    np.testing.assert_array_equal(new_cut, np.where(np.isfinite(cut), cut, 0.0))
