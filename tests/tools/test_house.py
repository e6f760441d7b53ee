"""How the house is measured: each figure on a small package whose figures are plain to see."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import glade
from glade import TreeRegressor
from tools import house, house_walk
from tools.house_source import find_percentile, list_functions, measure_landmarks, measure_rooms, read_files

KERNEL = "def add(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11):\n    return a1\n"
READER = '''"""Reads what is not its own."""

from glade.grow.tree import Tree, _make


class Reader:
    def __init__(self, a, b, c, d, e, f, g, h, i):
        self._own = 1

    def read(self, tree, model):
        # a comment
        other = Reader(*range(9))
        if hasattr(model, "tree_") and hasattr(self, "tree_"):
            return tree._nodes
        return self._own + other._own + _make(tree)
'''
TREE = '''"""A tree."""


class Tree:
    """Has nodes."""

    def __init__(self):
        self._nodes = []


def _make(a, b=1, *c, d, e=2, f=3, g=4, h=5, **i):
    """Make one.

    Not a short docstring.
    """
    return [x for x in c if x] if a and b and d else None
'''


MODEL = '''class Model:
    """A model.

    Parameters
    ----------
    size : int
        How large.
    seed : int
    """

    def __init__(self, size=1, seed=0, depth=2):
        pass

    def get_params(self):
        return {}
'''
SECTION = """One line.

Parameters
----------
a, b : int
    Text.
c : int
"""
SOURCE = Path(glade.__file__).parent
AUTHOR = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def write_checkout(folder: Path) -> Path:
    """A checkout with one package of a few rooms."""
    package = folder / "src" / "glade"
    files = {
        "__init__.py": '"""Small."""\n\n__all__ = ["Model"]\n\nfrom glade.models.model import Model\n',
        "grow/__init__.py": "",
        "grow/tree.py": TREE,
        "grow/_kernel.py": KERNEL,
        "grow/pruning.py": "X = 1\n",
        "report/__init__.py": "",
        "report/reader.py": READER,
        "models/__init__.py": "",
        "models/model.py": MODEL,
    }
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return folder


@pytest.fixture
def checkout(tmp_path):
    return write_checkout(tmp_path)


@pytest.fixture
def rooms(checkout):
    return measure_rooms(checkout / "src" / "glade")


def test_a_function_is_measured_without_its_docstring(checkout):
    files = {file.path: file for file in read_files(checkout / "src" / "glade")}
    found = {f.where: f for f in list_functions(files["grow/tree.py"])}
    assert found["grow/tree.py:_make"].lines == 2
    assert found["grow/tree.py:_make"].n_parameters == 9  # *c and **i are two
    assert found["grow/tree.py:_make"].complexity == 1 + 2 + 1 + 1  # and, and; if ... else; for
    assert found["grow/tree.py:Tree.__init__"].n_parameters == 0  # self is none


def test_lines_of_code_are_those_without_docstrings_comments_and_blanks(rooms):
    assert rooms["report"]["lines"] == 15
    assert rooms["report"]["code_lines"] == 9


def test_a_constructor_may_take_many_parameters_and_a_kernel_ten(rooms):
    assert rooms["all"]["over_8_parameters"] == ["grow/_kernel.py:add", "grow/tree.py:_make"]
    assert rooms["all"]["too_many_parameters"] == ["grow/tree.py:_make"]
    assert rooms["all"]["too_many_in_kernels"] == ["grow/_kernel.py:add"]
    assert rooms["all"]["most_parameters"] == 11


def test_a_private_attribute_of_another_room_is_found_and_an_own_one_is_not(rooms):
    assert rooms["report"]["private_reads"] == [
        "report/reader.py:3 glade.grow.tree._make",
        "report/reader.py:14 tree._nodes",
    ]
    assert rooms["grow"]["private_reads"] == []


def test_asking_a_model_what_it_is_counts_and_asking_oneself_does_not(rooms):
    assert rooms["all"]["asks_what_model"] == ["report/reader.py:13 hasattr(model, 'tree_')"]


def test_the_halves_are_all_rooms(rooms):
    for figure in ("files", "lines", "code_lines", "functions"):
        assert rooms["lower"][figure] + rooms["upper"][figure] == rooms["all"][figure]
    assert rooms["lower"]["files"] == rooms["grow"]["files"] == 4


def test_the_growth_core_is_what_grows(checkout):
    assert measure_landmarks(checkout / "src" / "glade")["growth_core"] == ["grow/_kernel.py", "grow/tree.py"]


def test_a_percentile_is_one_of_the_values():
    assert find_percentile(list(range(1, 21)), 95) == 19
    assert find_percentile([7], 95) == 7
    assert find_percentile([], 95) == 0


def test_a_parameter_is_documented_by_a_text_in_the_parameters_section():
    text = TreeRegressor.__doc__
    assert house_walk.documented_parameters(text) >= {"criterion", "ccp_alpha", "random_state"}
    assert "tree_" not in house_walk.documented_parameters(text)
    assert house_walk.documented_parameters(SECTION) == {"a", "b"}


def test_a_walk_counts_calls_files_and_rooms():
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10.0)
    model = TreeRegressor().fit(X, y)
    tracer = house_walk.Tracer(SOURCE)
    with tracer.on():
        model.fit(X, y)
    found = tracer.figures()
    assert found["table read"] == 1
    assert found["rows covered"] == 0
    assert 5 < found["files"] < found["functions"] <= found["calls"]
    assert 5 < found["room_changes"] < found["calls"]
    model.predict(X)
    assert tracer.figures() == found  # switched off, it counts nothing


def test_the_walk_knows_the_functions_whose_calls_it_counts():
    """Where one is renamed, its new name goes into the table `ONCE`; else its count would be 0 without a word."""
    written = {f.where.split(":")[1].split(".")[-1] for file in read_files(SOURCE) for f in list_functions(file)}
    assert [work for work, names in house_walk.ONCE.items() if not names & written] == []


def commit(folder: Path, *files: str) -> None:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        with (folder / file).open("a") as text:
            text.write("\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "One"]):
        subprocess.run(["git", "-C", folder, *command], check=True, env={**os.environ, **AUTHOR})


def test_commits_that_change_the_source_are_asked_for_tests(tmp_path):
    commit(tmp_path, "src/a.py")
    commit(tmp_path, "src/a.py", "tests/b.py")
    commit(tmp_path, "docs/c.md", "tests/b.py")
    assert house.measure_commits(tmp_path) == {"last": 150, "touch_src": 2, "touch_tests_too": 1}


def test_another_checkout_is_measured_stored_and_printed_beside_this(checkout, capsys):
    stored = checkout / "before.json"
    house.main(["--source", str(checkout), "--no-walk", "--json", str(stored)])
    assert "constructor parameters without text: 2 of 3" in capsys.readouterr().out
    (checkout / "src" / "glade" / "grow" / "pruning.py").unlink()
    house.main(["--source", str(checkout), "--no-walk", "--against", str(stored)])
    told = capsys.readouterr().out.splitlines()
    assert next(line for line in told if line.startswith("files")).split() == ["files", "4", "3", "5", "5", "9", "8"]


def test_one_room_is_measured_alone(checkout, capsys):
    house.main(["--source", str(checkout), "--only", "report"])
    told = capsys.readouterr().out
    assert "report/reader.py:14 tree._nodes" in told
    assert "grow/tree.py" not in told.replace("glade.grow.tree", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--only", "attic"], "there is no room 'attic'"), (["--source", "nowhere"], "no src/glade")],
)
def test_what_cannot_be_measured_is_said(arguments, words):
    with pytest.raises(SystemExit, match=words):
        house.main(arguments)


def test_the_stored_figures_are_those_that_the_tool_prints():
    """A figure that is renamed would be printed as missing."""
    before = json.loads((Path(house.__file__).parents[1] / "docs" / "dev" / "house-before.json").read_text())
    assert set(before["rooms"]["all"]) == set(house.ROWS)
    assert set(before["walk"]["TreeRegressor.fit"]) == {"calls", "files", "functions", "room_changes", *house_walk.ONCE}


def test_the_walk_runs_where_only_the_standard_library_is_asked_for():
    """The script starts in any environment that has the package: it imports nothing else at the top."""
    code = "import sys, tools.house, tools.house_walk; print('glade' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=house.ROOT)
    assert done.stdout.split() == ["False", "False"]
