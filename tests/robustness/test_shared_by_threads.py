"""What threads share is made before they start, or by each for itself: no result depends on who comes first.

Since Python 3.12 `cached_property` has no lock, so a race that shows there cannot show in Python 3.11.
"""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from glade import ForestRegressor
from glade.core import _compile as compiling
from glade.data.coding import code_inputs
from glade.data.table import read_table

N_ROUNDS = 2000
N_FITS = 500 if "GLADE_LONG" in os.environ else 20


@pytest.fixture
def quick_switches():
    """Threads take turns far more often than usual, so that they meet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_two_threads_that_ask_the_same_inputs_for_cuts_get_them_all(quick_switches):
    values = np.random.default_rng(0).normal(size=(40, 3))
    table, weights = read_table(values), np.ones(40)
    inputs, below = np.repeat(np.arange(3, dtype=np.int32), 13), np.tile(np.arange(0, 39, 3, dtype=np.int32), 3)

    def find_cuts(coded):
        return coded.find_cuts(inputs, below, below + 1)

    expected = find_cuts(code_inputs(table, weights, None))
    assert np.isfinite(expected).all()
    start = threading.Barrier(2)
    coded = [code_inputs(table, weights, None) for _ in range(N_ROUNDS)]

    def ask(number):
        wrong = 0
        for own in coded:
            start.wait()
            wrong += not np.array_equal(find_cuts(own), expected)
        return wrong

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(ask, range(2))) == 0


def test_a_shallow_forest_is_the_same_for_one_thread_and_for_two():
    """Few of very many possible cuts are needed, so none is made beforehand."""
    random = np.random.default_rng(0)
    X = random.normal(size=(19_000, 60))
    y = X[:, 0] + random.normal(size=len(X))

    def fit(n_jobs):
        model = ForestRegressor(8, max_depth=3, max_features=1, max_bins=None, n_jobs=n_jobs, random_state=0)
        return model.fit(X, y).predict(X[:2000])

    expected = fit(1)
    n_different = sum(not np.array_equal(fit(2), expected) for _ in range(N_FITS))
    assert n_different == 0, f"{n_different} of {N_FITS} fits differ"


def test_kernels_decorated_in_two_threads_leave_the_cache_folder_of_numba_as_it_was(tmp_path):
    before = numba.config.CACHE_DIR
    first_is_in, second_is_in, first_is_out = (threading.Event() for _ in range(3))

    def decorate_first():
        with compiling._numba_cache_at(tmp_path):
            first_is_in.set()
            second_is_in.wait(0.2)
        first_is_out.set()

    def decorate_second():
        first_is_in.wait()
        with compiling._numba_cache_at(tmp_path):
            second_is_in.set()
            first_is_out.wait()

    with ThreadPoolExecutor(2) as pool:
        for work in [pool.submit(decorate_first), pool.submit(decorate_second)]:
            work.result()
    assert before == numba.config.CACHE_DIR
