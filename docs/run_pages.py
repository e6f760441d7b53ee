"""Run what the pages for users show, and write what it prints into them.

    python -m docs.run_pages [PAGE ...]

A page is the README, or a page of the guide. Its blocks run in their order, in one folder that begins
empty but for penguins.csv and what is in docs/guide/files, and in one Python namespace:

- a block marked `python` runs, and a block marked `text` right behind it holds what it prints;
- a block marked `console` holds commands, each on a line that begins with `$ `, with what each prints on standard
  output below it. `glade` and `cat` are known commands. A line `...` stands for the rest of what is printed.

Blocks of other kinds (`bash`, `r`) are shown and not run. `tests/docs/test_pages.py` runs all pages and compares.
"""

import contextlib
import io
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs/guide",)
ELSEWHERE = ("docs/dev/messy-table.md",)
FILES = ROOT / "docs" / "guide" / "files"
FENCE = re.compile(r"^```(python|text|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CUT = "..."  # what a page leaves out
WIDTH = "100"  # columns of the terminal that commands print for, unless a page says another number
COLUMNS = re.compile(r"^<!-- (\d+) columns -->$", re.MULTILINE)
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
CLOCK = re.compile(r"\b\d+:\d\d(?::\d\d)?\b|\b\d+(?:\.\d+)? (?:s|min)\b")
SECONDS_COLUMN = re.compile(r"\bfit s$")


def list_pages() -> list[Path]:
    """Every page whose snippets are run."""
    more = [ROOT / name for name in ELSEWHERE]
    return [ROOT / "README.md", *more, *(page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md")))]


@dataclass
class Block:
    """A fenced block of a page: where its content stands, and what it is."""

    start: int
    end: int
    kind: str
    text: str


@dataclass
class PageRun:
    """A page and what its blocks print: (the block that shows it, what came)."""

    text: str
    results: list[tuple[Block, str]] = field(default_factory=list)

    def renewed(self) -> str:
        """The page with what its blocks print now. Where only times differ it stays as it is."""
        text = self.text
        for block, printed in reversed(self.results):
            if _split_words(block.text) != _split_words(printed):
                text = text[: block.start] + printed + text[block.end :]
        return text

    def differences(self) -> list[str]:
        """A sentence for each block that shows something else than what came."""
        return [
            f"the page shows\n{block.text}\nand what came is\n{printed}"
            for block, printed in self.results
            if not same_text(block.text, printed)
        ]


def read_blocks(text: str) -> list[Block]:
    """The blocks that are run, or show what others print."""
    return [Block(found.start(2), found.end(2), found[1], found[2]) for found in FENCE.finditer(text)]


def run_page(text: str, folder: Path) -> PageRun:
    """Run all blocks of a page in a folder."""
    done, names = PageRun(text), {"__name__": "__main__"}
    blocks = read_blocks(text)
    columns = COLUMNS.search(text)
    with _inside(folder, columns[1] if columns else WIDTH):
        for block, behind in zip_longest(blocks, blocks[1:]):
            if block.kind == "console":
                done.results.append((block, _run_commands(block.text)))
            elif block.kind == "python":
                printed = _run_python(block.text, names)
                if behind is not None and behind.kind == "text" and not text[block.end : behind.start].strip("`\ntex"):
                    done.results.append((behind, _cut_like(behind.text, printed)))
    return done


@contextlib.contextmanager
def _inside(folder: Path, width: str) -> Iterator[None]:
    """Work in this folder, as on a terminal of a known width, without remarks about time."""
    from glade import load_penguins
    from glade.core import _compile, progress

    before = Path.cwd(), os.environ.get("COLUMNS"), progress.QUIET_SECONDS, _compile.COMPILE_NOTICE_AFTER
    load_penguins().to_csv(folder / "penguins.csv", index=False)
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    os.chdir(folder)
    os.environ["COLUMNS"] = width
    progress.QUIET_SECONDS, _compile.COMPILE_NOTICE_AFTER = math.inf, 1e6
    try:
        yield
    finally:
        os.chdir(before[0])
        if before[1] is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before[1]
        progress.QUIET_SECONDS, _compile.COMPILE_NOTICE_AFTER = before[2:]


def _run_python(code: str, names: dict[str, Any]) -> str:
    """What a block prints. Warnings are told apart: a page says in words what a reader would see."""
    with contextlib.redirect_stdout(io.StringIO()) as said, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        exec(compile(code, "<page>", "exec"), names)  # noqa: S102
    return _tidy(said.getvalue())


def _run_commands(shown: str) -> str:
    """The commands of a block with what each prints."""
    parts = re.split(r"^(?=\$ )", shown, flags=re.MULTILINE)
    return "".join(_run_command(part) for part in parts if part)


def _run_command(shown: str) -> str:
    command, _, printed = shown.partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    if words[0] == "cat":
        came = "".join(Path(name).read_text("utf-8") for name in words[1:])
    elif words[0] == "glade":
        came = _run_glade(words[1:])
    else:
        raise ValueError(f"a page runs {command!r}; it can run glade and cat")
    gap = "\n" if f"\n{printed}".endswith("\n\n") else ""  # a blank line before the next command
    return f"{command}\n{_cut_like(printed, _tidy(came))}{gap}"


def _run_glade(arguments: list[str]) -> str:
    from glade.cli.main import run

    with (
        contextlib.redirect_stdout(io.StringIO()) as said,
        contextlib.redirect_stderr(io.StringIO()) as aside,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", UserWarning)
        code = run(arguments)
    if code:
        raise RuntimeError(f"glade {shlex.join(arguments)} ended with exit code {code}: {aside.getvalue()}")
    return said.getvalue()


def _tidy(printed: str) -> str:
    """Without blanks at the ends of lines, and with one newline at the end."""
    lines = "\n".join(line.rstrip() for line in printed.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""


def _cut_like(shown: str, came: str) -> str:
    """What came, cut where the page cuts: before its line `...` stand as many lines as the page shows."""
    before = shown.splitlines()
    if CUT not in before:
        return came
    return "\n".join([*came.splitlines()[: before.index(CUT)], CUT, ""])


def same_text(shown: str, came: str) -> bool:
    """Whether two texts say the same: times and widths aside, and numbers as nearly as machines agree."""
    ours, theirs = _split_words(shown), _split_words(came)
    return len(ours) == len(theirs) and all(_same_word(one, other) for one, other in zip(ours, theirs, strict=True))


def _split_words(text: str) -> list[str]:
    """The words, without those that say how long something took."""
    words: list[str] = []
    timed = False
    for line in text.splitlines():
        timed = bool(SECONDS_COLUMN.search(line)) or (timed and bool(line.strip()))
        own = CLOCK.sub("a while", line).replace("─", "-").split()
        words += own[:-1] if timed and not SECONDS_COLUMN.search(line) else own
    return words


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(
        math.isclose(float(a.replace(",", "")), float(b.replace(",", "")), rel_tol=0.02, abs_tol=0.011)
        for a, b in pairs
    )


def main(names: list[str]) -> None:
    """Renew these pages, or all."""
    for page in [Path(name).resolve() for name in names] or list_pages():
        with tempfile.TemporaryDirectory() as folder:
            done = run_page(page.read_text("utf-8"), Path(folder))
        page.write_text(done.renewed(), encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {len(done.differences())} of {len(done.results)} outputs changed")


if __name__ == "__main__":
    main(sys.argv[1:])
