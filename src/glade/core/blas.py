"""One thread for linear algebra.

The threads of OpenBLAS spin while they wait for work. Our matrices are small and follow one another closely: beside any
other busy process several threads take many times the CPU seconds of one, and give other last digits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock, get_ident
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """Set by one thread at a time, and given back by the same one.

    The number of threads belongs to the process, and threadpoolctl lets only the thread that changed it change it
    again: others that come while the limit is set work under it, and must not restore what they found.
    """

    def __init__(self) -> None:
        self._lock, self._limiter = Lock(), None
        self._holder, self._depth = 0, 0  # the thread that has set it, and how often it has asked for it

    def take(self) -> None:
        with self._lock:
            if self._depth == 0:
                self._holder, self._limiter = get_ident(), _find_libraries().limit(limits=1)
            if self._holder == get_ident():
                self._depth += 1

    def give_back(self) -> None:
        with self._lock:
            if self._depth == 0 or self._holder != get_ident():
                return
            self._depth -= 1
            if self._depth == 0 and self._limiter is not None:
                self._limiter.restore_original_limits()


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
