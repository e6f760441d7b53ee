"""Type checkers and the constructors agree: right user code is accepted and runs, wrong code is found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import glade
from tests.typing import user_code

SOURCE = Path(glade.__file__).parents[1]
WRONG = {
    "TreeClassifier(class_wieght='balanced')": "Unexpected keyword argument",
    "TreeRegressor(class_weight='balanced')": "Unexpected keyword argument",
    "TreeRegressor(3)": "Too many positional arguments",
    "ForestRegressor(n_estimators=2.5)": "incompatible type",
    "ForestClassifier(oob_score=None)": "incompatible type",
    "MultiTreeRegressor(max_leaf_nodes=4)": "Unexpected keyword argument",
}


@pytest.fixture(scope="module")
def run_mypy(tmp_path_factory):
    """Run mypy with its own defaults, as in a project of a user, on files beside the package."""
    folder = tmp_path_factory.mktemp("mypy")

    def run(file: Path) -> str:
        command = [
            sys.executable,
            "-m",
            "mypy",
            "--config-file=",
            "--ignore-missing-imports",
            "--follow-imports=silent",
        ]
        done = subprocess.run(
            [*command, f"--cache-dir={folder}", file],
            cwd=folder,
            env={**os.environ, "MYPYPATH": str(SOURCE)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    return run


def test_the_user_code_runs(tmp_path):
    user_code.run_all(tmp_path)


def test_mypy_accepts_the_user_code(run_mypy):
    assert run_mypy(Path(user_code.__file__)).splitlines() == ["Success: no issues found in 1 source file"]


def test_mypy_finds_wrong_code(run_mypy, tmp_path):
    file = tmp_path / "wrong.py"
    names = sorted({code.split("(")[0] for code in WRONG})
    file.write_text("\n".join([f"from glade import {', '.join(names)}", "", *WRONG]) + "\n")
    told = run_mypy(file)
    for line, words in enumerate(WRONG.values(), start=3):
        assert any(f"wrong.py:{line}: error" in said and words in said for said in told.splitlines()), told
