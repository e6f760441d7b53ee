"""Results in order, whatever the threads do."""

import threading
import time

import joblib
import numpy as np
import pytest

from glade.core.threads import AHEAD, Stopped, count_threads, map_in_order


def make_worker(stop):
    def work(item):
        time.sleep(0.002 if item % 2 else 0.0)
        if item == 13:
            raise ValueError("thirteen")
        return item, threading.get_ident()

    return work


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_results_come_in_order(n_threads):
    results = list(map_in_order(make_worker, range(13), n_threads))
    assert [item for item, _ in results] == list(range(13))
    assert (len({thread for _, thread in results} - {threading.get_ident()}) > 0) == (n_threads > 1)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_fault_comes_in_its_place(n_threads):
    seen = []
    with pytest.raises(ValueError, match="thirteen"):
        seen.extend(item for item, _ in map_in_order(make_worker, range(100), n_threads))
    assert seen == list(range(13))


def test_who_stops_early_stops_the_work():
    done = []

    def make_counter(stop):
        return done.append

    results = map_in_order(make_counter, range(1000), 2)
    next(results)
    results.close()
    assert len(done) <= 2 * AHEAD + 1
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPoolExecutor")]


def test_a_long_item_sees_the_signal():
    began, stopped = threading.Event(), []

    def make_waiter(stop):
        def wait(item):
            if item == 0:
                return
            began.set()
            stopped.append(stop.wait(timeout=30))
            raise Stopped

        return wait

    results = map_in_order(make_waiter, range(8), 2)
    next(results)
    assert began.wait(timeout=30)
    results.close()
    assert stopped
    assert all(stopped)


def test_each_thread_makes_one_worker():
    made = []

    def make(stop):
        made.append(threading.get_ident())
        return lambda item: time.sleep(0.001)

    list(map_in_order(make, range(40), 4))
    assert len(made) == len(set(made)) <= 4


def test_numbers_of_threads():
    assert count_threads(None) == 1
    assert count_threads(3) == 3
    assert count_threads(-1) == joblib.cpu_count()
    with joblib.parallel_backend("threading", n_jobs=2):
        assert count_threads(None) == 2


@pytest.mark.parametrize("wrong", [0, "a", 1.5, 10**30, np.array(["a"])])
def test_what_is_no_number_of_threads_is_refused(wrong):
    with pytest.raises(ValueError, match="n_jobs must be None, a number of threads from 1 to 100,000, or -1"):
        count_threads(wrong)
