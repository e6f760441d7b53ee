"""How far a long piece of work has come: one line that is updated on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Self, TextIO, TypeVar

from glade.core.notices import say_aside

Item = TypeVar("Item")
Listener = Callable[[str, int, int | None], None]  # what, how many are done, of how many (None: not known)

QUIET_SECONDS = 3.0  # work that is over sooner says nothing
LINE_SECONDS = 15.0  # between two lines where a line cannot be updated
REDRAW_SECONDS = 0.1
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_drawer: ContextVar["Callable[..., Progress] | None"] = ContextVar("drawer", default=None)


@contextmanager
def progress_drawn_by(drawer: "Callable[..., Progress]") -> Iterator[None]:
    """Let something else than `Progress`, which takes the same arguments, show all progress inside."""
    token = _drawer.set(drawer)
    try:
        yield
    finally:
        _drawer.reset(token)


def open_progress(label: str, total: int | None, *, done: int = 0, show: bool | None = None) -> "Progress":
    """What shows the progress of some work."""
    return (_drawer.get() or Progress)(label, total, done=done, show=show)


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
    listener = _listener.get()
    with open_progress(what, total, show=shown) as progress:
        for done, item in enumerate(items, 1):
            if listener is None:
                progress.advance()
            else:
                listener(what, done, total)
            yield item


class ProgressLines:
    """A listener for `progress_to` that shows each kind of work in turn on standard error, if it takes long."""

    def __init__(self) -> None:
        self._shown: Progress | None = None
        self._before = self._done = 0  # steps of earlier rounds, and of this one

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._shown is not None:
            self._shown.__exit__(kind, error, trace)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Some work has come so far."""
        if self._shown is None or self._shown.label != what:
            self.__exit__(None, None, None)
            self._shown, self._before, self._done = open_progress(what, total), 0, 0
        elif done <= self._done:  # the same kind of work anew, such as the forest of another fold
            self._before += self._done
            self._shown.extend(total)
        self._done = done
        self._shown.advance(self._before + done - self._shown.done)


class Progress:
    """Counts steps and says so on standard error.

    Parameters
    ----------
    label : str
        What is being done.
    total : int or None
        The number of steps; None if it is not known.
    done : int
        Of which are done already; they do not count in the estimate of the time to go.
    show : bool or None
        None speaks only when the work takes more than a few seconds, True at once, False never.
    stream : text file, optional
        Standard error by default.

    Examples
    --------
    >>> import io
    >>> stream = io.StringIO()
    >>> with Progress("folds", total=2, show=True, stream=stream) as progress:
    ...     progress.advance()
    ...     progress.advance()
    >>> print(stream.getvalue())
    folds 2 of 2, 0:00 gone, about 0:00 to go
    """

    def __init__(
        self, label: str, total: int | None, *, done: int = 0, show: bool | None = None, stream: TextIO | None = None
    ):
        self.label = label
        self.total = total
        self.done = self._begin = done
        self._stream = sys.stderr if stream is None else stream  # None where the process has no standard error
        self._quiet = {True: 0.0, None: QUIET_SECONDS, False: float("inf")}[show]
        self._is_terminal = is_terminal(self._stream)
        self._start = self._last = time.monotonic()
        self._width = 0
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._width:
            say_aside("\r" + " " * self._width + "\r", self._stream)

    def advance(self, steps: int = 1) -> None:
        """Count steps that are done."""
        self.done += steps
        now = time.monotonic()
        pause = REDRAW_SECONDS if self._is_terminal else LINE_SECONDS
        is_due = now - self._last >= pause or (self.done == self.total and not self._is_open)
        if now - self._start < self._quiet or not is_due:
            return
        self._last = now
        if self._is_terminal:
            self._redraw(self._describe(now))
        else:
            say_aside(self._describe(now) + "\n", self._stream)

    def extend(self, steps: int | None) -> None:
        """There are more steps than was thought; the last one known is not the end."""
        self.total = None if self.total is None or steps is None else self.total + steps
        self._is_open = True

    def _describe(self, now: float) -> str:
        spent = now - self._start
        if self.total is None:
            return f"{self.label} {self.done}, {_clock(spent)} gone"
        left = spent / (self.done - self._begin) * (self.total - self.done)
        return f"{self.label} {self.done} of {self.total}, {_clock(spent)} gone, about {_clock(left)} to go"

    def _redraw(self, text: str) -> None:
        say_aside("\r" + text.ljust(self._width), self._stream)
        self._width = max(self._width, len(text))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream, which the process may lack, is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
