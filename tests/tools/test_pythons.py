"""Which Pythons CI finds on a machine."""

import os
import sys
from pathlib import Path

import pytest

from tools import pythons


@pytest.fixture
def make_python(tmp_path, monkeypatch):
    """Put a command that answers as a Python would on an otherwise empty PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "no-pyenv"))
    monkeypatch.delenv("GLADE_PYTHONS", raising=False)

    def make(name: str, answer: str, exit_code: int = 0) -> Path:
        file = tmp_path / name
        file.write_text(f"#!/bin/sh\necho '{answer}'\nexit {exit_code}\n")
        file.chmod(0o755)
        return file

    return make


def test_each_minor_version_is_listed_once_the_oldest_first(make_python):
    newer, older = make_python("python3", "3.99\ncpython"), make_python("python3.11", "3.11\ncpython")
    make_python("python3.99", "3.99\ncpython")
    assert pythons.find_pythons() == {(3, 11): older, (3, 99): newer}


def test_a_shim_that_leads_nowhere_and_a_python_too_old_are_passed_over(make_python):
    make_python("python3.12", "pyenv: python3.12: command not found", exit_code=127)
    make_python("python3.10", "3.10\ncpython")
    make_python("python3.11", "3.11\npypy")
    assert pythons.find_pythons() == {}


def test_a_python_that_a_variable_names_comes_first(make_python, monkeypatch):
    make_python(f"python3.{sys.version_info.minor}", f"3.{sys.version_info.minor}\ncpython")
    monkeypatch.setenv("GLADE_PYTHONS", os.pathsep.join(["/no/such/python", sys.executable]))
    assert pythons.find_pythons() == {tuple(sys.version_info[:2]): Path(sys.executable)}
