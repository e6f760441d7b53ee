"""`python -m studies`: published tables beside ours."""

import shlex
from pathlib import Path
from typing import Any

import click

from glade.cli.terminal import progress_on_terminal
from glade.core.errors import InputError
from studies import STUDIES, reproduce
from studies.figures import Settings
from studies.rendering import check_output, to_text, write_document, write_page

ALL, PAGE = "all", "page"


@click.command()
@click.argument("study", type=click.Choice([*STUDIES, ALL, PAGE]))
@click.option("--data", "folder", metavar="DIR", help="The folder of the data sets; else GLADE_DATA, ../shared/data.")
@click.option("--reduced", is_flag=True, help="Fewer repetitions and folds, as the protocol of each study says.")
@click.option("--quick", is_flag=True, help="A few sets and fits, to see that all runs; gives no verdicts.")
@click.option("--jobs", "n_jobs", default=1, show_default=True, help="Processes; -1 for one on each core.")
@click.option("--store", metavar="DIR", help="Keep finished fits here, and go on from them.")
@click.option("-o", "--output", metavar="DIR", help="Write reproduction.md, its data and pictures into this folder.")
def main(study: str, output: str | None, **how: Any) -> None:
    """Run a published STUDY anew: the published figure, ours, its spread, a verdict.

    "all" runs every study, one after another; "page" writes the page anew from what the studies have found before.
    """
    try:
        with progress_on_terminal():
            _run(study, output, how)
    except InputError as fault:
        raise click.UsageError(str(fault)) from fault


def _run(study: str, output: str | None, how: dict[str, Any]) -> None:
    if study == PAGE and output is None:
        raise InputError("the page is written into a folder: give it by -o")
    if output is not None:
        check_output(Path(output))
    if study == PAGE:
        click.echo(f"wrote {write_page(Path(str(output)))}")
        return
    settings = Settings(**how)
    for name in STUDIES if study == ALL else [study]:
        result = reproduce(name, settings)
        paths: list[Path] = []
        if output is not None:
            shown = Path(output).name if Path(output).is_absolute() else output
            command = f"python -m studies {name}{settings.options} -o {shlex.quote(shown)}"
            paths = write_document(result, command, Path(output))
        click.echo("\n".join([to_text(result), *(f"wrote {path}" for path in paths)]))


if __name__ == "__main__":
    main(prog_name="python -m studies")
