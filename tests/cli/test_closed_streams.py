"""A reader of standard output or standard error that leaves, or never was, costs no file (robustness.md, F19)."""

import errno
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import glade.cli.main  # noqa: F401  # loads the module of each command
from glade import load
from glade.cli import streams

fit = sys.modules["glade.cli.fit"]  # `glade.cli.fit` is the command

COMMAND = f"{sys.executable} -m glade"
CLOSINGS = {
    "a reader that takes one line": "| head -1",
    "a reader that takes nothing": "| true",
    "no standard output": ">&-",
    "no standard error": "2>&-",
    "no stream at all": "<&- >&- 2>&-",
    "a reader of both that leaves": "2>&1 | true",
}
CLOSED = pytest.mark.parametrize("closing", CLOSINGS.values(), ids=CLOSINGS)


@pytest.fixture(autouse=True)
def _in_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def run_line(line):
    """A line of a shell: the exit code of the first command of its pipe, what it printed, and the faults it told."""
    done = subprocess.run(["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    faults = re.findall(r"^glade: (?!compiling).*", done.stderr, re.MULTILINE)  # a slow machine shows progress too
    return done.returncode, done.stdout, faults


@pytest.fixture
def model(glade, penguins):
    assert glade("fit", penguins, "-t", "body_mass_g", "--model", "tree", "--folds", 0, "-o", "m.glade")[0] == 0
    return "m.glade"


@CLOSED
def test_fit_writes_model_and_page_though_nobody_reads_what_it_prints(penguins, closing):
    jobs = "--folds 2 --jobs 2" if closing == CLOSINGS["no stream at all"] else "--folds 0"  # workers have streams too
    arguments = f"fit {penguins} -t body_mass_g --model tree {jobs} -o p.glade --report p.html"
    code, _, faults = run_line(f"{COMMAND} {arguments} {closing}")
    assert (code, faults) == (0, [])
    assert len(load("p.glade").predict(pd.read_csv(penguins).drop(columns="body_mass_g"))) == 344
    assert Path("p.html").read_text().rstrip().endswith("</html>")


FILES = {
    "report": "m.glade penguins.csv --folds 0 -o f",
    "predict": "m.glade penguins.csv -o f",
    "compare": "few.csv -t body_mass_g --folds 2 --csv f",
}


@pytest.mark.parametrize("command", FILES)
def test_other_commands_write_their_files_though_nobody_reads_what_they_print(model, penguins, command):
    pd.read_csv(penguins).sample(40, random_state=0).to_csv("few.csv", index=False)
    closing = "2>&1 | true" if command == "report" else "<&- >&- 2>&-"
    code, _, faults = run_line(f"{COMMAND} {command} {FILES[command]} {closing}")
    assert (code, faults) == (0, [])
    assert Path("f").stat().st_size > 1000


def test_the_demo_writes_its_page_though_nobody_reads_what_it_prints(glade, monkeypatch):
    """In this process, with its small forests."""

    def leave(_):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(streams, "discard", lambda _: None)
    monkeypatch.setattr(streams.click, "echo", leave)
    assert glade("demo", "-o", "f") == (0, "", "")
    assert Path("f").stat().st_size > 1000


@pytest.mark.parametrize("command", ["rules m.glade", "predict m.glade penguins.csv", "check penguins.csv -t species"])
def test_what_is_printed_as_the_product_is_incomplete_when_its_reader_leaves(model, penguins, command):
    assert run_line(f"{COMMAND} {command} | true") == (141, "", [])


def test_what_is_printed_as_the_product_is_lost_without_standard_output(model):
    code, _, faults = run_line(f"{COMMAND} rules {model} >&-")
    assert (code, faults) == (4, ["glade: standard output is closed: what was to be printed is lost"])
    assert run_line(f"{COMMAND} rules {model} 2>&-")[0] == 0


def test_a_fault_is_no_output_where_standard_error_is_closed():
    assert run_line(f"{COMMAND} rules none.glade 2>&-") == (2, "", [])
    assert run_line(f"{COMMAND} --help | true")[0] in (0, 141)  # the pipe may take it all before its reader ends


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_under_standard_output_is_told_and_costs_no_file(penguins):
    code, _, faults = run_line(f"{COMMAND} fit {penguins} -t body_mass_g --model tree --folds 0 -o p.glade > /dev/full")
    assert (code, "No space left on device" in faults[0]) == (4, True)
    assert load("p.glade")
    code, _, faults = run_line(f"{COMMAND} rules p.glade > /dev/full")
    assert (code, "No space left on device" in faults[0]) == (4, True)


def test_a_pipe_named_as_output_whose_reader_leaves_is_no_success(model, penguins):
    """The file that was asked for is not there, however common it is that a reader leaves."""
    os.mkfifo("fifo")
    wide = pd.concat([pd.read_csv(penguins)] * 100)
    wide.to_csv("wide.csv", index=False)  # its predictions are more than a pipe holds
    line = f"{COMMAND} predict {model} wide.csv -o fifo & pid=$!; head -c 10 fifo > part; wait $pid; echo $?"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert done.stdout == "4\n"
    assert "Broken pipe: the" in done.stderr


def test_files_are_there_before_the_model_is_printed(glade, penguins, monkeypatch):
    """Who sees the model on a screen and stops the command has its files."""

    def interrupt(model):
        raise KeyboardInterrupt

    monkeypatch.setattr(fit, "_show", interrupt)
    arguments = ("fit", penguins, "-t", "body_mass_g", "--model", "tree", "--folds", 0)
    assert glade(*arguments, "-o", "p.glade", "--report", "p.html")[0] == 130
    assert load("p.glade")
    assert Path("p.html").exists()


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_page_that_cannot_be_written_is_told_beside_the_model_that_was(glade, penguins, monkeypatch, fault):
    def fail(*_, **__):
        raise fault

    monkeypatch.setattr("glade.report.page.write_report", fail)
    arguments = ("fit", penguins, "-t", "body_mass_g", "--model", "tree", "--folds", 0)
    code, out, _ = glade(*arguments, "-o", "p.glade", "--report", "p.html")
    assert code == (4 if isinstance(fault, OSError) else 130)
    assert out.endswith("wrote p.glade, but not p.html\n")
    assert load("p.glade")
    assert not Path("p.html").exists()


def test_a_reader_that_leaves_while_the_folds_run_stops_nothing(penguins):
    """The reader is gone after the first line, long before the model is fitted."""
    arguments = f"fit {penguins} -t body_mass_g --model tree --folds 2 -o p.glade"
    process = subprocess.Popen([*COMMAND.split(), *arguments.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"read 344 rows")
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=120) == 0
    assert load("p.glade")


def test_a_signal_is_told_by_its_code_though_nobody_reads(penguins):
    arguments = f"fit {penguins} -t body_mass_g --model forest --folds 300 -o p.glade"
    process = subprocess.Popen([*COMMAND.split(), *arguments.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"read 344 rows")
    process.stdout.close()
    process.stderr.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 143
    assert not Path("p.glade").exists()
