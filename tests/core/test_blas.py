"""Linear algebra takes one thread within a fit, and as many as before after it."""

import threading
from contextlib import contextmanager

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  # it brings a library of its own
from threadpoolctl import ThreadpoolController

from glade import ForestRegressor, RuleEnsembleRegressor
from glade.core.blas import one_blas_thread
from glade.rules import design
from glade.weights.solver import Solver

BLAS = ThreadpoolController().select(user_api="blas")
X = np.random.default_rng(0).random((60, 3))
MODEL = RuleEnsembleRegressor(ForestRegressor(5, max_depth=2), weights="greedy", cv=2, random_state=0)


def count():
    return [library["num_threads"] for library in BLAS.info()]


@pytest.fixture(autouse=True)
def two_threads():
    with BLAS.limit(limits=2):
        if set(count()) != {2}:
            pytest.skip("this machine has one core, or no library that can be limited")
        yield


def test_a_fit_takes_one_thread_and_gives_the_others_back(monkeypatch):
    seen, judge = [], Solver.judge
    monkeypatch.setattr(Solver, "judge", lambda *given: seen.append(count()) or judge(*given))
    model = MODEL.fit(X, X[:, 0] + X[:, 1])
    assert seen == [[1] * len(count())]
    assert set(count()) == {2}
    model.predict(X)
    assert set(count()) == {2}


def test_a_fit_that_fails_gives_the_threads_back(monkeypatch):
    def fail(*given):
        raise RuntimeError(str(set(count())))

    monkeypatch.setattr(Solver, "judge", fail)
    with pytest.raises(RuntimeError, match=r"\{1\}"):
        MODEL.fit(X, X[:, 0] + X[:, 1])
    assert set(count()) == {2}


def test_predictions_of_many_rows_take_one_thread(monkeypatch):
    model, seen = MODEL.fit(X, X[:, 0] + X[:, 1]), []

    @contextmanager
    def watch():
        with one_blas_thread():
            seen.append(set(count()))
            yield

    monkeypatch.setattr(design, "one_blas_thread", watch)
    monkeypatch.setattr(design, "FEW_PRODUCTS", 0)
    model.predict(X)
    assert seen == [{1}]


@pytest.mark.parametrize("other_ends_first", [True, False])
def test_the_last_of_two_gives_the_threads_back(other_ends_first):
    """Until then both have one; and neither may leave one thread for ever because that is what it found."""
    inside, may_end = threading.Event(), threading.Event()

    @one_blas_thread()
    def work():
        inside.set()
        may_end.wait(10)

    other = threading.Thread(target=work)
    with one_blas_thread(), one_blas_thread():
        other.start()
        inside.wait(10)
        if other_ends_first:
            may_end.set()
            other.join()
        assert set(count()) == {1}
    if not other_ends_first:
        assert set(count()) == {1}
    may_end.set()
    other.join()
    assert set(count()) == {2}


def test_a_fit_in_a_thread_leaves_others_free_to_set_a_limit():
    may_end = threading.Event()

    def work():
        with one_blas_thread():
            pass
        done.set()
        may_end.wait(10)

    done, other = threading.Event(), threading.Thread(target=work)
    other.start()
    done.wait(10)
    with BLAS.limit(limits=1):
        assert set(count()) == {1}
    assert set(count()) == {2}
    may_end.set()
    other.join()
