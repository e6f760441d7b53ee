"""`python -m studies`: published tables beside ours."""

from pathlib import Path
from typing import Any

import click

from glade.cli.terminal import progress_on_terminal
from glade.core.errors import InputError
from studies import STUDIES, reproduce
from studies.figures import Settings
from studies.rendering import check_output, to_text, write_document


@click.command()
@click.argument("study", type=click.Choice(list(STUDIES)))
@click.option("--data", "folder", metavar="DIR", help="The folder of the data sets; else GLADE_DATA, ../shared/data.")
@click.option("--quick", is_flag=True, help="Fewer repetitions, a coarser picture.")
@click.option("--repetitions", type=click.IntRange(1), help="At most so many repetitions or folds (study: soft).")
@click.option("--jobs", "n_jobs", default=1, show_default=True, help="Processes; -1 for one on each core.")
@click.option("--store", metavar="DIR", help="Keep finished fits here, and go on from them.")
@click.option("-o", "--output", metavar="DIR", help="Write reproduction.md and the pictures into this folder.")
def main(study: str, output: str | None, **how: Any) -> None:
    """Run a published STUDY anew: the published figure, ours, its spread, a verdict."""
    try:
        with progress_on_terminal():
            _run(study, output, how)
    except InputError as fault:
        raise click.UsageError(str(fault)) from fault


def _run(study: str, output: str | None, how: dict[str, Any]) -> None:
    if output is not None:
        check_output(Path(output))
    result = reproduce(study, Settings(**how))
    paths: list[Path] = []
    if output is not None:
        fewer = f" --repetitions {how['repetitions']}" if how["repetitions"] else ""
        command = f"python -m studies {study}{' --quick' if how['quick'] else ''}{fewer} -o {Path(output).name}"
        paths = write_document(result, command, Path(output))
    click.echo("\n".join([to_text(result), *(f"wrote {path}" for path in paths)]))


if __name__ == "__main__":
    main(prog_name="python -m studies")
