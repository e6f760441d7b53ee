"""Work in threads whose results come in order, whatever the number of threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from threading import Event, local
from typing import TypeVar

import numpy as np
from joblib import effective_n_jobs

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4  # results a thread may be ahead of who takes them
MOST_JOBS = 100_000
MIN_ROWS_A_THREAD = 256


_share: ContextVar[int | None] = ContextVar("share", default=None)  # of the threads, that work inside may take


def count_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` asks for, as in scikit-learn: None is 1 unless a joblib backend says otherwise.

    Work that goes on beside other work of the same fit has its share of them.
    """
    if n_jobs is not None and (not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0 or abs(n_jobs) > MOST_JOBS):
        raise ValueError(
            f"n_jobs must be None, a number of threads from 1 to {MOST_JOBS:,}, or -1 for all cores, but is {n_jobs!r}"
        )
    asked, share = int(effective_n_jobs(n_jobs)), _share.get()
    return asked if share is None else min(asked, share)


@contextmanager
def share_threads(n_threads: int) -> Iterator[None]:
    """Let `map_side_by_side` and `run_in_shares` inside take so many threads."""
    token = _share.set(n_threads)
    try:
        yield
    finally:
        _share.reset(token)


def map_side_by_side(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """The results of all items, in order; each is worked on with an equal share of the threads there are.

    >>> with share_threads(3):
    ...     map_side_by_side(lambda item: (item, count_threads(8)), "ab")
    [('a', 1), ('b', 1)]
    """
    tasks, n_threads = list(items), count_shares()
    n_workers = max(1, min(n_threads, len(tasks)))
    with share_threads(max(1, n_threads // n_workers)):
        return list(map_in_order(lambda stop: function, tasks, n_workers))


def count_shares() -> int:
    """How many threads work may take that is told of none."""
    return _share.get() or 1


def run_in_shares(work: Callable[[slice], None], n_units: int, least: int = MIN_ROWS_A_THREAD) -> None:
    """Call `work` with contiguous parts of so many units, one for each thread there is; a part has at least some."""
    run_in_parts(work, n_units, count_shares(), least)


class Stopped(Exception):
    """Raised by a worker that has seen the signal to stop; nobody waits for its result."""


def map_in_order(
    make_worker: Callable[[Event], Callable[[Item], Result]], items: Iterable[Item], n_threads: int
) -> Iterator[Result]:
    """Yield worker(item) for each item, in order. Each thread makes a worker of its own, which may keep memory.

    An exception, an interrupt or a consumer that stops early cancels what has not begun, and waits for what has; a
    worker whose items take long looks at the signal it was made with, and raises `Stopped`.
    """
    stop = Event()
    if n_threads == 1:
        yield from map(make_worker(stop), items)
        return
    of_thread, context = local(), copy_context()

    def work(item: Item) -> Result:
        if not hasattr(of_thread, "worker"):
            of_thread.worker = make_worker(stop)
        return of_thread.worker(item)

    pool, waiting = ThreadPoolExecutor(n_threads), deque[Future[Result]]()
    try:
        for item in items:
            waiting.append(pool.submit(context.copy().run, work, item))
            if len(waiting) >= AHEAD * n_threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def run_in_parts(work: Callable[[slice], None], n_rows: int, n_threads: int, least: int = MIN_ROWS_A_THREAD) -> None:
    """Call `work` with contiguous parts of so many rows, one for each thread; a part has at least some hundred rows."""
    n_parts = min(n_threads, n_rows // least)
    if n_parts <= 1:
        work(slice(0, n_rows))
        return
    edges = np.linspace(0, n_rows, n_parts + 1).astype(int).tolist()
    for _ in map_in_order(lambda stop: work, map(slice, edges[:-1], edges[1:]), n_parts):
        pass
