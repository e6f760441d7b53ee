"""Poor surroundings of a process: no home, no colours, another clock, two writers, little memory (F9, F16 to F20)."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glade
from tests.campaign.commands import Tally, assert_ended_well, make_environment, start

FIT = ["fit", "t.csv", "-t", "species", "--max-rules", "4", "--folds", "2", "--force"]
IS_LONG = "GLADE_LONG" in os.environ
SURROUNDINGS = {
    "no home": {"HOME": None, "XDG_CACHE_HOME": None},
    "a home that is no folder": {"HOME": "/dev/null", "XDG_CACHE_HOME": None},
    "a home that cannot be written": {"HOME": "/proc/self", "XDG_CACHE_HOME": None},
    "a temporary folder that is not there": {"TMPDIR": "/nowhere/at/all"},
    "the locale C": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a dumb terminal": {"TERM": "dumb", "NO_COLOR": "1"},
    "20 columns": {"COLUMNS": "20"},
    "no time zone that is known": {"TZ": "Nowhere/Else"},
    "warnings as errors": {"PYTHONWARNINGS": "error::RuntimeWarning"},
}
# Address space in bytes: threads reserve far more of it than they use, so even the last may not do.
LIMITS = [5e8, 1e9, 2e9, 4e9] if IS_LONG else [1e9]


@pytest.fixture
def folder(tmp_path):
    glade.load_penguins().to_csv(tmp_path / "t.csv", index=False)
    return tmp_path


def finish(process, allowed) -> tuple[str, str]:
    out, errors = process.communicate(timeout=300)
    assert_ended_well(process.returncode, errors, allowed)
    return out, errors


@pytest.mark.parametrize("name", SURROUNDINGS if IS_LONG else ["no home", "the locale C", "20 columns"])
def test_a_fit_is_done_in_poor_surroundings(folder, name):
    finish(start([*FIT, "-o", "m.glade"], folder, env=make_environment(**SURROUNDINGS[name])), {0})
    assert glade.load(folder / "m.glade").size_.terms > 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("limit", LIMITS)
def test_too_little_memory_is_one_sentence_or_enough(folder, limit):
    """Four targets of 20,000 rows; what Python itself cannot even start with is not ours."""
    random = np.random.default_rng(0)
    pd.DataFrame(random.normal(size=(20_000, 24))).rename(columns="c{}".format).to_csv(folder / "t.csv", index=False)
    targets = [part for k in range(4) for part in ("-t", f"c{k}")]
    process = start(
        ["fit", "t.csv", *targets, "--folds", "0", "--jobs", "1", "-o", "m.glade"],
        folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit))),
        env=make_environment(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1"),
    )
    _, errors = process.communicate(timeout=600)
    if "glade" not in errors and "import" in errors:
        pytest.skip("the libraries cannot be imported in so little memory")
    assert_ended_well(process.returncode, errors, {0, 4})
    assert (folder / "m.glade").exists() == (process.returncode == 0)


def test_two_writers_do_not_mix(folder, capsys):
    """Both write the same two files, over and over; each file is always that of one of them, whole."""
    for name, rules in (("a", "2"), ("b", "6")):
        finish(start([*FIT, "--max-rules", rules, "-o", f"{name}.glade"], folder), {0})
    known = {(folder / f"{name}.glade").read_bytes() for name in "ab"}
    writer = "import sys; from pathlib import Path; from glade.core.files import write_whole\n"
    writer += f"for _ in range({300 if IS_LONG else 60}): write_whole(Path('m.glade'), Path(sys.argv[1]).read_bytes())"
    running = [subprocess.Popen([sys.executable, "-c", writer, f"{name}.glade"], cwd=folder) for name in "ab"]
    tally, path = Tally("two writers, one reader"), folder / "m.glade"
    while any(process.poll() is None for process in running):
        if path.exists():
            assert path.read_bytes() in known
            tally.endings["whole"] += 1
        time.sleep(0.002)
    assert [process.returncode for process in running] == [0, 0]
    assert [own.name for own in folder.iterdir() if own.name.startswith(".")] == []
    with capsys.disabled():
        print(tally)
    assert tally.endings


def test_a_file_from_tomorrow_is_a_file(folder):
    """The clock was set back: what is read and replaced seems to come from the future."""
    tomorrow = time.time() + 90_000
    os.utime(folder / "t.csv", (tomorrow, tomorrow))
    Path(folder / "m.glade").write_bytes(b"old")
    os.utime(folder / "m.glade", (tomorrow, tomorrow))
    finish(
        start(["fit", "t.csv", "-t", "sex", "--model", "tree", "--folds", "0", "-o", "m.glade", "--force"], folder), {0}
    )
    assert glade.load(folder / "m.glade").size_.leaves > 0
