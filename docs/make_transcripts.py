"""Make docs/dev/transcripts.md: commands as a new user runs them on four real tables, with what they print.

    GLADE_DATA=folder python -m docs.make_transcripts [NAME ...]

Names are those of the tables below; what is not made anew keeps its place in the document. The tables are unpacked into
a temporary folder, where the commands run.
"""

import gzip
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from studies.datasets import find_folder

HERE = Path(__file__).parent
DOCUMENT = HERE / "dev" / "transcripts.md"
TITLE = """# Transcripts

What a new user sees, made by `python -m docs.make_transcripts`: the commands as they were typed, standard output as it
came (long outputs are cut where it says so). Progress, which goes to standard error, is left out.
"""
MAX_LINES = {"predict": 5, "rules": 14, "explain": 14}
WIDTH = 150
THYROID = (
    "hyperthyroid hypothyroid binding_protein general_health replacement_therapy antithyroid_treatment miscellaneous"
)
SPECIES = "25400 29600 30400 33400 17300 19400 34500 38100 49700 50390 55800 57500 59300 37880"  # of wq, by code


def name_targets(names: str) -> str:
    """The options that name targets."""
    return " ".join(f"-t {name}" for name in names.split())


TABLES = {
    "bridges_full": (name_targets("t-or-d material span rel-l type"), "--max-rules 10 --folds 3", "--folds 2"),
    "wq": (name_targets(SPECIES), "--max-rules 10 --folds 2", "--folds 2"),
    "car_msrp": ("-t MSRP", "--max-rules 10 --folds 2 --drop Model", "--folds 2 --drop Model"),
    "thyroid": (name_targets(THYROID), "--max-rules 10 --folds 2", "--folds 2"),
}


def list_commands(name: str) -> list[str]:
    """What is run on a table, in order."""
    targets, fit, compare = TABLES[name]
    return [
        f"check {name}.csv {targets}",
        f"fit {name}.csv {targets} {fit}",
        f"rules {name}.glade --format md",
        f"predict {name}.glade {name}.csv",
        f"explain {name}.glade {name}.csv --row 0",
        f"compare {name}.csv {targets} {compare}",
    ]


def run(command: str, folder: str) -> str:
    """A command and what it prints, cut where that is long or wide."""
    done = subprocess.run(
        [sys.executable, "-m", "glade", *shlex.split(command)], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    lines = [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in done.stdout.splitlines()]
    limit = MAX_LINES.get(command.split()[0], 60)
    cut = [f"… {len(lines) - limit:,} more lines"] if len(lines) > limit else []
    ending = [] if done.returncode == 0 else [f"(exit code {done.returncode})"]
    return "\n".join([f"$ glade {command}", *lines[:limit], *cut, *ending])


def read_blocks() -> dict[str, str]:
    """What each command printed, by the document as it is."""
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    return {command: block for block, command in re.findall(r"^```\n(\$ glade (.*?)\n.*?)\n```$", text, re.M | re.S)}


def write(blocks: dict[str, str]) -> None:
    """All that there is, table by table."""
    parts = [TITLE]
    for name in TABLES:
        own = [f"```\n{blocks[command]}\n```\n" for command in list_commands(name) if command in blocks]
        parts += [f"## {name}\n", *own] if own else []
    DOCUMENT.write_text("\n".join(parts), encoding="utf-8")


def main(names: list[str]) -> None:
    """Make the sections of these tables, of all if none is named; each command is written as it is done."""
    data = find_folder()
    with tempfile.TemporaryDirectory() as folder:
        for name in names or TABLES:
            (Path(folder) / f"{name}.csv").write_bytes(gzip.decompress((data / f"{name}.csv.gz").read_bytes()))
        commands = [(place, command) for name in names or TABLES for place, command in enumerate(list_commands(name))]
        for _, command in sorted(
            commands, key=lambda pair: pair[0] == len(list_commands("wq")) - 1
        ):  # the longest last
            write({**read_blocks(), command: run(command, folder)})
            print(f"done: glade {command[:60]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
