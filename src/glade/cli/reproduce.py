"""`glade reproduce`: published tables beside ours."""

from pathlib import Path
from typing import Any

import click

from glade.evaluate.reproductions import STUDIES
from glade.evaluate.reproductions import reproduce as run


@click.command()
@click.argument("study", type=click.Choice(list(STUDIES)))
@click.option("--data", "folder", metavar="DIR", help="The folder of the data sets; else GLADE_DATA, ../shared/data.")
@click.option("--quick", is_flag=True, help="Fewer repetitions, a coarser picture.")
@click.option("--repetitions", type=click.IntRange(1), help="At most so many repetitions or folds (study: soft).")
@click.option("--jobs", "n_jobs", default=1, show_default=True, help="Processes; -1 for one on each core.")
@click.option("--store", metavar="DIR", help="Keep finished fits here, and go on from them.")
@click.option("-o", "--output", metavar="DIR", help="Write reproduction.md and the pictures into this folder.")
def reproduce(study: str, output: str | None, **how: Any) -> None:
    """Run a published STUDY anew: the published figure, ours, its spread, a verdict."""
    from glade.cli.outputs import echo_lines, tell_lines
    from glade.evaluate.reproductions.figures import Settings
    from glade.evaluate.reproductions.rendering import check_output, to_text, write_document

    if output is not None:
        check_output(Path(output))
    result = run(study, Settings(**how))
    lines = to_text(result).splitlines()
    if output is None:
        echo_lines(lines)
    else:
        fewer = f" --repetitions {how['repetitions']}" if how["repetitions"] else ""
        command = f"glade reproduce {study}{' --quick' if how['quick'] else ''}{fewer} -o {Path(output).name}"
        paths = write_document(result, command, Path(output))
        tell_lines([*lines, *(f"wrote {path}" for path in paths)])
