"""Faults from outside (design/robustness.md, F8 to F20): a full disk, a changing file, signals, pipes, locales."""

import gzip
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glade.core.errors import InputError
from glade.files import sources
from glade.files.read import read_file

COMMAND = [sys.executable, "-m", "glade"]
TREE = ("--model", "tree", "--folds", "0")


@pytest.fixture(autouse=True)
def _in_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def names_here():
    return sorted(path.name for path in Path().iterdir())


def test_f9_a_limit_on_file_size_is_exit_4_and_keeps_the_old_file(penguins):
    """The system itself refuses the rest of a write (ulimit -f), as a full disk or a quota does."""
    Path("m.glade").write_bytes(b"old")
    command = f"ulimit -f 2; {' '.join(COMMAND)} fit {penguins} -t year {' '.join(TREE)} -o m.glade --force"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 4
    assert re.search(r"glade: .*File too large: the [\d,]+ bytes of 'm.glade' were not written", done.stderr)
    assert Path("m.glade").read_bytes() == b"old"
    assert names_here() == ["m.glade", "penguins.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("what", ["model", "predictions"])
def test_f9_a_full_device_is_exit_4_and_is_not_replaced(glade, penguins, what):
    fit = ("fit", penguins, "-t", "year", *TREE)
    if what == "model":
        code, _, err = glade(*fit, "-o", "/dev/full")
    else:
        assert glade(*fit, "-o", "m.glade")[0] == 0
        code, _, err = glade("predict", "m.glade", penguins, "-o", "/dev/full")
    assert code == 4
    assert "No space left on device: the" in err
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize("fault", [(5, "Input/output error"), (13, "Permission denied"), (30, "Read-only file system")])
def test_f9_other_faults_of_a_disk_are_exit_4(glade, penguins, monkeypatch, fault):
    def fail(*_, **__):
        raise OSError(*fault)

    monkeypatch.setattr("glade.core.files._open_beside", fail)
    code, _, err = glade("fit", penguins, "-t", "year", *TREE, "-o", "m.glade")
    assert code == 4
    assert f"{fault[1]}: the" in err
    assert "bytes of 'm.glade' were not written" in err
    assert names_here() == ["penguins.csv"]


def test_f9_a_folder_that_is_not_there_is_said_before_any_work(glade, penguins):
    code, out, err = glade("fit", penguins, "-t", "year", "-o", "none/m.glade")
    assert (code, out) == (2, "")
    assert "there is no folder 'none' to write m.glade to" in err


CUT = {
    "in a row": (b"a,y\n1,2\n3", "line 3: 1 fields, but the header has 2"),
    "in a quote": (b'a,y\n1,2\n"3,', "line 3: a quote"),
    "in gzip": (gzip.compress(b"a,y\n1,2\n" * 500)[:-20], "is damaged or cut short"),
    "after gzip's header": (gzip.compress(b"a,y\n1,2\n")[:11], "is damaged or cut short"),
}


@pytest.mark.parametrize("case", CUT)
def test_f12_a_file_cut_short_is_told(glade, case):
    content, message = CUT[case]
    Path("t.csv").write_bytes(content)
    code, _, err = glade("check", "t.csv", "-t", "y")
    assert (code, message in err) == (2, True)


@pytest.mark.parametrize("change", ["grown", "replaced", "touched"])
def test_f12_a_file_that_changes_while_it_is_read_is_told(monkeypatch, change):
    path = Path("t.csv")
    path.write_bytes(b"a,y\n1,2\n")
    real_open = open

    class Slow(io.FileIO):
        def read(self, *args):
            content = super().read(*args)
            with real_open(path, "ab" if change == "grown" else "r+b") as other:
                other.write(b"3,4\n" if change == "grown" else b"a,y\n9,9\n")
            os.utime(path, ns=(1, 1)) if change == "touched" else None
            return content

    monkeypatch.setattr(sources, "open", lambda path, mode: Slow(path, "rb"), raising=False)
    os.utime(path, ns=(10**18, 10**18))
    with pytest.raises(InputError, match="was changed while it was read: wait until it is complete"):
        read_file(path)


def start(*arguments, **how):
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *arguments], stdout=pipe, stderr=pipe, text=True, **how)


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_f14_a_signal_at_any_moment_leaves_nothing(number, expected):
    """While the table is read, the model is fitted, folds run and the file is written; within two seconds."""
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.random((20_000, 8))).rename(columns=str).to_csv("t.csv", index=False)
    begun = "import time, sys; from glade.cli.main import main; print('begun', flush=True); main()"
    for pause in rng.uniform(0.0, 4.0, 2):
        arguments = ["fit", "t.csv", "-t", "0", "--model", "forest", "--folds", "3"]
        command = [sys.executable, "-c", begun, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.05 + pause)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert process.returncode == expected
        assert "nothing is half-written" in err
        assert "Traceback" not in err
        assert names_here() == ["t.csv"]


def children_of(pid):
    listing = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()[1:]]
    return [child for child, parent in pairs if parent == pid]


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)])
def test_f14_no_worker_outlives_a_run_that_is_ended(penguins, number, expected):
    process = start("fit", penguins, "-t", "year", "--model", "forest", "--folds", "300", "--jobs", "2")
    workers = []
    while len(workers) < 2:
        assert process.poll() is None
        time.sleep(0.05)
        workers = children_of(process.pid)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == expected
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert names_here() == ["penguins.csv"]


def test_f18_locale_language_zone_and_hash_seed_change_nothing(penguins):
    outputs = []
    for extra in (
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"},
        {"PYTHONHASHSEED": "random", "LC_ALL": "C", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"},
    ):
        arguments = [
            *COMMAND,
            "fit",
            penguins,
            "-t",
            "body_mass_g",
            "-t",
            "species",
            "--model",
            "forest",
            "--folds",
            "0",
        ]
        environment = {**os.environ, **extra}
        done = subprocess.run(
            [*arguments, "-o", "m.glade", "--force"], capture_output=True, env=environment, check=True
        )
        outputs.append((re.sub(rb"\d:\d\d", b"", done.stdout), Path("m.glade").read_bytes()))
    assert all(output == outputs[0] for output in outputs)


def test_f18_a_terminal_without_unicode_is_no_error(penguins):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    arguments = [*COMMAND, "check", penguins, "-t", "species", "-t", "body_mass_g"]
    done = subprocess.run(arguments, capture_output=True, env=environment)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"read 344 rows" in done.stdout


@pytest.mark.parametrize("command", ["rules", "predict"])
def test_f19_a_reader_that_goes_away_is_no_error(glade, penguins, command):
    assert glade("fit", penguins, "-t", "year", *TREE, "-o", "m.glade")[0] == 0
    rest = {"rules": "m.glade", "predict": f"m.glade {penguins}"}[command]
    line = f"{' '.join(COMMAND)} {command} {rest} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert "rror" not in done.stderr  # a slow machine says that it compiles
    line = f"{' '.join(COMMAND)} {command} {rest} >&-"
    assert "Traceback" not in subprocess.run(["bash", "-c", line], capture_output=True, text=True).stderr


def run_on_terminal(arguments, columns, **environment):
    """What a command writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", **environment}
    process = subprocess.Popen([*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    written = b""
    while True:
        select.select([ours], [], [], 60)
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.close(ours)
    return process.wait(), written.decode()


def test_f19_progress_is_a_bar_on_a_terminal(penguins):
    """A bar that is gone at the end; without colours if NO_COLOR says so; in 20 columns too."""
    arguments = ["fit", penguins, "-t", "body_mass_g", "--model", "forest", "--folds", "20", "--force"]
    code, written = run_on_terminal(arguments, 100)
    assert code == 0
    assert "models fitted:" in written
    assert "━" in written
    assert "\x1b[" in written
    code, written = run_on_terminal(arguments, 20, NO_COLOR="1")
    assert code == 0
    assert not re.search(r"\x1b\[[\d;]*[34]\d[;m]", written)  # no colour
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "━" not in done.stdout + done.stderr


CATCH_ALL = """
import os, signal, sys
from glade.cli import main
signal.signal(signal.SIGTERM, main._terminate)
heard = False
try:
    with main._signals_held():
        try:
            os.kill(os.getpid(), int(sys.argv[1]))
            sum(range(1000))
        except BaseException:
            heard = True
except BaseException as raised:
    print(type(raised).__name__, heard)
"""


@pytest.mark.parametrize(("number", "raised"), [(signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "Terminated")])
def test_f14_a_library_that_catches_all_while_it_is_imported_does_not_hear_a_signal(number, raised):
    """One of 240 interrupts was lost so. In a process of its own: this one has threads that may hear it."""
    command = [sys.executable, "-c", CATCH_ALL, str(int(number))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{raised} False\n"
