"""A reproduction for a person to read: on a screen, or as a section of a Markdown document."""

import io
import platform
import re
import textwrap
from importlib.metadata import version
from pathlib import Path

from glade.core.errors import InputError
from glade.core.files import write_whole
from glade.core.layout import align_columns, align_markdown
from glade.core.names import quote_name
from glade.core.version import __version__
from studies.figures import Figure, Picture, Reproduction, Table

DOCUMENT = "reproduction.md"
PREAMBLE = "# Published figures beside ours\n\nEach section is written by the command it names.\n"
HEADER = ("", "", "published", "same folds", "ours, spread", "verdict")
TO_RIGHT = (False, False, True, True, True, False)
SAME = HEADER.index("same folds")
SCREEN, PAGE = 100, 120  # characters in a line
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "numba")


def to_text(reproduction: Reproduction) -> str:
    """Title, protocol, the table, and what is to be said of it."""
    lines = [reproduction.title, textwrap.fill(reproduction.protocol, SCREEN), ""]
    lines += align_columns(*_tabulate(reproduction), gap="  ")
    for table in reproduction.tables:
        lines += ["", table.title, *align_columns([table.header, *table.rows], _sides(table), gap="  ")]
    return "\n".join([*lines, "", *_list_notes(reproduction, SCREEN)])


def to_markdown(reproduction: Reproduction, command: str) -> str:
    """The same as a section, with the command and the versions it was run with."""
    versions = ", ".join([f"glade {__version__}", *(f"{name} {version(name)}" for name in PACKAGES)])
    return "\n".join(
        [
            f"## {reproduction.title}",
            "",
            f"`{command}`",
            "",
            f"Python {platform.python_version()}, {versions}.",
            "",
            textwrap.fill(reproduction.protocol, PAGE),
            "",
            *align_markdown(*_tabulate(reproduction)),
            "",
            *(line for table in reproduction.tables for line in _to_subsection(table)),
            *_list_notes(reproduction, PAGE),
            *(f"\n![{picture.caption}]({_file_name(picture)})" for picture in reproduction.pictures),
        ]
    )


def write_document(reproduction: Reproduction, command: str, folder: Path) -> list[Path]:
    """Put the section into the folder's document, in the place of an older one, and save the pictures beside it."""
    check_output(folder)
    paths = []
    for picture in reproduction.pictures:
        buffer = io.BytesIO()
        picture.draw().savefig(buffer, format="png", dpi=100)
        paths.append(folder / _file_name(picture))
        write_whole(paths[-1], buffer.getvalue())
    path = folder / DOCUMENT
    before = path.read_text(encoding="utf-8") if path.exists() else PREAMBLE
    section = to_markdown(reproduction, command)
    write_whole(path, replace_section(before, reproduction.study, section).encode())
    return [path, *paths]


def check_output(folder: Path) -> None:
    """Refuse to begin long work whose results could not be written."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {quote_name(folder)} to write to: make it first")
    import matplotlib  # noqa: F401  # a missing one is told now


def replace_section(document: str, name: str, section: str) -> str:
    """The document with this section instead of its older form, or at the end where there is none.

    >>> replace_section("intro\\n", "a", "one") == replace_section(replace_section("intro\\n", "a", "old"), "a", "one")
    True
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    block = f"{begin}\n{section}\n{end}"
    older = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if older.search(document):
        return older.sub(lambda _: block, document)
    return f"{document.rstrip()}\n\n{block}\n"


def _list_notes(reproduction: Reproduction, width: int) -> list[str]:
    return [textwrap.fill(note, width, initial_indent="- ", subsequent_indent="  ") for note in reproduction.notes]


def _to_subsection(table: Table) -> list[str]:
    return [f"### {table.title}", "", *align_markdown([table.header, *table.rows], _sides(table)), ""]


def _sides(table: Table) -> list[bool]:
    return [column > 0 for column in range(len(table.header))]


def _tabulate(reproduction: Reproduction) -> tuple[list[tuple[str, ...]], tuple[bool, ...]]:
    """The rows of the table of figures, and which of its columns stand to the right."""
    rows: list[tuple[str, ...]] = [HEADER]
    last = ""
    for figure in reproduction.figures:
        rows.append(("" if figure.row == last else figure.row, *_show(figure)))
        last = figure.row
    if any(figure.same is not None for figure in reproduction.figures):
        return rows, TO_RIGHT
    return [row[:SAME] + row[SAME + 1 :] for row in rows], TO_RIGHT[:SAME] + TO_RIGHT[SAME + 1 :]


def _show(figure: Figure) -> tuple[str, ...]:
    return (
        figure.metric,
        figure.show(figure.published),
        figure.show(figure.same),
        figure.show_ours(),
        figure.verdict,
    )


def _file_name(picture: Picture) -> str:
    return f"{picture.name}.png"
