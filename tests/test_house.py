"""Rules of the house that no linter knows."""

import ast
from pathlib import Path

import glade

SOURCE = Path(glade.__file__).parent


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_numba_is_imported_only_in_files_of_kernels():
    """A kernel lives beside its caller, in a file whose name begins with an underscore."""
    found = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not path.name.startswith("_") or path.name.startswith("__")
        for name in imported_by(path)
        if name.split(".")[0] in ("numba", "llvmlite")
    ]
    assert found == []
