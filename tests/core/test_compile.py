"""How kernels are compiled: what is changed of Numba and Python meanwhile, and that it is put back."""

import gc

import numpy as np
import pytest
from numba.core import ir

from glade.core import _compile as compiling


def make_kernel():
    @compiling.inlined
    def larger(a, b):
        return a if a > b else b

    @compiling.kernel
    def take_larger(values, out):
        for i in range(out.shape[0]):
            out[i] = larger(larger(values[i], values[i + 1]), larger(values[i + 1], 0.0))

    return take_larger


@pytest.mark.parametrize("is_known", [True, False])
def test_names_are_copied_either_way(monkeypatch, is_known):
    monkeypatch.setattr(compiling, "CACHE_FOLDER", None)
    if not is_known:
        monkeypatch.setattr(compiling, "SCOPE_PARTS", {"names of another Numba"})
    copies = []
    copy_scope = compiling._copy_scope
    monkeypatch.setattr(compiling, "_copy_scope", lambda *args: copies.append(1) or copy_scope(*args))
    out = np.empty(3)
    make_kernel()(np.array([1.0, -2.0, -3.0, 4.0]), out)
    assert out.tolist() == [1.0, 0.0, 4.0]
    assert bool(copies) == is_known
    assert "__deepcopy__" not in vars(ir.Scope)


def test_numba_is_as_it_was_after_a_failure(monkeypatch):
    monkeypatch.setattr(compiling, "CACHE_FOLDER", None)
    with pytest.raises(Exception, match="unknown_name"):
        compiling.kernel(lambda: unknown_name)()  # noqa: F821
    assert "__deepcopy__" not in vars(ir.Scope)
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off(monkeypatch):
    monkeypatch.setattr(compiling, "CACHE_FOLDER", None)
    gc.disable()
    try:
        compiling.kernel(lambda a: a + 1)(1)
        assert not gc.isenabled()
    finally:
        gc.enable()
