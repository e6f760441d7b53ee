"""How far a long piece of work has come: one line that is updated on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, RLock, Thread
from types import TracebackType
from typing import Self, TextIO, TypeVar

from glade.core.notices import say_aside

Item = TypeVar("Item")
Listener = Callable[[str, int, int | None], None]  # what, how many are done, of how many (None: not known)

QUIET_SECONDS = 2.0  # work that is over sooner says nothing
TICK_SECONDS = 1.0  # between two looks at the clock while no step is done
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


def expect_steps(steps: int) -> None:
    """Say how many steps the work that begins has, where somebody counts the steps of a whole job."""
    listener = _listener.get()
    if isinstance(listener, ProgressLines):
        listener.expect(steps)


def count_steps(steps: int = 1) -> None:
    """So many of these steps are done."""
    listener = _listener.get()
    if isinstance(listener, ProgressLines):
        listener.count(steps)


@contextmanager
def steps_within(steps: int) -> Iterator[None]:
    """Work that has so many steps: what it does not count itself is counted at its end."""
    listener = _listener.get()
    goal = listener.counted + steps if isinstance(listener, ProgressLines) else 0
    yield
    if isinstance(listener, ProgressLines):
        listener.count(max(0, goal - listener.counted))


class ProgressLines:
    """A listener for `progress_to` that shows on standard error how a long job goes on.

    A job whose steps are known has one line with one total. Of other work each kind is shown in turn.
    """

    def __init__(self, job: str = "step") -> None:
        self._shown: Progress | None = None
        self._before = self._done = 0  # steps of earlier rounds, and of this one
        self._job, self._is_job, self._lock = job, False, RLock()

    @property
    def counted(self) -> int:
        """How many steps of the job are done."""
        return self._shown.done if self._is_job and self._shown is not None else 0

    def expect(self, steps: int) -> None:
        """So many steps are known to come."""
        with self._lock:
            if steps == 0:
                return
            if self._is_job and self._shown is not None:
                self._shown.extend(steps)
            else:
                self.close()
                self._shown, self._is_job = open_progress(self._job, steps).__enter__(), True

    def count(self, steps: int) -> None:
        """So many are done."""
        with self._lock:
            if self._is_job and self._shown is not None:
                self._shown.advance(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Show nothing any more, until more work comes."""
        if self._shown is not None:
            self._shown.__exit__(None, None, None)
            self._shown, self._is_job = None, False

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Some work has come so far; in a job that counts its steps it is a part of one."""
        if self._is_job:
            return
        if self._shown is None or self._shown.label != what:
            self.close()
            self._shown, self._before, self._done = open_progress(what, total).__enter__(), 0, 0
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
        self._lock, self._is_over = RLock(), Event()

    def __enter__(self) -> Self:
        if self._is_terminal and self._quiet < float("inf"):  # the seconds go on while a step takes its time
            Thread(target=self._tick, daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_over.set()
        with self._lock:
            if self._width:
                say_aside("\r" + " " * self._width + "\r", self._stream)
                self._width = 0

    def _tick(self) -> None:
        while not self._is_over.wait(TICK_SECONDS):
            with self._lock:
                now = time.monotonic()
                if not self._is_over.is_set() and now - self._start >= self._quiet:
                    self._redraw(self._describe(now))

    def advance(self, steps: int = 1) -> None:
        """Count steps that are done."""
        with self._lock:
            self.done += steps
            now = time.monotonic()
            pause = REDRAW_SECONDS if self._is_terminal else LINE_SECONDS
            is_due = now - self._last >= pause or (self.done == self.total and not self._is_open)
            if now - self._start >= self._quiet and is_due:
                self._show(now)

    def _show(self, now: float) -> None:
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
        so_far = f"{self.label} {self.done} of {self.total}, {_clock(spent)} gone"
        if self.done == self._begin:
            return so_far
        left = spent / (self.done - self._begin) * (self.total - self.done)
        return f"{so_far}, about {_clock(left)} to go"

    def _redraw(self, text: str) -> None:
        say_aside("\r" + text.ljust(self._width), self._stream)
        self._width = max(self._width, len(text))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream, which the process may lack, is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
