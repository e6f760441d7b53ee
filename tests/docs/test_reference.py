"""The reference has a page for every public name, and for nothing else."""

import re
from pathlib import Path

import glade

INDEX = Path(__file__).parents[2] / "docs" / "reference" / "index.md"


def _list_documented() -> set[str]:
    """The names in the tables of the reference, with the module that each table is about."""
    names, module = set(), ""
    for line in INDEX.read_text("utf-8").splitlines():
        if found := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = found[1]
        elif found := re.match(r"   (\w+)$", line):
            names.add(f"{module}.{found[1]}")
    return names


def test_every_public_name_is_in_the_reference():
    public = {f"glade.{name}" for name in glade.__all__ if name not in ("metrics", "__version__")}
    public |= {f"glade.metrics.{name}" for name in glade.metrics.__all__}
    assert _list_documented() == public
