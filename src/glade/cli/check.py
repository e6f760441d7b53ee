"""`glade check`: what is wrong or suspicious about a table, before any fit."""

from typing import Any

import click

from glade.cli.options import take_columns, with_column_options
from glade.cli.partitions import in_one_file
from glade.cli.width import find_width
from glade.cli.wording import word_for_shell
from glade.core.advice import Advice

MAX_OF_A_KIND = 5
BESIDE = 18  # letters before a sentence
PURPOSES = {"groups": " keeps rows together"}  # what an option does that needs a word


@click.command()
@click.argument("table")
@with_column_options
def check(table: str, **given: Any) -> None:
    """Tell what is suspicious about TABLE: constant, duplicated, mostly missing, leaking columns, identifiers."""
    from glade.cli.description import describe_table
    from glade.cli.outputs import echo_lines
    from glade.cli.stored_models import blame_input
    from glade.cli.tables import open_table
    from glade.evaluate.table_check import Finding, check_table

    columns = take_columns(given)
    with in_one_file(table) as (file, said):
        data = open_table(file, columns)
    echo_lines([*said, *describe_table(data)])
    left_out = [Finding("identifier", f"{name!r} is left out of every fit (--keep)") for name in data.identifiers]
    with blame_input():
        findings = [*check_table(data.X, data.y), *left_out]
    echo_lines(_show(findings))


def _word(finding: Any) -> str:
    """The sentence, with the option that mends what was found."""
    if finding.remedy is None:
        return str(finding.sentence)
    purpose = PURPOSES.get(finding.remedy.parameter, "")
    return f"{finding.sentence} ({word_for_shell(Advice(finding.remedy))}{purpose})"


def _show(findings: list[Any]) -> list[str]:
    """A line for each finding; of many of one kind, the first few."""
    from glade.core.layout import align_columns

    if not findings:
        return ["", "nothing is suspicious"]
    rows = []
    for what in dict.fromkeys(finding.what for finding in findings):
        own = [_word(finding) for finding in findings if finding.what == what]
        rows += [[what, sentence] for sentence in own[:MAX_OF_A_KIND]]
        if len(own) > MAX_OF_A_KIND:
            rows.append([what, f"… and {len(own) - MAX_OF_A_KIND:,} more"])
    title = "1 thing to look at" if len(findings) == 1 else f"{len(findings):,} things to look at"
    return ["", title, *(f"  {line}" for line in align_columns(rows, [False, False], widest=find_width() - BESIDE))]
