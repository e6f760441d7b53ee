"""A PostgreSQL server of the test's own, which runs in a folder and ends with it."""

import csv
import io
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd

USER = "postgres"  # who runs the server where the tests run as root, whom PostgreSQL refuses
SETTINGS = "-c listen_addresses='' -c fsync=off -c max_connections=5 -c shared_buffers=8MB"


def find_programs() -> Path | None:
    """The folder with `initdb` and `pg_ctl`; None where they are not, or nobody may run them."""
    if os.geteuid() == 0 and (shutil.which("setpriv") is None or not _has_user()):
        return None
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    found = shutil.which("initdb")
    folders += [Path(found).parent] if found else []
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _has_user() -> bool:
    import pwd

    return any(entry.pw_name == USER for entry in pwd.getpwall())


class Server:
    """A server that listens on a socket in its folder."""

    def __init__(self, programs: Path, folder: Path):
        self.programs, self.folder = programs, folder
        self.sockets = Path("/tmp") / f"glade-postgres-{os.getpid()}"  # the name of a socket must be short

    def __enter__(self) -> "Server":
        import pwd

        self.sockets.mkdir()
        if os.geteuid() == 0:
            entry = pwd.getpwnam(USER)
            os.chown(self.sockets, entry.pw_uid, entry.pw_gid)
        self.data = self.sockets / "data"
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"{SETTINGS} -k {self.sockets}"
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.sockets / "log"), "-o", options, "start")
        return self

    def __exit__(self, *fault: object) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")
        shutil.rmtree(self.sockets)

    def _run(self, name: str, *arguments: str, text: str | None = None) -> str:
        command = [str(self.programs / name), *arguments]
        if os.geteuid() == 0 and name != "psql":
            command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} if name != "pg_ctl" else {}
        done = subprocess.run(command, input=text, text=True, check=False, cwd="/", **pipes)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, text: str) -> str:
        """Run statements; what they print."""
        options = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", str(self.sockets), "-U", USER, "-d", "postgres"]
        return self._run("psql", *options, text=text)

    def fill(self, name: str, records: list[dict[str, Any]]) -> None:
        """Make a table of records, the types of whose columns are those of their values."""
        types = {bool: "boolean", int: "bigint", float: "double precision", str: "text"}
        columns = []
        for column in records[0]:
            value = next((record[column] for record in records if record[column] is not None), 0.0)
            quoted = column.replace('"', '""')
            columns.append(f'"{quoted}" {types[type(value)]}')
        rows = io.StringIO()
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerows([["\\N" if value is None else value for value in own.values()] for own in records])
        copy = f"COPY \"{name}\" FROM STDIN WITH (FORMAT csv, NULL '\\N');\n{rows.getvalue()}\\.\n"
        self.ask(f'DROP TABLE IF EXISTS "{name}";\nCREATE TABLE "{name}" ({", ".join(columns)});\n{copy}')

    def read(self, query: str) -> pd.DataFrame:
        """What a query gives."""
        text = self.ask(f"\\pset format csv\n{query}")
        frame = pd.read_csv(io.StringIO(text), dtype=None)
        for column in frame:  # booleans come as letters
            if set(frame[column].unique()) <= {"t", "f"}:
                frame[column] = frame[column] == "t"
        return frame
