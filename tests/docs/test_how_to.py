"""The worked examples of the pages "How to add ...": one new file and one line, in a process's own registries."""

import re
from pathlib import Path

import pytest

from glade.exports.forms import FORMS
from glade.losses.registry import LOSSES
from glade.rules.kinds import KINDS
from glade.weights.solvers import SOLVERS

ELSEWHERE = "add-a-kind-of-input"  # tests/data/test_kind_of_input.py runs it
PAGES = sorted((Path(__file__).parents[2] / "docs" / "dev" / "how-to").glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _registries():
    """What an example registers is gone after it."""
    before = dict(LOSSES), list(KINDS), dict(SOLVERS), dict(FORMS)
    yield
    for registry, own in ((LOSSES, before[0]), (SOLVERS, before[2]), (FORMS, before[3])):
        registry.clear()
        registry.update(own)
    KINDS[:] = before[1]


def test_there_is_a_page_for_each_registry():
    assert {page.stem for page in PAGES} >= {"add-a-loss", "add-a-kind-of-term", "add-a-solver", "add-an-export"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != ELSEWHERE], ids=lambda page: page.stem)
def test_the_example_of_a_page_runs(page):
    blocks = BLOCK.findall(page.read_text("utf-8"))
    assert len(blocks) >= 3  # the file, the line, its use
    names = {"__name__": f"example_{page.stem.replace('-', '_')}"}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
