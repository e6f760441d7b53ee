"""Work in threads whose results come in order, whatever the number of threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, local
from typing import TypeVar

import numpy as np
from joblib import effective_n_jobs

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4  # results a thread may be ahead of who takes them
MIN_ROWS_A_THREAD = 256


def count_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` asks for, as in scikit-learn: None is 1 unless a joblib backend says otherwise."""
    return int(effective_n_jobs(n_jobs))


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
    of_thread = local()

    def work(item: Item) -> Result:
        if not hasattr(of_thread, "worker"):
            of_thread.worker = make_worker(stop)
        return of_thread.worker(item)

    pool, waiting = ThreadPoolExecutor(n_threads), deque[Future[Result]]()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= AHEAD * n_threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def run_in_parts(work: Callable[[slice], None], n_rows: int, n_threads: int) -> None:
    """Call `work` with contiguous parts of so many rows, one for each thread; a part has at least some hundred rows."""
    n_parts = min(n_threads, n_rows // MIN_ROWS_A_THREAD)
    if n_parts <= 1:
        work(slice(n_rows))
        return
    edges = np.linspace(0, n_rows, n_parts + 1).astype(int).tolist()
    for _ in map_in_order(lambda stop: work, map(slice, edges[:-1], edges[1:]), n_parts):
        pass
