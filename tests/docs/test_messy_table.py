"""The transcript of a messy table: `tests/docs/test_pages.py` runs it, here is what it must show."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "dev" / "messy-table.md"
WIDTH = 80


def list_printed():
    """The lines that commands have printed, but those that hold a command to copy."""
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"^```(?:console|text)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if not line.startswith(("$ ", "next: "))]


def test_what_is_printed_fits_80_columns():
    lines = list_printed()
    assert len(lines) > 80
    assert [line for line in lines if len(line) > WIDTH] == []


def test_what_was_guessed_is_said_and_the_database_predicts_the_same():
    text = "\n".join(list_printed())
    for said in (
        "fields are separated by ';' here (--sep corrects it)",
        "',' is taken for the decimal sign",
        "Date holds dates, read as day, month, year",
        "--na '<1'",
        "looks like an identifier",
        "wrote messy.glade, messy.html",
        "20 species, the same in the database: 20",
    ):
        assert said in " ".join(text.split()), said
