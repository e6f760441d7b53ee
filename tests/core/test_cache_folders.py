"""Machine code of other versions is removed when a new version makes its folder, and not sooner."""

import os
import time

import pytest

from glade.core import _compile as compiling
from glade.core.cache_folders import DAY, mark_used, remove_old_folders


def make_folder(root, name, days):
    """A folder with a file in it, last used so many days ago."""
    folder = root / name
    folder.mkdir()
    (folder / "kernel.nbi").write_text("code")
    os.utime(folder, (time.time() - days * DAY,) * 2)
    return folder


def test_folders_unused_for_a_month_and_beyond_the_last_three_are_removed(tmp_path):
    days = {"a": 0.1, "b": 2, "c": 3, "d": 4, "e": 31, "f": 400}
    folders = {name: make_folder(tmp_path, name * 16, own) for name, own in days.items()}
    removed = remove_old_folders(folders["a"])
    assert sorted(removed) == [folders["d"], folders["e"], folders["f"]]
    assert sorted(tmp_path.iterdir()) == [folders["a"], folders["b"], folders["c"]]


def test_folders_that_a_running_process_may_use_stay(tmp_path):
    folders = [make_folder(tmp_path, f"{k:016x}", 0.02 * k) for k in range(10)]
    assert remove_old_folders(folders[-1]) == []


def test_the_last_three_used_do_not_stay_for_ever(tmp_path):
    own, other = make_folder(tmp_path, "a" * 16, 40), make_folder(tmp_path, "b" * 16, 40)
    assert remove_old_folders(own) == [other]


def test_what_is_no_cache_folder_stays(tmp_path):
    own = make_folder(tmp_path, "a" * 16, 0)
    for name in ("models", "A" * 16, "a" * 17):
        make_folder(tmp_path, name, 900)
    (tmp_path / ("b" * 16)).write_text("a file")
    elsewhere = make_folder(tmp_path / "models", "c" * 16, 900)
    (tmp_path / ("d" * 16)).symlink_to(elsewhere)
    assert remove_old_folders(own) == []
    assert (elsewhere / "kernel.nbi").exists()


def test_a_folder_that_cannot_be_removed_is_left(tmp_path, monkeypatch):
    def refuse(folder):
        raise PermissionError(folder)

    own, other = make_folder(tmp_path, "a" * 16, 0), make_folder(tmp_path, "b" * 16, 90)
    monkeypatch.setattr("shutil.rmtree", refuse)
    assert remove_old_folders(own) == []
    assert other.exists()


def test_a_process_marks_the_folder_it_uses(tmp_path):
    folder = make_folder(tmp_path, "a" * 16, 50)
    mark_used(folder)
    assert time.time() - folder.stat().st_mtime < DAY


@pytest.mark.parametrize("is_there", [False, True])
def test_only_a_version_that_makes_its_folder_looks_for_old_ones(tmp_path, monkeypatch, is_there):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / "glade").mkdir()
    old = make_folder(tmp_path / "glade", "0" * 16, 90)
    if is_there:
        make_folder(tmp_path / "glade", compiling._kernel_fingerprint(), 2)
    folder = compiling.find_cache_folder()
    assert folder.parent == tmp_path / "glade"
    assert time.time() - folder.stat().st_mtime < DAY
    assert old.exists() == is_there
