"""A save leaves the old file or the whole new one, whatever happens meanwhile (F8, F9, F20, S11)."""

import multiprocessing
import os
import signal
import time
from copy import copy
from dataclasses import replace

import numpy as np
import pytest

import glade
from glade.core import files
from glade.models.saved import file as model_file
from tests.fitted import fit

N_KILLS = int(os.environ.get("GLADE_KILLS", "40"))


def _make_forests():
    """Two models whose files are a hundred times larger than a page of memory."""
    X = np.random.default_rng(0).random((300, 4))
    return [glade.ForestRegressor(40, random_state=seed).fit(X, X) for seed in (0, 1)]


def _save_for_ever(path, models, n_saved):
    """Without reading back, in which most of the time would go by: the kill is to come while a file is written."""
    model_file._check_loads = lambda *_: None
    while True:
        for model in models:
            model.save(path)
            n_saved.value += 1


def test_f8_a_kill_at_any_moment_leaves_a_whole_file(tmp_path):
    path = tmp_path / "model.glade"
    rng, context, models = np.random.default_rng(0), multiprocessing.get_context("fork"), _make_forests()
    wholes, n_moments = [], 0
    for model in models:
        model.save(path)
        wholes.append(path.read_bytes())
    for _ in range(N_KILLS):
        n_saved = context.Value("i", 0, lock=False)  # one that is killed would never give a lock back
        process = context.Process(target=_save_for_ever, args=(path, models, n_saved))
        process.start()
        while n_saved.value == 0 and process.is_alive():
            time.sleep(0.0005)
        time.sleep(rng.uniform(0, 0.01))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert n_saved.value > 0
        assert path.read_bytes() in wholes
        n_moments += len(list(tmp_path.iterdir())) > 1
        for file in set(tmp_path.iterdir()) - {path}:
            file.unlink()
    assert n_moments > N_KILLS / 20  # so many were killed while they wrote
    glade.load(path)


STEPS = ("open", "fdopen", "fsync", "chmod", "replace")


@pytest.mark.parametrize("n", range(1, len(STEPS) + 2))
def test_f8_a_kill_before_each_step_leaves_a_whole_file(tmp_path, monkeypatch, n):
    """Before the n-th call that a save makes to the system, the process is gone."""
    path = tmp_path / "model.glade"
    fit("tree, text").save(path)
    before, model = path.read_bytes(), fit("forest, numbers")
    model.save(tmp_path / "new")
    after = (tmp_path / "new").read_bytes()
    (tmp_path / "new").unlink()
    child = os.fork()
    if child == 0:
        calls = iter(range(1, 100))

        def die_at_nth(call):
            def counted(*args, **more):
                if next(calls) == n:
                    os._exit(9)
                return call(*args, **more)

            return counted

        for step in STEPS:
            monkeypatch.setattr(os, step, die_at_nth(getattr(os, step)))
        model.save(path)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    is_dead = os.waitstatus_to_exitcode(status) == 9
    assert path.read_bytes() == (before if is_dead else after)
    assert is_dead == (n <= len(STEPS))
    for file in set(tmp_path.iterdir()) - {path}:
        os.utime(file, (0, 0))
    model.save(path)
    assert list(tmp_path.iterdir()) == [path]


def test_f8_a_model_that_would_not_load_is_not_saved(tmp_path):
    """Whatever defect makes it so: the old file stays, and the message names the file and the fault."""
    path, broken = tmp_path / "model.glade", copy(fit("tree, text"))
    fit("tree, text").save(path)
    before = path.read_bytes()
    broken.tree_ = replace(broken.tree_, value=np.full_like(broken.tree_.value, np.nan))
    message = r"'.*model.glade' was not written, because it could not be loaded again \(.*NaN.*\): this is a defect"
    with pytest.raises(RuntimeError, match=message):
        broken.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_f20_two_processes_that_save_to_one_path_do_not_mix(tmp_path):
    path, models, wholes = tmp_path / "model.glade", _make_forests(), []
    for model in models:
        model.save(path)
        wholes.append(path.read_bytes())
    context = multiprocessing.get_context("fork")
    saving = [context.Process(target=_save_often, args=(path, model)) for model in models]
    for process in saving:
        process.start()
    seen = set()
    while any(process.is_alive() for process in saving):
        seen.add(path.read_bytes())
    assert [process.exitcode for process in saving] == [0, 0]
    assert seen <= set(wholes)
    assert list(tmp_path.iterdir()) == [path]


def _save_often(path, model):
    for _ in range(30):
        model.save(path)


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


def test_s11_a_link_stays_a_link_and_a_private_model_stays_private(tmp_path):
    target, path = tmp_path / "other.glade", tmp_path / "model.glade"
    fit("tree, text").save(target)
    target.chmod(0o600)
    path.symlink_to(target)
    leftover = tmp_path / (files._prefix(target) + "abc")
    leftover.write_bytes(b"half")
    os.utime(leftover, (0, 0))
    fit("forest, numbers").save(path)
    assert path.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600
    assert type(glade.load(target)) is glade.ForestRegressor
    assert sorted(os.listdir(tmp_path)) == ["model.glade", "other.glade"]


def test_s11_a_planted_link_is_not_written_through(tmp_path, monkeypatch):
    """The temporary file is made anew (O_EXCL, O_NOFOLLOW): a name that is taken is not used."""
    victim = tmp_path / "victim"
    victim.write_text("kept")
    path = tmp_path / "model.glade"
    names = iter(["taken", "free"])
    monkeypatch.setattr(files.secrets, "token_hex", lambda n: next(names))
    (tmp_path / f"{files._prefix(path)}taken").symlink_to(victim)
    fit("tree, text").save(path)
    assert victim.read_text() == "kept"
    glade.load(path)
