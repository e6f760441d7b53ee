"""One thread for linear algebra.

The threads of OpenBLAS spin while they wait for work. Our matrices are small and follow one another closely: beside any
other busy process several threads take many times the CPU seconds of one, and give other last digits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import OpenBLASController, ThreadpoolController


class _Limit:
    """Set by the first thread that asks for it, and taken back by the last one that no longer needs it.

    The number of threads belongs to the process, so that a fit which ends may not give others their threads while
    another fit goes on: its last digits would depend on which of the two was faster.
    """

    def __init__(self) -> None:
        self._lock, self._limiter, self._n_users = Lock(), None, 0

    def take(self) -> None:
        with self._lock:
            if self._n_users == 0:
                self._limiter = _find_libraries().limit(limits=1)
            self._n_users += 1

    def give_back(self) -> None:
        with self._lock:
            self._n_users -= 1
            if self._n_users == 0 and self._limiter is not None:
                _let_any_thread_change_it()
                self._limiter.restore_original_limits()
                _let_any_thread_change_it()


def _let_any_thread_change_it() -> None:
    """Newer versions of threadpoolctl let only the thread that set a limit change it, which may not be the last one."""
    forget_thread = getattr(OpenBLASController, "clear_controlling_thread", None)
    if forget_thread is not None:
        forget_thread(force=True)


@cache
def _find_libraries() -> Any:
    """The libraries for linear algebra in this process, once NumPy's and SciPy's are loaded; a look takes 10 ms."""
    import scipy.linalg  # noqa: F401  # it brings a library of its own

    return ThreadpoolController().select(user_api="blas")


_LIMIT = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra within it takes one thread; also as a decorator. Inside another one it costs next to nothing."""
    _LIMIT.take()
    try:
        yield
    finally:
        _LIMIT.give_back()
