"""A save leaves the old file or the whole new one, whatever happens meanwhile (F8, F9, F20, S11)."""

import multiprocessing
import os
import signal
import time

import numpy as np
import pytest

import glade
from glade.core import files
from tests.fitted import fit

N_KILLS = 20


def _save_for_ever(path, n_saved):
    """Two models in turn, each a hundred times larger than a page of memory."""
    models = [_make_forest(seed) for seed in (0, 1)]
    while True:
        for model in models:
            model.save(path)
            n_saved.value += 1


def _make_forest(seed):
    X = np.random.default_rng(0).random((300, 4))
    return glade.ForestRegressor(40, random_state=seed).fit(X, X)


def test_f8_a_kill_at_any_moment_leaves_a_whole_file(tmp_path):
    path = tmp_path / "model.glade"
    rng, context = np.random.default_rng(0), multiprocessing.get_context("fork")
    wholes = []
    for seed in (0, 1):
        _make_forest(seed).save(path)
        wholes.append(path.read_bytes())
    for _ in range(N_KILLS):
        n_saved = context.Value("i", 0)
        process = context.Process(target=_save_for_ever, args=(path, n_saved))
        process.start()
        while n_saved.value == 0 and process.is_alive():
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.03))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert n_saved.value > 0
        assert path.read_bytes() in wholes
    glade.load(path)
    leftovers = [file for file in tmp_path.iterdir() if file != path]
    for file in leftovers:
        os.utime(file, (0, 0))
    fit("tree, text").save(path)
    assert list(tmp_path.iterdir()) == [path]


def test_f8_the_temporary_file_of_a_process_that_still_writes_is_left_alone(tmp_path):
    path = tmp_path / "model.glade"
    working, other = tmp_path / (files._prefix(path) + "abc"), tmp_path / ".model.glade.backup"
    for file in (working, other):
        file.write_bytes(b"half")
    os.utime(other, (0, 0))
    fit("tree, text").save(path)
    assert {file.name for file in tmp_path.iterdir()} == {"model.glade", working.name, other.name}


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_f9_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch, step):
    path = tmp_path / "model.glade"
    fit("tree, text").save(path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match=r"No space left on device: the [\d,]+ bytes of '.*model.glade' were not written"):
        fit("forest, numbers").save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_f9_a_write_that_stops_halfway_leaves_the_old_file(tmp_path):
    """A limit on the size of files (ulimit -f) makes the system itself refuse the rest of a write."""
    path = tmp_path / "model.glade"
    fit("tree, text").save(path)
    before, reader, writer = path.read_bytes(), *os.pipe()
    fit("forest, numbers")
    child = os.fork()
    if child == 0:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            fit("forest, numbers").save(path)
        except OSError as fault:
            os.write(writer, str(fault).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    assert b"File too large" in os.read(reader, 1000)
    os.close(reader)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_s11_a_link_is_replaced_not_followed(tmp_path):
    target, path = tmp_path / "other.txt", tmp_path / "model.glade"
    target.write_text("kept")
    path.symlink_to(target)
    fit("tree, text").save(path)
    assert target.read_text() == "kept"
    assert not path.is_symlink()
