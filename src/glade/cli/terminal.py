"""Progress on a terminal, drawn by rich: a bar that is gone when the work is done."""

import sys
from contextlib import AbstractContextManager, nullcontext
from threading import Timer
from types import TracebackType
from typing import Any, Self

from glade.core.progress import Progress, is_terminal, progress_drawn_by

QUIET_SECONDS = 0.5  # work that is over sooner shows no bar


def progress_on_terminal() -> AbstractContextManager[None]:
    """Bars where standard error is a terminal that can draw them; else the plain lines of the library."""
    return progress_drawn_by(_draw) if is_terminal(sys.stderr) else nullcontext()


def _draw(label: str, total: int | None, **how: Any) -> Progress:
    """Rich is imported when there is something to draw, so that `glade --help` need not wait for it."""
    from rich.console import Console

    console = Console(stderr=True)
    is_able = console.is_terminal and not console.is_dumb_terminal
    return Bar(label, total, **how) if is_able else Progress(label, total, **how)


class Bar(Progress):
    """A bar with what has gone and what is to come."""

    def __init__(self, label: str, total: int | None, *, done: int = 0, show: bool | None = None):
        super().__init__(label, total, done=done, show=show)
        self._bar: Any = None
        self._opening = Timer(QUIET_SECONDS, self._open)  # before the first step is done, if that takes its time
        self._opening.daemon = True
        self._is_shown = show is not False

    def advance(self, steps: int = 1) -> None:
        """Count steps that are done."""
        with self._lock:
            self.done += steps
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done, total=self.total)

    def _open(self) -> None:
        with self._lock:
            if not self._is_over.is_set():
                self._start_bar()

    def _start_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        self._bar = RichProgress(*columns, *times, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self.label, total=self.total, completed=self.done)
        self._bar.start()

    def __enter__(self) -> Self:
        if self._is_shown:
            self._opening.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_over.set()
        self._opening.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.stop()
