"""Files are written whole or not at all (F8, F9)."""

import os
import stat

import pytest

from glade.core import files


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "a"
    files.write_whole(path, b"old")
    files.write_whole(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.fixture
def mask():
    """A mask of permissions that is like no default."""
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.mark.usefixtures("mask")
def test_a_new_file_has_the_rights_that_the_mask_leaves_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "a"
    files.write_whole(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    for mode in (0o600, 0o666, 0o755):
        path.chmod(mode)
        files.write_whole(path, b"newer")
        assert stat.S_IMODE(path.stat().st_mode) == mode


def test_the_mask_of_the_process_is_never_touched(tmp_path, monkeypatch):
    """Another thread would make its files with the wrong permissions meanwhile."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the mask of permissions was changed"))
    files.write_whole(tmp_path / "a", b"new")


def test_what_is_written_is_never_more_open_than_the_file_that_it_replaces(tmp_path, monkeypatch):
    path, modes, fsync = tmp_path / "a", [], os.fsync
    path.write_bytes(b"old")
    path.chmod(0o600)
    monkeypatch.setattr(os, "fsync", lambda handle: modes.append(os.fstat(handle).st_mode & 0o777) or fsync(handle))
    files.write_whole(path, b"new")
    assert modes == [0o600]


def test_a_group_that_the_new_file_cannot_have_gets_no_rights_by_another_one(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o664)

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    before = path.stat()
    values = list(before)
    values[stat.ST_GID] += 1
    files._copy_rights(os.stat_result(values), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path, is_there):
    (tmp_path / "far").mkdir()
    target, middle, path = tmp_path / "far" / "target", tmp_path / "middle", tmp_path / "a"
    middle.symlink_to(target)
    path.symlink_to("middle")
    if is_there:
        target.write_bytes(b"old")
        target.chmod(0o600)
    files.write_whole(path, b"new")
    assert os.readlink(path) == "middle"
    assert middle.is_symlink()
    assert not target.is_symlink()
    assert target.read_bytes() == b"new"
    assert not is_there or stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["a", "far", "middle"]
    assert os.listdir(tmp_path / "far") == ["target"]


def test_what_cannot_be_written_is_said_in_one_sentence(tmp_path):
    loop, dangling, locked = (tmp_path / name for name in ("loop", "dangling", "locked"))
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "nowhere" / "target")
    locked.write_bytes(b"old")
    locked.chmod(0o444)
    for path, reason in (
        (loop, "The link leads back to itself"),
        (dangling, "There is no folder '.*nowhere'"),
        (locked, "The file is read-only, make it writable or choose another name"),
    ):
        with pytest.raises(OSError, match=rf"{reason}: the 3 bytes of '.*{path.name}' were not written"):
            files.write_whole(path, b"new")
    assert locked.read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["dangling", "locked", "loop"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_fault_at_any_step_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path = tmp_path / "a"
    files.write_whole(path, b"old")

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left"):
        files.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
