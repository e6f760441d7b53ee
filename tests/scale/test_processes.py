"""Processes as users start them: a scheduler, workers and a client, of which some are killed while they work.

These take a minute and more; with `GLADE_LONG=1` they run.
"""

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


def start(*command):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def begin_fit(folder, kept, cluster, what):
    fit = start(sys.executable, "-W", "ignore", "-c", FIT, str(folder), str(kept), cluster, what)
    assert fit.stdout.readline() == "began\n", fit.stderr.read()
    return fit


@contextmanager
def cluster_of(n_workers):
    """A scheduler and workers without anyone who would start them again; the address, and the workers' processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        0, processes=True, protocol="tcp://", host="127.0.0.1", dashboard_address=None
    ) as scheduler:
        address, as_users_do = scheduler.scheduler_address, ("-m", "distributed.cli.dask_worker")
        alone = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard")
        workers = [start(sys.executable, *as_users_do, address, *alone) for _ in range(n_workers)]
        try:
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(n_workers, timeout=60)
            yield address, workers
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


def predictions(folder, what):
    table = pd.read_parquet(folder / "00.parquet")
    return glade.load(folder.parent / f"{what}.glade").predict(table[["a", "b", "c"]])


def wait_for_files(kept, n):
    end = time.monotonic() + 120
    while len(list(kept.glob("*.npz"))) < n:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(("what", "stages"), [("rules", [10, 50, 90, 130]), ("forest", [10, 42, 46])])
def test_a_client_that_is_killed_in_any_stage_goes_on_with_the_same_bits(what, stages, folder, tmp_path):
    """Files of 40 parts: of looks, of slopes twice, of errors; or of looks and of twelve times five trees."""
    assert begin_fit(folder, "", "", what).wait() == 0
    expected = predictions(folder, what)
    (folder.parent / f"{what}.glade").unlink()
    kept = tmp_path / "kept"
    for n in stages:
        fit = begin_fit(folder, kept, "", what)
        wait_for_files(kept, n)
        fit.kill()
        assert fit.wait() == -signal.SIGKILL
    assert begin_fit(folder, kept, "", what).wait() == 0
    assert np.array_equal(predictions(folder, what), expected)


@pytest.mark.parametrize("what", ["rules", "forest"])
def test_all_workers_that_are_killed_are_an_error_within_a_minute_and_new_ones_go_on(what, folder, tmp_path):
    assert begin_fit(folder, "", "", what).wait() == 0
    expected = predictions(folder, what)
    (folder.parent / f"{what}.glade").unlink()
    kept = tmp_path / "kept"
    with cluster_of(2) as (address, workers):
        fit = begin_fit(folder, kept, address, what)
        wait_for_files(kept, 41)
        for worker in workers:
            worker.kill()
        killed = time.monotonic()
        _, said = fit.communicate(timeout=WITHIN + 30)
        assert time.monotonic() - killed < WITHIN
        assert fit.returncode == 1
        assert "no worker of the Dask cluster has answered for 40 seconds: start workers, and fit again" in said
    with cluster_of(2) as (address, _):
        assert begin_fit(folder, kept, address, what).wait() == 0
    assert np.array_equal(predictions(folder, what), expected)
