"""`glade warm-up`: compile everything now, for images and installers."""

import time

import click


@click.command("warm-up")
@click.option("--soft", is_flag=True, help="What soft rules need too.")
def warm_up(soft: bool) -> None:
    """Compile for this machine what fits of any table need, so that no later command waits for it."""
    from glade.cli.outputs import tell_lines
    from glade.core._compile import CACHE_FOLDER
    from glade.models import warm_up as models

    begin = time.monotonic()
    models.warm_up(soft)
    kept = "no folder keeps the result" if CACHE_FOLDER is None else f"kept in {CACHE_FOLDER}"
    tell_lines([f"ready after {time.monotonic() - begin:.0f} s; {kept}"])
