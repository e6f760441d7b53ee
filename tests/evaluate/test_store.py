"""Finished cells are kept, whole, and never computed twice."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from glade import TreeClassifier, compare, load_penguins
from glade.core.errors import InputError
from glade.evaluate.fit_results import FitResult
from glade.evaluate.keys import describe
from glade.evaluate.store import ResultStore

SECONDS = ["fit_seconds", "predict_seconds"]
CALLS = []  # a line for each fit of a Counting model


class Counting(RegressorMixin, BaseEstimator):
    """Counts its fits; stops the whole run at the given one."""

    def __init__(self, stop_at=None):
        self.stop_at = stop_at

    def fit(self, X, y):
        CALLS.append(len(X))
        if len(CALLS) == self.stop_at:
            raise KeyboardInterrupt
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)

    def get_params(self, deep=True):  # the stop is no part of what the model is
        return {"stop_at": None}

    def __sklearn_clone__(self):
        return self


@pytest.fixture
def calls():
    CALLS.clear()
    return CALLS


def make_data(seed=0):
    rng = np.random.default_rng(seed)
    return {"a": (rng.random((20, 2)), rng.random(20))}


def test_an_interrupted_run_continues_where_it_stopped(tmp_path, calls):
    with pytest.raises(KeyboardInterrupt):
        compare({"m": Counting(stop_at=4)}, make_data(), store=tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    calls.clear()
    resumed = compare({"m": Counting()}, make_data(), store=tmp_path)
    assert len(calls) == 2
    plain = compare({"m": Counting()}, make_data())
    pd.testing.assert_frame_equal(resumed.frame().drop(columns=SECONDS), plain.frame().drop(columns=SECONDS))


def test_nothing_is_computed_twice_and_seconds_are_those_of_the_first_time(tmp_path, calls):
    first = compare({"m": Counting()}, make_data(), store=tmp_path).frame()
    again = compare({"other name": Counting()}, {"renamed": make_data()["a"]}, store=tmp_path).frame()
    assert len(calls) == 5
    assert again["fit_seconds"].equals(first["fit_seconds"])


@pytest.mark.parametrize(
    "change",
    [
        {"random_state": 1},
        {"folds": 4},
        {"data": make_data(1)},
        {"models": {"m": LinearRegression()}},
        {"sample_weight": 2.0},
    ],
)
def test_what_changes_the_result_changes_the_name(tmp_path, change):
    given = {"models": {"m": Ridge()}, "data": make_data(), "store": tmp_path}
    compare(**given)
    n_before = len(list(tmp_path.iterdir()))
    compare(**given | change)
    assert len(list(tmp_path.iterdir())) > n_before


def test_parameters_are_part_of_the_name_however_deep():
    pipe = make_pipeline(StandardScaler(), Ridge(alpha=1.0))
    assert describe(pipe) == describe(make_pipeline(StandardScaler(), Ridge(alpha=1.0)))
    assert describe(pipe) != describe(make_pipeline(StandardScaler(), Ridge(alpha=2.0)))
    weights = TreeClassifier(target_weights=np.array([1.0, 2.0]))
    assert describe(weights) == describe(TreeClassifier(target_weights=np.array([1.0, 2.0])))
    assert describe(weights) != describe(TreeClassifier(target_weights=np.array([1.0, 3.0])))


def test_what_has_no_name_is_refused_before_any_fit(tmp_path, calls):
    models = {"m": Counting(), "nameless": make_pipeline(FunctionTransformer(lambda X: X), Ridge())}
    with pytest.raises(InputError, match="cannot be named in a store"):
        compare(models, make_data(), store=tmp_path)
    assert calls == []
    assert compare(models, make_data()).failures().empty


@pytest.mark.parametrize("harm", [lambda b: b[:-5], lambda b: b[:40], lambda b: b"", lambda b: b[:60] + b"x" + b[61:]])
def test_a_damaged_cell_is_computed_anew(tmp_path, calls, harm):
    expected = compare({"m": Counting()}, make_data(), store=tmp_path).frame().drop(columns=SECONDS)
    victim = sorted(tmp_path.iterdir())[2]
    victim.write_bytes(harm(victim.read_bytes()))
    calls.clear()
    found = compare({"m": Counting()}, make_data(), store=tmp_path).frame().drop(columns=SECONDS)
    assert len(calls) == 1
    pd.testing.assert_frame_equal(found, expected)


def test_failures_are_tried_again(tmp_path):
    class Moody(Counting):
        fails = True

        def fit(self, X, y):
            if Moody.fails:
                raise RuntimeError("not today")
            return super().fit(X, y)

    assert len(compare({"m": Moody()}, make_data(), store=tmp_path).failures()) == 5
    assert list(tmp_path.iterdir()) == []
    Moody.fails = False
    assert compare({"m": Moody()}, make_data(), store=tmp_path).failures().empty


def test_all_that_a_cell_holds_comes_back(tmp_path):
    penguins = load_penguins()
    data = {"p": (penguins.drop(columns="species"), penguins["species"])}
    first, second = (compare({"tree": TreeClassifier()}, data, store=tmp_path) for _ in range(2))
    pd.testing.assert_frame_equal(first.frame(["error", "auc", "accuracy"]), second.frame(["error", "auc", "accuracy"]))
    assert first.notes() == second.notes()


def test_many_writers_of_one_cell_leave_a_whole_one(tmp_path):
    store = ResultStore(tmp_path)
    results = [FitResult((np.full(5000, float(k)),), (None,), (float(k),)) for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda result: [store.save("one", result) for _ in range(20)], results))
    found = store.load("one")
    assert (found.predicted[0] == found.reference[0]).all()
    assert [path.name for path in tmp_path.iterdir()] == ["one.cell"]


def test_two_processes_share_a_store(tmp_path):
    code = (
        "import sys, numpy as np; from glade import compare; from sklearn.linear_model import Ridge;"
        "rng = np.random.default_rng(0); X = rng.random((40, 3));"
        "print(compare({'m': Ridge()}, {'a': (X, X[:, 0])}, folds=20, store=sys.argv[1]).frame()['value'].sum())"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE) for _ in range(2)]
    outputs = {process.communicate()[0] for process in running}
    assert len(outputs) == 1
    assert [process.returncode for process in running] == [0, 0]
    assert len(list(tmp_path.iterdir())) == 20


def test_a_store_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"the store .* cannot be made"):
        compare({"m": Counting()}, make_data(), store=tmp_path / "file")
