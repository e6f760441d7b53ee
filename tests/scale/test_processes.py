"""Processes as users start them: a scheduler, workers and a client, of which some are killed while they work.

These take a minute and more; with `GLADE_LONG=1` they run.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

import glade

pytestmark = pytest.mark.skipif("GLADE_LONG" not in os.environ, reason="takes minutes: GLADE_LONG=1")
WITHIN = 60  # seconds until an error is told, after all workers are gone
FIT = """
import sys, glade
from glade.scale import fit
fit.ENOUGH_ROWS = fit.MANY_ROWS = 20_000
folder, kept, cluster, what = sys.argv[1:]
table = glade.open_partitions(folder, resume=kept or None, cluster=cluster or None)
if what == "rules":
    model = glade.RuleEnsembleRegressor(max_rules=6, random_state=0)
else:
    model = glade.ForestRegressor(60, min_samples_leaf=5, random_state=0)
print("began", flush=True)
model.fit(table[["a", "b", "c"]], table["y"])
model.save(folder + "/../" + what + ".glade")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """40 parts of 20,000 rows."""
    folder = tmp_path_factory.mktemp("large") / "parts"
    folder.mkdir()
    for k in range(40):
        random = np.random.default_rng(k)
        X = pd.DataFrame(random.normal(size=(20_000, 3)), columns=["a", "b", "c"])
        y = 2.0 * (X["a"] > 0.3) + (X["b"] < 0.5) * X["c"] + random.normal(0, 0.5, len(X))
        X.assign(y=y).to_parquet(folder / f"{k:02}.parquet")
    return folder


def start(*command, **how):
    return subprocess.Popen(command, **({"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | how))


def begin_fit(folder, kept, cluster, what):
    command = (sys.executable, "-W", "ignore", "-c", FIT, str(folder), str(kept), cluster, what)
    fit = start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert fit.stdout.readline() == "began\n", fit.stderr.read()
    return fit


def finish(fit):
    """Whether a fit ended well; what it says on its way is read."""
    _, said = fit.communicate(timeout=240)
    assert fit.returncode == 0, said
    return True


@contextmanager
def cluster_of(n_workers, folder):
    """A scheduler and workers without anyone who would start them again; the address, and the workers' processes."""
    distributed = pytest.importorskip("distributed")
    about = folder / "scheduler.json"
    here = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(about))
    processes = [start(sys.executable, "-m", "distributed.cli.dask_scheduler", *here)]
    try:
        wait_until(about.exists)
        address = json.loads(about.read_text())["address"]
        alone = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard")
        of_worker = (sys.executable, "-m", "distributed.cli.dask_worker", address, *alone)
        processes += [start(*of_worker) for _ in range(n_workers)]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(n_workers, timeout=60)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        about.unlink(missing_ok=True)


def wait_until(happens):
    end = time.monotonic() + 120
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def predictions(folder, what):
    table = pd.read_parquet(folder / "00.parquet")
    return glade.load(folder.parent / f"{what}.glade").predict(table[["a", "b", "c"]])


def wait_for_files(kept, n):
    wait_until(lambda: len(list(kept.glob("*.npz"))) >= n)


@pytest.mark.parametrize(("what", "stages"), [("rules", [10, 50, 90, 130]), ("forest", [10, 42, 46])])
def test_a_client_that_is_killed_in_any_stage_goes_on_with_the_same_bits(what, stages, folder, tmp_path):
    """Files of 40 parts: of looks, of slopes twice, of errors; or of looks and of twelve times five trees."""
    assert finish(begin_fit(folder, "", "", what))
    expected = predictions(folder, what)
    (folder.parent / f"{what}.glade").unlink()
    kept = tmp_path / "kept"
    for n in stages:
        fit = begin_fit(folder, kept, "", what)
        wait_for_files(kept, n)
        fit.kill()
        assert fit.wait() == -signal.SIGKILL
    assert finish(begin_fit(folder, kept, "", what))
    assert np.array_equal(predictions(folder, what), expected)


@pytest.mark.parametrize("what", ["rules", "forest"])
def test_all_workers_that_are_killed_are_an_error_within_a_minute_and_new_ones_go_on(what, folder, tmp_path):
    assert finish(begin_fit(folder, "", "", what))
    expected = predictions(folder, what)
    (folder.parent / f"{what}.glade").unlink()
    kept = tmp_path / "kept"
    with cluster_of(2, tmp_path) as (address, workers):
        fit = begin_fit(folder, kept, address, what)
        wait_for_files(kept, 41)
        for worker in workers:
            worker.kill()
        killed = time.monotonic()
        _, said = fit.communicate(timeout=WITHIN + 30)
        assert time.monotonic() - killed < WITHIN
        assert fit.returncode == 1
        assert "no worker of the Dask cluster has answered for 40 seconds: start workers, and fit again" in said
    with cluster_of(2, tmp_path) as (address, _):
        assert finish(begin_fit(folder, kept, address, what))
    assert np.array_equal(predictions(folder, what), expected)
