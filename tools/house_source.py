"""What the text of the source says about the house: sizes, parameters, complexity, reads of private attributes.

Everything here parses files and imports none of them, so that any commit can be measured by any Python that parses it.
"""

import ast
import io
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

LOWER_ROOMS = ("core", "losses", "files", "data", "kernels", "grow", "ensemble")  # of every plan of the house so far
PACKAGE = "package"  # the files that lie in no room, such as glade/__init__.py
MOST_LINES, FAR_TOO_MANY_LINES = 30, 60  # of a function, without its docstring
MOST_PARAMETERS, MOST_IN_KERNEL = 8, 10
MOST_COMPLEX = 10
MODEL_NAMES = {"model", "fitted", "shown", "estimator"}  # variables that hold a model: hasattr asks what kind it is
ESTIMATOR_OF_RULES = "models/rule_ensemble.py"

# The growth core: each file of grow/ that is not listed here ...
READS_GROWN_TREES = {
    "__init__", "alternatives", "importance", "limits", "node_table", "packed", "pruning", "shares", "validation",
    "_prune", "_route", "_shares",
}  # fmt: skip
# ... and the kernels of other rooms that growth is made of, wherever the plan of the day keeps them.
GROWTH_KERNELS = {"_fours", "_gaps", "_order", "_vector"}
GROWTH_IN_DRAWER = {
    "candidates", "cuts", "draws", "few", "fours", "frontier", "gaps", "grow", "held", "layout", "moments", "order",
    "random_cut", "search", "state", "store", "vector"
}  # of the first plan's room kernels/  # fmt: skip

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.comprehension)


@dataclass(frozen=True)
class Function:
    """One function or method as written."""

    where: str  # such as "grow/grower.py:Grower.add"
    lines: int  # without its docstring
    n_parameters: int
    complexity: int
    is_constructor: bool
    in_kernel: bool

    def takes_more_than(self, most: int) -> bool:
        """Whether it has more parameters than that; a constructor may take as many as it needs."""
        return not self.is_constructor and self.n_parameters > most


@dataclass
class SourceFile:
    """One file, parsed."""

    path: str  # from the package's folder on, such as "grow/grower.py"
    text: str
    tree: ast.Module = field(repr=False)

    @property
    def room(self) -> str:
        """The first folder, or `PACKAGE`."""
        return self.path.split("/")[0] if "/" in self.path else PACKAGE

    @property
    def stem(self) -> str:
        """The name without folder and ending."""
        return Path(self.path).stem

    @property
    def is_kernel(self) -> bool:
        """Whether the file holds kernels: it begins with one underscore, or lies in the first plan's drawer."""
        return self.room == "kernels" or (self.stem.startswith("_") and not self.stem.startswith("__"))

    @property
    def is_growth_core(self) -> bool:
        """Whether it takes part in growing a tree."""
        if self.room == "grow":
            return self.stem not in READS_GROWN_TREES
        return self.stem in (GROWTH_IN_DRAWER if self.room == "kernels" else GROWTH_KERNELS)

    @property
    def n_lines(self) -> int:
        """All lines."""
        return len(self.text.splitlines())


def read_files(package: Path) -> list[SourceFile]:
    """Parse every Python file of a package."""
    found = []
    for file in sorted(package.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        found.append(SourceFile(file.relative_to(package).as_posix(), text, ast.parse(text)))
    return found


def docstring_lines(node: ast.AST) -> set[int]:
    """The lines that the docstring of a module, class or function takes."""
    body = getattr(node, "body", None)
    if not isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) or not body:
        return set()
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return set()


def code_lines(file: SourceFile) -> int:
    """The number of lines that hold code: no docstring, no comment of its own, not blank."""
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    taken: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(file.text).readline):
        if token.type not in silent:
            taken.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(file.tree):
        taken -= docstring_lines(node)
    return len(taken)


def measure_complexity(function: ast.AST) -> int:
    """1 + the number of branching nodes, those of functions within it too; `a and b and c` branches twice."""
    nodes = list(ast.walk(function))
    choices = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + choices + sum(isinstance(node, BRANCHES) for node in nodes)


def list_functions(file: SourceFile) -> list[Function]:
    """Every function and method of a file, inner ones too."""
    return list(_walk_functions(file, file.tree, ()))


def _walk_functions(file: SourceFile, parent: ast.AST, names: tuple[str, ...]) -> Iterator[Function]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            own = (*names, node.name)
            if isinstance(node, FUNCTIONS):
                yield _measure_function(file, node, ".".join(own))
            yield from _walk_functions(file, node, own)
        else:
            yield from _walk_functions(file, node, names)


def _measure_function(file: SourceFile, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Function:
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    takes_self = bool(positional) and positional[0].arg in ("self", "cls")
    optional = (given.vararg is not None) + (given.kwarg is not None)
    return Function(
        where=f"{file.path}:{name}",
        lines=(node.end_lineno or node.lineno) - node.lineno + 1 - len(docstring_lines(node)),
        n_parameters=len(positional) - takes_self + len(given.kwonlyargs) + optional,
        complexity=measure_complexity(node),
        is_constructor=node.name in ("__init__", "__new__"),
        in_kernel=file.is_kernel,
    )


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__")


def _defined_attributes(file: SourceFile) -> Iterator[str]:
    """Private names that classes of a file define: methods, class attributes, and what is put on `self`."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, FUNCTIONS):
                    yield part.name
                targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
                yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_own(node.value):
            yield node.attr


def _is_own(node: ast.AST) -> bool:
    """Whether an expression is the object whose method this is: `self`, `cls` or `super()`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "super"
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def find_private_reads(files: Iterable[SourceFile]) -> list[str]:
    """Reads of private attributes that only another room's classes define, and imports of private names across rooms.

    A name that a class of the reader's own room defines too is not counted, since the text does not say whose it is.
    """
    files = list(files)
    homes: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for name in filter(is_private, _defined_attributes(file)):
            homes[name].add(file.room)
    found = []
    for file in files:
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr) and not _is_own(node.value):
                if homes[node.attr] and file.room not in homes[node.attr]:
                    found.append(f"{file.path}:{node.lineno} {ast.unparse(node)}")
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("glade."):
                names = [alias.name for alias in node.names if is_private(alias.name)]
                across = (node.module or "").split(".")[1] != file.room
                found += [f"{file.path}:{node.lineno} {node.module}.{name}" for name in names if across]
    return found


def find_questions(file: SourceFile) -> list[str]:
    """The places that ask with `hasattr` what kind a model is."""
    return [
        f"{file.path}:{node.lineno} {ast.unparse(node)}"
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr" and node.args
        if isinstance(node.args[0], ast.Name) and node.args[0].id in MODEL_NAMES
    ]


def find_percentile(values: list[int], percent: int) -> int:
    """The smallest value that at least so many percent of the values do not exceed; 0 of no values."""
    ordered = sorted(values)
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)] if ordered else 0


def measure_files(files: list[SourceFile], private_reads: list[str]) -> dict[str, object]:
    """The figures of some files. Lists name each place, so that a figure that has grown can be looked into."""
    functions = [function for file in files for function in list_functions(file)]
    lengths = [function.lines for function in functions]
    inside, outside = ([f for f in functions if f.in_kernel is kernel] for kernel in (True, False))
    paths = {file.path for file in files}
    return {
        "files": len(files),
        "lines": sum(file.n_lines for file in files),
        "code_lines": sum(code_lines(file) for file in files),
        "functions": len(functions),
        "p95_lines": find_percentile(lengths, 95),
        "over_30_lines": sum(lines > MOST_LINES for lines in lengths),
        "over_60_lines": sorted(f.where for f in functions if f.lines > FAR_TOO_MANY_LINES),
        "over_8_parameters": sorted(f.where for f in functions if f.takes_more_than(MOST_PARAMETERS)),
        "too_many_parameters": sorted(f.where for f in outside if f.takes_more_than(MOST_PARAMETERS)),
        "too_many_in_kernels": sorted(f.where for f in inside if f.takes_more_than(MOST_IN_KERNEL)),
        "most_parameters": max((f.n_parameters for f in functions if not f.is_constructor), default=0),
        "complex": sorted(f"{f.where} {f.complexity}" for f in functions if f.complexity > MOST_COMPLEX),
        "private_reads": [place for place in private_reads if place.split(":")[0] in paths],
        "asks_what_model": [place for file in files for place in find_questions(file)],
    }


def measure_rooms(package: Path, only: str | None = None) -> dict[str, dict[str, object]]:
    """The figures of each room, of the two halves and of all; or of one room."""
    files = read_files(package)
    reads = find_private_reads(files)
    by_room: dict[str, list[SourceFile]] = defaultdict(list)
    for file in files:
        by_room[file.room].append(file)
    if only is not None:
        return {only: measure_files(by_room[only], reads)}
    found = {room: measure_files(own, reads) for room, own in sorted(by_room.items())}
    lower = [file for file in files if file.room in LOWER_ROOMS]
    upper = [file for file in files if file.room not in LOWER_ROOMS]
    halves = {"lower": lower, "upper": upper, "all": files}
    return {**found, **{name: measure_files(own, reads) for name, own in halves.items()}}


def measure_landmarks(package: Path) -> dict[str, object]:
    """The growth core, and the estimator of rules."""
    files = read_files(package)
    core = [file for file in files if file.is_growth_core]
    estimator = [file for file in files if file.path == ESTIMATOR_OF_RULES]
    imports = Counter(isinstance(node, (ast.Import, ast.ImportFrom)) for f in estimator for node in ast.walk(f.tree))
    return {
        "growth_core": sorted(file.path for file in core),
        "growth_core_lines": sum(file.n_lines for file in core),
        "rule_estimator_lines": sum(file.n_lines for file in estimator),
        "rule_estimator_imports": imports[True],
    }
