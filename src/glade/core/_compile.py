"""How every kernel is compiled, and where the machine code is kept.

Numba keeps compiled code beside the source by default and looks at one file's date only: a change in a kernel that
another file calls would go unseen. We keep ours in a folder named after the text of all kernels together, in a place
the user can write, and go without one where no such place exists.
"""

import hashlib
import os
import platform
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from glade.core.cache_folders import mark_used, remove_old_folders
from glade.core.notices import say_aside

# Sums may be reordered (that is what lets LLVM use vector instructions); NaN and infinity keep their meaning.
FAST_SUMS = {"reassoc", "contract", "nsz"}
ONE_DECORATES = threading.Lock()  # kernels are imported where they are needed first, which may be in several threads
CONSTANTS = "grow/layout.py", "data/criteria.py"  # files whose numbers are compiled into kernels
COMPILE_NOTICE_AFTER = 1.0  # seconds; kernels that compile sooner are not worth a word


def _user_cache_root() -> Path:
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def _find_sources() -> list[Path]:
    """All files with kernels, and those whose numbers are compiled into them."""
    package = Path(__file__).parents[1]
    return sorted((*package.rglob("_[!_]*.py"), *map(package.joinpath, CONSTANTS)))


def _kernel_fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for source in _find_sources():
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _temporary_root() -> Path:
    """A folder of the user's own in the one for temporary files; a stranger's there could hold a stranger's code."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    root = Path(tempfile.gettempdir()) / f"glade-{user}"
    root.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (root.is_symlink() or root.stat().st_uid != user):
        raise PermissionError(f"{root} is not ours")
    return root


def find_cache_folder() -> Path | None:
    """The first folder that takes a file, or None: then kernels are compiled anew in each process."""
    for root in (_user_cache_root, _temporary_root):
        try:
            folder = root() / "glade" / _kernel_fingerprint()
            is_new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                mark_used(folder)
            if is_new:
                remove_old_folders(folder)
            return folder
        except (OSError, RuntimeError):  # RuntimeError: no home folder
            continue
    return None


CACHE_FOLDER = find_cache_folder()


def is_ready(what: str) -> bool:
    """Whether all kernels that some work needs have been compiled; where nothing is kept, that is of no use."""
    return CACHE_FOLDER is None or _find_mark(CACHE_FOLDER, what).exists()


def mark_ready(what: str) -> None:
    """All kernels that some work needs have been compiled."""
    if CACHE_FOLDER is not None:
        with suppress(OSError):
            _find_mark(CACHE_FOLDER, what).touch()


def _find_mark(folder: Path, what: str) -> Path:
    """Of these very files: Numba takes no code of a file elsewhere, or of one with another date, whatever its text."""
    digest = hashlib.sha256()
    for source in _find_sources():
        digest.update(f"{source} {source.stat().st_mtime_ns}".encode())
    return folder / f"{what}-{digest.hexdigest()[:16]}.ready"


@contextmanager
def _numba_cache_at(folder: Path) -> Iterator[None]:
    """Numba reads this setting when a function is decorated; it is put back so that other libraries keep theirs."""
    with ONE_DECORATES:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


# Kernels fill arrays that Python made and allocate none: then Numba's reference counts (an atomic operation for each
# array at each call) have nothing to count. Leaving them out halves the time of growing an unpruned tree. No C code
# calls a kernel: a wrapper for it would only take time to compile.
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": FAST_SUMS,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


def kernel(function: Callable[..., Any]) -> Any:
    """A function that Python calls: compiled on its first call, run without the interpreter's lock, cached."""
    if CACHE_FOLDER is None:
        return numba.njit(**OPTIONS)(function)
    with _numba_cache_at(CACHE_FOLDER):
        return _without_cache_faults(numba.njit(cache=True, **OPTIONS)(function))


def _without_cache_faults(dispatcher: Any) -> Any:
    """A full disk, a vanished folder or a damaged file costs a compilation, not the fit."""
    cache = dispatcher._cache
    load, save = cache.load_overload, cache.save_overload

    def load_if_possible(*args: Any) -> Any:
        try:
            return load(*args)
        except Exception:  # whatever unpickling damaged bytes may raise
            return None

    def save_if_possible(*args: Any) -> None:
        with suppress(Exception):
            save(*args)

    cache.load_overload, cache.save_overload = load_if_possible, save_if_possible
    return dispatcher


def part(function: Callable[..., Any]) -> Any:
    """A function that only kernels call: no wrapper for Python is compiled for it."""
    return numba.njit(no_cpython_wrapper=True, **OPTIONS)(function)


def exact_part(function: Callable[..., Any]) -> Any:
    """A part whose sums are taken as they are written: where rounding would decide a tie, on every machine alike."""
    return numba.njit(no_cpython_wrapper=True, **{**OPTIONS, "fastmath": False})(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A part on the hot path: LLVM puts its code in the place of the call. It may not return an array."""
    return numba.njit(forceinline=True, no_cpython_wrapper=True, **OPTIONS)(function)


def pasted(function: Callable[..., Any]) -> Any:
    """A few lines that return an array: Numba writes them into the caller, which takes much longer to compile."""
    return numba.njit(inline="always", **OPTIONS)(function)


class CompileNotice(event.Listener):  # type: ignore[misc]
    """Says on standard error that a kernel is being compiled, once a process and only if it takes its time.

    Numba tells of compilations only, not of code that it loads from the cache, however slow the machine is.
    """

    def __init__(self) -> None:
        self._is_said = False
        self._outermost: Any = None  # the kernel that is being compiled; its parts are compiled meanwhile
        self._timer: threading.Timer | None = None

    def on_start(self, compilation: Any) -> None:
        """A function is about to be compiled, under Numba's lock: there is one at a time."""
        dispatcher = compilation.data["dispatcher"]
        if self._is_said or self._outermost is not None or not _is_ours(dispatcher):
            return
        self._outermost = dispatcher
        self._timer = threading.Timer(COMPILE_NOTICE_AFTER, self._say)
        self._timer.daemon = True
        self._timer.start()

    def on_end(self, compilation: Any) -> None:
        """A function is compiled, or could not be."""
        if self._timer is not None and compilation.data["dispatcher"] is self._outermost:
            self._timer.cancel()
            self._outermost = self._timer = None

    def _say(self) -> None:
        self._is_said = True
        kept = "once" if CACHE_FOLDER is not None else "anew in each process, as no folder keeps the result"
        say_aside(f"glade: compiling for this machine, {kept} (some 20 s)\n")


def _is_ours(dispatcher: Any) -> bool:
    return getattr(getattr(dispatcher, "py_func", None), "__module__", "").startswith("glade.")


event.register("numba:compile", CompileNotice())
