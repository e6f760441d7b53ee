"""Files are written whole or not at all (F8, F9)."""

import os

import pytest

from glade.core import files


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "a"
    files.write_whole(path, b"old")
    files.write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.stat(path).st_mode & 0o077 == 0o066 & ~files._umask() & 0o077


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
