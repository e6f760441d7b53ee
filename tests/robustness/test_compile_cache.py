"""The first fit on a machine: no usable cache folder, several processes at once, a damaged cache, what is said.

A process that compiles a whole fit takes most of a minute, so small kernels stand for all kernels, which are cached
alike. With GLADE_LONG=1 whole fits are compiled too.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WHOLE_FITS = pytest.mark.skipif("GLADE_LONG" not in os.environ, reason="compiles a whole fit: set GLADE_LONG=1")
FIT = """
import sys
import numpy as np
from glade import TreeRegressor
X = np.random.default_rng(0).normal(size=(50, 3))
tree = TreeRegressor().fit(X, X[:, 0] * X[:, 1])
from glade.core import _compile as compile
print(compile.CACHE_FOLDER)
print(tree.predict(X).tobytes().hex())
"""

TINY = """
import numpy as np
from glade.core import _compile as compile
from glade.grow import _route as route
print(route.is_in_set(np.arange(0, 9, 2, np.int32), 0, 5, np.int32(4)))
print(sum(route.is_in_set.stats.cache_misses.values()))
print(compile.CACHE_FOLDER)
"""


NOTICE_AT_ONCE = """
from glade.core import _compile as compile
compile.COMPILE_NOTICE_AFTER = 0.0
"""
SLOW_LOAD = """
import time
from glade.rules import _bits as bits
from glade.grow import _route as route
for kernel in (route.is_in_set, bits.count_common):
    load = kernel._cache.load_overload
    kernel._cache.load_overload = lambda *args, load=load: time.sleep(0.5) or load(*args)
"""
ANOTHER = """
bits.count_common(np.zeros((1, 1), np.uint64), np.zeros((1, 1), np.int64), 0, 1)
"""
STRANGER = """
import numba
from glade.core import _compile as compile
compile.COMPILE_NOTICE_AFTER = 0.0
print(numba.njit(lambda x: x + 1)(1))
"""


def start(code, **environment):
    """Run code in a fresh interpreter; a value of None removes a variable."""
    variables = {**os.environ, **{k: v for k, v in environment.items() if v is not None}}
    for name in (name for name, value in environment.items() if value is None):
        variables.pop(name, None)
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """Standard output in lines, and standard error, of a process that must succeed."""
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out.split("\n"), err


def expected_prediction():
    import numpy as np

    from glade import TreeRegressor

    X = np.random.default_rng(0).normal(size=(50, 3))
    return TreeRegressor().fit(X, X[:, 0] * X[:, 1]).predict(X).tobytes().hex()


def test_import_is_light():
    """Numba is imported by the first fit, the others when they are asked for.

    scikit-learn 1.9 imports pandas (and with it pyarrow) where it is installed: glade adds none to that.
    """
    code = """
import sys
import sklearn.base, sklearn.model_selection
before = set(sys.modules)
import glade
heavy = {"numba", "llvmlite", "pandas", "polars", "pyarrow", "matplotlib", "dask"}
print(sorted(heavy & (set(sys.modules) - before)), sorted((heavy - {"pandas", "pyarrow"}) & set(sys.modules)))
"""
    out, err = finish(start(code))
    assert (out[0], err) == ("[] []", "")


ONCE = "glade: compiling for this machine, once (some 20 s)\n"
IN_EACH_PROCESS = "glade: compiling for this machine, anew in each process, as no folder keeps the result (some 20 s)\n"


def test_two_processes_at_once_on_an_empty_cache(tmp_path):
    processes = [start(NOTICE_AT_ONCE + TINY, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    for (found, _, folder, *_), err in map(finish, processes):
        assert found == "True"
        assert Path(folder).is_relative_to(tmp_path)
        assert err in (ONCE, "")  # whoever is later may find the kernel ready
    (found, misses, *_), err = finish(start(NOTICE_AT_ONCE + TINY, NUMBA_CACHE_DIR=str(tmp_path)))
    assert (found, misses, err) == ("True", "0", "")


@WHOLE_FITS
def test_two_whole_fits_at_once_on_an_empty_cache(tmp_path):
    processes = [start(FIT, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    for (folder, predicted, *_), err in map(finish, processes):
        assert Path(folder).is_relative_to(tmp_path)
        assert predicted == expected_prediction()
        assert err == ONCE


NO_TEMPORARY_FOLDER = """
import tempfile
def refuse():
    raise FileNotFoundError("no usable temporary directory")
tempfile.gettempdir = refuse
"""


def start_with_no_folder(code):
    """A file stands where each folder would be: that holds for the superuser too, unlike a missing permission."""
    nowhere = os.devnull + "/nowhere"
    folders = dict.fromkeys(("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME", "TMPDIR"), nowhere)
    return start(NO_TEMPORARY_FOLDER + code, **folders)


def test_no_folder_can_be_written():
    (found, misses, folder, *_), err = finish(start_with_no_folder(NOTICE_AT_ONCE + TINY))
    assert (found, folder, err) == ("True", "None", IN_EACH_PROCESS)
    assert misses == "1"


@WHOLE_FITS
def test_a_whole_fit_where_no_folder_can_be_written():
    (folder, predicted, *_), err = finish(start_with_no_folder(FIT))
    assert (folder, predicted, err) == ("None", expected_prediction(), IN_EACH_PROCESS)


@pytest.fixture
def find_cache_folder(monkeypatch):
    """The search for a folder, with no home folder to find."""
    from glade.core import _compile as compile

    monkeypatch.setenv("NUMBA_CACHE_DIR", os.devnull + "/nowhere")
    return compile.find_cache_folder


def test_the_temporary_folder_stands_in(find_cache_folder, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = find_cache_folder()
    assert folder.is_relative_to(tmp_path / f"glade-{os.getuid()}")
    assert (tmp_path / f"glade-{os.getuid()}").stat().st_mode & 0o077 == 0


def test_a_strangers_folder_is_not_used(find_cache_folder, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("os.getuid", lambda: 12345)
    (tmp_path / "glade-12345").mkdir()
    assert find_cache_folder() is None
    (tmp_path / "glade-12345").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "glade-12345").symlink_to(tmp_path / "elsewhere")
    assert find_cache_folder() is None


def test_the_notice_is_said_once_when_something_compiles_and_never_when_it_is_loaded(tmp_path):
    """Small kernels stand for all; a slow load stands for a slow machine."""
    code = NOTICE_AT_ONCE + SLOW_LOAD + TINY + ANOTHER
    said = [finish(start(code, NUMBA_CACHE_DIR=str(tmp_path)))[1] for _ in range(2)]
    assert said == ["glade: compiling for this machine, once (some 20 s)\n", ""]


def test_the_notice_is_not_about_the_functions_of_others(tmp_path):
    assert finish(start(STRANGER, NUMBA_CACHE_DIR=str(tmp_path))) == (["2", ""], "")


def test_a_damaged_cache_costs_a_compilation_and_no_more(tmp_path):
    """A small kernel stands for all: they are cached alike."""
    for expected_misses in ("1", "0"):
        (found, misses, folder, *_), _ = finish(start(TINY, NUMBA_CACHE_DIR=str(tmp_path)))
        assert (found, misses) == ("True", expected_misses)
    files = [path for path in Path(folder).rglob("*.nb[ic]") if path.is_file()]
    assert len(files) == 2
    for file in files:
        file.write_bytes(file.read_bytes()[:20])
    (found, misses, *_), _ = finish(start(TINY, NUMBA_CACHE_DIR=str(tmp_path)))
    assert (found, misses) == ("True", "1")


def test_a_cache_folder_that_vanishes_costs_no_more_either(tmp_path):
    """The folder is there on import, and a file stands in its place when the kernel is to be saved."""
    vanish = "import shutil\nfrom glade.core import _compile as compile\n"
    vanish += "from glade.grow import _route\nshutil.rmtree(compile.CACHE_FOLDER)\n"
    vanish += "compile.CACHE_FOLDER.touch()\n"
    (found, misses, folder, *_), _ = finish(start(vanish + TINY, NUMBA_CACHE_DIR=str(tmp_path)))
    assert (found, misses) == ("True", "1")
    assert Path(folder).is_file()
