"""Progress: one line on a terminal, few lines elsewhere, nothing for short work."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from glade.core import progress as module
from glade.core.progress import (
    Progress,
    ProgressLines,
    count_steps,
    expect_steps,
    follow,
    progress_to,
    steps_within,
)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes one second at each look."""

    class Clock:
        now = 0.0

        def monotonic(self):
            self.now += 1.0
            return self.now

    monkeypatch.setattr(module, "time", Clock())


def run(stream, n_steps, **options):
    with Progress("trees", n_steps, stream=stream, **options) as progress:
        for _ in range(n_steps - options.get("done", 0)):
            progress.advance()
    return stream.getvalue()


def test_a_terminal_has_one_line_that_is_updated_and_then_cleared(clock):
    text = run(Terminal(), 5, show=True)
    assert "\n" not in text
    assert "\rtrees 5 of 5, 0:05 gone, about 0:00 to go" in text
    assert text.endswith("\r")
    assert text.split("\r")[-2].strip() == ""


def test_elsewhere_there_are_few_plain_lines(clock):
    assert run(io.StringIO(), 40, show=True).splitlines() == [
        "trees 15 of 40, 0:15 gone, about 0:25 to go",
        "trees 30 of 40, 0:30 gone, about 0:10 to go",
        "trees 40 of 40, 0:40 gone, about 0:00 to go",
    ]


def test_short_work_says_nothing_unless_asked(clock):
    assert run(io.StringIO(), 1) == ""
    assert run(Terminal(), 1) == ""
    assert run(Terminal(), 6) != ""
    assert run(io.StringIO(), 600, show=False) == ""


def test_what_was_done_before_does_not_count_in_the_estimate(clock):
    assert "trees 15 of 25, 0:05 gone" not in run(io.StringIO(), 25, show=True, done=10)
    assert run(io.StringIO(), 26, show=True, done=10).splitlines()[0] == "trees 25 of 26, 0:15 gone, about 0:01 to go"


def test_rounds_of_the_same_work_are_one_line_of_work(monkeypatch):
    """Many forests one after the other: the count goes on, and the end of each is not told."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    with ProgressLines() as lines, progress_to(lines):
        for _ in range(3):
            list(follow("trees", "abcd", 4))
        assert lines._shown.done == lines._shown.total == 12
    assert stream.getvalue().splitlines() == ["trees 4 of 4, 0:00 gone, about 0:00 to go"]


def test_a_job_has_one_line_with_one_total(clock, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(module, "LINE_SECONDS", 0.0)
    with ProgressLines("fitting, step") as lines, progress_to(lines):
        expect_steps(4)
        expect_steps(6)
        with steps_within(5):
            list(follow("trees", "abcd", 4))  # parts of a step
            count_steps(2)
        assert lines.counted == 5
        with ThreadPoolExecutor(1) as pool:
            pool.submit(copy_context().run, count_steps, 5).result()
        assert lines.counted == 10
    shown = [line.split(",")[1].strip() for line in stream.getvalue().splitlines()]
    assert shown == ["step 2 of 10", "step 5 of 10", "step 10 of 10"]


def test_seconds_go_on_while_a_step_takes_its_time(monkeypatch):
    monkeypatch.setattr(module, "TICK_SECONDS", 0.01)
    with Progress("trees", 3, show=True, stream=(stream := Terminal())) as progress:
        while "trees 0 of 3, 0:00 gone" not in stream.getvalue():
            pass
        progress.advance()
    assert stream.getvalue().endswith("\r")
