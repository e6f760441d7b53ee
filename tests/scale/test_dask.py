"""Workers of Dask: the same bits as in this process, also after some were killed; an error where none is left."""

import os
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from sklearn.base import clone

import glade
from glade.core.errors import InputError, ResourceError
from glade.scale import cluster as cluster_room
from glade.scale import fit as fitting
from tests.scale.test_rules import INPUTS, MODELS

GROWN = {
    "forest": glade.ForestRegressor(40, max_leaf_nodes=30, random_state=0),
    "tree": glade.TreeRegressor(max_depth=4, random_state=0),
    "boosted": glade.ForestRegressor(10, method="boosting", random_state=0),
}

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.filterwarnings("ignore:terms are found on", "ignore:.*trees are grown on"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def client():
    """Two workers in threads of this process."""
    with (
        distributed.LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def fit(name, table):
    model, target = MODELS[name]() if name in MODELS else (clone(GROWN[name]), "number")
    return model.fit(table[INPUTS], table[target])


@pytest.mark.parametrize("name", ["number", "two", "forest", "tree", "boosted"])
def test_workers_give_the_same_bits_as_this_process(name, folders, table, small_samples, client):
    here, there = (fit(name, glade.open_partitions(folders[1], cluster=own)) for own in (None, client))
    assert np.array_equal(*(own.predict_values(own.encode(table[INPUTS])) for own in (here, there)))
    if name in MODELS:
        assert there.errors_.equals(here.errors_)


def test_a_dask_dataframe_is_a_table_in_partitions(folders, table, small_samples, client):
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.read_parquet(folders[1])
    model, target = MODELS["number"]()
    model.fit(frame[INPUTS], frame[target])
    assert np.array_equal(
        model.predict(table[INPUTS]), fit("number", glade.open_partitions(folders[1])).predict(table[INPUTS])
    )
    assert np.array_equal(model.predict(frame[INPUTS]), model.predict(table[INPUTS]))
    forest = clone(GROWN["forest"]).fit(frame[INPUTS], frame["number"])
    expected = fit("forest", glade.open_partitions(folders[1]))
    assert np.array_equal(forest.predict(table[INPUTS]), expected.predict(table[INPUTS]))
    with pytest.raises(TypeError, match="y is in memory and X is in partitions"):
        model.fit(frame[INPUTS], table[target])


STAGES = {"number": ["look", "slopes 0", "slopes 1", "errors"], "forest": ["look", "trees"]}  # boosted: one task


@pytest.mark.parametrize("name", STAGES)
def test_a_worker_that_is_killed_changes_no_bit(name, folders, table, small_samples, monkeypatch):
    """One worker is killed in each stage: looks, slopes and errors for rules; looks and trees for a forest."""
    expected = fit(name, glade.open_partitions(folders[1])).predict(table[INPUTS])
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        killed = []
        kept_map = fitting.Checkpoints.map

        def kill_one(self, what, *given):
            for n, found in enumerate(kept_map(self, what, *given)):
                if n == 1:
                    _, worker = sorted(cluster.workers.items())[0]
                    os.kill(worker.process.pid, signal.SIGKILL)
                    killed.append(what)
                yield found

        monkeypatch.setattr(fitting.Checkpoints, "map", kill_one)
        model = fit(name, glade.open_partitions(folders[1], cluster=client))
    assert killed == STAGES[name]
    assert np.array_equal(model.predict(table[INPUTS]), expected)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_no_worker_left_is_an_error_and_no_wait_for_ever(when, folders, small_samples, monkeypatch):
    monkeypatch.setattr(cluster_room, "PATIENCE", 1.0)
    with (
        distributed.LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        if when == "before":
            send_home(cluster, client)
        kept_map = fitting.Checkpoints.map

        def leave(self, what, *given):
            for n, found in enumerate(kept_map(self, what, *given)):
                if n == 1:
                    send_home(cluster, client)
                yield found

        monkeypatch.setattr(fitting.Checkpoints, "map", leave)
        with pytest.raises(ResourceError, match="no worker of the Dask cluster has answered for 1 seconds: start"):
            fit("number", glade.open_partitions(folders[2], cluster=client))


def test_f5_a_scheduler_that_is_gone_is_an_error(folders, small_samples, monkeypatch):
    monkeypatch.setattr(cluster_room, "PATIENCE", 1.0)
    cluster = distributed.LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=None)
    with distributed.Client(cluster, set_as_default=False) as client:
        kept_map = fitting.Checkpoints.map

        def leave(self, what, *given):
            for n, found in enumerate(kept_map(self, what, *given)):
                if n == 1:
                    cluster.close()
                yield found

        monkeypatch.setattr(fitting.Checkpoints, "map", leave)
        with pytest.raises(ResourceError, match=r"has answered for|the Dask scheduler is gone"):
            fit("number", glade.open_partitions(folders[2], cluster=client))


def send_home(cluster, client):
    """Wait until the last worker has left."""
    cluster.scale(0)
    while client.scheduler_info()["workers"]:
        time.sleep(0.05)


def test_an_address_where_nobody_answers_is_an_error(monkeypatch, folders, small_samples):
    monkeypatch.setattr(cluster_room, "CONNECT_SECONDS", 0.5)
    with pytest.raises(ResourceError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        fit("number", glade.open_partitions(folders[0], cluster="tcp://127.0.0.1:1"))


@pytest.mark.parametrize("address", ["nonsense", "http://10.0.0.1:8786", "scheduler.json", "tcp://10.0.0.1"])
def test_what_is_no_address_is_refused_at_once(address, folders, small_samples):
    with pytest.raises(InputError, match="is no address of a Dask scheduler: give one such as tcp"):
        fit("number", glade.open_partitions(folders[0], cluster=address))


def test_a_fault_of_the_table_is_told_as_it_is(folders, small_samples, client):
    table = glade.open_partitions(folders[0], cluster=client)
    with pytest.raises(ValueError, match="not numeric"):
        glade.RuleEnsembleRegressor().fit(table[INPUTS], table["two"])


@pytest.mark.filterwarnings("ignore:.*Hosting the HTTP server")
def test_certificates_are_taken_from_the_environment(folders, table, small_samples, tmp_path, monkeypatch):
    """Who has none is told so; with those that the variables name, a scheduler that demands some is reached."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificates")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    asked = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=glade", "-keyout", key, "-out", certificate]
    subprocess.run(["openssl", "req", "-x509", *asked], check=True, capture_output=True)
    of_all = {
        f"tls_{who}_{what}": file
        for who in ("scheduler", "worker", "client")
        for what, file in (("cert", certificate), ("key", key))
    }
    security = distributed.Security(tls_ca_file=certificate, require_encryption=True, **of_all)
    settings = {"threads_per_worker": 1, "processes": False, "dashboard_address": None, "host": "127.0.0.1"}
    with distributed.LocalCluster(1, protocol="tls://", security=security, **settings) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with pytest.raises(InputError, match="demands certificates: name their files in 'GLADE_TLS_CA', "):
            fit("tree", glade.open_partitions(folders[1], cluster=address))
        monkeypatch.setenv("GLADE_TLS_CA", str(tmp_path / "none.pem"))
        with pytest.raises(InputError, match=r"GLADE_TLS_CA names .*none.pem', which is no file"):
            fit("tree", glade.open_partitions(folders[1], cluster=address))
        for variable, file in (("CA", certificate), ("CERT", certificate), ("KEY", key)):
            monkeypatch.setenv(f"GLADE_TLS_{variable}", file)
        model = fit("tree", glade.open_partitions(folders[1], cluster=address))
    expected = fit("tree", glade.open_partitions(folders[1]))
    assert np.array_equal(model.predict(table[INPUTS]), expected.predict(table[INPUTS]))
