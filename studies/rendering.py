"""A reproduction for a person to read: on a screen, or as a section of a Markdown document."""

import io
import textwrap
from pathlib import Path

from glade.core.errors import InputError
from glade.core.files import write_whole
from glade.core.layout import align_columns, align_markdown
from glade.core.names import quote_name
from studies.claims import tabulate_claims
from studies.figures import Figure, Picture, Reproduction, Table
from studies.recorded import FOLDER, Record, read_record

DOCUMENT = "reproduction.md"
ORDER = ("fire", "covering", "cart", "soft", "areas", "modt", "archetype")  # of the sections: that of the sources
PREAMBLE = """# Published figures beside ours

`python -m studies all -o docs/dev` makes this page: it runs what is not in the store yet (`--store`, from which an
interrupted run goes on), a study at a time. `python -m studies page -o docs/dev` writes it anew from what the studies
have found (`docs/dev/reproduction/*.json`), without running any. Each section says by which command, when, and from
which commit it came; a plus sign says that the copy had changes.
"""
HEADER = ("", "", "published", "same folds", "ours, spread", "verdict")
TO_RIGHT = (False, False, True, True, True, False)
SAME, VERDICT = HEADER.index("same folds"), HEADER.index("verdict")
SCREEN, PAGE = 100, 120  # characters in a line


def to_text(reproduction: Reproduction) -> str:
    """Title, protocol, the table, and what is to be said of it."""
    lines = [reproduction.title, textwrap.fill(reproduction.protocol, SCREEN), ""]
    lines += align_columns(*_tabulate(reproduction), gap="  ")
    for table in reproduction.tables:
        lines += ["", table.title, *align_columns([table.header, *table.rows], _sides(table), gap="  ")]
    return "\n".join([*lines, "", *_list_notes(reproduction, SCREEN)])


def to_markdown(record: Record) -> str:
    """The same as a section, with the command, the commit, and the versions it was run with."""
    reproduction = record.reproduction
    return "\n".join(
        [
            f"## {reproduction.title}",
            "",
            f"`{record.command}`, {record.date}, commit {record.commit}.",
            f"{record.versions}.",
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
    """Keep what a study has found, draw its pictures, and make the page of all studies anew."""
    check_output(folder)
    paths = [Record.now(reproduction, command).save(folder)]
    for picture in reproduction.pictures:
        buffer = io.BytesIO()
        picture.draw().savefig(buffer, format="png", dpi=100)
        paths.append(folder / _file_name(picture))
        write_whole(paths[-1], buffer.getvalue())
    return [write_page(folder), *paths]


def write_page(folder: Path) -> Path:
    """Make the page of all studies from what they have found: the table of all claims, and a section for each study."""
    found = [folder / FOLDER / f"{study}.json" for study in ORDER]
    records = [read_record(path) for path in found if path.exists()]
    parts = [PREAMBLE, *tabulate_claims({record.reproduction.study: record for record in records})]
    parts += [part for record in records for part in ("", to_markdown(record))]
    path = folder / DOCUMENT
    write_whole(path, ("\n".join(parts).rstrip() + "\n").encode())
    return path


def check_output(folder: Path) -> None:
    """Refuse to begin long work whose results could not be written."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {quote_name(folder)} to write to: make it first")
    import matplotlib  # noqa: F401  # a missing one is told now


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
    shown = [
        k
        for k in range(len(HEADER))
        if (k != SAME or any(figure.same is not None for figure in reproduction.figures))
        and (k != VERDICT or reproduction.has_verdicts)
    ]
    return [tuple(row[k] for k in shown) for row in rows], tuple(TO_RIGHT[k] for k in shown)


def _show(figure: Figure) -> tuple[str, ...]:
    return (
        figure.metric,
        figure.show_published(),
        figure.show(figure.same),
        figure.show_ours(),
        figure.verdict,
    )


def _file_name(picture: Picture) -> str:
    return f"{picture.name}.png"
