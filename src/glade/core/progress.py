"""Progress of long work, for a person at a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str, int, int | None], None]  # what, how many are done, of how many (None: not known)

SHOWN_EVERY = 0.5  # seconds
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def progress_to(listener: Listener) -> Iterator[None]:
    """Tell the listener how all work inside goes on.

    >>> with progress_to(lambda what, done, total: print(f"{what} {done}/{total}")):
    ...     list(follow("tree", "ab", 2))
    tree 1/2
    tree 2/2
    ['a', 'b']
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def follow(what: str, items: Iterable[Item], total: int | None, shown: bool = False) -> Iterator[Item]:
    """The items, counted as they come: for the listener if there is one, else on standard error if `shown`."""
    listener = _listener.get() or (_Line() if shown else None)
    for done, item in enumerate(items, 1):
        if listener is not None:
            listener(what, done, total)
        yield item


class _Line:
    """One line on standard error, rewritten at a terminal; elsewhere only the last one is written."""

    def __init__(self) -> None:
        self._next = monotonic() + SHOWN_EVERY

    def __call__(self, what: str, done: int, total: int | None) -> None:
        is_last = done == total
        if not is_last and (monotonic() < self._next or not sys.stderr.isatty()):
            return
        self._next = monotonic() + SHOWN_EVERY
        text = f"glade: {what} {done:,}" + (f" of {total:,}" if total else "")
        print(f"\r{text}" if sys.stderr.isatty() else text, end="\n" if is_last else "", file=sys.stderr, flush=True)
